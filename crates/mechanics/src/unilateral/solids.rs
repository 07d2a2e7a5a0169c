//! Contacts of solids, found anew at each step.

use super::features::{Meeting, key};
use super::found::{Found, Kind};
use super::manifold::{Manifolds, Of};
use super::skeleton::Skeleton;
use super::solid::Solid;
use super::{CandidateList, ImpactLaw, Unilateral};
use crate::error::ModelError;
use crate::force::{from_library, to_pose};
use crate::joint::Pair;
use crate::marker::Marker;
use crate::node::Motion;
use crate::passing::{Ends, Passing};
use crate::scene::World;
use crate::shape::Shape;
use nalgebra::Vector3;
use parry3d_f64::query::{DefaultQueryDispatcher, QueryDispatcher};
use rotula_dae::checkpoint::{Reader, Unreadable, Writer};
use rotula_lie::{Frame, Quaternion};
use std::collections::BTreeMap;
use std::fmt;

/// Two solids of which at least one is a box, a cylinder, a capsule or a mesh.
///
/// Each place where they might touch becomes a contact that is exact while the same features touch: a corner or a sphere on a face, beside an
/// edge or another corner, and edges that cross. Which features these are is found after each step, from the shapes themselves; a mesh
/// need not be convex.
///
/// A cylinder has no such features: the collision library finds its places, and each is a rim, a point or a sphere on a plane, or two spheres.
/// That is exact where it rolls on its rims over a plane or stands, on four points of one. Where it crosses an edge, the points
/// move over the bodies; they are then renewed after each step, and the gap is right to first order in the step.
#[derive(Clone)]
pub struct Solids {
    markers: [Marker; 2],
    /// Normals of the plane of motion in the axes of each marker.
    planes: [Option<Vector3<f64>>; 2],
    solids: [Solid; 2],
    passing: Option<Passing>,
    law: ImpactLaw,
    finder: Finder,
    found: Vec<Found>,
    next: Vec<Found>,
    /// Numbers of all places that were ever listed, by their keys.
    numbers: BTreeMap<u64, usize>,
}

/// How places of contact are found.
#[derive(Clone)]
enum Finder {
    Features(Box<[Skeleton; 2]>),
    Library(Manifolds),
}

impl fmt::Debug for Solids {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "rigid contact of {:?}", self.markers)
    }
}

impl Solids {
    /// Contact of two solids in the frames of the markers of a pair, seen from either marker.
    pub fn new(pairs: [&Pair; 2], shapes: [&Shape; 2], law: ImpactLaw) -> Result<Self, ModelError> {
        let solids = [Solid::of(shapes[0])?, Solid::of(shapes[1])?];
        let finder = match shapes.map(Skeleton::of) {
            [Some(first), Some(second)] => Finder::Features(Box::new([first, second])),
            _ => Finder::Library(Manifolds::default()),
        };
        Solids::between(pairs, solids, finder, law)
    }

    /// Contact of a solid with the plane z = 0 of the first marker.
    pub fn on_plane(pairs: [&Pair; 2], solid: &Shape, law: ImpactLaw) -> Result<Self, ModelError> {
        let solids = [Solid::plane(), Solid::of(solid)?];
        Solids::between(pairs, solids, Finder::Library(Manifolds::default()), law)
    }

    fn between(
        [pair, reverse]: [&Pair; 2],
        solids: [Solid; 2],
        finder: Finder,
        law: ImpactLaw,
    ) -> Result<Self, ModelError> {
        law.validate()?;
        Ok(Solids {
            markers: [pair.a, pair.b],
            planes: [pair.plane, reverse.plane],
            passing: Passing::new([pair.a, pair.b], solids.clone()),
            found: vec![far(&solids)],
            solids,
            law,
            finder,
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

    /// Lists the places of contact; the second solid is seen from the first.
    fn find(&mut self, second: &Frame, margin: f64) {
        let (planes, size) = (self.planes, self.size(f64::max));
        let thin = self.passing.as_ref().map_or(0.0, |passing| passing.thin);
        let Solids { finder, solids, next, .. } = self;
        next.clear();
        match finder {
            Finder::Features(skeletons) => {
                let skeletons = skeletons.each_ref();
                let frames = [second.inverse(), *second];
                let depth = margin.max(thin);
                let shapes = solids.each_ref().map(|solid| &*solid.shape);
                Meeting { skeletons, frames, planes, margin, depth, size, shapes }.find(next);
                if next.is_empty() {
                    next.extend(deepest(solids, second));
                }
            }
            Finder::Library(manifolds) => {
                manifolds.find(&Of { solids, planes, size }, second, margin, next);
            }
        }
        if self.next.is_empty() {
            self.next.push(far(&self.solids));
        }
    }

    /// A place that is listed already stays as it is listed, with its key. Reactions are carried over by keys.
    fn keep_listed(&mut self, size: f64) {
        let Solids { found, next, .. } = self;
        for new in next.iter_mut() {
            if let Some(old) = found.iter().find(|old| old.agrees(new, size)) {
                *new = *old;
            }
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
}

/// Where solids overlap so deeply that no feature of one is near the surface of the other.
fn deepest(solids: &[Solid; 2], second: &Frame) -> Option<Found> {
    if second.position.norm() > solids[0].around + solids[1].around {
        return None;
    }
    let shapes = solids.each_ref().map(|solid| &*solid.shape);
    let found = DefaultQueryDispatcher.contact(&to_pose(second), shapes[0], shapes[1], 0.0);
    let found = found.ok()??;
    let (normal, kind) = (from_library(&found.normal1), Kind::Plane(0));
    let foot = normal * normal.dot(&from_library(&found.point1));
    Some(Found {
        key: key(kind, u32::MAX, u32::MAX),
        kind,
        points: [foot.into(), from_library(&found.point2).into()],
        ways: [normal.into(), [0.0; 3]],
        radii: [0.0; 2],
    })
}

/// Spheres inside the solids, which never touch before the solids do.
fn far(solids: &[Solid; 2]) -> Found {
    Found::far(solids.each_ref().map(|solid| solid.inside))
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
        let size = self.size(f64::max);
        self.keep_listed(size);
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
        let made = self.found[contact].contact(&self.markers, &self.planes, self.law);
        made.expect("sizes and law have been checked")
    }

    fn save(&self, out: &mut Writer) {
        out.put(&(&self.found, &self.numbers));
    }

    fn load(&mut self, from: &mut Reader) -> Result<(), Unreadable> {
        let (found, numbers): (Vec<Found>, _) = from.get()?;
        if !found.iter().all(Found::is_sound) {
            return Err(Unreadable);
        }
        (self.found, self.numbers) = (found, numbers);
        Ok(())
    }
}
