//! Planar nodes four at a time: what a step of the iteration does to each of them.

use crate::node::{Node, NodeKind};
use crate::small_angle::{LANES, Lanes, sincs, sines_cosines};

/// Where groups of four planar nodes have their configuration and velocity.
#[derive(Clone, Debug)]
pub(super) struct Flat {
    groups: Vec<[[usize; 2]; LANES]>,
    /// All other nodes.
    rest: Vec<usize>,
}

impl Flat {
    pub(super) fn new(nodes: &[Node]) -> Self {
        let planar = |k: &usize| matches!(nodes[*k].kind, NodeKind::Planar(_));
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
            let three = |values: &[f64], first: usize| -> [f64; 3] {
                values[first..first + 3].try_into().expect("three numbers")
            };
            let from = group.map(|[place, _]| three(q, place));
            let by = group.map(|[_, place]| three(increment, place));
            let (sin, cos) = sines_cosines(from.map(|[_, _, angle]| angle));
            let (sine, versed) = sincs(by.map(|[_, _, turn]| turn));
            let (mut right, mut up): (Lanes, Lanes) = Default::default();
            for l in 0..LANES {
                let [x, y, turn] = by[l];
                let across = turn * versed[l];
                let along = sine[l] * x - across * y;
                let aside = across * x + sine[l] * y;
                right[l] = cos[l] * along - sin[l] * aside;
                up[l] = sin[l] * along + cos[l] * aside;
            }
            for (l, [place, _]) in group.iter().enumerate() {
                let to = &mut out[*place..place + 3];
                to[0] = from[l][0] + right[l];
                to[1] = from[l][1] + up[l];
                // the angle is kept as it is, with all its turns
                to[2] = from[l][2] + by[l][2];
            }
        }
    }
}
