//! Machines as newcomers wrote them out, line by line, and as copies of parts say them: both move alike.
//!
//! Numbers are those of the long models, by the default settings of each.

mod common;

use common::Place;
use common::columns::Columns;

/// Runs an example with settings; columns at its end against what the machine written out gave.
fn same(example: &str, set: &[&str], until: f64, ends: &[(&str, f64, f64)]) {
    let path = format!("{}/../../examples/models/{example}.toml", env!("CARGO_MANIFEST_DIR"));
    let place = Place::new();
    let mut arguments = vec!["run", &path, "-o", "out"];
    set.iter().for_each(|pair| arguments.extend(["--set", pair]));
    let said = place.rotula(&arguments);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    let run = Columns::read(&place, "out", until);
    for (column, wanted, within) in ends {
        let found = *run.column(column).last().unwrap();
        assert!((found - wanted).abs() <= *within, "{example}: {column} is {found}, not {wanted}");
    }
}

#[test]
fn a_crane_swings_its_load() {
    same(
        "overhead_crane",
        &[],
        20.0,
        &[("load_x", 7.5076939, 1e-7), ("rail.displacement", 7.9232891, 1e-7)],
    );
}

#[test]
fn a_turbine_starts() {
    same(
        "turbine_start",
        &[],
        20.0,
        &[
            ("tip.x", 0.21409761, 1e-8),
            ("tower_top", 0.022314861, 1e-9),
            ("shaft.angle_velocity", 3.9494217, 1e-7),
        ],
    );
    same("three_blades", &[], 20.0, &[("tip.z", 20.00152, 1e-6), ("shaft.angle", 59.988321, 1e-6)]);
}

#[test]
fn a_strut_is_shaken_and_steered() {
    let set = ["solve.initial=project-velocities"];
    same(
        "macpherson",
        &set,
        4.0,
        &[
            ("wheel.z", 0.29143444, 1e-8),
            ("car.z", 0.45320461, 1e-8),
            ("strut.spring.force", 3449.472, 1e-3),
        ],
    );
}

/// Latches catch hinges at once, where the newcomer's filters took two milliseconds.
#[test]
fn a_satellite_unfolds() {
    same("satellite", &[], 30.0, &[("tip.y", 2.5199913, 1e-4), ("tip.z", -0.020963466, 1e-3)]);
}

#[test]
fn a_washing_machine_spins() {
    same(
        "washing_machine",
        &[],
        15.0,
        &[
            ("tub.x", -0.0021531437, 1e-7),
            ("tub.z", 0.47667188, 1e-7),
            ("right.coil.force", -209.38629, 1e-3),
        ],
    );
}

#[test]
fn a_robot_draws_a_circle() {
    same(
        "six_axis_robot",
        &[],
        4.0,
        &[("tip.x", 0.4, 1e-12), ("j1.angle", 0.0, 1e-12), ("j3.angle", 0.0, 1e-12)],
    );
    // a quarter of the way round
    same(
        "six_axis_robot",
        &["solve.until=0.5"],
        0.5,
        &[("tip.x", 0.3, 1e-12), ("tip.y", 0.1, 1e-12)],
    );
}

#[test]
fn a_trolley_rolls_over_a_road() {
    // The original has a longer and wider road, of other triangles. At a tolerance of 1e-8 x is 4.86533: errors of both are about 3e-4.
    same("trolley", &[], 3.0, &[("chassis.x", 4.8653857, 5e-4), ("chassis.z", 0.37178855, 5e-5)]);
}
