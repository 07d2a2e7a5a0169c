//! Forces as columns of a run: balance of every body, closed forms and powers.

mod common;

use common::columns::{Balance, Columns, Vector, inertia, moments, near, times};

/// A spring between two bodies, another by formula of the first, a bushing, a load by formula of the
/// bushing, a soft contact with friction and a joint: all that acts is in the columns.
#[test]
fn all_forces_together_balance_every_body() {
    let run = Columns::of(include_str!("forces/two_bodies.toml"), 1.0);
    let coil = run.force("coil");
    let (low, top) = (run.sensor("low"), run.sensor("top"));
    Balance::default()
        .add(1.0, &inertia(2.0, &run.sensor("top_a")))
        .add(-1.0, &run.force("pin"))
        .add(1.0, &coil)
        .close("forces on top", 1e-9);
    Balance::default()
        .add(1.0, &inertia(3.0, &run.sensor("low_a")))
        .add(-1.0, &coil)
        .add(-1.0, &run.force("strap"))
        .add(-1.0, &run.force("mount"))
        .add(-1.0, &run.force("push"))
        .add(-1.0, &run.force("floor"))
        .close("forces on low", 1e-9);
    // the inertia of both is the same about all axes
    let turning = |name: &str, inertia: f64| -> Vec<Vector> {
        run.sensor(name).iter().map(|w| w.map(|x| inertia * x)).collect()
    };
    let origin = vec![[0.0; 3]; top.len()];
    Balance::default()
        .add(1.0, &turning("top_w", 0.3))
        .add(-1.0, &moments(&origin, &top, &run.force("pin")))
        .add(-1.0, &run.moment("pin"))
        .add(1.0, &moments(&run.sensor("tip"), &top, &coil))
        .close("moments on top", 1e-9);
    Balance::default()
        .add(1.0, &turning("low_w", 0.5))
        .add(-1.0, &moments(&run.sensor("eye"), &low, &coil))
        .add(-1.0, &moments(&run.sensor("ear"), &low, &run.force("strap")))
        .add(-1.0, &moments(&run.sensor("pad"), &low, &run.force("mount")))
        .add(-1.0, &run.moment("mount"))
        .add(-1.0, &moments(&run.sensor("spot"), &low, &run.force("push")))
        .add(-1.0, &run.moment("push"))
        .add(-1.0, &run.moment("floor"))
        .close("moments on low", 1e-9);

    // the other side of a spring, of a joint, and of a bushing about its own frame
    Balance::default().add(1.0, &run.sensor("coil_first")).add(1.0, &coil).close("coil", 1e-12);
    Balance::default()
        .add(1.0, &run.sensor("pin_first"))
        .add(1.0, &run.force("pin"))
        .close("pin", 1e-12);
    let base = vec![[1.1, 0.3, -1.0]; low.len()];
    Balance::default()
        .add(1.0, &run.sensor("mount_first"))
        .add(1.0, &run.moment("mount"))
        .add(1.0, &moments(&run.sensor("pad"), &base, &run.force("mount")))
        .close("moment of the mount about its base", 1e-12);
}

#[test]
fn springs_bushings_and_contacts_follow_their_laws() {
    let run = Columns::of(include_str!("forces/two_bodies.toml"), 1.0);
    let [length, rate, force] =
        ["length", "length_velocity", "force"].map(|word| run.column(&format!("coil.{word}")));
    let law: Vec<f64> =
        length.iter().zip(&rate).map(|(x, v)| -300.0 * (x - 0.3) - 7.0 * v).collect();
    near("coil", &force, &law, 1e-12);
    near("power of the coil", &run.column("coil.power"), &times(&force, &rate), 1e-12);
    let along: Vec<f64> =
        run.force("coil").iter().map(|f| f.iter().map(|x| x * x).sum::<f64>().sqrt()).collect();
    let size: Vec<f64> = force.iter().map(|f| f.abs()).collect();
    near("size of the coil's force", &along, &size, 1e-12);

    let strap: Vec<f64> = run
        .column("strap.length")
        .iter()
        .zip(run.column("strap.length_velocity"))
        .zip(&force)
        .map(|((x, v), coil)| -150.0 * (x - 0.9).powi(3) - 4.0 * v + 0.1 * coil)
        .collect();
    // the signal of the other spring is an unknown of the step
    near("strap", &run.column("strap.force"), &strap, 1e-8);

    for (word, k, c) in [("x", 400.0, 4.0), ("y", 500.0, 5.0), ("z", 600.0, 6.0)] {
        let x = run.column(&format!("mount.{word}"));
        let v = run.column(&format!("mount.{word}_velocity"));
        let law: Vec<f64> = x.iter().zip(&v).map(|(x, v)| -k * x - c * v).collect();
        near("mount", &run.column(&format!("mount.f{word}")), &law, 1e-12);
    }

    let [depth, rate, normal] =
        ["depth", "depth_velocity", "normal"].map(|word| run.column(&format!("floor.{word}")));
    assert!(depth.iter().any(|d| *d > 0.0) && depth.contains(&0.0));
    let law: Vec<f64> = depth
        .iter()
        .zip(&rate)
        .map(|(d, v)| (2e4 * d.powf(1.5) * (1.0 + 0.1 * v)).max(0.0))
        .collect();
    near("floor", &normal, &law, 1e-12);
    near("floor", &normal, &run.column("floor.fz"), 1e-12);
    let rubbing: Vec<f64> = run.force("floor").iter().map(|f| f[0].hypot(f[1])).collect();
    near("friction", &run.column("floor.friction"), &rubbing, 1e-12);
    assert!(rubbing.iter().zip(&normal).all(|(t, n)| *t <= 0.3 * n + 1e-12));
}

const SLIDE: &str = r#"
[body.block]
mass = 2
inertia = [1, 1, 1]
velocity = [3, 0, 0]
[joint.guide]
prismatic = { between = ["ground", "block"], at = [0, 0, 0], along = "x" }
spring = { stiffness = 40, free = 0.1, damping = 1 }
friction = { coefficient = 0.2, normal = 5, creep = 0.05 }
stop = { from = -0.2, to = 0.3, stiffness = 2000, damping = 0.5 }
force = "3*sin(4*t)"
[spring.guide]
joint = "guide"
stiffness = 15
damping = 0.5
free_length = -0.1
[sensor]
a = { acceleration = "block", along = "x" }
[solve]
formulation = "index3"
newton = { matrix = "each-step" }
step = 1e-3
until = 2.0
"#;

#[test]
fn what_acts_on_a_joint_is_recorded_and_balances() {
    let run = Columns::of(SLIDE, 2.0);
    let things = ["guide.spring", "guide.friction", "guide.stop", "guide.motor", "spring.guide"];
    let a = run.column("a");
    let mut sum = vec![0.0; a.len()];
    for thing in things {
        let force = run.column(&format!("{thing}.force"));
        assert!(force.iter().any(|f| f.abs() > 0.1), "{thing} does nothing");
        // the force is along the guide, whose axis is z
        near(thing, &run.column(&format!("{thing}.fz")), &force, 1e-12);
        near(
            thing,
            &run.column(&format!("{thing}.power")),
            &times(&force, &run.column("guide.displacement_velocity")),
            1e-10,
        );
        sum.iter_mut().zip(&force).for_each(|(sum, force)| *sum += force);
    }
    let inertia: Vec<f64> = a.iter().map(|a| 2.0 * a).collect();
    near("block", &sum, &inertia, 1e-9);
}

#[test]
fn the_power_of_a_damper_is_the_energy_it_takes() {
    let run = Columns::of(
        r#"
[body.ball]
kind = "point"
mass = 2
at = [0, 0, -1]
[spring.coil]
between = ["ground", "ball"]
stiffness = 80
free_length = 0.7
[spring.damper]
between = ["ground", "ball"]
damping = 3
[solve]
formulation = "index3"
newton = { matrix = "each-step" }
step = 5e-4
until = 3.0
"#,
        3.0,
    );
    let (t, power) = (run.column("t"), run.column("damper.power"));
    let (kinetic, potential) = (run.column("kinetic"), run.column("potential"));
    let mut work = 0.0;
    for i in 1..t.len() {
        work += 0.5 * (t[i] - t[i - 1]) * (power[i] + power[i - 1]);
        let change = kinetic[i] + potential[i] - kinetic[0] - potential[0];
        // the rule of the trapezoid and the step are of second order: (5e-4 s · 6.3/s)²
        assert!((change - work).abs() < 1e-5 * potential[0], "{change} is not {work} at {}", t[i]);
    }
    assert!(work < -0.9 * potential[0], "{work} of {}", potential[0]);
}

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
    let rows = run.rows.len();
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
    let rows = run.rows.len();
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
