//! Collects a trajectory: states at output times, energies, work and constraint residuals.

use crate::contact_record::ContactState;
use crate::contact_table::ContactTable;
use crate::contact_watch::ContactWatch;
use crate::dense_output::DenseOutput;
use crate::energy_audit::EnergyBook;
use crate::force_audit::{ContactLoads, ForceAudit};
use crate::located::Strike;
use crate::row::RowSolver;
use crate::settings::{Output, ReactionOutput, Settings};
use crate::state::State;
use crate::statistics::StepRecord;
use crate::step::{RowForm, Step};
use crate::system::{Level, System};
use crate::trajectory::Trajectory;
use crate::underlying::Underlying;
use crate::vector::max_abs;
use rotula_linear::Pattern;

/// Steps and rows for which room is made in advance.
const MOST_EXPECTED: usize = 1_000_000;

/// Writes a [`Trajectory`] while a run proceeds.
pub(crate) struct Recorder {
    pub trajectory: Trajectory,
    /// Output times still to come, last first; `None` records every step.
    pub pending: Option<Vec<f64>>,
    /// All output times, last first.
    pub times: Vec<f64>,
    /// The row that is being made.
    pub row: State,
    /// Makes rows consistent; there when first needed.
    pub solver: Option<RowSolver>,
    pub forces: ForceAudit,
    pub contact_rows: ContactRows,
    /// The formulation works with impulses.
    pub impulsive: bool,
    pub between: DenseOutput,
    pub residual: Vec<f64>,
    /// Largest residuals of the constraints in the row that is being made.
    pub residuals: [f64; 3],
    pub contacts: ContactWatch,
    pub energy: EnergyBook,
    /// Solves accelerations and multipliers of given positions and velocities.
    pub underlying: Underlying,
    /// Room for a row whose accelerations and multipliers are solved anew, if asked for.
    pub recomputed: Option<State>,
}

impl Recorder {
    pub fn new(system: &dyn System, settings: &Settings, underlying: Underlying) -> Self {
        let sizes = system.sizes();
        let mut trajectory = Trajectory::new(system);
        let pending = output_times(settings);
        let between = pending.as_ref().is_some_and(|times| times.len() > 1);
        let rows = match (&pending, expected_steps(settings)) {
            (Some(times), _) => times.len() + 2,
            (None, steps) => steps + 2,
        };
        trajectory.times.reserve(rows.min(MOST_EXPECTED));
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
            times: pending.clone().unwrap_or_default(),
            pending,
            row: State::zeros(sizes),
            solver: between.then(|| RowSolver::new(system)),
            forces: ForceAudit::new(system),
            contact_rows: ContactRows::default(),
            impulsive: settings.formulation.has_impacts(),
            between: DenseOutput::new(system),
            residual: vec![0.0; sizes.multipliers()],
            residuals: [0.0; 3],
            contacts: ContactWatch::new(system),
            energy: EnergyBook::new(system),
            recomputed: (settings.reactions == ReactionOutput::Recomputed)
                .then(|| State::zeros(sizes)),
            underlying,
        }
    }

    /// Records the start.
    pub fn begin(&mut self, system: &mut dyn System, method: &mut dyn Step, state: &State) {
        self.energy.begin(system, state, &mut self.trajectory);
        self.contacts.begin(system, state, &mut self.trajectory.audit);
        if let Some(times) = &mut self.pending {
            while times.last().is_some_and(|&t| t <= state.t) {
                times.pop();
            }
        }
        self.row_at(system, method, state);
        if self.impulsive {
            // rows at the ends of steps need it, and the march allocates nothing
            let solver = self.solver.get_or_insert_with(|| RowSolver::new(system));
            solver.prepare(system, &self.row);
        }
    }

    /// Records an accepted step: its outputs, work and counters. One that is not whole is no output by itself.
    pub fn step(
        &mut self,
        system: &mut dyn System,
        method: &mut dyn Step,
        (from, to): (&State, &State),
        step: StepRecord,
        whole: bool,
    ) {
        let Trajectory { audit, contacts, .. } = &mut self.trajectory;
        self.energy.step(system, (from, to), method.work(), &mut self.contacts, audit);
        self.contacts.record_impacts(system, contacts);
        self.trajectory.steps.push(step);
        let Some(mut times) = self.pending.take() else {
            match whole {
                true => {
                    self.energy.at_end();
                    self.row_at(system, method, to);
                }
                false => self.contacts.keep_impulses(),
            }
            return;
        };
        while let Some(&t) = times.last().filter(|&&t| t <= to.t) {
            times.pop();
            if t == to.t {
                self.energy.at_end();
                self.row_at(system, method, to);
            } else {
                self.row_between(system, method, (from, to), t);
            }
        }
        self.pending = Some(times);
    }

    /// Records an impact at an instant: velocities of the state have jumped. `hits` says of which of its partners.
    pub fn strike(
        &mut self,
        system: &mut dyn System,
        state: &State,
        strike: &Strike,
        bilateral: &[f64],
        hits: impl Fn(usize) -> bool,
    ) {
        let Trajectory { audit, contacts, .. } = &mut self.trajectory;
        self.energy.strike(system, state, strike, bilateral, audit);
        self.contacts.strike(system, state.t, strike, hits, (audit, contacts));
    }

    /// Records where a run ends before its time, unless that is recorded already.
    pub fn end_early(&mut self, system: &mut dyn System, method: &mut dyn Step, state: &State) {
        if self.trajectory.times.last().is_some_and(|&t| t < state.t) {
            self.energy.at_end();
            self.contacts.catch_up(system, &state.point());
            self.row_at(system, method, state);
        }
    }

    /// Records the start, or the end of a step.
    fn row_at(&mut self, system: &mut dyn System, method: &mut dyn Step, to: &State) {
        // Residuals of the constraints are those of the formulation's own accelerations.
        self.residuals = residuals_at(system, to, &mut self.residual);
        self.row.copy_from(to);
        let form = method.complete_row(&mut self.row);
        self.contact_rows.evaluate(system, &self.row, &self.contacts.state);
        if form == RowForm::Averaged {
            self.complete(system, method);
        }
        self.record(system, false);
    }

    /// Finds what belongs to the forces of a row whose multipliers are means over its step.
    fn complete(&mut self, system: &mut dyn System, method: &mut dyn Step) {
        let pushed = self.contact_rows.loads().is_some();
        // Where nothing has hit, reactions are those of the instant, with positions and velocities as they are.
        if self.impulsive && !pushed && self.solve_row(system, method, (0.0, 0.0)) {
            return;
        }
        let solver = self.solver.get_or_insert_with(|| RowSolver::new(system));
        let found = solver.accelerate(system, self.contact_rows.loads().as_ref(), &mut self.row);
        if !found && !pushed {
            self.solve_row(system, method, method.factors());
        }
    }

    /// Makes the row at hand that of a time within a step; gives the work since its start if the method knows it.
    pub fn make_row_between(
        &mut self,
        system: &mut dyn System,
        method: &mut dyn Step,
        (from, to): (&State, &State),
        t: f64,
    ) -> Option<f64> {
        let work = method.between(system, t, &mut self.row);
        if work.is_some() {
            return work;
        }
        self.between.interpolate_with(system, (from, to), method.past(), t, &mut self.row);
        if self.impulsive {
            self.contact_rows.evaluate(system, &self.row, &self.contacts.state);
        }
        match self.contact_rows.loads() {
            // Impulses act over the step, whatever the time.
            Some(loads) => {
                let solver = self.solver.get_or_insert_with(|| RowSolver::new(system));
                self.row.multipliers.copy_from_slice(&to.multipliers);
                method.complete_row(&mut self.row);
                solver.accelerate(system, Some(&loads), &mut self.row);
            }
            None => {
                self.solve_row(system, method, method.factors());
            }
        }
        None
    }

    /// Records a time within a step.
    fn row_between(
        &mut self,
        system: &mut dyn System,
        method: &mut dyn Step,
        (from, to): (&State, &State),
        t: f64,
    ) {
        let work = self.make_row_between(system, method, (from, to), t);
        self.residuals = residuals_at(system, &self.row, &mut self.residual);
        self.energy.within(system, (from, to), &self.row, work, &self.contacts.state);
        self.record(system, true);
    }

    /// Makes the row at hand meet all equations at its time; false if it stays as it was.
    fn solve_row(
        &mut self,
        system: &mut dyn System,
        method: &dyn Step,
        factors: (f64, f64),
    ) -> bool {
        let solver = self.solver.get_or_insert_with(|| RowSolver::new(system));
        // most matrices of steps have the same pattern
        solver.follow(method.matrix());
        solver.solve(system, factors, &mut self.forces.loads, &mut self.row)
    }

    /// Takes over gaps and impulses of the step to be recorded.
    pub fn see_contacts(&mut self, state: &ContactState) {
        self.contacts.see(state);
    }

    /// The list of contacts has changed.
    pub fn contacts_changed(&mut self, system: &dyn System) {
        let Trajectory { times, sizes, contacts, .. } = &mut self.trajectory;
        contacts.appear(times.len(), sizes.multipliers());
        self.contacts.renew(system);
    }

    /// Records the row at hand, at the end of the last step or within it.
    fn record(&mut self, system: &mut dyn System, within: bool) {
        let mut row = std::mem::replace(&mut self.row, State::empty());
        if let Some(scratch) = &mut self.recomputed {
            scratch.copy_from(&row);
            // Where they are not determined, those of the formulation are the best there are.
            if self.underlying.solve(system, scratch).is_ok() {
                std::mem::swap(&mut row, scratch);
            }
        }
        self.record_row(system, &row, within);
        self.row = row;
    }

    fn record_row(&mut self, system: &mut dyn System, state: &State, within: bool) {
        self.forces.see(system, state, self.contact_rows.loads());
        let residuals = self.residuals;
        // Impulses and their mean forces know nothing of the acceleration level.
        if !self.impulsive {
            self.forces.see_accelerations(system, &mut self.underlying, state, residuals[2]);
        }
        let energy = self.energy.row(system, state, &mut self.trajectory.audit);
        self.trajectory.push(state, energy, residuals);
        self.contacts.record(system, &state.point(), within, &mut self.trajectory.contacts);
        self.trajectory.audit.see(residuals);
    }
}

/// Gradient and forces of the contacts of a row.
#[derive(Default)]
pub(crate) struct ContactRows {
    pattern: Option<Pattern>,
    gradient: Vec<f64>,
    forces: Vec<f64>,
}

impl ContactRows {
    fn evaluate(&mut self, system: &mut dyn System, row: &State, step: &ContactState) {
        self.forces.clear();
        if step.h == 0.0 || step.impulses.iter().all(|&impulse| impulse == 0.0) {
            return;
        }
        self.forces.extend(step.impulses.iter().map(|impulse| impulse / step.h));
        let pattern = system.contact_row_pattern();
        self.gradient.resize(pattern.entries(), 0.0);
        system.contact_gradient(&row.point(), &mut self.gradient);
        self.pattern = Some(pattern);
    }

    /// What contacts do, if some push.
    fn loads(&self) -> Option<ContactLoads<'_>> {
        let pattern = self.pattern.as_ref().filter(|_| !self.forces.is_empty())?;
        Some(ContactLoads { pattern, gradient: &self.gradient, forces: &self.forces })
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
    (count as usize).min(MOST_EXPECTED) + 16
}
