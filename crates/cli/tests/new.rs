//! The commands to begin with: templates run, the doctor answers, shells get their scripts.

mod common;

use common::Place;

#[test]
fn every_template_is_made_checked_and_run() {
    let place = Place::new();
    for template in ["pendulum", "slider-crank", "contact", "beam", "equations", "robot"] {
        let said = place.rotula(&["new", template, "--template", template]);
        assert_eq!(said.status, 0, "{}", said.stderr);
        let model = format!("{template}/{template}.toml");
        assert!(said.stdout.contains(&format!("rotula run {model}")), "{}", said.stdout);
        let text = place.read(&model);
        assert!(text.contains(&format!("title = \"{template}\"")), "{text}");
        assert!(!text.contains("examples/"), "{text}");
        let said = place.rotula(&["check", &model]);
        assert_eq!(said.status, 0, "{}", said.stderr);
        let said = place.rotula(&["run", &model, "--set", "solve.until=0.2"]);
        assert_eq!(said.status, 0, "{}", said.stderr);
        let report = place.read(&format!("results/{template}/report.html"));
        assert!(report.contains(template));
    }
    let said = place.rotula(&["new", "script", "-t", "python"]);
    assert!(said.stdout.contains("python script.py"), "{}", said.stdout);
    assert!(!place.read("script/script.py").contains("NAME"));
}

#[test]
fn nothing_is_overwritten_and_odd_names_are_refused() {
    let place = Place::new();
    assert_eq!(place.rotula(&["new", "crane"]).status, 0);
    let said = place.rotula(&["new", "crane"]);
    assert_eq!(said.status, 2);
    assert!(said.stderr.contains("this exists already"), "{}", said.stderr);
    for name in ["a b", "..", "x\"y"] {
        let said = place.rotula(&["new", name]);
        assert_eq!(said.status, 2);
        assert!(said.stderr.contains("this is no name for a model"), "{}", said.stderr);
    }
    let said = place.rotula(&["new", "train", "--template", "rocket"]);
    assert_eq!(said.status, 2);
    assert!(said.stderr.contains("slider-crank"), "{}", said.stderr);
}

#[test]
fn the_doctor_says_what_is_there() {
    let said = Place::new().rotula(&["doctor"]);
    assert_eq!(said.status, 0, "{}", said.stdout);
    let words = ["program", "processor", "threads", "results", "Python", "Chromium"];
    assert!(words.iter().all(|word| said.stdout.contains(word)), "{}", said.stdout);
    // whatever is missing has a remedy on the next line
    let lines: Vec<&str> = said.stdout.lines().collect();
    for pair in lines.windows(2).filter(|pair| pair[0].starts_with("--")) {
        assert!(pair[1].starts_with("      "), "{}", said.stdout);
    }
}

#[test]
fn shells_get_scripts_that_know_the_commands() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let said = place.rotula(&["completions", shell]);
        assert_eq!(said.status, 0, "{}", said.stderr);
        for word in ["resume", "kinematics", "template", "checkpoint"] {
            assert!(said.stdout.contains(word), "{shell} does not know {word}");
        }
    }
}
