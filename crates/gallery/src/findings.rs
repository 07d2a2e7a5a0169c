//! What an entry finds out.

use rotula_report::Figure;
use serde::Serialize;

/// One comparison with a reference.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Check {
    /// What is compared.
    pub what: String,
    /// Our number.
    pub value: f64,
    /// The reference, or the bound.
    pub expected: f64,
    /// Allowed deviation; 0 for bounds.
    pub tolerance: f64,
    /// Whether it holds.
    pub ok: bool,
}

/// A table for the page of an entry.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PrintedTable {
    /// Caption.
    pub title: String,
    /// Column heads.
    pub columns: Vec<String>,
    /// Rows of text.
    pub rows: Vec<Vec<String>>,
}

/// Curves for the page of an entry.
#[derive(Clone, Debug, PartialEq)]
pub struct PrintedFigure {
    /// So many tables come before it.
    pub tables: usize,
    /// The curves.
    pub figure: Figure,
}

/// Everything an entry found.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Findings {
    /// Comparisons.
    pub checks: Vec<Check>,
    /// Tables.
    pub tables: Vec<PrintedTable>,
    /// Curves.
    #[serde(skip)]
    pub figures: Vec<PrintedFigure>,
    /// Remarks, e.g. why a printed number cannot be reproduced.
    pub notes: Vec<String>,
}

impl Findings {
    /// `value` within a relative tolerance of `expected`.
    pub fn close(&mut self, what: impl Into<String>, value: f64, expected: f64, relative: f64) {
        self.near(what, value, expected, relative * expected.abs());
    }

    /// `value` within an absolute tolerance of `expected`.
    pub fn near(&mut self, what: impl Into<String>, value: f64, expected: f64, tolerance: f64) {
        self.check(what.into(), value, expected, tolerance, (value - expected).abs() <= tolerance);
    }

    /// `value` not above a bound.
    pub fn at_most(&mut self, what: impl Into<String>, value: f64, bound: f64) {
        self.check(format!("{} (at most)", what.into()), value, bound, 0.0, value <= bound);
    }

    /// `value` not below a bound.
    pub fn at_least(&mut self, what: impl Into<String>, value: f64, bound: f64) {
        self.check(format!("{} (at least)", what.into()), value, bound, 0.0, value >= bound);
    }

    /// Nothing holds of what is not finite, nor against a bound that is not.
    fn check(&mut self, what: String, value: f64, expected: f64, tolerance: f64, holds: bool) {
        let ok = holds && [value, expected, tolerance].iter().all(|number| number.is_finite());
        self.checks.push(Check { what, value, expected, tolerance, ok });
    }

    /// Adds a table.
    pub fn table(&mut self, title: &str, columns: &[&str], rows: Vec<Vec<String>>) {
        let columns = columns.iter().map(|c| c.to_string()).collect();
        self.tables.push(PrintedTable { title: title.into(), columns, rows });
    }

    /// Adds curves after the tables so far.
    pub fn figure(&mut self, figure: Figure) {
        self.figures.push(PrintedFigure { tables: self.tables.len(), figure });
    }

    /// Adds a remark.
    pub fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }

    /// True if every check holds and there is at least one.
    pub fn pass(&self) -> bool {
        !self.checks.is_empty() && self.checks.iter().all(|check| check.ok)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_holds_of_what_is_not_finite() {
        for wrong in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let mut findings = Findings::default();
            findings.near("value", wrong, 1.0, f64::INFINITY);
            findings.near("expected", 1.0, wrong, 1.0);
            findings.close("both", wrong, wrong, 1.0);
            findings.at_most("value", wrong, 1.0);
            findings.at_most("bound", 1.0, wrong);
            findings.at_least("value", wrong, 1.0);
            findings.at_least("bound", 1.0, wrong);
            assert!(findings.checks.iter().all(|check| !check.ok), "{:?}", findings.checks);
        }
    }
}
