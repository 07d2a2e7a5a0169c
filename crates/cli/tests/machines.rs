//! Machines of which newcomers wanted the forces: they are in the columns, obey their laws, and runs start at rest.

mod common;

use common::columns::Columns;
use common::table::Table;
use common::{Place, model};

/// Runs a machine, about which nothing is to be warned.
fn run(name: &str, set: &[&str], until: f64) -> (Columns, Place) {
    let place = Place::new();
    let said = place.run(&model(name), set, "out");
    assert!(!said.stderr.contains("warning"), "{}", said.stderr);
    (Columns::read(&place, "out", until), place)
}

fn near(what: &str, value: f64, law: f64, within: f64) {
    assert!((value - law).abs() <= within, "{what} is {value}, not {law}");
}

const G: f64 = 9.81;

#[test]
fn a_washing_machine_tells_its_springs_dampers_and_feet() {
    let (run, _) = run("washing_machine.toml", &[], 3.0);
    let hanging = (35.0 + 7.0 + 0.5) * G;
    let whole = hanging + 39.78 * G;
    let feet = ["foot1", "foot2", "foot3", "foot4"];
    let settled = (run.at("tub.z", 0) - 0.48).abs();
    assert!(settled > 1e-3, "{settled}");
    for row in 0..run.rows() {
        // every force follows its law from the recorded deformations
        for side in ["left", "right"] {
            let of = |word: &str| run.at(&format!("{side}.{word}"), row);
            near(side, of("force"), -3500.0 * (of("length") - 0.19), 1e-9 * hanging);
            near(side, of("power"), of("force") * of("length_velocity"), 1e-9 * hanging);
            let of = |word: &str| run.at(&format!("damper_{side}.{word}"), row);
            near(side, of("force"), -180.0 * of("length_velocity"), 1e-9 * hanging);
            assert!(of("power") <= 0.0);
        }
        for foot in feet {
            let of = |word: &str| run.at(&format!("{foot}.{word}"), row);
            near(foot, of("fz"), -4e5 * of("z") - 400.0 * of("z_velocity"), 1e-9 * whole);
            near(foot, of("mx"), -10.0 * of("rx") - 0.1 * of("rx_velocity"), 1e-9 * whole);
        }
        let of = |word: &str| run.at(&format!("bellow.{word}"), row);
        near("bellow", of("fy"), -800.0 * of("y") - 10.0 * of("y_velocity"), 1e-9 * hanging);
        // the motor turns about the axis of its bearing
        let of = |word: &str| run.at(&format!("spin.{word}"), row);
        near("motor", of("mz"), of("effort"), 1e-9 * hanging);
        let power = of("effort") * run.at("bearing.angle_velocity", row);
        near("power of the motor", of("power"), power, 1e-9 * (1.0 + power.abs()));
        // until the drum turns everything rests, and the springs and feet carry the weight
        if run.at("t", row) < 1.0 {
            let sum: f64 = feet.iter().map(|foot| run.at(&format!("{foot}.fz"), row)).sum();
            near("feet", sum, whole, 1e-6 * whole);
            let up = ["left.fz", "right.fz", "damper_left.fz", "damper_right.fz"];
            let sum: f64 = up.iter().map(|name| run.at(name, row)).sum();
            near("springs", sum + run.at("bellow_on_tub.z", row), hanging, 1e-6 * hanging);
            // a hundred-thousandth of the way that it settled by
            near("tub", run.at("tub.z", row), run.at("tub.z", 0), 1e-5 * settled);
        }
    }
    // then the laundry throws the tub about
    assert!(run.largest("drum_a.x") > 0.1 && run.largest("damper_left.force") > 0.1);
}

#[test]
fn a_strut_carries_the_car_from_the_first_moment() {
    let set = ["solve.initial=equilibrium", "solve.until=0.9"];
    let (run, _) = run("macpherson.toml", &set, 0.9);
    // all but the plate, which the shaker holds; the car is guided upright, so the tyre carries all of it
    let weight = G * (350.0 + 4.0 + 14.0 + 2.0 + 20.0 + 3.0);
    for row in 0..run.rows() {
        near("tyre", run.at("tyre.fz", row), weight, 1e-6 * weight);
        let law = 2.2e5 * (0.36 - run.at("tyre.length", row));
        near("tyre", run.at("tyre.force", row), law, 1e-3 * weight);
        let law = -28000.0 * run.at("coil.displacement", row);
        near("coil", run.at("coil.force", row), law, 1e-3 * weight);
        near("shaker", run.at("bump.fz", row), weight + 10.0 * G, 1e-6 * weight);
        near("car", run.at("car.z", row), run.at("car.z", 0), 1e-9);
    }
}

/// The list of contacts changes on the way; each keeps its columns, and all of them together give the inner ring its
/// momentum.
#[test]
fn the_balls_of_a_bearing_carry_the_shaft() {
    // impulses of located impacts are in a table of their own; stepped through, they are forces of their step
    let (run, place) = run("ball_bearing.toml", &["solve.until=0.06", "solve.located=false"], 0.06);
    let t = run.column("t");
    let (mut given, mut pushed) = (0.0, 0.0);
    for row in 1..run.rows() {
        let h = t[row] - t[row - 1];
        let load = 0.5 * (run.at("load.fy", row) + run.at("load.fy", row - 1));
        given += h * (load - 0.3 * G);
        pushed += h * load.abs();
    }
    // the table holds the force on the ball, which is the second body of `in0`, …
    let long = Table::read(&place, "out/contacts.csv");
    let mut seen = std::collections::HashSet::new();
    for (contact, fy) in long.texts("contact").into_iter().zip(long.numbers("fy")) {
        if contact.starts_with("in") {
            // steps are equal
            given -= 2e-4 * fy;
            seen.insert(contact);
        }
    }
    assert!(seen.len() > 2 && pushed > 1.0, "{seen:?}");
    let change = 0.3 * (run.column("inner.vy").last().unwrap() - run.at("inner.vy", 0));
    near("momentum of the inner ring", change, given, 1e-3 * pushed);
    // while each contact has columns of its own
    for k in 0..8 {
        for kind in ["in", "out"] {
            assert!(run.largest(&format!("force.{kind}{k}")) < 1e4);
        }
        run.column(&format!("gap.next{k}"));
    }
}
