//! The marching loop: attempt, judge, accept or reject.

use crate::checkpoint::Ledger;
use crate::consistency::{InitialReport, make_consistent_with, solve_accelerations};
use crate::control::{Control, Verdict};
use crate::diagnosis::Diagnosis;
use crate::events::{Instants, Watch};
use crate::explain::error_too_large;
use crate::first_step::first_step;
use crate::formulation;
use crate::given_start::given_acceleration;
use crate::located::{Cut, Located, Waiting};
use crate::newton::Trouble;
use crate::observer::Observer;
use crate::out_of_range::{is_finite, start_out_of_range};
use crate::passage::Passage;
use crate::recorder::Recorder;
use crate::settings::{InitialPolicy, Settings, StartAcceleration, StepControl};
use crate::state::State;
use crate::statistics::{Statistics, StepRecord};
use crate::step::{Effort, Failed, Rejection, Step, Way};
use crate::system::System;
use crate::underlying::Underlying;

/// Everything that a run needs beside its system, whose constraints are independent.
pub(crate) struct March {
    pub settings: Settings,
    pub step: Box<dyn Step>,
    pub control: Control,
    pub recorder: Recorder,
    pub state: State,
    /// The end of the step that is attempted; after it was accepted, its start.
    pub next: State,
    pub weights: Vec<f64>,
    /// Whether these grow with what coordinates have been.
    pub weights_grow: bool,
    pub statistics: Statistics,
    pub troubles: usize,
    /// No step was accepted since the last start.
    pub fresh: bool,
    /// What is known to happen.
    pub instants: Instants,
    /// How many of the jumps lie behind.
    pub segment: usize,
    pub located: Located,
    pub watch: Watch,
    pub passage: Passage,
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
        let mut step = formulation::build(system, &settings)?;
        step.follow(underlying.matrix());
        let order = step.error_order();
        let first = first_step(system, &state, &settings, order, &mut underlying)?;
        step.start(system, &mut state)?;
        if let Some(diagnosis) = start_out_of_range(system, &state) {
            return Err(diagnosis);
        }
        if settings.start_acceleration == StartAcceleration::Given {
            let given = given_acceleration(&state)?;
            if let Some(values) = step.start_values() {
                values.acceleration().copy_from_slice(given);
            }
        }
        let unknowns = step.matrix().size();
        let instants = Instants::new(system, &settings);
        let mut march = March {
            control: Control::new(&settings.control, first),
            recorder: Recorder::new(system, &settings, underlying),
            next: state.clone(),
            weights: (0..state.v.len()).map(|i| system.scale(i)).collect(),
            weights_grow: system.scales_grow() && state.q.len() == state.v.len(),
            statistics: Statistics { unknowns, ..Default::default() },
            troubles: 0,
            fresh: true,
            instants,
            segment: 0,
            located: Located::new(),
            watch: Watch::default(),
            passage: Passage::default(),
            ledger: Ledger::default(),
            settings,
            step,
            state,
        };
        march.update_weights();
        Ok((march, report))
    }

    /// Records the start.
    pub fn record_start(&mut self, system: &mut dyn System) {
        self.see_contacts();
        self.recorder.begin(system, self.step.as_mut(), &self.state);
    }

    /// Takes a step towards `aim`, of the size that the settings ask for; a jump of the forces or a sample that lies
    /// before is crossed first.
    pub fn step(
        &mut self,
        system: &mut dyn System,
        aim: f64,
        observer: &mut dyn Observer,
    ) -> Result<StepRecord, Diagnosis> {
        let (end, called) = self.next_end(system, aim)?;
        if self.control.end() != end {
            self.control.begin_segment(self.state.t, end);
        }
        self.step_within(system, (end, called), observer)
    }

    /// Attempts until a step is accepted; one that ends where the segment does counts as ending at the second time.
    fn step_within(
        &mut self,
        system: &mut dyn System,
        (end, called): (f64, f64),
        observer: &mut dyn Observer,
    ) -> Result<StepRecord, Diagnosis> {
        let mut rejected = 0;
        loop {
            // after an accepted step it has just been asked
            if rejected > 0 && !observer.goes_on() {
                return Err(Diagnosis::interrupted(self.state.t));
            }
            self.strike(system)?;
            self.begin_change(system)?;
            self.limit_turn(system);
            let target = self.control.target(self.state.t);
            let whole = target - self.state.t;
            let h = self.resolved_size(system, whole)?;
            let mut error = 0.0;
            let step = match self.attempt(system, h) {
                Ok(effort) => match self.judge(system, h, rejected + 1)? {
                    Judged::Accepted(ratio) => {
                        error = ratio;
                        self.cut_at_events(system, h, effort)
                    }
                    Judged::Rejected => {
                        rejected += 1;
                        continue;
                    }
                },
                Err(trouble) => Err(trouble),
            };
            match step {
                Ok(Some(step)) => {
                    if step.0 == whole && target >= end {
                        self.next.t = called;
                    }
                    return Ok(self.accept(system, step, rejected, error));
                }
                // an impact at the start of the step happens first
                Ok(None) => {}
                Err(_) if self.step.stop().asked() => {
                    return Err(Diagnosis::interrupted(self.state.t));
                }
                Err(trouble) => {
                    rejected += 1;
                    self.retreat(system, h, trouble)?;
                }
            }
        }
    }

    /// Judges the step that was attempted by its local error; `times` counts rejections in a row if it is one.
    fn judge(
        &mut self,
        system: &mut dyn System,
        h: f64,
        times: usize,
    ) -> Result<Judged, Diagnosis> {
        let error = self.step.local_error(&self.next, &self.weights);
        let Control::Error(control) = &mut self.control else {
            return Ok(Judged::Accepted(error.position.max(error.state)));
        };
        let tolerance = control.settings.tolerance;
        let order = self.step.error_order();
        // A formula of lower order needs a larger exponent for the same step factor.
        let lift = (order as f64 + 1.0) / (error.state_order as f64 + 1.0);
        let ratio = (error.position / tolerance).max((error.state / tolerance).powf(lift));
        match control.judge(h, ratio, order) {
            Verdict::Accepted => {
                if let Some(factor) = self.step.advise(&self.next, &self.weights, tolerance) {
                    control.follow(h, factor);
                }
                Ok(Judged::Accepted(ratio))
            }
            Verdict::Rejected => {
                self.statistics.rejected_by_error += 1;
                self.step.rejected(Rejection::Error(times));
                Ok(Judged::Rejected)
            }
            Verdict::TooSmall => {
                let ends = (&self.state, &self.next);
                Err(error_too_large(system, ends, (h, ratio), &self.statistics))
            }
        }
    }

    /// Ends the step that was attempted at the first meeting, impact or condition in it: size and effort. None if the impact is at its
    /// start.
    fn cut_at_events(
        &mut self,
        system: &mut dyn System,
        h: f64,
        effort: Effort,
    ) -> Result<Option<(f64, Effort)>, Trouble> {
        let (h, effort) = self.cut_at_passage(system, h, effort)?;
        let cut = self.cut_at_impact(system, h)?;
        self.located.due |= !matches!(cut, Cut::Whole);
        let (size, effort) = match cut {
            Cut::Whole => (h, effort),
            Cut::Ends(size, more) => (size, effort.then(more)),
            Cut::Now => return Ok(None),
        };
        // what would happen later, happens later
        let (size, effort) = match self.cut_at_change(system, size)? {
            None => (size, effort),
            Some((shorter, more)) => {
                self.located.due &= shorter == size;
                (shorter, effort.then(more))
            }
        };
        Ok(Some(match self.cut_at_condition(system, size)? {
            None => (size, effort),
            Some((shorter, more)) => {
                if shorter != size {
                    (self.located.due, self.located.changed) = (false, None);
                }
                (shorter, effort.then(more))
            }
        }))
    }

    /// Attempts a step.
    pub(crate) fn attempt(&mut self, system: &mut dyn System, h: f64) -> Result<Effort, Trouble> {
        let effort = match self.fresh {
            true => self.attempt_first(system, h)?,
            false => self.attempt_once(system, h)?,
        };
        // The iteration saw finite residuals only; what they led to may be none.
        if !is_finite(&self.next) {
            return Err(Trouble::NotFinite { equation: 0 });
        }
        Ok(effort)
    }

    /// Attempts a step with the start values that it has.
    pub(crate) fn attempt_once(
        &mut self,
        system: &mut dyn System,
        h: f64,
    ) -> Result<Effort, Trouble> {
        let way = Way { from: &self.state, h, weights: &self.weights };
        self.step.attempt(system, way, &mut self.next, &mut self.statistics)
    }

    /// The iteration failed: take a smaller step, or give up with a diagnosis.
    fn retreat(
        &mut self,
        system: &mut dyn System,
        h: f64,
        trouble: Trouble,
    ) -> Result<(), Diagnosis> {
        self.statistics.rejected_by_iteration += 1;
        self.troubles += 1;
        self.step.rejected(Rejection::Trouble(self.troubles));
        if self.control.shrink_after_trouble(self.state.t, h) {
            return Ok(());
        }
        let failed = Failed { from: &self.state, next: &self.next, h, trouble };
        Err(self.step.explain(system, failed))
    }

    /// The record takes over gaps and impulses of the step.
    fn see_contacts(&mut self) {
        if let Some(impacts) = self.step.impacts() {
            self.recorder.see_contacts(impacts.contact_state());
        }
    }

    /// The list of contacts has changed.
    pub(crate) fn contacts_changed(&mut self, system: &mut dyn System) {
        if let Some(impacts) = self.step.impacts_mut() {
            impacts.contacts_changed(system, &self.state);
        }
    }

    /// Which contacts wait for their impact, if impacts are located.
    pub(crate) fn waiting(&self) -> Option<&Waiting> {
        self.step.impacts()?.waiting()
    }

    /// The same, to be changed.
    pub(crate) fn waiting_mut(&mut self) -> Option<&mut Waiting> {
        self.step.impacts_mut()?.waiting_mut()
    }

    fn accept(
        &mut self,
        system: &mut dyn System,
        (h, effort): (f64, Effort),
        rejected: usize,
        error: f64,
    ) -> StepRecord {
        self.troubles = 0;
        self.fresh = false;
        let record = StepRecord {
            t: self.next.t,
            h,
            iterations: effort.iterations,
            factorisations: effort.matrices,
            rejected,
            error,
            order: self.step.order(),
        };
        self.next.increment.fill(0.0);
        std::mem::swap(&mut self.state, &mut self.next);
        self.step.commit(&self.state);
        system.accepted(&self.state.point());
        self.watch.accept();
        if let Control::Grid(grid) = &mut self.control {
            grid.accept(self.state.t);
        }
        self.count(&record);
        self.update_weights();
        self.see_contacts();
        let ends = (&self.next, &self.state);
        // Fixed steps are those of the record: an impact or a change on the way adds no row.
        let cut = self.located.due
            || self.located.changed.is_some()
            || self.watch.cut
            || self.passage.cut;
        let whole = !(cut && matches!(self.control, Control::Grid(_)));
        self.recorder.step(system, self.step.as_mut(), ends, record, whole);
        if system.renew_contacts(&self.state.point(), self.horizon()) {
            self.contacts_changed(system);
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
        statistics.shortened += usize::from(self.passage.cut);
        statistics.most_iterations = statistics.most_iterations.max(step.iterations);
        statistics.largest_step = statistics.largest_step.max(step.h);
        statistics.smallest_step = match statistics.steps {
            1 => step.h,
            _ => statistics.smallest_step.min(step.h),
        };
        statistics.factor_entries = self.step.matrix().fill();
    }

    /// Errors are relative to the largest magnitude a coordinate has had, at least its scale.
    /// [Negrut et al. 2005, eq. 35]
    fn update_weights(&mut self) {
        if !self.weights_grow {
            return;
        }
        for (weight, q) in self.weights.iter_mut().zip(&self.state.q) {
            *weight = weight.max(q.abs());
        }
    }

    /// Forces have jumped: same positions and velocities, new accelerations.
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
        self.step.start(system, &mut self.state)
    }
}

/// What the local error says of a step.
enum Judged {
    /// Small enough: its part of the tolerance.
    Accepted(f64),
    /// Too large; another size is chosen.
    Rejected,
}

/// Somebody has asked a run to stop.
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
