//! A model file that was read, overridden and checked.

use crate::reading::check::check;
use crate::reading::document::{Document, Entry, Item, Table};
use crate::reading::error::ModelError;
use crate::reading::keys::Format;
use crate::reading::overrides::{apply, names_copy};
use crate::reading::parts::load;
use crate::reading::source::Place;
use std::path::Path;

/// A document that has the shape of its format.
#[derive(Clone, Debug)]
pub struct ModelFile {
    /// Everything in it.
    pub document: Table,
    /// The file as a whole, for faults without a place of their own.
    pub place: Place,
    /// The title it gives, else the name of the file without folder and ending.
    pub title: String,
    /// What the model shows.
    pub description: Option<String>,
    /// Overrides of what only copies of parts bring.
    pub later: Vec<(String, String)>,
}

impl ModelFile {
    /// Checks a document. Each override is a dotted key such as `parameters.m` and the value that takes the
    /// place of the one in the file.
    pub fn new(
        document: &Document,
        overrides: &[(String, String)],
        format: &Format,
    ) -> Result<ModelFile, ModelError> {
        let Document { source, table } = document;
        let name = &source.name;
        let place = Place::new(source, 0..0);
        let mut document = table.clone();
        load(&mut document, format, 0)?;
        let copies = !document.section("use").is_empty();
        let mut later = Vec::new();
        for (key, value) in overrides {
            match copies && names_copy(&document, key, format) {
                true => later.push((key.clone(), value.clone())),
                false => apply(&mut document, key, value, format)?,
            }
        }
        check(&document, format)?;
        let text = |key: &str| document.get(key).and_then(Item::text).map(str::to_owned);
        let stem = || {
            Path::new(name).file_stem().map_or(name.as_str().into(), |stem| stem.to_string_lossy())
        };
        let title = text("title").unwrap_or_else(|| stem().into_owned());
        let description = text("description");
        Ok(ModelFile { document, place, title, description, later })
    }

    /// Puts the overrides of what copies brought into the document that they are in now.
    pub fn override_copies(
        later: &[(String, String)],
        document: &mut Table,
        format: &Format,
    ) -> Result<(), ModelError> {
        for (key, value) in later {
            apply(document, key, value, format)?;
        }
        if later.is_empty() { Ok(()) } else { check(document, format) }
    }

    /// The entries of a section; none if it is absent.
    pub fn section(&self, name: &str) -> &[Entry] {
        self.document.section(name)
    }
}
