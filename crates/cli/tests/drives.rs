//! Gears and motions tell the efforts and powers that they take.

mod common;

use common::columns::{Balance, Columns, Vector, inertia, near, times};

#[test]
fn gears_and_motions_tell_their_effort_and_power() {
    let wheels = |more: &str| {
        format!(
            r#"
[body.small]
mass = 1
inertia = [1, 1, 0.4]
[body.large]
mass = 1
inertia = [2, 2, 3]
at = [1, 0, 0]
[joint.first]
revolute = {{ between = ["ground", "small"], at = [0, 0, 0], about = "z" }}
[joint.second]
revolute = {{ between = ["ground", "large"], at = [1, 0, 0], about = "z" }}
[coupling.teeth]
gear = {{ joints = ["first", "second"], ratio = -0.5 }}
{more}
[sensor]
on_small = {{ moment = "teeth", on = "first" }}
[solve]
formulation = "index3"
newton = {{ matrix = "each-step" }}
step = 1e-2
until = 1.0
"#
        )
    };
    // 0.4 α₁ = T + M₁, 3 α₂ = M₂, α₂ = −α₁/2, M₁ = M₂/2
    let run = Columns::of(&wheels("[force.turn]\non = \"small\"\nmoment = [0, 0, 2.3]"), 1.0);
    let rows = run.rows();
    let alpha = 2.3 / (0.4 + 3.0 / 4.0);
    near("teeth", &run.column("teeth.effort"), &vec![-1.5 * alpha; rows], 1e-9);
    near("teeth", &run.column("teeth.effort_first"), &vec![-0.75 * alpha; rows], 1e-9);
    let power = times(&run.column("teeth.effort"), &run.column("second.angle_velocity"));
    near("power of the teeth", &run.column("teeth.power"), &power, 1e-12);
    let first = times(&run.column("teeth.effort_first"), &run.column("first.angle_velocity"));
    let given: Vec<f64> = first.iter().map(|p| -p).collect();
    near("a gear keeps no power", &power, &given, 1e-9);
    // about the axes of the hinges, and on the wheel of the first one by a sensor
    near("teeth", &run.column("teeth.mz"), &run.column("teeth.effort"), 1e-12);
    near("teeth", &run.column("on_small.z"), &run.column("teeth.effort_first"), 1e-12);

    // driven: T = (0.4 + 3/4) α₁
    let motion = "[motion.drive]\njoint = \"first\"\nangle = \"0.7*t^2\"";
    let run = Columns::of(&wheels(motion), 1.0);
    let rows = run.rows();
    near("drive", &run.column("drive.effort"), &vec![1.15 * 1.4; rows], 1e-7);
    let power = times(&run.column("drive.effort"), &run.column("first.angle_velocity"));
    near("power of the drive", &run.column("drive.power"), &power, 1e-12);
    near("drive", &run.column("drive.mz"), &run.column("drive.effort"), 1e-12);
    for none in ["fx", "fy", "fz", "mx", "my"] {
        let component = run.column(&format!("drive.{none}"));
        assert!(component.iter().all(|value| value.abs() < 1e-12), "{none}");
    }
}

#[test]
fn a_prescribed_length_pulls_with_its_effort() {
    let run = Columns::of(
        r#"
gravity = [0, 0, -9.81]
[body.ball]
kind = "point"
mass = 2
at = [0.6, 0, -0.8]
[motion.winch]
between = ["ground", "ball"]
length = "1 - 0.2*t^2"
[sensor]
a = { acceleration = "ball" }
v = { velocity = "ball" }
first = { force = "winch", on = "first" }
[variable]
doubled = "2*winch.fz"
[solve]
formulation = "index3"
newton = { matrix = "each-step" }
step = 1e-3
until = 1.0
"#,
        1.0,
    );
    let force = run.force("winch");
    Balance::default()
        .add(1.0, &inertia(2.0, &run.sensor("a")))
        .add(-1.0, &force)
        .close("forces on the ball", 1e-9);
    Balance::default().add(1.0, &run.sensor("first")).add(1.0, &force).close("winch", 1e-12);
    // along the line from the ground
    let effort = run.column("winch.effort");
    let places = run.vectors("ball", ["x", "y", "z"]);
    let along = |(x, f): (&Vector, &Vector)| {
        let length = x.iter().map(|x| x * x).sum::<f64>().sqrt();
        (0..3).map(|k| x[k] * f[k]).sum::<f64>() / length
    };
    let pulled: Vec<f64> = places.iter().zip(&force).map(along).collect();
    near("winch", &pulled, &effort, 1e-9);
    let power = |(v, f): (&Vector, &Vector)| (0..3).map(|k| v[k] * f[k]).sum::<f64>();
    let given: Vec<f64> = run.sensor("v").iter().zip(&force).map(power).collect();
    near("power of the winch", &run.column("winch.power"), &given, 1e-9);
    let doubled: Vec<f64> = force.iter().map(|f| 2.0 * f[2]).collect();
    near("a formula of its force", &run.column("doubled"), &doubled, 1e-6);
}

#[test]
fn motions_follow_variables_of_time() {
    let text = |angle: &str, variables: &str| {
        format!(
            r#"
gravity = [0, 0, -9.81]
[body.arm]
mass = 1
inertia = [0.1, 0.1, 0.1]
at = [0.5, 0, 0]
[joint.pin]
revolute = {{ between = ["ground", "arm"], at = [0, 0, 0], about = "y" }}
[table.course]
x = [0, 0.4, 0.7, 1.3, 2]
y = [0, 0.3, 0.2, 0.6, 0.5]
interpolation = "spline"
[motion.drive]
joint = "pin"
angle = "{angle}"
{variables}
[solve]
until = 2
output_every = 0.02
formulation = "pva"
"#
        )
    };
    let direct = Columns::of(&text("2*(course(t) + 0.1*sin(3*t)) - 0.05*t^2", ""), 2.0);
    // in any order, with a definition between, and beside variables that are no functions of time
    let variables = "[define]\nhalf = \"0.05*t\"\n[variable]\nway = \"2*u - slow\"\nslow = \"half*t\"\n\
                     u = \"course(t) + 0.1*sin(3*t)\"\nother = \"pin.angle + u\"";
    let named = Columns::of(&text("way", variables), 2.0);
    for column in ["pin.angle", "pin.angle_velocity", "drive.effort", "drive.power"] {
        near(column, &named.column(column), &direct.column(column), 1e-9);
    }
    let sum: Vec<f64> =
        named.column("pin.angle").iter().zip(named.column("u")).map(|(a, u)| a + u).collect();
    near("other", &named.column("other"), &sum, 1e-9);
}

/// A point that is led along a path, as many of its coordinates as are given; the body turns freely about it.
#[test]
fn points_are_led_along_paths() {
    let run = Columns::of(
        r#"
[body.plate]
mass = 2
inertia = [0.1, 0.2, 0.3]
at = [0.3, 0, 0]
[frame.tip]
on = "plate"
at = [0, 0, 0.2]
[table.swing]
x = [0, 0.5, 1, 1.5, 2]
y = [0, 0.1, 0.05, -0.1, 0]
interpolation = "spline"
[variable]
slow = "0.1*t^2"
[motion.lead]
point = "tip"
x = "0.3 + swing(t)"
y = "slow"
z_velocity = "0.5"
[sensor]
tip = { position = "tip" }
rate = { velocity = "tip" }
[solve]
until = 1
"#,
        1.0,
    );
    let t = run.column("t");
    let square: Vec<f64> = t.iter().map(|t| 0.1 * t * t).collect();
    let rise: Vec<f64> = t.iter().map(|t| 0.2 + 0.5 * t).collect();
    // constraints are met as far as the iteration goes
    near("y", &run.column("tip.y"), &square, 1e-9);
    near("z", &run.column("tip.z"), &rise, 1e-9);
    near("vz", &run.column("rate.z"), &vec![0.5; t.len()], 1e-9);
    assert!((run.column("tip.x").last().unwrap() - 0.35).abs() < 1e-9);
    // each effort is the force along its axis
    for axis in ["x", "y", "z"] {
        let effort = run.column(&format!("lead.{axis}.effort"));
        near(axis, &run.column(&format!("lead.{axis}.f{axis}")), &effort, 1e-12);
        assert!(run.largest(&format!("lead.{axis}.effort")) > 1e-3);
    }
}

/// In a copy that is turned, x is the x axis of the part.
#[test]
fn points_of_copies_follow_the_axes_of_their_part() {
    let run = Columns::of(
        "[part.leg.body.foot]\nkind = \"point\"\nmass = 1\nat = [0.5, 0, 0]\n\
         [part.leg.motion.lead]\npoint = \"foot\"\nx = \"0.5 + 0.2*t^2\"\n\
         [use.leg]\npart = \"leg\"\nat = [1, 0, 0]\nturned = { about = \"z\", by = \"90*deg\" }\n\
         [solve]\nuntil = 1\nstep = 0.01\n",
        1.0,
    );
    let t = run.column("t");
    let wanted: Vec<f64> = t.iter().map(|t| 0.5 + 0.2 * t * t).collect();
    near("y", &run.column("leg.foot.y"), &wanted, 1e-12);
    near("x", &run.column("leg.foot.x"), &vec![1.0; t.len()], 1e-12);
}
