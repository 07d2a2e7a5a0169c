//! The explicit Runge–Kutta method of order 8 with error estimates of orders 5 and 3 and a dense output of order 7.
//! [Hairer, Nørsett & Wanner 1993, II.5, II.6, DOP853]
//!
//! Within a step everything that changes is one vector, which starts from the accepted state `(q₀, v₀, x₀)`:
//!
//! ```text
//! z = (Δ, v, x, W),   q = q₀ ∘ Δ,   Δ̇ = T⁻¹(Δ) v
//! M v̇ − f − Gᵀλ = 0,  G v̇ + γ = 0,  d(ẋ, x, …) = 0,  y = Y(…)      at every stage, for v̇, λ, ẋ, y
//! Ẇ = power of loads, dampers and drives
//! ```
//!
//! Rotations move in the chart of increments around the start of the step (Munthe-Kaas): with the exact inverse tangent map
//! this is an ordinary differential equation, so that the method keeps its order, and nothing turns far enough in a step
//! to leave the chart. The end of a step is projected onto the constraints at position and velocity level, which moves it by no
//! more than its error; accelerations and multipliers there are those of the first stage of the next step. The work `W` takes
//! no part in the error, so that the energy balance is as exact as the motion.

mod chart;
mod combination;
mod dense;
mod stiffness;
mod tableau;

use super::Core;
use crate::consistency::solve_accelerations;
use crate::diagnosis::Diagnosis;
use crate::explain::{explain_place, explain_undefined};
use crate::newton::Trouble;
use crate::projection::{Miss, Projector};
use crate::state::State;
use crate::statistics::Statistics;
use crate::step::{Effort, Failed, LocalError, Step, Way};
use crate::stop::Stop;
use crate::system::{Point, System};
use crate::underlying::{Underlying, UnderlyingFailure};
use chart::check_rates;
use combination::{add_combination, weighted_square};
use dense::Dense;
use rotula_linear::{BlockBuilder, BlockMatrix, Options};
use serde::{Deserialize, Serialize};
use stiffness::StiffnessWatch;
use tableau::{ALL_STAGES, ARGUMENTS, ERROR_3, ERROR_5, Row, STAGES, TIMES};

/// See the [module](self).
#[derive(Serialize, Deserialize)]
pub(crate) struct ExplicitScheme {
    core: Core,
    underlying: Underlying,
    /// Matrices that were factorised for accelerations, in the whole run.
    factorised: usize,
    /// All constraint rows.
    rows: Vec<usize>,
    /// There if there are constraints.
    projector: Option<Projector>,
    /// The rates of all stages.
    rates: Vec<Vec<f64>>,
    /// The argument of the stage at hand, of the last stage, and the end of the step.
    argument: Vec<f64>,
    last: Vec<f64>,
    end: Vec<f64>,
    /// The accepted end of the step.
    next: State,
    dense: Dense,
    /// Whether the dense output is made for this step.
    is_dense: bool,
    /// Largest speeds so far: weights of the velocity error.
    speeds: Vec<f64>,
    stiffness: StiffnessWatch,
    /// Whether nothing does work.
    is_conservative: bool,
    /// Estimates of the error of order 5 and 3, without the size of the step.
    errors: [Vec<f64>; 2],
}

impl ExplicitScheme {
    pub fn new(system: &dyn System) -> Self {
        let sizes = system.sizes();
        let patterns = system.patterns();
        let count = 2 * sizes.motion + sizes.states + 1;
        let vector = || vec![0.0; count];
        let no_matrix = BlockBuilder::new(0).build(&[], Options::default());
        ExplicitScheme {
            core: Core::new(sizes, &patterns, no_matrix),
            underlying: Underlying::new(sizes, &patterns),
            factorised: 0,
            rows: (0..sizes.multipliers()).collect(),
            projector: (sizes.multipliers() > 0).then(|| Projector::new(system)),
            rates: (0..ALL_STAGES).map(|_| vector()).collect(),
            argument: vector(),
            last: vector(),
            end: vector(),
            next: State::zeros(sizes),
            dense: Dense::new(count),
            is_dense: false,
            speeds: (0..sizes.motion).map(|i| system.scale(i)).collect(),
            stiffness: StiffnessWatch::default(),
            is_conservative: false,
            errors: [vector(), vector()],
        }
    }

    /// `argument = z₀ + h Σ aᵢ kᵢ`; increments and work start from zero.
    fn combine(&mut self, row: Row) {
        let (n, base) = (self.core.sizes.motion, &self.core.base);
        let states = 2 * n..2 * n + base.x.len();
        self.argument.fill(0.0);
        self.argument[n..2 * n].copy_from_slice(&base.v);
        self.argument[states].copy_from_slice(&base.x);
        add_combination(&mut self.argument, self.core.h, row, &self.rates);
    }

    /// Puts the trial point where the argument says, at a part of the step.
    fn place(&mut self, system: &dyn System, part: f64) {
        let n = self.core.sizes.motion;
        let Core { base, trial, h, .. } = &mut self.core;
        trial.t = base.t + part * *h;
        system.retract(&base.q, &self.argument[..n], &mut trial.q);
        trial.v.copy_from_slice(&self.argument[n..2 * n]);
        let states = 2 * n..2 * n + trial.x.len();
        trial.x.copy_from_slice(&self.argument[states]);
    }

    /// Accelerations, multipliers, rates and variables of the trial point.
    fn accelerate(&mut self, system: &mut dyn System) -> Result<(), Trouble> {
        if self.core.sizes.auxiliary() == 0
            && let Some(facet) = system.as_forward_dynamics()
        {
            let State { t, q, increment, v, vdot, multipliers, x, xdot, y, .. } =
                &mut self.core.trial;
            let at = Point { t: *t, q, increment, v, vdot: &[], multipliers: &[], x, xdot, y };
            if facet.accelerations(&at, &self.rows, vdot, multipliers) {
                return Ok(());
            }
        }
        self.factorised += 1;
        self.underlying.solve(system, &mut self.core.trial).map_err(|failure| match failure {
            UnderlyingFailure::Matrix(error) => Trouble::Matrix(error),
            UnderlyingFailure::NotFinite => Trouble::NotFinite { equation: 0 },
            UnderlyingFailure::NotConverged => Trouble::NotConverged,
        })
    }

    /// Projects the trial point onto the constraints.
    fn project(&mut self, system: &mut dyn System) -> Result<(), Trouble> {
        let Some(projector) = &mut self.projector else { return Ok(()) };
        let trial = &mut self.core.trial;
        let mut projected = projector.positions(system, trial);
        if projected.is_ok() {
            projected = projector.velocities(system, trial);
        }
        projected.map_err(|miss| match miss {
            Miss::NotFinite => Trouble::NotFinite { equation: 0 },
            Miss::Matrix(error) => Trouble::Matrix(error),
            Miss::Off(..) => Trouble::NotConverged,
        })
    }

    /// Keeps the rates of a state as those of a stage, in the chart at the increment of `argument`.
    fn keep_rates(&mut self, system: &mut dyn System, stage: usize, of: Which) {
        let n = self.core.sizes.motion;
        let state = match of {
            Which::Base => &self.core.base,
            Which::Trial => &self.core.trial,
            Which::Next => &self.next,
        };
        let rates = &mut self.rates[stage];
        system.increment_rate(&self.argument[..n], &state.v, &mut rates[..n]);
        rates[n..2 * n].copy_from_slice(&state.vdot);
        let states = 2 * n..2 * n + state.x.len();
        rates[states.clone()].copy_from_slice(&state.xdot);
        rates[states.end] = match self.is_conservative {
            true => 0.0,
            false => system.power(&state.point()).unwrap_or(0.0),
        };
    }

    /// Evaluates a stage of the step that was begun.
    fn stage(&mut self, system: &mut dyn System, stage: usize) -> Result<(), Trouble> {
        self.combine(ARGUMENTS[stage]);
        self.place(system, TIMES[stage]);
        self.accelerate(system)?;
        self.keep_rates(system, stage, Which::Trial);
        Ok(())
    }

    fn take_step(&mut self, system: &mut dyn System) -> Result<(), Trouble> {
        for stage in 1..STAGES {
            self.stage(system, stage)?;
        }
        self.last.copy_from_slice(&self.argument);
        self.combine(ARGUMENTS[STAGES]);
        self.end.copy_from_slice(&self.argument);
        self.place(system, 1.0);
        self.project(system)?;
        self.accelerate(system)?;
        self.next.copy_from(&self.core.trial);
        for (error, row) in self.errors.iter_mut().zip([ERROR_5, ERROR_3]) {
            error.fill(0.0);
            add_combination(error, 1.0, row, &self.rates);
        }
        Ok(())
    }

    /// Three more stages and the coefficients of the dense output; the ends are those that were accepted.
    fn make_dense(&mut self, system: &mut dyn System) -> Result<(), Trouble> {
        let n = self.core.sizes.motion;
        if self.projector.is_some() {
            system.local(&self.core.base.q, &self.next.q, &mut self.end[..n]);
            self.end[n..2 * n].copy_from_slice(&self.next.v);
        }
        self.argument.copy_from_slice(&self.end);
        self.keep_rates(system, STAGES, Which::Next);
        for stage in STAGES + 1..ALL_STAGES {
            self.stage(system, stage)?;
        }
        self.combine(&[]);
        let ends = (&self.argument[..], &self.end[..]);
        self.dense.make(ends, &self.rates, self.core.h);
        self.is_dense = true;
        Ok(())
    }

    /// Weights of the vector that is integrated, piece by piece; the work has none.
    fn weights<'a>(&'a self, increments: &'a [f64]) -> [&'a [f64]; 3] {
        [&increments[..self.core.sizes.motion], &self.speeds, &self.core.state_weights]
    }

    /// How fast rates change between the last stage and the end of the step.
    fn fastest(&self) -> f64 {
        let next = &self.next;
        let last = &self.rates[STAGES - 1];
        let n = self.core.sizes.motion;
        let [_, velocities, states] = self.weights(&self.speeds);
        let apart = |now: &[f64], before: &[f64], weights: &[f64]| {
            let pairs = now.iter().zip(before).zip(weights);
            pairs.map(|((now, before), weight)| ((now - before) / weight).powi(2)).sum::<f64>()
        };
        let change =
            apart(&next.vdot, &last[n..], velocities) + apart(&next.xdot, &last[2 * n..], states);
        let way = apart(&self.end, &self.last, velocities)
            + apart(&self.end[n..], &self.last[n..], velocities)
            + apart(&self.end[2 * n..], &self.last[2 * n..], states);
        if way > 0.0 { (change / way).sqrt() } else { 0.0 }
    }
}

/// Whose rates are kept.
#[derive(Clone, Copy)]
enum Which {
    Base,
    Trial,
    Next,
}

impl Step for ExplicitScheme {
    saved_whole!();

    fn start(&mut self, system: &mut dyn System, state: &mut State) -> Result<(), Diagnosis> {
        check_rates(system, state)?;
        // the first stage takes the accelerations of the state as they are
        solve_accelerations(system, state, &mut self.underlying)?;
        self.core.see_states(&state.x);
        self.is_conservative = system.is_conservative();
        Ok(())
    }

    fn attempt(
        &mut self,
        system: &mut dyn System,
        way: Way,
        next: &mut State,
        statistics: &mut Statistics,
    ) -> Result<Effort, Trouble> {
        self.core.begin(way.from, way.h);
        self.core.trial.copy_from(way.from);
        self.is_dense = false;
        self.argument.fill(0.0);
        self.keep_rates(system, 0, Which::Base);
        statistics.residuals += STAGES;
        let before = self.factorised;
        let taken = self.take_step(system);
        let matrices = self.factorised - before;
        statistics.factorisations += matrices;
        taken?;
        next.copy_from(&self.next);
        next.a.copy_from_slice(&next.vdot);
        Ok(Effort { iterations: 0, matrices })
    }

    /// The estimate of DOP853: that of order 5 where both are small, less where that of order 3 is the larger.
    fn local_error(&self, _next: &State, weights: &[f64]) -> LocalError {
        let count = (self.argument.len() - 1).max(1) as f64;
        let [fifth, third] =
            [0, 1].map(|k| weighted_square(&self.errors[k], self.weights(weights)));
        let both = fifth + 0.01 * third;
        let position = match both > 0.0 {
            true => self.core.h * fifth / (both * count).sqrt(),
            // no motion, or numbers that mean nothing
            false => both,
        };
        LocalError { position, state: 0.0, state_order: self.error_order() }
    }

    fn order(&self) -> usize {
        8
    }

    fn error_order(&self) -> usize {
        7
    }

    fn commit(&mut self, _accepted: &State) {
        self.stiffness.see(self.next.t, self.core.h, self.fastest());
        for (speed, v) in self.speeds.iter_mut().zip(&self.next.v) {
            *speed = speed.max(v.abs());
        }
        self.core.see_states(&self.next.x);
    }

    fn explain(&mut self, system: &mut dyn System, failed: Failed) -> Diagnosis {
        match failed.trouble.is_undefined() {
            true => explain_undefined(system, &self.core.trial, &failed),
            false => explain_place(system, &self.core.trial, &failed),
        }
    }

    fn matrix(&self) -> &BlockMatrix {
        self.underlying.matrix()
    }

    fn follow(&mut self, analysed: &BlockMatrix) {
        self.underlying.follow(analysed);
    }

    fn stop(&mut self) -> &mut Stop {
        &mut self.core.stop
    }

    fn factors(&self) -> (f64, f64) {
        let h = self.core.h;
        (0.5 * h, 0.25 * h * h)
    }

    fn between(&mut self, system: &mut dyn System, t: f64, out: &mut State) -> Option<f64> {
        if !self.is_dense {
            self.make_dense(system).ok()?;
        }
        let part = (t - self.core.base.t) / self.core.h;
        self.combine(&[]);
        self.dense.add_way(part, &mut self.argument);
        self.core.trial.copy_from(&self.next);
        self.place(system, part);
        self.core.trial.t = t;
        self.project(system).ok()?;
        self.accelerate(system).ok()?;
        out.copy_from(&self.core.trial);
        self.argument.last().copied()
    }

    fn work(&self) -> Option<f64> {
        self.end.last().copied()
    }

    fn advice(&self) -> Option<String> {
        self.stiffness.advice()
    }
}
