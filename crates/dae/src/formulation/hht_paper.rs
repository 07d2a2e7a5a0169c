//! HHT index-3 as document 003 prints it, misprints mended: kept for comparison with the recommended
//! mode. [Negrut et al. 2005, eqs. 11–14; sheet §2, PAPER]
//!
//! ```text
//! q = qₙ ∘ (h v + h²((½−β) aₙ + β a)),   v = vₙ + h((1−γ) aₙ + γ a),   X = Xₙ + h((1−ρ) Ẋₙ + ρ Ẋ)
//! e₁ = M a/(1+α) − (f + Gᵀλ) + α/(1+α) (f + Gᵀλ)ₙ
//! e₂ = g/(βh²)  or  k/(γh);   e₃…e₅ states and variables with v̇ = a
//! ```
//!
//! First order if `M` depends on `q` (E2), and states are first order (E13), both by design of the
//! printed method. ρ = γ.

use super::{Core, Equation, RowForm, Scheme};
use crate::alpha::{Alpha, Guess};
use crate::blocks::{
    AuxiliaryBlocks, ReactionBlock, constraint_rows, mark_multipliers, place_reactions,
};
use crate::newton::ITERATION;
use crate::saddle::nonholonomic_entries;
use crate::settings::Settings;
use crate::state::State;
use crate::step::LocalError;
use crate::system::{Level, StateWeights, System, Terms, Weights};
use crate::vector::rms_weighted;
use rotula_linear::{Block, BlockBuilder, FactorError};
use serde::{Deserialize, Serialize};

/// See the [module](self).
#[derive(Serialize, Deserialize)]
pub(crate) struct HhtPaperScheme {
    core: Core,
    alpha: Alpha,
    dynamics: Block,
    reactions: ReactionBlock,
    constraints: Block,
    auxiliary: AuxiliaryBlocks,
    nonholonomic: Vec<usize>,
    minus_f0: Vec<f64>,
    scratch: Vec<f64>,
}

impl HhtPaperScheme {
    pub fn new(system: &dyn System, settings: &Settings) -> Self {
        let sizes = system.sizes();
        let patterns = system.patterns();
        let (n, m, a) = (sizes.motion, sizes.multipliers(), sizes.auxiliary());
        let mut builder = BlockBuilder::new(n + m + a);
        let dynamics = builder.place(&patterns.dynamics, 0, 0);
        let reactions = place_reactions(&mut builder, &patterns, 0, n);
        let constraints = builder.place(&patterns.constraints, n, 0);
        let auxiliary = AuxiliaryBlocks::place(&mut builder, &patterns, n + m, &[0], n, &[0]);
        let marks = mark_multipliers(n + m + a, std::slice::from_ref(&(n..n + m)));
        let matrix = builder.build(&marks, ITERATION);
        HhtPaperScheme {
            core: Core::new(sizes, &patterns, matrix),
            alpha: Alpha::of(sizes, settings),
            dynamics,
            reactions,
            constraints,
            auxiliary,
            nonholonomic: nonholonomic_entries(sizes, &patterns),
            minus_f0: vec![0.0; n],
            scratch: vec![0.0; m],
        }
    }

    /// `βh²` and `γh`.
    fn factors(&self) -> (f64, f64) {
        let (c, h) = (self.alpha.coefficients, self.alpha.c.h);
        (c.beta * h * h, c.gamma * h)
    }

    fn set_trial(&mut self, system: &dyn System, u: &[f64]) {
        let (n, m, nx) =
            (self.core.sizes.motion, self.core.sizes.multipliers(), self.core.sizes.states);
        let (position, velocity) = self.factors();
        let (Core { trial, base, .. }, alpha) = (&mut self.core, &self.alpha);
        for i in 0..n {
            trial.increment[i] = alpha.increment_hat[i] + position * u[i];
            trial.v[i] = alpha.v_hat[i] + velocity * u[i];
        }
        trial.vdot.copy_from_slice(&u[..n]);
        trial.multipliers.copy_from_slice(&u[n..n + m]);
        system.retract(&base.q, &trial.increment, &mut trial.q);
        let (xdot, y) = u[n + m..].split_at(nx);
        for i in 0..nx {
            trial.x[i] = alpha.x_hat[i] + velocity * xdot[i]; // [9a], ρ = γ
        }
        trial.xdot.copy_from_slice(xdot);
        trial.y.copy_from_slice(y);
    }
}

impl Scheme for HhtPaperScheme {
    alpha_scheme!();

    fn equation(&self, i: usize) -> Equation {
        let (n, m) = (self.core.sizes.motion, self.core.sizes.multipliers());
        match i {
            i if i < n => Equation::Motion(i),
            i if i < n + self.core.sizes.holonomic => Equation::Constraint(Level::Position, i - n),
            i if i < n + m => Equation::Constraint(Level::Velocity, i - n),
            i => Equation::Auxiliary(i - n - m),
        }
    }

    fn begin(&mut self, system: &mut dyn System, state: &State, h: f64) -> Result<(), FactorError> {
        self.core.begin(state, h);
        self.alpha.begin(state, &state.v, h);
        let c = self.alpha.coefficients;
        let memory = &mut self.alpha;
        for i in 0..state.v.len() {
            let (v, a) = (state.v[i], memory.a_start[i]);
            memory.increment_hat[i] = h * v + h * h * (0.5 - c.beta) * a; // [2a]
            memory.v_hat[i] = v + h * (1.0 - c.gamma) * a; // [2b]
        }
        for i in 0..state.x.len() {
            memory.x_hat[i] = state.x[i] + h * (1.0 - c.gamma) * state.xdot[i];
        }
        system.dynamics(&state.point(), Terms::WITHOUT_INERTIA, &mut self.minus_f0);
        Ok(())
    }

    fn guess(&mut self, guess: &Guess, u: &mut [f64]) {
        let (n, m) = (self.core.sizes.motion, self.core.sizes.multipliers());
        let (position, _) = self.factors();
        let (base, alpha) = (&self.core.base, &self.alpha);
        for i in 0..n {
            u[i] = match guess {
                Guess::Values { vdot, .. } => vdot[i],
                Guess::Euler => (alpha.c.h * base.v[i] - alpha.increment_hat[i]) / position,
                Guess::Hold => -alpha.increment_hat[i] / position,
            };
        }
        let multipliers = self.core.guess_rest(guess, n + m, u);
        u[n..n + m].copy_from_slice(multipliers);
    }

    fn residual(&mut self, system: &mut dyn System, u: &[f64], out: &mut [f64]) {
        let (n, m, nh) =
            (self.core.sizes.motion, self.core.sizes.multipliers(), self.core.sizes.holonomic);
        let (position, velocity) = self.factors();
        let alpha = -self.alpha.coefficients.alpha_f;
        self.set_trial(system, u);
        let Core { trial, buffers, sizes, .. } = &mut self.core;
        let at = trial.point();
        system.dynamics(&at, Terms::WITHOUT_INERTIA, &mut out[..n]);
        let inertia = &mut buffers.motion;
        system.dynamics(&at, Terms::INERTIA, inertia);
        for i in 0..n {
            out[i] += (inertia[i] - alpha * self.minus_f0[i]) / (1.0 + alpha);
        }
        let rows = &mut out[n..n + m];
        if !rows.is_empty() {
            constraint_rows(system, *sizes, Level::Position, &at, &mut self.scratch, rows);
            rows[..nh].iter_mut().for_each(|r| *r /= position);
            rows[nh..].iter_mut().for_each(|r| *r /= velocity);
        }
        if n + m < out.len() {
            system.auxiliary(&at, &mut out[n + m..]);
        }
    }

    fn assemble(&mut self, system: &mut dyn System, u: &[f64]) {
        self.set_trial(system, u);
        let (position, velocity) = self.factors();
        let kappa = 1.0 / (1.0 - self.alpha.coefficients.alpha_f);
        let weights = Weights { mass: 1.0, damping: velocity, stiffness: position };
        let Core { trial, matrix, buffers, sizes, .. } = &mut self.core;
        let at = trial.point();
        // The mass and its derivative carry 1/(1+α), which the print of (14) lacks (E1).
        let inertia = (weights, Terms::INERTIA);
        buffers.add_tangent(system, &at, inertia, matrix, self.dynamics, kappa);
        let rest = (weights, Terms::WITHOUT_INERTIA);
        buffers.add_tangent(system, &at, rest, matrix, self.dynamics, 1.0);
        if sizes.multipliers() > 0 {
            buffers.add_reactions(system, &at, matrix, self.reactions, 1.0);
            let rows = (Level::Position, weights);
            buffers.add_constraint(system, &at, rows, matrix, self.constraints, 1.0 / position);
            if !self.nonholonomic.is_empty() {
                let values = &mut buffers.constraints;
                system.constraint_tangent(Level::Velocity, &at, weights, values);
                super::keep_entries(values, &self.nonholonomic);
                matrix.add(self.constraints, 1.0 / velocity, values);
            }
        }
        let states = StateWeights { rate: 1.0, state: velocity };
        self.auxiliary.add(system, &at, &[weights], states, &[1.0], 1.0, matrix, buffers);
    }

    fn correction_size(&self, correction: &[f64], weights: &[f64]) -> f64 {
        rms_weighted([correction], |[d]| d, weights)
    }

    fn complete_row(&self, _row: &mut State) -> RowForm {
        RowForm::Averaged
    }

    fn conclude(
        &mut self,
        system: &mut dyn System,
        u: &[f64],
        next: &mut State,
    ) -> Result<(), FactorError> {
        self.set_trial(system, u);
        std::mem::swap(next, &mut self.core.trial);
        self.alpha.conclude(&self.core.base, &next.vdot, &next.xdot);
        self.alpha.a_new.copy_from_slice(&next.vdot);
        Ok(())
    }

    /// The paper's estimates. [26, 34]
    fn local_error(&self, next: &State, weights: &[f64]) -> LocalError {
        let (base, alpha) = (&self.core.base, &self.alpha);
        let h = alpha.c.h;
        let c = alpha.coefficients;
        let constant = (c.beta - 1.0 / (6.0 * (1.0 - c.alpha_f))).abs();
        let change = rms_weighted([&alpha.a_new, &alpha.a_start], |[a, b]| a - b, weights);
        let position = constant * h * h * change;
        let n = base.x.len().max(1) as f64;
        let sum: f64 = (0..base.x.len())
            .map(|i| ((next.xdot[i] - base.xdot[i]) / self.core.state_weights[i]).powi(2))
            .sum();
        let state = (c.gamma - 0.5) * h * (sum / n).sqrt();
        LocalError { position, state, state_order: 1 }
    }
}
