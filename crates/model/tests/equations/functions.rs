//! Functions of a program, beside the same as formulas: every block that integrators ask for agrees.

use rotula_dae::{Level, Point, StateWeights, System, Terms, Weights};
use rotula_model::equations::{EquationFunction, EquationSystem, Function, Model, Role};
use rotula_model::reading::Document;
use std::sync::Arc;

/// A closure of numbers.
struct Of<F>(F);

impl<F: Fn(&[f64], &mut [f64]) + Send + Sync> EquationFunction for Of<F> {
    fn values(&self, inputs: &[f64], out: &mut [f64]) {
        (self.0)(inputs, out);
    }
}

fn function(
    name: &str,
    of: &[&str],
    (rows, role): (usize, Role),
    values: impl Fn(&[f64], &mut [f64]) + Send + Sync + 'static,
) -> Function {
    let of = of.iter().map(|name| (*name).to_owned()).collect();
    Function { name: name.into(), of, rows, role, function: Arc::new(Of(values)) }
}

const FRAME: &str = r#"
    [coordinates]
    x = { at = 0.7, velocity = 0.2 }
    y = { at = -0.4, velocity = 0.5, scale = 0.5 }
    [mass]
    x = 2
    y = 3
    [state]
    s = { at = 0.3, rate = "push - s" }
    [variable]
    w = "x + push^2"
    [nonholonomic]
    roll = "turn*x' - y'"
    [solve]
    until = 1
"#;

const FORMULAS: &str = r#"
    [force]
    x = "push*x"
    y = "cos(t) + sin(x)*y' + w"
    [constraint]
    rod = "exp(x)*y^2 - cos(2*t)*x"
    [define]
    push = "sin(3*x) - y'^2*s"
    turn = "x*y + 0.3*t"
"#;

/// The same with `push` and `turn`, a force and the constraint as functions.
fn with_functions() -> EquationSystem {
    let functions = [
        function("push", &["x", "y'", "s"], (1, Role::Variable), |a, out| {
            out[0] = (3.0 * a[0]).sin() - a[1] * a[1] * a[2];
        }),
        function("turn", &["t", "y", "x"], (1, Role::Variable), |a, out| {
            out[0] = a[2] * a[1] + 0.3 * a[0];
        }),
        function("pull", &["t", "x", "y'"], (1, Role::Force(vec!["y".into()])), |a, out| {
            out[0] = a[0].cos() + a[1].sin() * a[2];
        }),
        function("rod", &["t", "x", "y"], (1, Role::Constraint), |a, out| {
            out[0] = a[1].exp() * a[2] * a[2] - (2.0 * a[0]).cos() * a[1];
        }),
    ];
    let text = format!("{FRAME}\n[force]\nx = \"push*x\"\ny = \"w\"\n");
    Model::of(&Document::parse(&text, "model.toml").unwrap(), &[], &functions).unwrap().system()
}

fn agree(what: &str, one: &[f64], other: &[f64], tolerance: f64) {
    assert_eq!(one.len(), other.len(), "{what}");
    for (k, (a, b)) in one.iter().zip(other).enumerate() {
        assert!((a - b).abs() < tolerance, "{what} [{k}]: {a} is not {b}");
    }
}

#[test]
fn functions_are_worth_their_formulas() {
    let text = format!("{FRAME}{FORMULAS}");
    let mut plain = Model::parse(&text, "model.toml", &[]).unwrap().system();
    let mut own = with_functions();
    assert_eq!(plain.sizes(), own.sizes());
    let (patterns, others) = (plain.patterns(), own.patterns());
    for (t, seed) in [(0.0, 0.3), (0.4, -0.7)] {
        let number = |k: usize| (seed * (k as f64 + 1.3)).sin();
        let numbers = |from: usize, count: usize| (from..from + count).map(number).collect();
        let [q, v, vdot]: [Vec<f64>; 3] = [numbers(0, 2), numbers(2, 2), numbers(4, 2)];
        let [multipliers, x, xdot, y]: [Vec<f64>; 4] =
            [numbers(6, 2), numbers(8, 1), numbers(9, 1), numbers(10, 1)];
        let at = Point {
            t,
            q: &q,
            v: &v,
            vdot: &vdot,
            multipliers: &multipliers,
            x: &x,
            xdot: &xdot,
            y: &y,
            increment: &[0.0; 2],
        };
        let mut rows = [[0.0; 2]; 2];
        plain.dynamics(&at, Terms::ALL, &mut rows[0]);
        own.dynamics(&at, Terms::ALL, &mut rows[1]);
        agree("dynamics", &rows[0], &rows[1], 1e-9);
        let weights = Weights { mass: 0.7, damping: 1.1, stiffness: 0.9 };
        let dense = |pattern: &rotula_linear::Pattern, values: &[f64]| -> Vec<f64> {
            let mut out = vec![0.0; pattern.rows() * pattern.cols()];
            for column in 0..pattern.cols() {
                for row in 0..pattern.rows() {
                    if let Some(place) = pattern.position(row, column) {
                        out[column * pattern.rows() + row] = values[place];
                    }
                }
            }
            out
        };
        let mut values =
            [vec![0.0; patterns.dynamics.entries()], vec![0.0; others.dynamics.entries()]];
        plain.tangent(&at, weights, Terms::ALL, &mut values[0]);
        own.tangent(&at, weights, Terms::ALL, &mut values[1]);
        let [a, b] = [dense(&patterns.dynamics, &values[0]), dense(&others.dynamics, &values[1])];
        agree("tangent", &a, &b, 2e-8);
        for level in [Level::Position, Level::Velocity, Level::Acceleration] {
            let count = if level == Level::Position { 1 } else { 2 };
            let mut rows = [[0.0; 2]; 2];
            plain.constraint(level, &at, &mut rows[0][..count]);
            own.constraint(level, &at, &mut rows[1][..count]);
            agree(&format!("{level:?}"), &rows[0], &rows[1], 1e-9);
            let mut values = [
                vec![0.0; patterns.constraints.entries()],
                vec![0.0; others.constraints.entries()],
            ];
            // third derivatives, which only speed up an iteration, are not known
            let stiffness = if level == Level::Acceleration { 0.0 } else { 0.9 };
            let weights = Weights { stiffness, ..weights };
            plain.constraint_tangent(level, &at, weights, &mut values[0]);
            own.constraint_tangent(level, &at, weights, &mut values[1]);
            let [a, b] =
                [dense(&patterns.constraints, &values[0]), dense(&others.constraints, &values[1])];
            agree(&format!("tangent at {level:?}"), &a, &b, 1e-8);
        }
        let mut rows = [[0.0; 2]; 2];
        plain.auxiliary(&at, &mut rows[0]);
        own.auxiliary(&at, &mut rows[1]);
        agree("auxiliary", &rows[0], &rows[1], 1e-12);
        let states = StateWeights { rate: 1.0, state: 0.4 };
        let mut values =
            [vec![0.0; patterns.auxiliary.entries()], vec![0.0; others.auxiliary.entries()]];
        let (mut plain_values, mut own_values) = (
            vec![0.0; patterns.auxiliary_motion.entries()],
            vec![0.0; others.auxiliary_motion.entries()],
        );
        let mut none = vec![0.0; patterns.auxiliary_multipliers.entries()];
        plain.auxiliary_tangent(&at, weights, states, &mut plain_values, &mut none, &mut values[0]);
        own.auxiliary_tangent(&at, weights, states, &mut own_values, &mut none, &mut values[1]);
        let [a, b] = [
            dense(&patterns.auxiliary_motion, &plain_values),
            dense(&others.auxiliary_motion, &own_values),
        ];
        agree("auxiliary tangent", &a, &b, 1e-8);
        let [a, b] = [dense(&patterns.auxiliary, &values[0]), dense(&others.auxiliary, &values[1])];
        agree("auxiliary own", &a, &b, 1e-8);
    }
}
