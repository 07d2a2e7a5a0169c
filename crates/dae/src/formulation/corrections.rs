//! Formulations that meet constraints at several levels by corrections of position and velocity:
//! `ggl` (two variants), `pva` and `projected`.
//!
//! ```text
//! q = qₙ ∘ (Δ̂ + c8 (v̇ + U)),   v = v̂ + c7 (v̇ + W)
//! M v̇ − f − Gᵀλ − Kᵀψ = 0
//! ggl:        G v + g_t = 0, k = 0;  g = 0;    U = G(qₙ)ᵀν  [Brüls et al. 2018, eq. 73]  or  M U = Gᵀν  [74];  W = 0
//! pva:        g̈ = 0, k̇ = 0;  g = 0;  M U = Gᵀν;  ġ = 0, k = 0;  M W = GᵀΛ + KᵀΨ              [70]
//! projected:  as pva, but corrections act along M⁻¹Gᵀ taken at the unprojected position     [Yen et al. 1998, eq. 2.5]
//! ```
//!
//! Corrections are measured as accelerations (the paper's `U` is `c8 U`, its `W` is `c7 W`), which
//! keeps the iteration matrix well scaled for every step size. Nonholonomic rows need no position
//! correction: their part of ν is held at zero.

use super::{Core, Equation, Scheme};
use crate::alpha::{Alpha, Guess};
use crate::blocks::{AuxiliaryBlocks, ReactionBlock, mark_multipliers, place_reactions};
use crate::newton::ITERATION;
use crate::saddle::nonholonomic_entries;
use crate::settings::Settings;
use crate::state::State;
use crate::system::{Level, Point, StateWeights, System, Terms, Weights};
use crate::vector::{rms_weighted, scaled_sum};
use rotula_linear::{Block, BlockBuilder, FactorError, Pattern};
use serde::{Deserialize, Serialize};

/// Metric and place of the direction in which corrections act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Direction {
    /// `U = G(qₙ)ᵀν`.
    OldGradient,
    /// `M U = Gᵀν` at the new position.
    New,
    /// `M U = Gᵀν` at the unprojected position.
    Unprojected,
}

/// Blocks of one correction: its rows `M C − Jᵀν`, and the constraint rows that determine ν.
#[derive(Serialize, Deserialize)]
struct Correction {
    inertia: Block,
    identity: Block,
    column: Block,
    /// Derivative of `M C − Jᵀν` through position and velocity: to accelerations, U and W.
    curvature: Vec<Block>,
    /// Constraint rows: derivatives to accelerations, U and W.
    rows: Vec<Block>,
    /// Holds the multipliers of nonholonomic rows at zero (position correction only).
    idle: Block,
}

/// See the [module](self).
#[derive(Serialize, Deserialize)]
pub(crate) struct CorrectedScheme {
    core: Core,
    alpha: Alpha,
    direction: Direction,
    /// With a velocity correction (`pva`, `projected`) or without (`ggl`).
    with_velocity: bool,
    dynamics: Vec<Block>,
    reactions: ReactionBlock,
    /// Rows that determine λ: velocity level for `ggl`, acceleration level otherwise.
    lambda_rows: Vec<Block>,
    position: Correction,
    velocity: Option<Correction>,
    auxiliary: AuxiliaryBlocks,
    auxiliary_offset: usize,
    nonholonomic: Vec<usize>,
    constraint_pattern: Pattern,
    /// Gradient at the start of the step, for the old-gradient direction.
    old_gradient: Vec<f64>,
    /// The unprojected point.
    unprojected: State,
    idle: Vec<f64>,
    scratch: Vec<f64>,
    /// Multipliers of the correction at hand.
    multipliers: Vec<f64>,
}

impl CorrectedScheme {
    /// Corrects positions along `direction`, and velocities as well if they too meet their constraints.
    pub fn new(
        system: &dyn System,
        settings: &Settings,
        direction: Direction,
        with_velocity: bool,
    ) -> Self {
        let sizes = system.sizes();
        let patterns = system.patterns();
        let (n, m, a) = (sizes.motion, sizes.multipliers(), sizes.auxiliary());
        let stages = if with_velocity { 3 } else { 2 };
        let total = stages * (n + m) + a;
        // Columns of motion-like unknowns: accelerations, U, W.
        let motion: Vec<usize> = (0..stages).map(|k| k * (n + m)).collect();
        let mut builder = BlockBuilder::new(total);
        let dynamics = motion.iter().map(|&c| builder.place(&patterns.dynamics, 0, c)).collect();
        let reactions = place_reactions(&mut builder, &patterns, 0, n);
        let rows = |builder: &mut BlockBuilder, row: usize| -> Vec<Block> {
            motion.iter().map(|&c| builder.place(&patterns.constraints, row, c)).collect()
        };
        let lambda_rows = rows(&mut builder, n);
        let correction = |builder: &mut BlockBuilder, offset: usize| Correction {
            inertia: builder.place(&patterns.dynamics, offset, offset),
            identity: builder.place_diagonal(n, offset, offset),
            column: builder.place_transposed(&patterns.constraints, offset, offset + n),
            curvature: motion
                .iter()
                .map(|&c| builder.place(&patterns.dynamics, offset, c))
                .collect(),
            rows: rows(builder, offset + n),
            idle: builder.place_diagonal(m, offset + n, offset + n),
        };
        let position = correction(&mut builder, n + m);
        let velocity = with_velocity.then(|| correction(&mut builder, 2 * (n + m)));
        let auxiliary_offset = stages * (n + m);
        let auxiliary =
            AuxiliaryBlocks::place(&mut builder, &patterns, auxiliary_offset, &motion, n, &[0]);
        let ranges: Vec<_> = motion.iter().map(|&c| c + n..c + n + m).collect();
        let matrix = builder.build(&mark_multipliers(total, &ranges), ITERATION);
        let mut idle = vec![0.0; m];
        idle[sizes.holonomic..].fill(1.0);
        CorrectedScheme {
            core: Core::new(sizes, &patterns, matrix),
            alpha: Alpha::of(sizes, settings),
            direction,
            with_velocity,
            dynamics,
            reactions,
            lambda_rows,
            position,
            velocity,
            auxiliary,
            auxiliary_offset,
            nonholonomic: nonholonomic_entries(sizes, &patterns),
            old_gradient: vec![0.0; patterns.constraints.entries()],
            unprojected: State::zeros(sizes),
            idle,
            scratch: vec![0.0; n.max(m)],
            multipliers: vec![0.0; m],
            constraint_pattern: patterns.constraints,
        }
    }

    /// Level of the rows that determine λ.
    fn lambda_level(&self) -> Level {
        if self.with_velocity { Level::Acceleration } else { Level::Velocity }
    }

    /// Scale of the rows that determine λ.
    fn lambda_scale(&self) -> f64 {
        if self.with_velocity { 1.0 } else { 1.0 / self.alpha.c.c7 }
    }

    /// Weights of accelerations, U and W.
    fn weights(&self) -> [Weights; 3] {
        let (c7, c8) = (self.alpha.c.c7, self.alpha.c.c8);
        [
            Weights { mass: 1.0, damping: c7, stiffness: c8 },
            Weights { mass: 0.0, damping: 0.0, stiffness: c8 },
            Weights { mass: 0.0, damping: c7, stiffness: 0.0 },
        ]
    }

    fn set_trial(&mut self, system: &dyn System, u: &[f64]) {
        let (n, m) = (self.core.sizes.motion, self.core.sizes.multipliers());
        let (c7, c8) = (self.alpha.c.c7, self.alpha.c.c8);
        let (Core { trial, base, .. }, alpha) = (&mut self.core, &self.alpha);
        trial.vdot.copy_from_slice(&u[..n]);
        trial.multipliers.copy_from_slice(&u[n..n + m]);
        alpha.set_increment(&u[..n], &mut self.unprojected.increment);
        let u_correction = &u[n + m..2 * n + m];
        scaled_sum(&self.unprojected.increment, c8, u_correction, &mut trial.increment);
        alpha.set_velocity(&u[..n], &mut trial.v);
        if self.with_velocity {
            let offset = 2 * (n + m);
            for i in 0..n {
                trial.v[i] += c7 * u[offset + i];
            }
        }
        system.retract(&base.q, &trial.increment, &mut trial.q);
        if self.direction == Direction::Unprojected {
            self.unprojected.t = trial.t;
            system.retract(&base.q, &self.unprojected.increment, &mut self.unprojected.q);
            self.unprojected.v.copy_from_slice(&trial.v);
        }
        self.core.set_auxiliary(&self.alpha, &u[self.auxiliary_offset..]);
    }

    /// Multipliers of a correction; a nonholonomic constraint does not act on positions.
    fn set_correction_multipliers(&mut self, u: &[f64], offset: usize, position: bool) {
        let (n, m) = (self.core.sizes.motion, self.core.sizes.multipliers());
        self.multipliers.copy_from_slice(&u[offset + n..offset + n + m]);
        if position {
            self.multipliers[self.core.sizes.holonomic..].fill(0.0);
        }
    }

    /// `out = M C − Jᵀν` of a correction.
    fn correction_residual(
        &mut self,
        system: &mut dyn System,
        u: &[f64],
        position: bool,
        out: &mut [f64],
    ) {
        let (n, m) = (self.core.sizes.motion, self.core.sizes.multipliers());
        let offset = if position { n + m } else { 2 * (n + m) };
        self.set_correction_multipliers(u, offset, position);
        let mut gradient = std::mem::take(&mut self.core.buffers.constraints);
        if self.direction == Direction::OldGradient {
            out.copy_from_slice(&u[offset..offset + n]);
            gradient.copy_from_slice(&self.old_gradient);
        } else {
            let source = match self.direction {
                Direction::Unprojected => &self.unprojected,
                _ => &self.core.trial,
            };
            let at = correction_point(source, &u[offset..offset + n], &self.multipliers);
            system.dynamics(&at, Terms::INERTIA, out);
            system.constraint_gradient(&at, &mut gradient);
        }
        self.constraint_pattern.multiply_transposed_add(&gradient, -1.0, &self.multipliers, out);
        self.core.buffers.constraints = gradient;
    }

    fn add_correction(&mut self, system: &mut dyn System, u: &[f64], position: bool) {
        let (n, m) = (self.core.sizes.motion, self.core.sizes.multipliers());
        let offset = if position { n + m } else { 2 * (n + m) };
        self.set_correction_multipliers(u, offset, position);
        let mut gradient = std::mem::take(&mut self.core.buffers.constraints);
        let mut tangent = std::mem::take(&mut self.core.buffers.dynamics);
        let all_weights = self.weights();
        let Core { matrix, trial, .. } = &mut self.core;
        let correction = match (&self.velocity, position) {
            (Some(velocity), false) => velocity,
            _ => &self.position,
        };
        if self.direction == Direction::OldGradient {
            matrix.add_constant(correction.identity, 1.0);
            gradient.copy_from_slice(&self.old_gradient);
        } else {
            let source = match self.direction {
                Direction::Unprojected => &self.unprojected,
                _ => &*trial,
            };
            let at = correction_point(source, &u[offset..offset + n], &self.multipliers);
            system.tangent(&at, Weights::MASS, Terms::INERTIA, &mut tangent);
            matrix.add(correction.inertia, 1.0, &tangent);
            for (k, weights) in all_weights.into_iter().take(self.dynamics.len()).enumerate() {
                // The unprojected position does not feel its own correction.
                if k == 1 && self.direction == Direction::Unprojected {
                    continue;
                }
                let weights = Weights { mass: 0.0, ..weights };
                system.tangent(&at, weights, Terms::WITHOUT_FORCES, &mut tangent);
                matrix.add(correction.curvature[k], 1.0, &tangent);
            }
            system.constraint_gradient(&at, &mut gradient);
        }
        if position {
            for &entry in &self.nonholonomic {
                gradient[entry] = 0.0;
            }
            matrix.add(correction.idle, 1.0, &self.idle);
        }
        matrix.add(correction.column, -1.0, &gradient);
        self.core.buffers.constraints = gradient;
        self.core.buffers.dynamics = tangent;
    }
}

impl Scheme for CorrectedScheme {
    alpha_scheme!();

    fn equation(&self, i: usize) -> Equation {
        let (n, m) = (self.core.sizes.motion, self.core.sizes.multipliers());
        if i >= self.auxiliary_offset {
            return Equation::Auxiliary(i - self.auxiliary_offset);
        }
        let (stage, row) = (i / (n + m), i % (n + m));
        match (stage, row < n) {
            (0, true) => Equation::Motion(row),
            (_, true) => Equation::Correction(row),
            (0, false) => Equation::Constraint(self.lambda_level(), row - n),
            (1, false) => Equation::Constraint(Level::Position, row - n),
            (_, false) => Equation::Constraint(Level::Velocity, row - n),
        }
    }

    fn begin(&mut self, system: &mut dyn System, state: &State, h: f64) -> Result<(), FactorError> {
        self.core.begin(state, h);
        self.alpha.begin(state, &state.v, h);
        if self.direction == Direction::OldGradient {
            system.constraint_gradient(&state.point(), &mut self.old_gradient);
            for &entry in &self.nonholonomic {
                self.old_gradient[entry] = 0.0;
            }
        }
        Ok(())
    }

    fn guess(&mut self, guess: &Guess, u: &mut [f64]) {
        let (n, m) = (self.core.sizes.motion, self.core.sizes.multipliers());
        u.fill(0.0);
        self.alpha.guess_acceleration(guess, &self.core.base.v, &mut u[..n]);
        let multipliers = self.core.guess_rest(guess, self.auxiliary_offset, u);
        u[n..n + m].copy_from_slice(multipliers);
    }

    fn residual(&mut self, system: &mut dyn System, u: &[f64], out: &mut [f64]) {
        let (n, m, nh) =
            (self.core.sizes.motion, self.core.sizes.multipliers(), self.core.sizes.holonomic);
        let (c7, c8) = (self.alpha.c.c7, self.alpha.c.c8);
        self.set_trial(system, u);
        let at = self.core.trial.point();
        system.dynamics(&at, Terms::ALL, &mut out[..n]);
        if self.auxiliary_offset < out.len() {
            system.auxiliary(&at, &mut out[self.auxiliary_offset..]);
        }
        if m == 0 {
            out[n..self.auxiliary_offset].copy_from_slice(&u[n..self.auxiliary_offset]);
            return;
        }
        let scale = self.lambda_scale();
        system.constraint(self.lambda_level(), &at, &mut out[n..n + m]);
        out[n..n + m].iter_mut().for_each(|r| *r *= scale);
        let offset = n + m;
        system.constraint(Level::Position, &at, &mut out[offset + n..offset + n + nh]);
        out[offset + n..offset + n + nh].iter_mut().for_each(|r| *r /= c8);
        out[offset + n + nh..offset + n + m].copy_from_slice(&u[offset + n + nh..offset + n + m]);
        if self.with_velocity {
            let offset = 2 * (n + m);
            system.constraint(Level::Velocity, &at, &mut out[offset + n..offset + n + m]);
            out[offset + n..offset + n + m].iter_mut().for_each(|r| *r /= c7);
        }
        let mut rows = std::mem::take(&mut self.scratch);
        for position in if self.with_velocity { &[true, false][..] } else { &[true][..] } {
            let offset = if *position { n + m } else { 2 * (n + m) };
            self.correction_residual(system, u, *position, &mut rows[..n]);
            out[offset..offset + n].copy_from_slice(&rows[..n]);
        }
        self.scratch = rows;
    }

    fn assemble(&mut self, system: &mut dyn System, u: &[f64]) {
        self.set_trial(system, u);
        let weights = self.weights();
        let stages = self.dynamics.len();
        let (c7, c8) = (self.alpha.c.c7, self.alpha.c.c8);
        let (lambda_level, lambda_scale) = (self.lambda_level(), self.lambda_scale());
        let constrained = self.core.sizes.multipliers() > 0;
        let Core { trial, matrix, buffers, .. } = &mut self.core;
        let at = trial.point();
        for k in 0..stages {
            let terms = (weights[k], Terms::ALL);
            buffers.add_tangent(system, &at, terms, matrix, self.dynamics[k], 1.0);
            if !constrained {
                continue;
            }
            let rows = (lambda_level, weights[k]);
            buffers.add_constraint(system, &at, rows, matrix, self.lambda_rows[k], lambda_scale);
            let rows = (Level::Position, weights[k]);
            buffers.add_constraint(system, &at, rows, matrix, self.position.rows[k], 1.0 / c8);
            if let Some(velocity) = &self.velocity {
                let rows = (Level::Velocity, weights[k]);
                buffers.add_constraint(system, &at, rows, matrix, velocity.rows[k], 1.0 / c7);
            }
        }
        if constrained {
            buffers.add_reactions(system, &at, matrix, self.reactions, 1.0);
        }
        let states = StateWeights { rate: 1.0, state: c7 };
        self.auxiliary.add(system, &at, &weights[..stages], states, &[1.0], 1.0, matrix, buffers);
        if constrained {
            self.add_correction(system, u, true);
            if self.with_velocity {
                self.add_correction(system, u, false);
            }
        } else {
            matrix.add_constant(self.position.identity, 1.0);
            if let Some(velocity) = &self.velocity {
                matrix.add_constant(velocity.identity, 1.0);
            }
        }
    }

    fn correction_size(&self, correction: &[f64], weights: &[f64]) -> f64 {
        let (n, m) = (self.core.sizes.motion, self.core.sizes.multipliers());
        let position = &correction[n + m..];
        if self.with_velocity {
            let velocity = &correction[2 * (n + m)..];
            let larger = |[a, p, v]: [f64; 3]| (a + p).abs().max((a + v).abs());
            return rms_weighted([correction, position, velocity], larger, weights);
        }
        let larger = |[a, p]: [f64; 2]| (a + p).abs().max(a.abs());
        rms_weighted([correction, position], larger, weights)
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

/// Where inertia and gradient of a correction are evaluated, with the correction and its multiplier
/// in the places of acceleration and reaction.
fn correction_point<'a>(source: &'a State, vdot: &'a [f64], multipliers: &'a [f64]) -> Point<'a> {
    Point { vdot, multipliers, ..source.point() }
}
