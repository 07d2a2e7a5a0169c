//! Checks the shape of a document against the table of sections, so that readers can rely on it.

use crate::keys::{Entries, Key, Kind, Section};
use crate::sections::{SECTIONS, TOP, section};
use rotula_reading::{Entry, Item, ModelError, Table, Value, check_identifier, did_you_mean};

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
            let help = format!("write it as in `{}`", section.example);
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
        Entries::Formulas => {
            check_identifier(entry)?;
            check_kind(&path, Kind::Formula, &entry.item)
        }
        Entries::Fixed(keys) => match keys.iter().find(|key| key.name == entry.key) {
            Some(key) => check_kind(&path, key.kind, &entry.item),
            None => Err(unknown_key(&format!("[{}]", section.name), entry, &[keys])),
        },
        Entries::Tables(lists) => {
            check_identifier(entry)?;
            let Value::Table(table) = &entry.item.value else {
                let message = format!("{path} must be a table, not {}", entry.item.kind());
                let help = format!("write it as in `{}`", section.example);
                return Err(ModelError::new(&entry.item.place, message).with_help(help));
            };
            check_table(&path, section.entry, entry, table, lists)
        }
        // the solve section is checked as it is read
        Entries::Solve => Ok(()),
    }
}

/// Refuses unknown keys, values of the wrong kind, and missing keys.
fn check_table(
    path: &str,
    what: &str,
    entry: &Entry,
    table: &Table,
    lists: &[&'static [Key]],
) -> Result<(), ModelError> {
    let keys = || lists.iter().flat_map(|list| list.iter());
    for inner in &table.entries {
        match keys().find(|key| key.name == inner.key) {
            Some(key) => check_value(path, key, inner)?,
            None => return Err(unknown_key(path, inner, lists)),
        }
    }
    match keys().find(|key| key.needed && table.get(key.name).is_none()) {
        Some(key) => Err(missing(what, entry, key)),
        None => Ok(()),
    }
}

fn check_value(path: &str, key: &Key, entry: &Entry) -> Result<(), ModelError> {
    let path = format!("{path}.{}", key.name);
    let (Kind::Table(keys), Value::Table(table)) = (key.kind, &entry.item.value) else {
        return check_kind(&path, key.kind, &entry.item);
    };
    check_table(&path, "", entry, table, &[keys])
}

/// `what` is the kind of thing for sections; tables within them are named by their key alone.
pub(crate) fn missing(what: &str, entry: &Entry, key: &Key) -> ModelError {
    let about = key.about.split_inclusive(['.', ';', ':']).next().unwrap_or(key.about);
    let mut about = about.trim_end_matches(['.', ';', ':']).to_owned();
    about[..1].make_ascii_lowercase();
    let owner = match what {
        "" => format!("`{}`", entry.key),
        what => format!("{what} `{}`", entry.key),
    };
    let message = format!("{owner} misses `{}`", key.name);
    ModelError::new(&entry.place, message).with_help(format!("add `{} = …`: {about}", key.name))
}

fn unknown_key(owner: &str, entry: &Entry, lists: &[&[Key]]) -> ModelError {
    let error = ModelError::new(&entry.place, format!("{owner} has no key `{}`", entry.key));
    let names = lists.iter().flat_map(|list| list.iter()).map(|key| key.name);
    error.with_help(did_you_mean(&entry.key, names.collect()))
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
    let several = |count: usize, items: &[Item]| {
        if items.len() == count {
            return items.iter().try_for_each(formula);
        }
        let message = format!("{path} must have {count} numbers, but has {}", items.len());
        let help = format!("write {}", example_of(count));
        Err(ModelError::new(&item.place, message).with_help(help))
    };
    match (kind, &item.value) {
        (Kind::Formula | Kind::Number, _) => formula(item),
        (Kind::Text | Kind::Name, Value::Text(_)) => Ok(()),
        (Kind::Text, _) => wrong(item, "a text", "put it in quotes"),
        (Kind::Name, _) => wrong(item, "a name", "put the name in quotes"),
        (Kind::List, Value::List(items)) => items.iter().try_for_each(formula),
        (Kind::List, _) => wrong(item, "a list of numbers", "such as [1, 0.5]"),
        (Kind::Word(words), Value::Text(text)) => match words.contains(&text.as_str()) {
            true => Ok(()),
            false => {
                let message = format!("{path} cannot be `{text}`");
                let help = did_you_mean(text, words.to_vec());
                Err(ModelError::new(&item.place, message).with_help(help))
            }
        },
        (Kind::Word(words), _) => wrong(item, "a word", &did_you_mean("", words.to_vec())),
        (Kind::Numbers(count), Value::List(items)) => several(count, items),
        (Kind::Formulas, Value::List(items)) => several(3, items),
        (Kind::Numbers(count), _) => {
            wrong(item, &format!("a list of {count} numbers"), &example_of(count))
        }
        (Kind::Formulas, _) => wrong(item, "a list of 3 formulas", "such as [\"sin(t)\", 0, 0]"),
        (Kind::Direction, Value::List(items)) => several(3, items),
        (Kind::Direction, Value::Text(text)) => match text.trim_start_matches('-') {
            "x" | "y" | "z" => Ok(()),
            _ => {
                let message = format!("{path} cannot be `{text}`");
                let help = "write \"x\", \"y\", \"z\", one of them with a minus, or three numbers";
                Err(ModelError::new(&item.place, message).with_help(help))
            }
        },
        (Kind::Direction, _) => wrong(item, "a direction", "write \"x\", or three numbers"),
        (Kind::Pair, Value::List(items)) => {
            if let Some(strange) = items.iter().find(|item| item.text().is_none()) {
                return wrong(strange, "two names", "put the names in quotes");
            }
            if items.len() == 2 {
                return Ok(());
            }
            let message = format!("{path} must have two names, but has {}", items.len());
            let help = "name two bodies or frames, such as [\"ground\", \"crank\"]";
            Err(ModelError::new(&item.place, message).with_help(help))
        }
        (Kind::Pair, _) => wrong(item, "a list of two names", "such as [\"ground\", \"crank\"]"),
        (Kind::Choice, Value::Boolean(_)) => Ok(()),
        (Kind::Choice, Value::List(items)) => {
            match items.iter().find(|item| item.text().is_none()) {
                Some(strange) => wrong(strange, "names", "put the names in quotes"),
                None => Ok(()),
            }
        }
        (Kind::Choice, _) => wrong(item, "true, false or a list of names", "such as [\"slider\"]"),
        (Kind::Points, _) => check_points(path, item),
        (Kind::Inertia, _) => check_inertia(path, item),
        (Kind::Table(_), _) => wrong(item, "a table", "write it in braces: { key = value, … }"),
    }
}

fn example_of(count: usize) -> String {
    let zeros = vec!["0"; count.saturating_sub(1)].join(", ");
    format!("{count} numbers in brackets, such as [1, {zeros}]")
}

fn check_points(path: &str, item: &Item) -> Result<(), ModelError> {
    let help = "write pairs of numbers, such as [[0, 0], [0.1, 25]]";
    let fault =
        |item: &Item, message: String| Err(ModelError::new(&item.place, message).with_help(help));
    let Value::List(items) = &item.value else {
        return fault(item, format!("{path} must be a list of points, not {}", item.kind()));
    };
    if items.len() < 2 {
        return fault(item, format!("{path} must have at least two points"));
    }
    items.iter().try_for_each(|point| match &point.value {
        Value::List(pair) if pair.len() == 2 => check_kind(path, Kind::Numbers(2), point),
        _ => fault(point, format!("a point of {path} must be two numbers")),
    })
}

/// The keys of an inertia given as a table.
pub(crate) static MOMENTS: [&str; 6] = ["xx", "yy", "zz", "xy", "xz", "yz"];

fn check_inertia(path: &str, item: &Item) -> Result<(), ModelError> {
    match &item.value {
        Value::List(rows) if rows.iter().any(|row| matches!(row.value, Value::List(_))) => {
            if rows.len() != 3 {
                let message = format!("{path} must have 3 rows, but has {}", rows.len());
                let help = "write three rows of three numbers, or three principal moments";
                return Err(ModelError::new(&item.place, message).with_help(help));
            }
            rows.iter().try_for_each(|row| check_kind(path, Kind::Numbers(3), row))
        }
        Value::List(_) => check_kind(path, Kind::Numbers(3), item),
        Value::Table(table) => {
            for entry in &table.entries {
                if !MOMENTS.contains(&entry.key.as_str()) {
                    let message = format!("{path} has no key `{}`", entry.key);
                    let help = did_you_mean(&entry.key, MOMENTS.to_vec());
                    return Err(ModelError::new(&entry.place, message).with_help(help));
                }
                check_kind(&format!("{path}.{}", entry.key), Kind::Number, &entry.item)?;
            }
            match MOMENTS[..3].iter().find(|key| table.get(key).is_none()) {
                Some(key) => {
                    let error = ModelError::new(&item.place, format!("{path} misses `{key}`"));
                    Err(error.with_help("give at least xx, yy and zz; products not given are zero"))
                }
                None => Ok(()),
            }
        }
        _ => check_kind(path, Kind::Number, item),
    }
}
