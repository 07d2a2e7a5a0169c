//! Planar nodes that something holds, four at a time: what a step of the iteration does to each of them.

use crate::lanes::{LANES, Number, each, lane};
use crate::node::{Node, NodeKind};
use crate::rates::Rates;
use crate::small_angle::{sincs, sines_cosines};

/// Where groups of four planar nodes have their configuration and velocity.
#[derive(Clone, Debug)]
pub(super) struct Flat {
    groups: Vec<[[usize; 2]; LANES]>,
    /// All other nodes.
    rest: Vec<usize>,
}

impl Flat {
    pub(super) fn new(nodes: &[Node]) -> Self {
        let planar = |k: &usize| {
            matches!(nodes[*k].kind, NodeKind::Planar(_)) && nodes[*k].rates == Rates::Body
        };
        let (flat, mut rest): (Vec<usize>, Vec<usize>) = (1..nodes.len()).partition(planar);
        let (whole, few) = flat.as_chunks::<LANES>();
        rest.extend(few);
        let places = |group: &[usize; LANES]| group.map(|k| [nodes[k].q, nodes[k].v]);
        Flat { groups: whole.iter().map(places).collect(), rest }
    }

    /// Nodes that are in no group.
    pub(super) fn rest(&self) -> &[usize] {
        &self.rest
    }

    /// Moves the nodes of the groups by an increment along the exponential map.
    pub(super) fn retract(&self, q: &[f64], increment: &[f64], out: &mut [f64]) {
        for group in &self.groups {
            let of = |k: usize| each(|l| q[group[l][0] + k]);
            let by = |k: usize| each(|l| increment[group[l][1] + k]);
            let (x, y, turn) = (by(0), by(1), by(2));
            let angle = of(2);
            let (sin, cos) = sines_cosines(angle);
            let (sine, versed) = sincs(turn);
            let across = turn * versed;
            let along = sine.times_plus(x, -across * y);
            let aside = across.times_plus(x, sine * y);
            let right = cos.times_plus(along, (-sin).times_plus(aside, of(0)));
            let up = sin.times_plus(along, cos.times_plus(aside, of(1)));
            // the angle is kept as it is, with all its turns
            let angle = angle + turn;
            for (l, [place, _]) in group.iter().enumerate() {
                let to = &mut out[*place..place + 3];
                (to[0], to[1], to[2]) = (lane(right, l), lane(up, l), lane(angle, l));
            }
        }
    }
}
