//! Places of contact of cylinders, found by the collision library.

use super::features::key;
use super::found::{Found, Kind};
use super::solid::Solid;
use crate::force::{from_library, to_pose};
use nalgebra::Vector3;
use parry3d_f64::math::Vector;
use parry3d_f64::query::{
    ContactManifold, ContactManifoldsWorkspace, DefaultQueryDispatcher, PersistentQueryDispatcher,
    TrackedContact,
};
use parry3d_f64::shape::PackedFeatureId;
use rotula_lie::Frame;

/// The library and its memory, which is made empty each time, so that the state alone counts.
#[derive(Clone, Default)]
pub(super) struct Manifolds {
    manifolds: Vec<ContactManifold<(), ()>>,
    workspace: Option<ContactManifoldsWorkspace>,
}

/// Two solids and the planes of motion in their axes.
pub(super) struct Of<'a> {
    pub(super) solids: &'a [Solid; 2],
    pub(super) planes: [Option<Vector3<f64>>; 2],
    /// The size of the larger solid.
    pub(super) size: f64,
}

impl Manifolds {
    /// Lists the places that are nearer than a margin; the second solid is seen from the first.
    pub(super) fn find(&mut self, of: &Of, second: &Frame, margin: f64, out: &mut Vec<Found>) {
        // the library starts from its last answer; forget it, so that the state alone counts
        for manifold in &mut self.manifolds {
            manifold.clear();
            manifold.local_n1 = Vector::ZERO;
            manifold.local_n2 = Vector::ZERO;
        }
        let turned = |slot: usize| Frame::new(Vector3::zeros(), of.solids[slot].turn);
        let seen = (*second * turned(1)).seen_from(&turned(0));
        let answered = DefaultQueryDispatcher.contact_manifolds(
            &to_pose(&seen),
            &*of.solids[0].shape,
            &*of.solids[1].shape,
            margin,
            &mut self.manifolds,
            &mut self.workspace,
        );
        debug_assert!(answered.is_ok(), "all pairs offered here are known to the library");
        let manifolds = std::mem::take(&mut self.manifolds);
        for manifold in &manifolds {
            let turns = [of.solids[0].turn, of.solids[1].turn];
            let normal = turns[0].rotate(&from_library(&manifold.local_n1));
            let parts = [manifold.subshape1, manifold.subshape2];
            for point in manifold.points.iter().filter(|point| point.dist <= margin) {
                if doubled(manifold, point, of.size) {
                    continue;
                }
                let points = [
                    turns[0].rotate(&from_library(&point.local_p1)),
                    turns[1].rotate(&from_library(&point.local_p2)),
                ];
                of.keep(second, normal, points, ([point.fid1, point.fid2], parts), out);
            }
        }
        self.manifolds = manifolds;
    }
}

impl Of<'_> {
    /// Whether a corner or edge of the first solid lies on a face of the second, not the other way round. Two edges that
    /// cross do so within a face of one of them, unless neither has a face along the normal.
    fn corner_of_first(&self, features: [PackedFeatureId; 2], ways: [Vector3<f64>; 2]) -> bool {
        let [first, second] = features;
        if first.is_edge() && second.is_edge() {
            let [first, second] = [0, 1].map(|slot| self.solids[slot].has_face(&ways[slot]));
            return second && !first;
        }
        (first.is_vertex() && !second.is_vertex()) || (first.is_edge() && second.is_face())
    }

    /// The rim of a cylinder on a face of the other solid, from points on both and the ways out of both.
    fn rim(
        &self,
        ways: [Vector3<f64>; 2],
        surface: [Vector3<f64>; 2],
        features: [PackedFeatureId; 2],
    ) -> Option<Found> {
        (0..2).find_map(|slot| {
            let (other, flat) = (1 - slot, &self.solids[slot]);
            if !flat.is_flat(&ways[slot]) {
                return None;
            }
            let middle = self.solids[other].rim(&surface[other], &ways[other])?;
            let (mut points, mut turned, mut radii) = ([[0.0; 3]; 2], [[0.0; 3]; 2], [0.0; 2]);
            points[slot] = (ways[slot] * ways[slot].dot(&surface[slot])).into();
            turned[slot] = ways[slot].into();
            points[other] = middle.into();
            radii[other] = surface[other].x.hypot(surface[other].y);
            let kind = Kind::Rim(slot);
            let key = key(kind, u32::from(middle.z > 0.0), features[slot].0);
            Some(Found { key, kind, points, ways: turned, radii })
        })
    }

    /// Lists a place of contact unless it is there already.
    fn keep(
        &self,
        second: &Frame,
        mut normal: Vector3<f64>,
        mut points: [Vector3<f64>; 2],
        (features, parts): ([PackedFeatureId; 2], [u32; 2]),
        out: &mut Vec<Found>,
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
        let radii = [self.solids[0].radius(&way), self.solids[1].radius(&seen)];
        let surface = points;
        let cores = [points[0] - way * radii[0], points[1] + seen * radii[1]];
        let corner_of_first = self.corner_of_first(features, [way, -seen]);
        let [rounded, other] = radii.map(|radius| radius > 0.0);
        let mut points = cores;
        let mut ways = [[0.0; 3]; 2];
        if let Some(found) = self.rim([way, -seen], surface, features) {
            if !out.iter().any(|other| other.agrees(&found, self.size)) {
                out.push(found);
            }
            return;
        }
        let kind = if rounded && other {
            ways[0] = way.into();
            Kind::Spheres
        } else {
            let slot = usize::from(rounded || (corner_of_first && !other));
            let normal = if slot == 0 { way } else { -seen };
            points[slot] = normal * normal.dot(&surface[slot]);
            ways[slot] = normal.into();
            Kind::Plane(slot)
        };
        let [first, second] = [0, 1].map(|slot| features[slot].0 ^ parts[slot].rotate_left(16));
        let mut key = key(kind, first, second);
        while out.iter().any(|found| found.key == key) {
            key += 1 << 44;
        }
        let new = Found { key, kind, points: points.map(<[f64; 3]>::from), ways, radii };
        if !out.iter().any(|found| found.agrees(&new, self.size)) {
            out.push(new);
        }
    }
}

/// Whether a point of unknown features is another one, whose features are known. The library adds the
/// deepest point so; taken for a place of its own it would be listed twice, and once with the plane on
/// the wrong body.
fn doubled(manifold: &ContactManifold<(), ()>, point: &TrackedContact<()>, size: f64) -> bool {
    const NEAR: f64 = 1e-6;
    let unknown = |p: &TrackedContact<()>| {
        p.fid1 == PackedFeatureId::UNKNOWN && p.fid2 == PackedFeatureId::UNKNOWN
    };
    let near = NEAR * size;
    unknown(point)
        && manifold.points.iter().any(|other| {
            !unknown(other)
                && (other.local_p1 - point.local_p1).length() < near
                && (other.local_p2 - point.local_p2).length() < near
        })
}
