//! Equilibria along their loads, and frequencies along a value.

mod common;

use common::Place;
use common::table::Table;

/// A tripod of bars that snaps through.
const TRIPOD: &str = r#"title = "Tripod"

[parameters]
EA = 1e4
load = 150

[body.apex]
kind = "point"
mass = 1
at = [0, 0, 0.2]

[bar.a]
from = [1, 0, 0]
start = "ground"
end = "apex"
stiffness = "EA"

[bar.b]
from = [-0.5, "sqrt(3)/2", 0]
start = "ground"
end = "apex"
stiffness = "EA"

[bar.c]
from = [-0.5, "-sqrt(3)/2", 0]
start = "ground"
end = "apex"
stiffness = "EA"

[force.push]
on = "apex"
force = [0, 0, "-load*t"]

[sensor]
apex = { position = "apex" }

[solve]
step = 0.01
until = 1.0
"#;

#[test]
fn equilibria_are_followed_past_limit_points() {
    let place = Place::new();
    place.write("tripod.toml", TRIPOD);
    let said = place.rotula(&["statics", "tripod.toml", "--path", "-o", "out", "--json", "p.json"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    assert_eq!(said.stdout.matches("a limit point at t = ").count(), 2, "{}", said.stdout);
    let table = Table::read(&place, "out/path.csv");
    assert!(table.len() > 10, "{}", table.len());
    let free = 1.04_f64.sqrt();
    for (t, z) in table.numbers("t").into_iter().zip(table.numbers("apex.z")) {
        let load = 3e4 * z * (1.0 / z.hypot(1.0) - 1.0 / free);
        assert!((150.0 * t - load).abs() < 1e-5, "{t}, {z}");
    }
    let page = place.read("out/path.html");
    assert!(page.contains("load over apex.z") && page.contains("\"name\":\"limit at "), "{page}");
    assert!(place.read("p.json").contains("\"limit\""));
    let said = place.rotula(&["statics", "tripod.toml", "--path", "--first-step=0", "-o", "out"]);
    assert_eq!(said.status, 1, "{}", said.stdout);
    assert!(said.stderr.contains("take a positive part of the way"), "{}", said.stderr);
}

/// A bead on a spring along a bar that turns: ω² = k/m − Ω² in the turning axes.
const BEAD: &str = r#"title = "Bead on a turning arm"

[parameters]
speed = 1.0

[body.arm]
mass = 1
inertia = [1, 1, 1]

[body.bead]
mass = 2
inertia = [0.1, 0.1, 0.1]
at = [1, 0, 0]

[joint.axle]
revolute = { between = ["ground", "arm"], at = [0, 0, 0], about = "z" }

[joint.slide]
prismatic = { between = ["arm", "bead"], at = [1, 0, 0], along = "x" }
spring = { stiffness = 50 }

[motion.spin]
joint = "axle"
angle = "speed*t"

[solve]
step = 0.01
until = 1.0
"#;

#[test]
fn frequencies_over_a_speed() {
    let place = Place::new();
    place.write("bead.toml", BEAD);
    let said = place.rotula(&[
        "campbell",
        "bead.toml",
        "--over",
        "parameters.speed=0:4:5",
        "--modes",
        "1",
        "-o",
        "out",
    ]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    let table = place.read("out/campbell.csv");
    assert_eq!(table.lines().count(), 6, "{table}");
    for line in table.lines().skip(1) {
        let row: Vec<f64> = line.split(',').map(|word| word.parse().unwrap()).collect();
        let expected = (25.0 - row[0] * row[0]).sqrt() / std::f64::consts::TAU;
        assert!((row[1] - row[0]).abs() < 1e-9, "{line}");
        assert!((row[3] / expected - 1.0).abs() < 1e-6, "{line}: {expected}");
    }
    assert!(place.read("out/campbell.svg").starts_with("<svg"));
    assert!(place.read("out/campbell.html").contains("Campbell diagram of Bead"));
    // beyond √(k/m) the spring cannot hold the bead
    let said =
        place.rotula(&["campbell", "bead.toml", "--over", "parameters.speed=6,7", "-o", "out"]);
    assert!(said.status == 0 || said.status == 1, "{}", said.stderr);
    assert!(
        said.stderr.contains("grow") || said.stderr.contains("no steady turn"),
        "{}",
        said.stderr
    );
    let said = place.rotula(&["campbell", "bead.toml", "--over", "parameters.speed=0:4"]);
    assert_eq!(said.status, 2);
    assert!(said.stderr.contains("does not say how many"), "{}", said.stderr);
    let said = place.rotula(&["modes", "bead.toml", "--about", "turn"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    assert!(said.stdout.contains("A steady turn at 1.000000000 rad/s"), "{}", said.stdout);
}

/// Analyses need no `[solve]`; what runs through time says what is missing.
#[test]
fn analyses_need_no_end_time() {
    let (place, text) = (Place::new(), TRIPOD.replace("-load*t", "-load/10"));
    let whole = text.split("[solve]").next().unwrap();
    for (file, text) in
        [("none.toml", whole.to_owned()), ("step.toml", text.replace("until = 1.0", ""))]
    {
        place.write(file, &text);
        let said = place.rotula(&["check", file]);
        assert_eq!(said.status, 0, "{}", said.stderr);
        for words in ["The model can be analysed", "write `until = …`"] {
            assert!(said.stdout.contains(words), "{}", said.stdout);
        }
        for command in [["statics", file], ["modes", file], ["assemble", file]] {
            let said = place.rotula(&command);
            assert_eq!(said.status, 0, "{command:?}: {}", said.stderr);
        }
        for command in ["run", "kinematics"] {
            let said = place.rotula(&[command, file, "-o", "out"]);
            assert_eq!(said.status, 2, "{}", said.stderr);
            for words in ["does not say how long it is to be run", "write `until = 10.0`", file] {
                assert!(said.stderr.contains(words), "{}", said.stderr);
            }
        }
        // an end that is given on the command line does
        let set = ["run", file, "--set", "solve.until=0.05", "-o", "out", "--quiet"];
        let said = place.rotula(&set);
        assert_eq!(said.status, 0, "{}", said.stderr);
    }
}

/// A column on hinges, Euler's: EI = 1, so that it buckles at π² in the weaker plane, and a stiff axis and shear.
const COLUMN: &str = r#"
[parameters]
EA = 1e6
[beam.column]
from = [0, 0, 0]
to = [1, 0, 0]
elements = 16
section = { stiffness = ["EA", "EA", "EA", 10, 10, 1], mass = 1, inertia = [1e-4, 1e-4, 1e-4] }
[joint.foot]
revolute = { between = ["ground", "column.start"], at = [0, 0, 0], about = "z" }
[body.head]
mass = 1
inertia = [1, 1, 1]
at = [1, 0, 0]
[joint.guide]
prismatic = { between = ["ground", "head"], at = [1, 0, 0], along = "x" }
[joint.hinge]
revolute = { between = ["head", "column.end"], at = [1, 0, 0], about = "z" }
[force.press]
on = "head"
force = ["-20*t", 0, 0]
[sensor]
head = { position = "head", along = "x" }
[solve]
until = 1
"#;

/// Where paths branch, as the page of a path says.
fn turns(place: &Place, file: &str, set: &str, kind: &str) -> Vec<f64> {
    let said =
        place.rotula(&["statics", file, "--path", "--set", set, "-o", "out", "--json", "p.json"]);
    assert_eq!(said.status, 0, "{set}: {}", said.stderr);
    let found: serde_json::Value = serde_json::from_str(&place.read("p.json")).unwrap();
    assert_eq!(found["complete"], true, "{}", said.stdout);
    let turns = found["turns"].as_array().unwrap();
    let own = turns.iter().filter(|turn| turn[0] == kind);
    let times = own.map(|turn| turn[1]["t"].as_f64().unwrap()).collect();
    println!("{set}: {}", said.stdout);
    assert!(turns.iter().all(|turn| turn[0] == kind), "{}", said.stdout);
    times
}

#[test]
fn a_column_buckles_where_euler_says_however_stiff_its_axis() {
    let place = Place::new();
    place.write("column.toml", COLUMN);
    for stiff in ["1e5", "1e6", "1e8", "1e9", "1e10"] {
        let set = format!("parameters.EA={stiff}");
        let found = turns(&place, "column.toml", &set, "branch");
        let [t] = found[..] else { panic!("{stiff}: {found:?}") };
        // sixteen elements of two nodes are a little stiff: (π/16)²/12 = 0.3 %
        assert!((20.0 * t / std::f64::consts::PI.powi(2) - 1.0).abs() < 0.01, "{stiff}: {t}");
    }
}

/// A load that follows the end of a cantilever: Beck's column has no other equilibrium, and flutters at 20.05 EI/L².
const BECK: &str = r#"
[parameters]
EA = 1e6
[beam.b]
to = [1, 0, 0]
elements = 16
section = { stiffness = ["EA", "EA", "EA", 1000, 1000, 1], mass = 1, inertia = [1e-4, 1e-4, 1e-4] }
start = "ground"
[force.f]
on = "b.end"
force = ["-25*t", 0, 0]
axes = "body"
[solve]
until = 1
"#;

#[test]
fn a_follower_load_makes_no_branches_but_flutter() {
    let place = Place::new();
    place.write("beck.toml", BECK);
    for stiff in ["1e5", "1e6", "1e7", "1e8"] {
        let found = turns(&place, "beck.toml", &format!("parameters.EA={stiff}"), "flutter");
        let [t] = found[..] else { panic!("{stiff}: {found:?}") };
        assert!((25.0 * t / 20.05 - 1.0).abs() < 0.02, "{stiff}: {}", 25.0 * t);
    }
}

#[test]
fn a_frame_on_hinges_sways_at_its_critical_load() {
    let place = Place::new();
    // k tan k = 6 EI_b L/(EI_c l) = 6 with k² = P L²/EI: two columns, a beam, all of length and stiffness one
    let (mut low, mut high) = (1.0_f64, 1.5_f64);
    for _ in 0..60 {
        let k = 0.5 * (low + high);
        if k * k.tan() < 6.0 { low = k } else { high = k }
    }
    let critical = low * low;
    let beam = |name: &str, from: &str, to: &str| {
        format!(
            "[beam.{name}]\nfrom = {from}\nto = {to}\nelements = 10\nup = \"y\"\nsection = {{ stiffness = [\"EA\", \"EA\", \"EA\", 10, 1000, 1], mass = 1, inertia = [1e-3, 1e-3, 1e-3] }}\n"
        )
    };
    let text = format!(
        "[parameters]\nEA = 1e6\n{}{}{}",
        beam("left", "[0, 0, 0]", "[0, 0, 1]"),
        beam("top", "[0, 0, 1]", "[1, 0, 1]"),
        beam("right", "[1, 0, 0]", "[1, 0, 1]")
    ) + r#"
[joint.a]
revolute = { between = ["ground", "left.start"], at = [0, 0, 0], about = "y" }
[joint.b]
revolute = { between = ["ground", "right.start"], at = [1, 0, 0], about = "y" }
[joint.c]
fixed = { between = ["left.end", "top.start"], at = [0, 0, 1] }
[joint.d]
fixed = { between = ["right.end", "top.end"], at = [1, 0, 1] }
[force.l]
on = "left.end"
force = [0, 0, "-3*t"]
[force.r]
on = "right.end"
force = [0, 0, "-3*t"]
[solve]
until = 1
"#;
    place.write("frame.toml", &text);
    for stiff in ["1e6", "1e8", "1e9"] {
        let found = turns(&place, "frame.toml", &format!("parameters.EA={stiff}"), "branch");
        let [t] = found[..] else { panic!("{stiff}: {found:?}") };
        assert!((3.0 * t / critical - 1.0).abs() < 0.01, "{stiff}: {} is not {critical}", 3.0 * t);
    }
}
