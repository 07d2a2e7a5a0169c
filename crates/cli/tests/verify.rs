//! `rotula run --verify`: what a second, stricter run says of the first.

mod common;

use common::Place;
use common::table::Table;
use serde_json::Value;

/// A planar pendulum on a hinge: reactions across its plane are zero.
const SWING: &str = r#"title = "Swing"
gravity = [0, 0, -9.81]
[body.arm]
mass = 1
inertia = [0.01, 0.1, 0.1]
at = [0.5, 0, 0]
[joint.hinge]
revolute = { between = ["ground", "arm"], at = [0, 0, 0], about = "y" }
[solve]
until = 2.0
"#;

fn verified(place: &Place, name: &str) -> Value {
    place.json(&format!("results/{name}/summary.json"))["verification"].clone()
}

/// The row of a column.
fn row<'a>(verification: &'a Value, column: &str) -> &'a Value {
    let rows = verification["differences"].as_array().expect("a list");
    rows.iter().find(|row| row["column"] == column).unwrap_or_else(|| panic!("no {column}"))
}

/// The angle of an independent solution: φ'' = −(g m l/J) cos φ, positive about y is downward.
fn angle(t: f64) -> f64 {
    let rate = 9.81 * 0.5 / 0.35;
    let steps = 200_000;
    let h = t / f64::from(steps);
    let slope = |[a, w]: [f64; 2]| [w, rate * a.cos()];
    let mut y = [0.0, 0.0];
    for _ in 0..steps {
        let plus = |y: [f64; 2], k: [f64; 2], c: f64| [y[0] + c * k[0], y[1] + c * k[1]];
        let k1 = slope(y);
        let k2 = slope(plus(y, k1, h / 2.0));
        let k3 = slope(plus(y, k2, h / 2.0));
        let k4 = slope(plus(y, k3, h));
        for i in 0..2 {
            y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
    }
    y[0]
}

#[test]
fn differences_are_about_the_true_errors() {
    let place = Place::new();
    place.write("swing.toml", SWING);
    for (setting, expected) in [("solve.tolerance=1e-5", "tolerance"), ("solve.step=0.01", "step")]
    {
        let set =
            ["run", "swing.toml", "--verify", "--set", setting, "--set", "solve.output_every=0.5"];
        let said = place.rotula(&set);
        assert_eq!(said.status, 0, "{}", said.stderr);
        let found = verified(&place, "swing");
        assert_eq!(found["stricter"]["setting"], expected);
        assert_eq!(found["instants"], 5);
        let table = Table::read(&place, "results/swing/trajectory.csv");
        let error = table
            .numbers("t")
            .into_iter()
            .zip(table.numbers("hinge.angle"))
            .map(|(t, found)| (found - angle(t)).abs())
            .fold(0.0, f64::max);
        let difference = row(&found, "hinge.angle")["difference"].as_f64().unwrap();
        // both are of second order: a tenth of the tolerance leaves 0.1^(2/3), half the step a quarter
        let ratio = difference / error;
        assert!((0.5..1.5).contains(&ratio), "{setting}: {difference} for an error of {error}");
        let digits = row(&found, "hinge.angle")["digits"].as_u64().unwrap();
        let relative = row(&found, "hinge.angle")["relative"].as_f64().unwrap();
        assert_eq!(digits, (-relative.log10()).floor() as u64);
        assert!(said.stdout.contains("Verified by a second run"), "{}", said.stdout);
        assert!(said.stdout.contains("Positions differ by at most"), "{}", said.stdout);
        assert!(said.stdout.contains("Forces differ by at most"), "{}", said.stdout);
    }
}

#[test]
fn zeros_are_judged_against_what_is_not() {
    let place = Place::new();
    place.write("swing.toml", SWING);
    let said = place.rotula(&["run", "swing.toml", "--verify", "--quiet"]);
    assert_eq!((said.status, said.stdout.as_str()), (0, ""), "{}", said.stderr);
    let found = verified(&place, "swing");
    // forces across the plane are rounding: judged against those in it
    let scale = |column: &str| row(&found, column)["scale"].as_f64().unwrap();
    assert_eq!(scale("hinge.fy"), scale("hinge.fx"));
    assert!(scale("hinge.fy") > 5.0);
    // moments are none at all, with levers of half a metre
    assert!(scale("hinge.my") > 1.0, "{}", scale("hinge.my"));
    assert!(row(&found, "hinge.my")["relative"].as_f64().unwrap() < 1e-6);
    // worst first, in the table too
    let rows = found["differences"].as_array().unwrap();
    let relative: Vec<f64> = rows.iter().map(|row| row["relative"].as_f64().unwrap()).collect();
    assert!(relative.is_sorted_by(|a, b| a >= b));
    let table = place.read("results/swing/verify.csv");
    assert_eq!(table.lines().count(), rows.len() + 1);
    assert!(table.starts_with("column,unit,quantity,difference,scale,relative,time,rms,digits\n"));
    assert!(table.lines().nth(1).unwrap().starts_with(rows[0]["column"].as_str().unwrap()));
    let page = place.read("results/swing/report.html");
    assert!(page.contains("<summary>Verification</summary>"));
    // a directory holds one run
    let said = place.rotula(&["run", "swing.toml", "--quiet"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    assert!(!place.path("results/swing/verify.csv").exists());
    assert!(verified(&place, "swing").is_null());
}

/// An angle that turns on and on, and a quaternion that changes its sign, do not differ by whole turns.
#[test]
fn turns_are_no_differences() {
    let place = Place::new();
    let moving = "at = [0.5, 0, 0]\nangular_velocity = [0, 20, 0]\nvelocity = [0, 0, -10]\n[joint";
    let spin = SWING.replace("at = [0.5, 0, 0]\n[joint", moving);
    place.write("spin.toml", &spin);
    let said = place.rotula(&["run", "spin.toml", "--verify", "--quiet"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    let found = verified(&place, "spin");
    for column in ["hinge.angle", "arm.qw", "arm.qy"] {
        let relative = row(&found, column)["relative"].as_f64().unwrap();
        assert!(relative < 1e-2, "{column}: {relative}");
    }
}

/// A run that stops on its way is compared until there, and both say so.
#[test]
fn runs_that_fail_are_compared_until_then() {
    let place = Place::new();
    // the torque has no value from t = 1 on
    let text = SWING.replace("about = \"y\" }\n", "about = \"y\" }\ntorque = \"sqrt(1 - t)\"\n");
    place.write("swing.toml", &text);
    let said = place.rotula(&["run", "swing.toml", "--verify"]);
    assert_eq!(said.status, 1, "{}", said.stdout);
    let found = verified(&place, "swing");
    let until = found["until"].as_f64().unwrap();
    assert!((0.9..=1.0).contains(&until), "{until}");
    assert!(row(&found, "hinge.angle")["relative"].as_f64().unwrap() < 1e-2);
    assert!(said.stderr.contains("The simulation failed"), "{}", said.stderr);
}

/// Checkpoints keep the wish to verify: a run that is resumed is verified at its end.
#[test]
fn checkpoints_and_verification_go_together() {
    let place = Place::new();
    place.write("swing.toml", SWING);
    let said = place.rotula(&[
        "run",
        "swing.toml",
        "--verify",
        "--checkpoint",
        "every=20steps",
        "--quiet",
    ]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    assert!(verified(&place, "swing")["instants"].as_u64().unwrap() > 10);
}

/// Two pendulums, one on the other, let go high: after some seconds no tolerance helps.
#[test]
fn chaos_is_called_by_its_name() {
    let place = Place::new();
    place.write(
        "chaos.toml",
        r#"
        gravity = [0, 0, -9.81]
        [body.upper]
        mass = 1
        inertia = [0.01, 0.02, 0.02]
        at = [0.5, 0, 0]
        [body.lower]
        mass = 1
        inertia = [0.01, 0.02, 0.02]
        at = [1.5, 0, 0]
        [joint.shoulder]
        revolute = { between = ["ground", "upper"], at = [0, 0, 0], about = "y" }
        [joint.elbow]
        revolute = { between = ["upper", "lower"], at = [1, 0, 0], about = "y" }
        [solve]
        tolerance = 1e-9
        until = 30.0
        output_every = 0.05
        "#,
    );
    let said = place.rotula(&["run", "chaos.toml", "--verify"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    let found = verified(&place, "chaos");
    let lost = found["growth"]["lost"].as_f64().expect("positions are lost");
    assert!((3.0..30.0).contains(&lost), "{lost}");
    assert!(said.stdout.contains("as in chaotic motions"), "{}", said.stdout);
}
