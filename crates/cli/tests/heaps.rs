//! Stacks, chains and heaps: many contacts that depend on each other.

mod common;

use common::Place;
use common::table::Table;
use std::f64::consts::PI;
use std::fmt::Write;

/// Boxes of 0.3 m × 0.3 m × 0.2 m, each a little aside of the one below.
fn stack(count: usize, solve: &str) -> String {
    let mut text = "gravity = [0, 0, -9.81]\n".to_owned();
    for i in 0..count {
        let x = if i % 2 == 0 { 0.01 } else { -0.01 };
        let y = if i % 4 < 2 { 0.005 } else { -0.005 };
        let below = match i {
            0 => "between = [\"ground\", \"b0\"]\nfirst = { plane = \"z\" }".to_owned(),
            _ => format!("between = [\"b{}\", \"b{i}\"]", i - 1),
        };
        write!(
            text,
            "[body.b{i}]\nsolid = {{ box = [0.3, 0.3, 0.2], density = 500 }}\nat = [{x}, {y}, {}]\n\
             [contact.c{i}]\n{below}\nrestitution = 0\nfriction = 0.5\n",
            0.1 + 0.2 * i as f64
        )
        .expect("text");
    }
    format!("{text}[solve]\n{solve}\n")
}

/// Boxes at rest stay where they are, and the lowest contacts carry all of them.
fn stands(count: usize, solve: &str) {
    let place = Place::new();
    place.run(&stack(count, solve), &[], "out");
    let table = Table::read(&place, "out/trajectory.csv");
    let weight = 500.0 * 0.018 * 9.81;
    for i in 0..count {
        let z = 0.1 + 0.2 * i as f64;
        let heights = table.numbers(&format!("b{i}.z"));
        let moved = heights.iter().map(|own| (own - z).abs()).fold(0.0, f64::max);
        assert!(moved < 1e-5, "box {i} of {count} moves by {moved} ({solve})");
        let speed = table.last(&format!("b{i}.vx")).hypot(table.last(&format!("b{i}.vz")));
        assert!(speed < 1e-5, "box {i} of {count} has {speed} m/s ({solve})");
    }
    let carried: f64 = (1..=4).map(|k| table.last(&format!("force.c0: corner {k}"))).sum();
    let expected = count as f64 * weight;
    assert!((carried / expected - 1.0).abs() < 1e-6, "{carried} of {expected} ({solve})");
}

#[test]
fn ten_boxes_stand() {
    stands(10, "formulation = \"moreau-jean\"\nstep = 5e-3\nuntil = 2\noutput_every = 0.1");
    stands(10, "formulation = \"nonsmooth\"\nstep = 5e-3\nuntil = 2\noutput_every = 0.1");
}

#[test]
fn fifty_boxes_stand() {
    stands(50, "formulation = \"moreau-jean\"\nstep = 5e-3\nuntil = 0.02");
    stands(50, "formulation = \"nonsmooth\"\nstep = 5e-3\nuntil = 0.02");
}

/// A closed chain of 30 links round two wheels, which it touches with friction; the first wheel drives.
fn chain() -> String {
    let (pitch, roller) = (0.05, 0.012);
    let radius = pitch / (2.0 * (PI / 12.0).sin());
    let (distance, wheel) = (9.0 * pitch, radius - roller - 1e-5);
    let mut pins = Vec::new();
    let turn = |i: usize| i as f64 * PI / 6.0;
    pins.extend((0..9).map(|i| [i as f64 * pitch, radius]));
    pins.extend((0..6).map(|i| [distance + radius * turn(i).sin(), radius * turn(i).cos()]));
    pins.extend((0..9).map(|i| [distance - i as f64 * pitch, -radius]));
    pins.extend((0..6).map(|i| [-radius * turn(i).sin(), -radius * turn(i).cos()]));
    let mut text = "gravity = [0, -9.81, 0]\n".to_owned();
    for (name, x) in [("drive", 0.0), ("driven", distance)] {
        write!(
            text,
            "[body.{name}]\nkind = \"planar\"\nmass = 1\ninertia = 0.005\nat = [{x}, 0, 0]\n\
             [joint.{name}]\nrevolute = {{ between = [\"ground\", \"{name}\"], at = [{x}, 0, 0], about = \"z\" }}\n"
        )
        .expect("text");
    }
    text += "[motion.m]\njoint = \"drive\"\nangle_velocity = \"-step(t, 0, 0, 0.5, 10)\"\n";
    for (i, [x, y]) in pins.iter().enumerate() {
        let [u, v] = pins[(i + 1) % pins.len()];
        let before = (i + pins.len() - 1) % pins.len();
        write!(
            text,
            "[body.l{i}]\nkind = \"planar\"\nmass = 0.05\ninertia = 2e-5\nat = [{}, {}, 0]\n\
             turned = {{ about = \"z\", by = {} }}\n\
             [joint.p{i}]\nrevolute = {{ between = [\"l{before}\", \"l{i}\"], at = [{x}, {y}, 0], about = \"z\" }}\n",
            0.5 * (x + u),
            0.5 * (y + v),
            (v - y).atan2(u - x)
        )
        .expect("text");
        for name in ["drive", "driven"] {
            write!(
                text,
                "[contact.c{i}_{name}]\nbetween = [\"{name}\", \"l{i}\"]\n\
                 first = {{ cylinder = {{ radius = {wheel}, length = 0.02 }} }}\n\
                 second = {{ sphere = {roller}, at = [{}, 0, 0] }}\nrestitution = 0\nfriction = 0.3\n",
                -0.5 * pitch
            )
            .expect("text");
        }
    }
    text + "[solve]\nformulation = \"moreau-jean\"\nstep = 1e-3\nuntil = 0.2\noutput_every = 0.01\n"
}

/// Friction takes the second wheel along: both turn the same way, and no joint gapes.
#[test]
fn a_chain_with_friction_drives_a_wheel() {
    let place = Place::new();
    place.run(&chain(), &[], "out");
    let table = Table::read(&place, "out/trajectory.csv");
    let (drive, driven) = (table.last("drive.wz"), table.last("driven.wz"));
    assert!(drive < -3.0 && driven < -0.5 && driven > 1.2 * drive, "{drive} {driven}");
    let audit = place.audit("out");
    let [gape, depth] =
        ["position_residual", "penetration"].map(|key| audit[key].as_f64().expect("a number"));
    // rollers meet the wheels no faster than these turn, and overlap by the way of one step at most
    let way = 1e-3 * drive.abs() * 0.0966;
    assert!(gape < 1e-5 && depth < way, "{gape} {depth} {way}");
}

/// Seven rollers press on each wheel, more than there are freedoms, while the chain is tight and whips: no step is given up.
#[test]
fn a_tight_chain_needs_no_shorter_steps() {
    let place = Place::new();
    place.run(&chain(), &["solve.until=0.6"], "out");
    let statistics = &place.json("out/summary.json")["statistics"];
    assert_eq!(statistics["steps"].as_u64(), Some(600));
    assert_eq!(statistics["rejected_by_iteration"].as_u64(), Some(0));
    let table = Table::read(&place, "out/trajectory.csv");
    assert_eq!(table.last("t"), 0.6);
    let drive = table.last("drive.wz");
    assert!((drive + 10.0).abs() < 1e-6, "{drive}");
    let gape = place.audit("out")["position_residual"].as_f64().expect("a number");
    assert!(gape < 1e-5, "{gape}");
}

/// Grains that fell into a box overlap by less than half a percent of their diameter, if overlaps are taken back.
#[test]
fn overlaps_of_grains_are_taken_back() {
    let text = "gravity = [0, 0, -9.81]\n[swarm.g]\nspheres = 10\nradius = 0.05\ndensity = 2000\n\
                filling = [[0, 0, 0.05], [0.22, 0.22, 1.2]]\ncontainer = [[0, 0, 0], [0.22, 0.22, 1]]\n\
                restitution = 0\nfriction = 0.3\n[solve]\nformulation = \"moreau-jean\"\nstep = 5e-3\nuntil = 2\n\
                output_every = 0.5\nnewton = { tolerance = 1e-3 }\n";
    let place = Place::new();
    let depths = [true, false].map(|project| {
        place.run(&format!("{text}project = {project}\n"), &[], "out");
        let table = Table::read(&place, "out/trajectory.csv");
        assert_eq!(table.last("t"), 2.0);
        -table.last("contacts.smallest_gap")
    });
    assert!(depths[0] < 0.005 * 0.1 && depths[1] > 5.0 * depths[0], "{depths:?}");
}
