//! Screw joint: turning about the common z axis drives along it.

use super::{Given, Joint, Kind, Look, Need, Pair, Place, Symbol};
use crate::constraint::{Constraint, Row, Target};
use crate::error::{ModelError, refusal};
use crate::measure::{Coordinate, Sum};
use nalgebra::Vector3;
use std::f64::consts::TAU;

/// The z axes are one line, and the displacement along it is `pitch · angle / 2π`; turns are counted.
///
/// Free is the `angle`, and with it the `displacement`; one of them can be driven.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Screw {
    /// Displacement per turn; negative for a left-handed thread.
    pub pitch: f64,
}

pub(super) const KIND: Kind = Kind {
    word: "screw",
    about: "An `angle` about the axis and a `displacement` that follows it.",
    place: Place::Axis,
    look: Look::still(Symbol::Pin),
    needs: &[Need::Number {
        name: "pitch",
        unit: "m",
        about: "Displacement per turn; negative for a left-handed thread.",
    }],
    make: |given| match <[Given; 1]>::try_from(given) {
        Ok([Given::Number(pitch)]) => Some(Box::new(Screw { pitch })),
        _ => None,
    },
};

impl Joint for Screw {
    fn word(&self) -> &'static str {
        KIND.word
    }

    fn constraints(&self, pair: &Pair) -> Result<Vec<Box<dyn Constraint>>, ModelError> {
        pair.refuse_planar(self.word(), "use a revolute or a prismatic joint")?;
        if !(self.pitch.is_finite() && self.pitch != 0.0) {
            return Err(ModelError::invalid(
                "screw joint",
                refusal!(
                    "its pitch is {}", self.pitch;
                    "give a finite displacement per turn other than zero, or use a revolute joint"
                ),
            ));
        }
        let mut rows = pair.coincide_along(&[0, 1]);
        rows.extend(pair.parallel());
        let thread =
            vec![(1.0, pair.along(Vector3::z())), (-self.pitch / TAU, pair.angle_about_z())];
        rows.push(Row {
            name: "displacement against angle".into(),
            sum: Sum(thread),
            target: Target::Constant(0.0),
        });
        Ok(pair.rows(rows))
    }

    fn coordinates(&self, pair: &Pair) -> Vec<(&'static str, Coordinate)> {
        vec![
            ("angle", Coordinate::angle(&pair.a, &pair.b)),
            ("displacement", pair.coordinate(pair.along(Vector3::z()))),
        ]
    }
}
