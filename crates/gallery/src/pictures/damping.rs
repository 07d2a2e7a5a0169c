//! What numerical dissipation takes away. [Dymore note, sheet §2; Yen et al. 1998, sheet §4.1]

use crate::entry::GalleryError;
use crate::study::{larger, run_model};
use nalgebra::{Matrix3, Vector3};
use rotula_dae::Coefficients;
use rotula_report::{Axis, Figure, Series};
use std::f64::consts::TAU;

const MODEL: &str = include_str!("../../../../gallery/stiff-spring/model.toml");

/// Energy of a mass on a stiff spring: the radial vibration goes, the swing stays.
pub(super) fn stiff_spring() -> Result<Figure, GalleryError> {
    let mut figure = Figure::new(
        "Stiff spring pendulum, h = 20 ms: total energy",
        Axis::linear("time [s]"),
        Axis::linear("energy [J]"),
    );
    for rho in ["1", "0.9", "0.75", "0.5", "0"] {
        let overrides = [("solve.coefficients.generalized-alpha", rho), ("solve.step", "0.02")];
        let trajectory = run_model(MODEL, &overrides)?.outcome.trajectory;
        let points = (0..trajectory.len()).map(|i| {
            let row = trajectory.energy.row(i);
            (trajectory.times[i], row[0] + row[1])
        });
        figure = figure.with(Series::line(format!("ρ∞ = {rho}"), points.collect()));
    }
    Ok(figure.with(Series::guide("exact", vec![(0.0, 5.0), (5.0, 5.0)])))
}

/// Spectral radius of the amplification matrix of an undamped oscillator.
pub(super) fn spectral_radius() -> Result<Figure, GalleryError> {
    let mut figure = Figure::new(
        "Undamped oscillator: amplification of a step",
        Axis::log("step size over period"),
        Axis::linear("spectral radius"),
    );
    let members = [
        ("ρ∞ = 1", Coefficients::generalized_alpha(1.0)?),
        ("ρ∞ = 0.8", Coefficients::generalized_alpha(0.8)?),
        ("ρ∞ = 0.5", Coefficients::generalized_alpha(0.5)?),
        ("ρ∞ = 0", Coefficients::generalized_alpha(0.0)?),
        ("HHT −0.3", Coefficients::hht(-0.3)?),
        ("HHT −0.05", Coefficients::hht(-0.05)?),
    ];
    for (name, coefficients) in members {
        let points = (0..=120).map(|k| {
            let ratio = 10f64.powf(-2.0 + 0.04 * k as f64);
            (ratio, radius(&coefficients, TAU * ratio))
        });
        figure = figure.with(Series::line(name, points.collect()));
    }
    Ok(figure)
}

/// Largest root of the step from `(q, h v, h² v̇, h² a)`, in which `v̇ = −Ω² q / h²`, so that three
/// numbers are carried: `(q, h v, h² a)`. [Dymore note, sheet §2]
fn radius(coefficients: &Coefficients, omega: f64) -> f64 {
    let c = coefficients.step(1.0);
    let square = omega * omega;
    // columns: the step from each unit state
    let step = |q: f64, v: f64, a: f64| {
        let old = -square * q;
        let guess = q + v + c.c1 * old + c.c2 * a;
        let new = -square * guess / (1.0 + c.c8 * square);
        let position = guess + c.c8 * new;
        let velocity = v + c.c3 * old + c.c4 * a + c.c7 * new;
        Vector3::new(position, velocity, c.c5 * old + c.c6 * a + c.c9 * new)
    };
    let columns = [step(1.0, 0.0, 0.0), step(0.0, 1.0, 0.0), step(0.0, 0.0, 1.0)];
    let roots = Matrix3::from_columns(&columns).complex_eigenvalues();
    roots.iter().map(|root| root.norm()).fold(0.0, larger)
}

#[cfg(test)]
mod tests {
    use super::radius;
    use rotula_dae::Coefficients;
    use std::f64::consts::TAU;

    /// [Dymore note, sheet §6 E1]
    #[test]
    fn the_radius_is_that_of_the_sheet() {
        let table = [
            (0.0, [0.969708167, 0.339225813, 0.065884173]),
            (0.6, [0.998983391, 0.827794639, 0.651406480]),
            (0.8, [0.999904421, 0.956279260, 0.846409452]),
        ];
        for (rho, expected) in table {
            let coefficients = Coefficients::generalized_alpha(rho).unwrap();
            for (ratio, expected) in [0.1, 1.0, 10.0].into_iter().zip(expected) {
                let found = radius(&coefficients, TAU * ratio);
                assert!((found - expected).abs() < 1e-8, "ρ∞ = {rho}, {ratio}: {found}");
            }
        }
    }
}
