//! A run, step by step.

mod coordinates;
mod legs;
mod snapshots;

use crate::checkpoint::{Keeper, Snapshot};
use crate::consistency::{InitialReport, make_consistent_with};
use crate::contradiction::refuse_contradictions;
use crate::diagnosis::{Diagnosis, Failure, Sentence, Subject};
use crate::doubts::doubts;
use crate::equilibrium_start;
use crate::formulation;
use crate::inertia::refuse_negative;
use crate::march::{March, first_horizon};
use crate::observer::Observer;
use crate::overlap;
use crate::redundancy::{
    Independent, Legs, Marched, independent_rows, lessen, named, spread, warning,
};
use crate::settings::{InitialPolicy, RedundantPolicy, Settings};
use crate::state::State;
use crate::statistics::StepRecord;
use crate::system::{Handle, System};
use crate::trajectory::Trajectory;
pub(crate) use coordinates::reduced;
use coordinates::{Choice, Lifted, lifted_trajectory};
use legs::{Redundant, begin_leg};

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
    let mut integrator = match keeper.resume() {
        Some(kept) => Integrator::resume(system, initial, settings, &kept)?,
        None => Integrator::new(system, initial, settings)?,
    };
    let failure = integrator.run(observer, keeper).err();
    Ok(integrator.conclude(failure))
}

/// A run that goes on when it is told to.
///
/// ```
/// use rotula_dae::{
///     BdfForm, Formulation, Integrator, Point, Settings, Sizes, State, System, Terms, Weights,
/// };
///
/// /// A mass of 1 kg on a spring of 4 N/m.
/// struct Oscillator;
///
/// impl System for Oscillator {
///     fn sizes(&self) -> Sizes {
///         Sizes { configuration: 1, motion: 1, ..Sizes::default() }
///     }
///
///     fn dynamics(&mut self, at: &Point, terms: Terms, out: &mut [f64]) {
///         out[0] = if terms.inertia { at.vdot[0] } else { 0.0 };
///         out[0] += if terms.forces { 4.0 * at.q[0] } else { 0.0 };
///     }
///
///     fn tangent(&mut self, _: &Point, weights: Weights, terms: Terms, values: &mut [f64]) {
///         values[0] = if terms.inertia { weights.mass } else { 0.0 };
///         values[0] += if terms.forces { 4.0 * weights.stiffness } else { 0.0 };
///     }
/// }
///
/// let bdf = Formulation::Bdf { form: BdfForm::Si2, max_order: 5 };
/// let settings = Settings::usual(bdf, [0.0, 10.0], None);
/// let start = State { q: vec![1.0], ..State::zeros(Oscillator.sizes()) };
/// let mut system = Oscillator;
/// let mut integrator = Integrator::new(&mut system, &start, &settings)?;
/// integrator.advance_to(1.0)?;
/// assert!((integrator.state().q[0] - 2.0_f64.cos()).abs() < 1e-6);
/// // an event: the mass is struck
/// let mut struck = integrator.state().clone();
/// struck.v[0] += 0.5;
/// integrator.restart_from(&struck)?;
/// while integrator.state().t < 2.0 {
///     integrator.step()?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Integrator<'a> {
    system: Marched<'a>,
    march: March,
    settings: Settings,
    initial: InitialReport,
    /// What is to be said about the start.
    warnings: Vec<String>,
    /// Of a system with redundant constraints.
    redundant: Option<Redundant>,
    /// Of a run in joint coordinates.
    lifted: Option<Lifted>,
    /// Which coordinates were chosen, in a sentence.
    coordinates: Option<String>,
}

impl<'a> Integrator<'a> {
    /// Prepares a run and records its start. Refuses settings and starts that make no sense.
    pub fn new(
        system: impl Into<Handle<'a>>,
        initial: &State,
        settings: &Settings,
    ) -> Result<Self, Diagnosis> {
        let mut integrator = Self::prepare(system.into(), initial, settings, None)?;
        integrator.march.record_start(&mut *integrator.system);
        Ok(integrator)
    }

    /// Everything but the first row; `legs` are those of a checkpoint.
    fn prepare(
        mut system: Handle<'a>,
        initial: &State,
        settings: &Settings,
        legs: Option<Legs>,
    ) -> Result<Self, Diagnosis> {
        settings.validate().map_err(|error| {
            let what = Sentence::about(error.what, [Subject::Setting(error.key)]);
            Diagnosis::new(Failure::Unsupported, settings.start, what).remedied_by(vec![error.help])
        })?;
        system.begin_events(settings.start);
        let given = State { t: settings.start, ..initial.clone() };
        refuse_negative(&mut *system, &given)?;
        let (mut start, equilibrium) = match settings.initial {
            InitialPolicy::Equilibrium => {
                let (start, equilibrium) = equilibrium_start::find(&mut *system, &given)?;
                (start, Some(equilibrium))
            }
            _ => (given.clone(), None),
        };
        let horizon = first_horizon(settings);
        let parted = overlap::part(&mut *system, &mut start, settings, horizon)?;
        let find_rows = |system: &mut Handle<'a>, start: &State| match settings.redundant {
            RedundantPolicy::Refuse => None,
            RedundantPolicy::Solve => independent_rows(&mut **system, start),
        };
        let mut rows = find_rows(&mut system, &start);
        let Choice { reduction, said } = coordinates::choose(&*system, &start, settings)?;
        let mut own_settings = settings.clone();
        let (mut lifted, mut lowered_report) = (None, None);
        if let Some(reduction) = reduction {
            let repeats = rows.is_some();
            let mut whole = match rows {
                None => Marched::Whole(system),
                Some(kept) => Marched::Reduced(Box::new(Independent::new(system, kept))),
            };
            lowered_report = Some(coordinates::lower(&mut whole, &mut start, settings)?);
            let lowered;
            (system, lowered) = coordinates::begin(reduction, &start);
            let whole = std::mem::replace(&mut start, lowered);
            lifted = Some(Lifted { whole, is_present: true, eager: true, repeats });
            own_settings = coordinates::marching(settings);
            rows = find_rows(&mut system, &start);
        }
        let settings = &own_settings;
        let mut redundant = None;
        if let Some(kept) = rows {
            if settings.initial != InitialPolicy::Trust {
                refuse_contradictions(&mut *system, &start)?;
            }
            let named = named(&mut *system, &start, &kept);
            let first = Legs { kept, state: start.clone(), behind: None, changes: 0 };
            let legs = legs.unwrap_or(first);
            redundant = Some(Redundant { legs, named, complete: start.clone() });
        }
        let mut marched = match &redundant {
            None => Marched::Whole(system),
            Some(Redundant { legs, .. }) => {
                Marched::Reduced(Box::new(Independent::new(system, legs.kept.clone())))
            }
        };
        let (mut march, mut initial) = match &redundant {
            None => March::new(&mut *marched, &start, settings.clone())?,
            Some(Redundant { legs, .. }) => begin_leg(&mut marched, legs, settings)?,
        };
        if let Some(report) = lowered_report {
            initial = report;
        }
        march.start_events(&mut *marched)?;
        let mut warnings: Vec<String> = parted.into_iter().collect();
        if let Some(equilibrium) = equilibrium {
            let demanded = &initial.accelerated;
            warnings = equilibrium_start::doubts(marched.whole(), &given, demanded, &equilibrium);
            initial.equilibrium = Some(equilibrium);
        }
        let mut integrator = Integrator {
            system: marched,
            march,
            settings: own_settings,
            initial,
            warnings,
            redundant,
            lifted,
            coordinates: said,
        };
        integrator.complete_state();
        if integrator.settings.initial != InitialPolicy::Trust {
            integrator.lift_state();
        }
        Ok(integrator)
    }

    /// The present state, with multipliers of all constraints.
    pub fn state(&self) -> &State {
        match &self.lifted {
            Some(lifted) if lifted.is_present => &lifted.whole,
            _ => self.marched_state(),
        }
    }

    /// The same in the coordinates of the march.
    fn marched_state(&self) -> &State {
        match &self.redundant {
            None => &self.march.state,
            Some(redundant) => &redundant.complete,
        }
    }

    /// The present state as the record has it: of redundant constraints with the least multipliers.
    pub fn row(&mut self) -> State {
        let mut state = self.state().clone();
        let mut multipliers = state.multipliers.clone();
        match &self.lifted {
            Some(Lifted { repeats: true, .. }) => {
                lessen(reduced(self.system.whole()).whole(), &state, &mut multipliers);
            }
            None if self.redundant.is_some() => {
                lessen(self.system.whole(), &state, &mut multipliers);
            }
            _ => {}
        }
        state.multipliers = multipliers;
        state
    }

    /// The system. Whoever changes what acts in it, such as an input, calls [`restart`](Self::restart) then.
    pub fn system(&mut self) -> &mut (dyn System + 'a) {
        self.system.whole()
    }

    /// Whether the end that the settings name is reached.
    pub fn is_done(&self) -> bool {
        self.march.state.t >= self.settings.until
    }

    /// Takes the next step of the run; none if it has reached its end.
    pub fn step(&mut self) -> Result<Option<StepRecord>, Diagnosis> {
        match self.is_done() {
            true => Ok(None),
            false => self.step_towards(self.settings.until).map(Some),
        }
    }

    /// Takes a step that leads to time `t` or towards it, also beyond the end that the settings name.
    pub fn step_towards(&mut self, t: f64) -> Result<StepRecord, Diagnosis> {
        self.watched_step(t, &mut ())
    }

    /// Steps until time `t`, and ends there exactly, also beyond the end that the settings name. Returns the number
    /// of steps.
    pub fn advance_to(&mut self, t: f64) -> Result<usize, Diagnosis> {
        let mut steps = 0;
        while self.march.state.t < t {
            self.step_towards(t)?;
            steps += 1;
        }
        Ok(steps)
    }

    /// The state at a time within the last step; none at other times.
    pub fn interpolate(&mut self, t: f64) -> Option<State> {
        let March { recorder, step, state, next: before, .. } = &mut self.march;
        if t == state.t {
            return Some(self.state().clone());
        }
        if !(before.t <= t && t <= state.t) {
            return None;
        }
        recorder.make_row_between(&mut *self.system, step.as_mut(), (before, state), t);
        let row = recorder.row.clone();
        let row = match &self.redundant {
            None => row,
            Some(Redundant { legs, complete, .. }) => {
                let mut multipliers = complete.multipliers.clone();
                spread(&legs.kept, &row.multipliers, &mut multipliers);
                State { multipliers, ..row }
            }
        };
        Some(if self.lifted.is_some() { self.lifted(&row) } else { row })
    }

    /// Forces have jumped, because an input was changed for instance: accelerations and reactions are found anew, and
    /// the method starts afresh.
    pub fn restart(&mut self) -> Result<(), Diagnosis> {
        let state = self.state().clone();
        self.restart_from(&state).map(|_| ())
    }

    /// Goes on from another state at the present time, such as that after an impact. Its positions and velocities are
    /// made consistent as the settings say; the report tells what was changed.
    pub fn restart_from(&mut self, state: &State) -> Result<InitialReport, Diagnosis> {
        let (mut start, policy) = (state.clone(), self.settings.initial);
        start.t = self.march.state.t;
        if self.lifted.is_some() {
            start = reduced(self.system.whole()).begin_at(&start);
        }
        if let Some(Redundant { legs, .. }) = &self.redundant {
            start.multipliers = legs.kept.iter().map(|&row| start.multipliers[row]).collect();
        }
        // what holds a run at rest at first is no reason to do so later
        let policy = match policy {
            InitialPolicy::Equilibrium => InitialPolicy::ProjectVelocities,
            policy => policy,
        };
        let underlying = &mut self.march.recorder.underlying;
        let report = make_consistent_with(&mut *self.system, &mut start, policy, underlying)?;
        // the step before led to another state: nothing lies between the two
        self.march.next = start.clone();
        self.march.state = start;
        self.march.restart(&mut *self.system)?;
        self.march.watch.look_again();
        self.complete_state();
        Ok(report)
    }

    /// Steps to the end, watched.
    fn run(
        &mut self,
        observer: &mut dyn Observer,
        keeper: &mut dyn Keeper,
    ) -> Result<(), Diagnosis> {
        *self.march.step.stop() = observer.stop();
        if let Some(lifted) = &mut self.lifted {
            lifted.eager = observer.looks_at_states();
        }
        while !self.is_done() {
            let record = self.watched_step(self.settings.until, observer)?;
            let goes_on = observer.accepted(self.state(), &record);
            if keeper.due(!goes_on) {
                let rows = self.march.ledger.news(&mut self.march.recorder.trajectory);
                keeper.keep(Snapshot { t: self.march.state.t, state: self.save(), rows });
            }
            if !goes_on {
                return Err(Diagnosis::interrupted(self.march.state.t));
            }
        }
        Ok(())
    }

    /// Takes a step. Where a constraint that was left out no longer holds by itself, or those left are nearly
    /// dependent, others are left out from there on.
    fn watched_step(
        &mut self,
        aim: f64,
        observer: &mut dyn Observer,
    ) -> Result<StepRecord, Diagnosis> {
        loop {
            match self.march.step(&mut *self.system, aim, observer) {
                Ok(record) => {
                    self.complete_state();
                    let Marched::Reduced(reduced) = &mut self.system else { return Ok(record) };
                    if let Some((row, size)) = reduced.violated()
                        && !self.choose_rows_anew()?
                    {
                        return Err(self.contradiction(row, size));
                    }
                    return Ok(record);
                }
                Err(mut diagnosis) => {
                    diagnosis.remedies.extend(self.march.step.advice());
                    let others = diagnosis.failure.may_be_singular() && self.choose_rows_anew()?;
                    if !others {
                        return Err(diagnosis);
                    }
                }
            }
        }
    }

    /// Ends the run, with everything that was recorded; `failure` says why it ended early, if it did.
    pub fn conclude(mut self, failure: Option<Diagnosis>) -> Outcome {
        if failure.is_some() {
            let March { recorder, step, state, .. } = &mut self.march;
            recorder.end_early(&mut *self.system, step.as_mut(), state);
        }
        let mut warnings = formulation::warnings(&*self.system, &self.settings);
        self.lift_state();
        let state = self.state().clone();
        let mut trajectory = self.trajectory_of_leg();
        // what fails is explained by its diagnosis
        if failure.as_ref().is_none_or(|found| found.failure == Failure::Interrupted) {
            warnings.extend(doubts(self.system.whole(), &mut trajectory));
            warnings.extend(self.march.step.advice());
        }
        let Integrator { mut system, redundant, mut initial, warnings: mut all, .. } = self;
        if let Some(Redundant { legs, named, .. }) = redundant {
            if let Some(mut behind) = legs.behind {
                behind.trajectory.append(trajectory);
                trajectory = behind.trajectory;
                initial = behind.initial;
                all.extend(behind.warnings);
            }
            warnings.push(warning(&named));
        }
        if let Some(Lifted { repeats, .. }) = self.lifted {
            trajectory = lifted_trajectory(system.whole(), trajectory, repeats);
        }
        trajectory.coordinates = self.coordinates;
        all.extend(warnings);
        all.dedup();
        Outcome { trajectory, initial, state, failure, warnings: all }
    }
}
