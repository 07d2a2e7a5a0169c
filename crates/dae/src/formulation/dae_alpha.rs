//! DAE-α: dynamics balanced twice, once for the position with its own multiplier and once for the
//! velocity, so that both levels of the constraints are met. [Yen et al. 1998, eq. 3.3]
//!
//! ```text
//! q = qₙ ∘ (Δ̂ + c8 r),   v = v̂ + c7 s
//! M r − f − Gᵀν = 0,   g(q) = 0          (the paper's ν is −β̂h² ν here)
//! M s − f − Gᵀμ = 0,   G v + g_t = 0     (the paper's μ is −γ̂h μ here)
//! φ, λ from the acceleration level (2.2) at the new point, or φ = s, λ = μ
//! ```
//!
//! Iterations [Yen et al. 1998, sheet §3]: `newton` uses the whole matrix; `cm` drops the curvature of the constraints,
//! which is what premultiplication by a frozen annihilator of `Gᵀ` amounts to; `hybrid` switches the
//! curvature on once a correction is small; `cs` resets ν, μ to the values that a coordinate split
//! `GY` gives before every iteration. Nonholonomic multipliers are shared by both balances.

use super::{Core, Equation, Scheme, equation_of_two_balances};
use crate::alpha::{Alpha, Guess};
use crate::blocks::{AuxiliaryBlocks, ReactionBlock, mark_multipliers, place_reactions};
use crate::coordinate_split::CoordinateSplit;
use crate::newton::ITERATION;
use crate::settings::{DaeIteration, MultiplierSource, Settings};
use crate::state::State;
use crate::system::{Level, Point, StateWeights, System, Terms, Weights};
use crate::underlying::{Underlying, UnderlyingFailure};
use crate::vector::rms_weighted;
use rotula_linear::{Block, BlockBuilder, FactorError};
use serde::{Deserialize, Serialize};

/// Corrections smaller than this fraction of the scale switch the hybrid's curvature on. [Yen et al. 1998, sheet §2]
const HYBRID_SWITCH: f64 = 0.1;

/// See the [module](self).
#[derive(Serialize, Deserialize)]
pub(crate) struct DaeAlphaScheme {
    core: Core,
    alpha: Alpha,
    iteration: DaeIteration,
    source: MultiplierSource,
    /// Rows of the two balances, columns r and s.
    balances: [[Block; 2]; 2],
    reactions: [ReactionBlock; 2],
    position: Block,
    velocity: [Block; 2],
    /// Ties the nonholonomic multipliers of both balances.
    tie: [Block; 2],
    tied: Vec<f64>,
    auxiliary: AuxiliaryBlocks,
    underlying: Underlying,
    split: Option<CoordinateSplit>,
    /// Newest unknowns with multipliers replaced by those of the split.
    reset: Vec<f64>,
    /// Size of the last position correction, relative to the scale.
    near: bool,
    weights: Vec<f64>,
}

impl DaeAlphaScheme {
    pub fn new(
        system: &dyn System,
        settings: &Settings,
        iteration: DaeIteration,
        source: MultiplierSource,
    ) -> Self {
        let sizes = system.sizes();
        let patterns = system.patterns();
        let (n, m, a) = (sizes.motion, sizes.multipliers(), sizes.auxiliary());
        let second = n + m;
        let total = 2 * (n + m) + a;
        let mut builder = BlockBuilder::new(total);
        let balance = |builder: &mut BlockBuilder, row: usize| {
            [0, second].map(|col| builder.place(&patterns.dynamics, row, col))
        };
        let balances = [balance(&mut builder, 0), balance(&mut builder, second)];
        let reactions = [
            place_reactions(&mut builder, &patterns, 0, n),
            place_reactions(&mut builder, &patterns, second, second + n),
        ];
        let position = builder.place(&patterns.constraints, n, 0);
        let velocity = [0, second].map(|col| builder.place(&patterns.constraints, second + n, col));
        let tie = [n, second + n].map(|col| builder.place_diagonal(m, n, col));
        let auxiliary = AuxiliaryBlocks::place(
            &mut builder,
            &patterns,
            2 * (n + m),
            &[0, second],
            second + n,
            &[0, second],
        );
        let marks = mark_multipliers(total, &[n..n + m, second + n..second + n + m]);
        let matrix = builder.build(&marks, ITERATION);
        let mut tied = vec![0.0; m];
        tied[sizes.holonomic..].fill(1.0);
        DaeAlphaScheme {
            core: Core::new(sizes, &patterns, matrix),
            alpha: Alpha::of(sizes, settings),
            iteration,
            source,
            balances,
            reactions,
            position,
            velocity,
            tie,
            tied,
            auxiliary,
            underlying: Underlying::new(sizes, &patterns),
            split: (iteration == DaeIteration::Cs && m > 0)
                .then(|| CoordinateSplit::new(patterns.constraints.clone())),
            reset: vec![0.0; total],
            near: false,
            weights: (0..n).map(|i| system.scale(i)).collect(),
        }
    }

    fn second(&self) -> usize {
        self.core.sizes.motion + self.core.sizes.multipliers()
    }

    fn set_trial(&mut self, system: &dyn System, u: &[f64]) {
        let (n, second) = (self.core.sizes.motion, self.second());
        let (Core { trial, base, .. }, alpha) = (&mut self.core, &self.alpha);
        alpha.set_increment(&u[..n], &mut trial.increment);
        alpha.set_velocity(&u[second..second + n], &mut trial.v);
        trial.vdot.copy_from_slice(&u[second..second + n]);
        trial.multipliers.copy_from_slice(&u[second + n..2 * second]);
        system.retract(&base.q, &trial.increment, &mut trial.q);
        self.core.set_auxiliary(&self.alpha, &u[2 * second..]);
    }

    /// The trial point with acceleration and multipliers of one balance.
    fn balance_point<'a>(&'a self, u: &'a [f64], balance: usize) -> Point<'a> {
        let (n, second) = (self.core.sizes.motion, self.second());
        let offset = balance * second;
        Point {
            vdot: &u[offset..offset + n],
            multipliers: &u[offset + n..offset + second],
            ..self.core.trial.point()
        }
    }

    fn curvature(&self) -> Terms {
        match self.iteration {
            DaeIteration::Cm => Terms::WITHOUT_REACTIONS,
            DaeIteration::Hybrid if !self.near => Terms::WITHOUT_REACTIONS,
            _ => Terms::ALL,
        }
    }

    /// Replaces the multipliers by those of the coordinate split. [Yen et al. 1998, sheet §1, full CS]
    fn split_multipliers(&mut self, system: &mut dyn System, u: &[f64]) {
        let (n, second) = (self.core.sizes.motion, self.second());
        self.reset.copy_from_slice(u);
        let Some(mut split) = self.split.take() else { return };
        split.factorise(system, &self.core.trial.point());
        let mut rows = std::mem::take(&mut self.core.buffers.motion);
        for balance in 0..2 {
            let at = self.balance_point(u, balance);
            system.dynamics(&at, Terms::WITHOUT_REACTIONS, &mut rows);
            let offset = balance * second + n;
            split.multipliers(&rows, &mut self.reset[offset..offset + second - n]);
        }
        self.core.buffers.motion = rows;
        self.split = Some(split);
    }
}

impl Scheme for DaeAlphaScheme {
    alpha_scheme!();

    fn equation(&self, i: usize) -> Equation {
        equation_of_two_balances(i, self.core.sizes)
    }

    fn begin(
        &mut self,
        _system: &mut dyn System,
        state: &State,
        h: f64,
    ) -> Result<(), FactorError> {
        self.core.begin(state, h);
        self.alpha.begin(state, &state.v, h);
        self.near = false;
        Ok(())
    }

    fn guess(&mut self, guess: &Guess, u: &mut [f64]) {
        let (n, second) = (self.core.sizes.motion, self.second());
        let (base, alpha) = (&self.core.base, &self.alpha);
        alpha.guess_acceleration(guess, &base.v, &mut u[..n]);
        match guess {
            Guess::Values { vdot, .. } => u[second..second + n].copy_from_slice(vdot),
            Guess::Euler | Guess::Hold => {
                for i in 0..n {
                    u[second + i] = (base.v[i] - alpha.v_hat[i]) / alpha.c.c7;
                }
            }
        }
        let multipliers = self.core.guess_rest(guess, 2 * second, u);
        u[n..second].copy_from_slice(multipliers);
        u[second + n..2 * second].copy_from_slice(multipliers);
    }

    fn residual(&mut self, system: &mut dyn System, u: &[f64], out: &mut [f64]) {
        let (n, nh, second) = (self.core.sizes.motion, self.core.sizes.holonomic, self.second());
        let (c7, c8) = (self.alpha.c.c7, self.alpha.c.c8);
        self.set_trial(system, u);
        system.dynamics(&self.balance_point(u, 0), Terms::ALL, &mut out[..n]);
        let at = self.balance_point(u, 1);
        system.dynamics(&at, Terms::ALL, &mut out[second..second + n]);
        if n < second {
            system.constraint(Level::Position, &at, &mut out[n..n + nh]);
            out[n..n + nh].iter_mut().for_each(|r| *r /= c8);
            for j in n + nh..second {
                out[j] = u[j] - u[second + j];
            }
            system.constraint(Level::Velocity, &at, &mut out[second + n..2 * second]);
            out[second + n..2 * second].iter_mut().for_each(|r| *r /= c7);
        }
        if 2 * second < out.len() {
            system.auxiliary(&at, &mut out[2 * second..]);
        }
    }

    fn assemble(&mut self, system: &mut dyn System, u: &[f64]) {
        self.set_trial(system, u);
        if self.split.is_some() {
            self.split_multipliers(system, u);
        } else {
            self.reset.copy_from_slice(u);
        }
        let u = std::mem::take(&mut self.reset);
        let (c7, c8) = (self.alpha.c.c7, self.alpha.c.c8);
        let constrained = self.core.sizes.multipliers() > 0;
        let terms = self.curvature();
        let position = Weights { mass: 0.0, damping: 0.0, stiffness: c8 };
        let velocity = Weights { mass: 0.0, damping: c7, stiffness: 0.0 };
        let mut tangent = std::mem::take(&mut self.core.buffers.dynamics);
        for balance in 0..2 {
            for (column, weights) in [position, velocity].into_iter().enumerate() {
                let mass = if column == balance { 1.0 } else { 0.0 };
                let at = self.balance_point(&u, balance);
                system.tangent(&at, Weights { mass, ..weights }, terms, &mut tangent);
                self.core.matrix.add(self.balances[balance][column], 1.0, &tangent);
            }
        }
        self.core.buffers.dynamics = tangent;
        let at = self.core.trial.point();
        let (matrix, buffers) = (&mut self.core.matrix, &mut self.core.buffers);
        if constrained {
            for reactions in self.reactions {
                buffers.add_reactions(system, &at, matrix, reactions, 1.0);
            }
            let rows = (Level::Position, position);
            buffers.add_constraint(system, &at, rows, matrix, self.position, 1.0 / c8);
            for (block, weights) in self.velocity.into_iter().zip([position, velocity]) {
                let rows = (Level::Velocity, weights);
                buffers.add_constraint(system, &at, rows, matrix, block, 1.0 / c7);
            }
            matrix.add(self.tie[0], 1.0, &self.tied);
            matrix.add(self.tie[1], -1.0, &self.tied);
        }
        let states = StateWeights { rate: 1.0, state: c7 };
        let columns = [position, Weights { mass: 1.0, ..velocity }];
        self.auxiliary.add(system, &at, &columns, states, &[1.0, 1.0], 1.0, matrix, buffers);
        self.reset = u;
    }

    fn correction_size(&self, correction: &[f64], weights: &[f64]) -> f64 {
        let larger = |[a, b]: [f64; 2]| a.abs().max(b.abs());
        rms_weighted([correction, &correction[self.second()..]], larger, weights)
    }

    fn solve(&mut self, residual: &mut [f64]) {
        self.core.matrix.solve(residual);
        let c8 = self.alpha.c.c8;
        let moves = residual.iter().zip(&self.weights).map(|(d, w)| (c8 * d / w).abs());
        self.near = moves.fold(0.0, f64::max) < HYBRID_SWITCH;
    }

    fn balance(&self) -> usize {
        self.second()
    }

    /// From the acceleration level they are solved for anew when the iteration has ended; the iterations of the
    /// paper leave multipliers out of their test. [Yen et al. 1998, sheet §3]
    fn forces_count(&self) -> bool {
        self.source == MultiplierSource::VelocityLevel
    }

    fn conclude(
        &mut self,
        system: &mut dyn System,
        u: &[f64],
        next: &mut State,
    ) -> Result<(), FactorError> {
        self.set_trial(system, u);
        next.copy_from(&self.core.trial);
        if self.source == MultiplierSource::AccelerationLevel {
            // The increment is a chart coordinate of this step; φ is found at the point itself.
            next.increment.fill(0.0);
            self.underlying.solve(system, next).map_err(|failure| match failure {
                UnderlyingFailure::Matrix(error) => error,
                _ => FactorError::NotFinite { row: 0, col: 0 },
            })?;
        }
        self.alpha.conclude(&self.core.base, &next.vdot, &next.xdot);
        Ok(())
    }
}
