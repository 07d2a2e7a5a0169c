//! Below which size a number is nothing but rounding, beside others of its unit.
//!
//! A satellite at rest in its frame reads 6·10⁻¹³ rad/s beside hinges of 2 rad/s, a rotor without weight 5·10⁻⁷ N in its
//! bearing beside 3·10⁵ N in its blades: parts of 10⁻¹² or less, which the page must not write as picoradians or draw as
//! arrows. What moves by a micrometre in a machine of a kilometre, a part of 10⁻⁹, is still a motion. Moments are also
//! measured against the largest force at the largest distance.

use crate::run::Run;
use rotula_dae::Table;
use std::collections::BTreeMap;

/// So small a part of the largest number of the same unit is rounding.
const ROUNDING: f64 = 1e-11;

/// Floors by unit; numbers without a unit have none, since they may be of any kind.
#[derive(Clone, Debug, Default)]
pub(crate) struct Floors(BTreeMap<String, f64>);

impl Floors {
    /// Of sensors, outputs and curves of a run, and of what its beams carry.
    pub fn of(run: &Run) -> Floors {
        let mut floors = Floors::default();
        let mut see = |names: &[String], table: &Table| {
            for (column, name) in names.iter().enumerate() {
                let unit = run.units.columns.get(name).map_or("", String::as_str);
                floors.see(unit, table.column(column));
            }
        };
        see(&run.extra.names, &run.extra.table);
        run.curves.iter().for_each(|curves| see(&curves.names, &curves.table));
        for field in run.film.iter().flat_map(|film| &film.tubes).flat_map(|tube| &tube.fields) {
            floors.see(&field.unit, field.values.iter().copied());
        }
        let moment = floors.get("N") * floors.get("m") / ROUNDING;
        floors.raise("N m", moment);
        floors
    }

    fn see(&mut self, unit: &str, values: impl Iterator<Item = f64>) {
        let sizes = values.map(f64::abs).filter(|size| size.is_finite());
        self.raise(unit, ROUNDING * sizes.fold(0.0, f64::max));
    }

    fn raise(&mut self, unit: &str, floor: f64) {
        if !unit.is_empty() && floor > self.get(unit) {
            self.0.insert(unit.to_owned(), floor);
        }
    }

    /// The floor of a unit.
    pub fn get(&self, unit: &str) -> f64 {
        self.0.get(unit).copied().unwrap_or(0.0)
    }

    /// All floors, by unit.
    pub fn all(&self) -> &BTreeMap<String, f64> {
        &self.0
    }
}
