//! Reading, overriding and explaining models.

use rotula_dae::*;
use rotula_model::equations::{Model, schema};

const MODEL: &str = r#"
title = "Slider"
description = "A mass on a spring."

[parameters]
k = "w^2*m"      # any order
w = 3.0
m = 2

[coordinates]
x = { at = "m/4", velocity = 0, acceleration = 7, scale = 0.1 }

[mass]
x = "m"

[force]
x = "-k*x + sqrt(1 - x^2) + u"

[constraint]
wall = { formula = "x - 0.5*cos(t)", multiplier = 4 }

[state]
s = { at = 2, rate = "-3*s + u" }
r = { at = 1, residual = "r'^3 + r' - x", rate = "m/8" }

[variable]
u = "w + v2"
v2 = "2*s"
loop = "loop/2 + 5*loop^3 + 1"

[events]
times = [2.0, "1/w", 2]

[output]
power = "x'*u"

[solve]
initial = "trust"
step = 1e-2
start = 0.5
until = 1.0
"#;

fn set(pairs: &[(&str, &str)]) -> Model {
    let pairs: Vec<_> = pairs.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    Model::parse(MODEL, "slider.toml", &pairs).unwrap()
}

#[test]
fn everything_in_the_file_arrives() {
    let model = set(&[]);
    assert_eq!(model.title, "Slider");
    assert_eq!(model.description.as_deref(), Some("A mass on a spring."));
    assert_eq!(model.parameters[0], ("k".into(), 18.0));
    let state = model.initial_state();
    assert_eq!((state.t, state.q[0], state.v[0], state.vdot[0]), (0.5, 0.5, 0.0, 7.0));
    assert_eq!(state.multipliers, [4.0]);
    assert_eq!(state.x, [2.0, 1.0]);
    // variables in the order of their dependence; one that depends on itself starts at zero
    assert_eq!(state.y, [7.0, 4.0, 0.0]);
    assert_eq!(state.xdot, [1.0, 0.25]);
    let mut system = model.system();
    assert_eq!(system.discontinuities(), [1.0 / 3.0, 2.0]);
    assert_eq!(system.scale(0), 0.1);
    assert_eq!(system.name(Component::Constraint(0)), "wall");
    assert_eq!(system.name(Component::Variable(2)), "loop");
    assert!(system.energy(&state.point()).is_none());
    let mut out = [f64::NAN];
    let mut moving = state.clone();
    moving.v[0] = 2.0;
    system.outputs(&moving.point(), &mut out);
    assert_eq!(out, [14.0]);
    assert_eq!(system.output_names().collect::<Vec<_>>(), ["power"]);
    assert_eq!(model.settings().unwrap().initial, InitialPolicy::Trust);
}

#[test]
fn overrides_take_the_place_of_values() {
    let model = set(&[
        ("parameters.w", "2*m"),
        ("coordinates.x.at", "0.25"),
        ("solve.tolerance", "1e-8"),
        ("solve.coefficients.hht", "-0.2"),
        ("solve.formulation", "hht-i3"),
        ("force.x", "lambda.wall - k*x"),
        ("variable.v2.guess", "3"),
        ("title", "Other"),
    ]);
    assert_eq!(model.title, "Other");
    assert_eq!(model.parameters[0].1, 32.0);
    assert_eq!(model.initial_state().q, [0.25]);
    assert_eq!(model.initial_state().y[1], 3.0);
    let settings = model.settings().unwrap();
    assert!(
        matches!(settings.control, StepControl::Tolerance(control) if control.tolerance == 1e-8)
    );
    assert_eq!(settings.coefficients, Coefficients::hht(-0.2).unwrap());
    assert!(model.system().patterns().reactions.is_some());
}

#[test]
fn formulas_that_are_not_finite_are_named() {
    let model = set(&[]);
    let mut system = model.system();
    let mut state = model.initial_state();
    assert_eq!(system.explain_not_finite(&state.point()), None);
    state.q[0] = 1.25;
    let said = system.explain_not_finite(&state.point()).unwrap();
    assert_eq!(said, "force.x: sqrt(-0.5625) in sqrt(1 - x^2) is undefined at x = 1.25");
    state.q[0] = 1.0;
    let said = system.explain_not_finite(&state.point()).unwrap();
    assert!(said.starts_with("derivative of force.x by x: "), "{said}");
}

#[test]
fn copies_are_independent() {
    let model = set(&[]);
    let (mut one, state) = (model.system(), model.initial_state());
    let mut other = one.clone();
    let mut moved = state.clone();
    moved.q[0] = 0.1;
    let (mut a, mut b) = ([0.0], [0.0]);
    one.dynamics(&state.point(), Terms::ALL, &mut a);
    other.dynamics(&moved.point(), Terms::ALL, &mut b);
    assert_ne!(a, b);
    other.dynamics(&state.point(), Terms::ALL, &mut b);
    assert_eq!(a, b);
}

#[test]
fn the_schema_describes_every_section() {
    let schema = schema();
    let properties = schema["properties"].as_object().unwrap();
    assert_eq!(properties.len(), 18);
    assert!(properties.values().all(|value| value["description"].is_string()), "{schema:#}");
    let solve = &properties["solve"]["properties"];
    let words = solve["formulation"]["enum"].as_array().unwrap();
    assert_eq!(words.len(), rotula_dae::Formulation::all().len());
    assert!(solve["newton"]["properties"]["ladder"]["description"].is_string());
}

#[test]
fn missing_files_are_an_error() {
    let error = Model::read(std::path::Path::new("no/such/model.toml"), &[]).err().unwrap();
    assert!(error.to_string().starts_with("no/such/model.toml: the file cannot be read"));
}
