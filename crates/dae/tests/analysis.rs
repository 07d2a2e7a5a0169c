//! Analyses of systems written as formulas: rolling, states and variables, friction, nonsense.

use rotula_dae::analysis::{
    ModeKind, Relaxation, Stability, Weighting, assemble_position, check, kinematics, linearise,
    modes, statics,
};
use rotula_dae::automatic::{
    Arguments, Automatic, AuxiliaryArguments, Equations, MassMatrix, Scalar,
};
use rotula_dae::{Component, InitialPolicy, Sizes, State, System, make_consistent};
use std::f64::consts::TAU;

/// A skate (x, y, heading) whose heading is held by a spring.
struct Skate {
    mass: f64,
    inertia: f64,
    spring: f64,
}

impl Equations for Skate {
    fn sizes(&self) -> Sizes {
        Sizes { nonholonomic: 1, ..Sizes::vector(3) }
    }
    fn mass<T: Scalar>(&self, _t: T, _q: &[T], m: &mut MassMatrix<T>) {
        m.set(0, 0, self.mass);
        m.set(1, 1, self.mass);
        m.set(2, 2, self.inertia);
    }
    fn force<T: Scalar>(&self, at: &Arguments<T>, f: &mut [T]) {
        f[2] -= at.q[2] * self.spring;
    }
    fn nonholonomic<T: Scalar>(&self, _t: T, q: &[T], v: &[T], k: &mut [T]) {
        k[0] = v[1] * q[2].cos() - v[0] * q[2].sin();
    }
    fn name(&self, component: Component) -> String {
        match component {
            Component::Coordinate(i) => ["x", "y", "heading"][i].into(),
            _ => "no side slip".into(),
        }
    }
}

#[test]
fn a_skate_keeps_more_positions_than_velocities() {
    let (speed, omega) = (3.0, (8.0_f64 / 0.5).sqrt());
    let mut system = Automatic::new(Skate { mass: 2.0, inertia: 0.5, spring: 8.0 });
    let mut state = State::zeros(system.sizes());
    state.v[0] = speed;
    make_consistent(&mut system, &mut state, InitialPolicy::Refuse).unwrap();
    let report = check(&mut system, &state).unwrap();
    assert_eq!((report.freedoms, report.mobility), (2, 3));
    let small = linearise(&mut system, &state).unwrap();
    assert_eq!(small.dynamics.rows, 5);
    let found = modes(&mut system, &state).unwrap();
    let vibrations: Vec<_> =
        found.modes.iter().filter(|m| m.kind == ModeKind::Oscillation).collect();
    assert_eq!(vibrations.len(), 1, "{found}");
    assert!((vibrations[0].frequency - omega / TAU).abs() < 1e-12, "{found}");
    // sideways y' = V θ: a quarter period behind, V/ω times as large
    let [y, heading] = [1, 2].map(|i| vibrations[0].shape[i]);
    let size = |c: [f64; 2]| c[0].hypot(c[1]);
    assert!((size(y) / size(heading) - speed / omega).abs() < 1e-10);
    assert!((y[0] * heading[0] + y[1] * heading[1]).abs() < 1e-10);
    let rigid = found.modes.iter().filter(|m| m.kind == ModeKind::RigidBody).count();
    assert_eq!(rigid, 2, "{found}");
}

/// A mass pulled back by a force that lags: `T ẋ = q − x`, `y = k x`, `m q̈ = −y`.
struct Lagging {
    mass: f64,
    lag: f64,
    gain: f64,
    target: f64,
}

impl Equations for Lagging {
    fn sizes(&self) -> Sizes {
        Sizes { states: 1, variables: 1, ..Sizes::vector(1) }
    }
    fn mass<T: Scalar>(&self, _t: T, _q: &[T], m: &mut MassMatrix<T>) {
        m.set(0, 0, self.mass);
    }
    fn force<T: Scalar>(&self, at: &Arguments<T>, f: &mut [T]) {
        f[0] -= at.y[0];
    }
    fn auxiliary<T: Scalar>(&self, at: &AuxiliaryArguments<T>, e: &mut [T]) {
        e[0] = at.xdot[0] * self.lag + at.x[0] - at.q[0];
        e[1] = at.y[0] - (at.x[0] - self.target) * self.gain;
    }
}

#[test]
fn states_take_part_in_modes_and_equilibria() {
    let (mass, lag, gain, target) = (2.0, 0.1, 50.0, 0.7);
    let mut system = Automatic::new(Lagging { mass, lag, gain, target });
    let mut start = State::zeros(system.sizes());
    start.q[0] = 3.0;
    let rest = statics(&mut system, &start, Relaxation::IfNeeded).unwrap();
    assert!((rest.state.q[0] - target).abs() < 1e-12 && (rest.state.x[0] - target).abs() < 1e-12);
    // the stiffness is positive, yet the lag drives it away
    assert_eq!(rest.stability, Stability::Unstable, "{rest}");
    let found = modes(&mut system, &rest.state).unwrap();
    assert_eq!(found.modes.len(), 2, "{found}");
    for mode in &found.modes {
        // m T s³ + m s² + k = 0
        let [re, im] = mode.eigenvalue;
        let (re2, im2) = (re * re - im * im, 2.0 * re * im);
        let (re3, im3) = (re2 * re - im2 * im, re2 * im + im2 * re);
        let real = mass * lag * re3 + mass * re2 + gain;
        let imaginary = mass * lag * im3 + mass * im2;
        assert!(real.abs() < 1e-10 * gain && imaginary.abs() < 1e-10 * gain, "{found}");
        assert_eq!(mode.unstable, re > 0.0);
    }
    assert!(found.modes.iter().any(|m| m.unstable));
}

/// A block pushed along a table: `x = sin t`, `y = 0`, friction `μ λ_y` against the motion.
struct Pushed;

impl Equations for Pushed {
    fn sizes(&self) -> Sizes {
        Sizes { holonomic: 2, ..Sizes::vector(2) }
    }
    fn mass<T: Scalar>(&self, _t: T, _q: &[T], m: &mut MassMatrix<T>) {
        m.set(0, 0, 2.0);
        m.set(1, 1, 2.0);
    }
    fn force<T: Scalar>(&self, at: &Arguments<T>, f: &mut [T]) {
        f[0] -= at.multipliers[1] * 0.3;
        f[1] -= 2.0 * 9.81;
    }
    fn holonomic<T: Scalar>(&self, t: T, q: &[T], g: &mut [T]) {
        g[0] = q[0] - t.sin();
        g[1] = q[1];
    }
    fn depends_on_multipliers(&self) -> bool {
        true
    }
}

#[test]
fn inverse_dynamics_sees_friction() {
    let mut system = Automatic::new(Pushed);
    let start = State::zeros(system.sizes());
    let times = [0.0, 0.4, 0.8, 1.2];
    let found = kinematics(&mut system, &start, &times).unwrap();
    for (t, state) in times.iter().zip(&found.states) {
        assert!((state.q[0] - t.sin()).abs() < 1e-12 && (state.v[0] - t.cos()).abs() < 1e-12);
        let push = -2.0 * t.sin() + 0.3 * 2.0 * 9.81;
        assert!((state.multipliers[0] - push).abs() < 1e-11, "at {t}");
    }
    let backwards = kinematics(&mut system, &start, &[0.4, 0.1]).unwrap_err();
    assert!(backwards.message.contains("must rise"), "{backwards}");
}

/// One coordinate that shall be 0 and 1 at once.
struct Torn;

impl Equations for Torn {
    fn sizes(&self) -> Sizes {
        Sizes { holonomic: 2, ..Sizes::vector(2) }
    }
    fn mass<T: Scalar>(&self, _t: T, _q: &[T], m: &mut MassMatrix<T>) {
        m.set(0, 0, 1.0);
        m.set(1, 1, 1.0);
    }
    fn force<T: Scalar>(&self, _at: &Arguments<T>, _f: &mut [T]) {}
    fn holonomic<T: Scalar>(&self, _t: T, q: &[T], g: &mut [T]) {
        g[0] = q[0];
        g[1] = q[0] - 1.0;
    }
    fn name(&self, component: Component) -> String {
        match component {
            Component::Constraint(i) => ["left wall", "right wall"][i].into(),
            Component::Coordinate(i) => ["x", "y"][i].into(),
            _ => String::new(),
        }
    }
}

#[test]
fn contradictions_are_named() {
    let mut system = Automatic::new(Torn);
    let mut state = State::zeros(system.sizes());
    let refusal = assemble_position(&mut system, &mut state, Weighting::Unit).unwrap_err();
    let text = refusal.to_string();
    assert!(text.contains("`left wall`") && text.contains("`right wall`"), "{text}");
    let report = check(&mut system, &state).unwrap();
    assert!(report.initial.impossible.is_some());
    assert_eq!(report.redundant.len(), 1);
    assert!((report.redundant[0].mismatch + 1.0).abs() < 1e-12, "{report}");
    assert!(report.to_string().contains("`right wall` repeats `left wall`, and contradicts"));
}
