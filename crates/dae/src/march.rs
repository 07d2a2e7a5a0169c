//! The marching loop: attempt, judge, accept or reject, observe.

use crate::attempt::FirstFailure;
use crate::checkpoint::{Keeper, Ledger};
use crate::consistency::{InitialReport, make_consistent, solve_accelerations};
use crate::control::{Control, Verdict};
use crate::diagnosis::{Diagnosis, Failure, readable};
use crate::doubts::doubts;
use crate::equilibrium_start;
use crate::explain::error_too_large;
use crate::first_step::first_step;
use crate::formulation::{self, Scheme};
use crate::given_start::given_acceleration;
use crate::inertia::refuse_negative;
use crate::newton::Newton;
use crate::observer::Observer;
use crate::out_of_range::start_out_of_range;
use crate::predictor::{self, Predictor};
use crate::recorder::Recorder;
use crate::redundancy;
use crate::ringing::ringing;
use crate::settings::{InitialPolicy, RedundantPolicy, Settings, StartAcceleration, StepControl};
use crate::state::State;
use crate::statistics::StepRecord;
use crate::system::System;
use crate::trajectory::Trajectory;
use crate::underlying::Underlying;

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
    simulate_kept(system, initial, settings, observer, &mut ())
}

/// The same with checkpoints: `keeper` decides when they are due, and may hold one to go on from.
pub fn simulate_kept(
    system: &mut dyn System,
    initial: &State,
    settings: &Settings,
    observer: &mut dyn Observer,
    keeper: &mut dyn Keeper,
) -> Result<Outcome, Diagnosis> {
    settings.validate().map_err(|error| Diagnosis {
        failure: Failure::Unsupported,
        t: settings.start,
        message: error.to_string(),
        evidence: Vec::new(),
        remedies: Vec::new(),
    })?;
    refuse_negative(system, &State { t: settings.start, ..initial.clone() })?;
    match settings.initial {
        InitialPolicy::Equilibrium => {
            equilibrium_start::simulate(system, initial, settings, observer, keeper)
        }
        _ => march(system, initial, settings, observer, keeper),
    }
}

/// Integrates from a start that is where it should be.
pub(crate) fn march(
    system: &mut dyn System,
    initial: &State,
    settings: &Settings,
    observer: &mut dyn Observer,
    keeper: &mut dyn Keeper,
) -> Result<Outcome, Diagnosis> {
    match settings.redundant {
        RedundantPolicy::Refuse => run(system, initial, settings, observer, keeper),
        RedundantPolicy::Solve => redundancy::simulate(system, initial, settings, observer, keeper),
    }
}

/// Integrates a system whose constraints are independent.
pub(crate) fn run(
    system: &mut dyn System,
    initial: &State,
    settings: &Settings,
    observer: &mut dyn Observer,
    keeper: &mut dyn Keeper,
) -> Result<Outcome, Diagnosis> {
    let mut state = initial.clone();
    state.t = settings.start;
    let report = make_consistent(system, &mut state, settings.initial)?;
    let mut march = March::new(system, state, settings)?;
    let kept = keeper.resume();
    if let Some(kept) = &kept {
        march.resume(kept)?;
    }
    march.scheme.core_mut().stop = observer.stop();
    let failure = march.run(kept.is_some(), observer, keeper).err();
    if failure.is_some() {
        march.recorder.end_early(march.system, march.scheme.as_ref(), &march.state);
    }
    let mut warnings = formulation::warnings(march.system, settings);
    let March { system, recorder, state, statistics, .. } = march;
    let balance = recorder.forces.conclude(system);
    let mut trajectory = recorder.trajectory;
    trajectory.statistics = statistics;
    trajectory.balance = balance;
    // what fails is explained by its diagnosis
    if failure.as_ref().is_none_or(|found| found.failure == Failure::Interrupted) {
        warnings.extend(doubts(system, &mut trajectory));
    }
    Ok(Outcome { trajectory, initial: report, state, failure, warnings })
}

/// Everything a run needs.
pub(crate) struct March<'a> {
    pub system: &'a mut dyn System,
    pub settings: &'a Settings,
    pub scheme: Box<dyn Scheme>,
    pub newton: Newton,
    pub control: Control,
    pub predictor: Predictor,
    pub recorder: Recorder,
    pub state: State,
    pub next: State,
    pub weights: Vec<f64>,
    pub statistics: crate::statistics::Statistics,
    pub troubles: usize,
    pub first_failure: FirstFailure,
    /// How many times larger than an error of the iteration its consequences may be.
    pub ringing: f64,
    /// No step was accepted since the last start.
    pub fresh: bool,
    /// Segments of smooth forces that lie behind.
    pub segment: usize,
    pub ledger: Ledger,
}

impl<'a> March<'a> {
    fn new(
        system: &'a mut dyn System,
        state: State,
        settings: &'a Settings,
    ) -> Result<Self, Diagnosis> {
        let mut state = state;
        system.renew_contacts(&state.point(), first_horizon(settings));
        let mut scheme = formulation::build(system, settings)?;
        let first = first_step(system, &state, settings)?;
        scheme.start(system, &mut state)?;
        if let Some(diagnosis) = start_out_of_range(system, &state) {
            return Err(diagnosis);
        }
        if settings.start_acceleration == StartAcceleration::Given {
            scheme.core_mut().alpha.a.copy_from_slice(given_acceleration(&state)?);
        }
        let prescribed = scheme.prescribed();
        let filter = predictor::filter(settings.coefficients, prescribed);
        let mut predictor = Predictor::new(&state, filter);
        predictor.restart(&state);
        let unknowns = scheme.unknowns();
        let mut march = March {
            newton: Newton::new(settings.newton, unknowns, system),
            control: Control::new(&settings.control, first),
            recorder: Recorder::new(system, settings),
            next: state.clone(),
            weights: (0..state.v.len()).map(|i| system.scale(i)).collect(),
            statistics: crate::statistics::Statistics { unknowns, ..Default::default() },
            troubles: 0,
            first_failure: FirstFailure::default(),
            ringing: prescribed.map_or(1.0, |what| ringing(settings.coefficients, what)),
            fresh: true,
            segment: 0,
            ledger: Ledger::default(),
            system,
            settings,
            scheme,
            predictor,
            state,
        };
        march.update_weights();
        Ok(march)
    }

    /// Marches through all segments of smooth forces; `under_way` if the state is within one.
    fn run(
        &mut self,
        mut under_way: bool,
        observer: &mut dyn Observer,
        keeper: &mut dyn Keeper,
    ) -> Result<(), Diagnosis> {
        if !under_way {
            self.recorder.see_contacts(self.scheme.contact_state());
            self.recorder.begin(self.system, self.scheme.as_ref(), &self.state);
        }
        for stop in self.stops().into_iter().skip(self.segment) {
            // Forces are evaluated strictly on this side of a jump.
            let last = stop >= self.settings.until;
            let end = if last { stop } else { before(stop) };
            if !std::mem::take(&mut under_way) {
                self.control.begin_segment(self.state.t, end);
            }
            while self.state.t < end {
                let record = self.step(end, observer)?;
                let goes_on = observer.accepted(&self.state, &record);
                if keeper.due(!goes_on) {
                    keeper.keep(self.snapshot());
                }
                if !goes_on {
                    return Err(self.interrupted());
                }
            }
            if !last {
                self.restart_after(stop)?;
            }
            self.segment += 1;
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
    fn step(&mut self, end: f64, observer: &mut dyn Observer) -> Result<StepRecord, Diagnosis> {
        let mut rejected = 0;
        loop {
            // after an accepted step it has just been asked
            if rejected > 0 && !observer.goes_on() {
                return Err(self.interrupted());
            }
            let target = self.control.target(self.state.t);
            let h = target - self.state.t;
            let iterations = match self.attempt(h) {
                Ok(iterations) => iterations,
                Err(_) if self.scheme.core().stop.asked() => return Err(self.interrupted()),
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
                        Verdict::TooSmall => {
                            let ends = (&self.state, &self.next);
                            let rejected = (h, ratio);
                            let so_far = &self.statistics;
                            return Err(error_too_large(self.system, ends, rejected, so_far));
                        }
                    }
                }
            };
            return Ok(self.accept(h, iterations, rejected, ratio));
        }
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
        self.system.accepted(&self.state.point());
        self.predictor.accept(&self.state);
        if let Control::Grid(grid) = &mut self.control {
            grid.accept(self.state.t);
        }
        self.count(&record);
        self.update_weights();
        self.recorder.see_contacts(self.scheme.contact_state());
        let ends = (&self.next, &self.state);
        self.recorder.step(self.system, self.scheme.as_ref(), ends, record);
        // The next step is at most twice as long.
        if self.system.renew_contacts(&self.state.point(), 2.0 * h) {
            self.scheme.contacts_changed(self.system, &self.state);
            self.recorder.contacts_changed(self.system);
        }
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
        self.scheme.start(self.system, &mut self.state)?;
        self.predictor.restart(&self.state);
        self.newton.drop_matrix();
        if let Control::Error(control) = &mut self.control {
            control.restart();
        }
        Ok(())
    }

    fn interrupted(&self) -> Diagnosis {
        Diagnosis {
            failure: Failure::Interrupted,
            t: self.state.t,
            message: format!("stopped on request at t = {}", readable(self.state.t)),
            evidence: Vec::new(),
            remedies: Vec::new(),
        }
    }
}

/// How far ahead contacts must be known before the first step.
fn first_horizon(settings: &Settings) -> f64 {
    match &settings.control {
        StepControl::Fixed { h } | StepControl::Repeated { h, .. } => 2.0 * h,
        StepControl::Tolerance(control) => control.max,
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
