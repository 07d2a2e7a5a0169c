//! The nonsmooth formulations against closed forms and the numbers of sheet 002.

mod activation;
mod apart;
mod bar;
mod bowl;
mod crooked;
mod enumeration;
mod friction;
mod linear;
mod located;
mod pendulum;
mod published;
mod scheme;
mod stacks;
mod sweeps;
mod varying;

use rotula_dae::*;

fn settings(
    strategy: Strategy,
    variant: NonsmoothVariant,
    rho: f64,
    h: f64,
    until: f64,
) -> Settings {
    let iteration = NonsmoothIteration::Auto;
    let formulation = Formulation::Nonsmooth {
        strategy,
        variant,
        iteration,
        located: false,
        impact_law: MultipleImpactLaw::Moreau,
    };
    let coefficients = Coefficients::generalized_alpha(rho).unwrap();
    let mut settings = Settings::new(formulation, coefficients, StepControl::Fixed { h });
    settings.until = until;
    settings
}

fn run(system: &mut dyn System, start: &State, settings: &Settings) -> Trajectory {
    let outcome = simulate(system, start, settings, &mut ()).unwrap();
    if let Some(failure) = outcome.failure {
        panic!("{failure}");
    }
    outcome.trajectory
}
