//! Equation models run through the integrators.

use rotula_dae::simulate;
use rotula_model::equations::Model;

const PENDULUM: &str = r#"
[parameters]
m = 1.5
L = 2.0
g = 9.81
[coordinates]
x = { at = "L", velocity = 0 }
y = { at = 0, velocity = 0 }
[mass]
x = "m"
y = "m"
[force]
y = "-m*g"
[constraint]
rod = "(x^2 + y^2)/(2*L) - L/2"
[energy]
potential = "m*g*y"
power = 0
[solve]
step = 1e-3
until = 1.0
"#;

/// The same pendulum by its angle from the horizontal, with the reaction as an algebraic variable.
const ANGLE: &str = r#"
[parameters]
m = 1.5
L = 2.0
g = 9.81
[coordinates]
phi = { at = 0, velocity = 0 }
[mass]
phi = "m*L^2"
[force]
phi = "-m*g*L*cos(phi)"
[variable]
pull = "-m*(L*phi'^2 - g*sin(phi))"
[solve]
step = 1e-3
until = 1.0
"#;

fn end(text: &str, overrides: &[(&str, &str)]) -> rotula_dae::State {
    let overrides: Vec<_> = overrides.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    let model = Model::parse(text, "model.toml", &overrides).unwrap();
    let settings = model.settings().unwrap();
    let outcome =
        simulate(&mut model.system(), &model.initial_state(), &settings, &mut ()).unwrap();
    assert!(outcome.failure.is_none(), "{:?}", outcome.failure);
    outcome.state
}

#[test]
fn two_descriptions_of_a_pendulum_agree_in_every_formulation() {
    let angle = end(ANGLE, &[("solve.formulation", "index1")]);
    let (sine, cosine) = angle.q[0].sin_cos();
    for formulation in
        ["index3", "index2", "index1", "ggl", "pva", "hht-i3", "dae-alpha", "projected"]
    {
        let state = end(PENDULUM, &[("solve.formulation", formulation)]);
        let error = (state.q[0] - 2.0 * cosine).abs() + (state.q[1] - 2.0 * sine).abs();
        assert!(error < 1e-4, "{formulation}: position {error}");
        let error = (state.multipliers[0] - angle.y[0]).abs() / angle.y[0].abs();
        assert!(error < 1e-2, "{formulation}: reaction {} {}", state.multipliers[0], angle.y[0]);
    }
}

/// A variable that is larger than everything else by far does not keep the start from being found.
#[test]
fn large_variables_are_judged_by_their_own_size() {
    let text = r#"
[coordinates]
x = { at = 0.3, velocity = 0 }
[mass]
x = 1
[force]
x = "-1e-12*pressure"
[variable]
pressure = "1e12*sin(x) + 1e-3*pressure"
[solve]
step = 0.01
until = 0.1
"#;
    let model = Model::parse(text, "pressure.toml", &[]).unwrap();
    let mut system = model.system();
    let settings = model.solve.settings().unwrap();
    let outcome = simulate(&mut system, &model.initial_state(), &settings, &mut ()).unwrap();
    assert!(outcome.failure.is_none(), "{}", outcome.failure.unwrap());
    let pressure = 1e12 * outcome.state.q[0].sin() / (1.0 - 1e-3);
    assert!((outcome.state.y[0] / pressure - 1.0).abs() < 1e-9, "{}", outcome.state.y[0]);
}
