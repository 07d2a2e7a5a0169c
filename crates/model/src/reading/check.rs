//! Checks the shape of a document against the table of sections, so that readers can rely on it.

use crate::reading::check_kind::check_kind;
use crate::reading::document::{Entry, Table, Value};
use crate::reading::error::ModelError;
use crate::reading::keys::{Entries, Format, Key, Kind, Section};
use crate::reading::parts::check_part;
use crate::reading::suggest::did_you_mean;

/// Refuses unknown sections and keys, missing keys and values of the wrong kind.
pub fn check(document: &Table, format: &Format) -> Result<(), ModelError> {
    for entry in &document.entries {
        if let Some(key) = format.top(&entry.key) {
            check_value(key.name, key, entry)?;
            continue;
        }
        let Some(section) = format.section(&entry.key) else {
            return Err(unknown_section(entry, format));
        };
        let Value::Table(table) = &entry.item.value else {
            let message = format!("`{}` is a section, not {}", section.name, entry.item.kind());
            return Err(ModelError::new(&entry.item.place, message).with_help(as_in(section)));
        };
        for entry in &table.entries {
            check_entry("", section, entry, format)?;
        }
    }
    Ok(())
}

fn as_in(section: &Section) -> String {
    format!("write it as in `{}`", section.example)
}

fn unknown_section(entry: &Entry, format: &Format) -> ModelError {
    let what = if matches!(entry.item.value, Value::Table(_)) { "section" } else { "key" };
    let error = ModelError::unknown(&entry.place, format!("unknown {what} `{}`", entry.key));
    error.with_help(did_you_mean(&entry.key, format.names()))
}

/// Checks an entry of a section; `prefix` says in which part.
pub(crate) fn check_entry(
    prefix: &str,
    section: &Section,
    entry: &Entry,
    format: &Format,
) -> Result<(), ModelError> {
    let path = format!("{prefix}{}.{}", section.name, entry.key);
    match section.entries {
        Entries::Formulas | Entries::FormulasOf => check_kind(&path, Kind::Formula, &entry.item),
        Entries::Fixed(keys) => match keys.iter().find(|key| key.name == entry.key) {
            Some(key) => check_value(&path, key, entry),
            None => Err(unknown_key(&format!("[{}]", section.name), entry, keys)),
        },
        Entries::Tables(keys) | Entries::FormulasOrTables(keys) => match &entry.item.value {
            Value::Table(table) => check_table(&path, Some(section), entry, table, keys),
            _ if section.entries.short().is_some() => check_kind(&path, Kind::Formula, &entry.item),
            _ => {
                let message = format!("{path} must be a table, not {}", entry.item.kind());
                Err(ModelError::new(&entry.item.place, message).with_help(as_in(section)))
            }
        },
        Entries::Parts => check_part(prefix, entry, format),
        // the solve section is checked as it is read
        Entries::Solve => Ok(()),
    }
}

/// Refuses unknown keys, values of the wrong kind, and missing keys.
fn check_table(
    path: &str,
    section: Option<&Section>,
    entry: &Entry,
    table: &Table,
    keys: &[Key],
) -> Result<(), ModelError> {
    for inner in &table.entries {
        match keys.iter().find(|key| key.name == inner.key) {
            Some(key) => check_value(&format!("{path}.{}", key.name), key, inner)?,
            None => return Err(unknown_key(path, inner, keys)),
        }
    }
    match keys.iter().find(|key| key.needed && table.get(key.name).is_none()) {
        Some(key) => Err(missing(section, entry, key)),
        None => Ok(()),
    }
}

fn check_value(path: &str, key: &Key, entry: &Entry) -> Result<(), ModelError> {
    match (key.kind, &entry.item.value) {
        (
            Kind::Table(keys) | Kind::TextOrTable(keys) | Kind::NumberOrTable(keys),
            Value::Table(table),
        ) => check_table(path, None, entry, table, keys),
        _ => check_kind(path, key.kind, &entry.item),
    }
}

/// Entries of sections are named with what they are; tables within them by their key alone.
fn missing(section: Option<&Section>, entry: &Entry, key: &Key) -> ModelError {
    let about = key.about.split_inclusive(['.', ';', ':']).next().unwrap_or(key.about);
    let mut about = about.trim_end_matches(['.', ';', ':']).to_owned();
    about[..1].make_ascii_lowercase();
    let (owner, example) = match section {
        Some(section) => {
            (format!("{} `{}`", section.entry, entry.key), format!(", as in `{}`", section.example))
        }
        None => (format!("`{}`", entry.key), String::new()),
    };
    let error = ModelError::new(&entry.place, format!("{owner} misses `{}`", key.name));
    error.with_help(format!("add `{} = …`: {about}{example}", key.name))
}

fn unknown_key(owner: &str, entry: &Entry, keys: &[Key]) -> ModelError {
    let error = ModelError::unknown(&entry.place, format!("{owner} has no key `{}`", entry.key));
    let names = keys.iter().map(|key| key.name);
    error.with_help(did_you_mean(&entry.key, names.collect()))
}
