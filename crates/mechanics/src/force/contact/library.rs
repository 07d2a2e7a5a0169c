//! Contact of boxes and meshes, found by the library `parry3d`.

use super::Touch;
use super::surface::no_cylinders;
use crate::error::{ModelError, refusal};
use crate::force::two_bodies::Bodies;
use crate::force::varying::Scalar;
use crate::marker::Marker;
use crate::shape::{Mesh, Shape};
use nalgebra::Vector3;
use parry3d_f64::math::{Pose, Rotation, Vector};
use parry3d_f64::query::{
    ContactManifold, ContactManifoldsWorkspace, DefaultQueryDispatcher, PersistentQueryDispatcher,
    PointQuery,
};
use parry3d_f64::shape::{PackedFeatureId, SharedShape, TriMesh, TriMeshFlags};
use rotula_lie::{Frame, Quaternion};
use std::fmt;

/// A pair of solids of which at least one is a box or a mesh.
#[derive(Clone)]
pub(super) struct Library {
    markers: [Frame; 2],
    shapes: [SharedShape; 2],
    finder: Finder,
}

#[derive(Clone)]
enum Finder {
    /// Points of either solid, with a radius, are projected on the surface of the other.
    Points { points: [Vec<Vector3<f64>>; 2], radius: f64 },
    /// Faces, edges and vertices that meet.
    Features(Features),
}

#[derive(Clone, Default)]
struct Features {
    manifolds: Vec<ContactManifold<(), ()>>,
    workspace: Option<ContactManifoldsWorkspace>,
    found: Vec<Found>,
}

impl Finder {
    /// Spheres are points with a radius. Triangles of two meshes may miss each other when the meshes
    /// overlap deeply, but their vertices do not.
    fn new(solids: [&Shape; 2]) -> Self {
        match solids {
            [Shape::Sphere { radius }, _] => {
                Finder::Points { points: [vec![Vector3::zeros()], Vec::new()], radius: *radius }
            }
            [_, Shape::Sphere { radius }] => {
                Finder::Points { points: [Vec::new(), vec![Vector3::zeros()]], radius: *radius }
            }
            [Shape::Mesh(first), Shape::Mesh(second)] => Finder::Points {
                points: [first.vertices().to_vec(), second.vertices().to_vec()],
                radius: 0.0,
            },
            _ => Finder::Features(Features::default()),
        }
    }
}

/// A contact in the frames of the two markers; the normal is in the first.
#[derive(Clone, Copy)]
struct Found {
    points: [Vector3<f64>; 2],
    normal: Vector3<f64>,
}

impl fmt::Debug for Library {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "contact of {:?} and {:?}", self.shapes[0], self.shapes[1])
    }
}

impl Library {
    pub(super) fn new(solids: [(&Marker, &Shape); 2]) -> Result<Self, ModelError> {
        let finder = Finder::new(solids.map(|(_, shape)| shape));
        // the triangles about one corner would each touch, and bend the normal towards their own
        let shape = |shape: &Shape| match (&finder, shape) {
            (Finder::Features(_), Shape::Mesh(mesh)) if mesh.is_convex() => library_hull(mesh),
            _ => library_shape(shape),
        };
        let shapes = [shape(solids[0].1)?, shape(solids[1].1)?];
        Ok(Library { markers: solids.map(|(marker, _)| marker.frame), shapes, finder })
    }

    pub(super) fn each<const N: usize>(&mut self, bodies: &Bodies<N>, mut f: impl FnMut(Touch<N>)) {
        let world = |slot: usize| {
            let m = bodies.motion(slot);
            Frame::new(m.position, Quaternion::from_matrix(&m.rotation)) * self.markers[slot]
        };
        let second = world(1).seen_from(&world(0));
        match &mut self.finder {
            Finder::Points { points, radius } => {
                let frames = [second.inverse(), second];
                for slot in 0..2 {
                    let (frame, other) = (&frames[slot], &self.shapes[1 - slot]);
                    for point in &points[slot] {
                        if let Some(found) = project(other, frame, point, slot, *radius) {
                            f(frozen(&self.markers, bodies, &found));
                        }
                    }
                }
            }
            Finder::Features(features) => {
                features.find(&self.shapes, &second);
                features.found.iter().for_each(|found| f(frozen(&self.markers, bodies, found)));
            }
        }
    }
}

/// The contact with its points fixed to their bodies and its normal to the first one.
fn frozen<const N: usize>(markers: &[Frame; 2], bodies: &Bodies<N>, found: &Found) -> Touch<N> {
    let on = |slot: usize| bodies.point(slot, &markers[slot].transform_point(&found.points[slot]));
    let normal = bodies.direction(0, &markers[0].orientation.rotate(&found.normal));
    let (first, second) = (on(0), on(1));
    let gap = normal.dot(&(second - first));
    Touch { gap, normal, place: (first + second) * Scalar::constant(0.5), aside: None }
}

/// Contact of a sphere about a point of the frame `frame`, which is seen from the other solid.
fn project(
    other: &SharedShape,
    frame: &Frame,
    point: &Vector3<f64>,
    slot: usize,
    radius: f64,
) -> Option<Found> {
    let centre = frame.transform_point(point);
    if other.compute_local_aabb().distance_to_local_point(to_library(&centre), true) > radius {
        return None;
    }
    let projection = other.project_local_point(to_library(&centre), false);
    let nearest = from_library(&projection.point);
    let way = centre - nearest;
    let distance = way.norm();
    if distance == 0.0 || (distance >= radius && !projection.is_inside) {
        return None;
    }
    // outwards from the other solid
    let outwards = if projection.is_inside { -way / distance } else { way / distance };
    let deepest = frame.transform_point_back(&(centre - outwards * radius));
    Some(if slot == 1 {
        Found { points: [nearest, deepest], normal: outwards }
    } else {
        Found { points: [deepest, nearest], normal: -frame.orientation.rotate_back(&outwards) }
    })
}

impl Features {
    /// Finds the contacts of two solids, the second seen from the first.
    fn find(&mut self, shapes: &[SharedShape; 2], second: &Frame) {
        // the library starts from its last answer; forget it, so that the state alone counts
        for manifold in &mut self.manifolds {
            manifold.clear();
            manifold.local_n1 = Vector::ZERO;
            manifold.local_n2 = Vector::ZERO;
        }
        self.found.clear();
        let answered = DefaultQueryDispatcher.contact_manifolds(
            &to_pose(second),
            &*shapes[0],
            &*shapes[1],
            0.0,
            &mut self.manifolds,
            &mut self.workspace,
        );
        debug_assert!(answered.is_ok(), "all pairs offered here are known to the library");
        for manifold in &self.manifolds {
            let normal = from_library(&manifold.local_n1);
            // a contact without feature is the deepest one, which the features already contain
            let tracked = manifold.points.iter().any(|p| p.fid1 != PackedFeatureId::UNKNOWN);
            for point in &manifold.points {
                let doubled = tracked && point.fid1 == PackedFeatureId::UNKNOWN;
                if point.dist < 0.0 && !doubled {
                    let points = [from_library(&point.local_p1), from_library(&point.local_p2)];
                    keep(&mut self.found, Found { points, normal });
                }
            }
        }
    }
}

/// Keeps a contact unless triangles side by side have both given it.
fn keep(found: &mut Vec<Found>, new: Found) {
    const SAME: f64 = 1e-9;
    let same = |old: &Found| {
        (old.points[0] - new.points[0]).norm() < SAME
            && (old.points[1] - new.points[1]).norm() < SAME
            && (old.normal - new.normal).norm() < SAME
    };
    if !found.iter().any(same) {
        found.push(new);
    }
}

/// A convex mesh as one solid.
pub(crate) fn library_hull(mesh: &Mesh) -> Result<SharedShape, ModelError> {
    let points: Vec<_> = mesh.vertices().iter().map(to_library).collect();
    SharedShape::convex_hull(&points).ok_or_else(|| {
        ModelError::invalid("mesh", refusal!("it encloses no volume"; "give it a thickness"))
    })
}

pub(crate) fn library_shape(shape: &Shape) -> Result<SharedShape, ModelError> {
    Ok(match shape {
        Shape::Sphere { radius } => SharedShape::ball(*radius),
        Shape::Capsule { radius, length } => SharedShape::capsule_z(0.5 * length, *radius),
        Shape::Box { size } => SharedShape::cuboid(0.5 * size.x, 0.5 * size.y, 0.5 * size.z),
        Shape::Cylinder { .. } => return Err(no_cylinders()),
        Shape::Mesh(mesh) => {
            let vertices = mesh.vertices().iter().map(to_library).collect();
            let triangles = mesh.triangles().iter().map(|t| t.map(|k| k as u32)).collect();
            let flags = TriMeshFlags::ORIENTED | TriMeshFlags::FIX_INTERNAL_EDGES;
            let made = TriMesh::with_flags(vertices, triangles, flags).map_err(|error| {
                ModelError::invalid("mesh", format!("it cannot be used for contact: {error}"))
            })?;
            SharedShape::new(made)
        }
    })
}

pub(crate) fn to_library(v: &Vector3<f64>) -> Vector {
    Vector::new(v.x, v.y, v.z)
}

pub(crate) fn from_library(v: &Vector) -> Vector3<f64> {
    Vector3::new(v.x, v.y, v.z)
}

pub(crate) fn to_pose(frame: &Frame) -> Pose {
    let [w, x, y, z] = frame.orientation.to_array();
    Pose::from_parts(to_library(&frame.position), Rotation::from_xyzw(x, y, z, w))
}
