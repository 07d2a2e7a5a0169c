//! What several formulations say of their rows.

use super::Equation;
use crate::system::{Level, Sizes};

/// Zeroes all values but the kept entries (sorted).
pub(super) fn keep_entries(values: &mut [f64], kept: &[usize]) {
    let mut next = kept.iter().copied().peekable();
    for (entry, value) in values.iter_mut().enumerate() {
        if next.next_if_eq(&entry).is_none() {
            *value = 0.0;
        }
    }
}

/// Equations of a scheme with two balances, the first with positions, the second with velocities.
pub(super) fn equation_of_two_balances(i: usize, sizes: Sizes) -> Equation {
    let (n, second) = (sizes.motion, sizes.motion + sizes.multipliers());
    match i {
        i if i < n => Equation::Motion(i),
        i if i < second => Equation::Constraint(Level::Position, i - n),
        i if i < second + n => Equation::Motion(i - second),
        i if i < 2 * second => Equation::Constraint(Level::Velocity, i - second - n),
        i => Equation::Auxiliary(i - 2 * second),
    }
}
