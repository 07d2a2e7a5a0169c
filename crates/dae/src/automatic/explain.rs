//! Says which formula fails.

use super::equations::Equations;
use super::system::Automatic;
use super::workspace::{Gradient, chunks, fill, seeded};
use crate::diagnosis::{Sentence, Subject};
use crate::system::{Component, Point};

/// The first result that is not finite, or that has a derivative that is not, in words.
fn first_fault(
    results: &[Gradient],
    what: impl Fn(usize) -> (String, Subject),
    direction: impl Fn(usize) -> String,
) -> Option<Sentence> {
    results.iter().enumerate().find_map(|(i, result)| {
        if !result.real.is_finite() {
            let (what, subject) = what(i);
            return Some(Sentence::about(format!("{what} is {}", result.real), [subject]));
        }
        let k = result.dual.iter().position(|slope| !slope.is_finite())?;
        let ((what, subject), direction, slope) = (what(i), direction(k), result.dual[k]);
        let text = format!("the derivative of {what} along {direction} is {slope}");
        Some(Sentence::about(text, [subject]))
    })
}

impl<E: Equations> Automatic<E> {
    /// The first formula that is not finite, or whose derivative along a coordinate or its velocity
    /// is not.
    pub(super) fn first_not_finite(&mut self, at: &Point) -> Option<Sentence> {
        let (equations, sizes) = (&self.equations, self.sizes);
        let work = &mut self.gradient;
        work.load(at);
        let coordinate = |i| equations.name(Component::Coordinate(i));
        let constraint = |i| {
            let name = equations.name(Component::Constraint(i));
            (name.clone(), Subject::Constraint(name))
        };
        let auxiliary = |i: usize| match i.checked_sub(sizes.states) {
            None => Subject::State(equations.name(Component::State(i))),
            Some(i) => Subject::Variable(equations.name(Component::Variable(i))),
        };
        let of = |what: String, i| (what, Subject::Coordinate(coordinate(i)));
        chunks(sizes.motion).find_map(|chunk| {
            work.set_motion(
                |i| seeded(at.q[i], 1.0, i, &chunk),
                |i| seeded(at.v[i], 1.0, i, &chunk),
            );
            fill(&mut work.vdot, |i| seeded(at.vdot[i], 1.0, i, &chunk));
            let along = |k| coordinate(chunk.start + k);
            let mass = work.mass(equations);
            let mass_of =
                |i, j| of(format!("the mass of {} and {}", coordinate(i), coordinate(j)), i);
            (0..sizes.motion)
                .find_map(|j| first_fault(mass.column(j), |i| mass_of(i, j), along))
                .or_else(|| {
                    let force = work.force(equations, self.multiplier_forces);
                    first_fault(force, |i| of(format!("the force on {}", coordinate(i)), i), along)
                })
                .or_else(|| first_fault(work.holonomic(equations), constraint, along))
                .or_else(|| {
                    let rows = work.nonholonomic(equations);
                    first_fault(rows, |i| constraint(sizes.holonomic + i), along)
                })
                .or_else(|| {
                    let what = |i| (format!("the equation of {}", auxiliary(i)), auxiliary(i));
                    first_fault(work.auxiliary(equations), what, along)
                })
        })
    }
}
