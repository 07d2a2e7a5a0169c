//! What the program says about settings is what the file means, for every formulation.

mod common;

use common::Place;
use common::table::Table;
use rotula_dae::{Formulation, keys};

const BALL: &str =
    "[coordinates]\ny = { at = 1, velocity = 0 }\n[mass]\ny = 1\n[force]\ny = -9.81\n";

/// A section for a formulation, with steps that it can take.
fn section(formulation: &Formulation) -> String {
    let word = formulation.word();
    let steps = match word.as_str() {
        "bdf" => "tolerance = 1e-5",
        "baumgarte" => "step = 0.01\nbaumgarte = [20, 20]",
        _ => "step = 0.01",
    };
    format!("[solve]\nformulation = \"{word}\"\n{steps}\nuntil = 0.1\n")
}

/// The settings that `check` lists.
fn listing(place: &Place, text: &str) -> String {
    place.write("model.toml", text);
    let said = place.rotula(&["check", "model.toml"]);
    assert_eq!(said.status, 0, "{}\n{text}", said.stderr);
    let listed = said.stdout.split("Settings in force:\n").nth(1).expect("a listing");
    listed
        .lines()
        .filter_map(|line| line.strip_prefix("  "))
        .map(|line| format!("{line}\n"))
        .collect()
}

#[test]
fn what_check_lists_can_be_written_into_the_file() {
    let place = Place::new();
    for formulation in Formulation::all() {
        let listed = listing(&place, &format!("{BALL}{}", section(&formulation)));
        let again = listing(&place, &format!("{BALL}[solve]\n{listed}"));
        assert_eq!(listed.replace("   # default", ""), again, "{formulation:?}");
        for key in keys().iter().filter(|key| key.of(&formulation.word()).is_some()) {
            let other_way = key.way.is_some();
            let line = format!("{} = ", key.name);
            let found = listed.lines().any(|listed| listed.starts_with(&line));
            assert!(found || other_way, "{formulation:?}: no `{line}` in\n{listed}");
        }
    }
}

#[test]
fn nobody_claims_coefficients_that_a_formulation_does_not_have() {
    let place = Place::new();
    for formulation in Formulation::all() {
        place.write("model.toml", &format!("{BALL}{}", section(&formulation)));
        let said = place.rotula(&["run", "model.toml", "-o", "out"]);
        assert_eq!(said.status, 0, "{}", said.stderr);
        let report = place.read("out/report.html");
        let summary = place.read("out/summary.json");
        let family = formulation.is_generalized_alpha();
        for (text, words) in [
            (&said.stdout, ["generalized-alpha =", "hht ="]),
            (&report, ["spectral radius ρ", "the HHT method"]),
            (&summary, ["\"generalized-alpha\"", "\"hht\""]),
        ] {
            let claimed = words.iter().any(|word| text.contains(word));
            assert_eq!(claimed, family, "{formulation:?}: {words:?}");
        }
        let phrase = formulation.phrase();
        // behind the parenthesis stand numbers, of which one formulation has no usual ones
        let phrase = phrase.split(" (").next().expect("a phrase");
        assert!(report.contains(phrase), "{formulation:?}");
    }
}

#[test]
fn keys_of_other_formulations_are_refused_at_their_place() {
    let place = Place::new();
    for (word, line, owner) in [
        ("ggl", "theta = 0.5", "`moreau-jean`"),
        ("moreau-jean", "coefficients = { generalized-alpha = 0.8 }", "generalized-alpha family"),
        ("index2", "strategy = 3", "`nonsmooth`"),
        ("pva", "max_order = 3", "`bdf`"),
    ] {
        let solve =
            format!("[solve]\nformulation = \"{word}\"\nstep = 0.01\n{line}\nuntil = 0.1\n");
        place.write("model.toml", &format!("{BALL}{solve}"));
        let said = place.rotula(&["check", "model.toml"]);
        let key = line.split(' ').next().expect("a key");
        let column = key.len() + 4;
        for words in [
            format!("model.toml:10:{column}"),
            format!("`{key}` does not apply to the formulation `{word}`"),
            format!(
                "it belongs to {}",
                if owner.starts_with('`') { owner } else { "the formulations of the" }
            ),
        ] {
            assert!(said.stderr.contains(&words), "no `{words}` in\n{}", said.stderr);
        }
    }
}

/// Files that are not as they should be are written anew.
#[test]
fn types_of_python_are_those_of_the_settings_and_sections() {
    let kinds = [rotula_model::schema(), rotula_model::equations::schema()];
    for (name, wanted) in [
        ("settings", rotula_model::reading::python_types()),
        ("sections", rotula_model::reading::python_sections(&kinds)),
    ] {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../python/rotula");
        let path = format!("{root}/{name}.py");
        if std::fs::read_to_string(&path).unwrap_or_default() != wanted {
            std::fs::write(path, wanted).expect("the file can be written");
            panic!("python/rotula/{name}.py was not up to date; it has been written anew");
        }
    }
}

/// A pendulum on a spring by formula, with a force of what a sensor sees and of a state that follows it late.
const DELAYED: &str = r#"
gravity = [0, 0, -9.81]
[body.arm]
mass = 1.0
inertia = [0.01, 0.02, 0.01]
at = [0.5, 0, 0]
[joint.pin]
revolute = { between = ["ground", "arm"], at = [0, 0, 0], about = "y" }
[spring.coil]
joint = "pin"
law = "-3*value - 0.1*rate*abs(rate)"
[sensor]
speed = { velocity = "arm", along = "x" }
[state]
late = { at = 0, rate = "(speed - late)/0.1" }
[force.wind]
on = "arm"
force = ["2*sin(3*t) - 0.5*speed - late", 0, 0]
"#;

/// Both state the same equations of a step; only what they solve for differs.
#[test]
fn the_compact_form_of_hht_agrees_with_the_general_one_also_with_states_and_variables() {
    let place = Place::new();
    let ends = ["soi2", "hht-soi2"].map(|formulation| {
        let solve = format!(
            "[solve]\nformulation = \"{formulation}\"\ncoefficients = {{ hht = -0.3 }}\nstep = 0.01\n\
             newton = {{ tolerance = 1e-11 }}\nuntil = 1.0\n"
        );
        place.write("model.toml", &(DELAYED.to_owned() + &solve));
        let said = place.rotula(&["run", "model.toml", "-q", "-o", formulation]);
        assert_eq!(said.status, 0, "{}", said.stderr);
        let table = Table::read(&place, &format!("{formulation}/trajectory.csv"));
        assert_eq!(table.len(), 101);
        ["arm.x", "arm.z", "pin.angle", "speed", "late", "pin.fz"].map(|name| table.last(name))
    });
    let apart = (0..6).map(|i| (ends[0][i] - ends[1][i]).abs()).fold(0.0, f64::max);
    assert!(apart < 1e-8, "{apart}: {ends:?}");
    assert!(ends[0][0] < 0.45 && ends[0][4].abs() > 1e-3, "{ends:?}");
}
