//! One attempt at a step: first guess, iteration, the ladder of other guesses, and the retreat to a
//! smaller step when all of them fail.

use crate::alpha::Guess;
use crate::consistency::not_finite;
use crate::diagnosis::{Diagnosis, readable};
use crate::explain::{Attempt, explain};
use crate::march::March;
use crate::newton::{Accuracy, Newton, Trouble};
use crate::out_of_range::{is_finite, out_of_range};
use crate::settings::{PredictorChoice, StartAcceleration, StepControl};
use crate::system::System;
use crate::vector::max_abs;
use rotula_linear::FactorError;
use serde::{Deserialize, Serialize};

/// Most repetitions of a first step whose start values are sought, and the change of them, relative to their distance from the
/// given ones, at which they are found: a round divides their error by five or more, and they are right to a part of h only.
const MOST_START_ROUNDS: usize = 12;
const FOUND_START: f64 = 1e-4;

/// The error that an iteration leaves may exceed its estimate by this factor: corrections fall unevenly, the second one often
/// far more than the third. Measured on a pendulum: up to 11, and more than 1 in one step out of fifty.
const UNEVEN: f64 = 12.0;

/// How exact forces are, relative to the loads on each body, unless a fixed step with a loose iteration asks for less.
const EXACT_FORCES: f64 = 7e-8;

/// What the first guess of a failed attempt led to.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct FirstFailure {
    history: Vec<f64>,
    unknowns: Vec<f64>,
    start: Vec<f64>,
    correction: Vec<f64>,
}

impl FirstFailure {
    fn remember(&mut self, newton: &Newton) {
        self.history.clone_from(&newton.history);
        self.unknowns.clone_from(&newton.unknowns);
        self.start.clone_from(&newton.start);
        self.correction.clone_from(&newton.residual);
    }
}

impl March {
    /// Attempts a step.
    pub(crate) fn attempt(&mut self, system: &mut dyn System, h: f64) -> Result<usize, Trouble> {
        let iterations = self.attempt_from_start(system, h)?;
        if !is_finite(&self.next) {
            // The iteration saw finite residuals only; what they led to is in the scheme's trial.
            self.first_failure = FirstFailure::default();
            return Err(Trouble::NotFinite { equation: 0 });
        }
        Ok(iterations)
    }

    /// The first step may also have to find its start values.
    fn attempt_from_start(&mut self, system: &mut dyn System, h: f64) -> Result<usize, Trouble> {
        let start = self.settings.start_acceleration;
        let sought = match start {
            StartAcceleration::Shifted => true,
            // Without reactions there is nothing to clean.
            StartAcceleration::Clean => !self.state.multipliers.is_empty(),
            StartAcceleration::Initial | StartAcceleration::Given => false,
        };
        if !(sought && self.fresh) {
            return self.attempt_once(system, h);
        }
        self.start_as_given();
        let mut iterations = self.attempt_once(system, h)?;
        let found = self.seek_start(system, h);
        self.newton.drop_belief();
        if let Some(more) = found {
            return Ok(iterations + more);
        }
        // Start values are expansions in powers of h. A step that is longer than the motions it sees has none, and
        // the given values are as good as any.
        self.start_as_given();
        iterations += self.attempt_once(system, h)?;
        Ok(iterations)
    }

    fn start_as_given(&mut self) {
        self.scheme.forget_start();
        self.scheme.core_mut().alpha.a.copy_from_slice(&self.state.vdot);
    }

    /// Repeats the first step until it leads to the values that it started from.
    fn seek_start(&mut self, system: &mut dyn System, h: f64) -> Option<usize> {
        let mut iterations = 0;
        let mut start = vec![0.0; self.state.v.len()];
        for _ in 0..MOST_START_ROUNDS {
            self.scheme.suggest_start(system, &self.next, &mut start);
            let a = &mut self.scheme.core_mut().alpha.a;
            let change = largest_difference(&start, a);
            let shift = largest_difference(&start, &self.state.vdot);
            a.copy_from_slice(&start);
            iterations += self.attempt_once(system, h).ok()?;
            if change <= FOUND_START * shift + 1e-12 * max_abs(&start) {
                return Some(iterations);
            }
        }
        None
    }

    /// Tries the first guess and, if the iteration fails, the others of the ladder.
    fn attempt_once(&mut self, system: &mut dyn System, h: f64) -> Result<usize, Trouble> {
        if let Err(error) = self.scheme.begin(system, &self.state, h) {
            // No iteration took place.
            self.first_failure = FirstFailure::default();
            return Err(Trouble::Matrix(error));
        }
        if let Some(solved) = self.scheme.solve_itself(system, &self.weights, &mut self.statistics)
        {
            let corrections = solved?;
            self.newton.matrices = 0;
            let unknowns = &self.newton.unknowns;
            self.scheme.conclude(system, unknowns, &mut self.next).map_err(Trouble::Matrix)?;
            self.next.a.copy_from_slice(&self.scheme.core().alpha.a_new);
            return Ok(corrections);
        }
        let accuracy = self.accuracy(h);
        let choice = self.settings.newton.predictor;
        let ladder = [
            PredictorChoice::Polynomial,
            PredictorChoice::Taylor,
            PredictorChoice::Euler,
            PredictorChoice::Hold,
        ];
        let climb = self.settings.newton.ladder;
        let rest = ladder.into_iter().filter(|&c| c != choice && climb);
        let mut trouble = None;
        for choice in std::iter::once(choice).chain(rest) {
            self.guess(choice, h);
            let setting = (h, &self.state.vdot[..], &self.weights[..]);
            let solved = self.newton.solve(
                self.scheme.as_mut(),
                system,
                setting,
                accuracy,
                &mut self.statistics,
            );
            match solved {
                Ok(iterations) => {
                    let unknowns = &self.newton.unknowns;
                    let concluded = self.scheme.conclude(system, unknowns, &mut self.next);
                    if let Err(error) = concluded {
                        self.first_failure.remember(&self.newton);
                        return Err(Trouble::Matrix(error));
                    }
                    self.next.a.copy_from_slice(&self.scheme.core().alpha.a_new);
                    return Ok(iterations);
                }
                // The first guess is the honest one: its failure is the one to report.
                Err(found) if trouble.is_none() => {
                    self.first_failure.remember(&self.newton);
                    trouble = Some(found);
                }
                Err(_) => {}
            }
        }
        Err(trouble.unwrap_or(Trouble::NotConverged))
    }

    fn guess(&mut self, choice: PredictorChoice, h: f64) {
        let unknowns = &mut self.newton.unknowns;
        let constant = choice == PredictorChoice::Taylor;
        match choice {
            PredictorChoice::Euler => self.scheme.guess(&Guess::Euler, unknowns),
            PredictorChoice::Hold => self.scheme.guess(&Guess::Hold, unknowns),
            PredictorChoice::Polynomial | PredictorChoice::Taylor => {
                let values = self.predictor.predict(self.state.t + h, constant);
                let (n, m) = (self.state.vdot.len(), self.state.multipliers.len());
                let nx = self.state.xdot.len();
                let guess = Guess::Values {
                    vdot: &values[..n],
                    multipliers: &values[n..n + m],
                    xdot: &values[n + m..n + m + nx],
                    y: &values[n + m + nx..],
                };
                self.scheme.guess(&guess, unknowns);
            }
        }
    }

    /// How exactly a step must be solved. [Negrut et al. 2005, sheet §3.2]
    fn accuracy(&self, h: f64) -> Accuracy {
        let coefficients = self.settings.coefficients;
        let (position, state) = (self.scheme.position_factor(), self.scheme.state_factor());
        let (floor, rate_floor) = (20.0 * f64::EPSILON / position, 20.0 * f64::EPSILON / state);
        let tolerance = self.settings.newton.tolerance;
        let prescribed = self.scheme.meets_positions();
        match &self.settings.control {
            StepControl::Tolerance(control) => {
                let constant = coefficients.position_error_constant();
                let rule = 1e-3 * control.tolerance / (constant * h * h);
                let own = self.scheme.newton_bound(control.tolerance);
                // Relative bounds guard the multipliers of steps far below the tolerance (E9);
                // a scheme with a bound of its own needs none.
                let relative = if own.is_some() { f64::INFINITY } else { 1.0 };
                Accuracy {
                    bound: own.unwrap_or(rule),
                    relative_to_change: 1e-3,
                    relative_to_size: 1e-4 * relative,
                    negligible: 1e-6 * control.tolerance / position,
                    floor,
                    prescribed,
                    noise: 10.0 * floor,
                    rates: 1e-3 * control.tolerance / state,
                    rate_floor,
                    forces: EXACT_FORCES,
                    // A loose bound of its own leaves the multipliers to the second correction.
                    remembers: own.is_none(),
                }
            }
            _ => Accuracy {
                // Constraints hold coordinates together: one whose acceleration is beyond all measure would
                // excuse errors of the others, which move them off their constraints by more than positions are
                // known.
                bound: match self.state.multipliers.is_empty() {
                    true => f64::INFINITY,
                    false => tolerance / position,
                },
                relative_to_change: 0.0,
                relative_to_size: tolerance / UNEVEN,
                // An error of the acceleration that all steps share grows with the square of time:
                // what is negligible in one step is not in a thousand short ones.
                negligible: tolerance / (self.settings.until - self.settings.start).powi(2),
                floor,
                prescribed,
                noise: (10.0 * floor).max(1e-3 * tolerance / position),
                rates: tolerance / UNEVEN / state,
                rate_floor,
                // What rings adds up; more than this nobody can see.
                forces: (tolerance / self.ringing).max(EXACT_FORCES),
                remembers: true,
            },
        }
    }

    /// The iteration failed: take a smaller step, or give up with a diagnosis.
    pub(crate) fn retreat(
        &mut self,
        system: &mut dyn System,
        h: f64,
        trouble: Trouble,
    ) -> Result<(), Diagnosis> {
        self.statistics.rejected_by_iteration += 1;
        self.troubles += 1;
        self.newton.drop_matrix();
        self.predictor.caution(self.troubles > 1);
        if self.control.shrink_after_trouble(self.state.t, h) {
            return Ok(());
        }
        let undefined = matches!(
            trouble,
            Trouble::NotFinite { .. } | Trouble::Matrix(FactorError::NotFinite { .. })
        );
        if undefined {
            // the point at which the first guess failed; schemes with an iteration of their own are
            // there already
            let unknowns = &self.first_failure.unknowns;
            if !unknowns.is_empty() {
                let mut residual = vec![0.0; unknowns.len()];
                self.scheme.residual(system, unknowns, &mut residual);
            }
            let trial = &self.scheme.core().trial;
            let grown = out_of_range(system, trial).or_else(|| out_of_range(system, &self.next));
            let mut diagnosis = grown.unwrap_or_else(|| not_finite(system, trial));
            diagnosis.t = self.state.t;
            diagnosis.evidence.push(format!(
                "the last good state is that at t = {}; steps down to {h:.1e} s do not lead on",
                readable(self.state.t)
            ));
            return Err(diagnosis);
        }
        if let Some(diagnosis) = self.scheme.diagnose(system, h) {
            return Err(diagnosis);
        }
        let FirstFailure { history, unknowns, start, correction } = &self.first_failure;
        let attempt = Attempt { h, trouble, history, correction };
        let unknowns = (&unknowns[..], &start[..]);
        Err(explain(system, self.scheme.as_mut(), unknowns, &self.state, attempt))
    }
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |m: f64, (x, y)| m.max((x - y).abs()))
}
