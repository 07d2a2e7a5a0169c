//! Contacts of boxes, cylinders, capsules and meshes, found by the collision library at each step.

use super::solid::Solid;
use super::{CandidateList, ImpactLaw, Unilateral, sphere_on_plane, spheres};
use crate::error::ModelError;
use crate::force::{from_library, to_pose};
use crate::joint::Pair;
use crate::marker::{Marker, frame_along};
use crate::node::Motion;
use crate::passing::{Ends, Passing};
use crate::scene::World;
use crate::shape::Shape;
use nalgebra::Vector3;
use parry3d_f64::math::Vector;
use parry3d_f64::query::{
    ContactManifold, ContactManifoldsWorkspace, DefaultQueryDispatcher, PersistentQueryDispatcher,
    TrackedContact,
};
use parry3d_f64::shape::PackedFeatureId;
use rotula_dae::checkpoint::{Reader, Unreadable, Writer};
use rotula_lie::{Frame, Quaternion};
use std::collections::BTreeMap;
use std::fmt;

/// Two solids of which at least one is a box, a cylinder, a capsule or a mesh.
///
/// Each place of contact that the collision library finds becomes an exact contact of a point (or of
/// a sphere, for rounded solids) fixed to one body with a plane fixed to the other, or of two
/// spheres. It is exact while the same features touch: a corner on a face, the end of a capsule on a
/// face, a sphere on a face, a cylinder that rolls on its side. Where edges cross, a sphere passes over an
/// edge or along a cylinder, a cylinder tips over its rim, or a capsule lies along a face, the points move
/// over the bodies; they are then renewed after each step, and the gap is right to first order in the step. A cylinder that stands touches in four points of its rim.
#[derive(Clone)]
pub struct Solids {
    markers: [Marker; 2],
    /// Normals of the plane of motion in the axes of each marker.
    planes: [Option<Vector3<f64>>; 2],
    solids: [Solid; 2],
    passing: Option<Passing>,
    law: ImpactLaw,
    manifolds: Vec<ContactManifold<(), ()>>,
    workspace: Option<ContactManifoldsWorkspace>,
    found: Vec<Found>,
    next: Vec<Found>,
    /// Numbers of all places that were ever listed, by their keys.
    numbers: BTreeMap<u64, usize>,
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
    /// Radii about the points.
    radii: [f64; 2],
}

/// A contact point in a checkpoint: key, kind, vectors, height and radii.
type Kept = (u64, usize, [[f64; 3]; 3], (f64, [f64; 2]));

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
    radii: [0.0; 2],
};

impl fmt::Debug for Solids {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "rigid contact of {:?}", self.markers)
    }
}

impl Solids {
    /// Contact of two solids in the frames of the markers of a pair, seen from either marker.
    pub fn new(
        pairs: [&Pair; 2],
        [first, second]: [&Shape; 2],
        law: ImpactLaw,
    ) -> Result<Self, ModelError> {
        let solids = [Solid::of(first)?, Solid::of(second)?];
        if solids.iter().all(|solid| solid.hollow) {
            return Err(ModelError::invalid(
                "contact",
                "two meshes have rigid contact only if one of them is convex; make one of them a hull",
            ));
        }
        Solids::between(pairs, solids, law)
    }

    /// Contact of a solid with the plane z = 0 of the first marker.
    pub fn on_plane(pairs: [&Pair; 2], solid: &Shape, law: ImpactLaw) -> Result<Self, ModelError> {
        Solids::between(pairs, [Solid::plane(), Solid::of(solid)?], law)
    }

    fn between(
        [pair, reverse]: [&Pair; 2],
        solids: [Solid; 2],
        law: ImpactLaw,
    ) -> Result<Self, ModelError> {
        law.validate()?;
        Ok(Solids {
            markers: [pair.a, pair.b],
            planes: [pair.plane, reverse.plane],
            passing: Passing::new([pair.a, pair.b], solids.clone()),
            solids,
            law,
            manifolds: Vec::new(),
            workspace: None,
            found: vec![FAR],
            next: Vec::new(),
            numbers: BTreeMap::new(),
        })
    }

    /// A length of the pair: the size of the smaller or of the larger solid that has one.
    fn size(&self, better: fn(f64, f64) -> f64) -> f64 {
        let finite = self.solids.iter().map(|solid| solid.around).filter(|a| a.is_finite());
        finite.reduce(better).unwrap_or(0.0)
    }

    /// How far the surfaces may travel towards each other.
    fn margin(&self, world: &World, horizon: f64) -> f64 {
        let mut sum = 0.02 * self.size(f64::min);
        let reach = self.size(f64::max);
        for (marker, solid) in self.markers.iter().zip(&self.solids) {
            let m = &world.motions[marker.node];
            // a plane touches where the other solid is
            let arm = marker.frame.position.norm() + solid.around.min(reach);
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
        let turned = |slot: usize| Frame::new(Vector3::zeros(), self.solids[slot].turn);
        let seen = (*second * turned(1)).seen_from(&turned(0));
        let answered = DefaultQueryDispatcher.contact_manifolds(
            &to_pose(&seen),
            &*self.solids[0].shape,
            &*self.solids[1].shape,
            margin,
            &mut self.manifolds,
            &mut self.workspace,
        );
        debug_assert!(answered.is_ok(), "all pairs offered here are known to the library");
        let manifolds = std::mem::take(&mut self.manifolds);
        for manifold in &manifolds {
            let turns = [self.solids[0].turn, self.solids[1].turn];
            let normal = turns[0].rotate(&from_library(&manifold.local_n1));
            let parts = [manifold.subshape1, manifold.subshape2];
            for point in manifold.points.iter().filter(|point| point.dist <= margin) {
                if self.doubled(manifold, point) {
                    continue;
                }
                let points = [
                    turns[0].rotate(&from_library(&point.local_p1)),
                    turns[1].rotate(&from_library(&point.local_p2)),
                ];
                self.keep(second, normal, points, ([point.fid1, point.fid2], parts));
            }
        }
        self.manifolds = manifolds;
    }

    /// Whether a point of unknown features is another one, whose features are known. The library adds the
    /// deepest point so; taken for a place of its own it would be listed twice, and once with the plane on
    /// the wrong body.
    fn doubled(&self, manifold: &ContactManifold<(), ()>, point: &TrackedContact<()>) -> bool {
        const NEAR: f64 = 1e-6;
        let unknown = |p: &TrackedContact<()>| {
            p.fid1 == PackedFeatureId::UNKNOWN && p.fid2 == PackedFeatureId::UNKNOWN
        };
        let near = NEAR * self.size(f64::max);
        unknown(point)
            && manifold.points.iter().any(|other| {
                !unknown(other)
                    && (other.local_p1 - point.local_p1).length() < near
                    && (other.local_p2 - point.local_p2).length() < near
            })
    }

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

    /// A place that is listed already keeps its key, whichever of its features the library names now: of a body in a
    /// plane it may be the corner in front or the one behind. Reactions are carried over by keys.
    fn keep_keys(&mut self, size: f64) {
        let Solids { found, next, .. } = self;
        for new in next.iter_mut() {
            let old = found.iter().find(|old| old.agrees(new, size));
            new.key = old.map_or(new.key, |old| old.key);
        }
        for k in 0..next.len() {
            let kept = found.iter().any(|old| old.key == next[k].key && old.agrees(&next[k], size));
            let mut key = next[k].key;
            while !kept && next.iter().enumerate().any(|(j, other)| j != k && other.key == key) {
                key += 1 << 44;
            }
            next[k].key = key;
        }
    }

    /// Lists a place of contact unless it is there already.
    fn keep(
        &mut self,
        second: &Frame,
        mut normal: Vector3<f64>,
        mut points: [Vector3<f64>; 2],
        (features, parts): ([PackedFeatureId; 2], [u32; 2]),
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
        let cores = [points[0] - way * radii[0], points[1] + seen * radii[1]];
        let corner_of_first = self.corner_of_first(features, [way, -seen]);
        let [rounded, other] = radii.map(|radius| radius > 0.0);
        let (kind, point, normal, height) = if rounded && other {
            (Kind::Spheres, cores[1], cores[0], 0.0)
        } else if rounded || (corner_of_first && !other) {
            (Kind::Plane(1), cores[0], -seen, -seen.dot(&points[1]))
        } else {
            (Kind::Plane(0), cores[1], way, way.dot(&points[0]))
        };
        let mut key = 1 + code(features, parts);
        while self.next.iter().any(|found| found.key == key) {
            key += 1 << 44;
        }
        let new = Found { key, kind, point, normal, height, way, radii };
        let size = self.size(f64::max);
        if !self.next.iter().any(|found| found.agrees(&new, size)) {
            self.next.push(new);
        }
    }
}

/// Features and parts of both solids in 44 bits, and two of them rarely alike.
fn code(features: [PackedFeatureId; 2], parts: [u32; 2]) -> u64 {
    // FNV-1a
    let words = [features[0].0, features[1].0, parts[0], parts[1]];
    let hash = words.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, word| {
        (hash ^ u64::from(*word)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    (hash ^ hash >> 44) & ((1 << 44) - 2)
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
        let size = self.size(f64::max);
        self.keep_keys(size);
        let listed =
            |new: &Found| self.found.iter().any(|old| old.key == new.key && old.agrees(new, size));
        if self.next.len() == self.found.len() && self.next.iter().all(listed) {
            return false;
        }
        std::mem::swap(&mut self.found, &mut self.next);
        for Found { key, .. } in self.found.iter().filter(|found| found.kind != Kind::Far) {
            let next = self.numbers.len() + 1;
            self.numbers.entry(*key).or_insert(next);
        }
        true
    }

    fn count(&self) -> usize {
        self.found.len()
    }

    fn key(&self, contact: usize) -> u64 {
        self.found[contact].key
    }

    fn describe(&self, contact: usize) -> String {
        let number = self.numbers.get(&self.found[contact].key);
        format!("place {}", number.copied().unwrap_or(contact + 1))
    }

    fn watched(&self) -> Vec<usize> {
        self.passing.iter().flat_map(|passing| passing.nodes()).collect()
    }

    fn met(&self, [from, to]: [&[Motion]; 2], h: f64) -> Option<f64> {
        let (passing, ends) = (self.passing.as_ref()?, Ends { from, to, h });
        // places are those of the start, and planes through them go on for ever
        [passing.met_unseen(&ends), passing.nearest_lasts(&ends)]
            .into_iter()
            .flatten()
            .reduce(f64::min)
    }

    fn struck(&self, motions: &[Motion], h: f64) -> Option<f64> {
        self.passing.as_ref()?.struck(motions, h)
    }

    fn contact(&self, contact: usize) -> Unilateral {
        let Found { kind, point, normal, height, way, radii, .. } = self.found[contact];
        let moved = |slot: usize, frame: Frame| Marker {
            frame: self.markers[slot].frame * frame,
            ..self.markers[slot]
        };
        let at = |point: Vector3<f64>| Frame::new(point, Quaternion::identity());
        let made = match kind {
            Kind::Far => {
                let law = ImpactLaw { friction: 0.0, ..self.law };
                let pair = Pair { a: self.markers[0], b: self.markers[1], plane: self.planes[0] };
                spheres(&pair, [self.solids[0].inside, self.solids[1].inside], law)
            }
            Kind::Spheres => {
                // tangents are built about the z axis of the first marker
                let frame = frame_along(normal, way);
                let plane = self.planes[0].map(|plane| frame.orientation.rotate_back(&plane));
                let pair = Pair { a: moved(0, frame), b: moved(1, at(point)), plane };
                spheres(&pair, radii, self.law)
            }
            Kind::Plane(slot) => {
                let frame = frame_along(normal * height, normal);
                let plane = self.planes[slot].map(|plane| frame.orientation.rotate_back(&plane));
                let pair = Pair { a: moved(slot, frame), b: moved(1 - slot, at(point)), plane };
                sphere_on_plane(&pair, radii[1 - slot], self.law)
            }
        };
        made.expect("sizes and law have been checked")
    }

    fn save(&self, out: &mut Writer) {
        let parts =
            self.found.iter().map(|&Found { key, kind, point, normal, height, way, radii }| {
                let kind = match kind {
                    Kind::Far => 0,
                    Kind::Spheres => 1,
                    Kind::Plane(solid) => 2 + solid,
                };
                let vectors = [point, normal, way].map(<[f64; 3]>::from);
                (key, kind, vectors, (height, radii))
            });
        out.put(&(parts.collect::<Vec<_>>(), &self.numbers));
    }

    fn load(&mut self, from: &mut Reader) -> Result<(), Unreadable> {
        let (parts, numbers): (Vec<Kept>, _) = from.get()?;
        self.numbers = numbers;
        let found = parts.into_iter().map(|(key, kind, vectors, (height, radii))| {
            let kind = match kind {
                0 => Kind::Far,
                1 => Kind::Spheres,
                _ => Kind::Plane(kind - 2),
            };
            let [point, normal, way] = vectors.map(Vector3::from);
            Found { key, kind, point, normal, height, way, radii }
        });
        self.found = found.collect();
        Ok(())
    }
}
