//! Collects a trajectory: states at output times, energies, work and constraint residuals.

use crate::contact_record::ContactState;
use crate::contact_table::ContactTable;
use crate::contact_watch::ContactWatch;
use crate::dense_output::interpolate;
use crate::energy_audit::EnergyBook;
use crate::settings::{Output, ReactionOutput, Settings};
use crate::state::State;
use crate::statistics::StepRecord;
use crate::system::{Level, System};
use crate::trajectory::Trajectory;
use crate::underlying::Underlying;
use crate::vector::max_abs;

/// Writes a [`Trajectory`] while a run proceeds.
pub(crate) struct Recorder {
    pub trajectory: Trajectory,
    /// Output times still to come, last first; `None` records every step.
    pub pending: Option<Vec<f64>>,
    pub between: State,
    pub local: Vec<f64>,
    pub residual: Vec<f64>,
    pub contacts: ContactWatch,
    pub energy: EnergyBook,
    /// Solves accelerations and multipliers anew, if asked for.
    pub recomputed: Option<(Underlying, State)>,
}

impl Recorder {
    pub fn new(system: &dyn System, settings: &Settings) -> Self {
        let sizes = system.sizes();
        let mut trajectory = Trajectory::new(system);
        let pending = output_times(settings);
        let rows = match (&pending, expected_steps(settings)) {
            (Some(times), _) => times.len() + 2,
            (None, steps) => steps + 2,
        };
        trajectory.times.reserve(rows);
        for table in [
            &mut trajectory.q,
            &mut trajectory.v,
            &mut trajectory.vdot,
            &mut trajectory.multipliers,
            &mut trajectory.x,
            &mut trajectory.xdot,
            &mut trajectory.y,
            &mut trajectory.energy,
            &mut trajectory.residuals,
        ] {
            table.reserve(rows);
        }
        trajectory.contacts.reserve(rows);
        trajectory.contacts.touching = ContactTable::new(settings.contact_rows);
        trajectory.steps.reserve(expected_steps(settings) + 2);
        Recorder {
            trajectory,
            pending,
            between: State::zeros(sizes),
            local: vec![0.0; sizes.motion],
            residual: vec![0.0; sizes.multipliers()],
            contacts: ContactWatch::new(system),
            energy: EnergyBook::new(system),
            recomputed: (settings.reactions == ReactionOutput::Recomputed)
                .then(|| (Underlying::new(sizes, &system.patterns()), State::zeros(sizes))),
        }
    }

    /// Records the start.
    pub fn begin(&mut self, system: &mut dyn System, state: &State) {
        self.energy.begin(system, state, &mut self.trajectory);
        self.contacts.begin(system, state, &mut self.trajectory.audit);
        if let Some(times) = &mut self.pending {
            while times.last().is_some_and(|&t| t <= state.t) {
                times.pop();
            }
        }
        self.record(system, state, false);
    }

    /// Records an accepted step: its outputs, work and counters.
    pub fn step(
        &mut self,
        system: &mut dyn System,
        (from, to): (&State, &State),
        step: StepRecord,
    ) {
        let Trajectory { audit, contacts, .. } = &mut self.trajectory;
        self.energy.step(system, (from, to), &mut self.contacts, audit);
        self.contacts.record_impacts(system, contacts);
        self.trajectory.steps.push(step);
        let Some(mut times) = self.pending.take() else {
            self.energy.at_end();
            self.record(system, to, false);
            return;
        };
        while let Some(&t) = times.last().filter(|&&t| t <= to.t) {
            times.pop();
            if t == to.t {
                self.energy.at_end();
                self.record(system, to, false);
            } else {
                let mut between = std::mem::replace(&mut self.between, State::empty());
                interpolate(system, (from, to), t, &mut between, &mut self.local);
                self.energy.within(system, (from, to), &between, &self.contacts.state);
                self.record(system, &between, true);
                self.between = between;
            }
        }
        self.pending = Some(times);
    }

    /// Takes over gaps and impulses of the step to be recorded.
    pub fn see_contacts(&mut self, state: Option<&ContactState>) {
        if let Some(state) = state {
            self.contacts.see(state);
        }
    }

    /// The list of contacts has changed.
    pub fn contacts_changed(&mut self, system: &dyn System) {
        let Trajectory { times, sizes, contacts, .. } = &mut self.trajectory;
        contacts.appear(times.len(), sizes.multipliers());
        self.contacts.renew(system);
    }

    /// Records a state at the end of the last step, or within it.
    fn record(&mut self, system: &mut dyn System, state: &State, within: bool) {
        let Some((mut underlying, mut scratch)) = self.recomputed.take() else {
            self.record_as_is(system, state, within);
            return;
        };
        scratch.copy_from(state);
        // Where they are not determined, those of the formulation are the best there are.
        let solved = underlying.solve(system, &mut scratch).is_ok();
        self.record_as_is(system, if solved { &scratch } else { state }, within);
        self.recomputed = Some((underlying, scratch));
    }

    fn record_as_is(&mut self, system: &mut dyn System, state: &State, within: bool) {
        let residuals = residuals_at(system, state, &mut self.residual);
        let energy = self.energy.row(system, state, &mut self.trajectory.audit);
        self.trajectory.push(state, energy, residuals);
        self.contacts.record(system, &state.point(), within, &mut self.trajectory.contacts);
        self.trajectory.audit.see(residuals);
    }
}

/// Largest constraint residuals at position, velocity and acceleration level.
pub(crate) fn residuals_at(
    system: &mut dyn System,
    state: &State,
    residual: &mut [f64],
) -> [f64; 3] {
    if residual.is_empty() {
        return [0.0; 3];
    }
    let holonomic = system.sizes().holonomic;
    let at = state.point();
    system.constraint(Level::Position, &at, &mut residual[..holonomic]);
    let position = max_abs(&residual[..holonomic]);
    system.constraint(Level::Velocity, &at, residual);
    let velocity = max_abs(residual);
    system.constraint(Level::Acceleration, &at, residual);
    [position, velocity, max_abs(residual)]
}

/// Output times, last first, or `None` for every step.
pub(crate) fn output_times(settings: &Settings) -> Option<Vec<f64>> {
    let (start, until) = (settings.start, settings.until);
    let mut times = match &settings.output {
        Output::EachStep => return None,
        Output::At(times) => times.clone(),
        Output::Every(interval) => {
            let count = ((until - start) / interval + 1e-9).floor() as usize;
            (1..=count).map(|k| start + k as f64 * interval).collect()
        }
    };
    times.retain(|&t| t > start && t < until * (1.0 - 1e-14));
    times.push(until);
    times.sort_by(|a, b| b.total_cmp(a));
    times.dedup();
    Some(times)
}

fn expected_steps(settings: &Settings) -> usize {
    use crate::settings::StepControl;
    let span = settings.until - settings.start;
    let count = match &settings.control {
        StepControl::Fixed { h } => span / h,
        StepControl::Repeated { h, fractions } => span / h * fractions.len() as f64,
        StepControl::Tolerance(_) => 1000.0,
    };
    // A bound keeps an absurd step size from claiming all memory at once.
    count.clamp(0.0, 1e6) as usize + 16
}
