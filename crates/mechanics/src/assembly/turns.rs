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
        for (k, turning) in self.turning.iter().enumerate() {
            // nearly all are angles between two bodies
            let angle = match turning.nodes.len() {
                0..=2 => self.angle_in::<2>(turning, out),
                _ => self.angle_in::<MAX_NODES>(turning, out),
            };
            out[first + k] = nearest_turn(angle, q[first + k]);
        }
    }

    /// The nodes between which such angles are.
    pub(crate) fn turning_nodes(&self) -> impl Iterator<Item = usize> + '_ {
        self.turning.iter().flat_map(|turning| turning.nodes.iter().copied())
    }

    /// An angle between at most `N` nodes in a configuration, without its turns.
    fn angle_in<const N: usize>(&self, Turning { nodes, measure }: &Turning, q: &[f64]) -> f64 {
        let Measure::Angle { cosine, sine, .. } = *measure else { return 0.0 };
        let slots: [usize; N] = std::array::from_fn(|slot| slot);
        let motions: [Motion; N] = std::array::from_fn(|slot| match nodes.get(slot) {
            Some(&node) => Motion::at_rest(&self.nodes[node].frame(q)),
            None => Motion::at_rest(&Default::default()),
        });
        let (angles, functions) = (&[][..], &[][..]);
        let (states, variables) = (&[][..], &[][..]);
        let world = World { t: 0.0, motions: &motions, angles, functions, states, variables };
        let scene = Scene { world: &world, nodes: &slots[..nodes.len()] };
        Measure::Angle { cosine, sine, turns: None }.value(scene)
    }
}
