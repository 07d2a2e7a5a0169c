//! Point on a curve: a bead on a bent wire, a follower in a cam's groove.

use super::{Given, Joint, Kind, Look, Need, Pair, Place, Symbol};
use crate::constraint::{Constraint, Equations, Relative, RelativeMotion};
use crate::curve::Curve;
use crate::error::ModelError;
use nalgebra::Vector3;
use rotula_dae::automatic::Scalar;
use std::sync::Arc;

/// The origin of `b` stays on a curve that is fixed to `a` and given in the axes of marker `a`.
///
/// Free are the way along the curve and all rotations. Between planar bodies the curve must lie in
/// their plane.
///
/// The parameter of the curve is no unknown: it is that of the nearest point, and what is held to zero
/// are the distances from there along two normals (in the plane one). So there is no mass, no equation
/// and no error tolerance for a parameter, and all derivatives are exact. The price is that the point
/// must stay nearer to the curve than its radius of curvature, and that the curve must not cross
/// itself. Of a spline the second derivative is continuous, so that accelerations are; the third jumps
/// from piece to piece.
#[derive(Clone, Debug)]
pub struct PointOnCurve {
    /// The curve.
    pub curve: Curve,
}

pub(super) const KIND: Kind = Kind {
    word: "point-on-curve",
    about: "The origin of the second frame stays on a curve that is fixed to the first.",
    place: Place::Frames,
    look: Look::sliding(Symbol::Ball),
    needs: &[Need::Curve],
    make: |given| match <[Given; 1]>::try_from(given) {
        Ok([Given::Curve(curve)]) => Some(Box::new(PointOnCurve { curve: *curve })),
        _ => None,
    },
};

impl Joint for PointOnCurve {
    fn word(&self) -> &'static str {
        KIND.word
    }

    fn constraints(&self, pair: &Pair) -> Result<Vec<Box<dyn Constraint>>, ModelError> {
        let equations = Across { curve: Arc::new(self.curve.clone()), normal: pair.plane };
        Ok(vec![Box::new(Relative::new(pair.a, pair.b, equations))])
    }
}

/// No distance across the curve.
#[derive(Clone, Debug)]
struct Across {
    curve: Arc<Curve>,
    /// The normal of the plane of two planar bodies.
    normal: Option<Vector3<f64>>,
}

impl Equations for Across {
    fn rows(&self) -> usize {
        if self.normal.is_some() { 1 } else { 2 }
    }

    fn holonomic(&self) -> bool {
        true
    }

    fn describe(&self, row: usize) -> String {
        match self.normal {
            Some(_) => "distance from the curve".into(),
            None => {
                format!("distance from the curve along its {} normal", ["first", "second"][row])
            }
        }
    }

    fn beyond(&self, place: &Vector3<f64>) -> Option<String> {
        let far = self.curve.beyond(place)?;
        Some(format!("{far:.3} beyond the end of its curve"))
    }

    fn evaluate<T: Scalar>(&self, motion: &RelativeMotion<T>, out: &mut [T]) {
        match &self.normal {
            Some(normal) => out[0] = self.curve.across_in_plane(&motion.position, normal),
            None => out.copy_from_slice(&self.curve.across(&motion.position)),
        }
    }
}
