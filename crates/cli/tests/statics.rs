//! `rotula statics`: where points are in equilibrium, and what holds them.

mod common;

use common::Place;
use common::table::Table;

/// A cantilever that a moment at its end bends to half a circle: the tip goes to (0, 2/π).
const HALF_CIRCLE: &str = r#"
[beam.b]
to = [1, 0, 0]
elements = 8
section = { stiffness = [1e6, 1e6, 1e6, 1, 1, 1], mass = 1, inertia = [1e-3, 1e-3, 1e-3] }
[joint.clamp]
fixed = { between = ["ground", "b.start"], at = [0, 0, 0] }
[force.f]
on = "b.end"
moment = [0, 0, "pi*t"]
[sensor]
tip = { position = "b.end" }
[solve]
until = 1
"#;

#[test]
fn statics_tells_where_points_are_and_what_holds_them() {
    let place = Place::new();
    place.write("bent.toml", HALF_CIRCLE);
    let said = place.rotula(&["statics", "bent.toml", "--at", "1", "-o", "out"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    for words in [
        "moved by (-1.000000, 0.636620, 0)",
        "(180.000°) about (0, 0, 1",
        "tip.y = 0.63662",
        "clamp.mz = -3.14159 N m",
    ] {
        assert!(said.stdout.contains(words), "no {words} in\n{}", said.stdout);
    }
    let found = place.json("out/equilibrium.json");
    let tip = found["displacements"].as_array().unwrap().last().unwrap();
    let moved = |k: usize| tip["moved"][k].as_f64().unwrap();
    let across = 2.0 / std::f64::consts::PI;
    assert!((moved(0) + 1.0).abs() < 1e-9 && (moved(1) - across).abs() < 1e-9, "{tip}");
    assert!(
        (tip["turned"]["angle"].as_f64().unwrap() - std::f64::consts::PI).abs() < 1e-9,
        "{tip}"
    );
    // the same columns as a run, and the moment at the clamp that balances the load
    let run =
        place.rotula(&["run", "bent.toml", "--set", "solve.until=1e-3", "-o", "run", "--quiet"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let [rest, moving] =
        ["out/equilibrium.csv", "run/trajectory.csv"].map(|name| Table::read(&place, name));
    // nothing has done work on what stands still
    let columns: Vec<&String> = moving.headings().iter().filter(|name| *name != "work").collect();
    assert_eq!(rest.headings().iter().collect::<Vec<_>>(), columns);
    let moment = rest.last("clamp.mz");
    assert!((moment + std::f64::consts::PI).abs() < 1e-8, "{moment}");
    assert!((found["values"]["tip.y"].as_f64().unwrap() - across).abs() < 1e-9);
    let moved = Table::read(&place, "out/displacements.csv").last("moved_y");
    assert!((moved - across).abs() < 1e-9, "{moved}");
}
