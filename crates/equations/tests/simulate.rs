//! Equation models run through the integrators.

use rotula_dae::simulate;
use rotula_equations::Model;

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
