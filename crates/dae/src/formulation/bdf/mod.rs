//! Backward differentiation formulas of order 1 to 5 with variable step: the baseline that document
//! 003 compares with (index 3), its stabilised form (SI2), and the choice for high accuracy.
//! [Negrut et al. 2005, sheet §7; fixed leading coefficient]
//!
//! ```text
//! ẏ = ẏᴾ + (γ/h)(y − yᴾ),  γ = Σ_{j≤k} 1/j;   P: predicted by the polynomial of degree k
//! index3:  q̇ = v,          M v̇ − f − Gᵀλ = 0,  g = 0                      error test on q
//! si2:     q̇ = v + Gᵀμ,    M v̇ − f − Gᵀλ = 0,  g = 0,  G v + g_t = 0      error test on q and v
//! ```
//!
//! Unknowns are accelerations (and, for `si2`, the position correction measured as an acceleration),
//! so that the iteration matrix has the weights 1, h/γ, (h/γ)² and is scaled like the α methods.
//! On manifolds the formulas are applied in a chart around the predicted configuration, where the
//! correction is so small that the chart's tangent is the identity to the order of the method.

mod history;
mod order;

use super::{Core, Equation, Scheme};
use crate::alpha::Guess;
use crate::blocks::{
    AuxiliaryBlocks, ReactionBlock, constraint_rows, mark_multipliers, place_reactions,
};
use crate::newton::ITERATION;
use crate::saddle::nonholonomic_entries;
use crate::settings::BdfForm;
use crate::state::State;
use crate::step::{LocalError, PastPoint};
use crate::system::{Level, Point, Sizes, StateWeights, System, Terms, Weights};
use crate::vector::rms_weighted;
use history::{History, Quantity};
use rotula_linear::{Block, BlockBuilder, FactorError, Pattern};
use serde::{Deserialize, Serialize};

/// Blocks that only the stabilised form has.
#[derive(Serialize, Deserialize)]
struct Stabilised {
    /// Rows `r − v̇ + … − Gᵀμ`: identity to r, minus identity to v̇, column to μ, curvature to r.
    identity: Block,
    minus_identity: Block,
    column: Block,
    curvature: Block,
    /// Derivatives of dynamics and of both constraint rows to r.
    dynamics: Block,
    velocity_rows: [Block; 2],
    position_rows: Block,
    idle: Block,
}

/// Predicted values and slopes.
#[derive(Default, Serialize, Deserialize)]
struct Predicted {
    position: Vec<f64>,
    position_slope: Vec<f64>,
    velocity: Vec<f64>,
    velocity_slope: Vec<f64>,
    states: Vec<f64>,
    state_slope: Vec<f64>,
}

/// See the [module](self).
#[derive(Serialize, Deserialize)]
pub(crate) struct BdfScheme {
    core: Core,
    max_order: usize,
    history: History,
    order: usize,
    /// The order of the step that was attempted.
    taken: usize,
    /// Accepted steps at the present order, and the last step size.
    settled: usize,
    centre: Vec<f64>,
    predicted: Predicted,
    /// h/γ.
    ratio: f64,
    dynamics: Block,
    reactions: ReactionBlock,
    constraints: Block,
    stabilised: Option<Stabilised>,
    auxiliary: AuxiliaryBlocks,
    nonholonomic: Vec<usize>,
    idle: Vec<f64>,
    constraint_pattern: Pattern,
    scratch: Vec<f64>,
    /// Largest speeds so far: weights of the velocity error.
    speeds: Vec<f64>,
}

impl BdfScheme {
    pub fn new(system: &dyn System, form: BdfForm, max_order: usize) -> Self {
        let sizes = system.sizes();
        let patterns = system.patterns();
        let (n, m, a) = (sizes.motion, sizes.multipliers(), sizes.auxiliary());
        let second = n + m;
        let si2 = form == BdfForm::Si2 && m > 0;
        let offset = if si2 { 2 * second } else { second };
        let mut builder = BlockBuilder::new(offset + a);
        let dynamics = builder.place(&patterns.dynamics, 0, 0);
        let reactions = place_reactions(&mut builder, &patterns, 0, n);
        let constraints = builder.place(&patterns.constraints, n, 0);
        let stabilised = si2.then(|| Stabilised {
            identity: builder.place_diagonal(n, second, second),
            minus_identity: builder.place_diagonal(n, second, 0),
            column: builder.place_transposed(&patterns.constraints, second, second + n),
            curvature: builder.place(&patterns.dynamics, second, second),
            dynamics: builder.place(&patterns.dynamics, 0, second),
            velocity_rows: [
                builder.place(&patterns.constraints, n, 0),
                builder.place(&patterns.constraints, n, second),
            ],
            position_rows: builder.place(&patterns.constraints, second + n, second),
            idle: builder.place_diagonal(m, second + n, second + n),
        });
        let motion = if si2 { vec![0, second] } else { vec![0] };
        let auxiliary = AuxiliaryBlocks::place(&mut builder, &patterns, offset, &motion, n, &[0]);
        let ranges = [n..second, second + n..2 * second];
        let marks = mark_multipliers(offset + a, &ranges[..if si2 { 2 } else { 1 }]);
        let matrix = builder.build(&marks, ITERATION);
        let mut idle = vec![0.0; m];
        idle[sizes.holonomic..].fill(1.0);
        let motion = || vec![0.0; n];
        let states = || vec![0.0; sizes.states];
        BdfScheme {
            core: Core::new(sizes, &patterns, matrix),
            max_order,
            history: History::new(sizes),
            order: 1,
            taken: 1,
            settled: 0,
            centre: vec![0.0; sizes.configuration],
            predicted: Predicted {
                position: motion(),
                position_slope: motion(),
                velocity: motion(),
                velocity_slope: motion(),
                states: states(),
                state_slope: states(),
            },
            ratio: 0.0,
            dynamics,
            reactions,
            constraints,
            stabilised,
            auxiliary,
            nonholonomic: nonholonomic_entries(sizes, &patterns),
            idle,
            constraint_pattern: patterns.constraints,
            scratch: vec![0.0; m],
            speeds: (0..n).map(|i| system.scale(i)).collect(),
        }
    }

    fn sizes(&self) -> Sizes {
        self.core.sizes
    }

    /// Where the auxiliary unknowns begin.
    fn offset(&self) -> usize {
        let second = self.sizes().motion + self.sizes().multipliers();
        if self.stabilised.is_some() { 2 * second } else { second }
    }

    fn predict(&mut self, system: &dyn System, t: f64) {
        let degree = self.order;
        let BdfScheme { history, predicted, centre, .. } = self;
        let p = predicted;
        // First a chart at the newest point finds the centre; then everything is seen from there.
        centre.copy_from_slice(history.newest());
        history.localise(system, centre);
        let slots = (&mut p.position[..], &mut p.position_slope[..]);
        history.extrapolate(Quantity::Position, t, degree, slots);
        system.retract(history.newest(), &p.position, centre);
        history.localise(system, centre);
        let slots = (&mut p.position[..], &mut p.position_slope[..]);
        history.extrapolate(Quantity::Position, t, degree, slots);
        let slots = (&mut p.velocity[..], &mut p.velocity_slope[..]);
        history.extrapolate(Quantity::Velocity, t, degree, slots);
        let slots = (&mut p.states[..], &mut p.state_slope[..]);
        history.extrapolate(Quantity::States, t, degree, slots);
    }

    fn set_trial(&mut self, system: &dyn System, u: &[f64]) {
        let (n, m) = (self.sizes().motion, self.sizes().multipliers());
        let (offset, second) = (self.offset(), n + m);
        let r = self.ratio;
        let p = &self.predicted;
        let trial = &mut self.core.trial;
        for i in 0..n {
            if self.stabilised.is_some() {
                trial.v[i] = p.velocity[i] + r * (u[i] - p.velocity_slope[i]);
                trial.increment[i] = p.position[i] + r * r * u[second + i];
            } else {
                let hat = p.velocity_slope[i] + (p.position_slope[i] - p.velocity[i]) / r;
                trial.v[i] = p.position_slope[i] + r * (u[i] - hat);
                trial.increment[i] = p.position[i] + r * r * (u[i] - hat);
            }
        }
        trial.vdot.copy_from_slice(&u[..n]);
        trial.multipliers.copy_from_slice(&u[n..second]);
        system.retract(&self.centre, &trial.increment, &mut trial.q);
        let (xdot, y) = u[offset..].split_at(p.states.len());
        for i in 0..xdot.len() {
            trial.x[i] = p.states[i] + r * (xdot[i] - p.state_slope[i]);
        }
        trial.xdot.copy_from_slice(xdot);
        trial.y.copy_from_slice(y);
    }
}

impl Scheme for BdfScheme {
    fn core(&self) -> &Core {
        &self.core
    }

    fn core_mut(&mut self) -> &mut Core {
        &mut self.core
    }

    saved_whole!();

    fn order(&self) -> usize {
        self.order
    }

    fn equation(&self, i: usize) -> Equation {
        let (n, second) = (self.sizes().motion, self.sizes().motion + self.sizes().multipliers());
        let level = match self.stabilised {
            Some(_) => Level::Velocity,
            None => Level::Position,
        };
        match i {
            i if i >= self.offset() => Equation::Auxiliary(i - self.offset()),
            i if i < n => Equation::Motion(i),
            i if i < second => Equation::Constraint(level, i - n),
            i if i < second + n => Equation::Correction(i - second),
            i => Equation::Constraint(Level::Position, i - second - n),
        }
    }

    fn restart(&mut self, _system: &mut dyn System, state: &State) {
        self.core.see_states(&state.x);
        self.history.clear();
        self.history.push(state);
        self.order = 1;
        self.settled = 0;
    }

    fn begin(&mut self, system: &mut dyn System, state: &State, h: f64) -> Result<(), FactorError> {
        self.core.begin(state, h);
        // Order one starts on the tangent; a retry of the first step places the point anew.
        if self.history.known < 2 || (self.order == 1 && self.settled == 0) {
            self.history.extend_backwards(system, state, h);
        }
        self.order = self.order.min(self.history.known - 1);
        self.taken = self.order;
        let gamma: f64 = (1..=self.order).map(|j| 1.0 / j as f64).sum();
        self.ratio = h / gamma;
        self.predict(system, state.t + h);
        Ok(())
    }

    fn guess(&mut self, guess: &Guess, u: &mut [f64]) {
        let (n, m) = (self.sizes().motion, self.sizes().multipliers());
        u.fill(0.0);
        match guess {
            Guess::Values { .. } => u[..n].copy_from_slice(&self.predicted.velocity_slope),
            Guess::Euler | Guess::Hold => u[..n].copy_from_slice(&self.core.base.vdot),
        }
        let multipliers = self.core.guess_rest(guess, self.offset(), u);
        u[n..n + m].copy_from_slice(multipliers);
        if let Guess::Values { .. } = guess {
            let offset = self.offset();
            let states = self.sizes().states;
            u[offset..offset + states].copy_from_slice(&self.predicted.state_slope);
        }
    }

    fn residual(&mut self, system: &mut dyn System, u: &[f64], out: &mut [f64]) {
        let sizes = self.sizes();
        let (n, m, nh) = (sizes.motion, sizes.multipliers(), sizes.holonomic);
        let (offset, second, r) = (self.offset(), n + m, self.ratio);
        self.set_trial(system, u);
        let at = self.core.trial.point();
        system.dynamics(&at, Terms::ALL, &mut out[..n]);
        if offset < out.len() {
            system.auxiliary(&at, &mut out[offset..]);
        }
        if m == 0 {
            return;
        }
        if self.stabilised.is_none() {
            let rows = &mut out[n..second];
            constraint_rows(system, sizes, Level::Position, &at, &mut self.scratch, rows);
            rows[..nh].iter_mut().for_each(|value| *value /= r * r);
            rows[nh..].iter_mut().for_each(|value| *value /= r);
            return;
        }
        system.constraint(Level::Velocity, &at, &mut out[n..second]);
        out[n..second].iter_mut().for_each(|value| *value /= r);
        system.constraint(Level::Position, &at, &mut out[second + n..second + n + nh]);
        out[second + n..second + n + nh].iter_mut().for_each(|value| *value /= r * r);
        let mu = &u[second + n..2 * second];
        out[second + n + nh..2 * second].copy_from_slice(&mu[nh..]);
        let gradient = &mut self.core.buffers.constraints;
        system.constraint_gradient(&at, gradient);
        for &entry in &self.nonholonomic {
            gradient[entry] = 0.0;
        }
        let p = &self.predicted;
        let rows = &mut out[second..second + n];
        for i in 0..n {
            // (q̇ − v)/ratio with both expressed through their corrections.
            rows[i] = u[second + i] - (u[i] - p.velocity_slope[i])
                + (p.position_slope[i] - p.velocity[i]) / r;
        }
        self.constraint_pattern.multiply_transposed_add(gradient, -1.0, mu, rows);
    }

    fn assemble(&mut self, system: &mut dyn System, u: &[f64]) {
        self.set_trial(system, u);
        let (n, m) = (self.sizes().motion, self.sizes().multipliers());
        let (second, r) = (n + m, self.ratio);
        let full = Weights { mass: 1.0, damping: r, stiffness: r * r };
        let motion = Weights { mass: 1.0, damping: r, stiffness: 0.0 };
        let position = Weights { mass: 0.0, damping: 0.0, stiffness: r * r };
        let Core { trial, matrix, buffers, sizes, .. } = &mut self.core;
        let at = trial.point();
        let first = if self.stabilised.is_some() { motion } else { full };
        buffers.add_tangent(system, &at, (first, Terms::ALL), matrix, self.dynamics, 1.0);
        if m > 0 {
            buffers.add_reactions(system, &at, matrix, self.reactions, 1.0);
        }
        let states = StateWeights { rate: 1.0, state: r };
        let columns = [first, position];
        self.auxiliary.add(system, &at, &columns, states, &[1.0], 1.0, matrix, buffers);
        if m == 0 {
            return;
        }
        let Some(blocks) = &self.stabilised else {
            let rows = (Level::Position, full);
            buffers.add_constraint(system, &at, rows, matrix, self.constraints, 1.0 / (r * r));
            if !self.nonholonomic.is_empty() {
                let values = &mut buffers.constraints;
                system.constraint_tangent(Level::Velocity, &at, full, values);
                super::keep_entries(values, &self.nonholonomic);
                matrix.add(self.constraints, 1.0 / r, values);
            }
            return;
        };
        buffers.add_tangent(system, &at, (position, Terms::ALL), matrix, blocks.dynamics, 1.0);
        for (block, weights) in blocks.velocity_rows.into_iter().zip([motion, position]) {
            let rows = (Level::Velocity, weights);
            buffers.add_constraint(system, &at, rows, matrix, block, 1.0 / r);
        }
        let rows = (Level::Position, position);
        buffers.add_constraint(system, &at, rows, matrix, blocks.position_rows, 1.0 / (r * r));
        matrix.add(blocks.idle, 1.0, &self.idle);
        matrix.add_constant(blocks.identity, 1.0);
        matrix.add_constant(blocks.minus_identity, -1.0);
        let values = &mut buffers.constraints;
        system.constraint_gradient(&at, values);
        for &entry in &self.nonholonomic {
            values[entry] = 0.0;
        }
        matrix.add(blocks.column, -1.0, values);
        // Only holonomic constraints act on positions.
        self.scratch.copy_from_slice(&u[second + n..2 * second]);
        self.scratch[sizes.holonomic..].fill(0.0);
        let with_mu = Point { multipliers: &self.scratch, ..at };
        let terms = (position, Terms::REACTIONS);
        buffers.add_tangent(system, &with_mu, terms, matrix, blocks.curvature, 1.0);
    }

    fn correction_size(&self, correction: &[f64], weights: &[f64]) -> f64 {
        let (n, m) = (self.sizes().motion, self.sizes().multipliers());
        if self.stabilised.is_some() {
            let larger = |[a, b]: [f64; 2]| a.abs().max(b.abs());
            return rms_weighted([correction, &correction[n + m..]], larger, weights);
        }
        rms_weighted([correction], |[d]| d, weights)
    }

    fn conclude(
        &mut self,
        system: &mut dyn System,
        u: &[f64],
        next: &mut State,
    ) -> Result<(), FactorError> {
        self.set_trial(system, u);
        next.copy_from(&self.core.trial);
        Ok(())
    }

    fn local_error(&self, next: &State, weights: &[f64]) -> LocalError {
        self.error_of_order(next, self.order, weights)
    }

    fn past(&self) -> [Option<PastPoint<'_>>; 2] {
        // the newest two are the ends of the step, and the cubic through them suits order 3
        [3, 4].map(|order| (self.taken > order - 1).then(|| self.history.point(order - 1)))
    }

    fn advise(&mut self, next: &State, weights: &[f64], tolerance: f64) -> Option<f64> {
        Some(self.choose_order(next, weights, tolerance))
    }

    fn rejected(&mut self, times: usize) {
        if times > 2 {
            self.order = 1.max(self.order - 1);
            self.settled = 0;
        }
    }

    fn commit(&mut self) {
        let BdfScheme { core, history, speeds, .. } = self;
        history.push(&core.trial);
        for (speed, v) in speeds.iter_mut().zip(&core.trial.v) {
            *speed = speed.max(v.abs());
        }
        let x = std::mem::take(&mut core.trial.x);
        core.see_states(&x);
        core.trial.x = x;
    }

    fn newton_bound(&self, tolerance: f64) -> Option<f64> {
        let r = self.ratio;
        // The velocity test asks for more exact accelerations than the position test.
        let scale = if self.stabilised.is_some() { r.max(r * r) } else { r * r };
        Some(0.03 * tolerance / scale)
    }

    fn position_factor(&self) -> f64 {
        self.ratio * self.ratio
    }

    fn state_factor(&self) -> f64 {
        self.ratio
    }
}
