//! Every iteration matrix against central differences of its residual.

use super::{Scheme, scheme};
use crate::alpha::Guess;
use crate::automatic::{Arguments, Automatic, AuxiliaryArguments, Equations, MassMatrix, Scalar};
use crate::*;

/// Everything at once: a mass matrix that varies, constraints of both kinds that depend on time, a
/// state, and a variable that feels accelerations and multipliers.
pub(super) struct Rich {
    pub(super) plain: bool,
}

impl Equations for Rich {
    fn sizes(&self) -> Sizes {
        let extra = usize::from(!self.plain);
        Sizes {
            holonomic: 1,
            nonholonomic: extra,
            states: extra,
            variables: extra,
            ..Sizes::vector(4)
        }
    }

    fn mass<T: Scalar>(&self, _t: T, q: &[T], m: &mut MassMatrix<T>) {
        for i in 0..4 {
            m.set(i, i, q[(i + 1) % 4].sin() * 0.3 + 2.0);
        }
        m.set(0, 1, q[2].cos() * 0.4);
        m.set(1, 3, q[0] * 0.2);
    }

    fn force<T: Scalar>(&self, at: &Arguments<T>, f: &mut [T]) {
        f[0] = at.q[1] * at.v[2] - at.q[0] * 3.0;
        f[1] = at.v[0] * at.v[0] * 0.5 - at.v[1];
        f[2] = (at.q[3] * 2.0).sin() + at.t;
        f[3] = at.q[0] * at.q[2];
        if !self.plain {
            f[2] += at.x[0] * at.q[1];
            f[3] += at.y[0] * at.y[0];
        }
    }

    fn holonomic<T: Scalar>(&self, t: T, q: &[T], g: &mut [T]) {
        g[0] = q[0] * q[0] + q[1] * q[2] - (t * 0.7).cos() + q[3].sin();
    }

    fn nonholonomic<T: Scalar>(&self, t: T, q: &[T], v: &[T], k: &mut [T]) {
        if !self.plain {
            k[0] = v[1] * q[2].cos() - v[3] * q[0] + v[2] * v[2] * 0.1 - t;
        }
    }

    fn auxiliary<T: Scalar>(&self, at: &AuxiliaryArguments<T>, e: &mut [T]) {
        if !self.plain {
            e[0] = at.xdot[0] + at.x[0] * at.y[0] - at.q[1] * at.v[0];
            e[1] = at.y[0] - at.vdot[2] * 0.3 - at.multipliers[0] * 0.2 - at.x[0].sin();
        }
    }
}

fn formulations() -> Vec<Formulation> {
    let dae_alpha = |iteration| Formulation::DaeAlpha {
        iteration,
        multipliers: MultiplierSource::VelocityLevel,
    };
    vec![
        Formulation::Index3 { scaling: true, augmented: false },
        Formulation::Index3 { scaling: true, augmented: true },
        Formulation::Index2,
        Formulation::Index1,
        Formulation::Baumgarte { constants: [3.0, 2.0] },
        Formulation::Ggl { variant: GglVariant::OldGradient },
        Formulation::Ggl { variant: GglVariant::MassWeighted },
        Formulation::Pva,
        Formulation::Projected,
        Formulation::Soi2 { mass: MassHistory::Stored },
        Formulation::HhtSoi2,
        Formulation::HhtI3 { mode: HhtMode::Recommended },
        Formulation::HhtI3 { mode: HhtMode::Paper },
        dae_alpha(DaeIteration::Newton),
        Formulation::Bdf { form: BdfForm::Index3, max_order: 5 },
        Formulation::Bdf { form: BdfForm::Si2, max_order: 5 },
    ]
}

/// A state away from every special value.
pub(super) fn somewhere(sizes: Sizes) -> State {
    let mut state = State::zeros(sizes);
    let mut seed = 0.37_f64;
    let mut fill = |values: &mut [f64], size: f64| {
        for value in values {
            seed = (seed * 17.3 + 0.11).fract();
            *value = size * (2.0 * seed - 1.0);
        }
    };
    fill(&mut state.q, 1.0);
    fill(&mut state.v, 1.0);
    fill(&mut state.vdot, 2.0);
    fill(&mut state.multipliers, 2.0);
    fill(&mut state.x, 1.0);
    fill(&mut state.xdot, 1.0);
    fill(&mut state.y, 1.0);
    state
}

/// The correction for a unit residual, column by column, is the inverse of the derivative: so the
/// derivative times the solution must give the residual back. This also checks column scales.
fn check(system: &mut dyn System, formulation: Formulation) {
    let coefficients = Coefficients::hht(-0.3).unwrap();
    let control = ToleranceControl { tolerance: 1e-5, first: None, min: 1e-9, max: 1.0 };
    let settings = Settings::new(formulation, coefficients, StepControl::Tolerance(control));
    let mut scheme = scheme(system, &settings).unwrap().expect("an iteration");
    let state = somewhere(system.sizes());
    scheme.restart(system, &state);
    scheme.begin(system, &state, 0.3).unwrap();
    let n = scheme.unknowns();
    let mut u = vec![0.0; n];
    let guess = Guess::Values {
        vdot: &state.vdot,
        multipliers: &state.multipliers,
        xdot: &state.xdot,
        y: &state.y,
    };
    scheme.guess(&guess, &mut u);
    for (i, value) in u.iter_mut().enumerate() {
        *value += 0.3 * (i as f64 * 1.7).sin();
    }
    scheme.factorise(system, &u).unwrap();
    let residual = |scheme: &mut dyn Scheme, system: &mut dyn System, u: &[f64]| {
        let mut out = vec![0.0; n];
        scheme.residual(system, u, &mut out);
        out
    };
    for k in 0..n {
        let mut direction = vec![0.0; n];
        direction[k] = 1.0;
        scheme.solve(&mut direction);
        // Fourth-order differences along the solution.
        let size = direction.iter().fold(1e-3, |m: f64, d| m.max(d.abs()));
        let step = 1e-3 / size;
        let mut derivative = vec![0.0; n];
        for (shift, weight) in [(1.0, 8.0), (-1.0, -8.0), (2.0, -1.0), (-2.0, 1.0)] {
            let moved: Vec<f64> =
                u.iter().zip(&direction).map(|(u, d)| u + shift * step * d).collect();
            for (sum, r) in derivative.iter_mut().zip(residual(scheme.as_mut(), system, &moved)) {
                *sum += weight * r / (12.0 * step);
            }
        }
        derivative[k] -= 1.0;
        let worst = derivative.iter().fold(0.0, |m: f64, d| m.max(d.abs()));
        assert!(worst < 1e-7 * (1.0 + size), "{formulation:?}, equation {k}: {worst:e} ({size:e})");
    }
}

#[test]
fn iteration_matrices_are_the_derivatives_of_their_residuals() {
    for formulation in formulations() {
        check(&mut Automatic::new(Rich { plain: true }), formulation);
        if formulation != Formulation::HhtSoi2 {
            check(&mut Automatic::new(Rich { plain: false }), formulation);
        }
    }
}
