//! Every derivative of an equation system against finite differences of the function it belongs to.

use rotula_dae::*;
use rotula_linear::Pattern;
use rotula_model::equations::{EquationSystem, Model};

const DRIVEN_PENDULUM: &str = r#"
[parameters]
m = 5.0
L = 2.0
J = "m*L^2/3"
[coordinates]
x = { at = 0, velocity = 20 }
y = { at = "-L", velocity = 0 }
theta = { at = 4.5, velocity = 10 }
[mass]
x = "m"
y = "m"
theta = "J"
[force]
y = "-9.81*m"
theta = "-3*theta' - 30*(theta - 3*pi/2) + 2*sin(3*t)*theta'^2"
[constraint]
pin_x = "x - 0.3*sin(2*t) - L*cos(theta)"
pin_y = "y - L*sin(theta + 0.1*t^2)*exp(-0.2*t)"
[energy]
potential = "9.81*m*y"
power = "-3*theta'^2"
[solve]
until = 1.0
"#;

const DOUBLE_PENDULUM: &str = r#"
[parameters]
l = 0.7
[define]
delta = "a - b"
[coordinates]
a = { at = 0.4, velocity = 1 }
b = { at = -0.8, velocity = 2 }
c = { at = 0.2, velocity = -1 }
[mass]
a = "2*l^2 + 0.1*sin(t)"
b = "l^2 + 0.3*c^2"
c = "1 + 0.5*cos(a)^2"
"a, b" = "l^2*cos(delta)"
"c,a" = "0.1*b*c"
[force]
a = "-l^2*b'^2*sin(delta) - 2*9.81*l*sin(a)"
b = "l^2*a'^2*sin(delta) - 9.81*l*sin(b) + c*a'*b'"
c = "-tanh(c' - a')"
[constraint]
cam = "c - 0.3*sin(a)*cos(b) - 0.1*t"
[energy]
[solve]
until = 1.0
"#;

const SKATE: &str = r#"
[coordinates]
x = { at = 0, velocity = 1 }
y = { at = 0, velocity = 0 }
phi = { at = 0.2, velocity = 2 }
[mass]
x = 1.5
y = 1.5
phi = "0.4 + 0.1*x^2"
[force]
x = "1.5*9.81*sin(0.3)"
phi = "-0.1*phi'*abs(phi')"
[constraint]
rail = "x^2 + y^2 - 4*(1 + 0.1*t)^2"
[nonholonomic]
knife = "-x'*sin(phi) + y'*cos(phi) + 0.1*t"
speed = "x'^2 + y'^2*(1 + x^2) - (1 + 0.2*sin(t))^2"
[solve]
until = 1.0
"#;

const FRICTION: &str = r#"
[parameters]
mu = 0.3
[coordinates]
x = { at = 0, velocity = 1 }
y = { at = 0, velocity = 0 }
z = { at = 0.5, velocity = 0 }
[mass]
x = 1
y = "1 + 0.2*x^2"
z = 2
[force]
x = "-mu*sqrt(lambda.slope^2 + 1)*tanh(x') + lambda.servo*z^2"
y = "-9.81 + lambda.roll*lambda.slope*0.1"
z = "lambda.servo*(1 + x*y) - z*z'"
[constraint]
slope = "y + 0.5*x^2"
servo = { formula = "z - 0.1*x*t - 0.5*cos(t)", reaction = false, multiplier = 3.0 }
[nonholonomic]
roll = { formula = "x'*y + z'*x", reaction = true }
[solve]
until = 1.0
"#;

const CONTROLLED: &str = r#"
[parameters]
T = 0.2
[define]
error = "1 - theta + 0.1*flow*theta"
[coordinates]
theta = { at = 0, velocity = 0.5 }
s = { at = 0.3, velocity = 0 }
[mass]
theta = "1 + s^2"
s = 1
[force]
theta = "u - 0.2*theta'*flow + 0.1*lambda.link*u"
s = "-2*s*s' + 2*v2 + filter"
[constraint]
link = "s - 0.2*sin(theta + t)"
[state]
filter = { at = 0.1, rate = "(u - filter)/T + 0.05*theta''*s + 0.3*lambda.link" }
flow = { at = 0.4, residual = "flow'*(1 + flow^2) + flow^3 - u*filter' + theta'*t", rate = 0.1 }
[variable]
u = "3*error - 0.4*theta' - 0.02*theta''*v2 + 0.1*filter'"
v2 = { formula = "0.5*sin(u)*flow + 0.01*lambda.link^2 - 0.1*s'*s''", guess = 0.2 }
[output]
total = "theta'' + u + lambda.link + flow'"
[solve]
until = 1.0
"#;

/// A point with generic values of everything.
fn generic(model: &Model) -> State {
    let mut state = model.initial_state();
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        0.2 + 1.1 * (seed >> 11) as f64 / (1u64 << 53) as f64
    };
    state.t = 0.37;
    for array in [
        &mut state.q,
        &mut state.v,
        &mut state.vdot,
        &mut state.multipliers,
        &mut state.x,
        &mut state.xdot,
        &mut state.y,
    ] {
        array.iter_mut().for_each(|value| *value = next());
    }
    state
}

type Select = fn(&mut State) -> &mut Vec<f64>;
const Q: Select = |s| &mut s.q;
const V: Select = |s| &mut s.v;
const VDOT: Select = |s| &mut s.vdot;
const MULTIPLIERS: Select = |s| &mut s.multipliers;
const X: Select = |s| &mut s.x;
const XDOT: Select = |s| &mut s.xdot;
const Y: Select = |s| &mut s.y;

type Function<'a> = dyn Fn(&mut EquationSystem, &Point, &mut [f64]) + 'a;

/// Column-major `rows × n` differences of fourth order.
fn differences(
    system: &mut EquationSystem,
    state: &State,
    select: Select,
    rows: usize,
    f: &Function,
) -> Vec<f64> {
    let mut moved = state.clone();
    let n = select(&mut moved).len();
    let mut matrix = vec![0.0; rows * n];
    let h = 1e-3;
    for j in 0..n {
        for (steps, weight) in [(1.0, 8.0), (-1.0, -8.0), (2.0, -1.0), (-2.0, 1.0)] {
            let mut at = state.clone();
            select(&mut at)[j] += steps * h;
            let mut out = vec![0.0; rows];
            f(system, &at.point(), &mut out);
            for (entry, value) in matrix[j * rows..].iter_mut().zip(out) {
                *entry += weight * value / (12.0 * h);
            }
        }
    }
    moved.copy_from(state);
    matrix
}

fn dense(pattern: &Pattern, values: &[f64]) -> Vec<f64> {
    let mut matrix = vec![0.0; pattern.rows() * pattern.cols()];
    for ((row, column), value) in pattern.iter().zip(values) {
        matrix[column * pattern.rows() + row] = *value;
    }
    matrix
}

fn combine(parts: &[(f64, &[f64])]) -> Vec<f64> {
    let mut sum = vec![0.0; parts[0].1.len()];
    for (weight, part) in parts {
        sum.iter_mut().zip(*part).for_each(|(s, p)| *s += weight * p);
    }
    sum
}

#[track_caller]
fn close(what: &str, found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let size = expected.iter().fold(1.0_f64, |most, value| most.max(value.abs()));
    for (k, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!((a - b).abs() <= 1e-7 * size, "{what}: entry {k} is {a}, expected {b}");
    }
}

const WEIGHTS: [Weights; 6] = [
    Weights::MASS,
    Weights::DAMPING,
    Weights::STIFFNESS,
    Weights { mass: 0.7, damping: -1.3, stiffness: 2.1 },
    Weights { mass: 0.0, damping: 0.4, stiffness: 0.9 },
    Weights { mass: 0.0, damping: 0.0, stiffness: 0.0 },
];

fn all_terms() -> impl Iterator<Item = Terms> {
    (0..8).map(|mask| Terms {
        inertia: mask & 1 > 0,
        forces: mask & 2 > 0,
        reactions: mask & 4 > 0,
    })
}

fn check(name: &str, text: &str) {
    let model = Model::parse(text, name, &[]).unwrap();
    let mut system = model.system();
    let sizes = system.sizes();
    let patterns = system.patterns();
    let state = generic(&model);
    let (n, m, a) = (sizes.motion, sizes.multipliers(), sizes.auxiliary());
    let at = state.point();

    let mut whole = vec![0.0; n];
    for terms in all_terms() {
        let f = |s: &mut EquationSystem, p: &Point, out: &mut [f64]| s.dynamics(p, terms, out);
        let [by_vdot, by_v, by_q] =
            [VDOT, V, Q].map(|select| differences(&mut system, &state, select, n, &f));
        for weights in WEIGHTS {
            let mut values = vec![f64::NAN; patterns.dynamics.entries()];
            system.tangent(&at, weights, terms, &mut values);
            let expected = combine(&[
                (weights.mass, &by_vdot),
                (weights.damping, &by_v),
                (weights.stiffness, &by_q),
            ]);
            close(
                &format!("{name}: tangent {terms:?}"),
                &dense(&patterns.dynamics, &values),
                &expected,
            );
        }
        if [terms.inertia, terms.forces, terms.reactions].iter().filter(|&&on| on).count() == 1 {
            let mut part = vec![f64::NAN; n];
            system.dynamics(&at, terms, &mut part);
            whole.iter_mut().zip(part).for_each(|(w, p)| *w += p);
        }
    }
    let mut sum = vec![f64::NAN; n];
    system.dynamics(&at, Terms::ALL, &mut sum);
    close(&format!("{name}: sum of terms"), &sum, &whole);

    let all = |s: &mut EquationSystem, p: &Point, out: &mut [f64]| s.dynamics(p, Terms::ALL, out);
    let by_multiplier = differences(&mut system, &state, MULTIPLIERS, n, &all);
    let mut gradient = vec![f64::NAN; patterns.constraints.entries()];
    system.constraint_gradient(&at, &mut gradient);
    let gradient = dense(&patterns.constraints, &gradient);
    match &patterns.reactions {
        Some(pattern) => {
            let mut values = vec![f64::NAN; pattern.entries()];
            system.reactions(&at, &mut values);
            close(&format!("{name}: reactions"), &dense(pattern, &values), &by_multiplier);
        }
        None => {
            let transposed: Vec<f64> = (0..m)
                .flat_map(|c| (0..n).map(move |i| (c, i)))
                .map(|(c, i)| -gradient[i * m + c])
                .collect();
            close(&format!("{name}: reactions"), &transposed, &by_multiplier);
        }
    }

    let weights = StateWeights { rate: 1.7, state: -0.6 };
    let mut values = vec![f64::NAN; patterns.dynamics_auxiliary.entries()];
    system.dynamics_auxiliary(&at, weights, &mut values);
    let by_x = differences(&mut system, &state, X, n, &all);
    let by_y = differences(&mut system, &state, Y, n, &all);
    let mut expected = combine(&[(weights.state, &by_x)]);
    expected.extend(by_y);
    close(
        &format!("{name}: dynamics by auxiliary"),
        &dense(&patterns.dynamics_auxiliary, &values),
        &expected,
    );

    for level in [Level::Position, Level::Velocity, Level::Acceleration] {
        let rows = if level == Level::Position { sizes.holonomic } else { m };
        // shorter residuals at position level are padded with the zero rows of nonholonomic constraints
        let f = |s: &mut EquationSystem, p: &Point, out: &mut [f64]| {
            s.constraint(level, p, &mut out[..rows])
        };
        let [by_vdot, by_v, by_q] =
            [VDOT, V, Q].map(|select| differences(&mut system, &state, select, m, &f));
        for weights in WEIGHTS {
            let mut values = vec![f64::NAN; patterns.constraints.entries()];
            system.constraint_tangent(level, &at, weights, &mut values);
            let expected = combine(&[
                (weights.mass, &by_vdot),
                (weights.damping, &by_v),
                (weights.stiffness, &by_q),
            ]);
            close(&format!("{name}: {level:?}"), &dense(&patterns.constraints, &values), &expected);
        }
        if level == Level::Velocity {
            close(&format!("{name}: gradient"), &gradient, &by_v);
        }
    }
    check_rates(name, &mut system, &state);

    let f = |s: &mut EquationSystem, p: &Point, out: &mut [f64]| s.auxiliary(p, out);
    let mut by = |select| differences(&mut system, &state, select, a, &f);
    let [by_vdot, by_v, by_q] = [by(VDOT), by(V), by(Q)];
    let (by_multiplier, by_x, by_xdot, by_y) = (by(MULTIPLIERS), by(X), by(XDOT), by(Y));
    for motion_weights in WEIGHTS {
        let mut motion = vec![f64::NAN; patterns.auxiliary_motion.entries()];
        let mut multipliers = vec![f64::NAN; patterns.auxiliary_multipliers.entries()];
        let mut own = vec![f64::NAN; patterns.auxiliary.entries()];
        system.auxiliary_tangent(
            &at,
            motion_weights,
            weights,
            &mut motion,
            &mut multipliers,
            &mut own,
        );
        let expected = combine(&[
            (motion_weights.mass, &by_vdot),
            (motion_weights.damping, &by_v),
            (motion_weights.stiffness, &by_q),
        ]);
        close(name, &dense(&patterns.auxiliary_motion, &motion), &expected);
        close(name, &dense(&patterns.auxiliary_multipliers, &multipliers), &by_multiplier);
        let mut expected = combine(&[(weights.rate, &by_xdot), (weights.state, &by_x)]);
        expected.extend(&by_y);
        close(name, &dense(&patterns.auxiliary, &own), &expected);
    }
}

/// The velocity and acceleration levels are the rates of the level above, along a motion with the given rates.
fn check_rates(name: &str, system: &mut EquationSystem, state: &State) {
    let sizes = system.sizes();
    let (m, holonomic) = (sizes.multipliers(), sizes.holonomic);
    let along = |tau: f64| {
        let mut at = state.clone();
        at.t += tau;
        for i in 0..sizes.motion {
            at.q[i] += tau * state.v[i] + tau * tau / 2.0 * state.vdot[i];
            at.v[i] += tau * state.vdot[i];
        }
        at
    };
    let mut rate = |level: Level, rows: usize| {
        let h = 1e-3;
        let mut sum = vec![0.0; rows];
        for (steps, weight) in [(1.0, 8.0), (-1.0, -8.0), (2.0, -1.0), (-2.0, 1.0)] {
            let mut out = vec![0.0; rows];
            system.constraint(level, &along(steps * h).point(), &mut out);
            sum.iter_mut().zip(out).for_each(|(s, value)| *s += weight * value / (12.0 * h));
        }
        sum
    };
    let position_rate = rate(Level::Position, holonomic);
    let velocity_rate = rate(Level::Velocity, m);
    let (mut velocity, mut acceleration) = (vec![0.0; m], vec![0.0; m]);
    system.constraint(Level::Velocity, &state.point(), &mut velocity);
    system.constraint(Level::Acceleration, &state.point(), &mut acceleration);
    close(&format!("{name}: rate of position"), &velocity[..holonomic], &position_rate);
    close(&format!("{name}: rate of velocity"), &acceleration, &velocity_rate);
}

#[test]
fn driven_pendulum() {
    check("driven pendulum", DRIVEN_PENDULUM);
}

#[test]
fn double_pendulum_with_cam() {
    check("double pendulum", DOUBLE_PENDULUM);
}

#[test]
fn skate_with_nonlinear_nonholonomic_constraint() {
    check("skate", SKATE);
}

#[test]
fn forces_that_depend_on_multipliers() {
    check("friction", FRICTION);
}

#[test]
fn states_and_variables_with_feedback_of_accelerations() {
    check("controlled", CONTROLLED);
}

#[test]
fn default_kinetic_energy_is_that_of_the_mass_matrix() {
    let model = Model::parse(DOUBLE_PENDULUM, "double pendulum", &[]).unwrap();
    let mut system = model.system();
    let mut state = generic(&model);
    let energy = system.energy(&state.point()).unwrap();
    state.vdot = state.v.clone();
    let mut momentum = [0.0; 3];
    system.dynamics(&state.point(), Terms::INERTIA, &mut momentum);
    let kinetic = momentum.iter().zip(&state.v).map(|(p, v)| p * v / 2.0).sum::<f64>();
    assert!((energy.kinetic - kinetic).abs() < 1e-13);
    assert_eq!(energy.potential, 0.0);
    assert_eq!(system.power(&state.point()), None);
}

#[test]
fn patterns_hold_only_what_is_there() {
    let system = Model::parse(DRIVEN_PENDULUM, "pendulum", &[]).unwrap().system();
    let patterns = system.patterns();
    assert_eq!(patterns.dynamics.iter().collect::<Vec<_>>(), [(0, 0), (1, 1), (2, 2)]);
    let expected = [(0, 0), (1, 1), (0, 2), (1, 2)];
    assert_eq!(patterns.constraints.iter().collect::<Vec<_>>(), expected);
    assert!(patterns.reactions.is_none());
}
