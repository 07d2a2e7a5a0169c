//! Angles that count their turns: kept behind the nodes in the configuration.

use super::Assembly;
use crate::measure::{MAX_NODES, Measure, nearest_turn};
use crate::node::Motion;
use crate::scene::{Scene, World};

/// An angle that counts its turns, kept behind the nodes in the configuration.
#[derive(Clone, Debug)]
pub(super) struct Turning {
    pub(super) nodes: Vec<usize>,
    pub(super) measure: Measure,
}

impl Assembly {
    /// Gives angles that count turns their value at the start.
    pub(super) fn measure_start_angles(&mut self) {
        let state = self.start.clone();
        self.place(&state.point());
        let first = self.sizes.configuration - self.turning.len();
        for k in 0..self.turning.len() {
            self.start.q[first + k] = self.wrapped_angle(k);
        }
    }

    /// Angle `k` at the present motions, without its turns.
    pub(super) fn wrapped_angle(&self, k: usize) -> f64 {
        let Turning { nodes, measure } = &self.turning[k];
        let Measure::Angle { cosine, sine, .. } = *measure else { return 0.0 };
        let motions = &self.moment.motions;
        let world =
            World { t: 0.0, motions, angles: &[], functions: &[], states: &[], variables: &[] };
        Measure::Angle { cosine, sine, turns: None }.value(Scene { world: &world, nodes })
    }

    /// Where angles that count turns are kept in a configuration.
    pub(crate) fn angles<'a>(&self, q: &'a [f64]) -> &'a [f64] {
        &q[self.sizes.configuration - self.turning.len()..]
    }

    /// Carries the turns of angles over to a new configuration.
    pub(crate) fn carry_turns(&self, q: &[f64], out: &mut [f64]) {
        if self.turning.is_empty() {
            return;
        }
        let first = self.sizes.configuration - self.turning.len();
        for (k, Turning { nodes, measure }) in self.turning.iter().enumerate() {
            let Measure::Angle { cosine, sine, .. } = *measure else { continue };
            let mut motions = [Motion::at_rest(&Default::default()); MAX_NODES];
            let mut slots = [0; MAX_NODES];
            for (slot, &node) in nodes.iter().enumerate() {
                motions[slot] = Motion::at_rest(&self.nodes[node].frame(out));
                slots[slot] = slot;
            }
            let world = World {
                t: 0.0,
                motions: &motions,
                angles: &[],
                functions: &[],
                states: &[],
                variables: &[],
            };
            let scene = Scene { world: &world, nodes: &slots[..nodes.len()] };
            let angle = Measure::Angle { cosine, sine, turns: None }.value(scene);
            out[first + k] = nearest_turn(angle, q[first + k]);
        }
    }
}
