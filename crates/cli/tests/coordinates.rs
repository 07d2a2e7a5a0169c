//! Which coordinates a mechanism is integrated in: what is said of the choice, and what is refused.

mod common;

use common::{PENDULUM, Place, example};

/// What is said of a model with `coordinates` set, by the check.
fn check(text: &str, word: &str) -> (i32, String) {
    let place = Place::new();
    place.write("model.toml", text);
    let set = format!("solve.coordinates=\"{word}\"");
    let said = place.rotula(&["check", "model.toml", "--set", &set]);
    (said.status, said.stdout + &said.stderr)
}

fn assert_says(text: &str, word: &str, status: i32, sentences: &[&str]) {
    let (found, said) = check(text, word);
    assert_eq!(found, status, "{said}");
    for sentence in sentences {
        assert!(said.contains(sentence), "no `{sentence}` in\n{said}");
    }
}

#[test]
fn the_choice_is_told() {
    let tree = example("double_pendulum.toml");
    let numbers = "2 coordinates instead of 12 and 0 multipliers instead of 10.";
    assert_says(&tree, "auto", 0, &["Joint coordinates were chosen", numbers]);
    assert_says(&tree, "joint", 0, &["Joint coordinates, as asked for", numbers]);
    let (_, said) = check(&tree, "redundant");
    assert!(!said.contains("oordinates were chosen"), "{said}");

    // most of what joints leave free is taken by the loops
    let loops = example("double_wishbone.toml");
    assert_says(&loops, "auto", 0, &["Coordinates of all bodies were chosen: loops, drives"]);
    assert_says(&loops, "joint", 0, &["stay", "constraints."]);
    let flight = "[body.stone]\nmass = 1\ninertia = [1, 1, 1]\n[solve]\nuntil = 1\n";
    assert_says(flight, "auto", 0, &["no joint takes freedom from the bodies"]);
    let impacts = tree.replace("[solve]", "[solve]\nformulation = \"nonsmooth\"");
    assert_says(&impacts, "auto", 0, &["the formulation is made for impacts"]);
}

/// Mechanisms that others published: the check names the joints that close their loops, and they run with whatever is chosen.
#[test]
fn published_mechanisms_run_with_auto() {
    let known: [(&str, f64, &[&str]); 7] = [
        ("squeezer_bodies.toml", 0.01, &["lever", "upper", "lower"]),
        ("four_bar.toml", 0.2, &["second"]),
        ("bricard.toml", 0.2, &["fourth"]),
        ("bicycle.toml", 0.2, &["rear_contact", "front_contact"]),
        ("slider_crank.toml", 0.05, &["piston_pin"]),
        ("spatial_slider_crank.toml", 0.1, &["ball"]),
        ("stewart.toml", 0.1, &[]),
    ];
    for (name, until, loops) in known {
        let text = example(name);
        let names: Vec<String> = loops.iter().map(|name| format!("`{name}`")).collect();
        assert_says(&text, "auto", 0, &["oordinates", "chosen: ", &names.join(", ")]);
        let stay = if loops.len() == 1 { "stays a constraint" } else { "stay constraints" };
        let kept = format!("{} {stay}", names.join(", "));
        let told = if loops.is_empty() { "as asked for" } else { kept.as_str() };
        assert_says(&text, "joint", 0, &["Joint coordinates, as asked for", told]);
        let place = Place::new();
        let until = format!("solve.until={until}");
        let said = place.run(&text, &["solve.coordinates=\"auto\"", &until], "out");
        assert_eq!(said.status, 0, "{name}: {}", said.stderr);
        let summary = place.json("out/summary.json");
        assert_eq!(summary["outcome"]["status"], "done", "{name}");
    }
}

#[test]
fn flexible_bodies_are_told_of() {
    let text = example("flexible_slider_crank.toml");
    assert_says(&text, "auto", 0, &["flexible bodies cost more there than the joints save"]);
    assert_says(
        &text,
        "joint",
        0,
        &["15 coordinates instead of 23 and 6 multipliers instead of 14"],
    );
}

#[test]
fn reports_tell_it_too() {
    let place = Place::new();
    let said = place.run(&example("double_pendulum.toml"), &["solve.coordinates=\"auto\""], "out");
    assert!(said.stdout.contains("Joint coordinates were chosen"), "{}", said.stdout);
    let summary = place.json("out/summary.json");
    let told = summary["coordinates"].as_str().expect("a sentence");
    assert!(told.starts_with("Joint coordinates were chosen"), "{told}");
    // what users see is that of the bodies
    assert_eq!(summary["sizes"]["motion"], 12);
    assert!(place.read("out/report.html").contains("Joint coordinates were chosen"));
}

#[test]
fn what_has_no_joint_coordinates_is_refused() {
    let elastic = example("flexible_pendulum.toml");
    assert_says(&elastic, "joint", 2, &["cannot be run in joint coordinates", "is elastic"]);
    assert_says(&elastic, "auto", 0, &["Coordinates of all bodies were chosen", "is elastic"]);
    let contacts = example("rocking_block.toml");
    let remedies = ["rigid contacts or hard stops", "give contacts and stops a stiffness"];
    assert_says(&contacts, "joint", 2, &remedies);
    assert_says(PENDULUM, "joint", 2, &["only mechanisms have joint coordinates"]);
    assert_says(PENDULUM, "joints", 2, &["solve.coordinates cannot be `joints`", "`joint`?"]);
}
