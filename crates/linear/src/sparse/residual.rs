//! Residuals of the unregularised matrix.

use crate::pattern::Pattern;

/// `y += A x` for the unregularised matrix.
pub(crate) fn product(
    pattern: &Pattern,
    regularised: &[f64],
    shifts: &[f64],
    x: &[f64],
    y: &mut [f64],
) {
    pattern.multiply_add(regularised, 1.0, x, y);
    for i in 0..x.len() {
        y[i] -= shifts[i] * x[i];
    }
}

/// Sum of sizes; unlike a maximum it passes NaN on.
pub(crate) fn norm(x: &[f64]) -> f64 {
    x.iter().map(|value| value.abs()).sum()
}
