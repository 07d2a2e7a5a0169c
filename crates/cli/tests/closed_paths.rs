//! Closed paths round wheels: copies along them close exactly, in any plane and place, by closed forms of polygons.

mod common;

use common::columns::{Columns, near};
use std::f64::consts::PI;

/// Links pinned to each other round two equal sprockets of twelve teeth, nine links apart; joints that do not close are refused.
const CHAIN: &str = r#"
[parameters]
p = 0.05
r = "p/(2*sin(pi/12))"
[path.chain]
wheels = [[0, 0, "r"], ["9*p", 0, "r"]]
pieces = 30
PLANE
[part.link.body.plate]
mass = 0.1
inertia = [1e-5, 1e-5, 1e-5]
at = ["0.5*pitch*AX", "0.5*pitch*AY", 0]
[part.link.joint.pin]
revolute = { between = ["link[mod(i - 1, count)].plate", "plate"], at = [0, 0, 0], about = "NORMAL" }
[use.link]
part = "link"
path = "chain"
PLACED
[sensor]
pitch = { formula = "chain.pitch" }
length = { formula = "chain.length" }
first = { formula = "chain.phase[0]" }
second = { formula = "chain.phase[1]" }
[solve]
initial = "refuse"
until = 0.1
output_every = 1e-3
"#;

/// The chain in a plane and place.
fn chain(plane: &str, axes: [&str; 2], normal: &str, placed: &str) -> String {
    CHAIN
        .replace("PLANE", plane)
        .replace("AX", axes[0])
        .replace("AY", axes[1])
        .replace("NORMAL", normal)
        .replace("PLACED", placed)
}

#[test]
fn a_chain_closes_with_the_pitch_of_its_sprockets() {
    let columns = Columns::of(&chain("", ["1", "0"], "z", ""), 0.1);
    let r = 0.05 / (2.0 * (PI / 12.0).sin());
    let last = |name: &str| *columns.column(name).last().unwrap();
    assert!((last("pitch") - 0.05).abs() < 1e-14, "{}", last("pitch"));
    assert!((last("length") - (2.0 * PI * r + 0.9)).abs() < 1e-14);
    // it meets the first wheel above, running to the left, and the second below
    assert!((last("first") - PI / 2.0).abs() < 1e-12, "{}", last("first"));
    assert!((last("second") + PI / 2.0).abs() < 1e-12, "{}", last("second"));
    // six links turn round the first wheel, of which nothing moves: middles lie on the inner circle of the polygon
    let inner = r * (PI / 12.0).cos();
    for k in 0..6 {
        let (x, y) = (last(&format!("link[{k}].plate.x")), last(&format!("link[{k}].plate.y")));
        let angle = PI / 2.0 + PI / 6.0 * (f64::from(k) + 0.5);
        assert!((x - inner * angle.cos()).abs() < 1e-12, "link {k}: x = {x}");
        assert!((y - inner * angle.sin()).abs() < 1e-12, "link {k}: y = {y}");
    }
}

/// The same chain in the other planes, and turned and moved as a whole.
#[test]
fn planes_and_places_only_move_it() {
    let flat = Columns::of(&chain("", ["1", "0"], "z", ""), 0.1);
    for (plane, axes, normal, placed, words, offset) in [
        ("plane = \"xz\"", ["1", "0"], "y", "", ["x", "z"], [0.0, 0.0]),
        ("plane = \"yz\"", ["0", "1"], "x", "", ["y", "z"], [0.0, 0.0]),
        ("", ["1", "0"], "z", "at = [1, 2, 3]", ["x", "y"], [1.0, 2.0]),
        // x to y, y to −x
        ("", ["1", "0"], "z", "turned = { about = \"z\", by = \"pi/2\" }", ["y", "-x"], [0.0, 0.0]),
    ] {
        let other = Columns::of(&chain(plane, axes, normal, placed), 0.1);
        for k in [0, 3, 10, 29] {
            for (own, (word, offset)) in ["x", "y"].iter().zip(words.iter().zip(offset)) {
                let sign = if word.starts_with('-') { -1.0 } else { 1.0 };
                let name = format!("link[{k}].plate.{}", word.trim_start_matches('-'));
                let found: Vec<f64> =
                    other.column(&name).iter().map(|value| sign * (value - offset)).collect();
                near(&name, &found, &flat.column(&format!("link[{k}].plate.{own}")), 1e-12);
            }
        }
    }
}

/// Segments of a belt touch their pulleys with their middles, along the path; where both are on one pulley or span, the end of each is where the next begins.
#[test]
fn segments_of_a_belt_touch_their_pulleys() {
    let (r, d, n) = (0.1, 0.3, 24);
    let text = format!(
        "[path.belt]\nwheels = [[0, 0, {r}], [{d}, 0, {r}]]\npieces = {n}\nlay = \"tangents\"\nshift = 0.5\n\
         [part.s.body.b]\nmass = 1\ninertia = [1, 1, 1]\nangular_velocity = [0, 0, \"curvature\"]\n\
         [use.s]\npart = \"s\"\npath = \"belt\"\n\
         [sensor]\npitch = {{ formula = \"belt.pitch\" }}\nlength = {{ formula = \"belt.length\" }}\n\
         arc = {{ formula = \"belt.arc[1]\" }}\nspan = {{ formula = \"belt.span[0]\" }}\n\
         [solve]\nuntil = 0.1\noutput_every = 1e-3\n",
    );
    let columns = Columns::of(&text, 0.1);
    let first = |name: &str| columns.at(name, 0);
    assert!((first("length") - 2.0 * (PI * r + d)).abs() < 1e-14);
    assert!((first("arc") - PI * r).abs() < 1e-14 && (first("span") - d).abs() < 1e-14);
    let p = first("pitch");
    let piece = |k: usize| {
        let at = |word: &str| first(&format!("s[{}].b.{word}", k % n));
        ([at("x"), at("y")], 2.0 * at("qz").atan2(at("qw")), at("wz"))
    };
    let mut met = 0;
    for k in 0..n {
        let ([x, y], heading, turning) = piece(k);
        let (sin, cos) = heading.sin_cos();
        let centre = if x < 0.0 { 0.0 } else { d };
        if (0.0..=d).contains(&x) {
            assert!((y.abs() - r).abs() < 1e-14 && sin.abs() < 1e-14 && turning.abs() < 1e-9);
        } else {
            // a quarter turn ahead of where it lies
            assert!((x - centre - r * sin).abs() < 1e-14 && (y + r * cos).abs() < 1e-14);
            assert!((turning - 1.0 / r).abs() < 1e-9);
        }
        let ([next_x, next_y], next_heading, next_turning) = piece(k + 1);
        let bend = 0.5 * (next_heading - heading);
        let distance = (next_x - x).hypot(next_y - y);
        assert!(
            (distance - p * bend.cos().abs()).abs() < 1e-12,
            "from {k} to the next: {distance}"
        );
        if (turning > 1.0) == (next_turning > 1.0) {
            let gap = [
                next_x - 0.5 * p * next_heading.cos() - x - 0.5 * p * cos,
                next_y - 0.5 * p * next_heading.sin() - y - 0.5 * p * sin,
            ];
            assert!(gap[0].hypot(gap[1]) < 1e-12, "between {k} and the next: {gap:?}");
            met += 1;
        }
    }
    assert_eq!(met, n - 4, "but for the ends of the arcs");
}
