//! Cables, bars and planar beams.

use crate::{assert_close, run};

/// A mass on a bar vibrates along it at √(EA/(L (m + μL/3))), to first order in the mass of the bar.
#[test]
fn a_mass_on_a_bar_vibrates_along_it() {
    let run = run(r#"
[body.mass]
kind = "point"
mass = 2
at = [0.5, 0, 0]
velocity = [0.1, 0, 0]
[bar.rod]
start = "ground"
end = "mass"
stiffness = 1000
mass = 0.3
tensions = [1]
[sensor]
place = { position = "mass" }
[solve]
coefficients = { generalized-alpha = 1 }
step = 2e-4
until = 0.11
"#);
    let rate = (1000.0 / 0.5 / (2.0 + 0.05_f64)).sqrt();
    let moved = 0.1 / rate * (rate * 0.11).sin();
    assert_close("place", run.last("place.x"), 0.5 + moved, 1e-6);
    assert_close("tension", run.last("rod.n1"), 1000.0 * moved / 0.5, 1e-2);
}

/// A slack cable lets a mass fall freely until it is taut; a bar of the same kind pushes at once.
#[test]
fn a_slack_cable_does_not_push() {
    let fall = |kind: &str| {
        run(&format!(
            r#"
gravity = [0, 0, -10]
[body.mass]
kind = "point"
mass = 1
at = [0, 0, -1]
[{kind}.line]
start = "ground"
end = "mass"
elements = 1
stiffness = 1e4
length = 1.5
tensions = [1]
[sensor]
place = {{ position = "mass" }}
[solve]
coefficients = {{ generalized-alpha = 0.9 }}
step = 1e-3
until = 0.3
"#
        ))
    };
    let slack = fall("cable");
    assert_close("free fall", slack.last("place.z"), -1.0 - 5.0 * 0.09, 1e-9);
    assert_close("slack", slack.last("line.n1"), 0.0, 1e-12);
    assert!((fall("bar").last("place.z") + 1.45).abs() > 0.05);
}

/// The same rod falls alike in a plane and in space.
#[test]
fn a_planar_beam_falls_like_a_spatial_one() {
    let tip = |kind: &str| {
        let run = run(&format!(
            r#"
gravity = [0, 0, -9.81]
[beam.rod]
{kind}
to = [1, 0, 0]
elements = 6
nodes = 4
section = {{ rectangle = [0.02, 0.02] }}
material = {{ young = 1e7, poisson = 0.3, density = 7800 }}
sections = [3]
[joint.pin]
revolute = {{ between = ["ground", "rod.start"], at = [0, 0, 0], about = "y" }}
[sensor]
tip = {{ position = "rod.end" }}
[solve]
coefficients = {{ generalized-alpha = 0.8 }}
step = 2e-3
until = 0.5
"#
        ));
        [run.last("tip.x"), run.last("tip.z"), run.last("rod.n3")]
    };
    let flat = tip("kind = \"planar\"\nnormal = [0, -1, 0]");
    let spatial = tip("");
    assert_close("x", flat[0], spatial[0], 1e-3);
    assert_close("z", flat[1], spatial[1], 1e-3);
    assert!(flat[2].abs() > 1.0);
}
