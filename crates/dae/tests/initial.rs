//! Consistent starts: projection, refusal, and what is said about them.

mod problems;
use problems::*;
use rotula_dae::automatic::{Arguments, Automatic, Equations, MassMatrix, Scalar};
use rotula_dae::*;

/// A bead on a wire whose height is prescribed in time: `y = sin(2t)`, and `x² + y² = 4`.
struct Driven;

impl Equations for Driven {
    fn sizes(&self) -> Sizes {
        Sizes { holonomic: 2, ..Sizes::vector(3) }
    }
    fn mass<T: Scalar>(&self, _t: T, _q: &[T], m: &mut MassMatrix<T>) {
        for i in 0..3 {
            m.set(i, i, 1.5);
        }
    }
    fn force<T: Scalar>(&self, _at: &Arguments<T>, f: &mut [T]) {
        f[2] -= 9.81 * 1.5;
    }
    fn holonomic<T: Scalar>(&self, t: T, q: &[T], g: &mut [T]) {
        g[0] = q[1] - (t * 2.0).sin();
        g[1] = (q[0] * q[0] + q[1] * q[1] - 4.0) * 0.5;
    }
    fn name(&self, component: Component) -> String {
        match component {
            Component::Constraint(0) => "drive".into(),
            Component::Constraint(_) => "wire".into(),
            Component::Coordinate(i) => ["x", "y", "z"][i].into(),
            _ => String::new(),
        }
    }
}

#[test]
fn projection_meets_time_dependent_constraints_at_all_levels() {
    let mut system = Automatic::new(Driven);
    let mut state = State::zeros(system.sizes());
    state.t = 0.4;
    state.q = vec![1.5, 0.9, 0.2];
    state.v = vec![0.3, 1.0, -1.0];
    let report = make_consistent(&mut system, &mut state, InitialPolicy::Project).unwrap();
    let y: f64 = (0.8f64).sin();
    assert!((state.q[1] - y).abs() < 1e-14);
    assert!((state.q[0] - (4.0 - y * y).sqrt()).abs() < 1e-13);
    assert!((state.v[1] - 2.0 * (0.8f64).cos()).abs() < 1e-13);
    assert!((state.vdot[1] + 4.0 * y).abs() < 1e-12);
    assert_eq!(state.q[2], 0.2);
    assert!((state.vdot[2] + 9.81).abs() < 1e-12);
    let names: Vec<_> = report.moved.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["x", "y"]);
    let names: Vec<_> = report.accelerated.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["x'", "y'"]);
}

#[test]
fn inconsistent_starts_are_refused_by_name_with_what_projection_would_do() {
    let mut system = Automatic::new(Driven);
    let mut state = State::zeros(system.sizes());
    state.q = vec![2.0, 0.1, 0.0];
    let refusal = make_consistent(&mut system, &mut state, InitialPolicy::Refuse).unwrap_err();
    assert_eq!(refusal.failure, Failure::InconsistentStart);
    assert!(refusal.message.contains("`drive`"), "{refusal}");
    assert!(refusal.evidence.iter().any(|e| e.contains("change y by")), "{refusal}");
    assert!(refusal.remedies.iter().any(|r| r.contains("project")), "{refusal}");

    state.q = vec![2.0, 0.0, 0.0];
    state.v = vec![0.0, 1.0, 0.0];
    let refusal = make_consistent(&mut system, &mut state, InitialPolicy::Refuse).unwrap_err();
    assert!(refusal.message.contains("velocity"), "{refusal}");
}

/// The same constraint twice.
struct Doubled;

impl Equations for Doubled {
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
        g[1] = q[0] * 3.0;
    }
}

#[test]
fn redundant_constraints_are_named() {
    let mut system = Automatic::new(Doubled);
    let mut state = State::zeros(system.sizes());
    let refusal = make_consistent(&mut system, &mut state, InitialPolicy::Refuse).unwrap_err();
    assert_eq!(refusal.failure, Failure::RedundantConstraints);
    assert!(refusal.evidence[0].contains("constraint 2"), "{refusal}");
}

/// A coordinate without mass and without constraint.
struct Massless;

impl Equations for Massless {
    fn sizes(&self) -> Sizes {
        Sizes::vector(2)
    }
    fn mass<T: Scalar>(&self, _t: T, _q: &[T], m: &mut MassMatrix<T>) {
        m.set(0, 0, 1.0);
    }
    fn force<T: Scalar>(&self, _at: &Arguments<T>, f: &mut [T]) {
        f[1] += 1.0;
    }
}

#[test]
fn a_massless_free_direction_is_named() {
    let mut system = Automatic::new(Massless);
    let mut state = State::zeros(system.sizes());
    let refusal = make_consistent(&mut system, &mut state, InitialPolicy::Refuse).unwrap_err();
    assert_eq!(refusal.failure, Failure::SingularMass);
    assert!(refusal.message.contains("coordinate 2"), "{refusal}");
}

#[test]
fn accelerations_and_multipliers_of_the_pendulum_are_those_of_document_001() {
    let (mut system, mut state) = pendulum16();
    make_consistent(&mut system, &mut state, InitialPolicy::Refuse).unwrap();
    assert!(distance(&state.vdot, &[-75.0, 200.0, -37.5]) < 1e-11);
    // The document's multipliers have the opposite sign.
    assert!(distance(&state.multipliers, &[-375.0, 1049.05]) < 1e-10);
}
