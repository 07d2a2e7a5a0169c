//! `rotula resume`: go on with a run that was stopped or cut off; and the checkpoints of `rotula run`.

use crate::Ending;
use crate::args;
use crate::args::ModelChoice;
use crate::files;
use crate::messages::{Fault, complain, say};
use crate::model_file::ModelFile;
use crate::run::{Choices, PROGRAM, perform};
use rotula_dae::{Diagnosis, Failure};
use rotula_mechanics::error::Refusal;
use rotula_study::checkpoint::{Checkpoints, Interval, Plan, folder, inputs};
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;

/// Goes on from the last checkpoint of a directory.
pub(crate) fn resume(options: &args::Resume) -> Result<Ending, Fault> {
    let directory = options.directory.as_path();
    // a folder that is not there is not made
    if !folder(directory).is_dir() {
        Plan::read(directory).map_err(fault)?;
    }
    let _lock = files::lock(directory)?;
    let plan = Plan::read(directory).map_err(fault)?;
    plan.refuse_changes(directory, PROGRAM).map_err(fault)?;
    let wanted = serde_json::from_value(plan.options.clone()).map_err(|error| {
        Fault::new(format!("{}: {error}", folder(directory).display()), "start the run anew")
    })?;
    let choice = ModelChoice { file: plan.model.clone(), overrides: plan.set.clone() };
    let mut file = ModelFile::to_run(&choice)?;
    file.name.clone_from(&plan.name);
    let (checkpoints, messages) = Checkpoints::resume(directory, &plan).map_err(fault)?;
    if !options.quiet {
        messages.iter().for_each(|message| say(&format!("{}: {message}", file.name)));
    }
    let choices = Choices { wanted, limits: options.limits, quiet: options.quiet };
    let goes_on = || perform(&file, directory, &choices, Some(checkpoints));
    guarded(goes_on).unwrap_or_else(|| {
        let folder = folder(directory);
        Err(Fault::new(
            format!("{}: the run cannot go on from this checkpoint", folder.display()),
            format!(
                "no run leaves one like this: remove {} and start the run anew; if nobody has changed it, \
                 please report it as a defect",
                folder.display()
            ),
        ))
    })
}

/// Lets a run go on from a checkpoint. One that someone has forged may hold any numbers, and places outside
/// of tables among them: they end the run here, in `None`, and nowhere else.
fn guarded<T>(run: impl FnOnce() -> T) -> Option<T> {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let result = panic::catch_unwind(AssertUnwindSafe(run));
    panic::set_hook(hook);
    result.ok()
}

/// Prepares the checkpoints of a run from the beginning.
pub(crate) fn begin(
    directory: &Path,
    options: &args::Run,
    interval: Interval,
) -> Result<Checkpoints, Fault> {
    let args::ModelChoice { file, overrides } = &options.model;
    let model = std::path::absolute(file).unwrap_or_else(|_| file.clone());
    let plan = Plan {
        program: PROGRAM.into(),
        name: file.display().to_string(),
        inputs: inputs(&model, overrides),
        model,
        set: overrides.clone(),
        interval,
        options: serde_json::to_value(options.wanted()).unwrap_or_default(),
    };
    Checkpoints::begin(directory, &plan).map_err(fault)
}

/// Hours of computing are not thrown away by a command repeated without thought.
pub(crate) fn refuse_unfinished(directory: &Path) -> Result<(), Fault> {
    let folder = folder(directory);
    if !folder.join("run.json").exists() {
        return Ok(());
    }
    Err(Fault::new(
        format!("{}: this directory holds a run that is not finished", directory.display()),
        format!(
            "go on with it by `rotula resume {}`; to start anew, remove {} or choose another \
             directory with `--output`",
            directory.display(),
            folder.display()
        ),
    ))
}

/// A run that ended needs its checkpoints no more, unless it was stopped on request.
pub(crate) fn finish(
    checkpoints: Checkpoints,
    directory: &Path,
    failure: Option<&Diagnosis>,
    quiet: bool,
) -> Result<(), Fault> {
    if let Some(trouble) = checkpoints.trouble() {
        complain(&format!("warning: a checkpoint could not be written: {trouble}"));
    }
    let (seconds, count) = checkpoints.spent();
    if !quiet && count > 0 {
        let each = 1e3 * seconds / count as f64;
        say(&format!("Checkpoints: {count}, of {each:.1} ms each."));
    }
    if failure.is_some_and(|diagnosis| diagnosis.failure == Failure::Interrupted) {
        if !quiet {
            say(&format!("Go on with: rotula resume {}", directory.display()));
        }
        return Ok(());
    }
    checkpoints.remove().map_err(fault)
}

/// A run that could not start leaves nothing to go on with.
pub(crate) fn abandon(checkpoints: Option<Checkpoints>) {
    // the fault that follows is the one to report
    let _ = checkpoints.map(Checkpoints::remove);
}

fn fault(refusal: Refusal) -> Fault {
    Fault::new(refusal.what, refusal.help.unwrap_or_else(|| "start the run anew".into()))
}
