//! Generalized-α-SOI2: holonomic constraints at position and velocity level, nonholonomic ones at
//! velocity level, forces nonlinear in the multipliers. [Jay & Negrut 2009, eq. 13]
//!
//! ```text
//! y₁ = y₀ ∘ (h z₀ + h²((½−β) a_α + β ã))
//! z₁ = z₀ + h((1−γ) a_α + γ a),      z̃ = z₀ + h((1−γ) a_α + γ ã)
//! (1−α_m) M₁ ã + α_m (Ma)_α = (1−α_f) f(t₁,y₁,z₁,λ̃,ψ̃) + α_f f₀        g(t₁,y₁) = 0,     k(t₁,y₁,z̃) = 0
//! (1−α_m) M₁ a + α_m (Ma)_α = (1−α_f) f(t₁,y₁,z₁,λ,ψ) + α_f f₀        g_t + g_y z₁ = 0,  k(t₁,y₁,z₁) = 0
//! M₁ = M(t₀+(1+α)h, y₀ ∘ (1+α)h z₀),  explicit
//! ```
//!
//! `f` includes the reactions. Without constraints both balances coincide.

use super::{Core, Equation, RowForm, Scheme, equation_of_two_balances};
use crate::alpha::{Alpha, Guess};
use crate::blocks::{
    AuxiliaryBlocks, ReactionBlock, constraint_rows, mark_multipliers, place_reactions,
};
use crate::newton::ITERATION;
use crate::saddle::nonholonomic_entries;
use crate::settings::{Adjustment, MassHistory, Settings};
use crate::state::State;
use crate::system::{Level, Point, StateWeights, System, Terms, Weights};
use crate::vector::{rms_weighted, scaled_sum};
use rotula_linear::{Block, BlockBuilder, FactorError, Options, Pattern};
use serde::{Deserialize, Serialize};

/// See the [module](self).
#[derive(Serialize, Deserialize)]
pub(crate) struct Soi2Scheme {
    core: Core,
    alpha: Alpha,
    history: MassHistory,
    /// Rows of the two balances (tilde first), columns ã and a.
    balances: [[Block; 2]; 2],
    reactions: [ReactionBlock; 2],
    /// Rows g, k(z̃): derivative to ã. Rows ġ, k(z₁): derivatives to ã and a.
    tilde_rows: Block,
    rows: [Block; 2],
    auxiliary: AuxiliaryBlocks,
    pattern: Pattern,
    nonholonomic: Vec<usize>,
    /// Values of M₁.
    mass: Vec<f64>,
    /// Minus the forces at the start of the step.
    minus_f0: Vec<f64>,
    /// The product (Ma): accepted, what the last step started from, adjusted, and new.
    product: Vec<f64>,
    product_before: Vec<f64>,
    product_start: Vec<f64>,
    product_new: Vec<f64>,
    has_product: bool,
    /// z̃ of the trial.
    z_tilde: Vec<f64>,
    /// Where M is evaluated explicitly.
    ahead: State,
    scratch: Vec<f64>,
}

impl Soi2Scheme {
    pub fn new(system: &dyn System, settings: &Settings, history: MassHistory) -> Self {
        let sizes = system.sizes();
        let patterns = system.patterns();
        let (n, m, a) = (sizes.motion, sizes.multipliers(), sizes.auxiliary());
        let second = n + m;
        let total = 2 * second + a;
        let mut builder = BlockBuilder::new(total);
        let balance = |builder: &mut BlockBuilder, row: usize| {
            [0, second].map(|col| builder.place(&patterns.dynamics, row, col))
        };
        let balances = [balance(&mut builder, 0), balance(&mut builder, second)];
        let reactions = [
            place_reactions(&mut builder, &patterns, 0, n),
            place_reactions(&mut builder, &patterns, second, second + n),
        ];
        let tilde_rows = builder.place(&patterns.constraints, n, 0);
        let rows = [0, second].map(|col| builder.place(&patterns.constraints, second + n, col));
        let auxiliary = AuxiliaryBlocks::place(
            &mut builder,
            &patterns,
            2 * second,
            &[0, second],
            second + n,
            &[0, second],
        );
        let marks = mark_multipliers(total, &[n..second, second + n..2 * second]);
        let matrix = builder.build(&marks, ITERATION);
        let zeros = || vec![0.0; n];
        Soi2Scheme {
            core: Core::new(sizes, &patterns, matrix),
            alpha: Alpha::of(sizes, settings),
            history,
            balances,
            reactions,
            tilde_rows,
            rows,
            auxiliary,
            nonholonomic: nonholonomic_entries(sizes, &patterns),
            mass: vec![0.0; patterns.dynamics.entries()],
            minus_f0: zeros(),
            product: zeros(),
            product_before: zeros(),
            product_start: zeros(),
            product_new: zeros(),
            has_product: false,
            z_tilde: zeros(),
            ahead: State::zeros(sizes),
            scratch: vec![0.0; m],
            pattern: patterns.dynamics,
        }
    }

    fn second(&self) -> usize {
        self.core.sizes.motion + self.core.sizes.multipliers()
    }

    /// `βh²` and `γh`.
    fn factors(&self) -> (f64, f64) {
        let (c, h) = (self.alpha.coefficients, self.alpha.c.h);
        (c.beta * h * h, c.gamma * h)
    }

    fn set_trial(&mut self, system: &dyn System, u: &[f64]) {
        let (n, second) = (self.core.sizes.motion, self.second());
        let (position, velocity) = self.factors();
        let (tilde, a) = (&u[..n], &u[second..second + n]);
        let c = self.alpha.coefficients;
        let (Core { trial, base, .. }, alpha) = (&mut self.core, &self.alpha);
        scaled_sum(&alpha.increment_hat, position, tilde, &mut trial.increment);
        scaled_sum(&alpha.v_hat, velocity, a, &mut trial.v);
        scaled_sum(&alpha.v_hat, velocity, tilde, &mut self.z_tilde);
        for i in 0..n {
            // The true acceleration that belongs to the algorithmic one. [Dymore note, eq. 7]
            trial.vdot[i] = ((1.0 - c.alpha_m) * a[i] + c.alpha_m * alpha.a_start[i]
                - c.alpha_f * base.vdot[i])
                / (1.0 - c.alpha_f);
        }
        trial.multipliers.copy_from_slice(&u[second + n..2 * second]);
        system.retract(&base.q, &trial.increment, &mut trial.q);
        self.core.set_auxiliary(&self.alpha, &u[2 * second..]);
    }

    /// The trial point with the multipliers of one balance.
    fn balance_point<'a>(&'a self, u: &'a [f64], balance: usize) -> Point<'a> {
        let (n, second) = (self.core.sizes.motion, self.second());
        let offset = balance * second;
        Point { multipliers: &u[offset + n..offset + second], ..self.core.trial.point() }
    }
}

impl Scheme for Soi2Scheme {
    alpha_scheme!();

    fn equation(&self, i: usize) -> Equation {
        equation_of_two_balances(i, self.core.sizes)
    }

    fn restart(&mut self, _system: &mut dyn System, state: &State) {
        self.core.see_states(&state.x);
        self.alpha.restart(state);
        self.has_product = false;
    }

    fn begin(&mut self, system: &mut dyn System, state: &State, h: f64) -> Result<(), FactorError> {
        let ratio = self.alpha.step_ratio(h);
        self.core.begin(state, h);
        self.alpha.begin(state, &state.v, h);
        let c = self.alpha.coefficients;
        let alpha = c.alpha();
        let (base, memory) = (&self.core.base, &mut self.alpha);
        for i in 0..state.v.len() {
            let (z, a) = (state.v[i], memory.a_start[i]);
            memory.increment_hat[i] = h * z + h * h * (0.5 - c.beta) * a; // [13a]
            memory.v_hat[i] = z + h * (1.0 - c.gamma) * a; // [13c]
        }
        let evaluated = self.history == MassHistory::Evaluated || !self.has_product;
        if evaluated {
            let points = (base, &mut self.ahead);
            explicit_mass(system, points, alpha * h, &mut self.mass);
            self.product_start.fill(0.0);
            self.pattern.multiply_add(&self.mass, 1.0, &memory.a_start, &mut self.product_start);
        } else {
            self.product_start.copy_from_slice(&self.product);
            if let (Some(ratio), Adjustment::Extrapolated) = (ratio, memory.adjustment) {
                let factor = alpha * (ratio - 1.0); // [14b]
                for i in 0..self.product.len() {
                    self.product_start[i] += factor * (self.product[i] - self.product_before[i]);
                }
            }
        }
        let points = (base, &mut self.ahead);
        explicit_mass(system, points, (1.0 + alpha) * h, &mut self.mass);
        system.dynamics(&state.point(), Terms::WITHOUT_INERTIA, &mut self.minus_f0);
        Ok(())
    }

    fn guess(&mut self, guess: &Guess, u: &mut [f64]) {
        let (n, second) = (self.core.sizes.motion, self.second());
        let (position, velocity) = self.factors();
        let (base, alpha) = (&self.core.base, &self.alpha);
        let (c, h) = (alpha.c, alpha.c.h);
        for i in 0..n {
            let (tilde, a) = match guess {
                Guess::Values { vdot, .. } => {
                    let a = c.c5 * base.vdot[i] + c.c6 * alpha.a_start[i] + c.c9 * vdot[i];
                    (a, a)
                }
                Guess::Euler => (
                    (h * base.v[i] - alpha.increment_hat[i]) / position,
                    (base.v[i] - alpha.v_hat[i]) / velocity,
                ),
                Guess::Hold => {
                    (-alpha.increment_hat[i] / position, (base.v[i] - alpha.v_hat[i]) / velocity)
                }
            };
            (u[i], u[second + i]) = (tilde, a);
        }
        let multipliers = self.core.guess_rest(guess, 2 * second, u);
        u[n..second].copy_from_slice(multipliers);
        u[second + n..2 * second].copy_from_slice(multipliers);
    }

    fn residual(&mut self, system: &mut dyn System, u: &[f64], out: &mut [f64]) {
        let (n, nh, second) = (self.core.sizes.motion, self.core.sizes.holonomic, self.second());
        let (position, velocity) = self.factors();
        let c = self.alpha.coefficients;
        self.set_trial(system, u);
        for balance in 0..2 {
            let offset = balance * second;
            let rows = &mut out[offset..offset + n];
            system.dynamics(&self.balance_point(u, balance), Terms::WITHOUT_INERTIA, rows);
            for i in 0..n {
                rows[i] = (1.0 - c.alpha_f) * rows[i]
                    + c.alpha_f * self.minus_f0[i]
                    + c.alpha_m * self.product_start[i];
            }
            let acceleration = &u[offset..offset + n];
            self.pattern.multiply_add(&self.mass, 1.0 - c.alpha_m, acceleration, rows);
        }
        let at = self.core.trial.point();
        if n < second {
            let tilde = Point { v: &self.z_tilde, ..at };
            let rows = &mut out[n..second];
            let sizes = self.core.sizes;
            constraint_rows(system, sizes, Level::Position, &tilde, &mut self.scratch, rows);
            rows[..nh].iter_mut().for_each(|r| *r /= position);
            rows[nh..].iter_mut().for_each(|r| *r /= velocity);
            let rows = &mut out[second + n..2 * second];
            system.constraint(Level::Velocity, &at, rows);
            rows.iter_mut().for_each(|r| *r /= velocity);
        }
        if 2 * second < out.len() {
            system.auxiliary(&at, &mut out[2 * second..]);
        }
    }

    fn assemble(&mut self, system: &mut dyn System, u: &[f64]) {
        self.set_trial(system, u);
        let (position, velocity) = self.factors();
        let c = self.alpha.coefficients;
        let to_tilde = Weights { mass: 0.0, damping: 0.0, stiffness: position };
        let to_a = Weights { mass: 0.0, damping: velocity, stiffness: 0.0 };
        let mut tangent = std::mem::take(&mut self.core.buffers.dynamics);
        for balance in 0..2 {
            let blocks = self.balances[balance];
            self.core.matrix.add(blocks[balance], 1.0 - c.alpha_m, &self.mass);
            for (block, weights) in blocks.into_iter().zip([to_tilde, to_a]) {
                let at = self.balance_point(u, balance);
                system.tangent(&at, weights, Terms::WITHOUT_INERTIA, &mut tangent);
                self.core.matrix.add(block, 1.0 - c.alpha_f, &tangent);
            }
        }
        self.core.buffers.dynamics = tangent;
        let c7 = self.alpha.c.c7;
        if self.core.sizes.multipliers() > 0 {
            for (balance, block) in self.reactions.into_iter().enumerate() {
                let second = self.core.sizes.motion + self.core.sizes.multipliers();
                let offset = balance * second + self.core.sizes.motion;
                let Core { trial, matrix, buffers, .. } = &mut self.core;
                let multipliers = &u[offset..balance * second + second];
                let at = Point { multipliers, ..trial.point() };
                buffers.add_reactions(system, &at, matrix, block, 1.0 - c.alpha_f);
            }
            let Core { trial, matrix, buffers, .. } = &mut self.core;
            let at = trial.point();
            let rows = (Level::Position, to_tilde);
            buffers.add_constraint(system, &at, rows, matrix, self.tilde_rows, 1.0 / position);
            if !self.nonholonomic.is_empty() {
                let tilde = Point { v: &self.z_tilde, ..at };
                let both = Weights { mass: 0.0, damping: velocity, stiffness: position };
                system.constraint_tangent(Level::Velocity, &tilde, both, &mut buffers.constraints);
                let kept = &self.nonholonomic;
                super::keep_entries(&mut buffers.constraints, kept);
                matrix.add(self.tilde_rows, 1.0 / velocity, &buffers.constraints);
            }
            for (block, weights) in self.rows.into_iter().zip([to_tilde, to_a]) {
                let rows = (Level::Velocity, weights);
                buffers.add_constraint(system, &at, rows, matrix, block, 1.0 / velocity);
            }
        }
        let Core { trial, matrix, buffers, .. } = &mut self.core;
        let states = StateWeights { rate: 1.0, state: c7 };
        let mass = (1.0 - c.alpha_m) / (1.0 - c.alpha_f);
        let columns = [to_tilde, Weights { mass, ..to_a }];
        let rows = [1.0 - c.alpha_f; 2];
        self.auxiliary.add(system, &trial.point(), &columns, states, &rows, 1.0, matrix, buffers);
    }

    fn correction_size(&self, correction: &[f64], weights: &[f64]) -> f64 {
        let larger = |[a, b]: [f64; 2]| a.abs().max(b.abs());
        rms_weighted([correction, &correction[self.second()..]], larger, weights)
    }

    fn balance(&self) -> usize {
        self.second()
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
        let (n, second) = (self.core.sizes.motion, self.second());
        self.set_trial(system, u);
        std::mem::swap(next, &mut self.core.trial);
        self.alpha.conclude(&self.core.base, &next.vdot, &next.xdot);
        let a = &u[second..second + n];
        self.alpha.a_new.copy_from_slice(a);
        self.product_new.fill(0.0);
        self.pattern.multiply_add(&self.mass, 1.0, a, &mut self.product_new);
        Ok(())
    }

    /// `M_α a_α = (1−α) f₀ + α f₁`, solved with the explicit mass at `t₀ + αh`. [Jay & Negrut 2009, eq. 8]
    fn suggest_start(&mut self, system: &mut dyn System, next: &State, out: &mut [f64]) {
        let (alpha, h) = (self.alpha.coefficients.alpha(), self.alpha.c.h);
        system.dynamics(&next.point(), Terms::WITHOUT_INERTIA, out);
        for (value, f0) in out.iter_mut().zip(&self.minus_f0) {
            *value = -(1.0 - alpha) * f0 - alpha * *value;
        }
        let points = (&self.core.base, &mut self.ahead);
        let mut mass = vec![0.0; self.mass.len()];
        explicit_mass(system, points, alpha * h, &mut mass);
        let n = out.len();
        let mut builder = BlockBuilder::new(n);
        let block = builder.place(&self.pattern, 0, 0);
        let mut matrix = builder.build(&vec![false; n], Options::default());
        matrix.clear();
        matrix.add(block, 1.0, &mass);
        if matrix.factor().is_ok() {
            matrix.solve(out);
        } else {
            // A massless direction has no equation (8): keep the plain start there.
            out.copy_from_slice(&self.alpha.a);
        }
    }

    fn commit(&mut self) {
        self.alpha.commit(&self.core.base);
        self.core.see_base();
        std::mem::swap(&mut self.product_before, &mut self.product_start);
        std::mem::swap(&mut self.product, &mut self.product_new);
        self.has_product = true;
    }
}

/// `out = M(t₀ + advance, y₀ ∘ advance z₀)`.
pub(super) fn explicit_mass(
    system: &mut dyn System,
    (base, ahead): (&State, &mut State),
    advance: f64,
    out: &mut [f64],
) {
    ahead.t = base.t + advance;
    for (increment, z) in ahead.increment.iter_mut().zip(&base.v) {
        *increment = advance * z;
    }
    system.retract(&base.q, &ahead.increment, &mut ahead.q);
    ahead.v.copy_from_slice(&base.v);
    system.tangent(&ahead.point(), Weights::MASS, Terms::INERTIA, out);
}
