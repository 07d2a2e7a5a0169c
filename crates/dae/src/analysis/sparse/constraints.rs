//! Large systems whose constraints are independent: reactions, and stiffness on the motions that are left.

use super::super::dense::{norm, scales};
use super::super::projection::Kicks;
use super::factor::is_definite;
use super::{Block, Entries, SparseLu};
use crate::state::State;
use crate::system::{System, Terms, Weights};

/// Stiffnesses of springs across constraints, in units of the largest stiffness.
const ACROSS: [f64; 4] = [1.0, 1e2, 1e4, 1e6];

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

/// Constraints that do not depend on each other.
pub(in crate::analysis) struct Independent {
    /// Scales of the coordinates.
    scale: Vec<f64>,
    /// Lengths of the rows.
    norms: Vec<f64>,
    /// Of `r + Jᵀμ = f`, `J r = 0`.
    factor: SparseLu,
}

impl Independent {
    /// All constraints of a system; `None` if some depend on each other, or nearly so.
    pub fn new(system: &mut dyn System, state: &State) -> Option<Self> {
        let scale = scales(system);
        Independent::measured(system, state, scale)
    }

    /// The same with motions measured by given scales.
    pub fn measured(system: &mut dyn System, state: &State, scale: Vec<f64>) -> Option<Self> {
        let n = scale.len();
        let (gradient, norms) = normalised(system, state, &scale)?;
        let mut entries = Entries::default();
        (0..n).for_each(|i| entries.push(i, i, 1.0));
        entries.add(&gradient, n, 0, 1.0);
        entries.add_transposed(&gradient, 0, n, 1.0);
        let factor = SparseLu::new(n + norms.len(), &entries)?;
        Some(Independent { scale, norms, factor })
    }

    /// Whether every combination of rows is at least `ratio` times as long as the longest, for sure. The
    /// inverse of the augmented matrix has the squares of their inverse lengths.
    pub fn exceeds(&self, ratio: f64) -> bool {
        self.factor.condition() <= 1.0 / (ratio * ratio)
    }

    fn solve(&self, scaled_force: Vec<f64>) -> Vec<f64> {
        let mut right = scaled_force;
        right.resize(self.scale.len() + self.norms.len(), 0.0);
        self.factor.solve(&right)
    }

    /// The multipliers whose reactions balance a force best.
    pub fn multipliers(&self, force: &[f64]) -> Vec<f64> {
        let solution = self.solve(force.iter().zip(&self.scale).map(|(f, s)| f * s).collect());
        let multipliers = &solution[self.scale.len()..];
        multipliers.iter().zip(&self.norms).map(|(y, norm)| y / norm).collect()
    }

    /// The least motion, measured by the scales, that changes the constraints by given rates.
    pub fn least(&self, rates: &[f64]) -> Vec<f64> {
        let n = self.scale.len();
        let mut right = vec![0.0; n];
        right.extend(rates.iter().zip(&self.norms).map(|(rate, norm)| rate / norm));
        let motion = self.factor.solve(&right);
        motion.iter().zip(&self.scale).map(|(m, s)| m * s).collect()
    }

    /// What the constraints leave of a motion.
    pub fn allowed(&self, motion: &[f64]) -> Vec<f64> {
        let scaled = motion.iter().zip(&self.scale).map(|(m, s)| m / s).collect();
        let left = self.solve(scaled);
        left.iter().zip(&self.scale).map(|(m, s)| m * s).collect()
    }

    /// A basis of the motions that are left.
    pub fn kernel(&self) -> Vec<Vec<f64>> {
        let n = self.scale.len();
        let mut kicks = Kicks::new();
        let mut basis: Vec<Vec<f64>> = Vec::new();
        for _ in 0..n - self.norms.len() {
            let mut motion = self.solve((0..n).map(|_| kicks.number()).collect());
            motion.truncate(n);
            for _ in 0..2 {
                for other in &basis {
                    let share: f64 = other.iter().zip(&motion).map(|(a, b)| a * b).sum();
                    motion.iter_mut().zip(other).for_each(|(m, o)| *m -= share * o);
                }
            }
            let size = norm(&motion);
            motion.iter_mut().for_each(|m| *m /= size);
            basis.push(motion);
        }
        for motion in &mut basis {
            motion.iter_mut().zip(&self.scale).for_each(|(m, s)| *m *= s);
        }
        basis
    }
}

/// Whether every motion that constraints leave has mass, for sure.
pub(in crate::analysis) fn all_have_mass(system: &mut dyn System, state: &State) -> bool {
    let scale = scales(system);
    let n = scale.len();
    let mass = Block::tangent(system, &state.point(), Weights::MASS, Terms::INERTIA);
    let mass = mass.scaled(|i| scale[i], |j| scale[j]);
    // where every motion has mass, those that constraints leave have
    let mut alone = Entries::default();
    for ((i, j), value) in mass.pattern.iter().zip(&mass.values).filter(|(_, value)| **value != 0.0)
    {
        alone.push(i, j, *value);
    }
    if is_definite(n, &alone) {
        return true;
    }
    let Some((gradient, norms)) = normalised(system, state, &scale) else { return false };
    let largest = mass.largest();
    let mut entries = Entries::default();
    entries.add(&mass, 0, 0, 1.0);
    entries.add(&gradient, n, 0, largest);
    entries.add_transposed(&gradient, 0, n, largest);
    SparseLu::new(n + norms.len(), &entries).is_some()
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
    let mut rows = vec![Vec::new(); norms.len()];
    for ((i, j), value) in gradient.pattern.iter().zip(&gradient.values) {
        rows[i].push((j, *value));
    }
    // Springs across the constraints leave what is between them (Finsler). In a long chain small motions
    // across the constraints add up along it: the springs must be so much stiffer.
    ACROSS.into_iter().any(|factor| {
        let mut entries = Entries::default();
        entries.add(&stiffness, 0, 0, 1.0);
        for row in &rows {
            for (i, a) in row {
                row.iter().for_each(|(j, b)| entries.push(*i, *j, factor * largest * a * b));
            }
        }
        is_definite(scale.len(), &entries)
    })
}
