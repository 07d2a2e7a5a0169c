//! Cylinders, hulls, landscapes and beams in rigid contact.

use crate::{Run, assert_close, run, run_as};
use nalgebra::Vector3;
use rotula_model::Mechanism;

const SOLVE: &str = r#"
[solve]
formulation = "nonsmooth"
coefficients = { generalized-alpha = 0.8 }
step = 2e-3
"#;

/// A cylinder on its side rolls: two thirds of its speed are left when it no longer slips.
#[test]
fn a_cylinder_rolls_in_the_end() {
    let errors = [2e-3, 1e-3, 5e-4].map(|step| {
        let solve = SOLVE.replace("2e-3", &step.to_string());
        let result = run(&format!(
            r#"
            gravity = [0, 0, -10]
            [body.drum]
            solid = {{ cylinder = {{ radius = 0.1, length = 0.3, axis = "y" }}, density = 500 }}
            at = [0, 0, 0.1]
            velocity = [1.5, 0, 0]
            [contact.floor]
            between = ["ground", "drum"]
            first = {{ plane = "z" }}
            restitution = 0
            friction = 0.2
            {solve}
            until = 0.5
            "#
        ));
        assert_close("height", result.last("drum.z"), 0.1, 1e-9);
        result.last("drum.vx") - 1.0
    });
    // slipping and rolling are exact at any step
    assert!(errors.iter().all(|error| error.abs() < 1e-10), "{errors:?}");
}

/// A ball lies still in the middle of a valley.
#[test]
fn a_ball_rests_in_a_landscape() {
    let result = run(&format!(
        r#"
        gravity = [0, 0, -10]
        [body.ball]
        solid = {{ sphere = 0.1, density = 500 }}
        at = [0, 0.05, 0.16]
        [contact.ground]
        between = ["ground", "ball"]
        first = {{ heights = {{ values = [0.5, 0, 0.5, 0.5, 0, 0.5], columns = 3, lengths = [1, 1] }} }}
        restitution = 0
        {SOLVE}
        until = 0.4
        "#
    ));
    // both slopes rise by one: the centre is √2 radii above the bottom
    assert_close("height", result.last("ball.z"), 0.1 * 2f64.sqrt(), 1e-8);
    assert_close("place", result.last("ball.x"), 0.0, 1e-8);
}

/// The hull of a file that has a dent is the box without it.
#[test]
fn a_hull_has_no_dents() {
    let folder = std::env::temp_dir().join(format!("rotula-hull-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let corners =
        "v 1 1 1\nv 1 1 -1\nv 1 -1 1\nv 1 -1 -1\nv -1 1 1\nv -1 1 -1\nv -1 -1 1\nv -1 -1 -1\n";
    // a vertex in the middle and any triangles: only vertices count
    std::fs::write(
        folder.join("dent.obj"),
        format!("{corners}v 0 0 0\nf 1 2 9\nf 3 4 9\nf 5 6 9\nf 7 8 9\n"),
    )
    .unwrap();
    let text = format!(
        r#"
        gravity = [0, 0, -10]
        [body.block]
        solid = {{ hull = "dent.obj", scale = 0.1, density = 500 }}
        at = [0, 0, 0.12]
        [contact.floor]
        between = ["ground", "block"]
        first = {{ plane = "z" }}
        restitution = 0
        {SOLVE}
        until = 0.2
        "#
    );
    let result = run_as(&folder.join("model.toml").display().to_string(), &text);
    std::fs::remove_dir_all(&folder).unwrap();
    assert_close("height", result.last("block.z"), 0.1, 1e-9);
}

const ROD: &str = r#"
gravity = [0, 0, -10]
[beam.rod]
from = [0, 0, 0.06]
to = [1, 0, 0.06]
elements = 8
damping = 1e-3
section = { circle = 0.02 }
material = { young = 1e9, poisson = 0.3, density = 1000 }
[sensor]
middle = { position = "rod.4" }
"#;

/// A rod falls flat upon the floor and stays there, and no node enters it.
#[test]
fn a_rod_falls_upon_the_floor() {
    let result = run(&format!(
        r#"{ROD}
[contact.floor]
between = ["ground", "rod"]
first = {{ plane = "z" }}
second = {{ sphere = 0.02 }}
restitution = 0
{SOLVE}
until = 0.4
"#
    ));
    for name in ["rod.0.z", "middle.z", "rod.8.z"] {
        let heights = result.curve(name);
        let lowest = heights.iter().copied().fold(f64::INFINITY, f64::min);
        assert!(lowest > 0.02 - 1e-9, "{name}: {lowest}");
        assert_close("height", heights[heights.len() - 1], 0.02, 1e-5);
    }
    assert_close("speed", result.last("rod.0.vz"), 0.0, 1e-3);
}

/// A rod falls across a fixed ball under its middle node, bends over it and is held by it.
#[test]
fn a_rod_lies_over_a_ball() {
    let result = run(&format!(
        r#"{ROD}
[frame.top]
on = "ground"
at = [0.5, 0, -0.1]
[contact.ball]
between = ["rod", "top"]
first = {{ sphere = 0.02 }}
second = {{ sphere = 0.1 }}
restitution = 0
{SOLVE}
until = 0.25
"#
    ));
    let middle = result.curve("middle.z");
    let lowest = middle.iter().copied().fold(f64::INFINITY, f64::min);
    assert!(lowest > 0.02 - 1e-9 && lowest < 0.021, "{lowest}");
    let end = result.curve("rod.0.z").into_iter().fold(f64::INFINITY, f64::min);
    assert!(end < 0.018, "its ends go on by their speed: {end}");
}

/// Places of sensors, row by row.
fn places(result: &Run, names: [&str; 2]) -> Vec<[Vector3<f64>; 2]> {
    let curves = names.map(|name| ["x", "y", "z"].map(|k| result.curve(&format!("{name}.{k}"))));
    let at = |i: usize, slot: usize| Vector3::from_fn(|k, _| curves[slot][k][i]);
    (0..curves[0][0].len()).map(|i| [at(i, 0), at(i, 1)]).collect()
}

/// The same between two nodes: the surface of the rod between them touches. The distance of the ball from
/// the line of the two nodes is found here in another way, by areas.
#[test]
fn a_rod_lies_over_a_ball_between_its_nodes() {
    let result = run(&format!(
        r#"{ROD}
next = {{ position = "rod.5" }}
[frame.top]
on = "ground"
at = [0.56, 0, -0.1]
[contact.ball]
between = ["rod", "top"]
first = {{ sphere = 0.02 }}
second = {{ sphere = 0.1 }}
restitution = 0
friction = 0.5
{SOLVE}
until = 0.2
"#
    ));
    let ball = Vector3::new(0.56, 0.0, -0.1);
    let distance =
        |[a, b]: &[Vector3<f64>; 2]| (a - ball).cross(&(b - ball)).norm() / (b - a).norm() - 0.12;
    let gaps = places(&result, ["middle", "next"]).iter().map(distance).collect::<Vec<_>>();
    let least = gaps.iter().copied().fold(f64::INFINITY, f64::min);
    assert!(least.abs() < 1e-9, "it touches and does not enter: {least:e}");
}

/// A rod falls across another that lies fixed at its ends, and both touch between their nodes.
#[test]
fn a_rod_falls_across_another() {
    let result = run(&format!(
        r#"{ROD}
before = {{ position = "rod.3" }}
rail2 = {{ position = "rail.2" }}
rail3 = {{ position = "rail.3" }}
[beam.rail]
from = [0.44, -0.5, 0]
to = [0.44, 0.5, 0.01]
elements = 5
damping = 1e-3
section = {{ circle = 0.02 }}
material = {{ young = 1e9, poisson = 0.3, density = 1000 }}
[joint.left]
fixed = {{ between = ["ground", "rail.start"], at = [0.44, -0.5, 0] }}
[joint.right]
fixed = {{ between = ["ground", "rail.end"], at = [0.44, 0.5, 0.01] }}
[contact.cross]
between = ["rod", "rail"]
first = {{ sphere = 0.02 }}
second = {{ sphere = 0.02 }}
restitution = 0
friction = 0.3
{SOLVE}
until = 0.15
"#
    ));
    // the distance of two lines, by the volume between them
    let pairs = places(&result, ["before", "middle"]);
    let gaps = pairs.iter().zip(places(&result, ["rail2", "rail3"])).map(|([a, b], [c, d])| {
        let normal = (b - a).cross(&(d - c));
        (c - a).dot(&normal).abs() / normal.norm() - 0.04
    });
    let least = gaps.fold(f64::INFINITY, f64::min);
    assert!(least.abs() < 1e-9, "they touch and do not enter each other: {least:e}");
    let pushed = result.curve("rail2.z").into_iter().fold(f64::INFINITY, f64::min);
    let free = 0.01 * 0.4;
    assert!(pushed < free - 1e-4, "the rail gives way: {pushed}");
}

#[test]
fn whole_beams_say_what_they_lack() {
    let faults = [
        ("second = { box = [1, 1, 1] }\nrestitution = 0", "how thick `rod` is", "its radius"),
        ("second = { sphere = 0.02 }", "misses `stiffness` or `restitution`", "rigid"),
    ];
    for (words, message, help) in faults {
        let text = format!(
            "{ROD}\n[contact.floor]\nbetween = [\"ground\", \"rod\"]\nfirst = {{ plane = \"z\" }}\n{words}\n{SOLVE}\nuntil = 1\n"
        );
        let error = Mechanism::parse(&text, "model.toml", &[]).err().unwrap();
        let said = format!("{error:?} {error}");
        assert!(said.contains(message) && said.contains(help), "{said}");
    }
}

/// Mass and inertia of a body that is not full.
fn properties(solid: &str) -> (f64, Vector3<f64>, [f64; 3]) {
    let text = format!("[body.b]\nsolid = {{ {solid}, density = 1000 }}\n[solve]\nuntil = 1\n");
    let mechanism = Mechanism::parse(&text, "hollow.toml", &[]).unwrap();
    let properties = mechanism.model.bodies()[1].1.mass;
    let inertia = properties.inertia;
    (properties.mass, properties.centre, [0, 1, 2].map(|k| inertia[(k, k)]))
}

#[test]
fn hollow_solids_weigh_what_is_left() {
    use std::f64::consts::PI;
    // a tube: m = π ρ (R² − r²) L, about its axis m (R² + r²)/2, across it m (3 (R² + r²) + L²)/12
    let (r, s, l) = (0.2, 0.15, 0.6);
    let (mass, centre, moments) = properties(
        "cylinder = { radius = 0.2, length = 0.6, axis = \"x\" }, hollow = { cylinder = { radius = 0.15, length = 0.6, axis = \"x\" } }",
    );
    let m = 1000.0 * PI * (r * r - s * s) * l;
    assert_close("mass of a tube", mass, m, 1e-9 * m);
    assert!(centre.norm() < 1e-15);
    assert_close("about its axis", moments[0], 0.5 * m * (r * r + s * s), 1e-9 * m);
    let across = m * (3.0 * (r * r + s * s) + l * l) / 12.0;
    assert_close("across it", moments[1], across, 1e-9 * m);
    assert_close("across it", moments[2], across, 1e-9 * m);
    // a thin shell of a sphere: 2/3 m r²
    let (mass, _, moments) = properties("sphere = 0.5, wall = 1e-5");
    assert_close("mass of a shell", mass, 1000.0 * 4.0 * PI * 0.25 * 1e-5, 1e-4 * mass);
    assert_close("inertia of a shell", moments[2], mass * 0.25 / 1.5, 1e-4 * mass);
    // a box with a hole to one side: the centre moves to the other
    let (mass, centre, _) =
        properties("box = [1, 1, 1], hollow = { box = [0.4, 0.4, 1], at = [0.2, 0, 0] }");
    assert_close("mass of a box", mass, 840.0, 1e-9);
    assert_close("centre of a box", centre.x, -0.2 * 160.0 / 840.0, 1e-12);
    // its wall all round
    let (mass, _, moments) = properties("box = [1, 2, 3], wall = 0.1");
    assert_close("mass of a case", mass, 1000.0 * (6.0 - 0.8 * 1.8 * 2.8), 1e-9);
    let full = |[a, b, c]: [f64; 3]| 1000.0 * a * b * c * (b * b + c * c) / 12.0;
    assert_close("about x", moments[0], full([1.0, 2.0, 3.0]) - full([0.8, 1.8, 2.8]), 1e-9);
}
