//! Orientation sensors read the angles that nested hinges have.

mod common;

use common::columns::{Columns, near};

/// Three nested hinges about these axes, turned by motions.
fn gimbals(axes: [&str; 3], angles: [&str; 3], sensors: &str) -> Columns {
    let mut text = String::new();
    for k in 0..3 {
        let before = if k == 0 { "ground".to_owned() } else { format!("ring{}", k - 1) };
        text += &format!(
            "[body.ring{k}]\nmass = 1\ninertia = [1, 1, 1]\n\
             [joint.hinge{k}]\nrevolute = {{ between = [\"{before}\", \"ring{k}\"], at = [0, 0, 0], about = \"{}\" }}\n\
             [motion.drive{k}]\njoint = \"hinge{k}\"\nangle = \"{}\"\n",
            axes[k], angles[k]
        );
    }
    text += &format!("[sensor]\n{sensors}\n[solve]\nuntil = 1.0\nmax_step = 0.01\n");
    Columns::of(&text, 1.0)
}

#[test]
fn cardan_and_euler_angles_are_those_of_nested_hinges() {
    let angles = ["1.2*sin(3*t)", "1.1*sin(2*t)", "2.5*t"];
    let read = "turn = { cardan = \"ring2\" }\nback = { cardan = \"ground\", axes = \"ring2\" }";
    let run = gimbals(["x", "y", "z"], angles, read);
    for (k, axis) in ["x", "y", "z"].into_iter().enumerate() {
        let angle = run.column(&format!("hinge{k}.angle"));
        near(axis, &run.column(&format!("turn.{axis}")), &angle, 1e-9);
    }
    assert!(run.largest("turn.y") > 1.0 && run.largest("back.x") > 0.5);
    // the second angle leaves zero, where the others are not defined
    let angles = ["t", "1.5*t", "2*sin(t)"];
    let run = gimbals(["z", "x", "z"], angles, "turn = { euler = \"ring2\" }");
    for (k, axis) in ["x", "y", "z"].into_iter().enumerate() {
        let [angle, read] = [format!("hinge{k}.angle"), format!("turn.{axis}")]
            .map(|name| run.column(&name)[10..].to_vec());
        near(axis, &read, &angle, 1e-9);
    }
}

#[test]
fn the_rotation_vector_is_axis_times_angle() {
    let text = "[body.disc]\nmass = 1\ninertia = [1, 1, 1]\n\
                [joint.pin]\nrevolute = { between = [\"ground\", \"disc\"], at = [0, 0, 0], about = [2, 1, 2] }\n\
                [motion.drive]\njoint = \"pin\"\nangle = \"2.5*t\"\n\
                [sensor]\nturn = { rotation = \"disc\" }\nabout = { rotation = \"disc\", along = [2, 1, 2] }\n\
                [variable]\ntwice = \"2*about\"\n[solve]\nuntil = 1.0\nmax_step = 0.01\n";
    let run = Columns::of(text, 1.0);
    let angle = run.column("pin.angle");
    let part = |weight: f64| angle.iter().map(|angle| weight * angle).collect::<Vec<_>>();
    near("x", &run.column("turn.x"), &part(2.0 / 3.0), 1e-9);
    near("y", &run.column("turn.y"), &part(1.0 / 3.0), 1e-9);
    near("along", &run.column("about"), &part(1.0), 1e-9);
    near("in a formula", &run.column("twice"), &part(2.0), 1e-9);
    assert!(run.largest("pin.angle") > 2.4);
}

#[test]
fn mistakes_are_answered() {
    let place = common::Place::new();
    let text = "[body.disc]\nmass = 1\ninertia = [1, 1, 1]\n[sensor]\nturn = { cardan = \"disc\", along = \"x\" }\n\
                [solve]\nuntil = 1\n";
    for (wrong, phrases) in [
        (text.to_owned(), ["model.toml:5:27", "have no components"]),
        (text.replace("cardan = \"disc\", along = \"x\"", "euler = \"disk\""), ["5:18", "`disc`"]),
        (
            text.replace("along = \"x\"", "rotation = \"disc\""),
            ["5:27", "`cardan` and `rotation` exclude each other"],
        ),
        (text.replace("cardan", "cardano"), ["5:10", "`cardan`"]),
        (
            text.replace("along = \"x\"", "axes = \"worlt\""),
            ["5:34", "there is no body or frame `worlt`"],
        ),
    ] {
        place.write("model.toml", &wrong);
        let said = place.rotula(&["check", "model.toml"]);
        assert_eq!(said.status, 2, "{wrong}");
        for phrase in phrases {
            assert!(said.stderr.contains(phrase), "{phrase} is not in {}", said.stderr);
        }
    }
}
