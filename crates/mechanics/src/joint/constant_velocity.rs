//! Constant-velocity (homokinetic) joint.

use super::{Joint, Kind, Look, Pair, Place, Symbol};
use crate::constraint::{Constraint, Row, Target};
use crate::error::ModelError;
use crate::measure::Sum;
use nalgebra::Vector3;

/// The origins coincide, and the shafts, which are the z axes, turn alike however they are bent.
///
/// The condition is `x_a·y_b = y_a·x_b`: with the quaternion `e` of the rotation from `a` to `b` the
/// difference of both is `−4 e₀ e₃`, so that the rotation has no part about z. Shafts in bearings at
/// angles `θ_a`, `θ_b` and bent by `φ` have `e₃ = sin((θ_b − θ_a)/2) cos(φ/2)`: the transmission is
/// exactly one. Free are the two directions in which the shafts bend; the joint is singular where they
/// point against each other.
#[derive(Clone, Copy, Debug, Default)]
pub struct ConstantVelocity;

pub(super) const KIND: Kind = Kind {
    word: "constant-velocity",
    about: "Two shafts along the axis that turn alike however they are bent.",
    place: Place::Axis,
    look: Look::still(Symbol::Pin),
    needs: &[],
    make: |_| Some(Box::new(ConstantVelocity)),
};

impl Joint for ConstantVelocity {
    fn word(&self) -> &'static str {
        KIND.word
    }

    fn constraints(&self, pair: &Pair) -> Result<Vec<Box<dyn Constraint>>, ModelError> {
        pair.refuse_planar(self.word(), "use a revolute joint")?;
        let (x, y) = (Vector3::x(), Vector3::y());
        let mut rows = pair.coincide();
        rows.push(Row {
            name: "equal angles of the shafts".into(),
            sum: Sum(vec![(1.0, pair.cosine(x, y)), (-1.0, pair.cosine(y, x))]),
            target: Target::Constant(0.0),
        });
        Ok(pair.rows(rows))
    }
}
