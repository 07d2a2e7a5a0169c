//! Boxes, hulls, capsules, spheres and meshes in rigid contact with each other.

mod common;

use common::Place;
use common::table::Table;
use std::fmt::Write;

const G: f64 = 9.81;

/// Ways to march; `moreau-jean` steps through impacts, and what falls is in the floor by the way of a step then.
const SOLVE: [&str; 3] = [
    "formulation = \"nonsmooth\"",
    "formulation = \"nonsmooth\"\nstep = 2e-3",
    "formulation = \"moreau-jean\"\nstep = 1e-3",
];

/// A prism along y, 0.2 m long, of an outline in x and z that runs clockwise seen from −y, with triangles that fill it.
fn prism(outline: &[[f64; 2]], fill: &[[usize; 3]]) -> String {
    let count = outline.len();
    let mut text = String::new();
    for y in [-0.1, 0.1] {
        for [x, z] in outline {
            writeln!(text, "v {x} {y} {z}").expect("text");
        }
    }
    let mut face = |a: usize, b: usize, c: usize| {
        writeln!(text, "f {} {} {}", a + 1, b + 1, c + 1).expect("text");
    };
    for i in 0..count {
        let j = (i + 1) % count;
        face(i, j, count + j);
        face(i, count + j, count + i);
    }
    for &[a, b, c] in fill {
        face(c, b, a);
        face(count + a, count + b, count + c);
    }
    text
}

/// A cube of 0.2 m, and a trough: a block of 0.4 m × 0.2 m × 0.2 m with a notch of 0.2 m × 0.1 m in its top.
fn meshes(place: &Place) {
    let square = [[-0.1, -0.1], [-0.1, 0.1], [0.1, 0.1], [0.1, -0.1]];
    place.write("cube.obj", &prism(&square, &[[0, 1, 2], [0, 2, 3]]));
    let trough = [
        [-0.2, 0.1],
        [-0.1, 0.1],
        [-0.1, 0.0],
        [0.1, 0.0],
        [0.1, 0.1],
        [0.2, 0.1],
        [0.2, -0.1],
        [-0.2, -0.1],
    ];
    let fill = [[7, 0, 1], [7, 1, 2], [7, 2, 3], [7, 3, 6], [3, 4, 6], [4, 5, 6]];
    place.write("trough.obj", &prism(&trough, &fill));
}

/// What lies on the ground, and what touches it.
struct Pair {
    below: &'static str,
    above: &'static str,
    at: [f64; 3],
    more: &'static str,
    friction: f64,
    /// Slope of the ground along x.
    slope: f64,
}

impl Pair {
    fn run(&self, solve: &str, until: f64) -> (Table, Table, Place) {
        let Pair { below, above, at, more, friction, slope } = self;
        let place = Place::new();
        meshes(&place);
        let (down, press) = (G * slope.sin(), -G * slope.cos());
        let text = format!(
            "gravity = [{down}, 0, {press}]\n[body.b]\nsolid = {{ {above}, density = 500 }}\nat = {at:?}\n{more}\n\
             [contact.c]\nbetween = [\"ground\", \"b\"]\nfirst = {{ {below} }}\nrestitution = 0\n\
             friction = {friction}\n[solve]\n{solve}\nuntil = {until}\noutput_every = 0.01\n"
        );
        place.run(&text, &[], "out");
        let table = Table::read(&place, "out/trajectory.csv");
        assert_eq!(table.last("t"), until, "{solve}");
        let contacts = Table::read(&place, "out/contacts.csv");
        (table, contacts, place)
    }

    /// The forces on it at the end, along each axis.
    fn carried(contacts: &Table) -> [f64; 3] {
        let times = contacts.numbers("t");
        let end =
            times.len() - times.iter().rev().take_while(|t| *t == times.last().unwrap()).count();
        // the table has forces on the second body of each place
        let second = contacts.texts("second");
        ["fx", "fy", "fz"].map(|key| {
            let forces = contacts.numbers(key);
            (end..forces.len()).map(|k| if second[k] == "b" { forces[k] } else { -forces[k] }).sum()
        })
    }
}

/// Cubes as boxes, hulls and meshes slide down each other by Coulomb's law, and over the edge with a part of their face.
#[test]
fn cubes_slide_on_cubes() {
    let pairs = [
        ("hull = \"cube.obj\"", "hull = \"cube.obj\""),
        ("box = [0.2, 0.2, 0.2]", "hull = \"cube.obj\""),
        ("mesh = \"cube.obj\"", "box = [0.2, 0.2, 0.2]"),
        ("mesh = \"cube.obj\"", "mesh = \"cube.obj\""),
        ("mesh = \"trough.obj\"", "mesh = \"trough.obj\""),
    ];
    let (slope, friction, until) = (0.5f64, 0.3, 0.2);
    let speed = G * (slope.sin() - friction * slope.cos()) * until;
    for (below, above) in pairs {
        for solve in SOLVE {
            // moved aside, so that no edges lie on each other
            for aside in [0.0, 0.013] {
                let pair = Pair { below, above, at: [0.0, aside, 0.2], more: "", friction, slope };
                let (table, contacts, place) = pair.run(solve, until);
                let what = format!("{above} on {below}, {solve}, {aside}");
                let found = table.last("b.vx");
                assert!((found - speed).abs() < 1e-9, "{what}: {found} is not {speed}");
                assert!((table.last("b.z") - 0.2).abs() < 1e-9, "{what}");
                let mass = if above.contains("trough") { 500.0 * 0.012 } else { 500.0 * 0.008 };
                let [fx, _, fz] = Pair::carried(&contacts);
                let press = mass * G * slope.cos();
                assert!((fz / press - 1.0).abs() < 1e-6, "{what}: {fz} is not {press}");
                assert!((fx / press + friction).abs() < 1e-6, "{what}: {fx}");
                let audit = place.audit("out");
                let defect = audit["energy_defect"].as_f64().unwrap();
                assert!(defect < 1e-6 * mass * G, "{what}: {defect}");
            }
        }
    }
}

/// What falls comes to rest where its shape fits: on crossing edges, over the walls of a trough, in it, on another trough.
#[test]
fn solids_come_to_rest_where_they_fit() {
    let cases = [
        ("box = [1, 0.1, 0.1]", "box = [0.1, 1, 0.1]", 0.1, 5.0),
        (
            "mesh = \"trough.obj\"",
            "capsule = { radius = 0.03, length = 0.4, axis = \"x\" }",
            0.13,
            0.0,
        ),
        ("mesh = \"trough.obj\"", "box = [0.15, 0.15, 0.15]", 0.075, 500.0 * 0.15 * 0.15 * 0.15),
        ("mesh = \"trough.obj\"", "mesh = \"trough.obj\"", 0.2, 6.0),
        ("mesh = \"trough.obj\"", "sphere = 0.05", 0.05, 0.0),
    ];
    for (below, above, height, mass) in cases {
        for solve in SOLVE {
            let at = [0.02, 0.01, height + 0.05];
            let pair = Pair { below, above, at, more: "", friction: 0.4, slope: 0.0 };
            let (table, contacts, _) = pair.run(solve, 0.5);
            let what = format!("{above} on {below}, {solve}");
            // a step of 1 ms at 1 m/s
            let within = if solve.contains("moreau") { 1e-3 } else { 1e-9 };
            let z = table.last("b.z");
            assert!((z - height).abs() < within, "{what}: {z} is not {height}");
            let [x, speed] = ["b.x", "b.vz"].map(|key| table.last(key));
            assert!((x - 0.02).abs() < 1e-6 && speed.abs() < 1e-9, "{what}: {x} {speed}");
            let [_, _, fz] = Pair::carried(&contacts);
            if mass > 0.0 {
                assert!((fz / (mass * G) - 1.0).abs() < 1e-6, "{what}: {fz}");
            }
        }
    }
}

/// A sphere that lands in a trough without spin leaves with 5/7 of its speed, and rolls on over the edges of triangles.
#[test]
fn a_sphere_rolls_on_a_mesh() {
    for solve in SOLVE {
        let more = "velocity = [0, 0.1, 0]";
        let (below, above) = ("mesh = \"trough.obj\"", "sphere = 0.05");
        let pair = Pair { below, above, at: [0.0, -0.06, 0.07], more, friction: 0.5, slope: 0.0 };
        let (table, _, _) = pair.run(solve, 1.0);
        let found = table.last("b.vy");
        assert!((found - 0.1 * 5.0 / 7.0).abs() < 1e-9, "{solve}: {found}");
    }
}

/// Deep in each other, solids are refused with the depth.
#[test]
fn solids_in_each_other_are_refused() {
    let place = Place::new();
    meshes(&place);
    for (shape, depth) in [
        ("box = [0.2, 0.2, 0.2]", "1.9"),
        ("hull = \"cube.obj\"", "1.9"),
        ("mesh = \"cube.obj\"", "1.9"),
    ] {
        let text = format!(
            "[body.b]\nsolid = {{ {shape}, density = 500 }}\nat = [0, 0, 0.01]\n[contact.c]\nbetween = [\"ground\", \"b\"]\n\
             first = {{ box = [0.2, 0.2, 0.2] }}\nrestitution = 0\n[solve]\nformulation = \"nonsmooth\"\nuntil = 0.1\n"
        );
        place.write("model.toml", &text);
        let said = place.rotula(&["run", "model.toml", "-o", "out"]);
        assert_ne!(said.status, 0, "{shape}");
        assert!(
            said.stderr.contains("overlaps by") && said.stderr.contains(depth),
            "{}",
            said.stderr
        );
    }
}
