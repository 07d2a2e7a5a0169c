//! The surface of a beam between its nodes: a chain of straight pieces with a radius.
//!
//! Two-node elements bend between their nodes; the chain takes their chords, so its distance from the
//! axis is an eighth of curvature times squared length, which smaller elements make small. A plane needs
//! none of this: a straight piece is nearest to it at one of its ends, so nodes with spheres do.

use super::nearest::nearest;
use super::pairs::{not_negative, positive};
use super::piece::{Piece, Told};
use super::{CandidateList, ImpactLaw, Sphere, Unilateral};
use crate::constraint::Constraint;
use crate::error::{ModelError, refusal};
use crate::marker::Marker;
use crate::scene::World;
use nalgebra::Vector3;
use rotula_dae::checkpoint::{Reader, Unreadable, Writer};

/// Gaps below this part of the reach are always listed.
const SLACK: f64 = 0.05;

/// A beam that touches a sphere or another beam.
///
/// Where it touches is found by the shortest way to each of its pieces; force and friction act on the two
/// nodes of the piece by the place between them. Corners of the chain belong to the piece before them.
/// Friction along and across the piece is not defined where the way leaves a free end of the beam along
/// its axis.
#[derive(Clone, Debug)]
pub struct Chain {
    nodes: Vec<Marker>,
    /// One marker: a sphere; more: another chain.
    other: Vec<Marker>,
    radii: [f64; 2],
    law: ImpactLaw,
    /// Everything moves in one plane.
    planar: bool,
    found: Vec<(u32, u32)>,
    next: Vec<(u32, u32)>,
}

impl Chain {
    /// A beam, by the markers of its nodes in a row and its radius, and a sphere.
    pub fn with_sphere(
        nodes: Vec<Marker>,
        radius: f64,
        sphere: Sphere,
        planar: bool,
        law: ImpactLaw,
    ) -> Result<Self, ModelError> {
        Chain::new(nodes, vec![sphere.marker], [radius, sphere.radius], planar, law)
    }

    /// Two beams, each by the markers of its nodes in a row and its radius.
    pub fn with_chain(
        nodes: Vec<Marker>,
        other: Vec<Marker>,
        radii: [f64; 2],
        planar: bool,
        law: ImpactLaw,
    ) -> Result<Self, ModelError> {
        if other.len() < 2 {
            let what = "the second beam has fewer than two nodes";
            return Err(ModelError::invalid("contact", what));
        }
        Chain::new(nodes, other, radii, planar, law)
    }

    fn new(
        nodes: Vec<Marker>,
        other: Vec<Marker>,
        radii: [f64; 2],
        planar: bool,
        law: ImpactLaw,
    ) -> Result<Self, ModelError> {
        law.validate()?;
        not_negative("radius", radii[0])?;
        not_negative("radius", radii[1])?;
        positive("sum of the radii", radii[0] + radii[1])?;
        if nodes.len() < 2 {
            return Err(ModelError::invalid("contact", "the beam has fewer than two nodes"));
        }
        let mut chain =
            Chain { nodes, other, radii, law, planar, found: Vec::new(), next: Vec::new() };
        let first = chain.pairs().next();
        let Some(first) = first else {
            let what = refusal!(
                "no piece of the beam is free of the other body";
                "shorten the elements there"
            );
            return Err(ModelError::invalid("contact", what));
        };
        chain.found.push(first);
        Ok(chain)
    }

    fn alone(&self) -> bool {
        self.other.len() == 1
    }

    /// Pieces that may touch; those that share a body do not.
    fn pairs(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let seconds = if self.alone() { 1 } else { self.other.len() - 1 };
        (0..self.nodes.len() - 1)
            .flat_map(move |i| (0..seconds).map(move |j| (i as u32, j as u32)))
            .filter(|pair| {
                let markers = self.markers(*pair);
                let (own, others) = markers.split_at(2);
                let shared = |a: &Marker| others.iter().flatten().any(|b| b.node == a.node);
                !own.iter().flatten().any(shared)
            })
    }

    /// The ends of both pieces.
    fn markers(&self, (i, j): (u32, u32)) -> [Option<Marker>; 4] {
        let (i, j) = (i as usize, j as usize);
        let last = if self.alone() { None } else { Some(self.other[j + 1]) };
        [Some(self.nodes[i]), Some(self.nodes[i + 1]), Some(self.other[j]), last]
    }

    /// The gap of a pair and how far it may close, unless its place belongs to another piece.
    fn look(&self, world: &World, pair: (u32, u32), horizon: f64) -> Option<(f64, f64)> {
        let (mut places, mut travel) = ([[0.0; 3]; 4], [0.0f64; 2]);
        for (k, marker) in self.markers(pair).iter().enumerate() {
            let Some(marker) = marker else { continue };
            let m = &world.motions[marker.node];
            let arm = marker.frame.position;
            places[k] = (m.position + m.rotation * arm).into();
            let (reach, side) = (arm.norm() + self.radii[k / 2], &mut travel[k / 2]);
            let speed = m.velocity.norm() + m.omega.norm() * reach;
            let gain = m.velocity_rate.norm() + m.omega_rate.norm() * reach;
            *side = side.max(horizon * (speed + horizon * gain));
        }
        let found = nearest(&places, self.alone());
        let before = |at: f64, piece: u32| at <= 0.0 && piece > 0;
        if before(found.first, pair.0) || before(found.second, pair.1) {
            return None;
        }
        let reach = self.radii[0] + self.radii[1];
        let gap = Vector3::from(found.way).norm() - reach;
        Some((gap, SLACK * reach + travel[0] + travel[1]))
    }

    fn build(&self, pair: (u32, u32)) -> Result<Unilateral, ModelError> {
        let markers: Vec<Marker> = self.markers(pair).into_iter().flatten().collect();
        let told = |told: Told| Box::new(Piece::new(&markers, self.radii, told));
        let directions = if self.planar { 1 } else { 2 };
        let slip = (self.law.friction > 0.0)
            .then(|| told(Told::Slip { directions }) as Box<dyn Constraint>);
        let contact = Unilateral::new(told(Told::Gap), slip, self.law)?;
        let sphere = Sphere { marker: markers[2], radius: self.radii[1] };
        Ok(if self.alone() { contact.touching_with(sphere) } else { contact })
    }
}

impl CandidateList for Chain {
    fn renew(&mut self, world: &World, horizon: f64) -> bool {
        let mut next = std::mem::take(&mut self.next);
        next.clear();
        let mut closest: Option<(f64, (u32, u32))> = None;
        for pair in self.pairs() {
            let Some((gap, margin)) = self.look(world, pair, horizon) else { continue };
            if gap <= margin {
                next.push(pair);
            }
            if closest.is_none_or(|(least, _)| gap < least) {
                closest = Some((gap, pair));
            }
        }
        if next.is_empty() {
            next.push(closest.map_or(self.found[0], |(_, pair)| pair));
        }
        let changed = next != self.found;
        self.next = std::mem::replace(&mut self.found, next);
        changed
    }

    fn count(&self) -> usize {
        self.found.len()
    }

    fn key(&self, contact: usize) -> u64 {
        let (i, j) = self.found[contact];
        u64::from(i) << 24 | u64::from(j)
    }

    fn describe(&self, contact: usize) -> String {
        let (i, j) = self.found[contact];
        match self.alone() {
            true => format!("element {}", i + 1),
            false => format!("elements {} and {}", i + 1, j + 1),
        }
    }

    fn contact(&self, contact: usize) -> Unilateral {
        self.build(self.found[contact]).expect("radii and law have been checked")
    }

    fn save(&self, out: &mut Writer) {
        out.put(&self.found);
    }

    fn load(&mut self, from: &mut Reader) -> Result<(), Unreadable> {
        self.found = from.get()?;
        Ok(())
    }
}
