//! Redundant constraints: systems whose constraints repeat each other are integrated without the
//! repetitions, and their multipliers are completed afterwards.
//!
//! An overconstrained mechanism moves as if the surplus constraints were not there, but its
//! reactions are not determined. So the dependent rows are left out while marching, which every
//! formulation can do, and the recorded multipliers are the least ones that give the same reactions.
//! What is left out is watched: when it no longer holds by itself, the run goes back to an assembled
//! position, chooses anew and goes on (a start in a singular position, where fewer rows are
//! independent than elsewhere), or ends with the names of constraints that contradict each other.

mod independent;
mod least;
mod legs;

use crate::checkpoint::Keeper;
use crate::consistency::redundant_constraints;
use crate::contradiction::refuse_contradictions;
use crate::diagnosis::{Diagnosis, Failure, readable};
use crate::march::{Outcome, run};
use crate::observer::Observer;
use crate::recorder::{output_times, residuals_at};
use crate::settings::{InitialPolicy, Output, Settings};
use crate::state::State;
use crate::statistics::{Audit, StepRecord};
use crate::stop::Stop;
use crate::system::{Component, System};
use crate::trajectory::{Table, Trajectory};
use independent::Independent;
use least::Least;
use legs::{LegKeeper, Legs};
use std::cell::Cell;
use std::rc::Rc;

/// More changes of the rows left out than this are a sign of something else.
const MOST_CHANGES: usize = 1000;

/// The constraint rows that depend on others at a state, or `None` if there are none.
fn kept_rows(system: &mut dyn System, state: &State) -> Option<Vec<usize>> {
    let report = Least::new(system).dependent(system, state);
    if report.dependent.is_empty() {
        return None;
    }
    let rows = 0..system.sizes().multipliers();
    Some(rows.filter(|row| report.dependent.iter().all(|d| d.row != *row)).collect())
}

/// Integrates a system some of whose constraints may be redundant.
pub(crate) fn simulate(
    system: &mut dyn System,
    initial: &State,
    settings: &Settings,
    observer: &mut dyn Observer,
    keeper: &mut dyn Keeper,
) -> Result<Outcome, Diagnosis> {
    let Some(kept) = kept_rows(system, initial) else {
        return run(system, initial, settings, observer, keeper);
    };
    if settings.initial != InitialPolicy::Trust {
        let start = State { t: settings.start, ..initial.clone() };
        refuse_contradictions(system, &start)?;
    }
    let named = named(system, initial, &kept);
    let mut segment = settings.clone();
    // The grid of output times stays that of the whole run.
    if let (Output::Every(_), Some(times)) = (&settings.output, output_times(settings)) {
        segment.output = Output::At(times);
    }
    let rows = system.sizes().multipliers();
    let first = Legs { kept, state: initial.clone(), behind: None };
    let (mut legs, mut resumed) = Legs::resume(first, settings, keeper)?;
    for _ in 0..MOST_CHANGES {
        if legs.behind.is_some() {
            segment.start = legs.state.t;
            segment.initial = InitialPolicy::Project;
        }
        let watch = Watch::default();
        let mut own = LegKeeper::new(keeper, &legs, resumed.take(), watch.clone());
        let (outcome, violated) =
            leg(system, &legs.state, (&segment, &legs.kept), watch, observer, &mut own)?;
        let mut outcome = match legs.behind.take() {
            None => outcome,
            Some(mut earlier) => {
                earlier.trajectory.append(outcome.trajectory);
                let legs::Behind { trajectory, initial, mut warnings } = earlier;
                warnings.extend(outcome.warnings);
                warnings.dedup();
                Outcome {
                    trajectory,
                    initial,
                    warnings,
                    state: outcome.state,
                    failure: outcome.failure,
                }
            }
        };
        let stuck = outcome.failure.as_ref().is_some_and(|d| d.failure.may_be_singular());
        if violated.is_none() && !stuck {
            outcome.warnings.push(warning(&named));
            return Ok(outcome);
        }
        // The rows that were independent at the start may hardly be so here: choose anew, if that is
        // another choice and the last one led anywhere.
        let now = kept_rows(system, &outcome.state).unwrap_or_else(|| (0..rows).collect());
        if now == legs.kept || outcome.state.t <= segment.start {
            if let Some((row, size)) = violated {
                let name = system.name(Component::Constraint(row));
                outcome.failure = Some(contradiction(outcome.state.t, &name, size, named));
            }
            return Ok(outcome);
        }
        legs = Legs { kept: now, state: outcome.state.clone(), behind: Some(outcome.into()) };
    }
    Err(Diagnosis {
        failure: Failure::RedundantConstraints,
        t: legs.state.t,
        message: "which constraints depend on each other changes all the time".into(),
        evidence: named,
        remedies: vec!["remove redundant constraints by hand".into()],
    })
}

/// The constraints that are left out, each in a sentence.
fn named(system: &mut dyn System, state: &State, kept: &[usize]) -> Vec<String> {
    let sentences = redundant_constraints(system, state);
    if !sentences.is_empty() {
        return sentences;
    }
    // too many to say what each depends on, or hardly dependent
    let out = (0..system.sizes().multipliers()).filter(|row| kept.binary_search(row).is_err());
    out.map(|row| format!("constraint `{}`", system.name(Component::Constraint(row)))).collect()
}

fn contradiction(t: f64, name: &str, size: f64, named: Vec<String>) -> Diagnosis {
    Diagnosis {
        failure: Failure::ContradictoryConstraints,
        t,
        message: format!(
            "at t = {} constraint `{name}` contradicts the others: it depends on them and misses \
             by {size:.3e}",
            readable(t)
        ),
        evidence: named,
        remedies: vec![
            format!("look for a drive or a length that `{name}` cannot follow"),
            "remove one of the named constraints".into(),
        ],
    }
}

fn warning(named: &[String]) -> String {
    format!(
        "{} of the constraints repeat{} others: {}; the motion is exact, their reactions are the \
         least ones in the sense of squares",
        named.len(),
        if named.len() == 1 { "s" } else { "" },
        named.join("; ")
    )
}

/// Watches the rows left out: the worst of them at the last accepted state.
type Watch = Rc<Cell<Option<(usize, f64)>>>;

/// Passes accepted states on, with multipliers of all rows, and stops when a row left out is violated.
struct Guard<'a> {
    watch: Watch,
    kept: &'a [usize],
    observer: &'a mut dyn Observer,
    complete: State,
    stopped: bool,
}

impl Observer for Guard<'_> {
    fn goes_on(&mut self) -> bool {
        self.observer.goes_on()
    }

    fn stop(&self) -> Stop {
        self.observer.stop()
    }

    fn accepted(&mut self, state: &State, step: &StepRecord) -> bool {
        self.stopped = self.watch.get().is_some();
        let mut multipliers = std::mem::take(&mut self.complete.multipliers);
        spread(self.kept, &state.multipliers, &mut multipliers);
        self.complete = State { multipliers, ..state.clone() };
        self.observer.accepted(&self.complete, step) && !self.stopped
    }
}

/// Multipliers of all rows, zero for those left out.
fn spread(kept: &[usize], multipliers: &[f64], all: &mut [f64]) {
    all.fill(0.0);
    kept.iter().zip(multipliers).for_each(|(&row, value)| all[row] = *value);
}

/// Marches with the kept rows until the end, or until a row left out is violated; says which.
fn leg(
    system: &mut dyn System,
    state: &State,
    (settings, kept): (&Settings, &[usize]),
    watch: Watch,
    observer: &mut dyn Observer,
    keeper: &mut dyn Keeper,
) -> Result<(Outcome, Option<(usize, f64)>), Diagnosis> {
    let mut complete = state.clone();
    let mut start = state.clone();
    start.multipliers = kept.iter().map(|&row| state.multipliers[row]).collect();
    let mut reduced = Independent::new(system, kept.to_vec(), watch.clone());
    let mut guard = Guard { watch, kept, observer, complete: complete.clone(), stopped: false };
    let mut outcome = run(&mut reduced, &start, settings, &mut guard, keeper)?;
    let (stopped, violated) = (guard.stopped, guard.watch.get());
    spread(kept, &outcome.state.multipliers, &mut complete.multipliers);
    outcome.state.multipliers = complete.multipliers;
    outcome.trajectory = whole_trajectory(system, outcome.trajectory, kept);
    if stopped {
        outcome.failure = None;
    }
    Ok((outcome, violated.filter(|_| stopped)))
}

/// Reactions with impacts of all rows, zero for those left out.
fn spread_reactions(reactions: &mut Table, kept: &[usize], multipliers: usize) {
    if reactions.width() != kept.len() || kept.is_empty() {
        return;
    }
    let mut all = Table::new(multipliers);
    let mut row = vec![0.0; multipliers];
    for part in reactions.values().chunks(kept.len()) {
        spread(kept, part, &mut row);
        all.push(&row);
    }
    *reactions = all;
}

/// A trajectory with least multipliers of all rows, and residuals of all constraints.
fn whole_trajectory(system: &mut dyn System, part: Trajectory, kept: &[usize]) -> Trajectory {
    let mut whole = Trajectory::new(system);
    whole.energy = Table::new(part.energy.width());
    let mut least = Least::new(system);
    let mut state = State::zeros(system.sizes());
    for i in 0..part.len() {
        state.t = part.times[i];
        state.q.copy_from_slice(part.q.row(i));
        state.v.copy_from_slice(part.v.row(i));
        state.vdot.copy_from_slice(part.vdot.row(i));
        state.x.copy_from_slice(part.x.row(i));
        state.xdot.copy_from_slice(part.xdot.row(i));
        state.y.copy_from_slice(part.y.row(i));
        let mut multipliers = vec![0.0; state.multipliers.len()];
        spread(kept, part.multipliers.row(i), &mut multipliers);
        least.lessen(system, &state, &mut multipliers);
        state.multipliers = multipliers;
        let mut energy = [f64::NAN; 3];
        energy.iter_mut().zip(part.energy.row(i)).for_each(|(to, from)| *to = *from);
        let mut residual = vec![0.0; state.multipliers.len()];
        let residuals = residuals_at(system, &state, &mut residual);
        whole.push(&state, energy, residuals);
        whole.audit.see(residuals);
    }
    whole.audit = Audit {
        position_residual: whole.audit.position_residual,
        velocity_residual: whole.audit.velocity_residual,
        acceleration_residual: whole.audit.acceleration_residual,
        ..part.audit
    };
    whole.balance = part.balance;
    whole.contacts = part.contacts;
    spread_reactions(&mut whole.contacts.smooth_reactions, kept, whole.sizes.multipliers());
    whole.steps = part.steps;
    whole.statistics = part.statistics;
    whole
}
