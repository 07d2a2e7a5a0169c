//! `--set KEY=VALUE`: values that take the place of those in the file.

use crate::reading::document::{Entry, Item, Table, Value};
use crate::reading::error::ModelError;
use crate::reading::keys::{Entries, Format, Kind, Section};
use crate::reading::source::{Place, Source};
use crate::reading::suggest::did_you_mean;
use std::sync::Arc;

/// A dotted key: its parts and where each stands.
type Path = [(String, Place)];

/// Puts one override into the document. The value may be TOML; anything else is taken as text, so that formulas and words
/// need no quotes.
pub(crate) fn apply(
    document: &mut Table,
    key: &str,
    value: &str,
    format: &Format,
) -> Result<(), ModelError> {
    let text = format!("{key}={value}");
    let source = Arc::new(Source { name: "--set".into(), text });
    let path = split(&source, key);
    let item = item(&source, key.len() + 1);
    if path.is_empty() || path.iter().any(|(part, _)| part.is_empty()) {
        let error = ModelError::new(&Place::new(&source, 0..key.len()), "the key is not complete");
        return Err(error.with_help("write for example `parameters.m=2.5`"));
    }
    place(document, &path, item, format)?;
    if let [(section, _), (key, _), (member, _)] = path.as_slice()
        && (section.as_str(), key.as_str()) == ("solve", "coefficients")
    {
        // one member of the family takes the place of another
        let solve = subtable(document, &path[0], None);
        subtable(solve, &path[1], None).entries.retain(|entry| entry.key == *member);
    }
    if let [(section, _), (key, _), ..] = path.as_slice()
        && section == "solve"
        && let Some(given) = rotula_dae::key(key)
        && let Some(Value::Table(solve)) =
            document.entry_mut("solve").map(|entry| &mut entry.item.value)
    {
        solve.entries.retain(|entry| !given.excludes(&entry.key));
    }
    Ok(())
}

/// Whether a key names something that only copies of parts bring, such as `body."link[7].plate".mass`.
pub(crate) fn names_copy(document: &Table, key: &str, format: &Format) -> bool {
    let source = Arc::new(Source { name: "--set".into(), text: key.to_owned() });
    let parts = split(&source, key);
    let [(section, _), (name, _), ..] = parts.as_slice() else { return false };
    let known = document.section(section).iter().any(|entry| entry.key == *name);
    format.parts.contains(&section.as_str()) && !known && name.contains(['.', '['])
}

/// The parts of a dotted key; a part in double quotes may contain dots.
fn split(source: &Arc<Source>, key: &str) -> Vec<(String, Place)> {
    let mut parts = Vec::new();
    let (mut start, mut quoted) = (0, false);
    for (at, c) in key.char_indices().chain([(key.len(), '.')]) {
        match c {
            '"' => quoted = !quoted,
            '.' if !quoted || at == key.len() => {
                let part = key[start..at].trim().trim_matches('"').to_owned();
                parts.push((part, Place::new(source, start..at)));
                start = at + 1;
            }
            _ => {}
        }
    }
    parts
}

/// The value behind the `=`.
fn item(source: &Arc<Source>, start: usize) -> Item {
    let text = &source.text[start..];
    // spans must count from the start of the whole text, hence the padding
    let padded = Arc::new(Source {
        name: source.name.clone(),
        text: format!("v{}={text}", " ".repeat(start.saturating_sub(2))),
    });
    if start >= 2
        && let Ok(table) = Table::parse(&padded)
        && let [entry] = table.entries.as_slice()
    {
        let mut item = entry.item.clone();
        resettle(&mut item, source);
        return item;
    }
    let place = Place::new(source, start..source.text.len());
    Item { place, value: Value::Text(text.to_owned()) }
}

/// Lets all places of a tree refer to `source`.
fn resettle(item: &mut Item, source: &Arc<Source>) {
    item.place.source = source.clone();
    match &mut item.value {
        Value::List(items) => items.iter_mut().for_each(|item| resettle(item, source)),
        Value::Table(table) => {
            for entry in &mut table.entries {
                entry.place.source = source.clone();
                resettle(&mut entry.item, source);
            }
        }
        _ => {}
    }
}

/// Puts a value under a key.
fn insert(table: &mut Table, (key, place): &(String, Place), item: Item) {
    match table.entry_mut(key) {
        // the place of the key stays: names are declared in the file
        Some(entry) => entry.item = item,
        None => table.entries.push(Entry { key: key.clone(), place: place.clone(), item }),
    }
}

/// The table under a key, created if need be; a plain value moves to the key it is short for.
fn subtable<'a>(table: &'a mut Table, key: &(String, Place), short: Option<&str>) -> &'a mut Table {
    if table.entry(&key.0).is_none() {
        let empty = Item { place: key.1.clone(), value: Value::Table(Table::default()) };
        insert(table, key, empty);
    }
    let index = table.entries.iter().position(|entry| entry.key == key.0).unwrap_or(0);
    let entry = &mut table.entries[index];
    if !matches!(entry.item.value, Value::Table(_)) {
        let place = entry.item.place.clone();
        let plain = std::mem::replace(
            &mut entry.item,
            Item { place, value: Value::Table(Table::default()) },
        );
        if let (Some(short), Value::Table(inner)) = (short, &mut entry.item.value) {
            let place = plain.place.clone();
            inner.entries.push(Entry { key: short.to_owned(), place, item: plain });
        }
    }
    match &mut entry.item.value {
        Value::Table(inner) => inner,
        _ => unreachable!("made a table above"),
    }
}

/// Puts a value where it belongs. Names chosen by the user must exist already: a new one is a typing
/// error. Keys below them are checked with the rest of the file.
fn place(document: &mut Table, path: &Path, item: Item, format: &Format) -> Result<(), ModelError> {
    let (first, at) = &path[0];
    let Some(section) = format.section(first) else {
        return place_on_top(document, path, item, format);
    };
    let Some((second, second_at)) = path.get(1) else {
        let error = ModelError::new(at, format!("`{first}` is a section and has no value"));
        return Err(error.with_help(format!("name one of its entries: `{first}.NAME=VALUE`")));
    };
    let chosen =
        !matches!(section.entries, Entries::FormulasOf | Entries::Fixed(_) | Entries::Solve);
    let known: Vec<&str> = document.section(first).iter().map(|entry| entry.key.as_str()).collect();
    if chosen && !known.contains(&second.as_str()) {
        let message = format!("the model has no {} `{second}`", section.entry);
        return Err(ModelError::unknown(second_at, message).with_help(match known.is_empty() {
            true => format!("its section [{first}] is empty"),
            false => did_you_mean(second, known),
        }));
    }
    refuse_deeper(section, path)?;
    let mut table = subtable(document, &path[0], None);
    for (depth, part) in path.iter().enumerate().take(path.len() - 1).skip(1) {
        let short = if depth == 1 { section.entries.short() } else { None };
        table = subtable(table, part, short);
    }
    insert(table, &path[path.len() - 1], item);
    Ok(())
}

/// A key outside of sections, or one of its own keys.
fn place_on_top(
    document: &mut Table,
    path: &Path,
    item: Item,
    format: &Format,
) -> Result<(), ModelError> {
    let (first, at) = &path[0];
    let Some(key) = format.top(first) else {
        let error = ModelError::unknown(at, format!("unknown section `{first}`"));
        return Err(error.with_help(did_you_mean(first, format.names())));
    };
    let short = match key.kind {
        Kind::TextOrTable(keys) | Kind::NumberOrTable(keys) => keys.first().map(|key| key.name),
        Kind::Table(_) => None,
        _ if path.len() > 1 => return Err(nothing_below(path, 1)),
        _ => None,
    };
    let mut table = document;
    for (depth, part) in path.iter().enumerate().take(path.len() - 1) {
        table = subtable(table, part, if depth == 0 { short } else { None });
    }
    insert(table, &path[path.len() - 1], item);
    Ok(())
}

/// Plain values have no keys.
fn refuse_deeper(section: &Section, path: &Path) -> Result<(), ModelError> {
    let plain = match section.entries {
        Entries::Formulas | Entries::FormulasOf => 2,
        Entries::Fixed(keys) => match keys.iter().find(|key| key.name == path[1].0) {
            Some(key) if matches!(key.kind, Kind::Table(_) | Kind::Named) => return Ok(()),
            _ => 2,
        },
        Entries::Tables(keys) | Entries::FormulasOrTables(keys) => {
            let third = path.get(2).map(|(third, _)| third.as_str());
            let key = keys.iter().find(|key| Some(key.name) == third);
            match key.map(|key| key.kind) {
                Some(
                    Kind::Table(_)
                    | Kind::TextOrTable(_)
                    | Kind::NumberOrTable(_)
                    | Kind::Named
                    | Kind::Inertia,
                )
                | None => {
                    return Ok(());
                }
                Some(_) => 3,
            }
        }
        Entries::Parts => return Ok(()),
        Entries::Solve => 3,
    };
    if path.len() > plain { Err(nothing_below(path, plain)) } else { Ok(()) }
}

fn nothing_below(path: &Path, depth: usize) -> ModelError {
    let message = format!("there is nothing below `{}`", path[depth - 1].0);
    ModelError::new(&path[depth].1, message).with_help("remove the last part of the key")
}
