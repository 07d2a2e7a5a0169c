//! Forces and powers of what bends and stretches: cables, bars, beams and flexible bodies.

mod common;

use common::columns::{Balance, Columns, Vector, inertia, moments, near, times};

/// Power as the rate of energy: the trapezoidal rule over the rows.
fn integral(t: &[f64], power: &[f64]) -> Vec<f64> {
    let mut sum = 0.0;
    let mut all = vec![0.0];
    for i in 1..t.len() {
        sum += 0.5 * (t[i] - t[i - 1]) * (power[i] + power[i - 1]);
        all.push(sum);
    }
    all
}

#[test]
fn cables_tell_their_length_and_power() {
    let rope = |elements: usize, more: &str| {
        format!(
            r#"
[body.ball]
kind = "point"
mass = 2
at = [0, 0, -1]
velocity = [0, 0, -0.5]
[cable.rope]
start = "ground"
from = [0, 0, 0]
end = "ball"
elements = {elements}
stiffness = 900
damping = 0.01
{more}
[variable]
stretch = "rope.length - 1"
[solve]
formulation = "index3"
newton = {{ matrix = "each-step" }}
step = 5e-4
until = 0.12
"#
        )
    };
    // a piece without mass: what it takes of the ball is what it stores and loses
    let run = Columns::of(&rope(1, ""), 0.12);
    let (length, rate) = (run.column("rope.length"), run.column("rope.length_velocity"));
    let z: Vec<f64> = run.column("ball.z").iter().map(|z| -z).collect();
    let vz: Vec<f64> = run.column("ball.vz").iter().map(|v| -v).collect();
    near("length", &length, &z, 1e-12);
    near("rate", &rate, &vz, 1e-12);
    let power = times(&run.column("rope.end.fz"), &run.column("ball.vz"));
    near("power", &run.column("rope.power"), &power, 1e-10);
    let kinetic = run.column("kinetic");
    let change: Vec<f64> = kinetic.iter().map(|energy| energy - kinetic[0]).collect();
    let work = integral(&run.column("t"), &run.column("rope.power"));
    near("work on the ball", &work, &change, 1e-4);
    let stretch: Vec<f64> = length.iter().map(|length| length - 1.0).collect();
    near("a formula of the length", &run.column("stretch"), &stretch, 1e-9);
    // many pieces with mass: the length is that of all of them, and their power what kinetic energy comes from
    let short = rope(10, "mass = 0.2").replace("step = 5e-4", "step = 5e-5");
    let run = Columns::of(&short, 0.12);
    let chain: Vec<f64> = run.column("ball.z").iter().map(|z| -z).collect();
    near("length of a straight rope", &run.column("rope.length"), &chain, 1e-9);
    let kinetic = run.column("kinetic");
    let change: Vec<f64> = kinetic.iter().map(|energy| energy - kinetic[0]).collect();
    let work = integral(&run.column("t"), &run.column("rope.power"));
    near("work on ball and rope", &work, &change, 1e-3);
}

#[test]
fn loads_on_flexible_bodies_tell_their_resultant_and_power() {
    let run = Columns::of(
        r#"
[flexible.blade]
kind = "planar"
beam = { length = 1, elements = 2, section = { circle = 0.01 }, material = { young = 70e9, poisson = 0.3, density = 2700 } }
[load.gust]
on = "blade"
spread = [0, 100, 0]
factor = "sin(20*t)"
[joint.root]
revolute = { between = ["ground", "blade"], at = [0, 0, 0], about = "z" }
[sensor]
turned = { angular_velocity = "blade", along = "z" }
[variable]
half = "0.5*gust.power"
[solve]
tolerance = 1e-8
until = 0.4
"#,
        0.4,
    );
    // it follows the body, whose frame turns about the root
    let t = run.column("t");
    let angle = run.column("root.angle");
    let (fx, fy) = (run.column("gust.fx"), run.column("gust.fy"));
    let wanted = |of: fn(f64) -> f64| -> Vec<f64> {
        t.iter().zip(&angle).map(|(t, a)| 100.0 * (20.0 * t).sin() * of(*a)).collect()
    };
    near("gust", &fy, &wanted(f64::cos), 1e-9);
    near("gust", &fx, &wanted(|a| -a.sin()), 1e-9);
    assert!(angle.iter().any(|a| a.abs() > 0.1));
    // its work is all the energy there is
    let (kinetic, potential) = (run.column("kinetic"), run.column("potential"));
    let energy: Vec<f64> = kinetic.iter().zip(&potential).map(|(a, b)| a + b).collect();
    let power = run.column("gust.power");
    near("work of the gust", &integral(&t, &power), &energy, 1e-3);
    let half: Vec<f64> = power.iter().map(|power| 0.5 * power).collect();
    near("a formula of the power", &run.column("half"), &half, 1e-9);
}

#[test]
fn held_ends_of_bars_and_beams_balance_the_body() {
    let run = Columns::of(
        r#"
gravity = [0, 0, -9.81]
[body.bob]
mass = 2
inertia = [0.1, 0.1, 0.1]
at = [0.6, 0, -0.8]
[bar.strut]
start = "ground"
end = "bob"
stiffness = 2e4
damping = 20
mass = 0.3
[beam.rod]
from = [0.6, 0.5, -0.8]
to = [0.6, 0.1, -0.8]
start = "ground"
end = "bob"
elements = 4
section = { circle = 0.01 }
material = { young = 2e9, poisson = 0.3, density = 1500 }
damping = 1e-3
[sensor]
a = { acceleration = "bob" }
w = { angular_acceleration = "bob" }
turned = { angular_velocity = "bob" }
held = { position = "rod.end" }
[solve]
formulation = "index3"
newton = { matrix = "each-step" }
step = 5e-4
until = 0.1
"#,
        0.1,
    );
    Balance::default()
        .add(1.0, &inertia(2.0, &run.sensor("a")))
        .add(-1.0, &run.force("strut.end"))
        .add(-1.0, &run.force("rod.end"))
        .close("forces on the bob", 1e-8);
    let turning: Vec<Vector> = run.sensor("w").iter().map(|w| w.map(|x| 0.1 * x)).collect();
    Balance::default()
        .add(1.0, &turning)
        .add(-1.0, &moments(&run.sensor("held"), &run.sensor("bob"), &run.force("rod.end")))
        .add(-1.0, &run.moment("rod.end"))
        .close("moments on the bob", 1e-8);
    assert!(!run.has("strut.end.mx"), "a bar turns nothing");
}
