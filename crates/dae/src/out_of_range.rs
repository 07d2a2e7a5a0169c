//! Iterations whose own numbers grow out of range, and starts that are beyond it.

use crate::diagnosis::{Diagnosis, Failure, Sentence, readable};
use crate::state::State;
use crate::system::{Component, System};
use crate::vector::all_finite;

/// The first number of a state that is not finite, in words.
fn not_finite(system: &dyn System, state: &State) -> Option<Sentence> {
    type Named = fn(usize) -> Component;
    let motion: Named = Component::Coordinate;
    let kinds: [(&[f64], Named, &str); 5] = [
        (&state.vdot, motion, "the acceleration of"),
        (&state.v, motion, "the velocity of"),
        (&state.multipliers, Component::Constraint, "the reaction of"),
        (&state.xdot, Component::State, "the rate of"),
        (&state.y, Component::Variable, "the value of"),
    ];
    let named = kinds.into_iter().find_map(|(values, component, what)| {
        let found = values.iter().position(|value| !value.is_finite())?;
        let subject = system.subject(component(found));
        Some(Sentence::about(format!("{what} {subject} is not finite"), [subject]))
    });
    let mut placed = state.q.iter().chain(&state.x);
    named.or_else(|| {
        placed.any(|value| !value.is_finite()).then(|| "a position is not finite".into())
    })
}

/// True if every number of a state is finite: only such a state is ever accepted.
pub(crate) fn is_finite(state: &State) -> bool {
    let State { q, v, vdot, multipliers, x, xdot, y, .. } = state;
    [q, v, vdot, multipliers, x, xdot, y].into_iter().all(|values| all_finite(values))
}

/// A diagnosis of a start whose accelerations or reactions no number can hold.
pub(crate) fn start_out_of_range(system: &dyn System, state: &State) -> Option<Diagnosis> {
    let message = not_finite(system, state)?.within(|found| {
        format!("at t = {} the start is out of the range of numbers: {found}", readable(state.t))
    });
    Some(Diagnosis::new(Failure::NotFinite, state.t, message).remedied_by(vec![
            "look for masses and inertias that are next to nothing beside the forces on them, or that nothing \
             holds"
                .into(),
        ]))
}

/// A diagnosis of an iteration whose own numbers grew out of range, if that is what a state shows: then
/// no formula is to blame.
pub(crate) fn out_of_range(system: &dyn System, state: &State) -> Option<Diagnosis> {
    let message = not_finite(system, state)?.within(|found| {
        format!("near t = {} the iteration left the range of numbers: {found}", readable(state.t))
    });
    Some(Diagnosis::new(Failure::NotFinite, state.t, message).remedied_by(vec![
        "solve each step more exactly, with a smaller tolerance of the iteration".into(),
        "or take smaller steps".into(),
    ]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::{Point, Sizes, Terms, Weights};

    struct Held;

    impl System for Held {
        fn sizes(&self) -> Sizes {
            Sizes { holonomic: 2, ..Sizes::vector(3) }
        }

        fn dynamics(&mut self, _: &Point, _: Terms, out: &mut [f64]) {
            out.fill(0.0);
        }

        fn tangent(&mut self, _: &Point, _: Weights, _: Terms, values: &mut [f64]) {
            values.fill(0.0);
        }
    }

    #[test]
    fn numbers_of_the_iteration_itself_are_named_when_they_leave_their_range() {
        let mut state = State::zeros(Held.sizes());
        assert!(out_of_range(&Held, &state).is_none());
        state.multipliers[1] = f64::INFINITY;
        let diagnosis = out_of_range(&Held, &state).expect("a diagnosis");
        assert!(diagnosis.message.contains("the reaction of constraint 2"), "{diagnosis}");
        assert!(!diagnosis.to_string().contains("formula"), "{diagnosis}");
        state.v[2] = f64::NAN;
        let diagnosis = out_of_range(&Held, &state).expect("a diagnosis");
        assert!(diagnosis.message.contains("the velocity of coordinate 3"), "{diagnosis}");
    }
}
