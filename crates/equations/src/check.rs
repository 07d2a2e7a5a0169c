//! Checks the shape of a document against the table of sections, so that readers can rely on it.

use crate::sections::{Entries, Key, Kind, SECTIONS, Section, TOP, section};
use rotula_reading::{Entry, Item, ModelError, Table, Value, did_you_mean};

/// Refuses unknown sections and keys, missing keys and values of the wrong kind.
pub(crate) fn check(document: &Table) -> Result<(), ModelError> {
    for entry in &document.entries {
        if let Some(key) = TOP.iter().find(|key| key.name == entry.key) {
            check_kind(&entry.key, key.kind, &entry.item)?;
            continue;
        }
        let Some(section) = section(&entry.key) else {
            return Err(unknown_section(entry));
        };
        let Value::Table(table) = &entry.item.value else {
            let message = format!("`{}` is a section, not {}", section.name, entry.item.kind());
            let help = format!("write `[{}]` on a line of its own", section.name);
            return Err(ModelError::new(&entry.item.place, message).with_help(help));
        };
        for entry in &table.entries {
            check_entry(section, entry)?;
        }
    }
    Ok(())
}

fn unknown_section(entry: &Entry) -> ModelError {
    let known = SECTIONS.iter().map(|section| section.name).chain(TOP.iter().map(|key| key.name));
    let what = if matches!(entry.item.value, Value::Table(_)) { "section" } else { "key" };
    let error = ModelError::new(&entry.place, format!("unknown {what} `{}`", entry.key));
    error.with_help(did_you_mean(&entry.key, known.collect()))
}

fn check_entry(section: &Section, entry: &Entry) -> Result<(), ModelError> {
    let path = format!("{}.{}", section.name, entry.key);
    match &section.entries {
        Entries::Formulas => check_kind(&path, Kind::Formula, &entry.item),
        Entries::Fixed(keys) => match keys.iter().find(|key| key.name == entry.key) {
            Some(key) => check_kind(&path, key.kind, &entry.item),
            None => Err(unknown_key(&format!("[{}]", section.name), entry, keys)),
        },
        Entries::Tables { short, keys } => {
            let Value::Table(table) = &entry.item.value else {
                return match short {
                    Some(_) => check_kind(&path, Kind::Formula, &entry.item),
                    None => {
                        let message = format!("{path} must be a table, not {}", entry.item.kind());
                        let help = format!("write it as in `{}`", section.example);
                        Err(ModelError::new(&entry.item.place, message).with_help(help))
                    }
                };
            };
            for inner in &table.entries {
                match keys.iter().find(|key| key.name == inner.key) {
                    Some(key) => {
                        check_kind(&format!("{path}.{}", key.name), key.kind, &inner.item)?
                    }
                    None => return Err(unknown_key(&path, inner, keys)),
                }
            }
            match keys.iter().find(|key| key.needed && table.get(key.name).is_none()) {
                Some(key) => Err(missing(section, entry, key)),
                None => Ok(()),
            }
        }
        // the solve section is checked as it is read
        Entries::Solve => Ok(()),
    }
}

fn missing(section: &Section, entry: &Entry, key: &Key) -> ModelError {
    let what = key.about.split_inclusive('.').next().unwrap_or(key.about).trim_end_matches('.');
    let mut what = what.to_owned();
    what[..1].make_ascii_lowercase();
    let message = format!("{} `{}` misses `{}`: its {what}", section.entry, entry.key, key.name);
    let help = format!("write it as in `{}`", section.example);
    ModelError::new(&entry.place, message).with_help(help)
}

fn unknown_key(owner: &str, entry: &Entry, keys: &[Key]) -> ModelError {
    let error = ModelError::new(&entry.place, format!("{owner} has no key `{}`", entry.key));
    error.with_help(did_you_mean(&entry.key, keys.iter().map(|key| key.name).collect()))
}

fn check_kind(path: &str, kind: Kind, item: &Item) -> Result<(), ModelError> {
    let wrong = |item: &Item, expected: &str, help: &str| {
        let message = format!("{path} must be {expected}, not {}", item.kind());
        Err(ModelError::new(&item.place, message).with_help(help))
    };
    let formula = |item: &Item| {
        if item.number().is_some() || item.text().is_some() {
            return Ok(());
        }
        wrong(item, "a number or a formula", "write a number, or a formula in quotes")
    };
    match (kind, &item.value) {
        (Kind::Formula | Kind::Constant, _) => formula(item),
        (Kind::Text, Value::Text(_)) | (Kind::Boolean, Value::Boolean(_)) => Ok(()),
        (Kind::Text, _) => wrong(item, "a text", "put it in quotes"),
        (Kind::Boolean, _) => wrong(item, "true or false", "write true or false without quotes"),
        (Kind::Constants, Value::List(items)) => items.iter().try_for_each(formula),
        (Kind::Constants, _) => wrong(item, "a list", "write it as in `[0.5, \"T\"]`"),
    }
}
