//! Nanoseconds per call of the methods an integrator uses most. Run with `cargo bench -p rotula-model`.

use rotula_dae::{Level, Point, System, Terms, Weights};
use rotula_model::equations::{EquationSystem, Model};
use std::hint::black_box;
use std::time::Instant;

const PENDULUM: &str = r#"
[parameters]
m = 5.0
L = 2.0
J = "m*L^2/3"
c = 15.0
k = 300.0
[coordinates]
x = { at = 0, velocity = 20 }
y = { at = "-L", velocity = 0 }
theta = { at = "3*pi/2", velocity = 10 }
[mass]
x = "m"
y = "m"
theta = "J"
[force]
y = "-9.81*m"
theta = "-c*theta' - k*(theta - 3*pi/2)"
[constraint]
pin_x = "x - L*cos(theta)"
pin_y = "y - L*sin(theta)"
[solve]
until = 1.0
"#;

fn main() {
    let model = Model::parse(PENDULUM, "pendulum", &[]).expect("a sound model");
    let started = Instant::now();
    let system = model.system();
    println!("{:<28}{:>9.1} µs", "derive and compile", started.elapsed().as_secs_f64() * 1e6);
    let state = model.initial_state();
    let weights = Weights { mass: 1.0, damping: 1e-3, stiffness: 1e-6 };
    let time = |what: &str, call: &mut dyn FnMut(&mut EquationSystem, &Point, &mut [f64]), size| {
        let (mut system, mut out) = (system.clone(), vec![0.0; size]);
        let best = (0..20)
            .map(|_| {
                let started = Instant::now();
                for _ in 0..20_000 {
                    call(&mut system, black_box(&state.point()), &mut out);
                    black_box(&mut out);
                }
                started.elapsed().as_secs_f64() / 20_000.0
            })
            .fold(f64::INFINITY, f64::min);
        println!("{what:<28}{:>9.1} ns", best * 1e9);
    };
    let patterns = system.patterns();
    let (tangent, gradient) = (patterns.dynamics.entries(), patterns.constraints.entries());
    time("dynamics", &mut |s, at, out| s.dynamics(at, Terms::ALL, out), 3);
    time("tangent", &mut |s, at, out| s.tangent(at, weights, Terms::ALL, out), tangent);
    time("mass matrix", &mut |s, at, out| s.tangent(at, Weights::MASS, Terms::ALL, out), tangent);
    time("constraint, position", &mut |s, at, out| s.constraint(Level::Position, at, out), 2);
    time(
        "constraint, acceleration",
        &mut |s, at, out| s.constraint(Level::Acceleration, at, out),
        2,
    );
    time("constraint gradient", &mut |s, at, out| s.constraint_gradient(at, out), gradient);
}
