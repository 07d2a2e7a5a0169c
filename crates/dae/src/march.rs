//! The marching loop: attempt, judge, accept or reject, observe.

use crate::alpha::Guess;
use crate::consistency::{InitialReport, make_consistent, not_finite, solve_accelerations};
use crate::control::{Control, Verdict};
use crate::diagnosis::{Diagnosis, Failure};
use crate::explain::{Attempt, explain};
use crate::first_step::first_step;
use crate::formulation::{self, Scheme};
use crate::newton::{Accuracy, Newton, Trouble};
use crate::predictor::Predictor;
use crate::recorder::Recorder;
use crate::settings::{InitialPolicy, PredictorChoice, Settings, StartAcceleration, StepControl};
use crate::state::State;
use crate::statistics::StepRecord;
use crate::system::System;
use crate::trajectory::Trajectory;
use crate::underlying::Underlying;

/// Most repetitions of a first step whose start acceleration is shifted.
const MOST_START_ITERATIONS: usize = 60;

/// Watches a run and may stop it.
pub trait Observer {
    /// Called after every accepted step; `false` stops the run.
    fn accepted(&mut self, state: &State, step: &StepRecord) -> bool;
}

impl Observer for () {
    fn accepted(&mut self, _state: &State, _step: &StepRecord) -> bool {
        true
    }
}

impl<F: FnMut(&State, &StepRecord) -> bool> Observer for F {
    fn accepted(&mut self, state: &State, step: &StepRecord) -> bool {
        self(state, step)
    }
}

/// What a run gives: everything computed, and how it ended.
#[derive(Debug)]
pub struct Outcome {
    /// Results until the end or the failure.
    pub trajectory: Trajectory,
    /// What was done to the initial state.
    pub initial: InitialReport,
    /// The last accepted state.
    pub state: State,
    /// Why the run ended early, if it did.
    pub failure: Option<Diagnosis>,
    /// What to beware of in this combination of system and settings.
    pub warnings: Vec<String>,
}

/// Integrates a system from `initial` as the settings say.
///
/// Fails at once if settings or start make no sense; a failure on the way keeps what was computed.
pub fn simulate(
    system: &mut dyn System,
    initial: &State,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Result<Outcome, Diagnosis> {
    settings.validate().map_err(|error| Diagnosis {
        failure: Failure::Unsupported,
        t: settings.start,
        message: error.to_string(),
        evidence: Vec::new(),
        remedies: Vec::new(),
    })?;
    let mut state = initial.clone();
    state.t = settings.start;
    let report = make_consistent(system, &mut state, settings.initial)?;
    let mut march = March::new(system, state, settings)?;
    let failure = march.run(observer).err();
    let warnings = formulation::warnings(march.system, settings);
    let March { recorder, state, statistics, .. } = march;
    let mut trajectory = recorder.trajectory;
    trajectory.statistics = statistics;
    Ok(Outcome { trajectory, initial: report, state, failure, warnings })
}

/// Condition number of the first iteration matrix of a step of size `h` from a consistent state,
/// assembled at the guess of constant acceleration: for studies of scaling.
pub fn iteration_matrix_condition(
    system: &mut dyn System,
    state: &State,
    settings: &Settings,
    h: f64,
) -> Result<f64, Diagnosis> {
    let mut scheme = formulation::build(system, settings)?;
    scheme.restart(system, state);
    let singular = |error: rotula_linear::FactorError| Diagnosis {
        failure: Failure::SingularMatrix,
        t: state.t,
        message: format!("the iteration matrix cannot be factorised: {error}"),
        evidence: Vec::new(),
        remedies: Vec::new(),
    };
    scheme.begin(system, state, h).map_err(singular)?;
    let mut unknowns = vec![0.0; scheme.unknowns()];
    let guess = Guess::Values {
        vdot: &state.vdot,
        multipliers: &state.multipliers,
        xdot: &state.xdot,
        y: &state.y,
    };
    scheme.guess(&guess, &mut unknowns);
    scheme.core_mut().matrix.clear();
    scheme.assemble(system, &unknowns);
    Ok(scheme.core().matrix.condition_number())
}

/// What the first guess of a failed attempt led to.
#[derive(Default)]
struct FirstFailure {
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

/// Everything a run needs.
struct March<'a> {
    system: &'a mut dyn System,
    settings: &'a Settings,
    scheme: Box<dyn Scheme>,
    newton: Newton,
    control: Control,
    predictor: Predictor,
    recorder: Recorder,
    state: State,
    next: State,
    weights: Vec<f64>,
    statistics: crate::statistics::Statistics,
    troubles: usize,
    first_failure: FirstFailure,
    /// No step was accepted since the last start.
    fresh: bool,
}

impl<'a> March<'a> {
    fn new(
        system: &'a mut dyn System,
        state: State,
        settings: &'a Settings,
    ) -> Result<Self, Diagnosis> {
        let mut scheme = formulation::build(system, settings)?;
        let first = first_step(system, &state, settings)?;
        scheme.restart(system, &state);
        let mut predictor = Predictor::new(&state);
        predictor.restart(&state);
        let unknowns = scheme.unknowns();
        let mut march = March {
            newton: Newton::new(settings.newton, unknowns),
            control: Control::new(&settings.control, first),
            recorder: Recorder::new(system, settings),
            next: state.clone(),
            weights: (0..state.v.len()).map(|i| system.scale(i)).collect(),
            statistics: crate::statistics::Statistics { unknowns, ..Default::default() },
            troubles: 0,
            first_failure: FirstFailure::default(),
            fresh: true,
            system,
            settings,
            scheme,
            predictor,
            state,
        };
        march.update_weights();
        Ok(march)
    }

    /// Marches through all segments of smooth forces.
    fn run(&mut self, observer: &mut dyn Observer) -> Result<(), Diagnosis> {
        self.recorder.begin(self.system, &self.state);
        for stop in self.stops() {
            // Forces are evaluated strictly on this side of a jump.
            let last = stop >= self.settings.until;
            let end = if last { stop } else { before(stop) };
            self.control.begin_segment(self.state.t, end);
            while self.state.t < end {
                let record = self.step(end)?;
                if !observer.accepted(&self.state, &record) {
                    return Err(self.interrupted());
                }
            }
            if !last {
                self.restart_after(stop)?;
            }
        }
        Ok(())
    }

    /// Ends of the segments: force jumps inside the interval, then its end.
    fn stops(&self) -> Vec<f64> {
        let (start, until) = (self.settings.start, self.settings.until);
        let jumps = self.system.discontinuities().iter().copied();
        let mut stops: Vec<f64> = jumps.filter(|&t| t > start && t < until).collect();
        stops.sort_by(f64::total_cmp);
        stops.dedup();
        stops.push(until);
        stops
    }

    /// Attempts until a step is accepted.
    fn step(&mut self, end: f64) -> Result<StepRecord, Diagnosis> {
        let mut rejected = 0;
        loop {
            let target = self.control.target(self.state.t);
            let h = target - self.state.t;
            let iterations = match self.attempt(h) {
                Ok(iterations) => iterations,
                Err(trouble) => {
                    rejected += 1;
                    self.retreat(h, trouble)?;
                    continue;
                }
            };
            if target >= end {
                self.next.t = end;
            }
            let error = self.scheme.local_error(&self.next, &self.weights);
            let ratio = match &mut self.control {
                Control::Grid(_) => error.position.max(error.state),
                Control::Error(control) => {
                    let tolerance = control.settings.tolerance;
                    let order = self.scheme.order();
                    // A formula of lower order needs a larger exponent for the same step factor.
                    let lift = (order as f64 + 1.0) / (error.state_order as f64 + 1.0);
                    let state = (error.state / tolerance).powf(lift);
                    let ratio = (error.position / tolerance).max(state);
                    match control.judge(h, ratio, order) {
                        Verdict::Accepted => {
                            let advice = self.scheme.advise(&self.next, &self.weights, tolerance);
                            if let Some(factor) = advice {
                                control.follow(h, factor);
                            }
                            ratio
                        }
                        Verdict::Rejected => {
                            rejected += 1;
                            self.statistics.rejected_by_error += 1;
                            self.predictor.caution(rejected > 1);
                            self.scheme.rejected(rejected);
                            continue;
                        }
                        Verdict::TooSmall => return Err(self.error_too_large(h, ratio)),
                    }
                }
            };
            return Ok(self.accept(h, iterations, rejected, ratio));
        }
    }

    /// Attempts a step; the first one may also have to find its start acceleration.
    fn attempt(&mut self, h: f64) -> Result<usize, Trouble> {
        let shifted = self.settings.start_acceleration != StartAcceleration::Initial;
        if !(shifted && self.fresh) {
            return self.attempt_once(h);
        }
        let mut iterations = 0;
        let mut start = vec![0.0; self.state.v.len()];
        for _ in 0..MOST_START_ITERATIONS {
            iterations += self.attempt_once(h)?;
            self.scheme.shifted_start(self.system, &self.next, &mut start);
            let a = &mut self.scheme.core_mut().alpha.a;
            let change = start.iter().zip(&*a).fold(0.0, |m: f64, (x, y)| m.max((x - y).abs()));
            let size = start.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            if change <= 1e-12 * size {
                return Ok(iterations);
            }
            a.copy_from_slice(&start);
        }
        Err(Trouble::NotConverged)
    }

    /// Tries the first guess and, if the iteration fails, the others of the ladder.
    fn attempt_once(&mut self, h: f64) -> Result<usize, Trouble> {
        self.scheme.begin(self.system, &self.state, h).map_err(Trouble::Matrix)?;
        let accuracy = self.accuracy(h);
        let choice = self.settings.newton.predictor;
        let ladder = [
            PredictorChoice::Polynomial,
            PredictorChoice::Taylor,
            PredictorChoice::Euler,
            PredictorChoice::Hold,
        ];
        let rest = ladder.into_iter().filter(|&c| c != choice && self.settings.newton.ladder);
        let mut trouble = None;
        for choice in std::iter::once(choice).chain(rest) {
            self.guess(choice, h);
            let setting = (h, &self.state.vdot[..], &self.weights[..]);
            let solved = self.newton.solve(
                self.scheme.as_mut(),
                self.system,
                setting,
                accuracy,
                &mut self.statistics,
            );
            match solved {
                Ok(iterations) => {
                    let unknowns = &self.newton.unknowns;
                    self.scheme
                        .conclude(self.system, unknowns, &mut self.next)
                        .map_err(Trouble::Matrix)?;
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

    /// How exactly a step must be solved. [003 §3.2]
    fn accuracy(&self, h: f64) -> Accuracy {
        let coefficients = self.settings.coefficients;
        let (position, state) = (self.scheme.position_factor(), self.scheme.state_factor());
        let (floor, rate_floor) = (20.0 * f64::EPSILON / position, 20.0 * f64::EPSILON / state);
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
                    rates: 1e-3 * control.tolerance / state,
                    rate_floor,
                }
            }
            _ => Accuracy {
                bound: f64::INFINITY,
                relative_to_change: 0.0,
                relative_to_size: self.settings.newton.tolerance,
                negligible: 1e-3 * self.settings.newton.tolerance / position,
                floor,
                rates: self.settings.newton.tolerance / state,
                rate_floor,
            },
        }
    }

    /// The iteration failed: take a smaller step, or give up with a diagnosis.
    fn retreat(&mut self, h: f64, trouble: Trouble) -> Result<(), Diagnosis> {
        self.statistics.rejected_by_iteration += 1;
        self.troubles += 1;
        self.newton.drop_matrix();
        self.predictor.caution(self.troubles > 1);
        if self.control.shrink_after_trouble(self.state.t, h) {
            return Ok(());
        }
        if matches!(trouble, Trouble::NotFinite { .. }) {
            let mut diagnosis = not_finite(self.system, &self.scheme.core().trial);
            diagnosis.t = self.state.t;
            return Err(diagnosis);
        }
        let FirstFailure { history, unknowns, start, correction } = &self.first_failure;
        let attempt = Attempt { h, trouble, history, correction };
        let unknowns = (&unknowns[..], &start[..]);
        Err(explain(self.system, self.scheme.as_mut(), unknowns, &self.state, attempt))
    }

    fn accept(&mut self, h: f64, iterations: usize, rejected: usize, error: f64) -> StepRecord {
        self.troubles = 0;
        self.fresh = false;
        let record = StepRecord {
            t: self.next.t,
            h,
            iterations,
            factorisations: self.newton.matrices,
            rejected,
            error,
            order: self.scheme.order(),
        };
        self.scheme.commit();
        self.next.increment.fill(0.0);
        std::mem::swap(&mut self.state, &mut self.next);
        self.predictor.accept(&self.state);
        if let Control::Grid(grid) = &mut self.control {
            grid.accept(self.state.t);
        }
        self.count(&record);
        self.update_weights();
        self.recorder.step(self.system, (&self.next, &self.state), record);
        record
    }

    fn count(&mut self, step: &StepRecord) {
        let statistics = &mut self.statistics;
        statistics.steps += 1;
        statistics.most_iterations = statistics.most_iterations.max(step.iterations);
        statistics.largest_step = statistics.largest_step.max(step.h);
        statistics.smallest_step = match statistics.steps {
            1 => step.h,
            _ => statistics.smallest_step.min(step.h),
        };
        statistics.factor_entries = self.scheme.core().matrix.fill();
    }

    /// Errors are relative to the largest magnitude a coordinate has had, at least its scale.
    /// [003 eq. 35]
    fn update_weights(&mut self) {
        if self.state.q.len() != self.weights.len() {
            return;
        }
        for (weight, q) in self.weights.iter_mut().zip(&self.state.q) {
            *weight = weight.max(q.abs());
        }
    }

    /// Crosses a jump of the forces: same positions and velocities, new accelerations.
    fn restart_after(&mut self, jump: f64) -> Result<(), Diagnosis> {
        self.state.t = after(jump);
        if self.settings.initial != InitialPolicy::Trust {
            let mut underlying = Underlying::new(self.system.sizes(), &self.system.patterns());
            solve_accelerations(self.system, &mut self.state, &mut underlying)?;
        }
        self.fresh = true;
        self.scheme.restart(self.system, &self.state);
        self.predictor.restart(&self.state);
        self.newton.drop_matrix();
        self.recorder.restart(self.system, &self.state);
        if let Control::Error(control) = &mut self.control {
            control.restart();
        }
        Ok(())
    }

    fn error_too_large(&self, h: f64, ratio: f64) -> Diagnosis {
        let t = self.state.t;
        Diagnosis {
            failure: Failure::ErrorTooLarge,
            t,
            message: format!(
                "at t = {t} the local error is {ratio:.3} times the tolerance even with the \
                 smallest step {h:.3e}"
            ),
            evidence: vec![format!("{} steps were accepted before", self.statistics.steps)],
            remedies: vec![
                "declare jumps of the forces under [events], so that steps end there".into(),
                "loosen the tolerance or lower `min_step`".into(),
            ],
        }
    }

    fn interrupted(&self) -> Diagnosis {
        Diagnosis {
            failure: Failure::Interrupted,
            t: self.state.t,
            message: format!("stopped on request at t = {}", self.state.t),
            evidence: Vec::new(),
            remedies: Vec::new(),
        }
    }
}

/// A time just before a jump that rounding of `t + h` cannot carry across it.
fn before(t: f64) -> f64 {
    t - 4.0 * (t.next_up() - t)
}

/// A time just after a jump.
fn after(t: f64) -> f64 {
    t.next_up()
}
