//! Tables by name, for formulas to call.

use crate::table::Tabulated;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Tables that formulas may call by name; cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Tables(Arc<BTreeMap<String, Arc<Tabulated>>>);

impl Tables {
    /// Adds a table; one of the same name gives way.
    pub fn insert(&mut self, name: &str, table: Tabulated) {
        Arc::make_mut(&mut self.0).insert(name.to_owned(), Arc::new(table));
    }

    /// The table of this name.
    pub fn get(&self, name: &str) -> Option<&Arc<Tabulated>> {
        self.0.get(name)
    }

    /// The names of all tables.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// The table that a call names, and the orders of the derivative it asks for: `road`, `road'`, `road''`, `road.d3`,
    /// `map.d10`.
    pub(crate) fn called(&self, name: &str) -> Option<(&str, &Arc<Tabulated>, [u8; 2])> {
        let find = |own: &str| self.0.get_key_value(own).map(|(own, table)| (own.as_str(), table));
        if let Some((own, table)) = find(name) {
            return Some((own, table, [0, 0]));
        }
        let bare = name.trim_end_matches('\'');
        let primes = (name.len() - bare.len()) as u8;
        if primes > 0 {
            let (own, table) = find(bare)?;
            return (table.arguments() == 1).then_some((own, table, [primes, 0]));
        }
        let (own, orders) = name.rsplit_once(".d")?;
        let (own, table) = find(own)?;
        let digits: Vec<u8> = orders.bytes().map(|digit| digit.wrapping_sub(b'0')).collect();
        match digits.as_slice() {
            [x @ 0..=9] if table.arguments() == 1 => Some((own, table, [*x, 0])),
            [x @ 0..=9, y @ 0..=9] if table.arguments() == 2 => Some((own, table, [*x, *y])),
            _ => None,
        }
    }
}

/// How a call of a derivative of a table is written.
pub(crate) fn call_name(table: &str, arguments: usize, [x, y]: [u8; 2]) -> String {
    match (arguments, x, y) {
        (_, 0, 0) => table.to_owned(),
        (1, 1, _) => format!("{table}'"),
        (1, 2, _) => format!("{table}''"),
        (1, ..) => format!("{table}.d{x}"),
        _ => format!("{table}.d{x}{y}"),
    }
}
