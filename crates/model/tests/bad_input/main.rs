//! Each malformed mechanism gets its message, at its place, with a remedy.

mod contacts;
mod joints;
mod signals;
mod things;

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

[cable.rope]
from = [0, 2, 0]
to = [1, 2, 0]
elements = 4
stiffness = 1e4
mass = 0.2

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

[latch.catch]
set = "where - 1"
reset = "0.5 - where"

[sampled.k]
every = 0.01
value = "k + where"

[output]
bodies = ["crank"]

[solve]
step = 1e-3
until = 5.0
"#;

/// What is replaced, by what (`§` marks the expected place), a phrase of the message, a phrase of the
/// help.
type Mistake = (&'static str, &'static str, &'static str, &'static str);

fn fault(text: &str) -> ModelError {
    match Mechanism::parse(text, "model.toml", &[]) {
        Ok(_) => panic!("this was read without complaint:\n{text}"),
        Err(error) => error,
    }
}

#[test]
fn the_sound_model_is_read() {
    let mechanism = Mechanism::parse(SOUND, "model.toml", &[]).unwrap();
    assert_eq!(mechanism.model.bodies().len(), 14);
    assert_eq!(mechanism.parameters, [("r".to_owned(), 0.08), ("m".to_owned(), 0.16)]);
}

#[test]
fn every_mistake_is_named_at_its_place() {
    let all = [things::MISTAKES, joints::MISTAKES, contacts::MISTAKES, signals::MISTAKES].concat();
    for (what, by, message, help) in &all {
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
    assert!(all.len() >= 30);
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
