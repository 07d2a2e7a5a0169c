//! Collects a trajectory: states at output times, energies, work and constraint residuals.

use crate::contact_record::{ContactState, ContactWatch, Impact};
use crate::dense_output::interpolate;
use crate::force_audit::{ContactLoads, ForceAudit};
use crate::formulation::{RowForm, Scheme};
use crate::row::RowSolver;
use crate::settings::{Formulation, Output, ReactionOutput, Settings};
use crate::state::State;
use crate::statistics::StepRecord;
use crate::system::{Level, Point, System};
use crate::trajectory::Trajectory;
use crate::underlying::Underlying;
use crate::vector::max_abs;
use rotula_linear::Pattern;

/// Writes a [`Trajectory`] while a run proceeds.
pub(crate) struct Recorder {
    pub trajectory: Trajectory,
    /// Output times still to come, last first; `None` records every step.
    pub pending: Option<Vec<f64>>,
    /// The row that is being made.
    pub row: State,
    /// Makes rows consistent; there when first needed.
    pub solver: Option<RowSolver>,
    pub forces: ForceAudit,
    pub contact_rows: ContactRows,
    /// The formulation works with impulses.
    pub impulsive: bool,
    pub local: Vec<f64>,
    pub residual: Vec<f64>,
    pub contacts: ContactWatch,
    pub contact_work: f64,
    /// Mechanical energy after the last step.
    pub energy: Option<f64>,
    pub work: Option<f64>,
    pub power: Option<f64>,
    /// Solves accelerations and multipliers anew, if asked for.
    pub recomputed: Option<(Underlying, State)>,
}

impl Recorder {
    pub fn new(system: &dyn System, settings: &Settings) -> Self {
        let sizes = system.sizes();
        let mut trajectory = Trajectory::new(system);
        let pending = output_times(settings);
        let between = pending.as_ref().is_some_and(|times| times.len() > 1);
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
        trajectory.steps.reserve(expected_steps(settings) + 2);
        Recorder {
            trajectory,
            pending,
            row: State::zeros(sizes),
            solver: between.then(|| RowSolver::new(system)),
            forces: ForceAudit::new(system),
            contact_rows: ContactRows::default(),
            impulsive: matches!(
                settings.formulation,
                Formulation::Nonsmooth { .. } | Formulation::MoreauJean { .. }
            ),
            local: vec![0.0; sizes.motion],
            residual: vec![0.0; sizes.multipliers()],
            contacts: ContactWatch::new(system),
            contact_work: 0.0,
            energy: None,
            work: None,
            power: None,
            recomputed: (settings.reactions == ReactionOutput::Recomputed)
                .then(|| (Underlying::new(sizes, &system.patterns()), State::zeros(sizes))),
        }
    }

    /// Records the start.
    pub fn begin(&mut self, system: &mut dyn System, scheme: &dyn Scheme, state: &State) {
        self.power = system.power(&state.point());
        let known = system.energy(&state.point());
        self.work = known.map(|_| 0.0);
        let energy = known.map(|e| e.kinetic + e.potential);
        self.trajectory.audit.initial_energy = energy;
        self.energy = energy;
        self.contacts.begin(system, state);
        self.trajectory.audit.energy_defect = energy.map(|_| 0.0);
        if let Some(times) = &mut self.pending {
            while times.last().is_some_and(|&t| t <= state.t) {
                times.pop();
            }
        }
        self.row_at(system, scheme, state);
    }

    /// Records an accepted step: its outputs, work and counters.
    pub fn step(
        &mut self,
        system: &mut dyn System,
        scheme: &dyn Scheme,
        (from, to): (&State, &State),
        step: StepRecord,
    ) {
        let done = self.work_of_step(system, from, to);
        self.work = self.work.zip(done).map(|(work, done)| work + done).or(self.work);
        self.note_impact(system, (from, to), done.unwrap_or(0.0));
        self.trajectory.steps.push(step);
        let Some(mut times) = self.pending.take() else {
            self.row_at(system, scheme, to);
            return;
        };
        while let Some(&t) = times.last().filter(|&&t| t <= to.t) {
            times.pop();
            if t == to.t {
                self.row_at(system, scheme, to);
            } else {
                self.row_between(system, scheme, (from, to), t);
            }
        }
        self.pending = Some(times);
    }

    /// Records the start, or the end of a step.
    fn row_at(&mut self, system: &mut dyn System, scheme: &dyn Scheme, to: &State) {
        self.row.copy_from(to);
        let form = scheme.complete_row(&mut self.row);
        self.contact_rows.evaluate(system, &self.row, &self.contacts.state);
        if form == RowForm::Averaged {
            let solver = self.solver.get_or_insert_with(|| RowSolver::new(system));
            let found =
                solver.accelerate(system, self.contact_rows.loads().as_ref(), &mut self.row);
            if !found && !self.impulsive {
                self.solve_row(system, scheme);
            }
        }
        self.record(system);
    }

    /// Records a time within a step.
    fn row_between(
        &mut self,
        system: &mut dyn System,
        scheme: &dyn Scheme,
        (from, to): (&State, &State),
        t: f64,
    ) {
        interpolate(system, (from, to), t, &mut self.row, &mut self.local);
        if self.impulsive {
            let solver = self.solver.get_or_insert_with(|| RowSolver::new(system));
            // Impulses act over the step, whatever the time.
            self.row.multipliers.copy_from_slice(&to.multipliers);
            scheme.complete_row(&mut self.row);
            self.contact_rows.evaluate(system, &self.row, &self.contacts.state);
            solver.accelerate(system, self.contact_rows.loads().as_ref(), &mut self.row);
        } else {
            self.solve_row(system, scheme);
        }
        self.record(system);
    }

    /// Makes the row at hand meet all equations at its time.
    fn solve_row(&mut self, system: &mut dyn System, scheme: &dyn Scheme) {
        let factors = (scheme.state_factor(), scheme.position_factor());
        let solver = self.solver.get_or_insert_with(|| RowSolver::new(system));
        solver.solve(system, factors, &mut self.forces.loads, &mut self.row);
    }

    /// Work of loads, dampers and drives in a step, if their power is known: a trapezium of their powers.
    ///
    /// With contacts velocities jump, and the mean of powers `½(f₀ᵀv₀ + f₁ᵀv₁)` is no mean force times a way.
    /// The force that acts is `f̄ = ½(f(v₀) + f(v₁))`, and its way `h b` with `b = ½(v₀ + v₁ − w)`: a jump `w`
    /// takes no way, so that a finite force does no work in it. What is known of forces
    /// is their power `P(v) = f(v)ᵀv`. For loads and dampers, whose forces are linear in the velocity with
    /// a symmetric matrix, `f(a)ᵀb = P(½(a + b)) − P(½(a − b))`; here `a = ½(v₀ + v₁)`, so `a − b = ½w`.
    fn work_of_step(&mut self, system: &mut dyn System, from: &State, to: &State) -> Option<f64> {
        let (before, now) = (self.power?, system.power(&to.point())?);
        self.power = Some(now);
        let h = to.t - from.t;
        let contacts = &self.contacts.state;
        if contacts.impulses.is_empty() {
            return Some(0.5 * h * (before + now));
        }
        let mut sum = 0.0;
        for (sign, part) in [(1.0, 1.0), (-1.0, 0.0)] {
            let jump = contacts.jump.iter().copied().chain(std::iter::repeat(0.0));
            for (i, w) in (0..self.local.len()).zip(jump) {
                self.local[i] = part * 0.5 * (from.v[i] + to.v[i]) - sign * 0.25 * w;
            }
            if sign < 0.0 && contacts.jump.iter().all(|&w| w == 0.0) {
                break;
            }
            for state in [from, to] {
                sum += sign * system.power(&Point { v: &self.local, ..state.point() })?;
            }
        }
        Some(0.5 * h * sum)
    }

    /// Takes over gaps and impulses of the step to be recorded.
    pub fn see_contacts(&mut self, state: Option<&ContactState>) {
        if let Some(state) = state {
            self.contacts.see(state);
        }
    }

    /// The list of contacts has changed.
    pub fn contacts_changed(&mut self) {
        self.trajectory.contacts.changed(self.trajectory.times.len());
    }

    /// Energy that the contacts of a step took: all that is missing beside the work of loads that was done.
    fn note_impact(&mut self, system: &mut dyn System, (from, to): (&State, &State), done: f64) {
        if self.contacts.state.closed.is_empty() {
            return;
        }
        self.contact_work += self.contacts.work(system, from, to);
        self.trajectory.audit.contact_work = Some(self.contact_work);
        let now = system.energy(&to.point()).map(|e| e.kinetic + e.potential);
        if self.contacts.closing > 0 {
            let energy = self.energy.zip(now).map(|(before, now)| before - now + done);
            self.trajectory.contacts.impacts.push(Impact {
                t: to.t,
                contacts: self.contacts.closing,
                impulse: self.contacts.impulse(),
                energy,
            });
            let audit = &mut self.trajectory.audit;
            audit.impacts += 1;
            audit.impact_loss = energy.map(|e| audit.impact_loss.unwrap_or(0.0) + e);
        }
        self.energy = now;
    }

    /// Power may jump where forces do.
    pub fn restart(&mut self, system: &mut dyn System, state: &State) {
        self.power = system.power(&state.point());
    }

    /// Records the row at hand.
    fn record(&mut self, system: &mut dyn System) {
        let mut row = std::mem::replace(&mut self.row, State::empty());
        if let Some((mut underlying, mut scratch)) = self.recomputed.take() {
            scratch.copy_from(&row);
            // Where they are not determined, those of the formulation are the best there are.
            if underlying.solve(system, &mut scratch).is_ok() {
                std::mem::swap(&mut row, &mut scratch);
            }
            self.recomputed = Some((underlying, scratch));
        }
        self.record_row(system, &row);
        self.row = row;
    }

    fn record_row(&mut self, system: &mut dyn System, state: &State) {
        self.forces.see(system, state, self.contact_rows.loads());
        let residuals = residuals_at(system, state, &mut self.residual);
        // Impulses and their mean forces know nothing of the acceleration level.
        if !self.impulsive {
            self.forces.see_accelerations(system, state, residuals[2]);
        }
        let known = system.energy(&state.point());
        let (kinetic, potential) = known.map_or((f64::NAN, f64::NAN), |e| (e.kinetic, e.potential));
        let work = self.work.map_or(f64::NAN, |work| work + self.contact_work);
        self.trajectory.push(state, [kinetic, potential, work], residuals);
        self.contacts.record(system, &state.point(), &mut self.trajectory.contacts);
        let audit = &mut self.trajectory.audit;
        audit.see(residuals);
        audit.work = self.work;
        audit.final_energy = known.map(|e| e.kinetic + e.potential);
        if let (Some(start), Some(now), Some(largest)) =
            (audit.initial_energy, audit.final_energy, audit.energy_defect)
        {
            let work = self.work.unwrap_or(0.0) + self.contact_work;
            let defect = (now - start - work).abs();
            audit.energy_defect = Some(largest.max(defect));
        }
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
    count.clamp(0.0, 1e6) as usize + 16
}
