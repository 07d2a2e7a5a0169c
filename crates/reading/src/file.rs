//! A model file that was read, overridden and checked.

use crate::check::check;
use crate::document::{Entry, Item, Table};
use crate::error::ModelError;
use crate::keys::Format;
use crate::overrides::apply;
use crate::source::{Place, Source};
use std::path::Path;
use std::sync::Arc;

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
}

impl ModelFile {
    /// Reads a text. Each override is a dotted key such as `parameters.m` and the value that takes the
    /// place of the one in the file; `name` is what errors call the text.
    pub fn parse(
        text: &str,
        name: &str,
        overrides: &[(String, String)],
        format: &Format,
    ) -> Result<ModelFile, ModelError> {
        let source = Arc::new(Source { name: name.to_owned(), text: text.to_owned() });
        let place = Place::new(&source, 0..0);
        let mut document = Table::parse(&source)?;
        for (key, value) in overrides {
            apply(&mut document, key, value, format)?;
        }
        check(&document, format)?;
        let text = |key: &str| document.get(key).and_then(Item::text).map(str::to_owned);
        let stem =
            || Path::new(name).file_stem().map_or(name.into(), |stem| stem.to_string_lossy());
        let title = text("title").unwrap_or_else(|| stem().into_owned());
        let description = text("description");
        Ok(ModelFile { document, place, title, description })
    }

    /// The entries of a section; none if it is absent.
    pub fn section(&self, name: &str) -> &[Entry] {
        self.document.section(name)
    }
}
