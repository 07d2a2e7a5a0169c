//! `[part.NAME]`: sections of a part, in place or in a file of its own.

use crate::reading::check::check_entry;
use crate::reading::document::{Document, Entry, Item, Table, Value};
use crate::reading::error::ModelError;
use crate::reading::keys::{Entries, Format};
use crate::reading::names::check_identifier;
use crate::reading::source::Place;
use crate::reading::suggest::did_you_mean;
use std::path::{Path, PathBuf};

/// Files of parts may name others this deep.
const DEEPEST: usize = 16;

/// The folder in which files lie that a place names.
pub fn folder_of(place: &Place) -> PathBuf {
    Path::new(&place.source.name).parent().unwrap_or(Path::new("")).to_owned()
}

/// Puts the sections of a file in the place of `[part.NAME] file = "…"`. What else stands in such a file, so that it can be
/// run alone, is left out.
pub(crate) fn load(document: &mut Table, format: &Format, depth: usize) -> Result<(), ModelError> {
    let Some(Value::Table(parts)) = document.entry_mut("part").map(|entry| &mut entry.item.value)
    else {
        return Ok(());
    };
    for part in &mut parts.entries {
        let Value::Table(table) = &mut part.item.value else { continue };
        if let Some(at) = table.entries.iter().position(|entry| entry.key == "file") {
            let file = table.entries.remove(at).item;
            if let Some(other) = table.entries.iter().find(|entry| entry.key != "description") {
                let message =
                    format!("part.{}: `file` and `{}` exclude each other", part.key, other.key);
                let help = "leave the file out, or write its sections in it";
                return Err(ModelError::new(&other.place, message).with_help(help));
            }
            table.entries.extend(read(&file, &part.key, format, depth)?);
        }
        load(table, format, depth + 1)?;
    }
    Ok(())
}

fn read(file: &Item, part: &str, format: &Format, depth: usize) -> Result<Vec<Entry>, ModelError> {
    let Some(name) = file.text() else {
        let message = format!("part.{part}.file must be a text, not {}", file.kind());
        return Err(ModelError::new(&file.place, message).with_help("put it in quotes"));
    };
    if depth > DEEPEST {
        let message =
            format!("parts in files are more than {DEEPEST} deep: does `{name}` name itself?");
        return Err(ModelError::new(&file.place, message).with_help("name files in one direction"));
    }
    let path = folder_of(&file.place).join(name);
    let document = match Document::read(&path) {
        Ok(document) => document,
        Err(error) if error.place().is_none() => {
            let message = format!("{} cannot be read", path.display());
            return Err(ModelError::new(&file.place, message)
                .with_help("name a model file from the folder of this one"));
        }
        Err(error) => return Err(error),
    };
    let own = |entry: &Entry| {
        let known = format.section(&entry.key).is_some() || format.top(&entry.key).is_some();
        format.parts.contains(&entry.key.as_str()) || !known
    };
    Ok(document.table.entries.into_iter().filter(own).collect())
}

/// Refuses in a part what a model file would refuse, and what belongs to a model only.
pub(crate) fn check_part(prefix: &str, part: &Entry, format: &Format) -> Result<(), ModelError> {
    let path = format!("{prefix}part.{}", part.key);
    check_identifier(part)?;
    let Value::Table(table) = &part.item.value else {
        let message = format!("{path} must be a table, not {}", part.item.kind());
        let help = format!("write `[part.{}.body.NAME]` and other sections", part.key);
        return Err(ModelError::new(&part.item.place, message).with_help(help));
    };
    for entry in &table.entries {
        if entry.key == "description" {
            continue;
        }
        let section =
            format.section(&entry.key).filter(|section| format.parts.contains(&section.name));
        let Some(section) = section else {
            let elsewhere =
                format.section(&entry.key).is_some() || format.top(&entry.key).is_some();
            let (message, help) = match elsewhere {
                true => (
                    format!("{path}: `{}` belongs to a model, not to a part", entry.key),
                    "write it outside of parts".to_owned(),
                ),
                false => (
                    format!("{path} has no section `{}`", entry.key),
                    did_you_mean(&entry.key, format.parts.to_vec()),
                ),
            };
            return Err(ModelError::new(&entry.place, message).with_help(help));
        };
        let Value::Table(entries) = &entry.item.value else {
            let message =
                format!("{path}.{} is a section, not {}", section.name, entry.item.kind());
            let help = format!("write it as in `{}`", section.example);
            return Err(ModelError::new(&entry.item.place, message).with_help(help));
        };
        for entry in &entries.entries {
            if matches!(section.entries, Entries::Parts) {
                check_part(&format!("{path}."), entry, format)?;
            } else {
                check_identifier(entry)?;
                check_entry(&format!("{path}."), section, entry, format)?;
            }
        }
    }
    Ok(())
}
