//! All derivatives of a system against differences.

use super::differences::{Move, auxiliary, compare, motion, multiplier, ordinary};
use rotula_dae::automatic::{Automatic, Equations};
use rotula_dae::{Level, State, StateWeights, System, Terms, Weights};

const WEIGHTS: [Weights; 5] = [
    Weights::MASS,
    Weights::DAMPING,
    Weights::STIFFNESS,
    Weights { mass: 1.0, damping: 0.5, stiffness: 0.0 },
    Weights { mass: 0.7, damping: -0.4, stiffness: 1.3 },
];

const TERMS: [Terms; 6] = [
    Terms::ALL,
    Terms::WITHOUT_REACTIONS,
    Terms::WITHOUT_INERTIA,
    Terms::INERTIA,
    Terms::WITHOUT_FORCES,
    Terms { inertia: false, forces: false, reactions: true },
];

fn check_motion<E: Equations + Clone>(equations: &E) {
    let mut system = Automatic::new(equations.clone());
    let mut other = system.clone();
    let sizes = system.sizes();
    let (n, m) = (sizes.motion, sizes.multipliers());
    let state = ordinary(sizes);
    for terms in TERMS {
        let mut values = vec![f64::NAN; n * n];
        for w in WEIGHTS {
            let moves = (0..n).map(|j| motion(w, j)).collect();
            system.tangent(&state.point(), w, terms, &mut values);
            compare("tangent", &values, n, &state, moves, |s, out| {
                other.dynamics(&s.point(), terms, out)
            });
        }
    }
    let mut all = |s: &State, out: &mut [f64]| other.dynamics(&s.point(), Terms::ALL, out);
    let mut values = vec![f64::NAN; n * m];
    system.reactions(&state.point(), &mut values);
    let moves = (0..m).map(multiplier).collect();
    compare("reactions", &values, n, &state, moves, &mut all);
    let w = StateWeights { rate: 0.8, state: -0.3 };
    let mut values = vec![f64::NAN; n * sizes.auxiliary()];
    system.dynamics_auxiliary(&state.point(), w, &mut values);
    let moves = (0..sizes.auxiliary()).map(|j| auxiliary(sizes, w, j)).collect();
    compare("dynamics_auxiliary", &values, n, &state, moves, &mut all);
}

fn check_constraints<E: Equations + Clone>(equations: &E) {
    let mut system = Automatic::new(equations.clone());
    let mut other = system.clone();
    let sizes = system.sizes();
    let (n, m) = (sizes.motion, sizes.multipliers());
    let state = ordinary(sizes);
    let mut values = vec![f64::NAN; m * n];
    for (level, rows) in
        [(Level::Position, sizes.holonomic), (Level::Velocity, m), (Level::Acceleration, m)]
    {
        let mut residual =
            |s: &State, out: &mut [f64]| other.constraint(level, &s.point(), &mut out[..rows]);
        for w in WEIGHTS {
            let moves = (0..n).map(|j| motion(w, j)).collect();
            system.constraint_tangent(level, &state.point(), w, &mut values);
            compare("constraint_tangent", &values, m, &state, moves, &mut residual);
        }
        if level == Level::Velocity {
            system.constraint_gradient(&state.point(), &mut values);
            let moves = (0..n).map(|j| motion(Weights::DAMPING, j)).collect();
            compare("constraint_gradient", &values, m, &state, moves, &mut residual);
        }
    }
    // The residuals themselves: each level is the rate of the one before.
    let along = || -> Move {
        Box::new(|s: &mut State, h| {
            s.t += h;
            for i in 0..s.q.len() {
                s.q[i] += h * s.v[i] + 0.5 * h * h * s.vdot[i];
                s.v[i] += h * s.vdot[i];
            }
        })
    };
    let mut rates = vec![f64::NAN; m];
    system.constraint(Level::Velocity, &state.point(), &mut rates);
    let g = sizes.holonomic;
    compare("velocity level", &rates[..g], g, &state, vec![along()], |s, out| {
        other.constraint(Level::Position, &s.point(), out)
    });
    system.constraint(Level::Acceleration, &state.point(), &mut rates);
    compare("acceleration level", &rates, m, &state, vec![along()], |s, out| {
        other.constraint(Level::Velocity, &s.point(), out)
    });
    let mut values = vec![0.0; g];
    let mut expected = vec![0.0; g];
    system.constraint(Level::Position, &state.point(), &mut values);
    equations.holonomic(state.t, &state.q, &mut expected);
    assert_eq!(values, expected);
}

fn check_auxiliary<E: Equations + Clone>(equations: &E) {
    let mut system = Automatic::new(equations.clone());
    let mut other = system.clone();
    let sizes = system.sizes();
    let (n, m, a) = (sizes.motion, sizes.multipliers(), sizes.auxiliary());
    let state = ordinary(sizes);
    let mut residual = |s: &State, out: &mut [f64]| other.auxiliary(&s.point(), out);
    let [mut d_motion, mut d_multipliers, mut d_auxiliary] =
        [n, m, a].map(|columns| vec![f64::NAN; a * columns]);
    for w in WEIGHTS {
        let states = StateWeights { rate: 0.8, state: -0.3 };
        system.auxiliary_tangent(
            &state.point(),
            w,
            states,
            &mut d_motion,
            &mut d_multipliers,
            &mut d_auxiliary,
        );
        let moves = (0..n).map(|j| motion(w, j)).collect();
        compare("auxiliary by motion", &d_motion, a, &state, moves, &mut residual);
        let moves = (0..m).map(multiplier).collect();
        compare("auxiliary by multipliers", &d_multipliers, a, &state, moves, &mut residual);
        let moves = (0..a).map(|j| auxiliary(sizes, states, j)).collect();
        compare("auxiliary by itself", &d_auxiliary, a, &state, moves, &mut residual);
    }
}

/// Compares every derivative of a system with differences.
pub fn check_all<E: Equations + Clone>(equations: &E) {
    check_motion(equations);
    check_constraints(equations);
    check_auxiliary(equations);
}
