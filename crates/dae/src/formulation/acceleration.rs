//! Formulations whose only unknowns are accelerations and multipliers, with each constraint met at
//! one level: `index3` (position), `index2` (velocity), `index1` (acceleration), `baumgarte` (a mix)
//! and the recommended mode of `hht-i3` (position, with rescaled starting values).
//!
//! ```text
//! M v̇ − f − Gᵀλ − Kᵀψ = 0        q = qₙ ∘ (Δ̂ + c8 v̇),   v = v̂ + c7 v̇        [Dymore note, eqs. 8–13]
//! position:      g(q,t) = 0                                                   [Dymore note, eq. 17]
//! velocity:      G v + g_t = 0                                                [Brüls et al. 2018, sheet §4.2, V]
//! acceleration:  G v̇ + ġ-terms = 0                                            [Brüls et al. 2018, sheet §4.2, A]
//! Baumgarte:     g̈ + 2α ġ + β² g = 0
//! ```
//!
//! Nonholonomic constraints are met at velocity level (at acceleration level for `index1`).
//!
//! Scaling of the position form, frozen within a matrix [Dymore note, sheet §3]: with
//! `s = k_r + d_r/h + m_r/h²` the constraint rows are multiplied by `s` and the multipliers are
//! `λ = c8 s λ̄`, which keeps the condition number flat in `h`. The augmented Lagrangian replaces λ
//! by `λ − s g` in the equations of motion; it changes the iteration, not its result.

mod start;

use super::gram::{gram, gram_pattern};
use super::{Core, Equation, Scheme};
use crate::alpha::{Alpha, Guess};
use crate::blocks::{
    AuxiliaryBlocks, ReactionBlock, constraint_rows, mark_multipliers, place_reactions,
};
use crate::newton::ITERATION;
use crate::ringing::Prescribed;
use crate::saddle::{Saddle, nonholonomic_entries};
use crate::settings::{Adjustment, Settings, StartAcceleration};
use crate::state::State;
use crate::system::{Level, StateWeights, System, Terms, Weights};
use crate::vector::{add_scaled, rms_weighted};
use rotula_linear::{Block, BlockBuilder, BlockMatrix, FactorError, Pattern};
use serde::{Deserialize, Serialize};

/// How the constraint rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Enforce {
    Position { scaling: bool, augmented: bool },
    Velocity,
    Acceleration,
    Mixed { alpha: f64, beta: f64 },
}

/// See the [module](self).
#[derive(Serialize, Deserialize)]
pub(crate) struct AccelerationScheme {
    core: Core,
    alpha: Alpha,
    enforce: Enforce,
    dynamics: Block,
    penalty: Option<(Block, Pattern, Vec<f64>)>,
    reactions: ReactionBlock,
    constraints: Block,
    auxiliary: AuxiliaryBlocks,
    nonholonomic: Vec<usize>,
    constraint_pattern: Pattern,
    /// Step size and the scale found for it.
    scale: Option<(f64, f64)>,
    /// Row scale of holonomic and nonholonomic rows, column scale of multipliers.
    row_scale: (f64, f64),
    column_scale: f64,
    /// Places of the diagonal among the values of the dynamics.
    diagonal: Vec<usize>,
    /// Penalty factor of the augmented Lagrangian.
    penalty_factor: f64,
    scratch: Vec<f64>,
    rows: Vec<f64>,
    /// Projects velocities when starting values are rescaled.
    saddle: Option<Saddle>,
    v_start: Vec<f64>,
    /// Whether velocities start with the residual that position-level constraints settle to, and that residual.
    clean: bool,
    start_residual: Option<Vec<f64>>,
}

impl AccelerationScheme {
    pub fn new(system: &dyn System, settings: &Settings, enforce: Enforce) -> Self {
        let sizes = system.sizes();
        let patterns = system.patterns();
        let (n, m, a) = (sizes.motion, sizes.multipliers(), sizes.auxiliary());
        let mut builder = BlockBuilder::new(n + m + a);
        let dynamics = builder.place(&patterns.dynamics, 0, 0);
        let augmented = matches!(enforce, Enforce::Position { augmented: true, .. });
        let penalty = augmented.then(|| {
            let pattern = gram_pattern(&patterns.constraints);
            let values = vec![0.0; pattern.entries()];
            (builder.place(&pattern, 0, 0), pattern, values)
        });
        let reactions = place_reactions(&mut builder, &patterns, 0, n);
        let constraints = builder.place(&patterns.constraints, n, 0);
        let auxiliary = AuxiliaryBlocks::place(&mut builder, &patterns, n + m, &[0], n, &[0]);
        let marks = mark_multipliers(n + m + a, std::slice::from_ref(&(n..n + m)));
        let matrix = builder.build(&marks, ITERATION);
        let position = matches!(enforce, Enforce::Position { .. });
        let corrects_velocity = settings.adjustment == Adjustment::Rescaled
            || settings.start_acceleration == StartAcceleration::Clean;
        let rescales = position && m > 0 && corrects_velocity;
        AccelerationScheme {
            core: Core::new(sizes, &patterns, matrix),
            alpha: Alpha::of(sizes, settings),
            enforce,
            dynamics,
            penalty,
            reactions,
            constraints,
            auxiliary,
            nonholonomic: nonholonomic_entries(sizes, &patterns),
            row_scale: (1.0, 1.0),
            column_scale: 1.0,
            diagonal: (0..n).filter_map(|i| patterns.dynamics.position(i, i)).collect(),
            penalty_factor: 0.0,
            scratch: vec![0.0; m],
            rows: vec![0.0; m],
            saddle: rescales.then(|| Saddle::new(sizes, &patterns)),
            v_start: vec![0.0; n],
            clean: position && m > 0 && settings.start_acceleration == StartAcceleration::Clean,
            start_residual: None,
            constraint_pattern: patterns.constraints,
            scale: None,
        }
    }

    fn weights(&self) -> Weights {
        Weights { mass: 1.0, damping: self.alpha.c.c7, stiffness: self.alpha.c.c8 }
    }

    /// Moves the trial point to the unknowns.
    fn set_trial(&mut self, system: &dyn System, u: &[f64]) {
        let (vdot, rest) = u.split_at(self.core.sizes.motion);
        let (multipliers, auxiliary) = rest.split_at(self.core.sizes.multipliers());
        let (Core { trial, base, .. }, alpha) = (&mut self.core, &self.alpha);
        trial.vdot.copy_from_slice(vdot);
        trial.multipliers.copy_from_slice(multipliers);
        alpha.set_increment(vdot, &mut trial.increment);
        alpha.set_velocity(vdot, &mut trial.v);
        system.retract(&base.q, &trial.increment, &mut trial.q);
        self.core.set_auxiliary(&self.alpha, auxiliary);
    }

    /// Scales of rows and columns for the current step. [Dymore note, sheet §3]
    fn set_scales(&mut self, system: &mut dyn System) {
        let c = self.alpha.c;
        match self.enforce {
            Enforce::Position { scaling, augmented } => {
                let s = if scaling || augmented { self.stiffness_scale(system) } else { 1.0 };
                self.penalty_factor = if augmented { s } else { 0.0 };
                if scaling {
                    self.row_scale = (s, s * c.c8 / c.c7);
                    self.column_scale = c.c8 * s;
                }
            }
            Enforce::Velocity => self.row_scale = (1.0 / c.c7, 1.0 / c.c7),
            Enforce::Acceleration | Enforce::Mixed { .. } => {}
        }
    }

    /// `s = k_r + d_r/h + m_r/h²` from the mean diagonals at the start of the step. [Dymore note, sheet §3] It is
    /// found anew for another step size only: a tangent costs more than a better scale saves.
    fn stiffness_scale(&mut self, system: &mut dyn System) -> f64 {
        let h = self.alpha.c.h;
        if let Some((_, s)) = self.scale.filter(|(known, _)| (h / known - 1.0).abs() < 1e-6) {
            return s;
        }
        let weights = Weights { mass: 1.0 / (h * h), damping: 1.0 / h, stiffness: 1.0 };
        let at = self.core.base.point();
        system.tangent(&at, weights, Terms::ALL, &mut self.core.buffers.dynamics);
        let s = self.mean_diagonal();
        // A massless or empty diagonal gives no scale; the step size alone then is the best one.
        let s = if s > 0.0 && s.is_finite() { s } else { 1.0 / (h * h) };
        self.scale = Some((h, s));
        s
    }

    /// The mean of the diagonal of the dynamics that were put together last.
    fn mean_diagonal(&self) -> f64 {
        let values = &self.core.buffers.dynamics;
        let sum: f64 = self.diagonal.iter().map(|entry| values[*entry]).sum();
        (sum / self.core.sizes.motion.max(1) as f64).abs()
    }

    /// Replaces the multipliers of the trial point by `μ = λ − s g`, given the residual rows
    /// `row_scale · g`. [Dymore note, sheet §3]
    fn augment_multipliers(&mut self, rows: &[f64]) {
        if self.penalty_factor != 0.0 {
            let factor = -self.penalty_factor / self.row_scale.0;
            let nh = self.core.sizes.holonomic;
            add_scaled(&mut self.core.trial.multipliers[..nh], factor, &rows[..nh]);
        }
    }

    fn add_constraint_rows(&mut self, system: &mut dyn System) {
        let c = self.alpha.c;
        let at = self.core.trial.point();
        let full = Weights { mass: 1.0, damping: c.c7, stiffness: c.c8 };
        let values = &mut self.core.buffers.constraints;
        let (holonomic_scale, nonholonomic_scale) = self.row_scale;
        match self.enforce {
            Enforce::Position { .. } => {
                system.constraint_tangent(Level::Position, &at, full, values);
                self.core.matrix.add(self.constraints, holonomic_scale, values);
                if let Some((block, pattern, product)) = &mut self.penalty {
                    // The tangent row already carries c8; c8 s BᵀB needs it once. [Dymore note, eq. 24]
                    gram(&self.constraint_pattern, values, pattern, product);
                    self.core.matrix.add(*block, self.penalty_factor / c.c8, product);
                }
                if !self.nonholonomic.is_empty() {
                    system.constraint_tangent(Level::Velocity, &at, full, values);
                    super::keep_entries(values, &self.nonholonomic);
                    self.core.matrix.add(self.constraints, nonholonomic_scale, values);
                }
            }
            Enforce::Velocity => {
                system.constraint_tangent(Level::Velocity, &at, full, values);
                self.core.matrix.add(self.constraints, holonomic_scale, values);
            }
            Enforce::Acceleration => {
                system.constraint_tangent(Level::Acceleration, &at, full, values);
                self.core.matrix.add(self.constraints, 1.0, values);
            }
            Enforce::Mixed { alpha, beta } => {
                system.constraint_tangent(Level::Acceleration, &at, full, values);
                self.core.matrix.add(self.constraints, 1.0, values);
                system.constraint_tangent(Level::Velocity, &at, full, values);
                self.core.matrix.add(self.constraints, 2.0 * alpha, values);
                system.constraint_tangent(Level::Position, &at, full, values);
                self.core.matrix.add(self.constraints, beta * beta, values);
            }
        }
    }

    fn constraint_residual(&mut self, system: &mut dyn System, out: &mut [f64]) {
        let at = self.core.trial.point();
        let nh = self.core.sizes.holonomic;
        match self.enforce {
            Enforce::Position { .. } | Enforce::Velocity => {
                let level = match self.enforce {
                    Enforce::Velocity => Level::Velocity,
                    _ => Level::Position,
                };
                constraint_rows(system, self.core.sizes, level, &at, &mut self.scratch, out);
                out[..nh].iter_mut().for_each(|r| *r *= self.row_scale.0);
                out[nh..].iter_mut().for_each(|r| *r *= self.row_scale.1);
            }
            Enforce::Acceleration => system.constraint(Level::Acceleration, &at, out),
            Enforce::Mixed { alpha, beta } => {
                system.constraint(Level::Acceleration, &at, out);
                system.constraint(Level::Velocity, &at, &mut self.scratch);
                add_scaled(out, 2.0 * alpha, &self.scratch);
                system.constraint(Level::Position, &at, &mut self.scratch[..nh]);
                add_scaled(&mut out[..nh], beta * beta, &self.scratch[..nh]);
            }
        }
    }
}

impl Scheme for AccelerationScheme {
    alpha_scheme!();

    fn equation(&self, i: usize) -> Equation {
        let (n, m) = (self.core.sizes.motion, self.core.sizes.multipliers());
        let level = match self.enforce {
            Enforce::Position { .. } if i - n.min(i) < self.core.sizes.holonomic => Level::Position,
            Enforce::Position { .. } | Enforce::Velocity => Level::Velocity,
            _ => Level::Acceleration,
        };
        match i {
            i if i < n => Equation::Motion(i),
            i if i < n + m => Equation::Constraint(level, i - n),
            i => Equation::Auxiliary(i - n - m),
        }
    }

    fn follow(&mut self, analysed: &BlockMatrix) {
        if let Some(saddle) = &mut self.saddle {
            saddle.follow(analysed);
        }
    }

    fn begin(&mut self, system: &mut dyn System, state: &State, h: f64) -> Result<(), FactorError> {
        self.core.begin(state, h);
        self.set_start_velocity(system, state, h)?;
        self.alpha.begin(state, &self.v_start, h);
        Ok(())
    }

    fn guess(&mut self, guess: &Guess, u: &mut [f64]) {
        let (n, m) = (self.core.sizes.motion, self.core.sizes.multipliers());
        self.alpha.guess_acceleration(guess, &self.core.base.v, &mut u[..n]);
        let multipliers = self.core.guess_rest(guess, n + m, u);
        u[n..n + m].copy_from_slice(multipliers);
    }

    fn residual(&mut self, system: &mut dyn System, u: &[f64], out: &mut [f64]) {
        let (n, m) = (self.core.sizes.motion, self.core.sizes.multipliers());
        self.set_trial(system, u);
        let (dynamics, rest) = out.split_at_mut(n);
        let (constraints, auxiliary) = rest.split_at_mut(m);
        if !auxiliary.is_empty() {
            system.auxiliary(&self.core.trial.point(), auxiliary);
        }
        let at_positions = matches!(self.enforce, Enforce::Position { augmented: false, .. });
        if at_positions && self.nonholonomic.is_empty() {
            system.balance(Level::Position, &self.core.trial.point(), dynamics, constraints);
            constraints.iter_mut().for_each(|r| *r *= self.row_scale.0);
            return;
        }
        if m > 0 {
            self.constraint_residual(system, constraints);
            self.augment_multipliers(constraints);
        }
        system.dynamics(&self.core.trial.point(), Terms::ALL, dynamics);
    }

    fn assemble(&mut self, system: &mut dyn System, u: &[f64]) {
        self.set_scales(system);
        self.set_trial(system, u);
        if self.penalty_factor != 0.0 {
            let mut rows = std::mem::take(&mut self.rows);
            self.constraint_residual(system, &mut rows);
            self.augment_multipliers(&rows);
            self.rows = rows;
        }
        let weights = self.weights();
        let Core { trial, matrix, buffers, .. } = &mut self.core;
        let with = (weights, Terms::ALL);
        buffers.add_tangent(system, &trial.point(), with, matrix, self.dynamics, 1.0);
        let AccelerationScheme { core, alpha, auxiliary, .. } = self;
        let at = core.trial.point();
        let (matrix, buffers) = (&mut core.matrix, &mut core.buffers);
        let constrained = core.sizes.multipliers() > 0;
        let states = StateWeights { rate: 1.0, state: alpha.c.c7 };
        if constrained {
            buffers.add_reactions(system, &at, matrix, self.reactions, self.column_scale);
        }
        let column = self.column_scale;
        auxiliary.add(system, &at, &[weights], states, &[1.0], column, matrix, buffers);
        if constrained {
            self.add_constraint_rows(system);
        }
    }

    fn solve(&mut self, residual: &mut [f64]) {
        let (n, m) = (self.core.sizes.motion, self.core.sizes.multipliers());
        self.core.matrix.solve(residual);
        if self.column_scale != 1.0 {
            residual[n..n + m].iter_mut().for_each(|value| *value *= self.column_scale);
        }
    }

    fn restart(&mut self, _system: &mut dyn System, state: &State) {
        self.core.see_states(&state.x);
        self.alpha.restart(state);
        self.scale = None;
    }

    fn suggest_start(&mut self, system: &mut dyn System, next: &State, out: &mut [f64]) {
        self.alpha.shifted_acceleration(&self.core.base, next, out);
        if !self.clean {
            return;
        }
        self.clean_start(system, next, out);
    }

    fn forget_start(&mut self) {
        self.start_residual = None;
    }

    fn commit(&mut self) {
        self.alpha.commit(&self.core.base);
        self.core.see_base();
        self.start_residual = None;
    }

    fn prescribed(&self) -> Option<Prescribed> {
        let constrained = self.core.sizes.multipliers() > 0;
        match self.enforce {
            Enforce::Position { .. } if constrained => Some(Prescribed::Positions),
            Enforce::Velocity if constrained => Some(Prescribed::Velocities),
            _ => None,
        }
    }

    fn meets_positions(&self) -> bool {
        matches!(self.enforce, Enforce::Position { .. } | Enforce::Velocity)
    }

    fn correction_size(&self, correction: &[f64], weights: &[f64]) -> f64 {
        rms_weighted([correction], |[d]| d, weights)
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
        Ok(())
    }
}
