//! `[swarm.NAME]`: many spheres.

use crate::{assert_close, run};
use rotula_model::Mechanism;

const GRAINS: &str = r#"
gravity = [0, 0, -9.81]
[parameters]
r = 0.05
[swarm.grain]
spheres = 60
radius = "r"
density = 2000
filling = [[0, 0, 0], [0.5, 0.5, 0.5]]
container = [[0, 0, 0], [1, 1, 1]]
restitution = 0
friction = 0.3
[solve]
formulation = "moreau-jean"
step = 5e-3
until = 0.4
newton = { tolerance = 1e-3 }
"#;

#[test]
fn a_swarm_falls_into_its_container() {
    let result = run(GRAINS);
    let mut lowest = f64::INFINITY;
    for k in 1..=60 {
        let [x, y, z] = ["x", "y", "z"].map(|axis| result.last(&format!("grain{k}.{axis}")));
        for side in [x, y] {
            assert!(side > 0.04 && side < 0.96, "grain {k} left the container: {x} {y}");
        }
        lowest = lowest.min(z);
    }
    assert_close("height of the lowest", lowest, 0.05, 5e-3);
}

/// Spheres in given places: two that touch nothing fall freely.
#[test]
fn a_swarm_stands_where_it_is_put() {
    let result = run(r#"
        gravity = [0, 0, -10]
        [swarm.ball]
        radius = 0.1
        density = 1000
        at = [[0, 0, 5], [1, 0, 6]]
        restitution = 0.5
        [solve]
        formulation = "moreau-jean"
        step = 1e-2
        until = 0.2
        "#);
    assert_close("first", result.last("ball1.z"), 4.8, 1e-12);
    assert_close("second", result.last("ball2.z"), 5.8, 1e-12);
    assert_close("aside", result.last("ball2.x"), 1.0, 1e-12);
}

#[test]
fn wrong_swarms_are_refused() {
    let table = [
        ("spheres = 60", "", "misses `spheres`", "filling"),
        ("spheres = 60", "spheres = 2.5", "swarm.grain.spheres is 2.5", "whole number"),
        ("spheres = 60", "spheres = 600", "room for 64 spheres", "larger"),
        ("radius = \"r\"", "radius = -1", "swarm.grain.radius is -1 m", "positive"),
        ("density = 2000", "density = 0", "swarm.grain.density is 0 kg/m³", "positive"),
        ("spheres = 60", "at = [[0, 0, 0], [1, 1, 1]]", "so `filling` means nothing", "remove"),
        ("[1, 1, 1]]", "[1, 1, 1], [2, 2, 2]]", "has 3 corners", "two opposite"),
        ("restitution = 0", "restitution = 2", "its restitution is 2", "from 0 to 1"),
    ];
    for (from, to, message, help) in table {
        assert!(GRAINS.contains(from));
        let error = Mechanism::parse(&GRAINS.replacen(from, to, 1), "m.toml", &[]).unwrap_err();
        assert!(error.message().contains(message), "{to}: {error}");
        assert!(error.advice().unwrap_or_default().contains(help), "{to}: {error}");
    }
}
