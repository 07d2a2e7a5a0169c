//! Planar beams of one plane, evaluated together: every section once, from the arrays of the
//! integrator, and every force on a node turned into its axes once.

use super::places::Block;
use super::{Moment, Part};
use crate::element::beam::{Knot, MOST_NODES, Rule, Slope, Turn};
use crate::node::{Node, NodeKind};
use crate::small_angle::{LANES, Lanes, sines_cosines};
use nalgebra::{Matrix3, Vector2, Vector3};
use rotula_dae::{Point, Weights};
use rotula_lie::Frame;
use std::f64::consts::{PI, TAU};

/// The planar beams of a plane.
#[derive(Clone, Debug)]
pub(super) struct Sheet {
    plane: Frame,
    /// The nodes, and where each has its numbers.
    nodes: Vec<usize>,
    places: Vec<[usize; 2]>,
    elements: Vec<Piece>,
    angles: Vec<Lanes>,
    knots: Vec<Knot>,
    forces: Vec<Vector3<f64>>,
    /// How body variations of the nodes follow from increments.
    turned: Vec<Matrix3<f64>>,
}

/// An element and its nodes among those of the sheet.
#[derive(Clone, Debug)]
struct Piece {
    rule: Rule,
    nodes: [usize; MOST_NODES],
    blocks: Vec<Block>,
}

impl Sheet {
    /// Collects the elements that can be evaluated together, and marks them.
    pub(super) fn gather(parts: &mut [Part], nodes: &[Node]) -> Vec<Sheet> {
        let mut sheets: Vec<Sheet> = Vec::new();
        for part in parts {
            let Some(beam) = part.element.as_planar() else { continue };
            let NodeKind::Planar(plane) = nodes[part.nodes[0]].kind else { continue };
            let together = part.nodes.iter().all(|n| nodes[*n].kind == NodeKind::Planar(plane));
            let Some(rule) = beam.rule_in(&plane).filter(|_| together) else { continue };
            let known = sheets.iter().position(|sheet| sheet.plane == plane);
            let index = known.unwrap_or_else(|| {
                sheets.push(Sheet::new(plane));
                sheets.len() - 1
            });
            sheets[index].add(rule.clone(), part);
            part.gathered = true;
        }
        sheets.iter_mut().for_each(|sheet| sheet.make_room(nodes));
        sheets
    }

    fn new(plane: Frame) -> Self {
        Sheet {
            plane,
            nodes: Vec::new(),
            places: Vec::new(),
            elements: Vec::new(),
            angles: Vec::new(),
            knots: Vec::new(),
            forces: Vec::new(),
            turned: Vec::new(),
        }
    }

    fn add(&mut self, rule: Rule, part: &Part) {
        let mut nodes = [0; MOST_NODES];
        for (slot, node) in part.nodes.iter().enumerate() {
            // neighbours share their last node
            let known = self.nodes.iter().rposition(|n| n == node);
            nodes[slot] = known.unwrap_or_else(|| {
                self.nodes.push(*node);
                self.nodes.len() - 1
            });
        }
        self.elements.push(Piece { rule, nodes, blocks: part.blocks.clone() });
    }

    fn make_room(&mut self, nodes: &[Node]) {
        let count = self.nodes.len();
        self.places = self.nodes.iter().map(|n| [nodes[*n].q, nodes[*n].v]).collect();
        self.angles = vec![[0.0; LANES]; count.div_ceil(LANES)];
        self.knots = vec![Knot::default(); count];
        self.forces = vec![Vector3::zeros(); count];
        self.turned = vec![Matrix3::identity(); count];
    }

    /// Adds inertia and forces of all elements.
    pub(super) fn add_residual(&mut self, at: &Point, out: &mut [f64]) {
        self.place(at);
        self.forces.fill(Vector3::zeros());
        for Piece { rule, nodes, .. } in &self.elements {
            let (knots, forces) = (&self.knots[..], &mut self.forces[..]);
            match rule.count() {
                2 => push::<2>(rule, nodes, knots, forces),
                3 => push::<3>(rule, nodes, knots, forces),
                _ => push::<MOST_NODES>(rule, nodes, knots, forces),
            }
        }
        for ((knot, force), [_, v]) in self.knots.iter().zip(&self.forces).zip(&self.places) {
            let own = knot.turn.back(&force.xy());
            let out = &mut out[*v..*v + 3];
            out[0] += own.x;
            out[1] += own.y;
            out[2] += force.z;
        }
    }

    /// Adds the tangents of the same.
    pub(super) fn add_tangent(
        &mut self,
        at: &Point,
        weights: Weights,
        moment: &Moment,
        values: &mut [f64],
    ) {
        self.place(at);
        for (turned, node) in self.turned.iter_mut().zip(&self.nodes) {
            *turned = moment.flat_tangent(*node);
        }
        for piece in &self.elements {
            let sections = (&self.knots[..], &self.turned[..]);
            match piece.rule.count() {
                2 => lean::<2>(piece, sections, weights, values),
                3 => lean::<3>(piece, sections, weights, values),
                _ => lean::<MOST_NODES>(piece, sections, weights, values),
            }
        }
    }

    /// Works out all sections.
    fn place(&mut self, at: &Point) {
        for (angle, [q, _]) in self.angles.as_flattened_mut().iter_mut().zip(&self.places) {
            *angle = at.q[q + 2];
        }
        let groups = self.knots.chunks_mut(LANES).zip(self.places.chunks(LANES));
        for ((knots, places), angles) in groups.zip(&self.angles) {
            let (sines, cosines) = sines_cosines(*angles);
            for (l, (knot, [q, v])) in knots.iter_mut().zip(places).enumerate() {
                let turn = Turn { cos: cosines[l], sin: sines[l] };
                let place = Vector2::new(at.q[*q], at.q[q + 1]);
                let three = |a: &[f64]| Vector3::new(a[*v], a[v + 1], a[v + 2]);
                *knot = Knot::new((place, angles[l], turn), three(at.v), three(at.vdot));
            }
        }
    }
}

/// The sections of an element, angles as seen from the first.
#[inline(always)]
fn own<const N: usize>(nodes: &[usize; MOST_NODES], knots: &[Knot]) -> [Knot; N] {
    let mut own: [Knot; N] = std::array::from_fn(|k| knots[nodes[k]]);
    let first = own[0].angle;
    for knot in &mut own {
        knot.angle -= first;
        // nodes count their turns each from its own start
        if knot.angle.abs() > PI {
            knot.angle -= TAU * (knot.angle / TAU).round();
        }
    }
    own
}

/// Adds the forces of an element to its nodes.
#[inline(always)]
fn push<const N: usize>(
    rule: &Rule,
    nodes: &[usize; MOST_NODES],
    knots: &[Knot],
    forces: &mut [Vector3<f64>],
) {
    for (force, node) in rule.forces(&own::<N>(nodes, knots)).iter().zip(nodes) {
        forces[*node] += force;
    }
}

/// Adds the tangent of an element.
#[inline(always)]
fn lean<const N: usize>(
    Piece { rule, nodes, blocks }: &Piece,
    (knots, turned): (&[Knot], &[Matrix3<f64>]),
    weights: Weights,
    values: &mut [f64],
) {
    let own = own::<N>(nodes, knots);
    rule.slopes(&own, weights, |Slope { row, col, by_variation, plain }| {
        let block = by_variation * turned[nodes[*col]] + plain;
        blocks[row * N + col].add_flat(&block, values);
    });
}
