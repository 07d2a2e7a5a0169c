//! Machines as newcomers wrote them out, line by line, and as copies of parts say them: both move alike.
//!
//! Numbers are those of the long models, by the default settings of each.

mod common;

use common::columns::Columns;
use common::table::Table;
use common::{Place, example};

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

/// Machines that were hundreds of lines of a script, or generated.
#[test]
fn machines_are_as_short_as_they_should_be() {
    for (name, most) in
        [("roller_chain", 80), ("ball_bearing", 60), ("valve_train", 50), ("turbine_start", 110)]
    {
        let lines = example(&format!("{name}.toml")).lines().count();
        assert!(lines <= most, "{name} has {lines} lines");
    }
}

#[test]
fn a_valve_train_surges() {
    same(
        "valve_train",
        &[],
        0.1,
        &[
            ("valve.z", 0.0500153735, 1e-9),
            ("valve.vz", 8.30643e-4, 1e-6),
            ("face.normal", 307.7256, 0.01),
            ("seat.fz", 301.8698, 0.01),
        ],
    );
}

/// Teeth by formulas damp from the first touch on; those of a mesh begin within a hundredth of a micrometre.
#[test]
fn a_planetary_gearbox_runs_up() {
    same(
        "planetary_gearbox",
        &[],
        0.1,
        &[
            ("sun.wz", 382.22577, 0.02),
            ("carrier.wz", 95.545621, 0.005),
            ("planet[0].wheel.wz", -191.09033, 0.01),
        ],
    );
}

#[test]
fn a_bearing_carries_its_load_on_eight_balls() {
    same(
        "ball_bearing",
        &[],
        0.15,
        &[
            ("ring.x", -1.2573222e-5, 1e-8),
            ("ring.y", -2.2625771e-5, 1e-8),
            ("ball[3].ball.x", 0.0035871709, 1e-7),
            ("ball[3].ball.y", -0.0196960048, 1e-7),
            ("ball[7].ball.x", 0.0161916238, 1e-7),
        ],
    );
}

/// The chain of the newcomer came to its speed within half a second. Its rollers bounce, and so does the wheel that it drives: places agree to a
/// thousandth of a pitch, rates to that over the time between two links.
#[test]
fn a_chain_drives_a_wheel() {
    same(
        "roller_chain",
        &["motion.drive.angle_velocity=\"-step(t, 0, 0, 0.5, 10)\""],
        0.5,
        &[
            ("driven.axle.angle", -2.4477394, 1e-3),
            ("driven.rim.wz", -10.0057, 0.05),
            ("link[7].plate.x", 0.5426448, 5e-5),
            ("link[7].plate.y", -0.0096101, 5e-5),
            ("link[20].plate.x", -0.0545916, 5e-5),
            ("link[20].plate.y", -0.0754447, 5e-5),
        ],
    );
}

/// Inverse dynamics of the robot: angles that follow from the path of its tip become tables, these drive the six joints, and their moments do the work that
/// the drives of the tip do.
#[test]
fn moments_of_a_robot_follow_from_the_path_of_its_tip() {
    let place = Place::new();
    place.write("led.toml", &example("six_axis_robot.toml"));
    let set = ["--set", "solve.until=2", "--set", "solve.formulation=pva"];
    let said = place.rotula(&[&["run", "led.toml", "-o", "led"], &set[..]].concat());
    assert_eq!(said.status, 0, "{}", said.stderr);
    let led = Columns::read(&place, "led", 2.0);
    let angles = Table::read(&place, "led/trajectory.csv");
    let joints: Vec<String> = (1..7).map(|k| format!("j{k}")).collect();
    let columns: Vec<Vec<f64>> =
        joints.iter().map(|joint| angles.numbers(&format!("{joint}.angle"))).collect();
    let mut rows = format!("t,{}\n", joints.join(","));
    let times = angles.numbers("t");
    for (row, t) in times.iter().enumerate() {
        // after a turn it is where it began, up to rounding
        let row = row % (times.len() - 1);
        let values: Vec<String> = columns.iter().map(|column| column[row].to_string()).collect();
        rows += &format!("{t},{}\n", values.join(","));
    }
    place.write("angles.csv", &rows);
    let text = example("six_axis_robot.toml");
    let begin = text.find("[motion.circle]").unwrap();
    let end = text.find("[sensor]").unwrap();
    // nothing holds the tool but its joints
    let free: String = text
        .lines()
        .filter(|line| !line.starts_with("upright") && !line.starts_with("ahead"))
        .map(|line| format!("{line}\n"))
        .collect();
    let shift = text.len() - free.len();
    let mut driven = free[..begin - shift].to_owned();
    for joint in &joints {
        driven += &format!(
            "[table.of_{joint}]\nfile = \"angles.csv\"\ncolumns = [\"t\", \"{joint}\"]\ninterpolation = \"spline\"\nperiodic = true\n\
             [motion.{joint}_drive]\njoint = \"{joint}\"\nangle = \"of_{joint}(t)\"\n"
        );
    }
    driven += &free[end - shift..];
    place.write("driven.toml", &driven);
    let said = place.rotula(&[&["run", "driven.toml", "-o", "driven"], &set[..]].concat());
    assert_eq!(said.status, 0, "{}", said.stderr);
    let driven = Columns::read(&place, "driven", 2.0);
    let sum = |run: &Columns, names: &[String]| {
        let mut sum = vec![0.0; run.rows()];
        for name in names {
            sum.iter_mut().zip(run.column(name)).for_each(|(sum, value)| *sum += value);
        }
        sum
    };
    let drives: Vec<String> = joints.iter().map(|joint| format!("{joint}_drive.power")).collect();
    let tip = ["x", "y", "z"].map(|axis| format!("circle.{axis}.power"));
    let (by_joints, by_tip) = (sum(&driven, &drives), sum(&led, &tip));
    let most = by_tip.iter().fold(0.0f64, |most, power| most.max(power.abs()));
    assert!(most > 1.0, "{most} W");
    for (row, (joints, tip)) in by_joints.iter().zip(&by_tip).enumerate() {
        // second derivatives of a spline through points a hundredth apart: (πh)²/12 of the largest
        assert!((joints - tip).abs() < 2e-3 * most, "row {row}: {joints} W, {tip} W");
    }
    // and the tip is led along its circle
    let x = driven.column("tip.x");
    assert!((x[x.len() / 4] - 0.3).abs() < 1e-6, "{}", x[x.len() / 4]);
}
