//! Nothing passes through anything, soft or rigid, whatever the tolerance or the step.

mod common;

use common::Place;
use common::table::Table;

/// Two spheres of 10 mm that fly towards each other, `off` apart from each other's way.
fn spheres(off: f64, law: &str, solve: &str) -> String {
    format!(
        r#"
[body.b]
mass = 1
inertia = [1e-3, 1e-3, 1e-3]
at = [-5, {off}, 0]
velocity = [10, 0, 0]
[body.c]
mass = 1
inertia = [1e-3, 1e-3, 1e-3]
[contact.p]
between = ["c", "b"]
first = {{ sphere = 0.01 }}
second = {{ sphere = 0.01 }}
{law}
[solve]
until = 1
{solve}
"#
    )
}

/// A bullet of 10 g that hits at 900 m/s what is at z = 0.
fn bullet(target: &str, law: &str, solve: &str) -> String {
    format!(
        r#"
[body.b]
mass = 0.01
inertia = [1e-7, 1e-7, 1e-7]
at = [0, 0, 0.5]
velocity = [0, 0, -900]
[contact.p]
between = ["ground", "b"]
first = {{ {target} }}
second = {{ sphere = 0.005 }}
{law}
[solve]
until = 2e-3
{solve}
"#
    )
}

/// A heavy blade that turns into a small ball.
fn fan(law: &str, solve: &str) -> String {
    format!(
        r#"
[body.blade]
mass = 1e6
inertia = [1e6, 1e6, 1e6]
angular_velocity = [0, 0, 100]
[body.ball]
mass = 0.01
inertia = [4e-7, 4e-7, 4e-7]
at = [0, 0.4, 0]
[contact.hit]
between = ["blade", "ball"]
first = {{ box = [1, 0.02, 0.05] }}
second = {{ sphere = 0.01 }}
{law}
[solve]
until = 0.02
{solve}
"#
    )
}

/// A rod that falls through a slit of 20 mm between two plates of 2 mm, `off` its middle.
fn slit(off: f64, law: &str, solve: &str) -> String {
    let plate = |name: &str, x: f64| {
        format!(
            r#"
[contact.{name}]
between = ["ground", "rod"]
first = {{ box = [0.2, 0.2, 0.002], at = [{x}, 0, 0] }}
second = {{ box = [0.018, 0.018, 0.2] }}
{law}
"#
        )
    };
    format!(
        r#"
[body.rod]
mass = 0.1
inertia = [1e-3, 1e-3, 1e-4]
at = [{off}, 0, 0.6]
velocity = [0, 0, -50]
{}{}
[solve]
until = 0.04
{solve}
"#,
        plate("left", -0.11),
        plate("right", 0.11)
    )
}

/// The last values of some columns of a run.
fn ends(model: &str, columns: &[&str]) -> Vec<f64> {
    let place = Place::new();
    place.run(model, &[], "out");
    let table = Table::read(&place, "out/trajectory.csv");
    columns.iter().map(|column| *table.numbers(column).last().expect("a row")).collect()
}

/// What a user may ask for of soft contacts, and what velocities after a bounce may then be off by, relative to those before it:
/// errors fall like the root of the tolerance, and those of fixed steps are what twenty steps of second order in a bounce leave.
fn soft() -> Vec<(String, f64)> {
    let mut all = Vec::new();
    for tolerance in [1e-3, 1e-4, 1e-6, 1e-8f64] {
        for formulation in ["index3", "ggl", "explicit", "nonsmooth"] {
            let solve = format!("formulation = \"{formulation}\"\ntolerance = {tolerance:e}");
            all.push((solve, tolerance.sqrt()));
        }
    }
    for step in ["step = 1e-4", "step = 1e-3", "step = 1e-2"] {
        for formulation in ["ggl", "explicit"] {
            all.push((format!("formulation = \"{formulation}\"\n{step}"), 0.01));
        }
    }
    all
}

/// What a user may ask for of rigid contacts, and what velocities after an impact may be off by.
const RIGID: [(&str, f64); 8] = [
    ("formulation = \"nonsmooth\"", 1e-5),
    ("formulation = \"nonsmooth\"\ntolerance = 1e-3", 1e-2),
    ("formulation = \"nonsmooth\"\ntolerance = 1e-8", 1e-6),
    ("formulation = \"nonsmooth\"\nstep = 1e-3", 1e-6),
    ("formulation = \"nonsmooth\"\nstep = 0.05", 1e-6),
    // normals may be those of bodies that have gone on for half of their thickness
    ("formulation = \"moreau-jean\"\nstep = 1e-3", 0.3),
    ("formulation = \"moreau-jean\"\nstep = 1e-2", 0.3),
    ("formulation = \"moreau-jean\"\nstep = 0.05", 0.3),
];

#[test]
fn small_soft_spheres_exchange_their_velocities() {
    for (solve, bound) in soft() {
        let found = ends(&spheres(0.0, "stiffness = 1e8", &solve), &["b.vx", "c.vx"]);
        let off = found[0].abs().max((found[1] - 10.0).abs()) / 10.0;
        assert!(off < bound, "{solve}: {found:?}, off by {off:e}");
    }
}

#[test]
fn those_off_centre_keep_momentum_and_energy() {
    for (solve, bound) in soft() {
        let columns = ["b.vx", "b.vy", "c.vx", "c.vy"];
        let v = ends(&spheres(0.005, "stiffness = 1e8", &solve), &columns);
        assert!((v[0] + v[2] - 10.0).abs() < 1e-9 && (v[1] + v[3]).abs() < 1e-9, "{solve}: {v:?}");
        let energy = v.iter().map(|v| v * v).sum::<f64>() / 100.0;
        assert!((energy - 1.0).abs() < 2.0 * bound, "{solve}: {v:?}, energy {energy}");
        // converged in both kinds of method
        let off = (v[0] - 1.03877).hypot(v[1] - 3.05101) / 10.0;
        assert!(off < bound + 1e-6, "{solve}: {v:?}, off by {off:e}");
    }
}

#[test]
fn a_bullet_comes_back_from_a_floor_and_from_a_plate() {
    for target in ["plane = \"z\"", "box = [0.2, 0.2, 0.002]"] {
        for (solve, bound) in soft() {
            let v = ends(&bullet(target, "stiffness = 1e10", &solve), &["b.vz"])[0];
            assert!((v / 900.0 - 1.0).abs() < bound, "{target} {solve}: {v}");
        }
        for (solve, bound) in RIGID {
            let v = ends(&bullet(target, "restitution = 0.5", solve), &["b.vz"])[0];
            assert!((v / 450.0 - 1.0).abs() < bound, "{target} {solve}: {v}");
        }
    }
}

#[test]
fn bdf_sees_them_too() {
    // first order in a bounce: its history has a kink
    for (tolerance, bound) in [(1e-3, 0.1), (1e-4, 0.1), (1e-6, 0.1)] {
        let solve = format!("formulation = \"bdf\"\ntolerance = {tolerance:e}");
        let found = ends(&spheres(0.0, "stiffness = 1e8", &solve), &["b.vx", "c.vx"]);
        let off = found[0].abs().max((found[1] - 10.0).abs()) / 10.0;
        assert!(off < bound, "{solve}: {found:?}");
        let v = ends(&bullet("box = [0.2, 0.2, 0.002]", "stiffness = 1e10", &solve), &["b.vz"])[0];
        assert!((v / 900.0 - 1.0).abs() < bound, "{solve}: {v}");
    }
}

#[test]
fn rigid_spheres_meet_head_on_and_off_centre() {
    // along the line of centres velocities are exchanged
    let (sine, cosine) = (0.25, (1.0f64 - 0.0625).sqrt());
    let exact = [10.0 * sine * sine, 10.0 * sine * cosine];
    for law in ["restitution = 1", "restitution = 1\nfriction = 1e-9"] {
        for (solve, bound) in RIGID {
            let v = ends(&spheres(0.005, law, solve), &["b.vx", "b.vy"]);
            let off = (v[0] - exact[0]).hypot(v[1] - exact[1]) / 10.0;
            assert!(off < bound, "{law} {solve}: {v:?}, exact {exact:?}");
        }
    }
}

#[test]
fn a_blade_hits_what_is_in_its_way() {
    // the face of the blade is 20 mm before the middle of the ball
    let speed = 100.0 * (0.4f64 * 0.4 - 0.02 * 0.02).sqrt();
    for (solve, bound) in RIGID {
        let v = ends(&fan("restitution = 0.5", solve), &["ball.vx", "ball.vy"]);
        let off = (v[0].hypot(v[1]) / (1.5 * speed) - 1.0).abs();
        assert!(off < bound.max(1e-4), "{solve}: {v:?}");
    }
    for (solve, bound) in soft() {
        // it is hit while the blade turns on: twice its speed, but for the way of the blade meanwhile
        let v = ends(&fan("stiffness = 1e9", &solve), &["ball.vx", "ball.vy"]);
        let off = (v[0].hypot(v[1]) / (2.0 * speed) - 1.0).abs();
        assert!(off < bound + 0.01, "{solve}: {v:?}");
    }
}

#[test]
fn a_rod_passes_a_slit_and_only_there() {
    for (solve, _) in RIGID {
        let v = ends(&slit(0.0, "restitution = 0.5", solve), &["rod.vx", "rod.vz"]);
        assert!(v[0].abs() < 1e-9 && (v[1] + 50.0).abs() < 1e-9, "{solve}: {v:?}");
        let v = ends(&slit(0.0015, "restitution = 0.5", solve), &["rod.vz"])[0];
        assert!(v > -49.0, "{solve}: {v}");
    }
    for solve in ["tolerance = 1e-4", "tolerance = 1e-8", "formulation = \"ggl\"\nstep = 1e-2"] {
        let v = ends(&slit(0.0, "stiffness = 1e8", solve), &["rod.vx", "rod.vz"]);
        assert!(v[0].abs() < 1e-9 && (v[1] + 50.0).abs() < 1e-9, "{solve}: {v:?}");
        // half a millimetre of an edge does not hold it, but it is felt
        let v = ends(&slit(0.0015, "stiffness = 1e8", solve), &["rod.vx", "rod.vz"]);
        assert!(v[0].abs() > 0.1, "{solve}: {v:?}");
    }
}
