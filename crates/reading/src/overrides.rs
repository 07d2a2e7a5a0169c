//! `--set KEY=VALUE`: values that take the place of those in the file.

use crate::document::{Entry, Item, Table, Value};
use crate::error::ModelError;
use crate::source::{Place, Source};
use std::sync::Arc;

/// A dotted key: its parts and where each stands.
pub type Path = [(String, Place)];

/// Keys of `[solve]` of which giving one drops the other.
const EXCLUSIVE: [(&str, &[&str]); 4] = [
    ("step", &["tolerance", "first_step", "min_step", "max_step"]),
    ("tolerance", &["step", "repeated"]),
    ("output_every", &["output_at"]),
    ("output_at", &["output_every"]),
];

/// Puts one override into the document. The value may be TOML; anything else is taken as text, so that formulas and words
/// need no quotes. `place` puts it where it belongs, or refuses: only the reader of a format knows its sections.
pub fn apply(
    document: &mut Table,
    key: &str,
    value: &str,
    place: impl Fn(&mut Table, &Path, Item) -> Result<(), ModelError>,
) -> Result<(), ModelError> {
    let text = format!("{key}={value}");
    let source = Arc::new(Source { name: "--set".into(), text });
    let path = split(&source, key);
    let item = item(&source, key.len() + 1);
    if path.is_empty() || path.iter().any(|(part, _)| part.is_empty()) {
        let error = ModelError::new(&Place::new(&source, 0..key.len()), "the key is not complete");
        return Err(error.with_help("write for example `parameters.m=2.5`"));
    }
    place(document, &path, item)?;
    if let [(section, _), (key, _), (member, _)] = path.as_slice()
        && (section.as_str(), key.as_str()) == ("solve", "coefficients")
    {
        // one member of the family takes the place of another
        let solve = subtable(document, &path[0], None);
        subtable(solve, &path[1], None).entries.retain(|entry| entry.key == *member);
    }
    if let [(section, _), (key, _), ..] = path.as_slice()
        && section == "solve"
        && let Some((_, dropped)) = EXCLUSIVE.iter().find(|(given, _)| given == key)
        && let Some(Value::Table(solve)) =
            document.entry_mut("solve").map(|entry| &mut entry.item.value)
    {
        solve.entries.retain(|entry| !dropped.contains(&entry.key.as_str()));
    }
    Ok(())
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
pub fn insert(table: &mut Table, (key, place): &(String, Place), item: Item) {
    match table.entry_mut(key) {
        // the place of the key stays: names are declared in the file
        Some(entry) => entry.item = item,
        None => table.entries.push(Entry { key: key.clone(), place: place.clone(), item }),
    }
}

/// The table under a key, created if need be; a plain value moves to the key it is short for.
pub fn subtable<'a>(
    table: &'a mut Table,
    key: &(String, Place),
    short: Option<&str>,
) -> &'a mut Table {
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
