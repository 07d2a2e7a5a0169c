//! A step that solves a nonlinear system by Newton's method: first guess, iteration, and the ladder of other guesses when it fails.

use crate::alpha::Guess;
use crate::checkpoint::{Reader, Unreadable, Writer};
use crate::diagnosis::Diagnosis;
use crate::explain::{Attempt, explain, explain_undefined};
use crate::formulation::Scheme;
use crate::newton::{Accuracy, Newton, Trouble};
use crate::predictor::{self, Predictor};
use crate::ringing::ringing;
use crate::settings::{PredictorChoice, Settings, StepControl};
use crate::state::State;
use crate::statistics::Statistics;
use crate::step::{
    Effort, Failed, LocalError, PastPoint, Rejection, RowForm, StartValues, Step, Way,
};
use crate::stop::Stop;
use crate::system::System;
use rotula_linear::BlockMatrix;
use serde::{Deserialize, Serialize};

/// The error that an iteration leaves may exceed its estimate by this factor: corrections fall unevenly, the second one often
/// far more than the third. Measured on a pendulum: up to 11, and more than 1 in one step out of fifty.
const UNEVEN: f64 = 12.0;

/// How exact forces are, relative to the loads on each body, unless a fixed step with a loose iteration asks for less.
const EXACT_FORCES: f64 = 7e-8;

/// What the first guess of a failed attempt led to; empty where no iteration failed.
#[derive(Default, Serialize, Deserialize)]
struct FirstFailure {
    history: Vec<f64>,
    unknowns: Vec<f64>,
    start: Vec<f64>,
    correction: Vec<f64>,
}

impl FirstFailure {
    fn of(newton: &Newton) -> Self {
        FirstFailure {
            history: newton.history.clone(),
            unknowns: newton.unknowns.clone(),
            start: newton.start.clone(),
            correction: newton.residual.clone(),
        }
    }
}

/// See the [module](self).
pub(crate) struct Iterated {
    scheme: Box<dyn Scheme>,
    newton: Newton,
    predictor: Predictor,
    first_failure: FirstFailure,
    /// How many times larger than an error of the iteration its consequences may be.
    ringing: f64,
    /// Attempts that have failed since the last step.
    failures: usize,
    settings: Settings,
}

/// With a tolerance a shorter step is cheaper than another guess, of which there are three with up to forty iterations each: they wait for
/// so many failures.
const PATIENCE: usize = 2;

impl Iterated {
    pub fn new(system: &dyn System, scheme: Box<dyn Scheme>, settings: &Settings) -> Self {
        let prescribed = scheme.prescribed();
        let filter = predictor::filter(settings.coefficients, prescribed);
        Iterated {
            newton: Newton::new(settings.newton, system, scheme.as_ref()),
            predictor: Predictor::new(&State::zeros(system.sizes()), filter),
            first_failure: FirstFailure::default(),
            ringing: prescribed.map_or(1.0, |what| ringing(settings.coefficients, what)),
            failures: 0,
            settings: settings.clone(),
            scheme,
        }
    }

    fn guess(&mut self, choice: PredictorChoice, from: &State, h: f64) {
        let unknowns = &mut self.newton.unknowns;
        let constant = choice == PredictorChoice::Taylor;
        match choice {
            PredictorChoice::Euler => self.scheme.guess(&Guess::Euler, unknowns),
            PredictorChoice::Hold => self.scheme.guess(&Guess::Hold, unknowns),
            PredictorChoice::Polynomial | PredictorChoice::Taylor => {
                let values = self.predictor.predict(from.t + h, constant);
                let (n, m) = (from.vdot.len(), from.multipliers.len());
                let nx = from.xdot.len();
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
    fn accuracy(&self, Way { from, h, .. }: Way) -> Accuracy {
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
                bound: match from.multipliers.is_empty() {
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
}

impl Step for Iterated {
    fn start(&mut self, system: &mut dyn System, state: &mut State) -> Result<(), Diagnosis> {
        self.scheme.start(system, state)?;
        self.predictor.restart(state);
        self.newton.drop_matrix();
        Ok(())
    }

    fn attempt(
        &mut self,
        system: &mut dyn System,
        way: Way,
        next: &mut State,
        statistics: &mut Statistics,
    ) -> Result<Effort, Trouble> {
        let Way { from, h, weights } = way;
        self.first_failure = FirstFailure::default();
        self.scheme.begin(system, from, h).map_err(Trouble::Matrix)?;
        let accuracy = self.accuracy(way);
        let choice = self.settings.newton.predictor;
        let ladder = [
            PredictorChoice::Polynomial,
            PredictorChoice::Taylor,
            PredictorChoice::Euler,
            PredictorChoice::Hold,
        ];
        let shortens = matches!(self.settings.control, StepControl::Tolerance(_));
        let climb = self.settings.newton.ladder && (!shortens || self.failures >= PATIENCE);
        let rest = ladder.into_iter().filter(|&c| c != choice && climb);
        let mut trouble = None;
        for choice in std::iter::once(choice).chain(rest) {
            self.guess(choice, from, h);
            let setting = (h, &from.vdot[..], weights);
            let scheme = self.scheme.as_mut();
            match self.newton.solve(scheme, system, setting, accuracy, statistics) {
                Ok(iterations) => {
                    let concluded = scheme.conclude(system, &self.newton.unknowns, next);
                    if let Err(error) = concluded {
                        self.first_failure = FirstFailure::of(&self.newton);
                        return Err(Trouble::Matrix(error));
                    }
                    let algorithmic = scheme.alpha().map(|alpha| &alpha.a_new);
                    match algorithmic {
                        Some(a) => next.a.copy_from_slice(a),
                        None => next.a.copy_from_slice(&next.vdot),
                    }
                    return Ok(Effort { iterations, matrices: self.newton.matrices });
                }
                // The first guess is the honest one: its failure is the one to report.
                Err(found) if trouble.is_none() => {
                    self.first_failure = FirstFailure::of(&self.newton);
                    trouble = Some(found);
                }
                Err(_) => {}
            }
        }
        Err(trouble.unwrap_or(Trouble::NotConverged))
    }

    fn local_error(&self, next: &State, weights: &[f64]) -> LocalError {
        self.scheme.local_error(next, weights)
    }

    fn order(&self) -> usize {
        self.scheme.order()
    }

    fn commit(&mut self, accepted: &State) {
        self.failures = 0;
        self.scheme.commit();
        self.predictor.accept(accepted);
    }

    fn rejected(&mut self, why: Rejection) {
        match why {
            Rejection::Trouble(times) => {
                self.failures = times;
                self.newton.drop_matrix();
                self.predictor.caution(times > 1);
            }
            Rejection::Error(times) => {
                self.predictor.caution(times > 1);
                self.scheme.rejected(times);
            }
        }
    }

    fn explain(&mut self, system: &mut dyn System, failed: Failed) -> Diagnosis {
        let FirstFailure { history, unknowns, start, correction } = &self.first_failure;
        let scheme = self.scheme.as_mut();
        if failed.trouble.is_undefined() {
            // the point at which the first guess failed
            if !unknowns.is_empty() {
                scheme.residual(system, unknowns, &mut vec![0.0; unknowns.len()]);
            }
            return explain_undefined(system, &scheme.core().trial, &failed);
        }
        let attempt = Attempt { history, correction, unknowns, start };
        explain(system, scheme, failed, attempt)
    }

    fn advise(&mut self, next: &State, weights: &[f64], tolerance: f64) -> Option<f64> {
        self.scheme.advise(next, weights, tolerance)
    }

    fn matrix(&self) -> &BlockMatrix {
        &self.scheme.core().matrix
    }

    fn follow(&mut self, analysed: &BlockMatrix) {
        self.scheme.core_mut().matrix.follow(analysed);
        self.scheme.follow(analysed);
    }

    fn stop(&mut self) -> &mut Stop {
        &mut self.scheme.core_mut().stop
    }

    fn save(&self, out: &mut Writer) {
        out.put(&(&self.newton, &self.predictor, &self.first_failure, self.failures));
        self.scheme.save(out);
    }

    fn load(&mut self, from: &mut Reader) -> Result<(), Unreadable> {
        (self.newton, self.predictor, self.first_failure, self.failures) = from.get()?;
        self.scheme.load(from)
    }

    fn factors(&self) -> (f64, f64) {
        (self.scheme.state_factor(), self.scheme.position_factor())
    }

    fn complete_row(&self, row: &mut State) -> RowForm {
        self.scheme.complete_row(row)
    }

    fn past(&self) -> [Option<PastPoint<'_>>; 2] {
        self.scheme.past()
    }

    fn start_values(&mut self) -> Option<&mut dyn StartValues> {
        match self.scheme.alpha() {
            Some(_) => Some(self),
            None => None,
        }
    }
}

impl StartValues for Iterated {
    fn acceleration(&mut self) -> &mut [f64] {
        self.scheme.parts_mut().1.map_or(&mut [], |alpha| &mut alpha.a)
    }

    fn suggest(&mut self, system: &mut dyn System, next: &State, out: &mut [f64]) {
        self.scheme.suggest_start(system, next, out);
    }

    fn forget(&mut self) {
        self.scheme.forget_start();
    }

    fn settle(&mut self) {
        self.newton.drop_belief();
    }
}
