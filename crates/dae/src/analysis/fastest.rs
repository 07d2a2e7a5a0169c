//! How fast a system may vibrate, at a glance.

use crate::state::State;
use crate::system::{System, Terms, Weights};

/// The largest `√(K_ii/M_ii)/2π`, in Hz: about half the highest frequency of a fine mesh, whose neighbouring nodes move
/// against each other. Found without a decomposition; zero if nothing is elastic.
pub fn fastest_vibration(system: &mut dyn System, state: &State) -> f64 {
    let pattern = system.patterns().dynamics;
    let mut tangent = |weights, terms| {
        let mut values = vec![0.0; pattern.entries()];
        system.tangent(&state.point(), weights, terms, &mut values);
        values
    };
    let mass = tangent(Weights::MASS, Terms::INERTIA);
    let stiffness = tangent(Weights::STIFFNESS, Terms::ALL);
    let squares = (0..pattern.cols()).filter_map(|i| {
        let entry = pattern.position(i, i)?;
        // what has no mass vibrates with nothing
        (mass[entry] > 0.0 && stiffness[entry] > 0.0).then(|| stiffness[entry] / mass[entry])
    });
    squares.fold(0.0, f64::max).sqrt() / std::f64::consts::TAU
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::{Point, Sizes};

    /// A mass of 2 kg on a spring of 8 N/m, and a point without mass on another.
    struct Springs;

    impl System for Springs {
        fn sizes(&self) -> Sizes {
            Sizes::vector(2)
        }

        fn dynamics(&mut self, _at: &Point, _terms: Terms, out: &mut [f64]) {
            out.fill(0.0);
        }

        fn tangent(&mut self, _at: &Point, weights: Weights, terms: Terms, values: &mut [f64]) {
            values.fill(0.0);
            values[0] += if terms.inertia { 2.0 * weights.mass } else { 0.0 };
            values[0] += if terms.forces { 8.0 * weights.stiffness } else { 0.0 };
            values[3] += if terms.forces { 1e9 * weights.stiffness } else { 0.0 };
        }
    }

    #[test]
    fn what_has_no_mass_does_not_vibrate() {
        let state = State::zeros(Springs.sizes());
        let found = fastest_vibration(&mut Springs, &state);
        assert!((found - 2.0 / std::f64::consts::TAU).abs() < 1e-15);
    }
}
