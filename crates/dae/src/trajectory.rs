//! What a run leaves behind: states at the output times and a record of every step.

use crate::contact_record::ContactHistory;
use crate::force_audit::ForceBalance;
use crate::recorder::residuals_at;
use crate::state::State;
use crate::statistics::{Audit, Statistics, StepRecord};
use crate::system::{Component, Sizes, System};
use serde::{Deserialize, Serialize};

/// Numbers for which a table makes room in advance: 64 MB.
const MOST_RESERVED: usize = 1 << 23;

/// A table of rows of equal width, stored row after row.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Table {
    width: usize,
    values: Vec<f64>,
}

impl Table {
    /// An empty table.
    pub fn new(width: usize) -> Self {
        Table { width, values: Vec::new() }
    }

    /// Numbers in a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Adds a row; it must have the table's width.
    pub fn push(&mut self, row: &[f64]) {
        debug_assert_eq!(row.len(), self.width);
        self.values.extend_from_slice(row);
    }

    /// Row `i`.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.values[i * self.width..(i + 1) * self.width]
    }

    /// Column `j`, top to bottom.
    pub fn column(&self, j: usize) -> impl Iterator<Item = f64> + '_ {
        self.values.iter().skip(j).step_by(self.width.max(1)).copied()
    }

    /// All values, row after row.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The values themselves, to be continued.
    pub(crate) fn list(&mut self) -> &mut Vec<f64> {
        &mut self.values
    }

    /// Makes room for rows to come. What would take more than 64 MB grows as it comes.
    pub fn reserve(&mut self, rows: usize) {
        self.values.reserve(rows.saturating_mul(self.width).min(MOST_RESERVED));
    }
}

/// Names of everything in a trajectory.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Names {
    /// Numbers of the configuration.
    pub configuration: Vec<String>,
    /// Coordinates (velocities, accelerations).
    pub motion: Vec<String>,
    /// Constraints and their multipliers.
    pub constraints: Vec<String>,
    /// First-order states.
    pub states: Vec<String>,
    /// Algebraic variables.
    pub variables: Vec<String>,
}

impl Names {
    /// Asks a system for its names.
    pub fn of(system: &dyn System) -> Self {
        let sizes = system.sizes();
        let list = |n: usize, f: &dyn Fn(usize) -> Component| {
            (0..n).map(|i| system.name(f(i))).collect::<Vec<_>>()
        };
        let motion = list(sizes.motion, &Component::Coordinate);
        let configuration = if sizes.configuration == sizes.motion {
            motion.clone()
        } else {
            (0..sizes.configuration).map(|i| format!("q{}", i + 1)).collect()
        };
        Names {
            configuration,
            motion,
            constraints: list(sizes.multipliers(), &Component::Constraint),
            states: list(sizes.states, &Component::State),
            variables: list(sizes.variables, &Component::Variable),
        }
    }
}

/// Recorded states of a run, its steps, statistics and audit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trajectory {
    /// Sizes of the system.
    pub sizes: Sizes,
    /// Names of the columns.
    pub names: Names,
    /// Output times.
    pub times: Vec<f64>,
    /// Configurations.
    pub q: Table,
    /// Velocities.
    pub v: Table,
    /// Accelerations.
    pub vdot: Table,
    /// Multipliers.
    pub multipliers: Table,
    /// First-order states.
    pub x: Table,
    /// Their rates.
    pub xdot: Table,
    /// Algebraic variables.
    pub y: Table,
    /// Kinetic energy, potential energy, work of loads, drives and contacts; the work only of a run, and no
    /// columns at all if the system knows no energy.
    pub energy: Table,
    /// Largest constraint residual at position, velocity and acceleration level.
    pub residuals: Table,
    /// Contacts: gaps, impulses and forces.
    pub contacts: ContactHistory,
    /// Every accepted step.
    pub steps: Vec<StepRecord>,
    /// Counters.
    pub statistics: Statistics,
    /// Promises kept.
    pub audit: Audit,
    /// Balance of the forces in the recorded rows.
    pub balance: ForceBalance,
    /// Which coordinates the run was in and why, in a sentence, if there was something to choose.
    pub coordinates: Option<String>,
}

impl Trajectory {
    /// An empty trajectory for a system.
    pub fn new(system: &dyn System) -> Self {
        let sizes = system.sizes();
        Trajectory {
            sizes,
            names: Names::of(system),
            times: Vec::new(),
            q: Table::new(sizes.configuration),
            v: Table::new(sizes.motion),
            vdot: Table::new(sizes.motion),
            multipliers: Table::new(sizes.multipliers()),
            x: Table::new(sizes.states),
            xdot: Table::new(sizes.states),
            y: Table::new(sizes.variables),
            energy: Table::new(3),
            residuals: Table::new(3),
            contacts: ContactHistory::new(system),
            steps: Vec::new(),
            statistics: Statistics::default(),
            audit: Audit::default(),
            balance: ForceBalance::default(),
            coordinates: None,
        }
    }

    /// A trajectory of states that no integrator has computed, with their energies and residuals.
    pub fn of_states(system: &mut dyn System, states: &[State]) -> Self {
        let mut trajectory = Trajectory::new(system);
        // no impulses were computed
        trajectory.contacts = ContactHistory::default();
        let mut residual = vec![0.0; trajectory.sizes.multipliers()];
        for state in states {
            let residuals = residuals_at(system, state, &mut residual);
            let known = system.energy(&state.point());
            if trajectory.is_empty() {
                trajectory.energy = Table::new(if known.is_some() { 2 } else { 0 });
            }
            let [kinetic, potential] = known.map_or([f64::NAN; 2], |e| [e.kinetic, e.potential]);
            trajectory.push(state, [kinetic, potential, f64::NAN], residuals);
            trajectory.audit.see(residuals);
        }
        trajectory
    }

    /// The same record with other states at the same instants, of a system that this one was a part of: energies, contacts
    /// and counters stay, residuals are those of its constraints.
    pub(crate) fn with_states(self, system: &mut dyn System, states: Vec<State>) -> Self {
        let mut whole = Trajectory::new(system);
        whole.energy = Table::new(self.energy.width());
        let mut residual = vec![0.0; whole.sizes.multipliers()];
        for (i, state) in states.iter().enumerate() {
            let mut energy = [f64::NAN; 3];
            energy.iter_mut().zip(self.energy.row(i)).for_each(|(to, from)| *to = *from);
            let residuals = residuals_at(system, state, &mut residual);
            whole.push(state, energy, residuals);
            whole.audit.see(residuals);
        }
        whole.audit = Audit {
            position_residual: whole.audit.position_residual,
            velocity_residual: whole.audit.velocity_residual,
            acceleration_residual: whole.audit.acceleration_residual,
            ..self.audit
        };
        whole.balance = self.balance;
        whole.contacts = self.contacts;
        whole.steps = self.steps;
        whole.statistics = self.statistics;
        whole
    }

    /// Takes over a recorded instant, as far as it is recorded.
    pub(crate) fn read_row(&self, i: usize, state: &mut State) {
        state.t = self.times[i];
        for (to, from) in [
            (&mut state.q, &self.q),
            (&mut state.v, &self.v),
            (&mut state.vdot, &self.vdot),
            (&mut state.multipliers, &self.multipliers),
            (&mut state.x, &self.x),
            (&mut state.xdot, &self.xdot),
            (&mut state.y, &self.y),
        ] {
            to.copy_from_slice(from.row(i));
        }
    }

    /// Number of recorded instants.
    pub fn len(&self) -> usize {
        self.times.len()
    }

    /// True before anything was recorded.
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    /// Records a state with its energies, as far as the table has columns for them, and residuals.
    pub(crate) fn push(&mut self, state: &State, energy: [f64; 3], residuals: [f64; 3]) {
        self.times.push(state.t);
        self.q.push(&state.q);
        self.v.push(&state.v);
        self.vdot.push(&state.vdot);
        self.multipliers.push(&state.multipliers);
        self.x.push(&state.x);
        self.xdot.push(&state.xdot);
        self.y.push(&state.y);
        self.energy.push(&energy[..self.energy.width()]);
        self.residuals.push(&residuals);
    }

    /// Continues with what came after, whose first row repeats the last one here.
    pub(crate) fn append(&mut self, later: Trajectory) {
        let work = self.energy.values().last().copied().unwrap_or(0.0);
        let fresh = usize::from(self.times.last() == later.times.first());
        let before = self.times.len();
        self.times.extend_from_slice(&later.times[fresh..]);
        for (table, other) in [
            (&mut self.q, &later.q),
            (&mut self.v, &later.v),
            (&mut self.vdot, &later.vdot),
            (&mut self.multipliers, &later.multipliers),
            (&mut self.x, &later.x),
            (&mut self.xdot, &later.xdot),
            (&mut self.y, &later.y),
            (&mut self.residuals, &later.residuals),
        ] {
            (fresh..later.times.len()).for_each(|i| table.push(other.row(i)));
        }
        for i in fresh..later.times.len() {
            let mut row = later.energy.row(i).to_vec();
            row.iter_mut().skip(2).for_each(|own| *own += work);
            self.energy.push(&row);
        }
        self.contacts.append(later.contacts, before, fresh);
        self.steps.extend(later.steps);
        self.statistics.append(&later.statistics);
        self.audit.append(&later.audit);
        self.balance.append(later.balance);
    }

    /// The last recorded configuration.
    pub fn last_q(&self) -> &[f64] {
        self.q.row(self.len() - 1)
    }

    /// The last recorded velocity.
    pub fn last_v(&self) -> &[f64] {
        self.v.row(self.len() - 1)
    }

    /// The last recorded multipliers.
    pub fn last_multipliers(&self) -> &[f64] {
        self.multipliers.row(self.len() - 1)
    }
}
