//! Reads the multiplier of one constraint: what a drive has to do.

use super::{Sensor, Slopes, View};
use crate::error::{ModelError, refusal};
use crate::model::Model;
use rotula_formula::nearest;

/// The multiplier of a row of a constraint. For a drive it is the force or moment with which the
/// drive pushes its coordinate forward.
#[derive(Clone, Debug)]
pub struct MultiplierSensor {
    constraint: [usize; 1],
    row: usize,
}

impl MultiplierSensor {
    /// Row `row` of the constraints of a joint, drive or constraint, by its name.
    pub fn new(model: &Model, owner: &str, row: usize) -> Result<Self, ModelError> {
        let mut left = row;
        let mut rows = 0;
        for (k, entry) in model.constraints().iter().enumerate() {
            if entry.owner != owner {
                continue;
            }
            let count = entry.constraint.rows();
            if left < count {
                return Ok(MultiplierSensor { constraint: [k], row: left });
            }
            left -= count;
            rows += count;
        }
        let what = if rows > 0 {
            refusal!("it has {rows} rows, counted from 0"; "there is no row {row}")
        } else {
            let owners = model.constraints().iter().map(|entry| entry.owner.as_str());
            match nearest(owner, owners) {
                Some(near) => refusal!("there is no such constraint"; "did you mean `{near}`?"),
                None => "there is no constraint, joint or drive with this name".into(),
            }
        };
        Err(ModelError::invalid(format!("multiplier of `{owner}`"), what))
    }
}

impl Sensor for MultiplierSensor {
    fn nodes(&self) -> &[usize] {
        &[]
    }

    fn constraints(&self) -> &[usize] {
        &self.constraint
    }

    fn value(&mut self, view: View) -> f64 {
        view.multipliers(0)[self.row]
    }

    fn slopes(&mut self, _: View, slopes: &mut Slopes) {
        slopes.multipliers[self.row] += 1.0;
    }
}
