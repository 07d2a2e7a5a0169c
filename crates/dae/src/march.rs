//! The marching loop: attempt, judge, accept or reject.

use crate::attempt::FirstFailure;
use crate::checkpoint::Ledger;
use crate::consistency::{InitialReport, make_consistent_with, solve_accelerations};
use crate::control::{Control, Verdict};
use crate::diagnosis::{Diagnosis, Failure, readable};
use crate::events::Watch;
use crate::explain::error_too_large;
use crate::first_step::first_step;
use crate::formulation::{self, Scheme};
use crate::given_start::given_acceleration;
use crate::located::{Cut, Located};
use crate::newton::Newton;
use crate::observer::Observer;
use crate::out_of_range::start_out_of_range;
use crate::predictor::{self, Predictor};
use crate::recorder::Recorder;
use crate::ringing::ringing;
use crate::settings::{InitialPolicy, Settings, StartAcceleration, StepControl};
use crate::state::State;
use crate::statistics::{Statistics, StepRecord};
use crate::system::System;
use crate::underlying::Underlying;

/// Everything that a run needs beside its system, whose constraints are independent.
pub(crate) struct March {
    pub settings: Settings,
    pub scheme: Box<dyn Scheme>,
    pub newton: Newton,
    pub control: Control,
    pub predictor: Predictor,
    pub recorder: Recorder,
    pub state: State,
    /// The end of the step that is attempted; after it was accepted, its start.
    pub next: State,
    pub weights: Vec<f64>,
    pub statistics: Statistics,
    pub troubles: usize,
    pub first_failure: FirstFailure,
    /// How many times larger than an error of the iteration its consequences may be.
    pub ringing: f64,
    /// No step was accepted since the last start.
    pub fresh: bool,
    /// Times at which forces jump, in their order.
    pub jumps: Vec<f64>,
    /// How many of them lie behind.
    pub segment: usize,
    pub located: Located,
    pub watch: Watch,
    pub ledger: Ledger,
}

impl March {
    /// Makes the start consistent and prepares the first step.
    pub fn new(
        system: &mut dyn System,
        initial: &State,
        settings: Settings,
    ) -> Result<(Self, InitialReport), Diagnosis> {
        let mut state = State { t: settings.start, ..initial.clone() };
        let mut underlying = Underlying::new(system.sizes(), &system.patterns());
        let initial = settings.initial;
        let report = make_consistent_with(system, &mut state, initial, &mut underlying)?;
        system.renew_contacts(&state.point(), first_horizon(&settings));
        let mut scheme = formulation::build(system, &settings)?;
        scheme.follow(underlying.matrix());
        let order = scheme.error_order();
        let first = first_step(system, &state, &settings, order, &mut underlying)?;
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
        let mut jumps: Vec<f64> =
            system.discontinuities().iter().copied().filter(|&t| t > settings.start).collect();
        jumps.sort_by(f64::total_cmp);
        jumps.dedup();
        let mut march = March {
            newton: Newton::new(settings.newton, system, scheme.as_ref()),
            control: Control::new(&settings.control, first),
            recorder: Recorder::new(system, &settings, underlying),
            next: state.clone(),
            weights: (0..state.v.len()).map(|i| system.scale(i)).collect(),
            statistics: Statistics { unknowns, ..Default::default() },
            troubles: 0,
            first_failure: FirstFailure::default(),
            ringing: prescribed.map_or(1.0, |what| ringing(settings.coefficients, what)),
            fresh: true,
            jumps,
            segment: 0,
            located: Located::new(),
            watch: Watch::default(),
            ledger: Ledger::default(),
            settings,
            scheme,
            predictor,
            state,
        };
        march.update_weights();
        Ok((march, report))
    }

    /// Records the start.
    pub fn record_start(&mut self, system: &mut dyn System) {
        self.recorder.see_contacts(self.scheme.contact_state());
        self.recorder.begin(system, self.scheme.as_mut(), &self.state);
    }

    /// Takes a step towards `aim`, of the size that the settings ask for; a jump of the forces or a sample that lies
    /// before is crossed first.
    pub fn step(
        &mut self,
        system: &mut dyn System,
        aim: f64,
        observer: &mut dyn Observer,
    ) -> Result<StepRecord, Diagnosis> {
        let end = self.next_end(system, aim)?;
        if self.control.end() != end {
            self.control.begin_segment(self.state.t, end);
        }
        self.step_within(system, end, observer)
    }

    /// Attempts until a step is accepted.
    fn step_within(
        &mut self,
        system: &mut dyn System,
        end: f64,
        observer: &mut dyn Observer,
    ) -> Result<StepRecord, Diagnosis> {
        let mut rejected = 0;
        loop {
            // after an accepted step it has just been asked
            if rejected > 0 && !observer.goes_on() {
                return Err(interrupted(self.state.t));
            }
            self.strike(system)?;
            if let Control::Error(control) = &mut self.control
                && let Some((_, rate)) = system.fastest_turn(&self.state.v)
            {
                control.limit_turn(rate);
            }
            let target = self.control.target(self.state.t);
            let h = target - self.state.t;
            let iterations = match self.attempt(system, h) {
                Ok(iterations) => iterations,
                Err(_) if self.scheme.core().stop.asked() => return Err(interrupted(self.state.t)),
                Err(trouble) => {
                    rejected += 1;
                    self.retreat(system, h, trouble)?;
                    continue;
                }
            };
            let error = self.scheme.local_error(&self.next, &self.weights);
            let ratio = match &mut self.control {
                Control::Grid(_) => error.position.max(error.state),
                Control::Error(control) => {
                    let tolerance = control.settings.tolerance;
                    let order = self.scheme.error_order();
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
                            return Err(error_too_large(system, ends, rejected, so_far));
                        }
                    }
                }
            };
            let step = match self.cut_at_impact(system, h) {
                Ok(Cut::Whole) => (h, iterations),
                Ok(Cut::Ends(size, more)) => {
                    self.located.due = true;
                    (size, iterations + more)
                }
                Ok(Cut::Now) => {
                    self.located.due = true;
                    continue;
                }
                Err(trouble) => {
                    rejected += 1;
                    self.retreat(system, h, trouble)?;
                    continue;
                }
            };
            let step = match self.cut_at_condition(system, step.0) {
                Ok(None) => step,
                Ok(Some((size, more))) => {
                    // what would hit later, hits later
                    self.located.due &= size == step.0;
                    (size, step.1 + more)
                }
                Err(trouble) => {
                    rejected += 1;
                    self.retreat(system, h, trouble)?;
                    continue;
                }
            };
            if step.0 == h && target >= end {
                self.next.t = end;
            }
            return Ok(self.accept(system, step, rejected, ratio));
        }
    }

    fn accept(
        &mut self,
        system: &mut dyn System,
        (h, iterations): (f64, usize),
        rejected: usize,
        error: f64,
    ) -> StepRecord {
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
        system.accepted(&self.state.point());
        self.watch.accept();
        self.predictor.accept(&self.state);
        if let Control::Grid(grid) = &mut self.control {
            grid.accept(self.state.t);
        }
        self.count(&record);
        self.update_weights();
        self.recorder.see_contacts(self.scheme.contact_state());
        let ends = (&self.next, &self.state);
        // Fixed steps are those of the record: an impact or a change on the way adds no row.
        let cut = self.located.due || self.watch.cut;
        let whole = !(cut && matches!(self.control, Control::Grid(_)));
        self.recorder.step(system, self.scheme.as_mut(), ends, record, whole);
        if system.renew_contacts(&self.state.point(), self.horizon()) {
            self.scheme.contacts_changed(system, &self.state);
            self.recorder.contacts_changed(system);
        }
        record
    }

    /// How far ahead contacts must be known: the next step is at most that long.
    pub fn horizon(&self) -> f64 {
        2.0 * self.control.usual(0.0)
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
    /// [Negrut et al. 2005, eq. 35]
    fn update_weights(&mut self) {
        if self.state.q.len() != self.weights.len() {
            return;
        }
        for (weight, q) in self.weights.iter_mut().zip(&self.state.q) {
            *weight = weight.max(q.abs());
        }
    }

    /// Crosses a jump of the forces: same positions and velocities, new accelerations.
    pub fn restart_after(&mut self, system: &mut dyn System, jump: f64) -> Result<(), Diagnosis> {
        self.state.t = after(jump);
        self.restart_here(system)
    }

    /// The same at the present time.
    pub fn restart_here(&mut self, system: &mut dyn System) -> Result<(), Diagnosis> {
        if self.settings.initial != InitialPolicy::Trust {
            solve_accelerations(system, &mut self.state, &mut self.recorder.underlying)?;
        }
        self.restart(system)
    }

    /// Starts afresh from a state whose accelerations and multipliers belong to it.
    pub fn restart(&mut self, system: &mut dyn System) -> Result<(), Diagnosis> {
        self.start_afresh(system)?;
        self.located.due = true;
        if let Control::Error(control) = &mut self.control {
            control.restart();
        }
        Ok(())
    }

    /// The same with steps of the size that they have.
    pub fn start_afresh(&mut self, system: &mut dyn System) -> Result<(), Diagnosis> {
        self.fresh = true;
        self.scheme.start(system, &mut self.state)?;
        self.predictor.restart(&self.state);
        self.newton.drop_matrix();
        Ok(())
    }
}

/// Somebody has asked a run to stop.
pub(crate) fn interrupted(t: f64) -> Diagnosis {
    Diagnosis {
        failure: Failure::Interrupted,
        t,
        message: format!("stopped on request at t = {}", readable(t)),
        evidence: Vec::new(),
        remedies: Vec::new(),
    }
}

/// How far ahead contacts must be known before the first step.
pub(crate) fn first_horizon(settings: &Settings) -> f64 {
    match &settings.control {
        StepControl::Fixed { h } | StepControl::Repeated { h, .. } => 2.0 * h,
        StepControl::Tolerance(control) => control.max,
    }
}

/// A time just before a jump that rounding of `t + h` cannot carry across it.
pub(crate) fn before(t: f64) -> f64 {
    t - 4.0 * (t.next_up() - t)
}

/// A time just after a jump.
pub(crate) fn after(t: f64) -> f64 {
    t.next_up()
}
