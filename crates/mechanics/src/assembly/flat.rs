//! Planar nodes that something holds, four at a time: what a step of the iteration does to each of them.

use crate::lanes::{LANES, Number, transposed, triples};
use crate::node::{Node, NodeKind};
use crate::rates::Rates;
use crate::small_angle::{sincs, sines_cosines};

/// Where groups of four planar nodes have their configuration and velocity.
#[derive(Clone, Debug)]
pub(super) struct Flat {
    /// The last node is repeated to fill its four.
    groups: Vec<Group>,
    /// All other nodes.
    rest: Vec<usize>,
}

#[derive(Clone, Debug)]
struct Group {
    q: [usize; LANES],
    v: [usize; LANES],
}

impl Flat {
    pub(super) fn new(nodes: &[Node]) -> Self {
        let planar = |k: &usize| {
            matches!(nodes[*k].kind, NodeKind::Planar(_)) && nodes[*k].rates == Rates::Body
        };
        let (flat, rest): (Vec<usize>, Vec<usize>) = (1..nodes.len()).partition(planar);
        let group = |few: &[usize]| {
            let node = |l: usize| &nodes[few[l.min(few.len() - 1)]];
            Group { q: std::array::from_fn(|l| node(l).q), v: std::array::from_fn(|l| node(l).v) }
        };
        Flat { groups: flat.chunks(LANES).map(group).collect(), rest }
    }

    /// Nodes that are in no group.
    pub(super) fn rest(&self) -> &[usize] {
        &self.rest
    }

    /// Moves the nodes of the groups by an increment along the exponential map.
    pub(super) fn retract(&self, q: &[f64], increment: &[f64], out: &mut [f64]) {
        for group in &self.groups {
            let [right, up, angle] = triples(q, group.q);
            let [x, y, turn] = triples(increment, group.v);
            let (sin, cos) = sines_cosines(angle);
            let (sine, versed) = sincs(turn);
            let across = turn * versed;
            let along = sine.times_plus(x, -across * y);
            let aside = across.times_plus(x, sine * y);
            let right = cos.times_plus(along, (-sin).times_plus(aside, right));
            let up = sin.times_plus(along, cos.times_plus(aside, up));
            // the angle is kept as it is, with all its turns
            let angle = angle + turn;
            let moved = transposed([right, up, angle, angle]);
            for (to, moved) in group.q.iter().zip(moved) {
                let [right, up, angle, _] = moved.into();
                out[*to..*to + 3].copy_from_slice(&[right, up, angle]);
            }
        }
    }
}
