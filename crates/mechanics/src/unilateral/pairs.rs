//! Exact pairs: points, spheres and planes. Gap, rates, gradients and curvature follow the motion of
//! the point of contact over both surfaces.

use super::slip::{Normal, Slip};
use super::{ImpactLaw, Sphere, Unilateral};
use crate::constraint::{Constraint, Relative, Row, Rows, Target};
use crate::error::{ModelError, refusal};
use crate::joint::Pair;
use crate::measure::{Dot, Measure, Sum};
use nalgebra::Vector3;

/// A sphere about the origin of the second marker, or a point if its radius is zero, on the plane
/// z = 0 of the first; below the plane all is solid.
pub fn sphere_on_plane(pair: &Pair, radius: f64, law: ImpactLaw) -> Result<Unilateral, ModelError> {
    not_negative("radius", radius)?;
    if let Some(plane) = pair.plane.filter(|plane| plane.dot(&Vector3::z()).abs() > 1e-9) {
        let what = refusal!(
            "both bodies are planar, but the normal of the plane of contact leaves their plane \
             (cosine {:.3})", plane.dot(&Vector3::z());
            "turn it into the plane"
        );
        return Err(ModelError::invalid("contact", what));
    }
    let gap = Sum(vec![(1.0, pair.along(Vector3::z()))]);
    let slip = Slip { normal: Normal::Axis, arm: -radius, plane: pair.plane };
    contact(pair, gap, radius, (slip, radius), law)
}

/// Two spheres about the origins of the markers. With friction in space, the sliding velocities are
/// not defined where the second sphere lies straight below the first, on its negative z axis.
pub fn spheres(pair: &Pair, radii: [f64; 2], law: ImpactLaw) -> Result<Unilateral, ModelError> {
    not_negative("radius", radii[0])?;
    not_negative("radius", radii[1])?;
    let reach = radii[0] + radii[1];
    positive("sum of the radii", reach)?;
    let gap = Sum(vec![(1.0, Measure::Length(pair.offset()))]);
    let slip = Slip { normal: Normal::Centres, arm: -radii[1], plane: pair.plane };
    contact(pair, gap, reach, (slip, radii[1]), law)
}

/// A sphere about the origin of the second marker inside a hollow sphere about that of the first,
/// whose radius is greater by the `room` that the centre has to move.
///
/// The gap is `(room² − d²) / (2 room)` of the distance `d` of the centres: with the gap `room − d`
/// it shares zero and slope where the surfaces touch, and is smooth in the middle.
pub fn sphere_in_sphere(
    pair: &Pair,
    room: f64,
    radius: f64,
    law: ImpactLaw,
) -> Result<Unilateral, ModelError> {
    not_negative("radius", radius)?;
    positive("room of the centre", room)?;
    let squared = Measure::Dot(Dot(pair.offset(), pair.offset()));
    let gap = Sum(vec![(-0.5 / room, squared)]);
    let slip = Slip { normal: Normal::Within(room), arm: radius, plane: pair.plane };
    contact(pair, gap, -0.5 * room, (slip, radius), law)
}

/// A contact whose gap is a sum of measures minus a number, with the radius of the second sphere.
fn contact(
    pair: &Pair,
    gap: Sum,
    bound: f64,
    (slip, radius): (Slip, f64),
    law: ImpactLaw,
) -> Result<Unilateral, ModelError> {
    let row = Row { name: "gap".into(), sum: gap, target: Target::Constant(bound) };
    let slip: Option<Box<dyn Constraint>> =
        (law.friction > 0.0).then(|| Box::new(Relative::new(pair.a, pair.b, slip)) as _);
    let contact = Unilateral::new(Box::new(Rows::new(pair.nodes(), vec![row])), slip, law)?;
    Ok(contact.touching_with(Sphere { marker: pair.b, radius }))
}

pub(super) fn positive(what: &str, number: f64) -> Result<(), ModelError> {
    if number.is_finite() && number > 0.0 {
        return Ok(());
    }
    let what = refusal!("its {what} is {number}"; "give a finite number greater than zero");
    Err(ModelError::invalid("contact", what))
}

pub(super) fn not_negative(what: &str, number: f64) -> Result<(), ModelError> {
    if number.is_finite() && number >= 0.0 {
        return Ok(());
    }
    let what = refusal!("its {what} is {number}"; "give zero or a finite positive number");
    Err(ModelError::invalid("contact", what))
}
