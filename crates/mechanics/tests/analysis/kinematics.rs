//! Driven mechanisms and their torques.

use crate::models::{G, chain, slider_crank};
use rotula_dae::analysis::kinematics;
use rotula_dae::{
    Coefficients, Component, Description, Failure, Formulation, GglVariant, Settings, StepControl,
    System, simulate,
};
use rotula_mechanics::TimeFunction;

/// Kinetic plus potential energy of the slider-crank at angle φ and rate ω, from the closed form.
fn slider_crank_energy(phi: f64, omega: f64) -> (f64, f64) {
    let (r, l) = (0.5_f64, 1.0_f64);
    let position = |phi: f64| r * phi.cos() + (l * l - (r * phi.sin()).powi(2)).sqrt();
    let tilt = |phi: f64| -(r / l * phi.sin()).asin();
    let d = 1e-5;
    let slope = |f: &dyn Fn(f64) -> f64| (f(phi + d) - f(phi - d)) / (2.0 * d);
    let (x_rate, tilt_rate) = (slope(&position) * omega, slope(&tilt) * omega);
    let rod_x = |phi: f64| r * phi.cos() + 0.5 * l * tilt(phi).cos();
    let rod_y = |phi: f64| 0.5 * r * phi.sin();
    let (rod_vx, rod_vy) = (slope(&rod_x) * omega, slope(&rod_y) * omega);
    let crank_inertia = 2.0 * r * r / 3.0;
    let kinetic = 0.5 * crank_inertia * omega * omega
        + 0.5 * 3.0 * (rod_vx.powi(2) + rod_vy.powi(2))
        + 0.5 * (3.0 * l * l / 12.0) * tilt_rate.powi(2)
        + 0.5 * 4.0 * x_rate.powi(2);
    (kinetic, G * (2.0 * 0.5 * r * phi.sin() + 3.0 * rod_y(phi)))
}

#[test]
fn the_slider_crank_follows_its_closed_form() {
    let omega = 2.0;
    let (mut model, angle, _) = slider_crank(0.0);
    model.drive("motor", angle, TimeFunction::formula("2*t").unwrap()).unwrap();
    let mut system = model.assemble().unwrap();
    let start = system.start();
    let times: Vec<f64> = (0..=40).map(|k| 0.1 * k as f64).collect();
    let result = kinematics(&mut system, &start, &times).unwrap();
    let motor = (0..system.sizes().multipliers())
        .find(|i| system.name(Component::Constraint(*i)).starts_with("motor"))
        .unwrap();
    for (t, state) in times.iter().zip(&result.states) {
        let (phi, r, l) = (omega * t, 0.5_f64, 1.0_f64);
        let root = (l * l - (r * phi.sin()).powi(2)).sqrt();
        let x = r * phi.cos() + root;
        let rate = -r * phi.sin() - r * r * phi.sin() * phi.cos() / root;
        let bend = -r * phi.cos()
            - r * r * (2.0 * phi).cos() / root
            - (r * r * phi.sin() * phi.cos()).powi(2) / root.powi(3);
        assert!((state.q[6] - x).abs() < 1e-11, "position at {t}: {} {x}", state.q[6]);
        assert!((state.v[6] - omega * rate).abs() < 1e-10, "velocity at {t}");
        assert!((state.vdot[6] - omega * omega * bend).abs() < 1e-9, "acceleration at {t}");
        // power balance: torque · ω = rate of the energy
        let d = 1e-4;
        let energy = |phi: f64| {
            let (kinetic, potential) = slider_crank_energy(phi, omega);
            kinetic + potential
        };
        let torque = (energy(phi + d) - energy(phi - d)) / (2.0 * d);
        let found = state.multipliers[motor];
        assert!((found - torque).abs() < 1e-4 * (1.0 + torque.abs()), "torque {found} {torque}");
    }
    // the transient simulation needs the same torque
    let control = StepControl::Fixed { h: 1e-3 };
    let formulation = Formulation::Ggl { variant: GglVariant::MassWeighted };
    let coefficients = Coefficients::generalized_alpha(0.8).unwrap();
    let mut settings = Settings::new(formulation, coefficients, control);
    settings.until = 1.3;
    let outcome = simulate(&mut system, &result.states[0], &settings, &mut ()).unwrap();
    assert!(outcome.failure.is_none());
    let simulated = outcome.state.multipliers[motor];
    let found = result.states[13].multipliers[motor];
    assert!((simulated - found).abs() < 1e-3 * (1.0 + found.abs()), "{simulated} {found}");
}

#[test]
fn a_slider_driven_beyond_its_reach_locks_at_the_right_time() {
    let (mut model, _, travel) = slider_crank(1.0);
    let x = 0.5 * 1.0_f64.cos() + (1.0 - (0.5 * 1.0_f64.sin()).powi(2)).sqrt();
    let push = TimeFunction::formula(&format!("{x} + 0.5*t")).unwrap();
    model.drive("push", travel, push).unwrap();
    let mut system = model.assemble().unwrap();
    let start = system.start();
    let times = [0.1, 0.2, 5.0];
    let locked = kinematics(&mut system, &start, &times).unwrap_err();
    let expected = (1.5 - x) / 0.5;
    assert!((locked.t - expected).abs() < 1e-6, "{} {expected}", locked.t);
    assert!(locked.to_string().contains("push"), "{locked}");
    assert!(kinematics(&mut system, &start, &times[..2]).is_ok());
}

#[test]
fn what_is_not_driven_is_refused_by_name() {
    let mut system = chain(&[1.0], &[-1.0]).assemble().unwrap();
    let start = system.start();
    let refusal = kinematics(&mut system, &start, &[0.0, 1.0]).unwrap_err();
    assert_eq!(refusal.failure, Failure::Unsupported);
    assert!(refusal.to_string().contains("link 1: rotation about z"), "{refusal}");
}
