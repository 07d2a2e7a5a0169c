//! Large systems whose constraints are independent: reactions, and stiffness on the motions that are left.

use super::factor::is_definite;
use super::{Block, Entries, SparseLu};
use crate::state::State;
use crate::system::System;

/// The gradient of all constraints, columns in the scales of the coordinates, rows of length one; and the
/// lengths that its rows had. `None` if one had none.
fn normalised(system: &mut dyn System, state: &State, scale: &[f64]) -> Option<(Block, Vec<f64>)> {
    let gradient = Block::gradient(system, &state.point()).scaled(|_| 1.0, |j| scale[j]);
    let norms = gradient.row_norms();
    if norms.contains(&0.0) {
        return None;
    }
    Some((gradient.scaled(|i| 1.0 / norms[i], |_| 1.0), norms))
}

/// The multipliers whose reactions balance a force best; `None` if constraints depend on each other.
pub(in crate::analysis) fn least_multipliers(
    system: &mut dyn System,
    state: &State,
    (scale, force): (&[f64], &[f64]),
) -> Option<Vec<f64>> {
    let n = scale.len();
    let (gradient, norms) = normalised(system, state, scale)?;
    // r + Jᵀμ = f,  J r = 0
    let mut entries = Entries::default();
    (0..n).for_each(|i| entries.push(i, i, 1.0));
    entries.add(&gradient, n, 0, 1.0);
    entries.add_transposed(&gradient, 0, n, 1.0);
    let mut right: Vec<f64> = force.iter().zip(scale).map(|(f, s)| f * s).collect();
    right.resize(n + norms.len(), 0.0);
    let solution = SparseLu::new(right.len(), &entries)?.solve(&right);
    Some(solution[n..].iter().zip(&norms).map(|(y, norm)| y / norm).collect())
}

/// Whether a stiffness is symmetric and positive definite on the motions that constraints leave. `false`
/// may also mean that this way cannot tell.
pub(in crate::analysis) fn holds(
    system: &mut dyn System,
    state: &State,
    (scale, stiffness): (&[f64], Block),
) -> bool {
    let Some((gradient, norms)) = normalised(system, state, scale) else { return false };
    let stiffness = stiffness.scaled(|i| scale[i], |j| scale[j]);
    let largest = stiffness.largest();
    let transposed = |i: usize, j: usize| {
        stiffness.pattern.position(j, i).map_or(0.0, |place| stiffness.values[place])
    };
    let mut places = stiffness.pattern.iter().zip(&stiffness.values);
    if places.any(|((i, j), value)| (value - transposed(i, j)).abs() > 1e-7 * largest) {
        return false;
    }
    let mut entries = Entries::default();
    entries.add(&stiffness, 0, 0, 1.0);
    // stiff springs across the constraints leave what is between them
    let mut rows = vec![Vec::new(); norms.len()];
    for ((i, j), value) in gradient.pattern.iter().zip(&gradient.values) {
        rows[i].push((j, *value));
    }
    for row in &rows {
        for (i, a) in row {
            row.iter().for_each(|(j, b)| entries.push(*i, *j, largest * a * b));
        }
    }
    is_definite(scale.len(), &entries)
}
