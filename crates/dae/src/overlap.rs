//! Starts in which rigid bodies overlap: refused, or moved apart if that was asked for.

use crate::delassus::Delassus;
use crate::diagnosis::{Diagnosis, Failure, Sentence, Subject, readable};
use crate::formulation::turns::Turns;
use crate::located::{Sight, lengths, sights};
use crate::saddle::Saddle;
use crate::settings::{InitialPolicy, Settings, StepControl};
use crate::state::State;
use crate::stop::Stop;
use crate::system::{Component, System};

/// Overlaps below this part of lengths are rounding of the input.
const NEGLIGIBLE: f64 = 1e-7;
/// The same as a part of the tolerance.
const PART: f64 = 0.1;
/// Contacts that are named.
const MOST_NAMED: usize = 8;
const MOST_ITERATIONS: usize = 50;
/// Sweeps end when they change the moves by less than this part.
const STILL: f64 = 1e-12;

/// Refuses a start in which bodies overlap, or moves them apart; what was done then, in words.
pub(crate) fn part(
    system: &mut dyn System,
    state: &mut State,
    settings: &Settings,
    horizon: f64,
) -> Result<Option<String>, Diagnosis> {
    if !settings.formulation.has_impacts() || settings.initial == InitialPolicy::Trust {
        return Ok(None);
    }
    system.renew_contacts(&state.point(), horizon);
    if system.contacts().is_empty() {
        return Ok(None);
    }
    let allowed = match &settings.control {
        StepControl::Tolerance(control) => (PART * control.tolerance).max(NEGLIGIBLE),
        StepControl::Fixed { .. } | StepControl::Repeated { .. } => NEGLIGIBLE,
    };
    let found = overlaps(system, state, allowed);
    if found.is_empty() {
        return Ok(None);
    }
    if settings.initial != InitialPolicy::Project {
        return Err(refusal(system, state, &found));
    }
    let mut rest = found.clone();
    for _ in 0..MOST_ITERATIONS {
        move_apart(system, state);
        system.renew_contacts(&state.point(), horizon);
        rest = overlaps(system, state, allowed);
        if rest.is_empty() {
            let (contact, depth) = &found[0];
            let more = match found.len() {
                1 => String::new(),
                count => format!(" and {} more", count - 1),
            };
            return Ok(Some(format!(
                "bodies of the start overlapped and were moved apart: contact `{contact}` by {depth:.3e}{more}"
            )));
        }
    }
    Err(refusal(system, state, &rest))
}

/// Names and depths of the contacts that overlap by more than a part of lengths, the deepest first.
fn overlaps(system: &mut dyn System, state: &State, allowed: f64) -> Vec<(Subject, f64)> {
    let weights: Vec<f64> = (0..state.v.len()).map(|i| system.scale(i)).collect();
    let lengths = lengths(system, &state.point(), &weights);
    let mut seen: Vec<Sight> = Vec::new();
    sights(system, &state.point(), &mut Vec::new(), &mut seen);
    let deep = |&i: &usize| seen[i].gap < -allowed * lengths[i];
    let mut found: Vec<usize> = (0..seen.len()).filter(deep).collect();
    found.sort_by(|&a, &b| seen[a].gap.total_cmp(&seen[b].gap));
    let named = |i: usize| (system.subject(Component::Contact(i)), -seen[i].gap);
    found.into_iter().map(named).collect()
}

/// The least motion, in the metric of the mass, after which no gap is negative, to first order.
fn move_apart(system: &mut dyn System, state: &mut State) {
    let mut seen: Vec<Sight> = Vec::new();
    sights(system, &state.point(), &mut Vec::new(), &mut seen);
    let first = crate::contact::first_rows(system.contacts());
    let closed: Vec<usize> = (0..seen.len()).filter(|&i| seen[i].gap <= 0.0).collect();
    let rows: Vec<usize> = closed.iter().map(|&i| first[i]).collect();
    let mut saddle = Saddle::new(system.sizes(), &system.patterns());
    let Ok(delassus) = Delassus::new(system, &state.point(), &mut saddle, &rows) else { return };
    let gaps: Vec<f64> = closed.iter().map(|&i| seen[i].gap).collect();
    let acting: Vec<usize> = (0..rows.len()).collect();
    let laws: Vec<_> = closed.iter().map(|&i| system.contacts()[i]).collect();
    let mut moves = vec![0.0; rows.len()];
    let turns = Turns {
        laws: &laws,
        first: &acting,
        acting: &acting,
        compliance: &delassus.matrix,
        free: &gaps,
        friction: false,
        rows: rows.len(),
        least: None,
        still: STILL,
        stop: &Stop::default(),
    };
    turns.take(&mut moves);
    let mut increment = vec![0.0; state.v.len()];
    for (amount, response) in moves.iter().zip(&delassus.responses) {
        increment.iter_mut().zip(response).for_each(|(d, r)| *d += amount * r);
    }
    let q = state.q.clone();
    system.retract(&q, &increment, &mut state.q);
}

fn refusal(system: &dyn System, state: &State, found: &[(Subject, f64)]) -> Diagnosis {
    let (deepest, depth) = &found[0];
    let bodies = (0..system.contacts().len())
        .find(|&i| system.subject(Component::Contact(i)) == *deepest)
        .and_then(|i| system.contact_bodies(i));
    let between = bodies
        .map_or_else(String::new, |([first, second], _)| format!(" of `{first}` and `{second}`"));
    let sentence = |(contact, depth): &(Subject, f64)| {
        let text = format!("contact `{contact}` overlaps by {depth:.6e}");
        Sentence::about(text, [contact.clone()])
    };
    let mut evidence: Vec<Sentence> = found.iter().skip(1).take(MOST_NAMED).map(sentence).collect();
    if found.len() > MOST_NAMED + 1 {
        evidence.push(format!("and {} more", found.len() - MOST_NAMED - 1).into());
    }
    let message = format!(
        "the start is not possible: contact `{deepest}`{between} overlaps by {depth:.6e} (at t = {})",
        readable(state.t)
    );
    let message = Sentence::about(message, [deepest.clone()]);
    Diagnosis::new(Failure::InconsistentStart, state.t, message).because(evidence).remedied_by(
        vec![
            format!("move the bodies apart by {depth:.3e} or more"),
            "or set `initial = \"project\"` under [solve] to have them moved apart".into(),
        ],
    )
}
