//! What `rotula check` says about mechanisms and equations.

mod common;

use common::Place;

/// What the check prints about a model; it must end with this status.
fn check(text: &str, status: i32) -> String {
    let place = Place::new();
    place.write("model.toml", text);
    let said = place.rotula(&["check", "model.toml"]);
    assert_eq!(said.status, status, "{}{}", said.stdout, said.stderr);
    said.stdout + &said.stderr
}

fn assert_says(said: &str, sentences: &[&str]) {
    for sentence in sentences {
        assert!(said.contains(sentence), "no `{sentence}` in\n{said}");
    }
}

const SOLVE: &str = "[solve]\nformulation = \"index3\"\nstep = 0.01\nuntil = 1.0\n";

/// A rod on a hinge, with places for changes.
fn rod(mass: f64, inertia: &str, gravity: &str, length: f64) -> String {
    let half = 0.5 * length;
    format!(
        r#"
        gravity = {gravity}
        [body.rod]
        mass = {mass}
        inertia = {inertia}
        at = [{half}, 0, 0]
        [joint.hinge]
        revolute = {{ between = ["ground", "rod"], at = [0, 0, 0], about = "y" }}
        {SOLVE}"#
    )
}

const DOWN: &str = "[0, 0, -9.81]";

#[test]
fn a_sound_model_gets_no_hints() {
    let said = check(&rod(1.0, "[1e-4, 0.083, 0.083]", DOWN, 1.0), 0);
    assert_says(
        &said,
        &[
            "1 degree of freedom",
            "free: `rod: z` and `rod: rotation about y`",
            "The model can be run",
        ],
    );
    for word in ["Hint", "Redundant", "singular", "not determined"] {
        assert!(!said.contains(word), "{word} in\n{said}");
    }
}

/// From rest the first step exchanges next to no energy, so that its error would look like all of it.
#[test]
fn the_first_step_from_rest_is_not_judged_by_its_energy() {
    let fixed = rod(1.0, "[1e-4, 0.083, 0.083]", DOWN, 1.0);
    for solve in ["", "formulation = \"ggl\"\ntolerance = 1e-4\n", "tolerance = 1e-8\n"] {
        let said = check(&fixed.replace(SOLVE, &format!("[solve]\n{solve}until = 1.0\n")), 0);
        assert_says(&said, &["The model can be run"]);
        assert!(!said.contains("warning"), "{said}");
    }
}

#[test]
fn odd_units_are_suspected() {
    for (model, hint) in [
        (rod(1.0, "[100, 83333, 83333]", DOWN, 1.0), "the inertia of `rod` belongs to a radius"),
        (rod(1.0, "[1e-4, 0.083, 0.083]", "[0, 0, -9810]", 1.0), "millimetres per second squared"),
        (rod(1.0, "[1e-4, 0.083, 0.083]", "[0, 0, -98.1]", 1.0), "gravity is 98.1 m/s²"),
        (rod(1.0, "[100, 83333, 83333]", DOWN, 1000.0), "are its lengths in millimetres?"),
    ] {
        assert_says(&check(&model, 0), &["Hint: ", hint]);
    }
}

#[test]
fn redundant_constraints_leave_reactions_undetermined() {
    let model = format!(
        r#"
        [body.door]
        mass = 20.0
        inertia = [6, 2, 4]
        at = [0.4, 0, 1]
        [joint.lower]
        revolute = {{ between = ["ground", "door"], at = [0, 0, 0.2], about = "z" }}
        [joint.upper]
        revolute = {{ between = ["ground", "door"], at = [0, 0, 1.8], about = "z" }}
        {SOLVE}"#
    );
    let said = check(&model, 0);
    assert_says(
        &said,
        &["Redundant: `upper", "The reactions of `lower` and `upper` (10 components) are not"],
    );
}

/// A four-bar linkage whose bars all lie on one line can fold in two ways.
#[test]
fn a_branch_point_is_named() {
    let bar = |name: &str, at: f64| {
        format!("[body.{name}]\nkind = \"planar\"\nmass = 1\ninertia = 0.1\nat = [{at}, 0, 0]\n")
    };
    let hinge = |name: &str, a: &str, b: &str, at: f64| {
        format!(
            "[joint.{name}]\nrevolute = {{ between = [\"{a}\", \"{b}\"], at = [{at}, 0, 0], about = \"z\" }}\n"
        )
    };
    let model = [
        bar("crank", 0.5),
        bar("coupler", 2.0),
        bar("rocker", 2.5),
        hinge("a", "ground", "crank", 0.0),
        hinge("b", "crank", "coupler", 1.0),
        hinge("c", "coupler", "rocker", 3.0),
        hinge("d", "ground", "rocker", 2.0),
        SOLVE.to_owned(),
    ];
    let said = check(&model.concat(), 0);
    assert_says(&said, &["Singular position: branches of the motion meet here", "possible:"]);
}

#[test]
fn projection_of_a_bad_start_is_shown() {
    let model = format!(
        r#"
        [body.bob]
        kind = "point"
        mass = 1
        at = [1.1, 0, 0]
        velocity = [0.5, 0, 0]
        [joint.rod]
        distance = {{ between = ["ground", "bob"], length = 1 }}
        {SOLVE}"#
    );
    let said = check(&model, 2);
    assert_says(&said, &["projection changes bob: x", "-0.1", "bob: x'", "project"]);
}

#[test]
fn equations_are_examined_too() {
    let model = r#"
        [coordinates]
        x = { at = 1, velocity = 0 }
        y = { at = 0, velocity = 0 }
        [mass]
        x = 1
        y = 1
        [force]
        y = -9.81
        [constraint]
        rod = "x^2 + y^2 - 1"
        again = "2*x^2 + 2*y^2 - 2"
        [solve]
        redundant = "solve"
        step = 0.01
        until = 1.0
    "#;
    let said = check(model, 0);
    assert_says(&said, &["1 degree of freedom", "free: `y`", "Redundant: `again` repeats `rod`"]);
    assert_says(&said, &["The reactions of `rod` and `again` are not determined"]);
}

/// Two rods to nearly the same point of the ground hardly hold a bob sideways.
#[test]
fn a_nearly_singular_position_is_named() {
    let model = format!(
        r#"
        [body.bob]
        kind = "point"
        mass = 1
        at = [1, 0, 0]
        [frame.beside]
        on = "ground"
        at = [0, 1e-5, 0]
        [joint.first]
        distance = {{ between = ["ground", "bob"] }}
        [joint.second]
        distance = {{ between = ["beside", "bob"] }}
        {SOLVE}"#
    );
    let said = check(&model, 0);
    assert_says(
        &said,
        &["Nearly singular (ratio", "`first: ", "`second: ", "hardly hold `bob: y`"],
    );
}
