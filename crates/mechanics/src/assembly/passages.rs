//! How long steps may be, so that nothing passes through anything unseen.

use super::touching::Touching;
use super::{Assembly, Inertia, Push};
use crate::node::Motion;
use crate::passing::{Ends, Mobility, Resolution};
use crate::scene::World;
use rotula_dae::Point;

/// What is looked at.
#[derive(Clone, Debug)]
pub(super) struct Watched {
    /// Nodes with solids that might pass through others.
    nodes: Vec<usize>,
    /// How forces move each node.
    mobility: Vec<Mobility>,
    /// Motions of all nodes at two points; those of the nodes above are kept up to date.
    motions: [Vec<Motion>; 2],
}

impl Watched {
    pub(super) fn new(
        (pushes, soft): (&[Push], &[usize]),
        touching: &Touching,
        bodies: &[Inertia],
        motions: &[Motion],
    ) -> Self {
        let mut nodes: Vec<usize> =
            soft.iter().flat_map(|&k| pushes[k].nodes.iter().copied()).collect();
        nodes.extend(touching.watched());
        nodes.sort_unstable();
        nodes.dedup();
        let mut mobility = vec![Mobility::default(); motions.len()];
        for body in bodies {
            mobility[body.node] = Mobility::new(body.mass, &body.moments);
        }
        Watched { nodes, mobility, motions: [motions.to_vec(), motions.to_vec()] }
    }

    /// Bounces are seen by a part of them, of the fastest motion at the first point.
    fn resolution(&self, part: f64) -> Resolution {
        let speeds = self.nodes.iter().map(|&node| self.motions[0][node].velocity.norm());
        Resolution { part, fastest: speeds.fold(0.0, f64::max) }
    }
}

impl Assembly {
    fn see_watched(&mut self, end: usize, at: &Point) {
        let Watched { nodes, motions, .. } = &mut self.watched;
        for &node in nodes.iter().filter(|node| **node > 0) {
            motions[end][node] = self.nodes[node].motion(at);
        }
    }

    /// Whether some contact or stop may shorten steps.
    pub(crate) fn watches(&self) -> bool {
        !self.watched.nodes.is_empty()
    }

    /// How long a step from here may be, that would be `h` and is to be a part of what bounces softly, or would meet softly if all
    /// went on as it moves; or in which what is rigid and touches hits.
    pub(super) fn longest_from(&mut self, at: &Point, h: f64, part: f64) -> f64 {
        if !self.watches() {
            return f64::INFINITY;
        }
        self.see_watched(0, at);
        let mut most = self.touching.struck(&self.watched.motions[0], h);
        if self.soft.is_empty() {
            return most;
        }
        let resolution = self.watched.resolution(part);
        let Watched { nodes, motions: [motions, ahead], mobility } = &mut self.watched;
        for &node in nodes.iter().filter(|node| **node > 0) {
            ahead[node] = motions[node].ahead(h);
        }
        let ends = Ends { from: motions, to: ahead, h };
        let none: &[f64] = &[];
        let world =
            World { t: at.t, motions, angles: none, functions: &[], states: none, variables: none };
        let longest = |push: &mut Push| {
            let contact = push.force.as_contact();
            contact.map_or(f64::INFINITY, |contact| {
                let touching = contact.longest_while_touching(&world, mobility, resolution);
                touching.min(contact.longest_until_met(&ends, mobility, resolution))
            })
        };
        for &k in &self.soft {
            most = most.min(longest(&mut self.pushes[k]));
        }
        most
    }

    /// How long the step from one point to another may be, so that whatever meets in it is seen to do so.
    pub(super) fn longest_to(&mut self, from: &Point, to: &Point, part: f64) -> f64 {
        if !self.watches() {
            return f64::INFINITY;
        }
        self.see_watched(0, from);
        self.see_watched(1, to);
        let resolution = self.watched.resolution(part);
        let Watched { motions: [before, after], mobility, .. } = &self.watched;
        let ends = Ends { from: before, to: after, h: to.t - from.t };
        let mut most = self.touching.met(&ends);
        for &k in &self.soft {
            if let Some(contact) = self.pushes[k].force.as_contact() {
                most = most.min(contact.longest_until_met(&ends, mobility, resolution));
            }
        }
        most
    }
}
