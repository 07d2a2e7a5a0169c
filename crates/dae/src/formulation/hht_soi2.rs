//! HHT-SOI2: HHT with a position correction, so that holonomic constraints are met at position and
//! velocity level with one force evaluation per iteration. [Jay & Negrut 2009, eq. 17]
//!
//! ```text
//! y₁ = y₀ ∘ (h z₀ + h²((½−β) a_α + β (a + d))),   z₁ = z₀ + h((1−γ) a_α + γ a)
//! M₁ a = (1+α) f₁ − α f₀,   M₁ d = Gᵀμ,   g(t₁,y₁) = 0,   g_t + G z₁ = 0
//! ```
//!
//! `f` includes the reactions; `M₁` is explicit as in `soi2`. States and variables, and forces by formulas of them, are
//! taken at the end of the step, as there.

use super::{Core, Equation, RowForm, Scheme};
use crate::alpha::{Alpha, Guess};
use crate::blocks::{AuxiliaryBlocks, ReactionBlock, mark_multipliers, place_reactions};
use crate::newton::ITERATION;
use crate::settings::Settings;
use crate::state::State;
use crate::system::{Level, StateWeights, System, Terms, Weights};
use crate::vector::rms_weighted;
use rotula_linear::{Block, BlockBuilder, FactorError, Pattern};
use serde::{Deserialize, Serialize};

/// See the [module](self).
#[derive(Serialize, Deserialize)]
pub(crate) struct HhtSoi2Scheme {
    core: Core,
    alpha: Alpha,
    /// Balance rows: derivatives to a and d.
    balance: [Block; 2],
    reactions: ReactionBlock,
    /// Rows `M₁ d − Gᵀμ`: to d, to a and d through the position, to μ.
    correction: Block,
    curvature: [Block; 2],
    column: Block,
    position: [Block; 2],
    velocity: [Block; 2],
    auxiliary: AuxiliaryBlocks,
    pattern: Pattern,
    constraint_pattern: Pattern,
    mass: Vec<f64>,
    minus_f0: Vec<f64>,
    ahead: State,
}

impl HhtSoi2Scheme {
    pub fn new(system: &dyn System, settings: &Settings) -> Self {
        let sizes = system.sizes();
        let patterns = system.patterns();
        let (n, m, a) = (sizes.motion, sizes.holonomic, sizes.auxiliary());
        let second = n + m;
        let mut builder = BlockBuilder::new(2 * second + a);
        let pair = |builder: &mut BlockBuilder, pattern: &Pattern, row: usize| {
            [0, second].map(|col| builder.place(pattern, row, col))
        };
        let balance = pair(&mut builder, &patterns.dynamics, 0);
        let reactions = place_reactions(&mut builder, &patterns, 0, n);
        let velocity = pair(&mut builder, &patterns.constraints, n);
        let correction = builder.place(&patterns.dynamics, second, second);
        let curvature = pair(&mut builder, &patterns.dynamics, second);
        let column = builder.place_transposed(&patterns.constraints, second, second + n);
        let position = pair(&mut builder, &patterns.constraints, second + n);
        let columns = [0, second];
        let auxiliary =
            AuxiliaryBlocks::place(&mut builder, &patterns, 2 * second, &columns, n, &[0]);
        let marks = mark_multipliers(2 * second + a, &[n..second, second + n..2 * second]);
        let matrix = builder.build(&marks, ITERATION);
        HhtSoi2Scheme {
            core: Core::new(sizes, &patterns, matrix),
            alpha: Alpha::of(sizes, settings),
            balance,
            reactions,
            correction,
            curvature,
            column,
            position,
            velocity,
            auxiliary,
            mass: vec![0.0; patterns.dynamics.entries()],
            minus_f0: vec![0.0; n],
            ahead: State::zeros(sizes),
            pattern: patterns.dynamics,
            constraint_pattern: patterns.constraints,
        }
    }

    fn second(&self) -> usize {
        self.core.sizes.motion + self.core.sizes.holonomic
    }

    /// `βh²` and `γh`.
    fn factors(&self) -> (f64, f64) {
        let (c, h) = (self.alpha.coefficients, self.alpha.c.h);
        (c.beta * h * h, c.gamma * h)
    }

    fn set_trial(&mut self, system: &dyn System, u: &[f64]) {
        let (n, second) = (self.core.sizes.motion, self.second());
        let (position, velocity) = self.factors();
        let c = self.alpha.coefficients;
        let (Core { trial, base, .. }, alpha) = (&mut self.core, &self.alpha);
        for i in 0..n {
            let (a, d) = (u[i], u[second + i]);
            trial.increment[i] = alpha.increment_hat[i] + position * (a + d);
            trial.v[i] = alpha.v_hat[i] + velocity * a;
            trial.vdot[i] = (a - c.alpha_f * base.vdot[i]) / (1.0 - c.alpha_f);
        }
        trial.multipliers.copy_from_slice(&u[n..second]);
        system.retract(&base.q, &trial.increment, &mut trial.q);
        self.core.set_auxiliary(&self.alpha, &u[2 * second..]);
    }
}

impl Scheme for HhtSoi2Scheme {
    alpha_scheme!();

    fn equation(&self, i: usize) -> Equation {
        let (n, second) = (self.core.sizes.motion, self.second());
        match i {
            i if i < n => Equation::Motion(i),
            i if i < second => Equation::Constraint(Level::Velocity, i - n),
            i if i < second + n => Equation::Correction(i - second),
            i if i >= 2 * second => Equation::Auxiliary(i - 2 * second),
            i => Equation::Constraint(Level::Position, i - second - n),
        }
    }

    fn begin(&mut self, system: &mut dyn System, state: &State, h: f64) -> Result<(), FactorError> {
        self.core.begin(state, h);
        self.alpha.begin(state, &state.v, h);
        let c = self.alpha.coefficients;
        let memory = &mut self.alpha;
        for i in 0..state.v.len() {
            let (z, a) = (state.v[i], memory.a_start[i]);
            memory.increment_hat[i] = h * z + h * h * (0.5 - c.beta) * a;
            memory.v_hat[i] = z + h * (1.0 - c.gamma) * a;
        }
        let advance = (1.0 + c.alpha()) * h;
        let points = (&self.core.base, &mut self.ahead);
        super::soi2::explicit_mass(system, points, advance, &mut self.mass);
        system.dynamics(&state.point(), Terms::WITHOUT_INERTIA, &mut self.minus_f0);
        Ok(())
    }

    fn guess(&mut self, guess: &Guess, u: &mut [f64]) {
        let (n, second) = (self.core.sizes.motion, self.second());
        let (position, velocity) = self.factors();
        u.fill(0.0);
        let (base, alpha) = (&self.core.base, &self.alpha);
        let (c, h) = (alpha.c, alpha.c.h);
        for i in 0..n {
            match guess {
                Guess::Values { vdot, .. } => {
                    u[i] = c.c5 * base.vdot[i] + c.c6 * alpha.a_start[i] + c.c9 * vdot[i];
                }
                Guess::Euler | Guess::Hold => {
                    let target = if let Guess::Euler = guess { h * base.v[i] } else { 0.0 };
                    u[i] = (base.v[i] - alpha.v_hat[i]) / velocity;
                    u[second + i] = (target - alpha.increment_hat[i]) / position - u[i];
                }
            }
        }
        let multipliers = self.core.guess_rest(guess, 2 * second, u);
        u[n..second].copy_from_slice(multipliers);
    }

    fn residual(&mut self, system: &mut dyn System, u: &[f64], out: &mut [f64]) {
        let (n, second) = (self.core.sizes.motion, self.second());
        let (position, velocity) = self.factors();
        let alpha_f = self.alpha.coefficients.alpha_f;
        self.set_trial(system, u);
        let Core { trial, buffers, .. } = &mut self.core;
        let at = trial.point();
        system.dynamics(&at, Terms::WITHOUT_INERTIA, &mut out[..n]);
        for i in 0..n {
            out[i] = (1.0 - alpha_f) * out[i] + alpha_f * self.minus_f0[i];
        }
        self.pattern.multiply_add(&self.mass, 1.0, &u[..n], &mut out[..n]);
        let correction = &mut out[second..second + n];
        correction.fill(0.0);
        self.pattern.multiply_add(&self.mass, 1.0, &u[second..second + n], correction);
        if n < second {
            system.constraint_gradient(&at, &mut buffers.constraints);
            let mu = &u[second + n..2 * second];
            let gradient = &buffers.constraints;
            self.constraint_pattern.multiply_transposed_add(gradient, -1.0, mu, correction);
            system.constraint(Level::Velocity, &at, &mut out[n..second]);
            out[n..second].iter_mut().for_each(|r| *r /= velocity);
            let rows = &mut out[second + n..2 * second];
            system.constraint(Level::Position, &at, rows);
            rows.iter_mut().for_each(|r| *r /= position);
        }
        if 2 * second < out.len() {
            system.auxiliary(&at, &mut out[2 * second..]);
        }
    }

    fn assemble(&mut self, system: &mut dyn System, u: &[f64]) {
        self.set_trial(system, u);
        let (n, second) = (self.core.sizes.motion, self.second());
        let (position, velocity) = self.factors();
        let alpha_f = self.alpha.coefficients.alpha_f;
        let to_a = Weights { mass: 0.0, damping: velocity, stiffness: position };
        let to_d = Weights { mass: 0.0, damping: 0.0, stiffness: position };
        let Core { trial, matrix, buffers, .. } = &mut self.core;
        let at = trial.point();
        matrix.add(self.balance[0], 1.0, &self.mass);
        for (block, weights) in self.balance.into_iter().zip([to_a, to_d]) {
            let terms = (weights, Terms::WITHOUT_INERTIA);
            buffers.add_tangent(system, &at, terms, matrix, block, 1.0 - alpha_f);
        }
        matrix.add(self.correction, 1.0, &self.mass);
        // the acceleration that variables may ask for is a/(1 − α_f) and more that does not change
        let columns = [Weights { mass: 1.0 / (1.0 - alpha_f), ..to_a }, to_d];
        let states = StateWeights { rate: 1.0, state: self.alpha.c.c7 };
        let rows = [1.0 - alpha_f];
        self.auxiliary.add(system, &at, &columns, states, &rows, 1.0, matrix, buffers);
        if n == second {
            return;
        }
        buffers.add_reactions(system, &at, matrix, self.reactions, 1.0 - alpha_f);
        for k in 0..2 {
            let weights = [to_a, to_d][k];
            let rows = (Level::Velocity, weights);
            buffers.add_constraint(system, &at, rows, matrix, self.velocity[k], 1.0 / velocity);
            let rows = (Level::Position, weights);
            buffers.add_constraint(system, &at, rows, matrix, self.position[k], 1.0 / position);
        }
        system.constraint_gradient(&at, &mut buffers.constraints);
        matrix.add(self.column, -1.0, &buffers.constraints);
        let with_mu = crate::system::Point { multipliers: &u[second + n..2 * second], ..at };
        system.tangent(&with_mu, Weights::STIFFNESS, Terms::REACTIONS, &mut buffers.dynamics);
        for block in self.curvature {
            matrix.add(block, position, &buffers.dynamics);
        }
    }

    fn correction_size(&self, correction: &[f64], weights: &[f64]) -> f64 {
        let larger = |[a, b]: [f64; 2]| a.abs().max((a + b).abs());
        rms_weighted([correction, &correction[self.second()..]], larger, weights)
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
        self.alpha.a_new.copy_from_slice(&u[..self.core.sizes.motion]);
        Ok(())
    }
}
