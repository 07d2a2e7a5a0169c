//! The links of a mechanism as it stands at a state, and the bodies on them.

use super::chart::Chart;
use super::link::{Freedom, GROUND, Link, links_of_flight, links_of_joint};
use super::spanning::Carried;
use crate::assembly::{Assembly, Branch};
use crate::node::NodeKind;
use nalgebra::Vector3;
use rotula_lie::Frame;

/// A body on its link, whose axes it has.
#[derive(Clone, Debug)]
pub(super) struct Rider {
    pub node: usize,
    /// The link that carries it, and its links from the one after its carrier's on.
    pub link: usize,
    pub first: usize,
    /// The joint among all; none for a body that flies.
    pub joint: Option<usize>,
    /// Where its node is on the link.
    pub arm: Vector3<f64>,
    /// Of a planar body: its angle where everything began, and how much of which coordinates has come to it.
    pub turned: Option<(f64, Vec<(usize, f64)>)>,
}

/// All links, each after the one before it, and all bodies.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub links: Vec<Link>,
    pub riders: Vec<Rider>,
    /// The place of each node among the riders; of no meaning for the ground.
    pub rider_of: Vec<usize>,
    pub chart: Chart,
    /// Numbers of all coordinates and velocities.
    pub stored: usize,
    pub count: usize,
}

impl Layout {
    /// The links where bodies stand as in the configuration `q` of the whole system.
    pub fn new(assembly: &Assembly, branches: &[Branch], order: &[Carried], q: &[f64]) -> Self {
        let nodes = assembly.nodes();
        let (mut links, mut riders): (Vec<Link>, Vec<Rider>) = (Vec::new(), Vec::new());
        // where links stand in the world
        let mut stands: Vec<Frame> = Vec::new();
        let mut rider_of = vec![usize::MAX; nodes.len()];
        let (mut stored, mut count) = (0, 0);
        for Carried { node, by, joint } in order {
            let body = nodes[*node].frame(q);
            let (stand, freedoms) = match joint {
                None => links_of_flight(&nodes[*node].kind, &body),
                Some(k) => {
                    let pair = &branches[*k].pair;
                    let marker =
                        |marker: &crate::marker::Marker| nodes[marker.node].frame(q) * marker.frame;
                    let (a, b) = (marker(&pair.a), marker(&pair.b));
                    let second = pair.b.node == *node;
                    links_of_joint(branches[*k].word, pair, [&a, &b], second, &body)
                }
            };
            let mut parent = match by {
                0 => GROUND,
                by => riders[rider_of[*by]].link,
            };
            let first = links.len();
            for freedom in freedoms {
                let base = if parent == GROUND { Frame::identity() } else { stands[parent] };
                let place = stand.seen_from(&base);
                links.push(Link { parent, place, freedom, q: stored, v: count });
                stands.push(stand);
                parent = links.len() - 1;
                stored += freedom.stored();
                count += freedom.count();
            }
            rider_of[*node] = riders.len();
            let arm = stand.transform_point_back(&body.position);
            let link = links.len() - 1;
            let turned = None;
            riders.push(Rider { node: *node, link, first, joint: *joint, arm, turned });
        }
        let mut layout =
            Layout { chart: Chart::new(&links), links, riders, rider_of, stored, count };
        for k in 0..layout.riders.len() {
            let node = &nodes[layout.riders[k].node];
            if let NodeKind::Planar(plane) = node.kind {
                let normal = plane.orientation.rotate(&Vector3::z());
                layout.riders[k].turned = Some((q[node.q + 2], layout.turns(k, &normal, &stands)));
            }
        }
        layout
    }

    /// The turns on the way from the ground to a body, with how much each turns about a normal.
    fn turns(&self, rider: usize, normal: &Vector3<f64>, stands: &[Frame]) -> Vec<(usize, f64)> {
        let turn = |link: usize| match self.links[link].freedom {
            Freedom::Turn(axis) => {
                let axis = stands[link].orientation.rotate(&axis);
                Some((self.links[link].q, axis.dot(normal)))
            }
            _ => None,
        };
        self.way_down(self.riders[rider].link).filter_map(turn).collect()
    }

    /// A link and those before it, down to the ground.
    pub fn way_down(&self, link: usize) -> impl Iterator<Item = usize> + '_ {
        let before = |link: &usize| Some(self.links[*link].parent).filter(|link| *link != GROUND);
        std::iter::successors(Some(link).filter(|link| *link != GROUND), before)
    }

    /// The velocities of the links from one down to the ground, in no order.
    pub fn columns_down(&self, link: usize) -> impl Iterator<Item = usize> + '_ {
        self.way_down(link).flat_map(|link| self.columns(link))
    }

    /// The velocities of a link.
    pub fn columns(&self, link: usize) -> std::ops::Range<usize> {
        let link = &self.links[link];
        link.v..link.v + link.freedom.count()
    }

    /// The link of each velocity.
    pub fn links_of_columns(&self) -> Vec<usize> {
        (0..self.links.len()).flat_map(|link| self.columns(link).map(move |_| link)).collect()
    }

    /// The last link that two links have in common on their ways from the ground; [`GROUND`] if none.
    pub fn fork(&self, one: usize, other: usize) -> usize {
        let (mut one, mut other) = (one, other);
        while one != other {
            if one == GROUND || other == GROUND {
                return GROUND;
            }
            // links come after those before them
            if one > other {
                one = self.links[one].parent;
            } else {
                other = self.links[other].parent;
            }
        }
        one
    }

    /// The frames of all links.
    pub fn frames(&self, q: &[f64], out: &mut Vec<Frame>) {
        out.clear();
        for link in &self.links {
            let base = match link.parent {
                GROUND => link.place,
                parent => out[parent] * link.place,
            };
            out.push(base * link.motion(q));
        }
    }

    /// Writes the frame of a body into a configuration of the whole system.
    pub fn store(
        &self,
        rider: &Rider,
        frame: &Frame,
        own: &[f64],
        assembly: &Assembly,
        q: &mut [f64],
    ) {
        let node = &assembly.nodes()[rider.node];
        let place = frame.transform_point(&rider.arm);
        node.store(&Frame::new(place, frame.orientation), q);
        if let Some((start, terms)) = &rider.turned {
            // angles keep all their turns
            let turn: f64 = terms.iter().map(|(k, part)| part * own[*k]).sum();
            q[node.q + 2] = start + turn;
        }
    }
}
