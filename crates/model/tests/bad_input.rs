//! Each malformed mechanism gets its message, at its place, with a remedy.

use rotula_model::{Mechanism, ModelError};

const SOUND: &str = r#"title = "base"
gravity = [0, 0, -9.81]

[parameters]
r = 0.08
m = "2*r"

[body.crank]
mass = "m"
inertia = [1e-4, 2e-4, 2e-4]
centre = [0.04, 0, 0]
at = [0, 0, 0.1]
turned = { about = "x", by = "30*deg" }

[body.slider]
mass = 1.0
inertia = [1, 1, 1]
at = [1, 0, 0]

[body.bead]
kind = "point"
mass = 0.1

[beam.rod]
from = [0, 1, 0]
to = [1, 1, 0]
elements = 4
section = { rectangle = [0.02, 0.03] }
material = { young = 2e11, poisson = 0.3, density = 7800 }

[frame.tip]
on = "crank"
at = ["r", 0, 0]

[joint.pin]
revolute = { between = ["ground", "crank"], at = [0, 0, 0.1], about = "x" }
spring = { stiffness = 3 }

[joint.guide]
prismatic = { between = ["ground", "slider"], at = [1, 0, 0], along = "x" }

[joint.ball]
spherical = { between = ["slider", "bead"], at = [0, 0, 0] }

[motion.drive]
joint = "pin"
angle = "6*t"

[spring.s]
between = ["tip", "slider"]
stiffness = 10
free_length = 0.5

[force.push]
on = "slider"
force = ["10*sin(t)", 0, 0]

[contact.touch]
between = ["ground", "slider"]
first = { plane = "z" }
second = { sphere = 0.1 }
stiffness = 1e5

[coupling.chain]
sum = "pin.angle - 2*guide.displacement"

[sensor]
where = { position = "slider", along = "x" }

[variable]
u = "2*where"

[state]
f = { at = 0, rate = "where - f" }

[output]
bodies = ["crank"]

[solve]
step = 1e-3
until = 5.0
"#;

/// What is replaced, by what (`§` marks the expected place), a phrase of the message, a phrase of the
/// help.
const TABLE: &[(&str, &str, &str, &str)] = &[
    // TOML, sections and keys
    ("r = 0.08", "r = 0.08\n§r = 0.09", "duplicate key", "once"),
    ("[force.push]", "[§forse.push]", "unknown section `forse`", "did you mean `force`?"),
    ("gravity =", "§gravty =", "unknown key `gravty`", "did you mean `gravity`?"),
    (
        "gravity = [0, 0, -9.81]",
        "gravity = §9.81",
        "gravity must be a list of 3 numbers",
        "[1, 0, 0]",
    ),
    ("mass = 1.0", "§mas = 1.0", "body.slider has no key `mas`", "did you mean `mass`?"),
    ("mass = 1.0", "mass = §[1]", "body.slider.mass must be a number", "formula in quotes"),
    // bodies
    ("mass = 1.0\n", "", "body.slider misses `mass`", "kind = \"massless\""),
    ("mass = 1.0", "mass = §-1.0", "body.slider.mass is -1 kg", "positive"),
    ("inertia = [1, 1, 1]\n", "", "body.slider misses `inertia`", "kind = \"point\""),
    ("inertia = [1, 1, 1]", "inertia = §[1, 1]", "must have 3 numbers, but has 2", "[1, 0, 0]"),
    (
        "inertia = [1, 1, 1]",
        "inertia = §[1, 1, -1]",
        "least principal moment is -1",
        "inertia_about",
    ),
    ("inertia = [1, 1, 1]", "inertia = §[1, 1, 3]", "exceeds the sum", "check the numbers"),
    ("inertia = [1, 1, 1]", "inertia = §1", "is one number", "planar"),
    ("inertia = [1, 1, 1]", "inertia = { xx = 1, yy = 1, §zx = 1 }", "no key `zx`", "did you mean"),
    (
        "inertia = [1, 1, 1]",
        "inertia = §[[1, 0.1, 0], [0, 1, 0], [0, 0, 1]]",
        "not symmetric",
        "both sides",
    ),
    (
        "kind = \"point\"",
        "kind = §\"pont\"",
        "body.bead.kind cannot be `pont`",
        "did you mean `point`?",
    ),
    (
        "kind = \"point\"",
        "kind = \"point\"\n§inertia = [1, 1, 1]",
        "a point does not turn",
        "remove",
    ),
    ("about = \"x\", by", "about = §\"w\", by", "body.crank.turned.about cannot be `w`", "\"x\""),
    ("about = \"x\", by", "about = §[0, 0, 0], by", "has no length", "must not be zero"),
    (
        "turned = { about = \"x\", by = \"30*deg\" }",
        "§turned = { about = \"x\" }",
        "`turned` misses `by`",
        "angle",
    ),
    (
        "by = \"30*deg\" }",
        "by = \"30*deg\" }\n§orientation = [1, 0, 0, 0]",
        "`turned` and `orientation` exclude each other",
        "keep one",
    ),
    (
        "turned = { about = \"x\", by = \"30*deg\" }",
        "§axes = { x = \"x\", y = [2, 0, 0] }",
        "two parallel axes",
        "different directions",
    ),
    // beams
    ("elements = 4", "elements = §4.5", "beam.rod.elements is 4.5", "whole number"),
    ("elements = 4", "elements = 4\nnodes = §5", "beam.rod.nodes is 5", "2, 3 or 4"),
    ("to = [1, 1, 0]\n", "", "beam.rod has no end", "add `to"),
    ("to = [1, 1, 0]", "to = [0, 1, 0]", "its ends are at the same place", "put them apart"),
    ("to = [1, 1, 0]", "to = [1, 1, 0]\n§length = 2", "`to` and `length` exclude", "keep one"),
    ("{ rectangle = [0.02, 0.03] }", "{ rectangle = [0.02, 0] }", "height is 0", "positive"),
    ("{ rectangle = [0.02, 0.03] }", "{ circle = 1, §tube = [2, 1] }", "exclude each", "keep one"),
    ("{ rectangle = [0.02, 0.03] }", "{ tube = [1, 2] }", "inner radius 2 is not", "correct"),
    (
        "{ rectangle = [0.02, 0.03] }",
        "{ stiffness = [1, 1, 1, 1, 1, 1], mass = 1, inertia = [1, 1, 1] }",
        "so `material` means nothing",
        "remove it",
    ),
    ("poisson = 0.3, ", "", "neither `poisson` nor `shear`", "add `poisson"),
    ("poisson = 0.3", "poisson = 0.7", "Poisson's ratio is 0.7", "between −1 and 0.5"),
    ("young = 2e11", "young = -1", "Young's modulus is -1", "positive"),
    ("elements = 4", "elements = 4\nsections = §[5]", "there is no element 5", "from 1 to 4"),
    ("elements = 4", "elements = 4\nstart = §\"crnk\"", "no body or frame `crnk`", "`crank`?"),
    ("elements = 4", "elements = 4\n§load_factor = 2", "it has no load", "remove it"),
    // formulas
    ("m = \"2*r\"", "m = \"2*§R\"", "unknown name `R`", "did you mean `r`?"),
    (
        "mass = \"m\"",
        "mass = \"§t\"",
        "`t` is the time, which body.crank.mass may not use",
        "parameters",
    ),
    ("m = \"2*r\"", "m = \"2*§\"", "parameters.m", ""),
    (
        "angle = \"6*t\"",
        "angle = \"6*§where\"",
        "`where` is a variable, which motion.drive.angle",
        "may use",
    ),
    ("\"2*where\"", "\"2*§wher\"", "unknown name `wher`", "did you mean `where`?"),
    ("\"2*where\"", "\"2*§pin.angel\"", "unknown name `pin.angel`", "did you mean `pin.angle`?"),
    // frames
    (
        "on = \"crank\"",
        "on = §\"cranc\"",
        "there is no body or frame `cranc`",
        "did you mean `crank`?",
    ),
    ("[frame.tip]", "[frame.§slider]", "the name `slider` is taken already", "another name"),
    ("on = \"crank\"\nat = [\"r\", 0, 0]", "at = [0, 0, 0]", "frame `tip` misses `on`", "add `on"),
    ("at = [\"r\", 0, 0]", "at = [0, 0, 0]\n§world = [0, 0, 0]", "exclude each other", "keep one"),
    // joints
    ("revolute = {", "§revolut = {", "joint.pin has no key `revolut`", "did you mean `revolute`?"),
    ("[\"ground\", \"crank\"]", "[\"ground\", §\"krank\"]", "no body or frame `krank`", "`crank`?"),
    (
        "[\"ground\", \"crank\"]",
        "§[\"ground\"]",
        "must have two names, but has 1",
        "[\"ground\", \"crank\"]",
    ),
    (
        "[\"ground\", \"crank\"]",
        "[\"crank\", §\"tip\"]",
        "connects a body with itself",
        "different",
    ),
    (", at = [0, 0, 0.1], about", ", about", "`revolute` misses `at`", "two frames"),
    (", about = \"x\" }", " }", "`revolute` misses `about`", "direction"),
    (
        "spring = { stiffness = 3 }",
        "§fixed = { between = [\"ground\", \"crank\"], at = [0, 0, 0] }",
        "both `revolute` and `fixed`",
        "keep one",
    ),
    (
        "spring = { stiffness = 3 }",
        "spring = { stiffness = §-3 }",
        "stiffness is -3",
        "not be negative",
    ),
    ("spring = { stiffness = 3 }", "§force = 3", "no coordinate `displacement`", "it has angle"),
    // motions, springs, forces
    ("joint = \"pin\"", "joint = §\"pinn\"", "there is no joint `pinn`", "did you mean `pin`?"),
    ("angle = \"6*t\"", "§displacement = \"6*t\"", "no coordinate `displacement`", "it has angle"),
    (
        "angle = \"6*t\"",
        "§angel = \"6*t\"",
        "motion.drive has no key `angel`",
        "did you mean `angle`?",
    ),
    ("angle = \"6*t\"", "", "motion `drive` prescribes nothing", "angle"),
    ("free_length = 0.5", "", "spring.s misses `free_length`", "at rest"),
    ("force = [\"10*sin(t)\", 0, 0]", "", "has no `force` and no `moment`", "add `force"),
    (
        "force = [\"10*sin(t)\", 0, 0]",
        "force = [\"10*§sine(t)\", 0, 0]",
        "unknown function `sine`",
        "`sin`",
    ),
    // kinds of joints with more than one place
    (
        "revolute = { between = [\"ground\", \"crank\"], at = [0, 0, 0.1], about = \"x\" }",
        "§revolute-spherical = { between = [\"ground\", \"crank\"], at = [0, 0, 0.1], about = \"x\" }",
        "`revolute-spherical` misses `ball`",
        "place of the ball",
    ),
    (
        "revolute = { between = [\"ground\", \"crank\"], at = [0, 0, 0.1], about = \"x\" }",
        "revolute-spherical = { between = [\"ground\", \"crank\"], at = [0, 0, 0], about = \"x\", ball = [0, 1, 0], length = §-1 }",
        "keeps a distance of -1",
        "positive",
    ),
    (
        "revolute = { between = [\"ground\", \"crank\"], at = [0, 0, 0.1], about = \"x\" }",
        "revolute-translational = { between = [\"ground\", \"crank\"], at = [0, 0, 0], about = \"x\", along = §[1, 1, 0] }",
        "along is not normal to `about`",
        "right angle",
    ),
    (
        "revolute = { between = [\"ground\", \"crank\"], at = [0, 0, 0.1], about = \"x\" }",
        "§perpendicular-axes = { between = [\"ground\", \"crank\"], at = [0, 0, 0], about = \"x\" }",
        "`perpendicular-axes` misses `second`",
        "direction",
    ),
    (
        "spherical = { between = [\"slider\", \"bead\"], at = [0, 0, 0] }",
        "§point-on-curve = { between = [\"slider\", \"bead\"] }",
        "point-on-curve misses its curve",
        "points",
    ),
    (
        "spherical = { between = [\"slider\", \"bead\"], at = [0, 0, 0] }",
        "point-on-curve = { between = [\"slider\", \"bead\"], points = §[[0, 0, 0]] }",
        "at least two points",
        "three numbers",
    ),
    (
        "spherical = { between = [\"slider\", \"bead\"], at = [0, 0, 0] }",
        "point-on-curve = { between = [\"slider\", \"bead\"], points = [[0, 0, 0], §[1, 2]] }",
        "must be 3 numbers",
        "three numbers",
    ),
    (
        "spherical = { between = [\"slider\", \"bead\"], at = [0, 0, 0] }",
        "point-on-curve = { between = [\"slider\", \"bead\"], curve = [§\"t\", 0, 0] }",
        "depends on the time",
        "parameter `s`",
    ),
    (
        "spherical = { between = [\"slider\", \"bead\"], at = [0, 0, 0] }",
        "point-on-curve = { between = [\"slider\", \"bead\"], curve = §[\"s\", \"s^2\", 0], closed = true }",
        "does not end as it begins",
        "correct",
    ),
    // contacts and couplings
    (
        "second = { sphere = 0.1 }\n",
        "",
        "contact.touch misses `second`, and `slider` has no solid or shape",
        "sphere",
    ),
    (
        "second = { sphere = 0.1 }",
        "second = { sphere = 0.1, §box = [1, 1, 1] }",
        "`sphere` and `box` exclude each other",
        "keep one",
    ),
    (
        "second = { sphere = 0.1 }",
        "§second = { at = [0, 0, 0] }",
        "does not say what shape it is",
        "`capsule`",
    ),
    (
        "second = { sphere = 0.1 }",
        "second = { §cylinder = 0.1 }",
        "contact.touch.second has no key `cylinder`",
        "choose one of",
    ),
    (
        "second = { sphere = 0.1 }",
        "second = { plane = \"z\" }",
        "two planes meet without end",
        "box",
    ),
    ("second = { sphere = 0.1 }", "second = { sphere = 0 }", "radius is 0 m", "positive"),
    ("stiffness = 1e5", "stiffness = -1", "its stiffness is -1", "positive"),
    ("\nstiffness = 1e5", "", "contact `touch` misses `stiffness`", "stiffness k"),
    // rigid contact
    ("stiffness = 1e5", "restitution = 1.5", "its restitution is 1.5", "from 0 to 1"),
    (
        "stiffness = 1e5",
        "stiffness = 1e5\n§restitution = 0.5",
        "`stiffness` and `restitution` exclude each other",
        "keep one",
    ),
    (
        "stiffness = 1e5",
        "restitution = 0.5\n§dissipation = 2",
        "it is rigid, so `dissipation` means nothing",
        "remove it",
    ),
    ("stiffness = 1e5", "restitution = 0.5\nfriction = -1", "its friction is -1", "positive"),
    (
        "stiffness = 1e5",
        "restitution = 0.5\nfriction = { coefficient = 0.1, §creep = 1 }",
        "so `creep` means nothing",
        "remove it",
    ),
    (
        "second = { sphere = 0.1 }",
        "second = { bowl = 1 }",
        "a bowl has no soft contact",
        "restitution",
    ),
    (
        "spring = { stiffness = 3 }",
        "§stop = { to = 1 }",
        "stop of pin misses `stiffness` or `restitution`",
        "rigid",
    ),
    (
        "spring = { stiffness = 3 }",
        "stop = { from = 1, to = 0, restitution = 0.5 }",
        "lower bound 1 is not below its upper bound 0",
        "",
    ),
    (
        "[force.push]",
        "[clearance.play]\nbetween = [\"crank\", \"slider\"]\nat = [0, 0, 0]\nsize = 0\nrestitution = 0\n\n[force.push]",
        "its clearance is 0",
        "greater than zero",
    ),
    (
        "stiffness = 1e5",
        "stiffness = 1e5\n§friction = { at_rest = 1 }",
        "`friction` misses `coefficient`",
        "sliding",
    ),
    ("sum = \"pin.angle", "sum = §\"where + pin.angle", "`where`, which is not", "`pin.angle`"),
    ("sum = \"pin.angle", "sum = §\"pin.angle^2", "not linear in `pin.angle`", "times numbers"),
    ("sum = \"pin.angle - 2*guide.displacement\"", "sum = §3", "no joint coordinate", "name"),
    (
        "sum = \"pin.angle",
        "gear = { joints = [\"pin\", \"pin\"], ratio = 1 }\n§sum = \"pin.angle",
        "exclude each other",
        "keep one",
    ),
    (
        "sum = \"pin.angle - 2*guide.displacement\"",
        "rack = { joints = [\"pin\", \"guide\"], radius = 1 }\n§equals = 2",
        "gears and racks stay",
        "remove",
    ),
    // signals, output, solve
    (
        "[state]\nf =",
        "[state]\n§u =",
        "the name `u` is taken already in [variable]",
        "another name",
    ),
    (
        "position = \"slider\"",
        "§positon = \"slider\"",
        "sensor.where has no key `positon`",
        "`position`?",
    ),
    (", rate = \"where - f\"", "", "state `f` misses `rate`", "residual"),
    (
        "bodies = [\"crank\"]",
        "bodies = [§\"crnk\"]",
        "there is no body `crnk`",
        "did you mean `crank`?",
    ),
    ("until = 5.0", "", "`until` is missing", "until"),
    ("step = 1e-3", "§stepp = 1e-3", "[solve] has no key `stepp`", "did you mean `step`?"),
];

fn fault(text: &str) -> ModelError {
    match Mechanism::parse(text, "model.toml", &[]) {
        Ok(_) => panic!("this was read without complaint:\n{text}"),
        Err(error) => error,
    }
}

#[test]
fn the_sound_model_is_read() {
    let mechanism = Mechanism::parse(SOUND, "model.toml", &[]).unwrap();
    assert_eq!(mechanism.model.bodies().len(), 9);
    assert_eq!(mechanism.parameters, [("r".to_owned(), 0.08), ("m".to_owned(), 0.16)]);
}

#[test]
fn every_mistake_is_named_at_its_place() {
    for (what, by, message, help) in TABLE {
        assert!(SOUND.contains(what), "the sound model lacks {what}");
        let changed = SOUND.replacen(what, by, 1);
        let error = fault(&changed.replace('§', ""));
        let shown = error.to_string();
        assert!(error.message().contains(message), "{by}\n{shown} does not say: {message}");
        let advice = error.advice().unwrap_or_default();
        assert!(advice.contains(help), "{by}\n{shown} does not advise: {help}");
        let Some(at) = changed.find('§') else { continue };
        let line = changed[..at].matches('\n').count() + 1;
        let column = changed[..at].chars().rev().take_while(|c| *c != '\n').count() + 1;
        assert_eq!(error.line_and_column(), Some((line, column)), "{by}\n{shown}");
    }
    assert!(TABLE.len() >= 30);
}

#[test]
fn overrides_replace_values_and_name_mistakes() {
    let set = |key: &str, value: &str| {
        Mechanism::parse(SOUND, "model.toml", &[(key.to_owned(), value.to_owned())])
    };
    let heavier = set("body.slider.mass", "3*r").unwrap();
    assert_eq!(heavier.model.bodies()[2].1.mass.mass, 0.24);
    set("solve.tolerance", "1e-5").unwrap();
    for (key, value, message) in [
        ("body.slder.mass", "1", "the model has no body `slder`"),
        ("body.slider.mas", "1", "body.slider has no key `mas`"),
        ("boddy.slider", "1", "unknown section `boddy`"),
        ("body", "1", "is a section"),
    ] {
        let error = set(key, value).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains(message) && error.starts_with("--set:"), "{key}: {error}");
    }
}

#[test]
fn the_schema_knows_every_section() {
    let schema = rotula_model::schema();
    for section in [
        "body",
        "frame",
        "joint",
        "motion",
        "spring",
        "force",
        "contact",
        "clearance",
        "import",
        "sensor",
        "solve",
    ] {
        if section == "import" {
            assert!(schema["properties"][section]["anyOf"].is_array(), "no {section}");
        }
        assert!(schema["properties"][section].is_object(), "no {section}");
    }
    let joints = &schema["properties"]["joint"]["additionalProperties"]["properties"];
    assert!(joints["revolute"]["properties"]["about"].is_object());
}
