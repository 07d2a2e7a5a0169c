//! Contact by penalty: surfaces that touch push each other apart and rub.
//!
//! | pair | contacts | tangent |
//! |---|---|---|
//! | plane with sphere, capsule | one per half sphere | exact |
//! | plane with box, mesh | one per vertex below the plane | exact |
//! | sphere, capsule with sphere, capsule | one | exact |
//! | side of a cylinder with sphere, segment; none beyond its ends | one | exact |
//! | landscape with sphere, capsule, box, mesh | one per half sphere or vertex below | exact |
//! | cam with sphere | one | exact |
//! | box or mesh with sphere | one | with frozen geometry |
//! | mesh with mesh | one per vertex inside the other | with frozen geometry |
//! | box with capsule, box, mesh; capsule with mesh | several | with frozen geometry |
//!
//! Beams between their nodes ([`PieceContact`]) have exact tangents.
//!
//! Frozen geometry means: in the tangent the points of contact stay on their bodies and the normal
//! turns with the first body. The force itself is what the geometry says, so a converged step is
//! right either way; Newton's method may take more iterations on curved or sliding contacts.
//!
//! Two meshes whose edges cross while no vertex is inside the other do not feel each other: refine
//! them where that matters. The pairs of the last three rows come from the library `parry3d`. It finds contacts without regard
//! to their history here, so that the force is a function of the state; where features that touch
//! change (a face, then an edge), its contacts may jump, and how many there are on a hollow mesh depends
//! on its triangles; a convex one is taken as its hull. All pairs work without allocating, except
//! hollow meshes with boxes and capsules: the library collects their triangles anew when bodies move on.

mod axes;
mod fast;
mod formed;
mod law;
mod library;
mod piece;
mod plane;
mod quantities;
mod record;
mod surface;

pub use law::ContactLaw;
pub(crate) use library::{from_library, library_hull, library_shape, to_library, to_pose};
pub use piece::{PieceContact, PieceSide};
pub(crate) use plane::support_points;
pub use surface::Surface;
pub(crate) use surface::meeting;

use super::two_bodies::{Bodies, Wrenches, wrench_and_tangent};
use super::varying::{Scalar, Vector};
use super::{Force, total_power};
use crate::error::{ModelError, refusal};
use crate::marker::Marker;
use crate::passing::Passing;
use crate::quantity::{Ends, Quantity};
use crate::scene::Scene;
use crate::sensor::Slopes;
use axes::Axes;
use formed::PointsOnRelief;
use library::Library;
use plane::PointsOnPlane;

/// One place where two surfaces touch.
#[derive(Clone, Copy, Debug)]
struct Touch<const N: usize> {
    /// Distance of the surfaces; negative where they overlap.
    gap: Scalar<N>,
    /// From the first body to the second.
    normal: Vector<N>,
    /// In the middle between the surfaces.
    place: Vector<N>,
    /// How far along the axes of capsules the second body is off the middle of the first; none of other surfaces.
    aside: Option<Vector<N>>,
}

/// How the places are found.
#[derive(Clone, Debug)]
enum Geometry {
    Plane(PointsOnPlane),
    Formed(PointsOnRelief),
    Axes(Axes),
    Library(Box<Library>),
}

impl Geometry {
    /// Calls `f` with every place of contact.
    fn each<const N: usize>(&mut self, bodies: &Bodies<N>, f: impl FnMut(Touch<N>)) {
        match self {
            Geometry::Plane(plane) => plane.each(bodies, f),
            Geometry::Formed(formed) => formed.each(bodies, f),
            Geometry::Axes(axes) => axes.each(bodies, f),
            Geometry::Library(library) => library.each(bodies, f),
        }
    }
}

/// Contact between two surfaces fixed to two bodies.
///
/// ```
/// use nalgebra::Vector3;
/// use rotula_lie::Frame;
/// use rotula_mechanics::force::{Contact, ContactLaw, Stribeck, Surface};
/// use rotula_mechanics::shape::Shape;
/// use rotula_mechanics::{Body, GROUND, Model};
///
/// let mut model = Model::new();
/// let sphere = Shape::Sphere { radius: 0.1 };
/// let ball = Body::solid(1000.0, vec![(Frame::identity(), sphere.clone())])?;
/// let ball = model.body("ball", ball.at(Vector3::new(0.0, 0.0, 0.5)))?;
/// let floor = model.marker(GROUND, Frame::identity());
/// let middle = model.marker(ball, Frame::identity());
/// let law = ContactLaw { stiffness: 1e6, friction: Some(Stribeck::coulomb(0.3, 1e-3)), ..ContactLaw::default() };
/// model.force("bounce", Contact::new(floor, Surface::Plane, middle, sphere.into(), law)?)?;
/// # Ok::<(), rotula_mechanics::ModelError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Contact {
    nodes: [usize; 2],
    geometry: Geometry,
    law: ContactLaw,
    ends: Ends,
    /// The solids, if they might pass through each other.
    passing: Option<Passing>,
}

impl Contact {
    /// Contact between two surfaces, each in the frame of its marker.
    pub fn new(
        a: Marker,
        surface_a: Surface,
        b: Marker,
        surface_b: Surface,
        law: ContactLaw,
    ) -> Result<Self, ModelError> {
        law.validate()?;
        if a.node == b.node {
            return Err(ModelError::invalid(
                "contact",
                refusal!("both surfaces belong to the same body"; "name two different bodies"),
            ));
        }
        let [surface_a, surface_b] = meeting(&surface_a, &surface_b, true)?;
        surface::check_soft([&surface_a, &surface_b], law.guide > 0.0)?;
        let geometry = match (&surface_a, &surface_b) {
            (Surface::Plane, Surface::Solid(solid)) => {
                Geometry::Plane(PointsOnPlane::new(&a, 0, &b, solid))
            }
            (Surface::Solid(solid), Surface::Plane) => {
                Geometry::Plane(PointsOnPlane::new(&b, 1, &a, solid))
            }
            (Surface::Solid(first), Surface::Solid(second)) => {
                match Axes::new([(&a, first), (&b, second)]) {
                    Some(axes) => Geometry::Axes(axes),
                    None => Geometry::Library(Box::new(Library::new([(&a, first), (&b, second)])?)),
                }
            }
            (formed, Surface::Solid(solid)) => {
                Geometry::Formed(PointsOnRelief::new((&a, 0), formed.relief()?, &b, solid))
            }
            (Surface::Solid(solid), formed) => {
                Geometry::Formed(PointsOnRelief::new((&b, 1), formed.relief()?, &a, solid))
            }
            _ => return Err(surface::no_pair()),
        };
        // surfaces by formulas have no inside that could be passed through
        let shapes = match (&surface_a, &surface_b) {
            (Surface::Solid(first), Surface::Solid(second)) => Some([Some(first), Some(second)]),
            (Surface::Solid(solid), Surface::Plane) => Some([Some(solid), None]),
            (Surface::Plane, Surface::Solid(solid)) => Some([None, Some(solid)]),
            _ => None,
        };
        let passing = shapes.and_then(|shapes| Passing::of_shapes([a, b], shapes));
        Ok(Contact { nodes: [a.node, b.node], geometry, law, ends: Ends::between(a, b), passing })
    }

    fn act<const N: usize>(&mut self, scene: Scene) -> Wrenches<N> {
        let bodies = Bodies::new(scene);
        let mut wrenches = Wrenches::zero();
        let law = &self.law;
        self.geometry.each(&bodies, |touch| law.act(&bodies, &touch, &mut wrenches));
        wrenches
    }

    /// Whether the gap is exactly the integral of its rate, so that the elastic part has a potential.
    fn has_potential(&self) -> bool {
        matches!(self.geometry, Geometry::Plane(_) | Geometry::Axes(_))
    }
}

impl Force for Contact {
    fn nodes(&self) -> &[usize] {
        &self.nodes
    }

    wrench_and_tangent!();

    fn energy(&mut self, scene: Scene) -> f64 {
        if !self.has_potential() {
            return 0.0;
        }
        let mut sum = 0.0;
        let law = &self.law;
        self.geometry.each(&Bodies::<0>::new(scene), |touch| sum += law.energy(touch.gap.value));
        sum
    }

    fn is_contact(&self) -> bool {
        true
    }

    fn as_contact(&mut self) -> Option<&mut Contact> {
        Some(self)
    }

    fn touches(&mut self, scene: Scene, see: &mut dyn FnMut(rotula_dae::Touch)) {
        self.each_touch(scene, see);
    }

    fn power(&mut self, scene: Scene) -> f64 {
        let all = total_power(self, scene);
        if !self.has_potential() {
            return all;
        }
        let mut stored = 0.0;
        let bodies = Bodies::<0>::new(scene);
        let law = &self.law;
        self.geometry.each(&bodies, |touch| stored += law.storing(&bodies, &touch));
        all + stored
    }

    fn quantities(&self) -> &'static [Quantity] {
        Contact::all_quantities()
    }

    fn ends(&self) -> Ends {
        self.ends
    }

    fn own(&mut self, scene: Scene, out: &mut [f64]) {
        self.read_own(scene, out);
    }

    fn own_slopes(&mut self, place: usize, scene: Scene, slopes: &mut Slopes) {
        self.differentiate_own(place, scene, slopes);
    }
}
