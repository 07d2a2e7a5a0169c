//! Soft contact of whole beams: spheres slide over their nodes as if these were not there, and rods carry each other.

mod common;

use common::Place;
use common::table::Table;

const G: f64 = 9.81;

/// A beam of 1 m along x, clamped at both ends, so stiff that it hardly bends, and a ball of 1 kg on it.
fn rail(elements: usize, friction: &str) -> String {
    format!(
        r#"
gravity = [0, 0, -{G}]
[beam.rail]
from = [0, 0, 0]
to = [1, 0, 0]
elements = {elements}
section = {{ circle = 0.05 }}
material = {{ young = 2e14, poisson = 0.3, density = 7850 }}
[joint.left]
fixed = {{ between = ["ground", "rail.start"], at = [0, 0, 0] }}
[joint.right]
fixed = {{ between = ["ground", "rail.end"], at = [1, 0, 0] }}
[body.ball]
mass = 1
inertia = [1e-3, 1e-3, 1e-3]
at = [0.2, 0, {}]
velocity = [1, 0, 0]
[contact.c]
between = ["rail", "ball"]
first = {{ sphere = 0.05 }}
second = {{ sphere = 0.05 }}
stiffness = 1e5
exponent = 1
dissipation = 1
{friction}
[solve]
tolerance = 1e-8
max_step = 1e-3
until = 0.5
output_every = 0.01
"#,
        0.1 - G / 1e5
    )
}

#[test]
fn a_ball_slides_over_the_nodes() {
    for elements in [1, 4, 7] {
        let place = Place::new();
        place.run(&rail(elements, ""), &[], "out");
        let table = Table::read(&place, "out/trajectory.csv");
        for (key, expected, within) in
            [("ball.vx", 1.0, 1e-6), ("ball.z", 0.1 - G / 1e5, 2e-6), ("ball.vz", 0.0, 1e-4)]
        {
            for value in table.numbers(key) {
                assert!((value - expected).abs() < within, "{elements}: {key} {value} {expected}");
            }
        }
        // each place pushes once, also at nodes
        let contacts = Table::read(&place, "out/contacts.csv");
        for (force, t) in contacts.numbers("normal_force").iter().zip(contacts.numbers("t")) {
            assert!((force / G - 1.0).abs() < 2e-2, "{elements}: {force} N at {t}");
        }
    }
}

/// Friction slows it down by μ g, until it rolls with 5/7 of its speed.
#[test]
fn a_ball_that_rubs_rolls_in_the_end() {
    let place = Place::new();
    let friction = "friction = { coefficient = 0.5, creep = 1e-4 }";
    place.run(&rail(4, friction), &[], "out");
    let table = Table::read(&place, "out/trajectory.csv");
    let (t, v) = (table.numbers("t"), table.numbers("ball.vx"));
    // it slides for 2 v/(7 μ g) = 0.058 s
    for (t, v) in t.iter().zip(&v).filter(|(t, _)| **t < 0.05) {
        assert!((v - (1.0 - 0.5 * G * t)).abs() < 1e-3, "{v} at {t}");
    }
    assert!((table.last("ball.vx") - 5.0 / 7.0).abs() < 1e-3, "{}", table.last("ball.vx"));
    let defect = place.audit("out")["energy_defect"].as_f64().expect("a number");
    assert!(defect < 1e-5, "{defect}");
}

/// A rod laid across two others is carried by both, half each, and these are held at their ends.
#[test]
fn rods_carry_each_other() {
    let rail = |name: &str, x: f64| {
        format!(
            "[beam.{name}]\nfrom = [{x}, -0.5, 0]\nto = [{x}, 0.5, 0]\nelements = 3\nsection = {{ circle = 0.02 }}\n\
             damping = 1e-2\nmaterial = {{ young = 2e11, poisson = 0.3, density = 7850 }}\n\
             [joint.{name}_left]\nfixed = {{ between = [\"ground\", \"{name}.start\"], at = [{x}, -0.5, 0] }}\n\
             [joint.{name}_right]\nfixed = {{ between = [\"ground\", \"{name}.end\"], at = [{x}, 0.5, 0] }}\n\
             [contact.on_{name}]\nbetween = [\"{name}\", \"rod\"]\nfirst = {{ sphere = 0.02 }}\nsecond = {{ sphere = 0.02 }}\n\
             stiffness = 1e6\nexponent = 1\ndissipation = 20\nfriction = 0.3\n"
        )
    };
    let text = format!(
        "gravity = [0, 0, -{G}]\n{}{}[beam.rod]\nfrom = [-0.5, 0.1, 0.04]\nto = [0.5, 0.1, 0.04]\nelements = 4\ndamping = 1e-2\n\
         section = {{ circle = 0.02 }}\nmaterial = {{ young = 2e11, poisson = 0.3, density = 7850 }}\n\
         [solve]\ntolerance = 1e-6\nmax_step = 1e-3\nuntil = 0.5\noutput_every = 0.05\n",
        rail("a", -0.3),
        rail("b", 0.3)
    );
    let place = Place::new();
    place.run(&text, &[], "out");
    let contacts = Table::read(&place, "out/contacts.csv");
    let weight = std::f64::consts::PI * 0.02 * 0.02 * 7850.0 * G;
    let times = contacts.numbers("t");
    let end = *times.last().expect("it touches");
    assert!((end - 0.5).abs() < 1e-9);
    let last = times.iter().filter(|t| **t == end).count();
    let forces = contacts.numbers("fz");
    let forces = &forces[forces.len() - last..];
    assert_eq!(last, 2, "{forces:?}");
    let sum: f64 = forces.iter().sum();
    assert!((sum / weight - 1.0).abs() < 1e-2, "{sum} of {weight}");
    assert!((forces[0] / forces[1] - 1.0).abs() < 1e-2, "{forces:?}");
}

/// What pieces do not have is refused, with what to do.
#[test]
fn guides_are_refused() {
    let place = Place::new();
    place.write("model.toml", &rail(2, "rolling_resistance = 1e-3"));
    let said = place.rotula(&["check", "model.toml"]);
    assert_eq!(said.status, 2, "{}", said.stderr);
    for word in ["whole beam", "rolling resistance", "name its nodes"] {
        assert!(said.stderr.contains(word), "{word}: {}", said.stderr);
    }
}
