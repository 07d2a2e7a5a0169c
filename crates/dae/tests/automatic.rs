//! Every derivative of automatic systems against central differences, and values against formulas.

#[path = "automatic/checks.rs"]
mod checks;
#[path = "automatic/differences.rs"]
mod differences;
#[path = "automatic/memory.rs"]
mod memory;
#[path = "automatic/systems.rs"]
mod systems;

use checks::check_all;
use differences::ordinary;
use rotula_dae::automatic::{Arguments, Automatic, Equations, MassMatrix};
use rotula_dae::{
    Energetics, Energy, Explanation, Level, State, StateWeights, System, Terms, Weights,
};
use systems::{Everything, JayNegrut, Skate, SliderCrank};

#[test]
fn slider_crank_derivatives() {
    check_all(&SliderCrank);
}

#[test]
fn skate_derivatives() {
    check_all(&Skate);
}

#[test]
fn jay_negrut_derivatives() {
    check_all(&JayNegrut);
}

#[test]
fn derivatives_of_everything() {
    check_all(&Everything);
}

fn assert_small(values: &[f64], what: &str) {
    assert!(values.iter().all(|v| v.abs() < 1e-13), "{what}: {values:?}");
}

#[test]
fn jay_negrut_solution_satisfies_everything() {
    let mut system = Automatic::new(JayNegrut);
    for t in [0.0_f64, 0.3, 0.7] {
        let (e, d) = (t.exp(), (-2.0 * t).exp());
        let mut state = State::zeros(system.sizes());
        state.t = t;
        state.q = vec![e, d];
        state.v = vec![e, -2.0 * d];
        state.vdot = vec![e, 4.0 * d];
        state.multipliers = vec![1.0 / e, e];
        let mut residual = [0.0; 2];
        system.dynamics(&state.point(), Terms::ALL, &mut residual);
        assert_small(&residual, "dynamics");
        for level in [Level::Velocity, Level::Acceleration] {
            system.constraint(level, &state.point(), &mut residual);
            assert_small(&residual, "constraint");
        }
    }
}

#[test]
fn skate_solution_satisfies_everything() {
    let mut system = Automatic::new(Skate);
    let (w, gs, u0) = (2.0, 4.905, 1.0);
    for t in [0.1_f64, 0.3] {
        let (s, c) = (w * t).sin_cos();
        let (u, du) = (u0 + gs / w * s, gs * c);
        let mut state = State::zeros(system.sizes());
        state.t = t;
        state.q = vec![0.0, 0.0, w * t];
        state.v = vec![u * c, u * s, w];
        state.vdot = vec![du * c - u * s * w, du * s + u * c * w, 0.0];
        state.multipliers = vec![2.0 * state.vdot[1] / c];
        let mut residual = [0.0; 3];
        system.dynamics(&state.point(), Terms::ALL, &mut residual);
        assert_small(&residual, "dynamics");
        for level in [Level::Velocity, Level::Acceleration] {
            system.constraint(level, &state.point(), &mut residual[..1]);
            assert_small(&residual[..1], "constraint");
        }
    }
}

#[test]
fn dynamics_are_mass_times_acceleration_minus_forces_and_reactions() {
    let mut system = Automatic::new(SliderCrank);
    let state = ordinary(system.sizes());
    let (mut mass, mut gradient, mut force) = (MassMatrix::zeros(3), [0.0; 6], [0.0; 3]);
    let State { t, q, v, vdot, multipliers, .. } = &state;
    SliderCrank.mass(*t, q, &mut mass);
    let at = Arguments { t: *t, q, v, multipliers: &[], x: &[], y: &[] };
    SliderCrank.force(&at, &mut force);
    system.constraint_gradient(&state.point(), &mut gradient);
    let mut residual = [0.0; 3];
    system.dynamics(&state.point(), Terms::ALL, &mut residual);
    for i in 0..3 {
        for j in 0..3 {
            residual[i] -= mass.get(i, j) * vdot[j];
        }
        residual[i] += force[i];
        for c in 0..2 {
            residual[i] += gradient[c + 2 * i] * multipliers[c];
        }
    }
    assert_small(&residual, "dynamics");
}

#[test]
fn reactions_are_declared() {
    assert!(Automatic::new(SliderCrank).patterns().reactions.is_none());
    assert!(Automatic::new(Skate).patterns().reactions.is_none());
    let pattern = Automatic::new(JayNegrut).patterns().reactions.unwrap();
    assert_eq!((pattern.rows(), pattern.cols(), pattern.entries()), (2, 2, 4));
}

#[test]
fn power_is_the_rate_of_energy() {
    let mut system = Automatic::new(SliderCrank);
    // With accelerations that satisfy the equations; the slider-crank's mass matrix couples two rows.
    let mut state = ordinary(system.sizes());
    state.vdot.fill(0.0);
    let (mut force, mut mass) = ([0.0; 3], [0.0; 9]);
    system.dynamics(&state.point(), Terms::ALL, &mut force);
    system.tangent(&state.point(), Weights::MASS, Terms::INERTIA, &mut mass);
    let determinant = mass[0] * mass[4] - mass[1] * mass[1];
    state.vdot[0] = -(mass[4] * force[0] - mass[1] * force[1]) / determinant;
    state.vdot[1] = -(mass[0] * force[1] - mass[1] * force[0]) / determinant;
    state.vdot[2] = -force[2] / mass[8];
    let mut energy = |h: f64| {
        let mut moved = state.clone();
        moved.t += h;
        for i in 0..3 {
            moved.q[i] += h * state.v[i] + 0.5 * h * h * state.vdot[i];
            moved.v[i] += h * state.vdot[i];
        }
        let Energy { kinetic, potential } = system.energy(&moved.point()).unwrap();
        kinetic + potential
    };
    let h = 1e-4;
    let rate = (energy(h) - energy(-h)) / (2.0 * h);
    let power = system.power(&state.point()).unwrap();
    assert!((rate - power).abs() < 1e-6 * power.abs().max(1.0), "{rate} {power}");
    assert!(Automatic::new(Skate).energy(&ordinary(Skate.sizes()).point()).is_none());
    assert!(Automatic::new(Skate).power(&ordinary(Skate.sizes()).point()).is_none());
}

#[test]
fn failures_are_explained() {
    let mut system = Automatic::new(Everything);
    let mut state = ordinary(system.sizes());
    assert_eq!(system.explain_not_finite(&state.point()), None);
    state.x[2] = 1e4;
    let text = system.explain_not_finite(&state.point()).unwrap();
    assert_eq!(text, "the force on coordinate 3 is inf");
    state.x[2] = 0.0;
    state.q[0] = -3.0 / (state.q[1] * state.q[5]) - 1.0;
    let text = system.explain_not_finite(&state.point()).unwrap();
    assert_eq!(text, "constraint 3 is NaN");
}

#[test]
fn no_memory_is_taken_after_construction() {
    let mut system = Automatic::new(Everything);
    let state = ordinary(system.sizes());
    let at = state.point();
    let weights = Weights { mass: 0.7, damping: -0.4, stiffness: 1.3 };
    let states = StateWeights { rate: 0.8, state: -0.3 };
    let mut values = [0.0; 49];
    let [mut a, mut b, mut c] = [[0.0; 42], [0.0; 42], [0.0; 42]];
    let mut crank = Automatic::new(SliderCrank);
    let crank_state = ordinary(crank.sizes());
    let taken = memory::taken_by(|| {
        system.dynamics(&at, Terms::ALL, &mut values[..6]);
        system.tangent(&at, weights, Terms::ALL, &mut values[..36]);
        system.reactions(&at, &mut values[..30]);
        system.constraint_gradient(&at, &mut values[..30]);
        for (level, rows) in [(Level::Position, 3), (Level::Velocity, 5), (Level::Acceleration, 5)]
        {
            system.constraint(level, &at, &mut values[..rows]);
            system.constraint_tangent(level, &at, weights, &mut values[..30]);
        }
        system.auxiliary(&at, &mut values[..7]);
        let blocks = (&mut a[..42], &mut b[..35], &mut values[..49]);
        system.auxiliary_tangent(&at, weights, states, blocks.0, blocks.1, blocks.2);
        system.dynamics_auxiliary(&at, states, &mut c[..42]);
        crank.energy(&crank_state.point());
        crank.power(&crank_state.point());
    });
    assert_eq!(taken, 0);
}
