//! Contacts between two surfaces.

use super::{CandidateList, ImpactLaw, Solids, Sphere, Spheres, Unilateral};
use super::{sphere_in_sphere, sphere_on_plane, spheres};
use crate::error::{ModelError, Refusal, refusal};
use crate::force::{Surface, meeting, support_points};
use crate::joint::Pair;
use crate::marker::Marker;
use crate::passing::Passing;
use crate::shape::Shape;
use nalgebra::Vector3;
use rotula_lie::Frame;

/// The contacts of two surfaces.
#[derive(Clone, Debug)]
pub enum Contacts {
    /// Always the same, with what touches in words.
    Fixed(Vec<(String, Unilateral)>),
    /// Found on the way.
    Changing(Box<dyn CandidateList>),
}

/// The contacts of two surfaces in the frames of two markers.
///
/// | pair | contacts | |
/// |---|---|---|
/// | plane with sphere, capsule | one per half sphere | exact |
/// | plane with box, mesh | one per vertex | exact |
/// | sphere with sphere, sphere in bowl | one | exact |
/// | point with plane, with sphere, in bowl | one | exact |
/// | plane with cylinder | found at each step | exact on its rims, and on four points of its cap where it stands |
/// | box, capsule, cylinder, mesh with another or with a sphere | found at each step | see [`Solids`] |
///
/// The pair is given as seen from either marker.
pub fn between(
    [pair, reverse]: [&Pair; 2],
    first: &Surface,
    second: &Surface,
    law: ImpactLaw,
) -> Result<Contacts, ModelError> {
    let [first, second] = &meeting(first, second, false)?;
    law.validate()?;
    let invalid = |what: Refusal| Err(ModelError::invalid("contact", what));
    match (first, second) {
        (Surface::Point | Surface::Segment { .. }, _)
        | (_, Surface::Point | Surface::Segment { .. }) => unreachable!("it is a solid by now"),
        (Surface::Landscape { .. } | Surface::Cam { .. }, _)
        | (_, Surface::Landscape { .. } | Surface::Cam { .. }) => {
            unreachable!("they are soft, which was looked at before")
        }
        (Surface::Plane, Surface::Plane) => {
            invalid(refusal!("two planes meet without end"; "make one of them a box"))
        }
        (Surface::Plane, Surface::Solid(solid @ Shape::Cylinder { .. })) => {
            Ok(Contacts::Changing(Box::new(Solids::on_plane([pair, reverse], solid, law)?)))
        }
        (Surface::Solid(solid @ Shape::Cylinder { .. }), Surface::Plane) => {
            Ok(Contacts::Changing(Box::new(Solids::on_plane([reverse, pair], solid, law)?)))
        }
        (Surface::Plane, Surface::Solid(solid)) => on_plane([pair, reverse], solid, law),
        (Surface::Solid(solid), Surface::Plane) => on_plane([reverse, pair], solid, law),
        (Surface::Bowl { radius }, Surface::Solid(Shape::Sphere { radius: inner })) => {
            in_bowl(pair, *radius, *inner, law)
        }
        (Surface::Solid(Shape::Sphere { radius: inner }), Surface::Bowl { radius }) => {
            in_bowl(reverse, *radius, *inner, law)
        }
        (Surface::Bowl { .. }, _) | (_, Surface::Bowl { .. }) => {
            invalid(refusal!("only a sphere fits in a bowl"; "make the other surface a sphere"))
        }
        (
            Surface::Solid(Shape::Sphere { radius: a }),
            Surface::Solid(Shape::Sphere { radius: b }),
        ) => {
            if law.friction == 0.0 || pair.plane.is_some() {
                let shapes = [*a, *b].map(|radius| Shape::Sphere { radius });
                let passing = Passing::of_shapes([pair.a, pair.b], shapes.each_ref().map(Some));
                let contact = spheres(pair, [*a, *b], law)?.of_solids(passing);
                return Ok(Contacts::Fixed(vec![(String::new(), contact)]));
            }
            // tangents in space have to be aimed anew as the spheres turn
            let both =
                vec![Sphere { marker: pair.a, radius: *a }, Sphere { marker: pair.b, radius: *b }];
            Ok(Contacts::Changing(Box::new(Spheres::new(both, Vec::new(), None, law)?)))
        }
        (Surface::Solid(a), Surface::Solid(b)) => {
            Ok(Contacts::Changing(Box::new(Solids::new([pair, reverse], [a, b], law)?)))
        }
    }
}

/// The points of a solid, each with the radius about it, on a plane.
fn on_plane(
    [pair, reverse]: [&Pair; 2],
    solid: &Shape,
    law: ImpactLaw,
) -> Result<Contacts, ModelError> {
    let (points, radius) = support_points(solid);
    let points = flattened(points, reverse.plane);
    let single = points.len() == 1;
    let mut contacts = Vec::with_capacity(points.len());
    for (k, point) in points.iter().enumerate() {
        let b = Marker { frame: pair.b.frame * Frame::new(*point, Default::default()), ..pair.b };
        let pair = Pair { b, ..*pair };
        let name = if single { String::new() } else { format!("corner {}", k + 1) };
        contacts.push((name, sphere_on_plane(&pair, radius, law)?));
    }
    Ok(Contacts::Fixed(contacts))
}

fn in_bowl(pair: &Pair, radius: f64, inner: f64, law: ImpactLaw) -> Result<Contacts, ModelError> {
    if inner >= radius {
        let what = format!("a sphere of radius {inner} does not fit in a bowl of radius {radius}");
        return Err(ModelError::invalid("contact", refusal!("{what}"; "make the bowl larger")));
    }
    let contact = sphere_in_sphere(pair, radius - inner, inner, law)?;
    Ok(Contacts::Fixed(vec![(String::new(), contact)]))
}

/// The points seen along the normal of the plane in which the body moves, each once.
fn flattened(points: Vec<Vector3<f64>>, normal: Option<Vector3<f64>>) -> Vec<Vector3<f64>> {
    let Some(normal) = normal else { return points };
    let size = points.iter().fold(0.0f64, |size, point| size.max(point.norm()));
    let mut seen: Vec<Vector3<f64>> = Vec::with_capacity(points.len());
    for point in points {
        let flat = point - normal * normal.dot(&point);
        if seen.iter().all(|other| (other - flat).norm() > 1e-9 * size) {
            seen.push(flat);
        }
    }
    seen
}
