//! Numbers that change along a beam: formulas of `station`, which is 0 at its beginning and 1 at its end.

use crate::reading::{Item, Scope, Value};
use rotula_formula::names_in;

/// The name of the place along a beam in formulas.
pub(crate) const STATION: &str = "station";

/// Reads something at a place along a beam.
pub(crate) fn at_station<T>(
    station: f64,
    scope: &mut Scope,
    read: impl FnOnce(&mut Scope) -> T,
) -> T {
    scope.with_number(STATION, station, read)
}

/// Whether a value is a formula of the place along a beam, or holds one.
pub(crate) fn changes_along(item: &Item) -> bool {
    match &item.value {
        Value::Text(text) => {
            let names = names_in(text).unwrap_or_default();
            names.iter().any(|(name, _)| name == STATION)
        }
        Value::List(items) => items.iter().any(changes_along),
        Value::Table(table) => table.entries.iter().any(|entry| changes_along(&entry.item)),
        _ => false,
    }
}
