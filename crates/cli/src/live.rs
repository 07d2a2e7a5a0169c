//! Pages with the engine within: `rotula run --live`, and the command `playground`.

use crate::Ending;
use crate::args;
use crate::messages::{Fault, say};
use rotula_report::{Live, LiveModel, write_playground};
use rotula_study::checkpoint::inputs;
use std::fs;
use std::path::{Path, PathBuf};

/// The engine as `crates/web/build` makes it, beside the program.
const ENGINE: &str = "rotula-engine.lzma";

/// What a page needs to run models.
pub(crate) struct Page {
    engine: Vec<u8>,
    models: Vec<LiveModel>,
}

impl Page {
    /// With one model.
    pub(crate) fn of(model: &Path) -> Result<Page, Fault> {
        Ok(Page { engine: engine()?, models: vec![with_files(model)?] })
    }

    pub(crate) fn live(&self) -> Live<'_> {
        Live { engine: &self.engine, models: &self.models }
    }
}

/// Refuses what the page could not do, before time is spent on a simulation.
pub(crate) fn refuse_impossible(choice: &args::ModelChoice) -> Result<(), Fault> {
    engine()?;
    match choice.overrides.first() {
        None => Ok(()),
        Some((key, value)) => Err(Fault::new(
            format!("`--live` runs the file as it is, without `--set {key}={value}`"),
            "write the value into the file, or change it on the page",
        )),
    }
}

/// Writes a page without a run. The first model is open; one that is named again with all others is there once.
pub(crate) fn playground(options: &args::Playground) -> Result<Ending, Fault> {
    let all = options.models.iter().enumerate();
    let models = all.filter(|(k, model)| !options.models[..*k].contains(model));
    let models = models.map(|(_, model)| with_files(model));
    let page = Page { engine: engine()?, models: models.collect::<Result<_, _>>()? };
    write_playground(&options.output, "Rotula", &page.live())?;
    say(&format!("Open {} in a browser.", options.output.display()));
    Ok(Ending::Done)
}

fn engine() -> Result<Vec<u8>, Fault> {
    let program = std::env::current_exe().unwrap_or_default();
    let path = program.with_file_name(ENGINE);
    fs::read(&path).map_err(|error| {
        Fault::new(
            format!("{}: the engine for pages cannot be read: {error}", path.display()),
            "in a checkout `crates/web/build` makes it; packages have it beside the program",
        )
    })
}

/// A model with the files that it names.
fn with_files(model: &Path) -> Result<LiveModel, Fault> {
    let folder = model.parent().unwrap_or(Path::new(""));
    let own = |path: &Path| {
        let path: PathBuf = path.strip_prefix(folder).unwrap_or(path).into();
        path.to_string_lossy().into_owned()
    };
    let unreadable = |path: &Path, error: std::io::Error| {
        let message = format!("{}: the file cannot be read: {error}", path.display());
        Fault::new(message, "check its name and that it is a text in UTF-8")
    };
    let text = fs::read_to_string(model).map_err(|error| unreadable(model, error))?;
    let others = inputs(model, &[]).into_iter().filter(|input| input.path != model);
    let files = others.map(|input| match fs::read(&input.path) {
        Ok(content) => Ok((own(&input.path), content)),
        Err(error) => Err(unreadable(&input.path, error)),
    });
    Ok(LiveModel { name: own(model), text, files: files.collect::<Result<_, _>>()? })
}
