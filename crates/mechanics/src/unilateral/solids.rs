//! Contacts of boxes and capsules, found by the collision library at each step.

use super::{CandidateList, ImpactLaw, Unilateral, sphere_on_plane, spheres};
use crate::error::ModelError;
use crate::force::{from_library, library_shape, to_pose};
use crate::joint::Pair;
use crate::marker::{Marker, frame_along};
use crate::scene::World;
use crate::shape::Shape;
use nalgebra::Vector3;
use parry3d_f64::math::Vector;
use parry3d_f64::query::{
    ContactManifold, ContactManifoldsWorkspace, DefaultQueryDispatcher, PersistentQueryDispatcher,
};
use parry3d_f64::shape::{PackedFeatureId, SharedShape};
use rotula_dae::checkpoint::{Reader, Unreadable, Writer};
use rotula_lie::{Frame, Quaternion};
use std::fmt;

/// Two solids of which at least one is a box or a capsule.
///
/// Each place of contact that the collision library finds becomes an exact contact of a point (or of
/// a sphere, for rounded solids) fixed to one body with a plane fixed to the other, or of two
/// spheres. It is exact while the same features touch: a corner on a face, the end of a capsule on a
/// face. Where edges cross, or a capsule lies along a face, the points move over the bodies; they
/// are then renewed after each step, and the gap is right to first order in the step.
#[derive(Clone)]
pub struct Solids {
    markers: [Marker; 2],
    /// Normals of the plane of motion in the axes of each marker.
    planes: [Option<Vector3<f64>>; 2],
    shapes: [SharedShape; 2],
    radii: [f64; 2],
    /// Radii of spheres about the origins that are inside and around the solids.
    inside: [f64; 2],
    around: [f64; 2],
    law: ImpactLaw,
    manifolds: Vec<ContactManifold<(), ()>>,
    workspace: Option<ContactManifoldsWorkspace>,
    found: Vec<Found>,
    next: Vec<Found>,
}

/// A place of contact.
#[derive(Clone, Copy, Debug)]
struct Found {
    key: u64,
    kind: Kind,
    /// The point, in the axes of the marker that does not have the plane.
    point: Vector3<f64>,
    /// The plane `normal · x = height`; for two spheres the other centre is `normal`.
    normal: Vector3<f64>,
    height: f64,
    /// From the first solid to the second, in the axes of the first marker.
    way: Vector3<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// Far apart: spheres inside the solids, which never touch before the solids do.
    Far,
    Spheres,
    /// The plane belongs to the first or the second solid.
    Plane(usize),
}

const FAR: Found = Found {
    key: 0,
    kind: Kind::Far,
    point: Vector3::new(0.0, 0.0, 0.0),
    normal: Vector3::new(0.0, 0.0, 0.0),
    height: 0.0,
    way: Vector3::new(0.0, 0.0, 1.0),
};

impl fmt::Debug for Solids {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "rigid contact of {:?}", self.markers)
    }
}

impl Solids {
    /// Contact of two solids in the frames of the markers of a pair, seen from either marker.
    pub fn new(
        [pair, reverse]: [&Pair; 2],
        solids: [&Shape; 2],
        law: ImpactLaw,
    ) -> Result<Self, ModelError> {
        law.validate()?;
        if solids.iter().any(|solid| matches!(solid, Shape::Mesh(_))) {
            return Err(ModelError::invalid(
                "contact",
                "a mesh has rigid contact with planes only; use a box, a capsule or a sphere, or soft contact",
            ));
        }
        let sizes = solids.map(|solid| match solid {
            Shape::Sphere { radius } => [*radius; 3],
            Shape::Capsule { radius, length } => [*radius, *radius, radius + 0.5 * length],
            Shape::Box { size } => [0.0, 0.5 * size.min(), 0.5 * size.norm()],
            // refused when the surfaces were looked at
            Shape::Cylinder { .. } | Shape::Mesh(_) => [0.0; 3],
        });
        Ok(Solids {
            markers: [pair.a, pair.b],
            planes: [pair.plane, reverse.plane],
            shapes: [library_shape(solids[0])?, library_shape(solids[1])?],
            radii: sizes.map(|size| size[0]),
            inside: sizes.map(|size| size[1]),
            around: sizes.map(|size| size[2]),
            law,
            manifolds: Vec::new(),
            workspace: None,
            found: vec![FAR],
            next: Vec::new(),
        })
    }

    /// How far the surfaces may travel towards each other.
    fn margin(&self, world: &World, horizon: f64) -> f64 {
        let mut sum = 0.02 * self.around[0].min(self.around[1]);
        for (marker, around) in self.markers.iter().zip(self.around) {
            let m = &world.motions[marker.node];
            let arm = marker.frame.position.norm() + around;
            let speed = m.velocity.norm() + m.omega.norm() * arm;
            let gain = m.velocity_rate.norm() + m.omega_rate.norm() * arm;
            sum += horizon * (speed + horizon * gain);
        }
        sum
    }

    /// Asks the library for places of contact; the second solid is seen from the first.
    fn find(&mut self, second: &Frame, margin: f64) {
        // the library starts from its last answer; forget it, so that the state alone counts
        for manifold in &mut self.manifolds {
            manifold.clear();
            manifold.local_n1 = Vector::ZERO;
            manifold.local_n2 = Vector::ZERO;
        }
        self.next.clear();
        let answered = DefaultQueryDispatcher.contact_manifolds(
            &to_pose(second),
            &*self.shapes[0],
            &*self.shapes[1],
            margin,
            &mut self.manifolds,
            &mut self.workspace,
        );
        debug_assert!(answered.is_ok(), "all pairs offered here are known to the library");
        let manifolds = std::mem::take(&mut self.manifolds);
        for manifold in &manifolds {
            let normal = from_library(&manifold.local_n1);
            for point in manifold.points.iter().filter(|point| point.dist <= margin) {
                let points = [from_library(&point.local_p1), from_library(&point.local_p2)];
                self.keep(second, normal, points, [point.fid1, point.fid2]);
            }
        }
        self.manifolds = manifolds;
    }

    /// Lists a place of contact unless it is there already.
    fn keep(
        &mut self,
        second: &Frame,
        mut normal: Vector3<f64>,
        mut points: [Vector3<f64>; 2],
        features: [PackedFeatureId; 2],
    ) {
        for (point, plane) in points.iter_mut().zip(self.planes) {
            if let Some(plane) = plane {
                *point -= plane * plane.dot(point);
            }
        }
        if let Some(plane) = self.planes[0] {
            normal -= plane * plane.dot(&normal);
        }
        let Some(way) = normal.try_normalize(1e-6) else { return };
        let seen = second.orientation.rotate_back(&way);
        let cores = [points[0] - way * self.radii[0], points[1] + seen * self.radii[1]];
        let corner_of_first = features[0].is_vertex() && !features[1].is_vertex();
        let [rounded, other] = self.radii.map(|radius| radius > 0.0);
        let (kind, point, normal, height) = if rounded && other {
            (Kind::Spheres, cores[1], cores[0], 0.0)
        } else if rounded || (corner_of_first && !other) {
            (Kind::Plane(1), cores[0], -seen, -seen.dot(&points[1]))
        } else {
            (Kind::Plane(0), cores[1], way, way.dot(&points[0]))
        };
        let mut key = 1 + (code(features[0]) << 22 | code(features[1]));
        while self.next.iter().any(|found| found.key == key) {
            key += 1 << 44;
        }
        let new = Found { key, kind, point, normal, height, way };
        let size = self.around[0].max(self.around[1]);
        if !self.next.iter().any(|found| found.agrees(&new, size)) {
            self.next.push(new);
        }
    }
}

/// A feature in 22 bits.
fn code(feature: PackedFeatureId) -> u64 {
    u64::from(feature.0 >> 30) << 20 | u64::from(feature.0 & 0xF_FFFF)
}

impl Found {
    /// The same place up to rounding.
    fn agrees(&self, other: &Found, size: f64) -> bool {
        const SAME: f64 = 1e-9;
        self.kind == other.kind
            && (self.point - other.point).norm() < SAME * size
            && (self.normal - other.normal).norm() < SAME * size.max(1.0)
            && (self.height - other.height).abs() < SAME * size
    }
}

impl CandidateList for Solids {
    fn renew(&mut self, world: &World, horizon: f64) -> bool {
        let frame = |marker: &Marker| {
            let m = &world.motions[marker.node];
            Frame::new(m.position, Quaternion::from_matrix(&m.rotation)) * marker.frame
        };
        let second = frame(&self.markers[1]).seen_from(&frame(&self.markers[0]));
        let margin = self.margin(world, horizon);
        self.find(&second, margin);
        if self.next.is_empty() {
            self.next.push(FAR);
        }
        let size = self.around[0].max(self.around[1]);
        let listed =
            |new: &Found| self.found.iter().any(|old| old.key == new.key && old.agrees(new, size));
        if self.next.len() == self.found.len() && self.next.iter().all(listed) {
            return false;
        }
        std::mem::swap(&mut self.found, &mut self.next);
        true
    }

    fn count(&self) -> usize {
        self.found.len()
    }

    fn key(&self, contact: usize) -> u64 {
        self.found[contact].key
    }

    fn describe(&self, contact: usize) -> String {
        format!("place {}", contact + 1)
    }

    fn contact(&self, contact: usize) -> Unilateral {
        let Found { kind, point, normal, height, way, .. } = self.found[contact];
        let moved = |slot: usize, frame: Frame| Marker {
            frame: self.markers[slot].frame * frame,
            ..self.markers[slot]
        };
        let at = |point: Vector3<f64>| Frame::new(point, Quaternion::identity());
        let made = match kind {
            Kind::Far => {
                let law = ImpactLaw { friction: 0.0, ..self.law };
                let pair = Pair { a: self.markers[0], b: self.markers[1], plane: self.planes[0] };
                spheres(&pair, self.inside, law)
            }
            Kind::Spheres => {
                // tangents are built about the z axis of the first marker
                let frame = frame_along(normal, way);
                let plane = self.planes[0].map(|plane| frame.orientation.rotate_back(&plane));
                let pair = Pair { a: moved(0, frame), b: moved(1, at(point)), plane };
                spheres(&pair, self.radii, self.law)
            }
            Kind::Plane(slot) => {
                let frame = frame_along(normal * height, normal);
                let plane = self.planes[slot].map(|plane| frame.orientation.rotate_back(&plane));
                let pair = Pair { a: moved(slot, frame), b: moved(1 - slot, at(point)), plane };
                sphere_on_plane(&pair, self.radii[1 - slot], self.law)
            }
        };
        made.expect("sizes and law have been checked")
    }

    fn save(&self, out: &mut Writer) {
        let parts = self.found.iter().map(|&Found { key, kind, point, normal, height, way }| {
            let kind = match kind {
                Kind::Far => 0,
                Kind::Spheres => 1,
                Kind::Plane(solid) => 2 + solid,
            };
            let vectors = [point, normal, way].map(<[f64; 3]>::from);
            (key, kind, vectors, height)
        });
        out.put(&parts.collect::<Vec<_>>());
    }

    fn load(&mut self, from: &mut Reader) -> Result<(), Unreadable> {
        let parts: Vec<(u64, usize, [[f64; 3]; 3], f64)> = from.get()?;
        let found = parts.into_iter().map(|(key, kind, vectors, height)| {
            let kind = match kind {
                0 => Kind::Far,
                1 => Kind::Spheres,
                _ => Kind::Plane(kind - 2),
            };
            let [point, normal, way] = vectors.map(Vector3::from);
            Found { key, kind, point, normal, height, way }
        });
        self.found = found.collect();
        Ok(())
    }
}
