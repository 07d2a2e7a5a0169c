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

pub(crate) use independent::Independent;
pub(crate) use legs::{Behind, Legs};

use crate::consistency::redundant_constraints;
use crate::diagnosis::{Diagnosis, Failure, Sentence, Subject, listed, readable};
use crate::state::State;
use crate::system::{Component, Handle, System};
use crate::trajectory::{Table, Trajectory};
use least::Least;
use std::ops::{Deref, DerefMut};

/// A system as it is marched: whole, or without the constraint rows that depend on others.
pub(crate) enum Marched<'a> {
    Whole(Handle<'a>),
    Reduced(Box<Independent<'a>>),
}

impl<'a> Marched<'a> {
    /// The whole system.
    pub fn whole(&mut self) -> &mut (dyn System + 'a) {
        match self {
            Marched::Whole(system) => &mut **system,
            Marched::Reduced(reduced) => reduced.whole(),
        }
    }
}

impl<'a> Deref for Marched<'a> {
    type Target = dyn System + 'a;

    fn deref(&self) -> &Self::Target {
        match self {
            Marched::Whole(system) => &**system,
            Marched::Reduced(reduced) => &**reduced,
        }
    }
}

impl DerefMut for Marched<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        match self {
            Marched::Whole(system) => &mut **system,
            Marched::Reduced(reduced) => &mut **reduced,
        }
    }
}

/// The constraint rows that do not depend on others at a state, or `None` if none does.
pub(crate) fn independent_rows(system: &mut dyn System, state: &State) -> Option<Vec<usize>> {
    let report = Least::new(system).dependent(system, state);
    if report.dependent.is_empty() {
        return None;
    }
    let rows = 0..system.sizes().multipliers();
    Some(rows.filter(|row| report.dependent.iter().all(|d| d.row != *row)).collect())
}

/// Replaces multipliers by the least ones with the same reactions.
pub(crate) fn lessen(system: &mut dyn System, state: &State, multipliers: &mut [f64]) {
    Least::new(system).lessen(system, state, multipliers);
}

/// The constraints that are left out, each in a sentence.
pub(crate) fn named(system: &mut dyn System, state: &State, kept: &[usize]) -> Vec<Sentence> {
    let sentences = redundant_constraints(system, state);
    if !sentences.is_empty() {
        return sentences;
    }
    // too many to say what each depends on, or hardly dependent
    let out = (0..system.sizes().multipliers()).filter(|row| kept.binary_search(row).is_err());
    let sentence = |row| {
        let constraint = system.subject(Component::Constraint(row));
        Sentence::about(format!("constraint `{constraint}`"), [constraint])
    };
    out.map(sentence).collect()
}

pub(crate) fn contradiction(t: f64, of: Subject, size: f64, named: Vec<Sentence>) -> Diagnosis {
    let message = format!(
        "at t = {} constraint `{of}` contradicts the others: it depends on them and misses by {size:.3e}",
        readable(t)
    );
    let remedies = vec![
        format!("look for a drive or a length that `{of}` cannot follow"),
        "remove one of the named constraints".into(),
    ];
    Diagnosis::new(Failure::ContradictoryConstraints, t, Sentence::about(message, [of]))
        .because(named)
        .remedied_by(remedies)
}

pub(crate) fn warning(named: &[Sentence]) -> String {
    format!(
        "{} of the constraints repeat{} others: {}; the motion is exact, their reactions are the \
         least ones in the sense of squares",
        named.len(),
        if named.len() == 1 { "s" } else { "" },
        listed(named)
    )
}

/// Multipliers of all rows, zero for those left out.
pub(crate) fn spread(kept: &[usize], multipliers: &[f64], all: &mut [f64]) {
    all.fill(0.0);
    kept.iter().zip(multipliers).for_each(|(&row, value)| all[row] = *value);
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
pub(crate) fn whole_trajectory(
    system: &mut dyn System,
    part: Trajectory,
    kept: &[usize],
) -> Trajectory {
    let mut least = Least::new(system);
    let mut own = State::zeros(part.sizes);
    let mut rows = Vec::with_capacity(part.len());
    for i in 0..part.len() {
        part.read_row(i, &mut own);
        let mut multipliers = vec![0.0; system.sizes().multipliers()];
        spread(kept, &own.multipliers, &mut multipliers);
        let state = State { multipliers, ..own.clone() };
        let mut multipliers = state.multipliers.clone();
        least.lessen(system, &state, &mut multipliers);
        rows.push(State { multipliers, ..state });
    }
    let mut whole = part.with_states(system, rows);
    spread_reactions(&mut whole.contacts.smooth_reactions, kept, whole.sizes.multipliers());
    whole
}
