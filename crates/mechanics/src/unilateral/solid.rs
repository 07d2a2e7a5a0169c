//! A solid as the collision library knows it, and where it is round.

use crate::error::{ModelError, refusal};
use crate::force::{from_library, library_hull, library_shape};
use crate::shape::Shape;
use nalgebra::Vector3;
use parry3d_f64::math::Vector;
use parry3d_f64::shape::SharedShape;
use rotula_lie::Quaternion;
use std::f64::consts::FRAC_PI_2;

/// The side of a cylinder touches where the normal is at right angles to its axis up to this cosine, and the whole cap where it is along it up
/// to this sine.
const ALONG: f64 = 1e-3;

/// What is round.
#[derive(Clone, Copy)]
enum Round {
    Nothing,
    /// A sphere or a capsule, everywhere.
    All(f64),
    /// A cylinder, at its side.
    Side(f64),
}

/// One solid of a pair.
#[derive(Clone)]
pub(crate) struct Solid {
    pub(crate) shape: SharedShape,
    /// From the axes of the library to those of the marker.
    pub(crate) turn: Quaternion,
    round: Round,
    /// Radii of spheres about the origin: one that touches nothing before the solid does, and one around
    /// the solid.
    pub(crate) inside: f64,
    pub(crate) around: f64,
    /// Half of its thickness where it is thinnest; endless for all below a plane, nothing for a point.
    pub(crate) thickness: f64,
}

impl Solid {
    /// All below z = 0.
    pub(crate) fn plane() -> Self {
        Solid {
            shape: SharedShape::halfspace(Vector::new(0.0, 0.0, 1.0)),
            turn: Quaternion::identity(),
            round: Round::Nothing,
            inside: 0.0,
            around: f64::INFINITY,
            thickness: f64::INFINITY,
        }
    }

    /// Whether a box has a face along a direction.
    pub(crate) fn has_face(&self, direction: &Vector3<f64>) -> bool {
        const ALONG: f64 = 1.0 - 1e-13;
        let own = self.turn.rotate_back(direction);
        self.shape.as_cuboid().is_some() && own.amax() > ALONG
    }

    pub(crate) fn of(shape: &Shape) -> Result<Self, ModelError> {
        let solid = Solid::measured(shape)?;
        // Sizes are positive, but half of the smallest number is none.
        match solid.inside > 0.0 && solid.around.is_finite() {
            true => Ok(solid),
            false => Err(ModelError::invalid(
                "contact",
                refusal!(
                    "a solid is thinner or wider than numbers can tell";
                    "give it sizes of this world"
                ),
            )),
        }
    }

    /// The middle of the cap of a cylinder on whose rim a point lies, if that rim touches in a direction: unless the whole cap does.
    pub(crate) fn rim(
        &self,
        point: &Vector3<f64>,
        direction: &Vector3<f64>,
    ) -> Option<Vector3<f64>> {
        const NEAR: f64 = 1e-6;
        let cylinder = self.shape.as_cylinder()?;
        let height = cylinder.half_height.copysign(point.z);
        let near = NEAR * self.around;
        let on_rim = (point.z - height).abs() < near
            && (point.x.hypot(point.y) - cylinder.radius).abs() < near;
        (on_rim && direction.x.hypot(direction.y) > ALONG).then(|| Vector3::z() * height)
    }

    /// Whether it is flat where it touches in a direction: all that lies below a plane, or a face of a box or hull.
    pub(crate) fn is_flat(&self, direction: &Vector3<f64>) -> bool {
        const ALONG: f64 = 1.0 - 1e-12;
        let along = |normal: Vector| from_library(&normal).dot(direction) > ALONG;
        let hull = self.shape.as_convex_polyhedron();
        self.shape.as_halfspace().is_some()
            || self.has_face(direction)
            || hull.is_some_and(|hull| hull.faces().iter().any(|face| along(face.normal)))
    }

    /// Its sizes, which may be none.
    pub(crate) fn measured(shape: &Shape) -> Result<Self, ModelError> {
        let mut solid = Solid { shape: SharedShape::ball(1.0), around: 0.0, ..Solid::plane() };
        match shape {
            Shape::Sphere { radius } => {
                solid.round = Round::All(*radius);
                (solid.inside, solid.around) = (*radius, *radius);
                solid.thickness = *radius;
            }
            Shape::Capsule { radius, length } => {
                solid.round = Round::All(*radius);
                (solid.inside, solid.around) = (*radius, radius + 0.5 * length);
                solid.thickness = *radius;
            }
            Shape::Box { size } => {
                (solid.inside, solid.around) = (0.5 * size.min(), 0.5 * size.norm());
                solid.thickness = solid.inside;
            }
            Shape::Cylinder { radius, length } => {
                solid.round = Round::Side(*radius);
                solid.inside = radius.min(0.5 * length);
                solid.thickness = solid.inside;
                solid.around = radius.hypot(0.5 * length);
                // that of the library stands along y
                solid.shape = SharedShape::cylinder(0.5 * length, *radius);
                solid.turn = Quaternion::exp(&Vector3::new(FRAC_PI_2, 0.0, 0.0));
                return Ok(solid);
            }
            Shape::Mesh(mesh) => {
                let size = mesh.vertices().iter().fold(0.0f64, |size, v| size.max(v.norm()));
                // the origin may be anywhere
                (solid.inside, solid.around) = (1e-6 * size, size);
                solid.thickness = 0.5 * thinnest(mesh.vertices());
                if mesh.is_convex() {
                    solid.shape = library_hull(mesh)?;
                    return Ok(solid);
                }
            }
        }
        solid.shape = library_shape(shape)?;
        Ok(solid)
    }

    /// The radius about the core where the solid touches in a direction of its marker's axes.
    pub(crate) fn radius(&self, direction: &Vector3<f64>) -> f64 {
        match self.round {
            Round::All(radius) => radius,
            Round::Side(radius) if direction.z.abs() < ALONG => radius,
            Round::Side(_) | Round::Nothing => 0.0,
        }
    }
}

/// The shortest side of the box along the axes that holds some points.
fn thinnest(points: &[Vector3<f64>]) -> f64 {
    let bound = |better: fn(f64, f64) -> f64, start: f64| {
        points.iter().fold(Vector3::repeat(start), |bound, p| bound.zip_map(p, better))
    };
    (bound(f64::max, f64::NEG_INFINITY) - bound(f64::min, f64::INFINITY)).min()
}
