//! What every formulation carries, whatever its method.

use crate::alpha::{Alpha, Guess};
use crate::blocks::Buffers;
use crate::state::State;
use crate::stop::Stop;
use crate::system::{Patterns, Sizes};
use rotula_linear::BlockMatrix;
use serde::{Deserialize, Serialize};

/// What every formulation carries.
#[derive(Serialize, Deserialize)]
pub(crate) struct Core {
    pub sizes: Sizes,
    /// Size of the step.
    pub h: f64,
    /// Largest magnitude each state has had, at least 1: errors are relative to it. [Negrut et al. 2005, eq. 35]
    pub state_weights: Vec<f64>,
    /// The accepted state the step starts from.
    pub base: State,
    /// The point at which the residual was last evaluated.
    pub trial: State,
    pub matrix: BlockMatrix,
    pub buffers: Buffers,
    /// Asked by every iteration, which is then given up.
    #[serde(skip)]
    pub stop: Stop,
}

impl Core {
    pub fn new(sizes: Sizes, patterns: &Patterns, matrix: BlockMatrix) -> Self {
        Core {
            sizes,
            h: 0.0,
            state_weights: vec![1.0; sizes.states],
            base: State::zeros(sizes),
            trial: State::zeros(sizes),
            matrix,
            buffers: Buffers::new(patterns),
            stop: Stop::default(),
        }
    }

    /// Prepares base and trial time of a step.
    pub fn begin(&mut self, state: &State, h: f64) {
        self.base.copy_from(state);
        self.trial.t = state.t + h;
        self.h = h;
    }

    /// Remembers the largest magnitudes of the states.
    pub fn see_states(&mut self, x: &[f64]) {
        for (weight, x) in self.state_weights.iter_mut().zip(x) {
            *weight = weight.max(x.abs());
        }
    }

    /// The same for those that the step started from.
    pub fn see_base(&mut self) {
        for (weight, x) in self.state_weights.iter_mut().zip(&self.base.x) {
            *weight = weight.max(x.abs());
        }
    }

    /// Sets states, rates and variables of the trial point from their unknowns.
    pub fn set_auxiliary(&mut self, alpha: &Alpha, unknowns: &[f64]) {
        if unknowns.is_empty() {
            return;
        }
        let (xdot, y) = unknowns.split_at(self.sizes.states);
        self.trial.xdot.copy_from_slice(xdot);
        self.trial.y.copy_from_slice(y);
        alpha.set_states(xdot, &mut self.trial.x);
    }

    /// Guessed multipliers, and auxiliary unknowns filled in at `offset`.
    pub fn guess_rest<'a>(&'a self, guess: &Guess<'a>, offset: usize, u: &mut [f64]) -> &'a [f64] {
        let (multipliers, xdot, y) = match guess {
            Guess::Values { multipliers, xdot, y, .. } => (*multipliers, *xdot, *y),
            _ => (&self.base.multipliers[..], &self.base.xdot[..], &self.base.y[..]),
        };
        let states = self.sizes.states;
        u[offset..offset + states].copy_from_slice(xdot);
        u[offset + states..].copy_from_slice(y);
        multipliers
    }
}
