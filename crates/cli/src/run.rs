//! `rotula run`: simulate a model and write what was found.

use crate::Ending;
use crate::args;
use crate::exports;
use crate::files;
use crate::limits::Limits;
use crate::live;
use crate::messages::{Fault, complain, say};
use crate::model_file::ModelFile;
use crate::numbers::{digits, precise, short};
use crate::progress::{self, Progress};
use crate::resume;
use crate::words;
use rotula_dae::checkpoint::Keeper;
use rotula_dae::{Failure, InitialPolicy, Outcome, simulate_kept};
use rotula_report::Run;
use rotula_study::checkpoint::Checkpoints;
use rotula_study::{film, verify};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// What is wanted of a run besides its numbers.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Wanted {
    pub format: args::Format,
    pub export: Vec<args::Export>,
    pub verify: bool,
    pub live: bool,
}

/// What becomes of the results.
pub(crate) struct Choices {
    pub wanted: Wanted,
    pub limits: Limits,
    pub quiet: bool,
}

/// The program's name with its version.
pub(crate) const PROGRAM: &str = concat!("rotula ", env!("CARGO_PKG_VERSION"));

/// Simulates, writes the results and tells the story.
pub(crate) fn run(options: &args::Run) -> Result<Ending, Fault> {
    let reading = progress::phase("reading the model", options.quiet);
    let file = ModelFile::to_run(&options.model);
    reading.finish_and_clear();
    let file = file?;
    let directory = match &options.output {
        Some(directory) => directory.clone(),
        None => PathBuf::from("results").join(&file.stem),
    };
    exports::refuse_impossible(&file, &options.export)?;
    if options.live {
        live::refuse_impossible(&options.model)?;
    }
    options.limits.refuse_large(&file, file.model.system().sizes())?;
    files::refuse_unwritable(&directory)?;
    let _lock = files::lock(&directory)?;
    resume::refuse_unfinished(&directory)?;
    let checkpoints = match options.checkpoint {
        None => None,
        Some(interval) => Some(resume::begin(&directory, options, interval)?),
    };
    let wanted = options.wanted();
    let choices = Choices { wanted, limits: options.limits, quiet: options.quiet };
    perform(&file, &directory, &choices, checkpoints)
}

/// Simulates from the beginning or from a checkpoint.
pub(crate) fn perform(
    file: &ModelFile,
    directory: &Path,
    options: &Choices,
    mut checkpoints: Option<Checkpoints>,
) -> Result<Ending, Fault> {
    let mut system = file.model.system();
    let start = file.model.initial_state();
    let clock = Instant::now();
    let mut progress = Progress::new(&file.settings, options.limits, options.quiet);
    let keeper: &mut dyn Keeper = match &mut checkpoints {
        Some(checkpoints) => checkpoints,
        None => &mut (),
    };
    let outcome = simulate_kept(system.as_mut(), &start, &file.settings, &mut progress, keeper);
    progress.finish();
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(diagnosis) => {
            resume::abandon(checkpoints);
            return Err(file.refused(&diagnosis));
        }
    };
    let wall_seconds = match &checkpoints {
        Some(checkpoints) => checkpoints.elapsed(),
        None => clock.elapsed().as_secs_f64(),
    };

    let writing = progress::phase("writing the results", options.quiet);
    let film = film(&file.model, &outcome.trajectory);
    let mut run = Run {
        model_file: Some(file.name.clone()),
        wall_seconds,
        program: PROGRAM.into(),
        ..rotula_study::run(&file.model, &file.settings, &outcome, film.as_ref())
    };
    let page = if options.wanted.live { Some(live::Page::of(&file.path)?) } else { None };
    let page = page.as_ref().map(live::Page::live);
    // what a long run found is safe before a longer one begins
    let written = files::write(directory, &run, options.wanted.format, page.as_ref());
    writing.finish_and_clear();
    let mut report = written?;
    let interrupted =
        outcome.failure.as_ref().is_some_and(|found| found.failure == Failure::Interrupted);
    let verification = match options.wanted.verify && !interrupted {
        false => None,
        true => {
            let mut progress = Progress::new(&file.settings, options.limits, options.quiet);
            let verification = verify(&file.model, &file.settings, &run, &mut progress);
            progress.finish();
            Some(verification?)
        }
    };
    if verification.is_some() {
        run.verification = verification.as_ref();
        report = files::write(directory, &run, options.wanted.format, page.as_ref())?;
    }
    let exported = exports::write(directory, &run, &options.wanted.export)?;

    if !options.quiet {
        say(&story(file, &outcome, &run));
        file.model.left_out().iter().for_each(|what| say(&format!("Note: {what}.")));
    }
    let notes = file.model.notes().iter();
    file.warn(&notes.map(|note| format!("left out of the import: {note}")).collect::<Vec<_>>());
    file.warn(file.model.cautions());
    file.warn(&outcome.warnings);
    if let Some(reached) = progress.reached() {
        complain(&format!("{}: {reached}", file.name));
    }
    if let Some(diagnosis) = &outcome.failure {
        let what = match diagnosis.failure {
            Failure::Interrupted => "",
            _ => "The simulation failed: ",
        };
        complain(&format!("{}: {what}{diagnosis}", file.name));
    }
    if !options.quiet {
        say(&whereabouts(&report, directory, outcome.failure.is_some()));
        exported.iter().for_each(|path| say(&format!("Exported: {}", path.display())));
    }
    if let Some(checkpoints) = checkpoints {
        resume::finish(checkpoints, directory, outcome.failure.as_ref(), options.quiet)?;
    }
    Ok(match outcome.failure {
        None => Ending::Done,
        Some(_) => Ending::Failed,
    })
}

/// What was simulated, how, at what price, and how well.
fn story(file: &ModelFile, outcome: &Outcome, run: &Run) -> String {
    let trajectory = &outcome.trajectory;
    let ending = match outcome.failure {
        None => "done",
        Some(_) => "stopped",
    };
    let mut sentences = vec![
        format!(
            "{}: {ending} at t = {} s, in {} s of computing.",
            file.model.title(),
            precise(outcome.state.t),
            short(run.wall_seconds)
        ),
        words::system(trajectory.sizes, run.freedom()),
    ];
    sentences.extend(outcome.initial.equilibrium.as_ref().map(words::equilibrium));
    let moved = outcome.initial.moved.len() + outcome.initial.accelerated.len();
    let worst = outcome.initial.position_residual.max(outcome.initial.velocity_residual);
    // corrections of rounding are no news
    if moved > 0 && worst > 1e-7 {
        sentences.push(match file.settings.initial {
            InitialPolicy::ProjectVelocities | InitialPolicy::Equilibrium => {
                "The initial velocities follow from the constraints; `rotula check` shows them."
                    .to_owned()
            }
            _ => format!(
                "The initial state missed its constraints by {} and was projected; `rotula check` shows the changes.",
                short(worst)
            ),
        });
    }
    let method = words::method(&file.settings);
    sentences.push(format!("Method: {method}."));
    sentences.extend(trajectory.coordinates.clone());
    sentences.push(words::effort(&trajectory.statistics));
    sentences.extend(words::audit(&trajectory.audit, trajectory.sizes));
    sentences.extend(words::balance(&trajectory.balance));
    sentences.extend(run.verification.into_iter().flat_map(|found| found.sentences(&digits)));
    sentences.join("\n")
}

fn whereabouts(report: &Path, directory: &Path, failed: bool) -> String {
    let until_then = if failed { " until then" } else { "" };
    format!(
        "Results{until_then} are in {}; open {} in a browser.",
        directory.display(),
        report.display()
    )
}
