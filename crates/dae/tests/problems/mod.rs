//! Test problems shared by the integration tests.
#![allow(dead_code)]

pub mod chain;

use rotula_dae::automatic::{Arguments, Automatic, Equations, MassMatrix, Scalar};
use rotula_dae::*;

/// The pendulum of Jay and Negrut, eq. (16): rigid rod with torsional spring and damper.
pub struct Pendulum16;

impl Equations for Pendulum16 {
    fn sizes(&self) -> Sizes {
        Sizes { holonomic: 2, ..Sizes::vector(3) }
    }

    fn mass<T: Scalar>(&self, _t: T, _q: &[T], m: &mut MassMatrix<T>) {
        m.set(0, 0, 5.0);
        m.set(1, 1, 5.0);
        m.set(2, 2, 5.0 * 4.0 / 3.0);
    }

    fn force<T: Scalar>(&self, at: &Arguments<T>, f: &mut [T]) {
        let spring = at.q[2] - 1.5 * std::f64::consts::PI;
        f[0] = T::from(0.0);
        f[1] = T::from(-5.0 * 9.81);
        f[2] = -(at.v[2] * 100.0) - spring * 3000.0;
    }

    fn holonomic<T: Scalar>(&self, _t: T, q: &[T], g: &mut [T]) {
        g[0] = q[0] - q[2].cos() * 2.0;
        g[1] = q[1] - q[2].sin() * 2.0;
    }
}

/// Its consistent start.
pub fn pendulum16() -> (Automatic<Pendulum16>, State) {
    let system = Automatic::new(Pendulum16);
    let mut state = State::zeros(system.sizes());
    state.q.copy_from_slice(&[0.0, -2.0, 1.5 * std::f64::consts::PI]);
    state.v.copy_from_slice(&[20.0, 0.0, 10.0]);
    (system, state)
}

/// sheet 001 §5, P16 at t = 2.
pub const PENDULUM16_Q: [f64; 3] = [0.03077822402727387, -1.9997631612082785, 4.727778699883551];
pub const PENDULUM16_V: [f64; 3] =
    [-0.39632193164570195, -0.006099764930034576, -0.19818443470387762];
/// Our reactions are `+Gᵀλ`: the opposite sign of the document.
pub const PENDULUM16_LAMBDA: [f64; 2] = [-10.452452281527687, 49.28194420930447];

/// Euclidean distance.
pub fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

/// Settings of a fixed-step study with a fully converged iteration.
pub fn study(formulation: Formulation, rho: f64, h: f64, until: f64) -> Settings {
    let coefficients = Coefficients::generalized_alpha(rho).unwrap();
    let mut settings = Settings::new(formulation, coefficients, StepControl::Fixed { h });
    settings.until = until;
    settings.output = Output::At(vec![]);
    settings.newton.matrix = MatrixPolicy::EachIteration;
    settings.newton.tolerance = 1e-12;
    settings.newton.max_iterations = 20;
    settings
}

/// Every formulation with its variants.
pub fn formulations() -> Vec<(&'static str, Formulation)> {
    let dae_alpha = |iteration| Formulation::DaeAlpha {
        iteration,
        multipliers: MultiplierSource::AccelerationLevel,
    };
    let nonsmooth = |strategy| Formulation::Nonsmooth {
        strategy,
        variant: NonsmoothVariant::Star,
        iteration: NonsmoothIteration::Auto,
        located: true,
        impact_law: MultipleImpactLaw::Moreau,
    };
    let velocity_level = Formulation::DaeAlpha {
        iteration: DaeIteration::Newton,
        multipliers: MultiplierSource::VelocityLevel,
    };
    vec![
        ("index3", Formulation::Index3 { scaling: true, augmented: false }),
        ("index3 raw", Formulation::Index3 { scaling: false, augmented: false }),
        ("index3 augmented", Formulation::Index3 { scaling: true, augmented: true }),
        ("index2", Formulation::Index2),
        ("index1", Formulation::Index1),
        ("baumgarte", Formulation::Baumgarte { constants: [20.0, 20.0] }),
        ("ggl 73", Formulation::Ggl { variant: GglVariant::OldGradient }),
        ("ggl 74", Formulation::Ggl { variant: GglVariant::MassWeighted }),
        ("pva", Formulation::Pva),
        ("soi2", Formulation::Soi2 { mass: MassHistory::Stored }),
        ("soi2 evaluated", Formulation::Soi2 { mass: MassHistory::Evaluated }),
        ("hht-soi2", Formulation::HhtSoi2),
        ("hht-i3", Formulation::HhtI3 { mode: HhtMode::Recommended }),
        ("hht-i3 paper", Formulation::HhtI3 { mode: HhtMode::Paper }),
        ("projected", Formulation::Projected),
        ("dae-alpha newton", dae_alpha(DaeIteration::Newton)),
        ("dae-alpha cm", dae_alpha(DaeIteration::Cm)),
        ("dae-alpha cs", dae_alpha(DaeIteration::Cs)),
        ("dae-alpha hybrid", dae_alpha(DaeIteration::Hybrid)),
        ("dae-alpha velocity", velocity_level),
        ("nonsmooth", nonsmooth(Strategy::Pva)),
        ("nonsmooth pvv", nonsmooth(Strategy::Pvv)),
        ("bdf index3", Formulation::Bdf { form: BdfForm::Index3, max_order: 5 }),
        ("bdf si2", Formulation::Bdf { form: BdfForm::Si2, max_order: 5 }),
        ("explicit", Formulation::Explicit),
    ]
}
