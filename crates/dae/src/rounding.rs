//! Whether an iteration that no longer contracts has found what can be found: a residual that is nothing but rounding.
//!
//! Near a singular position constraints hardly determine some direction, in which the rounding of their residuals becomes
//! corrections of any size: `ε|q|/σ`, with the smallest singular value `σ` of the constraint matrix. Such corrections do
//! not shrink, and shorter steps make them larger, since they are divided by `h²`. The configurations among which the
//! iteration wanders all meet the equations as well as they can be met.

use crate::force_measure::ForceMeasure;
use crate::formulation::{Equation, Scheme};
use crate::newton::Accuracy;
use crate::system::System;

/// Roundings for which the rounding level of corrections has room.
const ROUNDINGS: f64 = 20.0;
/// A residual may be two of them.
const OF_RESIDUALS: f64 = 0.1;

/// Whether all that `unknowns` leave of the equations is rounding, and the forces balance. Without constraints nothing hides a
/// correction: an iteration that does not contract has gone astray, and loads measured there excuse whatever it finds.
pub(crate) fn only_rounding_is_left(
    (scheme, system): (&mut dyn Scheme, &mut dyn System),
    unknowns: &[f64],
    (forces, weights): (&ForceMeasure, &[f64]),
    accuracy: Accuracy,
) -> bool {
    let hides =
        |i: usize| matches!(scheme.equation(i), Equation::Constraint(..) | Equation::Correction(_));
    if !(0..unknowns.len()).any(hides) {
        return false;
    }
    let mut residual = vec![0.0; unknowns.len()];
    scheme.residual(system, unknowns, &mut residual);
    // the rounding of the unknowns, and accelerations that move positions by their rounding; corrections are measured as
    // accelerations, and each has the place of its equation
    let rounded: Vec<f64> = unknowns
        .iter()
        .enumerate()
        .map(|(k, unknown)| {
            let moved = match scheme.equation(k) {
                Equation::Motion(i) | Equation::Correction(i) => accuracy.floor * weights[i],
                _ => 0.0,
            };
            OF_RESIDUALS * (moved + ROUNDINGS * f64::EPSILON * unknown.abs())
        })
        .collect();
    let mut bounds = vec![0.0; unknowns.len()];
    scheme.core().matrix.multiply_sizes(&rounded, &mut bounds);
    let met = |i: usize| match scheme.equation(i) {
        Equation::Constraint(..) | Equation::Correction(_) => residual[i].abs() <= bounds[i],
        // judged by their own measures
        Equation::Motion(_) | Equation::Auxiliary(_) => true,
    };
    let two_balances = scheme.balance() > 0 && matches!(scheme.equation(0), Equation::Motion(_));
    let balanced = |first: usize| forces.imbalance(&residual[first..]) <= accuracy.forces;
    (0..residual.len()).all(met) && balanced(scheme.balance()) && (!two_balances || balanced(0))
}
