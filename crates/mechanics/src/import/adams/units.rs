//! Units of a deck and how they become SI units.

use super::Reason;
use super::statement::Statement;
use crate::error::refusal;

/// How many SI units one unit of the deck is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Units {
    pub force: f64,
    pub mass: f64,
    pub length: f64,
    pub time: f64,
}

impl Default for Units {
    fn default() -> Self {
        Units { force: 1.0, mass: 1.0, length: 1.0, time: 1.0 }
    }
}

type Table = &'static [(&'static str, f64)];

const POUND: f64 = 0.453_592_37;
const STANDARD_GRAVITY: f64 = 9.806_65;
const FORCES: Table = &[
    ("NEWTON", 1.0),
    ("KILONEWTON", 1e3),
    ("MILLINEWTON", 1e-3),
    ("DYNE", 1e-5),
    ("KILOGRAM_FORCE", STANDARD_GRAVITY),
    ("POUND_FORCE", POUND * STANDARD_GRAVITY),
];
const MASSES: Table =
    &[("KILOGRAM", 1.0), ("GRAM", 1e-3), ("MEGAGRAM", 1e3), ("TONNE", 1e3), ("POUND_MASS", POUND)];
const LENGTHS: Table = &[
    ("METER", 1.0),
    ("MILLIMETER", 1e-3),
    ("CENTIMETER", 1e-2),
    ("KILOMETER", 1e3),
    ("INCH", 0.0254),
    ("FOOT", 0.3048),
];
const TIMES: Table = &[("SECOND", 1.0), ("MILLISECOND", 1e-3), ("MINUTE", 60.0), ("HOUR", 3600.0)];

impl Units {
    /// Reads a `UNITS` statement.
    pub fn read(statement: &Statement) -> Result<Self, Reason> {
        statement.only(&["FORCE", "MASS", "LENGTH", "TIME"])?;
        let unit = |key: &str, table: Table| {
            let Some(values) = statement.values(key) else { return Ok(1.0) };
            let word = values.join(" ").to_uppercase();
            table.iter().find(|(name, _)| *name == word).map(|(_, factor)| *factor).ok_or_else(
                || {
                    let names: Vec<&str> = table.iter().map(|(name, _)| *name).collect();
                    let what = refusal!("UNITS: `{word}` is not known"; "{} are", names.join(", "));
                    Reason { line: statement.line, what }
                },
            )
        };
        let units = Units {
            force: unit("FORCE", FORCES)?,
            mass: unit("MASS", MASSES)?,
            length: unit("LENGTH", LENGTHS)?,
            time: unit("TIME", TIMES)?,
        };
        Ok(units)
    }
}
