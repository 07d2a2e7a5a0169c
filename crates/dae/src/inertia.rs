//! Mass matrices that no body has: kinetic energy must not be negative, whatever the motion.

use crate::diagnosis::{Diagnosis, Failure, Sentence};
use crate::state::State;
use crate::system::{Component, System, Terms, Weights};
use rotula_linear::Pattern;

/// Part of a mass that rounding may take away.
const ROUNDING: f64 = 1e-9;
/// Motions up to which all combinations are looked at, not only pairs.
const SMALL: usize = 200;

/// Refuses a start at which some motion has a negative kinetic energy.
pub(crate) fn refuse_negative(system: &mut dyn System, start: &State) -> Result<(), Diagnosis> {
    let pattern = system.patterns().dynamics;
    let mut values = vec![0.0; pattern.entries()];
    system.tangent(&start.point(), Weights::MASS, Terms::INERTIA, &mut values);
    // what is not finite is refused elsewhere, with its formula
    if values.iter().any(|value| !value.is_finite()) {
        return Ok(());
    }
    let Some((i, other)) = negative(&pattern, &values) else { return Ok(()) };
    let named = |i: usize| system.subject(Component::Coordinate(i));
    let motion = match other {
        Some(j) => format!("`{}` and `{}` together", named(i), named(j)),
        None => format!("`{}`", named(i)),
    };
    let message = format!(
        "the mass matrix is not that of bodies: a motion of coordinate {motion} has a negative \
         kinetic energy"
    );
    let message = Sentence::about(message, std::iter::once(i).chain(other).map(named));
    Err(Diagnosis::new(Failure::SingularMass, start.t, message).remedied_by(vec![
        "look at the signs of the masses, and whether those that couple coordinates are \
                        larger than their own"
            .into(),
    ]))
}

/// A coordinate, or two, with a negative mass.
fn negative(pattern: &Pattern, values: &[f64]) -> Option<(usize, Option<usize>)> {
    let n = pattern.cols();
    let entries = || pattern.iter().zip(values).map(|((i, j), value)| (i, j, *value));
    let mut own = vec![0.0; n];
    entries().filter(|(i, j, _)| i == j).for_each(|(i, _, value)| own[i] += value);
    if let Some(i) = own.iter().position(|mass| *mass < 0.0) {
        return Some((i, None));
    }
    let coupled = |(i, j, value): &(usize, usize, f64)| {
        i < j && value * value > (1.0 + ROUNDING) * own[*i] * own[*j]
    };
    if let Some((i, j, _)) = entries().find(coupled) {
        return Some((i, Some(j)));
    }
    if n > SMALL {
        return None;
    }
    // Elimination: what is left of each mass besides the motions before it.
    let mut left = vec![0.0; n * n];
    entries().for_each(|(i, j, value)| left[i * n + j] += value);
    for k in 0..n {
        let pivot = left[k * n + k];
        if pivot < -ROUNDING * own[k] {
            return Some((k, None));
        }
        if pivot <= ROUNDING * own[k] {
            continue;
        }
        for i in k + 1..n {
            let factor = left[i * n + k] / pivot;
            if factor != 0.0 {
                (k..n).for_each(|j| left[i * n + j] -= factor * left[k * n + j]);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rows: [[f64; 3]; 3]) -> Option<(usize, Option<usize>)> {
        let pattern = Pattern::dense(3, 3);
        let values: Vec<f64> = pattern.iter().map(|(i, j)| rows[i][j]).collect();
        negative(&pattern, &values)
    }

    #[test]
    fn negative_masses_are_found_and_singular_ones_let_through() {
        assert_eq!(of([[2.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 0.0]]), None);
        assert_eq!(of([[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]), None);
        assert_eq!(of([[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]]), Some((1, None)));
        assert_eq!(of([[1.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 1.0]]), Some((0, Some(1))));
        // each pair is possible, the three together are not
        let three = [[1.0, 0.9, -0.9], [0.9, 1.0, 0.9], [-0.9, 0.9, 1.0]];
        assert_eq!(of(three), Some((2, None)));
    }
}
