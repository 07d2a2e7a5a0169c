//! A model file with its text, ready to be simulated.

use crate::args::ModelChoice;
use crate::messages::{Fault, complain};
use rotula_dae::{Diagnosis, Settings};
use rotula_model::reading::Document;
use rotula_study::{Model, places};
use std::path::{Path, PathBuf};

/// A model, the text it was read from, and how it is to be integrated.
pub(crate) struct ModelFile {
    /// The file as the user named it.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
    /// The name of the file without folder and ending.
    pub stem: String,
    pub model: Model,
    pub settings: Settings,
    document: Document,
}

impl ModelFile {
    /// Reads the file and refuses what cannot be run.
    pub(crate) fn to_run(choice: &ModelChoice) -> Result<ModelFile, Fault> {
        let file = ModelFile::read(choice)?;
        match file.model.settings() {
            Ok(_) => Ok(file),
            Err(error) => Err(file.at_solve(&error.what, &error.help)),
        }
    }

    /// Reads the file for analyses, which need no end time.
    pub(crate) fn read(choice: &ModelChoice) -> Result<ModelFile, Fault> {
        let path = choice.file.as_path();
        let name = path.display().to_string();
        refuse_directory(path, &name)?;
        let document = Document::read(path)?;
        let model = Model::of(&document, &choice.overrides, None)?;
        let settings = model.analysis_settings().map_err(|error| {
            let span = places::section(&document, "solve");
            Fault::at(&name, &document.source.text, Some(span), &error.what).with_help(error.help)
        })?;
        let stem = path
            .file_stem()
            .map_or_else(|| "model".to_owned(), |stem| stem.to_string_lossy().into_owned());
        Ok(ModelFile { name, path: path.to_owned(), stem, model, settings, document })
    }

    /// What is written in the file.
    pub(crate) fn text(&self) -> &str {
        &self.document.source.text
    }

    /// The fault of a run that cannot start.
    pub(crate) fn refused(&self, diagnosis: &Diagnosis) -> Fault {
        let span = places::locate(&self.document, diagnosis);
        Fault::refused(&self.name, self.text(), span, diagnosis)
    }

    /// A fault of the way in which the model is to be run.
    pub(crate) fn at_solve(&self, message: &str, help: &str) -> Fault {
        let span = places::section(&self.document, "solve");
        Fault::at(&self.name, self.text(), Some(span), message).with_help(help)
    }

    /// Prints what to beware of.
    pub(crate) fn warn(&self, warnings: &[String]) {
        for warning in warnings {
            complain(&format!("{}: warning: {warning}", self.name));
        }
    }
}

/// Reading a directory fails with words that do not say so on every system.
fn refuse_directory(path: &Path, name: &str) -> Result<(), Fault> {
    if !path.is_dir() {
        return Ok(());
    }
    Err(Fault::new(
        format!("{name}: this is a directory, not a model file"),
        format!("name a file in it, such as {}", path.join("model.toml").display()),
    ))
}
