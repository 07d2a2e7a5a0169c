//! Reference tables: each row is computed again, and errors and observed orders are compared.

use crate::curves::{self, CONDITION, Curve};
use crate::entry::GalleryError;
use crate::findings::Findings;
use crate::study::{Run, observed_orders, run_prepared};
use rotula_dae::{Settings, State};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Errors of the same method with the same steps agree this well.
const SAME_ERROR: f64 = 0.01;
/// Observed orders agree this well.
const SAME_ORDER: f64 = 0.1;

/// The file `reference.json` of an entry.
#[derive(Deserialize)]
pub(crate) struct Sheet {
    /// Where the numbers come from.
    pub source: String,
    /// Named vectors, e.g. a solution at the final time.
    #[serde(default)]
    vectors: BTreeMap<String, Vec<f64>>,
    /// The problem is a mathematical one, without units.
    #[serde(default)]
    dimensionless: bool,
    /// Tables of errors.
    tables: Vec<SheetTable>,
}

/// A table of the sheet: what was set, and a row of numbers for every step size.
#[derive(Deserialize)]
pub(crate) struct SheetTable {
    /// Caption.
    pub title: String,
    /// Settings, as dotted keys with their values.
    pub settings: Vec<(String, String)>,
    /// Column heads; the first column is the step size.
    pub columns: Vec<String>,
    /// The numbers.
    pub rows: Vec<Vec<f64>>,
    /// Without units, as the whole sheet.
    #[serde(skip)]
    dimensionless: bool,
}

impl Sheet {
    /// Reads a sheet.
    pub fn parse(text: &str) -> Result<Self, GalleryError> {
        let mut sheet: Sheet = serde_json::from_str(text)
            .map_err(|error| GalleryError::Reference(error.to_string()))?;
        let dimensionless = sheet.dimensionless;
        sheet.tables.iter_mut().for_each(|table| table.dimensionless = dimensionless);
        Ok(sheet)
    }

    /// A named vector.
    pub fn vector(&self, name: &str) -> Result<&[f64], GalleryError> {
        let missing = || GalleryError::Reference(format!("there is no vector `{name}`"));
        self.vectors.get(name).map(Vec::as_slice).ok_or_else(missing)
    }

    /// The tables whose captions begin so, at least one.
    pub fn tables(&self, beginning: &str) -> Result<Vec<&SheetTable>, GalleryError> {
        let found: Vec<_> =
            self.tables.iter().filter(|table| table.title.starts_with(beginning)).collect();
        match found.is_empty() {
            true => Err(GalleryError::Reference(format!("there is no table `{beginning}`"))),
            false => Ok(found),
        }
    }
}

impl SheetTable {
    /// Step sizes (or what else the first column holds).
    pub fn steps(&self) -> Vec<f64> {
        self.rows.iter().map(|row| row[0]).collect()
    }

    /// Heads of the columns of errors.
    pub fn quantities(&self) -> &[String] {
        &self.columns[1..]
    }

    /// The setting with this key, as a number.
    pub fn number(&self, key: &str) -> Result<f64, GalleryError> {
        let setting = self.settings.iter().find(|(name, _)| name == key);
        setting.and_then(|(_, value)| value.parse().ok()).ok_or_else(|| {
            GalleryError::Reference(format!("table `{}` has no number `{key}`", self.title))
        })
    }

    /// The settings, a step size, and a Newton iteration converged to rounding.
    pub fn overrides(&self, h: f64) -> Vec<(String, String)> {
        let own = [
            ("solve.step", format!("{h:?}")),
            ("solve.newton.matrix", "each-iteration".into()),
            ("solve.newton.tolerance", "1e-12".into()),
            ("solve.newton.max_iterations", "20".into()),
        ];
        let own = own.into_iter().map(|(key, value)| (key.to_string(), value));
        own.chain(self.settings.iter().cloned()).collect()
    }

    /// Runs a model text with these settings.
    pub fn run(&self, text: &str, h: f64, more: &[(&str, &str)]) -> Result<Run, GalleryError> {
        self.run_prepared(text, h, more, |_, _| ())
    }

    /// The same, with a last word on settings and initial state.
    pub fn run_prepared(
        &self,
        text: &str,
        h: f64,
        more: &[(&str, &str)],
        prepare: impl FnOnce(&mut Settings, &mut State),
    ) -> Result<Run, GalleryError> {
        let overrides = self.overrides(h);
        let all: Vec<_> = overrides
            .iter()
            .map(|(key, value)| (key.as_str(), value.as_str()))
            .chain(more.iter().copied())
            .collect();
        run_prepared(text, &all, prepare)
    }

    /// Computes every row again with `measure` and compares it with the sheet. Returns our rows
    /// without their step sizes.
    pub fn reproduce(
        &self,
        findings: &mut Findings,
        mut measure: impl FnMut(f64) -> Result<Vec<f64>, GalleryError>,
    ) -> Result<Vec<Vec<f64>>, GalleryError> {
        let mut ours = Vec::new();
        for row in &self.rows {
            ours.push(measure(row[0])?);
        }
        for (row, mine) in self.rows.iter().zip(&ours) {
            for (k, quantity) in self.quantities().iter().enumerate() {
                let what =
                    format!("{}: {quantity} at {} = {}", self.title, self.columns[0], row[0]);
                findings.close(what, mine[k], row[k + 1], SAME_ERROR);
            }
        }
        self.compare_orders(findings, &ours);
        let unit = if self.dimensionless { "" } else { " (SI units)" };
        let what = match self.quantities().iter().any(|head| head.starts_with("n=")) {
            true => format!("error of λ after n steps{unit}"),
            false => format!("error{unit}"),
        };
        self.print(findings, &ours, &what);
        Ok(ours)
    }

    fn compare_orders(&self, findings: &mut Findings, ours: &[Vec<f64>]) {
        let steps = self.steps();
        for (k, quantity) in self.quantities().iter().enumerate() {
            let theirs: Vec<f64> = self.rows.iter().map(|row| row[k + 1]).collect();
            let mine: Vec<f64> = ours.iter().map(|row| row[k]).collect();
            let orders =
                observed_orders(&steps, &mine).into_iter().zip(observed_orders(&steps, &theirs));
            for ((mine, theirs), h) in orders.zip(&steps[1..]) {
                let what = format!("{}: order of {quantity} at h = {h}", self.title);
                findings.near(what, mine, theirs, SAME_ORDER);
            }
        }
    }

    /// Prints and draws the sheet's numbers beside ours, with our observed orders; `what` they are.
    pub fn print(&self, findings: &mut Findings, ours: &[Vec<f64>], what: &str) {
        let steps = self.steps();
        let mut columns = vec![self.columns[0].clone()];
        for quantity in self.quantities() {
            columns.extend([format!("{quantity} sheet"), format!("{quantity} ours")]);
            columns.push("order".into());
        }
        let mut rows: Vec<Vec<String>> = steps.iter().map(|h| vec![format!("{h:.6}")]).collect();
        for k in 0..self.quantities().len() {
            let mine: Vec<f64> = ours.iter().map(|row| row[k]).collect();
            let orders = observed_orders(&steps, &mine);
            for (i, row) in rows.iter_mut().enumerate() {
                let order = if i == 0 { String::new() } else { format!("{:.2}", orders[i - 1]) };
                row.push(format!("{:.5e}", self.rows[i][k + 1]));
                row.extend([format!("{:.5e}", mine[i]), order]);
            }
        }
        let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
        findings.table(&self.title, &columns, rows);
        // one step size makes no curve
        if steps.len() > 1 {
            let curve = |(k, quantity): (usize, &String)| {
                let [mine, theirs] = [(ours, k), (&self.rows, k + 1)]
                    .map(|(rows, k)| rows.iter().map(|row| row[k]).collect::<Vec<f64>>());
                Curve::new(quantity, &steps, &mine).beside(&steps, &theirs)
            };
            let drawn = self.quantities().iter().enumerate().map(curve).collect();
            let step = if self.dimensionless { "step size h" } else { "step size h (s)" };
            findings.figure(match what {
                CONDITION => curves::conditions(&self.title, step, drawn),
                _ => curves::convergence(&self.title, [step, what], "sheet", drawn),
            });
        }
    }
}
