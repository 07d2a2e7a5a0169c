//! A skate on an inclined plane: a nonholonomic constraint, compared with the exact solution.
//!
//! The blade cannot slip sideways, `−x' sin φ + y' cos φ = 0`. On a slope the skate does not slide
//! down but drifts sideways in a cycloid, which is the classical surprise of this system.

use rotula_dae::automatic::{Arguments, Automatic, Equations, MassMatrix, Scalar};
use rotula_dae::{
    Coefficients, Formulation, MassHistory, Settings, Sizes, State, StepControl, System, simulate,
};

struct Skate {
    slope: f64,
}

impl Equations for Skate {
    fn sizes(&self) -> Sizes {
        Sizes { nonholonomic: 1, ..Sizes::vector(3) }
    }

    fn mass<T: Scalar>(&self, _t: T, _q: &[T], m: &mut MassMatrix<T>) {
        m.set(0, 0, 1.0);
        m.set(1, 1, 1.0);
        m.set(2, 2, 0.25);
    }

    fn force<T: Scalar>(&self, _at: &Arguments<T>, f: &mut [T]) {
        f[0] += self.slope;
    }

    fn nonholonomic<T: Scalar>(&self, _t: T, q: &[T], v: &[T], k: &mut [T]) {
        let (sin, cos) = q[2].sin_cos();
        k[0] = v[1] * cos - v[0] * sin;
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (slope, spin, until) = (4.9, 2.0, 5.0);
    let mut system = Automatic::new(Skate { slope });
    let mut start = State::zeros(system.sizes());
    start.v = vec![0.0, 0.0, spin];
    // Starting at rest with spin ω: x = a/(2ω²) sin²(ωt), y = a/(2ω)(t − sin(2ωt)/(2ω)).
    let exact_x = slope / (2.0 * spin * spin) * (spin * until).sin().powi(2);
    let exact_y = slope / (2.0 * spin) * (until - (2.0 * spin * until).sin() / (2.0 * spin));

    let formulation = Formulation::Soi2 { mass: MassHistory::Stored };
    println!("{:>8} {:>12} {:>12}", "step", "error x", "error y");
    for h in [0.02, 0.01, 0.005] {
        let coefficients = Coefficients::generalized_alpha(0.8)?;
        let mut settings = Settings::new(formulation, coefficients, StepControl::Fixed { h });
        settings.until = until;
        let outcome = simulate(&mut system, &start, &settings, &mut ())?;
        if let Some(failure) = outcome.failure {
            return Err(failure.into());
        }
        let q = &outcome.state.q;
        println!("{h:8} {:12.3e} {:12.3e}", (q[0] - exact_x).abs(), (q[1] - exact_y).abs());
    }
    Ok(())
}
