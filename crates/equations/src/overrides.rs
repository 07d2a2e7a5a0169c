//! `--set KEY=VALUE`: which keys of an equation model may be replaced.

use crate::sections::{Entries, SECTIONS, TOP, section};
use rotula_reading::overrides::{Path, insert, subtable};
use rotula_reading::{Item, ModelError, Table, did_you_mean};

/// Names chosen by the user must exist already: a new one is a typing error.
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
    let named = match section.entries {
        // forces and masses not given are zero, so they may be added
        Entries::Formulas => !matches!(section.name, "force" | "mass"),
        Entries::Tables { .. } => true,
        Entries::Fixed(_) | Entries::Solve => false,
    };
    let known: Vec<&str> = document.section(first).iter().map(|entry| entry.key.as_str()).collect();
    let (second, at) = &path[1];
    if named && !known.contains(&second.as_str()) {
        let error = ModelError::new(at, format!("the model has no {} `{second}`", section.entry));
        return Err(error.with_help(if known.is_empty() {
            format!("its section [{first}] is empty")
        } else {
            did_you_mean(second, known)
        }));
    }
    let short = match section.entries {
        Entries::Tables { short, .. } => short,
        _ => None,
    };
    let deep = match section.entries {
        Entries::Tables { .. } | Entries::Solve => 3,
        _ => 2,
    };
    if path.len() > deep {
        let error = ModelError::new(
            &path[deep].1,
            format!("there is nothing below `{}`", path[deep - 1].0),
        );
        return Err(error.with_help("remove the last part of the key"));
    }
    let mut table = subtable(document, &path[0], None);
    if path.len() == 3 {
        table = subtable(table, &path[1], short);
    }
    insert(table, &path[path.len() - 1], item);
    Ok(())
}
