//! `--set KEY=VALUE`: which keys of a mechanism may be replaced.

use crate::keys::Entries;
use crate::sections::{SECTIONS, TOP, section};
use rotula_reading::overrides::{Path, insert, subtable};
use rotula_reading::{Item, ModelError, Table, did_you_mean};

/// Names chosen by the user must exist already: a new one is a typing error. Keys below them are
/// checked with the rest of the file.
pub(crate) fn place(document: &mut Table, path: &Path, item: Item) -> Result<(), ModelError> {
    let (first, at) = &path[0];
    let Some(section) = section(first) else {
        if TOP.iter().any(|key| key.name == first) && path.len() == 1 {
            insert(document, &path[0], item);
            return Ok(());
        }
        let known =
            SECTIONS.iter().map(|section| section.name).chain(TOP.iter().map(|key| key.name));
        let error = ModelError::new(at, format!("unknown section `{first}`"));
        return Err(error.with_help(did_you_mean(first, known.collect())));
    };
    if path.len() == 1 {
        let error = ModelError::new(at, format!("`{first}` is a section and has no value"));
        return Err(error.with_help(format!("name one of its entries: `{first}.NAME=VALUE`")));
    }
    let (second, at) = &path[1];
    let known: Vec<&str> = document.section(first).iter().map(|entry| entry.key.as_str()).collect();
    let named = matches!(section.entries, Entries::Formulas | Entries::Tables(_));
    if named && !known.contains(&second.as_str()) {
        let error = ModelError::new(at, format!("the model has no {} `{second}`", section.entry));
        return Err(error.with_help(match known.is_empty() {
            true => format!("its section [{first}] is empty"),
            false => did_you_mean(second, known),
        }));
    }
    let mut table = document;
    for part in &path[..path.len() - 1] {
        table = subtable(table, part, None);
    }
    insert(table, &path[path.len() - 1], item);
    Ok(())
}
