//! Which forces of a run are columns of its table, and what is said of those that are not there.

mod common;

use common::Place;
use common::columns::Columns;

/// A row of balls on springs.
fn row(springs: usize, output: &str) -> String {
    let mut text = String::new();
    for k in 0..springs {
        text += &format!("[body.b{k}]\nkind = \"point\"\nmass = 1\nat = [{k}, 0, 1]\n");
        text += &format!("[frame.f{k}]\non = \"ground\"\nat = [{k}, 0, 0]\n");
        text += &format!("[spring.s{k}]\nbetween = [\"f{k}\", \"b{k}\"]\n");
        text += "stiffness = 10\nfree_length = 0.9\n";
    }
    text + &format!("[output]\nbodies = false\n{output}\n[solve]\nstep = 0.01\nuntil = 1.0\n")
}

#[test]
fn of_many_forces_those_asked_for_are_recorded() {
    assert!(Columns::of(&row(50, ""), 1.0).has("s49.force"));
    let many = row(51, "");
    assert!(!Columns::of(&many, 1.0).has("s0.force"));
    let place = Place::new();
    place.write("many.toml", &many);
    for said in [place.rotula(&["run", "many.toml"]), place.rotula(&["check", "many.toml"])] {
        assert_eq!(said.status, 0, "{}", said.stderr);
        assert!(said.stdout.contains("51 things under `springs` (`s0`"), "{}", said.stdout);
        assert!(said.stdout.contains("`springs = \"*\"`"), "{}", said.stdout);
    }
    let all = Columns::of(&row(51, "springs = \"*\""), 1.0);
    assert!(all.has("s0.force") && all.has("s50.power"));
    let some = Columns::of(&row(51, "springs = [\"s1?\", \"s3\"]"), 1.0);
    assert!(some.has("s10.force") && some.has("s3.force") && !some.has("s30.force"));
    assert!(!Columns::of(&row(3, "springs = false"), 1.0).has("s0.force"));
}

#[test]
fn misspelt_forces_get_a_suggestion() {
    let refused = |text: &str| {
        let place = Place::new();
        place.write("model.toml", text);
        let said = place.rotula(&["check", "model.toml"]);
        assert_eq!(said.status, 2, "{}", said.stdout);
        said.stderr
    };
    let said = refused(&row(1, "springs = [\"s\"]"));
    assert!(said.contains("there is no spring `s`") && said.contains("`s0`"), "{said}");
    let said = refused(&row(1, "springs = \"x*\""));
    assert!(said.contains("no spring has a name like `x*`"), "{said}");
    let said = refused(&format!("{}\n[variable]\nu = \"s0.forse\"\n", row(1, "")));
    assert!(said.contains("did you mean `s0.force`"), "{said}");
    let said = refused(&format!("{}\n[sensor]\nf = {{ force = \"z0\" }}\n", row(1, "")));
    assert!(said.contains("no joint, force or held end `z0`"), "{said}");
    let load = "[force.push]\non = \"b0\"\nforce = [1, 0, 0]\n";
    let sensor = "[sensor]\nf = { force = \"push\", on = \"first\" }\n";
    let said = refused(&format!("{load}{sensor}{}", row(1, "")));
    assert!(said.contains("`push` acts on one body only"), "{said}");
}
