//! Runs that start from rest in equilibrium.
//!
//! The equilibrium near the given start is found before the march begins, so that checkpoints know nothing of
//! it: a run that goes on finds the same one again and then takes the state of its checkpoint.

use crate::analysis::{Equilibrium, Relaxation, Stability, statics};
use crate::consistency::Change;
use crate::diagnosis::{Diagnosis, Failure, Sentence, readable};
use crate::state::State;
use crate::system::{Component, Level, System};
use serde::{Deserialize, Serialize};

/// Velocities below this part of the scales, per second, are none.
const AT_REST: f64 = 1e-9;
/// Contacts that overlap by more than this part of the scales are closed.
const OVERLAP: f64 = 1e-9;

/// The equilibrium in which a run started.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EquilibriumStart {
    /// Whether the system stays there.
    pub stability: Stability,
    /// How it was found.
    pub found_by: String,
    /// How far coordinates moved from where the model put them, in the axes of the world.
    pub moved: Vec<Change>,
    /// Motions along which it departs.
    pub departs_along: Vec<String>,
    /// Motions that nothing holds.
    pub unheld: Vec<String>,
}

impl EquilibriumStart {
    fn new(found: &Equilibrium) -> Self {
        let named = |motions: &[Vec<crate::analysis::Share>]| -> Vec<String> {
            let words = |shares: &Vec<crate::analysis::Share>| {
                let names: Vec<&str> = shares.iter().map(|share| share.name.as_str()).collect();
                names.join(", ")
            };
            motions.iter().map(words).collect()
        };
        EquilibriumStart {
            stability: found.stability,
            found_by: found.path.join(", then "),
            moved: found.moved.clone(),
            departs_along: named(&found.unstable_motions),
            unheld: named(&found.free_motions),
        }
    }
}

/// Finds the equilibrium near `initial`.
pub(crate) fn find(
    system: &mut dyn System,
    initial: &State,
) -> Result<(State, EquilibriumStart), Diagnosis> {
    let found = statics(system, initial, Relaxation::IfNeeded).map_err(refused)?;
    refuse_overlap(system, &found.state)?;
    let start = EquilibriumStart::new(&found);
    Ok((found.state, start))
}

fn refused(mut diagnosis: Diagnosis) -> Diagnosis {
    diagnosis.remedies.push(
        "or leave `initial = \"equilibrium\"` out under `[solve]` and start as the model is given"
            .into(),
    );
    diagnosis
}

/// Contacts that only hold by impulses push nothing in statics: an equilibrium in which they overlap is none.
fn refuse_overlap(system: &mut dyn System, state: &State) -> Result<(), Diagnosis> {
    system.renew_contacts(&state.point(), 0.0);
    let rows = crate::contact::contact_rows(system.contacts());
    let mut gaps = vec![0.0; rows];
    system.contact(Level::Position, &state.point(), &mut gaps);
    let scale = (0..state.v.len()).map(|i| system.scale(i)).fold(0.0, f64::max);
    let mut row = 0;
    for (k, contact) in system.contacts().iter().enumerate() {
        let gap = gaps[row];
        row += crate::contact::contact_rows(std::slice::from_ref(contact));
        if gap < -OVERLAP * scale {
            let contact = system.subject(Component::Contact(k));
            let message = format!(
                "the equilibrium near the start (at t = {}) is none: `{contact}` overlaps there by {:.3e}",
                readable(state.t),
                -gap
            );
            let message = Sentence::about(message, [contact]);
            return Err(Diagnosis::new(Failure::InconsistentStart, state.t, message)
                .because(["contacts without elasticity do not push in statics"]).remedied_by(vec![
                    "give the contact a stiffness, hold the body otherwise, or start as the model is given"
                        .into(),
                ]));
        }
    }
    Ok(())
}

/// What a user may not expect of such a start, which motions may demand to move.
pub(crate) fn doubts(
    system: &dyn System,
    given: &State,
    demanded: &[Change],
    start: &EquilibriumStart,
) -> Vec<String> {
    let mut doubts = Vec::new();
    if start.stability == Stability::Unstable {
        doubts.push(format!(
            "the equilibrium in which the run starts is unstable: it departs along {}",
            start.departs_along.join("; ")
        ));
    }
    let moving = |i: usize, v: f64| v.abs() > AT_REST * system.scale(i);
    if given.v.iter().enumerate().any(|(i, v)| moving(i, *v)) {
        doubts.push(
            "the velocities that the model gives are left out, since the run starts from rest in equilibrium"
                .into(),
        );
    }
    let fastest = demanded.iter().max_by(|a, b| a.change.abs().total_cmp(&b.change.abs()));
    if let Some(fastest) = fastest.filter(|change| change.change.abs() > AT_REST) {
        doubts.push(format!(
            "motions move already when the run starts, `{}` by {:.3e}: the equilibrium is that at rest",
            fastest.name, fastest.change
        ));
    }
    doubts
}
