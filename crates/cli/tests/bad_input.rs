//! Each kind of bad input gets its message: exit status 2, the file with the line, and a remedy.

mod common;

use common::{PENDULUM, Place};

/// How a case spoils the pendulum and what must be said about it.
struct Case {
    /// Replaced text and replacement; `§` in the replacement marks the place that must be named.
    change: (&'static str, &'static str),
    /// A phrase of the message.
    says: &'static str,
    /// A phrase of the remedy.
    remedy: &'static str,
}

const fn case(
    from: &'static str,
    to: &'static str,
    says: &'static str,
    remedy: &'static str,
) -> Case {
    Case { change: (from, to), says, remedy }
}

const TABLE: &[Case] = &[
    // the file
    case("[coordinates]\n", "[coordinates§\n", "", "valid TOML"),
    case("m = 2.0\n", "m = 2.0\n§m = 3.0\n", "duplicate key", "once"),
    case("m = 2.0", "m = §m*2", "", "quotes"),
    case("[force]", "[§forse]", "unknown section `forse`", "did you mean `force`?"),
    case("[energy]\n", "[energy]\n§kinetik = 1\n", "has no key `kinetik`", "`kinetic`?"),
    // names and formulas
    case(
        "y = \"-9.81*m\"",
        "y = \"-9.81*§mass_of_bob\"",
        "unknown name `mass_of_bob`",
        "known here",
    ),
    case("y = \"-9.81*m\"", "y = \"-9.81*m*§\"", "", "expect"),
    case("y = \"-9.81*m\"", "y = \"§(9.81*m\"", "parenthesis", "not closed"),
    case("y = \"-9.81*m\"", "y = \"-§y''*m\"", "acceleration", "may use"),
    case("y = \"-9.81*m\"", "§z = \"-9.81*m\"", "`z`", "`x`"),
    case("m = 2.0", "m = §\"1/(1 - 1)\"", "parameters.m is not a finite number", "check divisions"),
    case("m = 2.0", "m = \"§x\"", "may not use", "parameters"),
    // initial values
    case("y = { at = 0, velocity = 0 }", "§y = { at = 0 }", "misses `velocity`", "as in"),
    case("x = { at = \"L\", velocity = 0 }", "§x = { velocity = 0 }", "misses `at`", "as in"),
    case(
        "rod = ",
        "§rod = \"(x^2 + y^2 - 2*L^2)/2\"\n# ",
        "the initial position violates constraint `rod` by 5",
        "initial = \"project\"",
    ),
    case(
        "x = { at = \"L\", velocity = 0 }",
        "x = { at = \"L\", velocity = 1 }",
        "the initial velocity violates constraint `rod` by 1",
        "initial = \"project\"",
    ),
    case(
        "[energy]\n",
        "§again = \"x^2 + y^2 - L^2\"\n[energy]\n",
        "1 of the constraints follows from the others",
        "remove the named constraints",
    ),
    case(
        "[energy]\n",
        "§sum = \"x^2 + y^2 + L^2\"\n[energy]\n",
        "constraint `sum` contradicts the others",
        "remove all but one of the named constraints",
    ),
    case("y = \"m\"\n", "", "the mass matrix is singular", "give coordinate `y` a mass"),
    case("y = \"-9.81*m\"", "§y = \"-9.81*m/y\"", "force.y", "division by zero"),
    case("y = \"-9.81*m\"", "§y = \"log(-x)\"", "force.y", "negative number"),
    // settings
    case("step = 0.01", "step = §-0.01", "step must be a positive number, not -0.01", "`step`"),
    case("step = 0.01", "step = §\"small\"", "solve.step cannot be read", "Step size"),
    case(
        "step = 0.01",
        "coefficients = §{ generalized-alpha = 2 }\nstep = 0.01",
        "the spectral radius must lie in [0, 1], not 2",
        "1 dissipates nothing",
    ),
    case(
        "step = 0.01",
        "coefficients = §{ hht = -0.5 }\nstep = 0.01",
        "alpha must lie in [-1/3, 0], not -0.5",
        "-0.3 is the usual choice",
    ),
    case(
        "step = 0.01",
        "coefficients = §{ newmark = [0.1, 0.5] }\nstep = 0.01",
        "Newmark's method needs",
        "trapezoidal rule",
    ),
    case(
        "formulation = \"ggl\"",
        "formulation = §\"gll\"",
        "solve.formulation cannot be `gll`",
        "did you mean `ggl`?",
    ),
    case(
        "formulation = \"ggl\"",
        "formulation = \"pva\"\nvariant = §73",
        "`variant` does not apply to the formulation `pva`",
        "it belongs to `ggl`",
    ),
    case(
        "step = 0.01",
        "step = §0.01\ntolerance = 1e-6",
        "`step` and `tolerance` exclude each other",
        "keep one of them",
    ),
    case("until = 0.5", "until = §-1", "the end time -1 must lie after", "`until`"),
    case("until = 0.5", "§untill = 0.5", "has no key `untill`", "did you mean `until`?"),
    case(
        "formulation = \"ggl\"",
        "formulation = \"baumgarte\"",
        "needs its two constants",
        "baumgarte = [20, 20]",
    ),
    case(
        "formulation = \"ggl\"",
        "formulation = \"hht-i3\"\n§coefficients = { hht = 0 }",
        "`hht-i3` needs alpha <= -0.05",
        "hht = -0.3",
    ),
    case(
        "formulation = \"ggl\"",
        "formulation = \"hht-i3\"\ncoefficients = §{ generalized-alpha = 0.8 }",
        "needs the coefficients of HHT",
        "hht = -0.3",
    ),
    case(
        "[solve]\nformulation = \"ggl\"",
        "[nonholonomic]\nroll = \"x' - y'\"\n[solve]\n§formulation = \"hht-soi2\"",
        "`hht-soi2` treats holonomic constraints",
        "use `soi2`",
    ),
    case(
        "formulation = \"ggl\"",
        "formulation = \"bdf\"",
        "`bdf` chooses its steps itself",
        "give a `tolerance` instead",
    ),
    case(
        "[solve]\nformulation",
        "[gap]\nfloor = \"y + 2\"\n[solve]\n§formulation",
        "the system has contacts (1, the first is `floor`)",
        "nonsmooth",
    ),
];

#[test]
fn spoilt_models_are_refused_with_place_and_remedy() {
    let place = Place::new();
    let mut complaints = Vec::new();
    for case in TABLE {
        let (from, to) = case.change;
        assert!(PENDULUM.contains(from), "`{from}` is not in the pendulum");
        let marked = PENDULUM.replacen(from, to, 1);
        let before = marked.find('§').map(|at| &marked[..at]);
        let file = match before {
            Some(before) => {
                let line = before.matches('\n').count() + 1;
                let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1) + 1;
                format!("spoilt.toml:{line}:{column}:")
            }
            None => "spoilt.toml:".to_owned(),
        };
        place.write("spoilt.toml", &marked.replace('§', ""));
        for command in ["run", "check"] {
            let said = place.rotula(&[command, "spoilt.toml"]);
            let mut complain = |what: &str| {
                complaints.push(format!("{command} `{to}`: {what}\n{}", said.stderr));
            };
            if said.status != 2 {
                complain(&format!("exit status {}", said.status));
            }
            for phrase in [file.as_str(), case.says, case.remedy] {
                if !said.stderr.contains(phrase) {
                    complain(&format!("nobody said `{phrase}`"));
                }
            }
            if said.stderr.contains("panicked") {
                complain("a panic");
            }
        }
    }
    assert!(!place.path("results").exists(), "bad input left results");
    assert!(place.drafts().is_empty(), "bad input left a draft");
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn wrong_overrides_are_refused() {
    let table = [
        ("parameters.mm=1", "the model has no parameter `mm`", "did you mean `m`?"),
        ("params.m=1", "unknown section `params`", "parameters"),
        ("parameters.m=1*", "parameters.m", "--set"),
        ("parameters.m=fish", "unknown name `fish`", "--set:1:"),
        ("parameters=1", "is a section", "parameters.NAME=VALUE"),
        ("solve.step=-1", "step must be a positive number", "`step`"),
        (
            "solve.formulation=index4",
            "solve.formulation cannot be `index4`",
            "did you mean `index3`?",
        ),
        ("solve.until=soon", "solve.until cannot be read", "End time"),
        ("parameters.m", "KEY=VALUE", "parameters.m=2.5"),
        ("=3", "the key is not complete", "parameters.m=2.5"),
    ];
    let place = Place::new();
    place.write("pendulum.toml", PENDULUM);
    for (override_, says, remedy) in table {
        let said = place.rotula(&["run", "pendulum.toml", "--set", override_]);
        assert_eq!(said.status, 2, "{override_}: {}", said.stderr);
        for phrase in [says, remedy] {
            assert!(said.stderr.contains(phrase), "{override_}: no `{phrase}` in\n{}", said.stderr);
        }
    }
}

#[test]
fn files_that_are_no_models_are_refused() {
    let place = Place::new();
    std::fs::create_dir(place.path("folder")).expect("a folder");
    std::fs::write(place.path("binary.toml"), [0xff, 0xfe, 0x00]).expect("a file");
    place.write("empty.toml", "");
    place.write("prose.toml", "This is not a model.\n");
    let table = [
        ("missing.toml", "missing.toml: the file cannot be read", "check its name"),
        ("folder", "folder: this is a directory", "name a file in it"),
        ("binary.toml", "binary.toml: the file cannot be read", "UTF-8"),
        ("empty.toml", "empty.toml:1:1: the model has no coordinates", "add `[coordinates]`"),
        ("prose.toml", "prose.toml:1:", "valid TOML"),
    ];
    for (file, says, remedy) in table {
        for command in ["run", "check"] {
            let said = place.rotula(&[command, file]);
            assert_eq!(said.status, 2, "{file}: {}", said.stderr);
            for phrase in [says, remedy] {
                assert!(said.stderr.contains(phrase), "{file}: no `{phrase}` in\n{}", said.stderr);
            }
        }
    }
}

#[test]
fn places_that_cannot_be_written_are_refused_before_the_run() {
    let place = Place::new();
    place.write("pendulum.toml", PENDULUM);
    place.write("blocked", "a file in the way");
    for directory in ["blocked", "blocked/below"] {
        let said = place.rotula(&["run", "pendulum.toml", "-o", directory]);
        assert_eq!(said.status, 2, "{}", said.stderr);
        assert!(
            said.stderr.contains("blocked: this is a file, not a directory"),
            "{}",
            said.stderr
        );
        assert!(said.stderr.contains("name another directory"), "{}", said.stderr);
        assert_eq!(said.stdout, "", "the run was started");
    }
    assert_eq!(place.read("blocked"), "a file in the way");
}

#[test]
fn unknown_gallery_entries_and_commands_are_refused() {
    let place = Place::new();
    let said = place.rotula(&["gallery", "run", "no-such-entry"]);
    assert_eq!(said.status, 2);
    assert!(said.stderr.contains("has no entry `no-such-entry`"), "{}", said.stderr);
    let said = place.rotula(&["gallery", "run"]);
    assert_eq!(said.status, 2);
    assert!(said.stderr.contains("<NAME>"), "{}", said.stderr);
    let said = place.rotula(&["rum", "model.toml"]);
    assert_eq!(said.status, 2);
    assert!(said.stderr.contains("run"), "{}", said.stderr);
}
