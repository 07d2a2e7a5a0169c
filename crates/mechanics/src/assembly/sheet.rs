//! Planar beams of one plane, evaluated together: every section once, from the arrays of the
//! integrator, four elements at a time, and every force on a node turned into its axes once.

use super::places::Block;
use super::{Moment, Part};
use crate::element::beam::{Knot, MOST_NODES, Rule, Slope, Turn};
use crate::lanes::{LANES, Lanes, Number, each, lane, transposed, triples};
use crate::node::{Node, NodeKind};
use crate::small_angle::sines_cosines;
use nalgebra::{Matrix3, SimdValue, Vector2, Vector3};
use rotula_dae::{Point, Weights};
use rotula_lie::Frame;

/// The planar beams of a plane.
#[derive(Clone, Debug)]
pub(super) struct Sheet {
    plane: Frame,
    /// The nodes, and where each has its numbers; the last one is repeated to fill its four.
    nodes: Vec<usize>,
    places: Vec<[usize; 2]>,
    pieces: Vec<Piece>,
    fours: Vec<Four>,
    damped: bool,
    sections: Sections,
    /// Forces on the nodes, moments and a zero, axes of the plane.
    forces: Vec<Lanes>,
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

/// Elements with equally many nodes that are evaluated at once.
#[derive(Clone, Debug)]
struct Four {
    rule: Rule<Lanes>,
    /// Of each slot the nodes in all lanes; lanes without an element repeat the last one.
    nodes: [[usize; LANES]; MOST_NODES],
    /// The elements.
    pieces: std::ops::Range<usize>,
}

/// The sections at the nodes. A register holds four numbers of one of them: to get one number of four
/// sections rows and columns are exchanged, which is quicker than to collect them one by one.
#[derive(Clone, Debug, Default)]
struct Sections {
    /// Place, angle and its second derivative; turn and acceleration.
    at: Vec<[Lanes; 2]>,
    /// Velocity, rate of the angle, and a zero.
    velocity: Vec<Lanes>,
}

impl Sheet {
    /// Collects the elements that can be evaluated together, and marks them.
    pub(super) fn gather(parts: &mut [Part], nodes: &[Node]) -> Vec<Sheet> {
        let mut sheets: Vec<Sheet> = Vec::new();
        // a node moves in one plane: it has a place in one sheet at most
        let mut places: Vec<Option<usize>> = vec![None; nodes.len()];
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
            sheets[index].add(rule.clone(), part, &mut places);
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
            pieces: Vec::new(),
            fours: Vec::new(),
            damped: false,
            sections: Sections::default(),
            forces: Vec::new(),
            turned: Vec::new(),
        }
    }

    /// Adds an element; `places` tells where each node of the model stands among those of its sheet.
    fn add(&mut self, rule: Rule, part: &Part, places: &mut [Option<usize>]) {
        let mut nodes = [0; MOST_NODES];
        for (slot, &node) in part.nodes.iter().enumerate() {
            nodes[slot] = *places[node].get_or_insert_with(|| {
                self.nodes.push(node);
                self.nodes.len() - 1
            });
        }
        self.damped |= rule.damped();
        self.pieces.push(Piece { rule, nodes, blocks: part.blocks.clone() });
    }

    fn make_room(&mut self, nodes: &[Node]) {
        self.places = self.nodes.iter().map(|n| [nodes[*n].q, nodes[*n].v]).collect();
        let last = self.places[self.places.len() - 1];
        self.places.resize(self.places.len().next_multiple_of(LANES), last);
        let (zero, count) = (Lanes::splat(0.0), self.places.len());
        self.sections = Sections { at: vec![[zero; 2]; count], velocity: vec![zero; count] };
        self.forces = vec![zero; count];
        self.turned = vec![Matrix3::identity(); self.nodes.len()];
        let mut first = 0;
        for alike in self.pieces.chunk_by(|a, b| a.rule.count() == b.rule.count()) {
            for few in alike.chunks(LANES) {
                let piece = |l: usize| &few[l.min(few.len() - 1)];
                self.fours.push(Four {
                    rule: Rule::of_four(std::array::from_fn(|l| &piece(l).rule)),
                    nodes: std::array::from_fn(|k| std::array::from_fn(|l| piece(l).nodes[k])),
                    pieces: first..first + few.len(),
                });
                first += few.len();
            }
        }
    }

    /// Adds inertia and forces of all elements.
    pub(super) fn add_residual(&mut self, at: &Point, out: &mut [f64]) {
        self.sections.place(&self.places, self.damped, at);
        self.forces.fill(Lanes::splat(0.0));
        for four in &self.fours {
            match four.rule.count() {
                2 => push::<2>(four, &self.sections, &mut self.forces),
                3 => push::<3>(four, &self.sections, &mut self.forces),
                _ => push::<MOST_NODES>(four, &self.sections, &mut self.forces),
            }
        }
        let sections = self.sections.at.iter().zip(&self.forces);
        for ((section, force), [_, v]) in sections.zip(&self.places[..self.nodes.len()]) {
            let [x, y, moment, _] = (*force).into();
            let turn = Turn { cos: lane(section[1], 0), sin: lane(section[1], 1) };
            let own = turn.back(&Vector2::new(x, y));
            let out = &mut out[*v..*v + 3];
            out[0] += own.x;
            out[1] += own.y;
            out[2] += moment;
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
        self.sections.place(&self.places, true, at);
        for (turned, node) in self.turned.iter_mut().zip(&self.nodes) {
            *turned = moment.flat_tangent(*node);
        }
        for four in &self.fours {
            let pieces = &self.pieces[four.pieces.clone()];
            let sections = (&self.sections, &self.turned[..]);
            match four.rule.count() {
                2 => lean::<2>(four, pieces, sections, weights, values),
                3 => lean::<3>(four, pieces, sections, weights, values),
                _ => lean::<MOST_NODES>(four, pieces, sections, weights, values),
            }
        }
    }
}

impl Sections {
    /// Works out all sections, with velocities if they are asked for.
    fn place(&mut self, places: &[[usize; 2]], velocities: bool, at: &Point) {
        for (group, places) in places.as_chunks::<LANES>().0.iter().enumerate() {
            let [x, y, angle] = triples(at.q, places.map(|[q, _]| q));
            let (sin, cos) = sines_cosines(angle);
            let rates = places.map(|[_, v]| v);
            let [velocity, rate] =
                [at.v, at.vdot].map(|values| Vector3::from(triples(values, rates)));
            let place = (Vector2::new(x, y), angle, Turn { cos, sin });
            let knot = Knot::new(place, velocity, rate);
            let a = knot.acceleration;
            let first = transposed([knot.place.x, knot.place.y, angle, a.z]);
            let second = transposed([cos, sin, a.x, a.y]);
            let at = &mut self.at[group * LANES..][..LANES];
            for (l, at) in at.iter_mut().enumerate() {
                *at = [first[l], second[l]];
            }
            if velocities {
                let zero = Lanes::splat(0.0);
                let rows = transposed([knot.velocity.x, knot.velocity.y, knot.omega, zero]);
                self.velocity[group * LANES..][..LANES].copy_from_slice(&rows);
            }
        }
    }

    /// The sections at four nodes, without velocities unless they are asked for.
    #[inline(always)]
    fn knot(&self, nodes: &[usize; LANES], velocities: bool) -> Knot<Lanes> {
        let [a, b, c, d] = nodes;
        let (a, b, c, d) = (&self.at[*a], &self.at[*b], &self.at[*c], &self.at[*d]);
        let [x, y, angle, turning] = transposed([a[0], b[0], c[0], d[0]]);
        let [cos, sin, right, up] = transposed([a[1], b[1], c[1], d[1]]);
        let (mut velocity, mut omega) = (Vector2::zeros(), Lanes::splat(0.0));
        if velocities {
            let rows = transposed(nodes.map(|node| self.velocity[node]));
            (velocity, omega) = (Vector2::new(rows[0], rows[1]), rows[2]);
        }
        Knot {
            place: Vector2::new(x, y),
            angle,
            turn: Turn { cos, sin },
            velocity,
            omega,
            acceleration: Vector3::new(right, up, turning),
        }
    }
}

/// The sections of four elements, angles as seen from the first.
#[inline(always)]
fn own<const N: usize>(four: &Four, sections: &Sections, velocities: bool) -> [Knot<Lanes>; N] {
    let mut own = [Knot::at_rest(); N];
    for (knot, nodes) in own.iter_mut().zip(&four.nodes) {
        *knot = sections.knot(nodes, velocities);
    }
    let first = own[0].angle;
    for knot in &mut own {
        // nodes count their turns each from its own start
        knot.angle = (knot.angle - first).without_turns();
    }
    own
}

/// Adds the forces of four elements to their nodes.
#[inline(always)]
fn push<const N: usize>(four: &Four, sections: &Sections, forces: &mut [Lanes]) {
    let Four { rule, nodes, pieces } = four;
    let pushed = rule.forces(&own::<N>(four, sections, rule.damped()));
    for (force, nodes) in pushed.iter().zip(nodes) {
        let each = transposed([force.x, force.y, force.z, Lanes::splat(0.0)]);
        for (node, own) in nodes.iter().zip(each).take(pieces.len()) {
            forces[*node] += own;
        }
    }
}

/// Adds the tangents of four elements.
#[inline(always)]
fn lean<const N: usize>(
    four: &Four,
    pieces: &[Piece],
    (sections, turned): (&Sections, &[Matrix3<f64>]),
    weights: Weights,
    values: &mut [f64],
) {
    let own = own::<N>(four, sections, true);
    let turned: [Matrix3<Lanes>; N] = std::array::from_fn(|k| {
        Matrix3::from_fn(|i, j| each(|l| turned[four.nodes[k][l]][(i, j)]))
    });
    four.rule.slopes(&own, weights, |Slope { row, col, by_variation, plain }| {
        let block = by_variation * turned[*col] + plain;
        for (l, piece) in pieces.iter().enumerate() {
            piece.blocks[row * N + col].add_flat(&block.map(|four| lane(four, l)), values);
        }
    });
}
