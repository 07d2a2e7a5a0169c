//! Each malformed model gets its message, at its place, with a remedy.

use rotula_model::equations::{Model, ModelError};

const SOUND: &str = r#"title = "base"

[parameters]
m = 2.0
L = 1.5
J = "m*L^2/3"

[define]
r2 = "x^2 + theta^2"
jerk = "2*x''"

[coordinates]
x = { at = 0, velocity = 20 }
theta = { at = "3*pi/2", velocity = 10, scale = 1.0 }

[mass]
x = "m"
theta = "J"
"x, theta" = 0.1

[force]
x = "-x'*r2"
theta = "-theta' - L*theta"

[constraint]
pin = "x - L*cos(theta)"

[nonholonomic]
knife = { formula = "x'*theta - theta'", multiplier = 1 }

[state]
filter = { at = 0, rate = "x - filter" }

[variable]
u = "x'' + filter"

[gap]
floor = { gap = "x + 1", restitution = 0.8 }

[energy]
potential = "m*x"

[events]
times = [0.3, "L"]

[output]
tip = "x + L"

[solve]
formulation = "ggl"
coefficients = { generalized-alpha = 0.8 }
step = 1e-3
until = 5.0
"#;

/// What is replaced, by what (`§` marks the expected place), a phrase of the message, a phrase of the help.
const TABLE: &[(&str, &str, &str, &str)] = &[
    // TOML
    ("m = 2.0", "m = 2.0\n§m = 3.0", "duplicate key", "once"),
    ("L = 1.5", "L = §", "quoted", "quotes"),
    ("m = 2.0", "m = §m*2", "", "quotes"),
    ("[define]", "[define§", "", "TOML"),
    ("m = 2.0", "m = §inf", "not a finite number", "finite"),
    ("m = 2.0", "m = §99999999999999999999", "too large", "decimal point"),
    // sections and keys
    ("[force]", "[§forse]", "unknown section `forse`", "did you mean `force`?"),
    ("[force]", "[§zoology]", "unknown section `zoology`", "choose one of `parameters`"),
    ("title = \"base\"", "§titel = \"base\"", "unknown key `titel`", "did you mean `title`?"),
    ("title = \"base\"", "title = §3", "title must be a text, not a number", "quotes"),
    ("velocity = 20", "§velocty = 20", "coordinates.x has no key `velocty`", "`velocity`?"),
    ("[energy]\npotential", "[energy]\n§potental", "[energy] has no key", "`potential`?"),
    // values
    (
        "x = { at = 0, velocity = 20 }",
        "§x = { at = 0 }",
        "misses `velocity`",
        "initial velocity, as in `x = { at = 0, vel",
    ),
    (
        "x = { at = 0, velocity = 20 }",
        "§x = { velocity = 0 }",
        "misses `at`",
        "initial value, as in `x = { at = 0",
    ),
    ("x = { at = 0, velocity = 20 }", "x = §0", "must be a table, not a number", "at = 0"),
    (
        "at = 0, velocity = 20",
        "at = §true, velocity = 20",
        "coordinates.x.at must be a number",
        "quotes",
    ),
    (
        "at = 0, velocity = 20",
        "at = \"§y\", velocity = 20",
        "unknown name `y`",
        "known here: `J`, `L`, `m`",
    ),
    (
        "at = 0, velocity = 20",
        "at = \"§theta\", velocity = 20",
        "is a coordinate, which coordinates.x.at may",
        "it may use parameters",
    ),
    (
        "at = 0, velocity = 20",
        "at = §\"1/(m - m)\", velocity = 20",
        "not a finite number",
        "divisions",
    ),
    ("scale = 1.0", "scale = §0", "coordinates.theta.scale is 0", "positive"),
    ("multiplier = 1", "reaction = §\"no\"", "must be true or false, not a text", "without quotes"),
    ("times = [0.3, \"L\"]", "times = §0.3", "must be a list of numbers, not a number", "[0.5"),
    ("restitution = 0.8", "restitution = §1.8", "gap.floor.restitution is 1.8", "from 0 to 1"),
    ("restitution = 0.8", "friction = §-1", "gap.floor.friction is -1", "0 or more"),
    ("restitution = 0.8", "friction = §0.3", "gap.floor has friction but no direction", "`slip ="),
    ("restitution = 0.8", "slip2 = §\"x\"", "gap.floor.slip2 stands alone", "`slip`"),
    ("restitution = 0.8", "slip = §\"t\"", "gap.floor.slip depends on no coordinate", "formula"),
    (
        "restitution = 0.8",
        "tangential_restitution = §2",
        "gap.floor.tangential_restitution is 2",
        "from -1 to 1",
    ),
    // names
    ("m = 2.0", "m = 2.0\n§t = 3", "`t` is the time", "another name"),
    ("m = 2.0", "m = 2.0\n§pi = 3", "`pi` is a word of the formula language", "another name"),
    ("m = 2.0", "m = 2.0\n§\"a b\" = 3", "cannot be used as a name", "begin with a letter"),
    (
        "u = \"x'' + filter\"",
        "§x = \"x''\"",
        "`x` is taken already in [coordinates]",
        "in [variable]",
    ),
    ("knife = {", "§pin = {", "`pin` is taken already in [constraint]", "in [nonholonomic]"),
    (
        "tip = \"x + L\"",
        "§theta = \"x\"",
        "`theta` is taken already in [coordinates]",
        "in [output]",
    ),
    (
        "J = \"m*L^2/3\"",
        "J = §\"m*I\"\nI = \"2*K\"\nK = \"J\"",
        "`J` depends on itself: J → I → K → J",
        "without the others",
    ),
    (
        "r2 = \"x^2 + theta^2\"",
        "r2 = §\"x + r2\"",
        "the definition `r2` depends on itself",
        "without",
    ),
    // formulas
    ("theta = \"J\"", "theta = \"J*(1 + §)\"", "mass.theta: ", ""),
    (
        "theta = \"-theta' - L*theta\"",
        "theta = \"-theta' - L*§thetta\"",
        "unknown name `thetta` in force.theta",
        "did you mean `theta`?",
    ),
    (
        "theta = \"-theta' - L*theta\"",
        "theta = \"-theta' - L§**theta\"",
        "`**` is not an operator",
        "write `^`",
    ),
    (
        "theta = \"-theta' - L*theta\"",
        "theta = \"-§arcsin(theta)\"",
        "unknown function `arcsin`",
        "asin",
    ),
    (
        "theta = \"-theta' - L*theta\"",
        "theta = \"\"\"-theta' \\\n  - L*§tehta\"\"\"",
        "unknown name `tehta`",
        "`theta`?",
    ),
    ("theta = \"-theta' - L*theta\"", "theta = \"-theta' - §sin*2\"", "`sin`", "is a function"),
    (
        "theta = \"-theta' - L*theta\"",
        "theta = \"-theta' - §theta''\"",
        "`theta''` is an acceleration, which force.theta may not use",
        "velocities, multipliers",
    ),
    (
        "theta = \"-theta' - L*theta\"",
        "theta = \"-theta' - §jerk\"",
        "`jerk` uses an acceleration",
        "it may use",
    ),
    (
        "theta = \"-theta' - L*theta\"",
        "theta = \"-theta' - §m'\"",
        "`m` is a parameter and has no derivative",
        "primes belong",
    ),
    (
        "theta = \"-theta' - L*theta\"",
        "theta = \"-theta' - §pin\"",
        "unknown name `pin`",
        "write `lambda.pin`",
    ),
    (
        "theta = \"-theta' - L*theta\"",
        "theta = \"-theta' - §lambda.pan\"",
        "unknown name `lambda.pan`",
        "`lambda.pin`?",
    ),
    (
        "J = \"m*L^2/3\"",
        "J = \"m*L^2/3*§x\"",
        "`x` is a coordinate, which parameters.J may not use",
        "it may use parameters",
    ),
    ("J = \"m*L^2/3\"", "J = \"m*§atan2(L)\"", "parameters.J: `atan2` takes two arguments", ""),
    // mass and force
    ("theta = \"J\"", "§thetas = \"J\"", "there is no coordinate `thetas`", "`theta`?"),
    ("theta = \"J\"", "theta = \"J*§x'\"", "is a velocity, which mass.theta", "coordinates"),
    (
        "\"x, theta\" = 0.1",
        "\"x, theta\" = 0.1\n§\"x,theta\" = 0.1",
        "repeats mass.x,theta",
        "stands for `\"y, x\"` too",
    ),
    ("\"x, theta\" = 0.1", "§\"x, theta, x\" = 0.1", "one or two coordinates", "`x = …`"),
    ("\nx = \"-x'*r2\"", "\n§z = \"-x'*r2\"", "there is no coordinate `z`", "choose one of"),
    // constraints
    (
        "pin = \"x - L*cos(theta)\"",
        "pin = §\"t - L\"",
        "constraint.pin depends on no coordinate",
        "formula",
    ),
    ("pin = \"x - L*cos(theta)\"", "pin = \"§x' - L\"", "is a velocity", "[nonholonomic]"),
    ("\"x'*theta - theta'\"", "§\"x*theta\"", "depends on no velocity; constraints of", "correct"),
    (
        "knife = {",
        "§knife = { reaction = false,",
        "no force uses `lambda.knife`",
        "remove `reaction = false`",
    ),
    ("gap = \"x + 1\"", "gap = §\"t\"", "gap.floor depends on no coordinate", "formula"),
    (
        "knife = { formula",
        "knife = { §fromula",
        "nonholonomic.knife has no key `fromula`",
        "`formula`?",
    ),
    // states
    (
        "filter = { at = 0, rate = \"x - filter\" }",
        "§filter = { at = 0 }",
        "neither `rate` nor `residual`",
        "rate =",
    ),
    (
        "rate = \"x - filter\"",
        "residual = §\"x - filter\"",
        "does not contain `filter'`",
        "[variable]",
    ),
    (
        "rate = \"x - filter\"",
        "rate = \"§u'\"",
        "`u` is a variable and has no derivative",
        "primes",
    ),
    // solve
    ("step = 1e-3", "step = §-1e-3", "step must be a positive number", "step"),
    ("step = 1e-3", "step = §\"small\"", "solve.step cannot be read", "Step size"),
    ("step = 1e-3", "§stepp = 1e-3", "[solve] has no key `stepp`", "`step`?"),
    ("step = 1e-3", "step = §1e-3\ntolerance = 1e-6", "exclude each other", "keep one"),
    ("step = 1e-3", "newton = { §iterations = 3 }", "solve.newton has no key", "`max_iterations`?"),
    (
        "step = 1e-3",
        "newton = { matrix = §\"often\" }",
        "solve.newton.matrix cannot be `often`",
        "each-step",
    ),
    (
        "step = 1e-3",
        "step = 1e-3\nform = §\"si2\"",
        "`form` does not apply to the formulation `ggl`",
        "`bdf`",
    ),
    ("step = 1e-3", "step = 1e-3\nvariant = §75", "solve.variant cannot be `75`", "`73`"),
    (
        "generalized-alpha = 0.8",
        "generalized-alpha = 2",
        "spectral radius must lie in [0, 1]",
        "dissipates",
    ),
    (
        "{ generalized-alpha = 0.8 }",
        "§{ alpha = 0.8 }",
        "solve.coefficients cannot be read",
        "generalized",
    ),
    (
        "formulation = \"ggl\"",
        "formulation = §\"gll\"",
        "solve.formulation cannot be `gll`",
        "did you mean `ggl`?",
    ),
    ("until = 5.0", "until = §-5.0", "must lie after the start time", "until"),
];

fn fault(text: &str, overrides: &[(String, String)]) -> ModelError {
    match Model::parse(text, "model.toml", overrides) {
        Ok(_) => panic!("accepted:\n{text}"),
        Err(error) => error,
    }
}

#[test]
fn the_base_is_sound() {
    Model::parse(SOUND, "model.toml", &[]).unwrap();
}

#[test]
fn every_fault_is_named_placed_and_remedied() {
    let mut failures = String::new();
    for (from, to, message, help) in TABLE {
        assert_eq!(SOUND.matches(from).count(), 1, "{from} must occur once");
        let marked = SOUND.replace(from, to);
        let expected = marked.find('§').map(|at| {
            let before = &marked[..at];
            let start = before.rfind('\n').map_or(0, |newline| newline + 1);
            (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
        });
        let error = fault(&marked.replace('§', ""), &[]);
        let placed = expected.is_none() || error.line_and_column() == expected;
        let advice = error.advice().unwrap_or("");
        let needs_help = !advice.is_empty() || help.is_empty();
        if !(placed && error.message().contains(message) && advice.contains(help) && needs_help) {
            failures.push_str(&format!(
                "{to}\n  expected {expected:?} {message} / {help}\n  {error}\n"
            ));
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn empty_models_are_refused() {
    let error = fault("title = \"nothing\"\n[solve]\nuntil = 1", &[]);
    assert!(error.message().contains("no coordinates"), "{error}");
    let error = fault("output = 3\n[solve]\nuntil = 1", &[]);
    assert_eq!(error.line_and_column(), Some((1, 10)));
    assert!(error.message().contains("`output` is a section, not a number"), "{error}");
}

#[test]
fn faulty_overrides_are_placed_in_the_override() {
    let table = [
        ("parameters.mm", "3", 12, "the model has no parameter `mm`", "`m`?"),
        ("parameter.m", "3", 1, "unknown section `parameter`", "`parameters`?"),
        ("parameters", "3", 1, "is a section", "parameters.NAME=VALUE"),
        ("parameters.m.x", "3", 14, "nothing below `m`", "last part"),
        ("coordinates.x.att", "3", 15, "has no key `att`", "`at`?"),
        ("parameters.m", "2*LL", 16, "unknown name `LL`", "`L`?"),
        ("parameters.m", "\"2*LL\"", 17, "unknown name `LL`", "`L`?"),
        ("solve.stepp", "3", 7, "no key `stepp`", "`step`?"),
        ("solve.formulation", "index4", 19, "cannot be `index4`", "`index3`?"),
        ("force.z", "1", 7, "no coordinate `z`", "choose one of"),
    ];
    for (key, value, column, message, help) in table {
        let error = fault(SOUND, &[(key.to_owned(), value.to_owned())]);
        assert_eq!(error.file_name(), "--set");
        assert_eq!(error.line_and_column(), Some((1, column)), "{error}");
        assert!(error.message().contains(message), "{error}");
        assert!(error.advice().is_some_and(|advice| advice.contains(help)), "{error}");
    }
}

#[test]
fn errors_print_on_one_line_and_show_the_source() {
    let text = SOUND.replace("L*theta\"", "L*thetta\"");
    let error = fault(&text, &[]);
    let line = "model.toml:23:22: unknown name `thetta` in force.theta; did you mean `theta`?";
    assert_eq!(error.to_string(), line);
    let mut report = String::new();
    miette::NarratableReportHandler::new().render_report(&mut report, &error).unwrap();
    assert!(report.contains("theta = \"-theta' - L*thetta\""), "{report}");
}
