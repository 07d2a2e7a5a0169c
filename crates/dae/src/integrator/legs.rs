//! Legs of a run whose redundant constraints are left out: other rows in each.

use super::Integrator;
use crate::consistency::InitialReport;
use crate::diagnosis::{Diagnosis, Failure, Sentence};
use crate::formulation;
use crate::march::March;
use crate::recorder::output_times;
use crate::redundancy::{
    Behind, Legs, Marched, contradiction, independent_rows, spread, whole_trajectory,
};
use crate::settings::{InitialPolicy, Output, Settings};
use crate::state::State;
use crate::system::Component;
use crate::trajectory::Trajectory;

/// More changes of the rows left out than this are a sign of something else.
const MOST_CHANGES: usize = 1000;

/// What is known about constraints that follow from others.
pub(super) struct Redundant {
    pub legs: Legs,
    /// Those left out at first, each in a sentence.
    pub named: Vec<Sentence>,
    /// The present state with multipliers of all rows.
    pub complete: State,
}

impl Integrator<'_> {
    pub(super) fn complete_state(&mut self) {
        if let Some(Redundant { legs, complete, .. }) = &mut self.redundant {
            let mut multipliers = std::mem::take(&mut complete.multipliers);
            spread(&legs.kept, &self.march.state.multipliers, &mut multipliers);
            *complete = State { multipliers, ..self.march.state.clone() };
        }
        match &mut self.lifted {
            Some(lifted) if !lifted.eager => lifted.is_present = false,
            _ => self.lift_state(),
        }
    }

    /// Begins another leg with the rows that are independent here. False if they are the same ones, or the last
    /// choice led nowhere.
    pub(super) fn choose_rows_anew(&mut self) -> Result<bool, Diagnosis> {
        let (Some(redundant), Marched::Reduced(reduced)) = (&mut self.redundant, &mut self.system)
        else {
            return Ok(false);
        };
        let state = redundant.complete.clone();
        let rows = reduced.whole().sizes().multipliers();
        let now = independent_rows(reduced.whole(), &state).unwrap_or_else(|| (0..rows).collect());
        if now == redundant.legs.kept || state.t <= self.march.settings.start {
            return Ok(false);
        }
        let changes = redundant.legs.changes + 1;
        if changes > MOST_CHANGES {
            return Err(Diagnosis::new(
                Failure::RedundantConstraints,
                state.t,
                "which constraints depend on each other changes all the time",
            )
            .because(redundant.named.clone())
            .remedied_by(vec!["remove redundant constraints by hand".into()]));
        }
        let behind = Some(self.end_leg());
        let (Some(redundant), Marched::Reduced(reduced)) = (&mut self.redundant, &mut self.system)
        else {
            unreachable!("both are there");
        };
        reduced.keep(now.clone());
        redundant.legs = Legs { kept: now, state, behind, changes };
        let stop = self.march.step.stop().clone();
        let watch = std::mem::take(&mut self.march.watch);
        (self.march, _) = begin_leg(&mut self.system, &redundant.legs, &self.settings)?;
        *self.march.step.stop() = stop;
        self.march.watch = watch;
        self.march.record_start(&mut *self.system);
        self.complete_state();
        Ok(true)
    }

    /// What the present leg and those before it have left.
    fn end_leg(&mut self) -> Behind {
        let March { recorder, step, state, .. } = &mut self.march;
        recorder.end_early(&mut *self.system, step.as_mut(), state);
        let warnings = formulation::warnings(&*self.system, &self.settings);
        let trajectory = self.trajectory_of_leg();
        let kept = match &mut self.redundant {
            Some(redundant) => redundant.legs.behind.take(),
            None => None,
        };
        match kept {
            None => Behind { trajectory, initial: self.initial.clone(), warnings },
            Some(mut behind) => {
                behind.trajectory.append(trajectory);
                behind.warnings.extend(warnings);
                behind.warnings.dedup();
                behind
            }
        }
    }

    /// The record of the present leg, with all constraints.
    pub(super) fn trajectory_of_leg(&mut self) -> Trajectory {
        let balance = self.march.recorder.forces.conclude(&*self.system);
        let empty = Trajectory::new(&*self.system);
        let mut trajectory = std::mem::replace(&mut self.march.recorder.trajectory, empty);
        trajectory.statistics = self.march.statistics;
        trajectory.balance = balance;
        match (&mut self.system, &self.redundant) {
            (Marched::Reduced(reduced), Some(redundant)) => {
                whole_trajectory(reduced.whole(), trajectory, &redundant.legs.kept)
            }
            _ => trajectory,
        }
    }

    pub(super) fn contradiction(&mut self, row: usize, size: f64) -> Diagnosis {
        let constraint = self.system.whole().subject(Component::Constraint(row));
        let named = self.redundant.as_ref().map(|redundant| redundant.named.clone());
        contradiction(self.march.state.t, constraint, size, named.unwrap_or_default())
    }
}

/// Begins to march with the rows of a leg.
pub(super) fn begin_leg(
    system: &mut Marched,
    legs: &Legs,
    settings: &Settings,
) -> Result<(March, InitialReport), Diagnosis> {
    let mut own = settings.clone();
    // The grid of output times stays that of the whole run.
    if let (Output::Every(_), Some(times)) = (&settings.output, output_times(settings)) {
        own.output = Output::At(times);
    }
    if legs.behind.is_some() {
        own.start = legs.state.t;
        own.initial = InitialPolicy::Project;
    }
    let multipliers = legs.kept.iter().map(|&row| legs.state.multipliers[row]).collect();
    let start = State { multipliers, ..legs.state.clone() };
    March::new(&mut **system, &start, own)
}
