//! Forces of springs, bushings, soft contacts and what acts on joints, as columns of a run: balance of every body, laws
//! and powers.

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
