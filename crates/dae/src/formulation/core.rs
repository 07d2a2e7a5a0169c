//! What every formulation carries.

use crate::alpha::{Alpha, Guess};
use crate::blocks::Buffers;
use crate::settings::Settings;
use crate::state::State;
use crate::stop::Stop;
use crate::system::{Patterns, Sizes};
use rotula_linear::BlockMatrix;
use serde::{Deserialize, Serialize};

/// What every generalized-α formulation carries.
#[derive(Serialize, Deserialize)]
pub(crate) struct Core {
    pub sizes: Sizes,
    pub alpha: Alpha,
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
    pub fn new(
        sizes: Sizes,
        patterns: &Patterns,
        settings: &Settings,
        matrix: BlockMatrix,
    ) -> Self {
        Core {
            sizes,
            alpha: Alpha::new(sizes, settings.coefficients, settings.adjustment),
            base: State::zeros(sizes),
            trial: State::zeros(sizes),
            matrix,
            buffers: Buffers::new(patterns),
            stop: Stop::default(),
        }
    }

    /// Prepares base, trial time and predictors of a step.
    pub fn begin(&mut self, state: &State, h: f64) {
        self.base.copy_from(state);
        self.trial.t = state.t + h;
        self.alpha.begin(state, &state.v, h);
    }

    /// `(1−α) v̇₀ + α v̇₁`: the acceleration at `t₀ + αh` after a step to `next`. [Jay & Negrut 2009, eq. 8]
    pub fn shifted_acceleration(&self, next: &State, out: &mut [f64]) {
        let alpha = self.alpha.coefficients.alpha();
        for (out, (old, new)) in out.iter_mut().zip(self.base.vdot.iter().zip(&next.vdot)) {
            *out = (1.0 - alpha) * old + alpha * new;
        }
    }

    /// Sets states, rates and variables of the trial point from their unknowns.
    pub fn set_auxiliary(&mut self, unknowns: &[f64]) {
        if unknowns.is_empty() {
            return;
        }
        let (xdot, y) = unknowns.split_at(self.sizes.states);
        self.trial.xdot.copy_from_slice(xdot);
        self.trial.y.copy_from_slice(y);
        self.alpha.set_states(xdot, &mut self.trial.x);
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
