//! What analyses tell and write: displacements, forces, starts in equilibrium, growth, motions that repeat.

mod common;

use common::Place;
use serde_json::Value;
use std::process::Command;
use std::time::Duration;

fn model(name: &str) -> String {
    let path = format!("{}/tests/models/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn json(place: &Place, name: &str) -> Value {
    serde_json::from_str(&place.read(name)).expect("JSON")
}

/// A column of a table by its heading.
fn column(table: &str, name: &str) -> Vec<f64> {
    let mut lines = table.lines();
    let k = lines.next().unwrap().split(',').position(|own| own == name);
    let k = k.unwrap_or_else(|| panic!("no column {name}"));
    let values: Vec<f64> =
        lines.map(|line| line.split(',').nth(k).unwrap().parse().unwrap()).collect();
    assert!(!values.is_empty() && values.iter().all(|value| value.is_finite()), "{name}");
    values
}

/// A cantilever that a moment at its end bends to half a circle: the tip goes to (0, 2/π).
const HALF_CIRCLE: &str = r#"
[beam.b]
to = [1, 0, 0]
elements = 8
section = { stiffness = [1e6, 1e6, 1e6, 1, 1, 1], mass = 1, inertia = [1e-3, 1e-3, 1e-3] }
[joint.clamp]
fixed = { between = ["ground", "b.start"], at = [0, 0, 0] }
[force.f]
on = "b.end"
moment = [0, 0, "pi*t"]
[sensor]
tip = { position = "b.end" }
[solve]
until = 1
"#;

#[test]
fn statics_tells_where_points_are_and_what_holds_them() {
    let place = Place::new();
    place.write("bent.toml", HALF_CIRCLE);
    let said = place.rotula(&["statics", "bent.toml", "--at", "1", "-o", "out"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    for words in [
        "moved by (-1.000000, 0.636620, 0)",
        "(180.000°) about (0, 0, 1",
        "tip.y = 0.63662",
        "clamp.mz = -3.14159 N m",
    ] {
        assert!(said.stdout.contains(words), "no {words} in\n{}", said.stdout);
    }
    let found = json(&place, "out/equilibrium.json");
    let tip = found["displacements"].as_array().unwrap().last().unwrap();
    let moved = |k: usize| tip["moved"][k].as_f64().unwrap();
    let across = 2.0 / std::f64::consts::PI;
    assert!((moved(0) + 1.0).abs() < 1e-9 && (moved(1) - across).abs() < 1e-9, "{tip}");
    assert!(
        (tip["turned"]["angle"].as_f64().unwrap() - std::f64::consts::PI).abs() < 1e-9,
        "{tip}"
    );
    // the same columns as a run, and the moment at the clamp that balances the load
    let run =
        place.rotula(&["run", "bent.toml", "--set", "solve.until=1e-3", "-o", "run", "--quiet"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let (rest, moving) = (place.read("out/equilibrium.csv"), place.read("run/trajectory.csv"));
    // nothing has done work on what stands still
    let columns = moving.lines().next().map(|line| line.replace(",work", ""));
    assert_eq!(rest.lines().next(), columns.as_deref());
    assert!((column(&rest, "clamp.mz")[0] + std::f64::consts::PI).abs() < 1e-8, "{rest}");
    assert!((found["values"]["tip.y"].as_f64().unwrap() - across).abs() < 1e-9);
    let table = place.read("out/displacements.csv");
    assert!(
        (column(&table.replace("b.", ""), "moved_y").last().unwrap() - across).abs() < 1e-9,
        "{table}"
    );
}

#[test]
fn a_run_starts_from_rest_in_equilibrium() {
    let place = Place::new();
    place.write("car.toml", &model("macpherson.toml"));
    let run = |initial: &str, output: &str| {
        let set = format!("solve.initial={initial}");
        // before anything moves the shaker
        place.rotula(&["run", "car.toml", "--set", &set, "--set", "solve.until=0.9", "-o", output])
    };
    let said = run("equilibrium", "rest");
    assert_eq!(said.status, 0, "{}", said.stderr);
    assert!(said.stdout.contains("starts from rest in a neutral equilibrium"), "{}", said.stdout);
    assert!(said.stdout.contains("Nothing holds wheel: rotation about y"), "{}", said.stdout);
    let table = place.read("rest/trajectory.csv");
    let height = column(&table, "car.z");
    let moved = height.iter().fold(0.0_f64, |m, z| m.max((z - height[0]).abs()));
    assert!(moved < 1e-9, "{moved}");
    assert!((height[0] - 0.6).abs() > 0.1, "it did not settle: {}", height[0]);
    // the plate carries the weight of everything but itself through the tyre
    let weight = 9.81 * (350.0 + 4.0 + 14.0 + 2.0 + 20.0 + 3.0);
    let lift = column(&table, "bump.effort");
    let off = lift.iter().fold(0.0_f64, |m, f| m.max((f - weight - 98.1).abs()));
    assert!(off < 1e-3 * weight, "{} is not {}", lift[0], weight + 98.1);
    let summary = json(&place, "rest/summary.json");
    let start = &summary["initial"]["equilibrium"];
    assert_eq!(start["stability"], "neutral");
    assert!(start["moved"].as_array().unwrap().len() > 20, "{start}");
    // without it the car falls
    assert_eq!(run("project-velocities", "falls").status, 0);
    let height = column(&place.read("falls/trajectory.csv"), "car.z");
    assert!(height.iter().fold(0.0_f64, |m, z| m.max(height[0] - z)) > 0.14);
}

/// A load that hangs on a spring.
const SPRING: &str = r#"
gravity = [0, 0, -9.81]
[body.load]
mass = 2
inertia = [1, 1, 1]
[joint.guide]
prismatic = { between = ["ground", "load"], at = [0, 0, 0], along = "z" }
spring = { stiffness = 400, damping = 3 }
[solve]
until = 30
step = 1e-3
initial = "equilibrium"
"#;

#[test]
fn starts_in_equilibrium_are_refused_or_doubted_in_words() {
    let place = Place::new();
    let text = SPRING;
    place.write("load.toml", &text.replace("spring = { stiffness = 400, damping = 3 }", ""));
    let said = place.rotula(&["run", "load.toml", "-o", "out"]);
    assert_eq!(said.status, 2, "{}", said.stdout);
    for words in
        ["no equilibrium was found near the start", "load: z", "start as the model is given"]
    {
        assert!(said.stderr.contains(words), "no {words} in\n{}", said.stderr);
    }
    place.write("load.toml", &text.replace("mass = 2", "mass = 2\nvelocity = [0, 0, 1]"));
    let said = place.rotula(&["run", "load.toml", "--set", "solve.until=0.1", "-o", "out"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    assert!(
        said.stderr.contains("velocities that the model gives are left out"),
        "{}",
        said.stderr
    );
    // m g = k z
    let z = column(&place.read("out/trajectory.csv"), "load.z");
    assert!(z.iter().all(|z| (z + 2.0 * 9.81 / 400.0).abs() < 1e-12), "{z:?}");
    // a rod that stands on its hinge
    let rod = "gravity = [0, 0, -9.81]\n[body.rod]\nmass = 1\ninertia = [1, 1, 1]\nat = [0, 0, 1]\n[joint.hinge]\nrevolute = { between = [\"ground\", \"rod\"], at = [0, 0, 0], about = \"y\" }\n[solve]\nuntil = 0.01\ninitial = \"equilibrium\"\n";
    place.write("rod.toml", rod);
    let said = place.rotula(&["run", "rod.toml", "-o", "out"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    assert!(said.stderr.contains("is unstable: it departs along rod"), "{}", said.stderr);
}

#[test]
fn a_run_from_equilibrium_goes_on_from_its_checkpoints() {
    let place = Place::new();
    let text = SPRING
        .replace("[solve]", "[force.f]\non = \"load\"\nforce = [0, 0, \"sin(9*t)\"]\n[solve]");
    place.write("load.toml", &text);
    let whole = place.rotula(&["run", "load.toml", "-o", "whole", "--quiet"]);
    assert_eq!(whole.status, 0, "{}", whole.stderr);
    let mut cut = 0;
    for _ in 0..40 {
        let begun = place.path("cut/checkpoint/run.json").exists();
        let arguments: &[&str] = match begun {
            true => &["resume", "cut", "--quiet"],
            false => &["run", "load.toml", "-o", "cut", "--quiet", "--checkpoint", "every=50steps"],
        };
        let mut child = Command::new(env!("CARGO_BIN_EXE_rotula"))
            .args(arguments)
            .current_dir(place.path("."))
            .spawn()
            .expect("the program starts");
        std::thread::sleep(Duration::from_millis(120));
        if child.try_wait().unwrap().is_some() {
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        cut += 1;
    }
    let last = place.rotula(&["resume", "cut", "--quiet"]);
    assert!(last.status == 0 || !place.path("cut/checkpoint").exists(), "{}", last.stderr);
    println!("cut off {cut} times");
    assert_eq!(place.read("whole/trajectory.csv"), place.read("cut/trajectory.csv"));
    let start = |name: &str| json(&place, &format!("{name}/summary.json"))["initial"].clone();
    assert_eq!(start("whole"), start("cut"));
    assert_eq!(start("cut")["equilibrium"]["stability"], "stable");
}

#[test]
fn rounding_is_no_growth() {
    let place = Place::new();
    for name in ["trolley_pid.toml", "trolley_formula.toml"] {
        place.write(name, &model(name));
        let said = place.rotula(&["modes", name, "--json", "modes.json"]);
        assert_eq!(said.status, 0, "{}", said.stderr);
        assert!(
            !said.stdout.contains("grow") && !said.stdout.contains("nstable"),
            "{}",
            said.stdout
        );
        assert!(said.stdout.contains("A neutral equilibrium"), "{}", said.stdout);
        assert!(
            said.stdout.contains("1. rigid-body motion: `load: rotation about z`"),
            "{}",
            said.stdout
        );
        let modes = json(&place, "modes.json");
        let modes = modes["modes"].as_array().unwrap();
        assert_eq!(modes.iter().filter(|mode| mode["kind"] == "rigid-body").count(), 1);
        // across the rail the load swings as a pendulum: ω² = m g l/(J + m l²)
        let swing =
            (2000.0 * 9.81 * 6.5 / (300.0 + 2000.0 * 6.5 * 6.5_f64)).sqrt() / std::f64::consts::TAU;
        let near = |mode: &Value| (mode["frequency"].as_f64().unwrap() / swing - 1.0).abs() < 1e-9;
        assert!(modes.iter().any(near), "{swing}: {}", said.stdout);
    }
    // what does grow is told, however slowly beside the rest: an inverted pendulum on a stiff spring
    let stiff = "gravity = [0, 0, -9.81]\n[body.a]\nmass = 1\ninertia = [1, 1, 1]\nat = [0, 0, 1]\n[joint.h]\nrevolute = { between = [\"ground\", \"a\"], at = [0, 0, 0], about = \"y\" }\nspring = { stiffness = 9.8099 }\n[body.b]\nmass = 1\ninertia = [1, 1, 1]\nat = [5, 0, 0]\n[joint.g]\nprismatic = { between = [\"ground\", \"b\"], at = [5, 0, 0], along = \"x\" }\nspring = { stiffness = 1e9 }\n";
    place.write("slow.toml", stiff);
    let said = place.rotula(&["modes", "slow.toml", "--about", "start", "--json", "modes.json"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    // J θ̈ = (m g l − k) θ = 1e-4 θ, J = 2
    let rate = (1e-4_f64 / 2.0).sqrt();
    let found = json(&place, "modes.json");
    let modes = found["modes"].as_array().unwrap().iter();
    let growing: Vec<[f64; 2]> = modes
        .filter(|mode| mode["unstable"] == true)
        .map(|mode| [mode["eigenvalue"][0].as_f64().unwrap(), mode["noise"].as_f64().unwrap()])
        .collect();
    let [[found, noise]] = growing[..] else { panic!("{}", said.stdout) };
    // known as far as the report says, and that is far enough
    assert!((found - rate).abs() <= noise && noise < 0.1 * rate, "{found} ± {noise} is not {rate}");
}

#[test]
fn a_turbine_on_a_tower_has_no_steady_turn_and_both_say_so() {
    let place = Place::new();
    place.write("turbine.toml", &model("turbine.toml"));
    let words = "is no steady motion of this model";
    let said = place.rotula(&["modes", "turbine.toml", "--about", "turn"]);
    assert_eq!(said.status, 1, "{}", said.stdout);
    assert!(said.stderr.contains(words) && said.stderr.contains("tower"), "{}", said.stderr);
    let over = "parameters.w0=0,3";
    let said = place.rotula(&["campbell", "turbine.toml", "--over", over, "-o", "out"]);
    assert_eq!(said.status, 1, "{}", said.stdout);
    assert!(said.stderr.contains(words), "{}", said.stderr);
    let page = place.read("out/campbell.html");
    assert!(page.contains(words) && page.contains("rotula floquet"), "{page}");
    // and over a period nothing repeats, since the wind rises: that is seen without a single run
    let said = place.rotula(&["floquet", "turbine.toml"]);
    assert_eq!(said.status, 1, "{}", said.stdout);
    for words in ["no motion repeats after", "than a period later", "`start` in `[solve]`"] {
        assert!(said.stderr.contains(words), "no {words} in\n{}", said.stderr);
    }
    // what stands still has frequencies
    let table = place.read("out/campbell.csv");
    assert_eq!(table.lines().count(), 2, "{table}");
    assert!((column(&table, "frequency_1_Hz")[0] - 0.6454).abs() < 1e-3, "{table}");
}

/// Factors of a report, real and imaginary parts.
fn multipliers(place: &Place, name: &str) -> Vec<[f64; 2]> {
    let found = json(place, name);
    let all = found["multipliers"].as_array().unwrap();
    all.iter().map(|m| [0, 1].map(|k| m["value"][k].as_f64().unwrap())).collect()
}

/// Mathieu's equation `x'' + (a − 2q cos 2t) x = 0` with q = 1.
const MATHIEU: &str = r#"
[parameters]
a = 1.0
[coordinates]
x = { at = 0, velocity = 0 }
[mass]
x = 1
[force]
x = "-(a - 2*cos(2*t))*x"
[solve]
until = 1
"#;

#[test]
fn mathieus_equation_is_stable_where_its_tables_say() {
    let place = Place::new();
    place.write("mathieu.toml", MATHIEU);
    let at = |a: f64| {
        let set = format!("parameters.a={a}");
        let said = place.rotula(&[
            "floquet",
            "mathieu.toml",
            "--set",
            &set,
            "--period",
            "3.141592653589793",
            "--json",
            "f.json",
        ]);
        assert_eq!(said.status, 0, "{}", said.stderr);
        (said.stdout.contains("the motion is unstable"), multipliers(&place, "f.json"))
    };
    // characteristic values for q = 1 [NIST DLMF 28.6, Abramowitz and Stegun table 20.1]: a0, b1, a1, b2
    let (a0, b1, a1, b2) = (-0.455_138_604_1, -0.110_248_816_99, 1.859_108_072_51, 3.917_024_773_0);
    for (a, unstable) in [
        (a0 - 0.02, true),
        (a0 + 0.02, false),
        (b1 - 0.02, false),
        (b1 + 0.02, true),
        (a1 - 0.02, true),
        (a1 + 0.02, false),
        (b2 - 0.02, false),
    ] {
        let (grows, found) = at(a);
        assert_eq!(grows, unstable, "{a}: {found:?}");
        // the product is one, since nothing is dissipated
        let product = match found[..] {
            [[re, im]] => re * re + im * im,
            [[x, 0.0], [y, 0.0]] => x * y,
            _ => panic!("{found:?}"),
        };
        assert!((product - 1.0).abs() < 1e-6, "{a}: {found:?}");
    }
    // at a characteristic value of period 2π the factor over π is −1, twice
    let (_, found) = at(a1);
    assert!(found.iter().all(|[re, im]| (re + 1.0).hypot(*im) < 2e-3), "{found:?}");
    // within the tongue: a = 1, by a Runge–Kutta integration of fourth order with 20 000 steps
    let (_, found) = at(1.0);
    assert!(
        (found[0][0] + 4.156_054_94).abs() < 1e-5 && (found[1][0] + 0.240_612_80).abs() < 1e-6,
        "{found:?}"
    );
    // nothing turns: the period must be given
    let said = place.rotula(&["floquet", "mathieu.toml"]);
    assert_eq!(said.status, 2, "{}", said.stdout);
    assert!(said.stderr.contains("`--period`"), "{}", said.stderr);
}

/// A disc between a support that is stiffer along x and a shaft with a flat side, as a rotor with two blades sees it.
const ROTOR: &str = r#"
[parameters]
speed = 8.0
[body.hub]
mass = 1
inertia = [1, 1, 1]
[body.disc]
kind = "point"
mass = 1
[joint.axle]
revolute = { between = ["ground", "hub"], at = [0, 0, 0], about = "z" }
[motion.turn]
joint = "axle"
angle = "speed*t"
[bushing.support]
between = ["ground", "disc"]
stiffness = [60, 24, 200, 0, 0, 0]
damping = [0.2, 0.2, 0.2, 0, 0, 0]
[bushing.shaft]
between = ["hub", "disc"]
stiffness = [52, 28, 0, 0, 0, 0]
[solve]
until = 1
"#;

#[test]
fn a_flat_shaft_on_an_anisotropic_support() {
    let place = Place::new();
    place.write("rotor.toml", ROTOR);
    // a turn is two periods of the coefficients: squares of the factors of x'' + 0.2 x' + K(t) x = 0,
    // K = [100 + 12 cos 2Ωt, 12 sin 2Ωt; 12 sin 2Ωt, 64 − 12 cos 2Ωt], by an integration of fourth order with 40 000 steps
    let cases: [(f64, &[[f64; 2]], bool); 2] = [
        (
            8.0,
            &[
                [-1.123_355_813_4, 0.0],
                [-0.701_991_676_0, 0.657_018_216_8],
                [-0.822_949_629_5, 0.0],
            ],
            true,
        ),
        (9.5, &[[-0.953_085_095_9, 0.166_221_975_7], [-0.874_588_777_2, 0.413_636_816_6]], false),
    ];
    for (speed, half, unstable) in cases {
        let set = format!("parameters.speed={speed}");
        let said = place.rotula(&[
            "floquet",
            "rotor.toml",
            "--set",
            &set,
            "--steps",
            "400",
            "--json",
            "f.json",
        ]);
        assert_eq!(said.status, 0, "{}", said.stderr);
        assert_eq!(said.stdout.contains("the motion is unstable"), unstable, "{}", said.stdout);
        let found = multipliers(&place, "f.json");
        for [re, im] in half {
            let expected = [re * re - im * im, (2.0 * re * im).abs()];
            let near = |f: &[f64; 2]| (f[0] - expected[0]).hypot(f[1].abs() - expected[1]) < 2e-5;
            assert!(found.iter().any(near), "{expected:?} is not in {found:?}");
        }
        // no steady turn, and said so
        let said = place.rotula(&["modes", "rotor.toml", "--set", &set, "--about", "turn"]);
        assert_eq!(said.status, 1, "{}", said.stdout);
    }
}

#[test]
fn a_steady_turn_has_the_same_frequencies_over_a_period() {
    // a bead on a spring along a bar that turns: ω² = k/m − Ω²
    let place = Place::new();
    let bead = "[body.arm]\nmass = 1\ninertia = [1, 1, 1]\n[body.bead]\nmass = 2\ninertia = [0.1, 0.1, 0.1]\nat = [1, 0, 0]\n[joint.axle]\nrevolute = { between = [\"ground\", \"arm\"], at = [0, 0, 0], about = \"z\" }\n[joint.slide]\nprismatic = { between = [\"arm\", \"bead\"], at = [1, 0, 0], along = \"x\" }\nspring = { stiffness = 50, damping = 0.4 }\n[motion.spin]\njoint = \"axle\"\nangle = \"3*t\"\n[solve]\nuntil = 1\n";
    place.write("bead.toml", bead);
    let said = place.rotula(&["floquet", "bead.toml", "--json", "f.json"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    let found = json(&place, "f.json");
    assert!(found["rounds"].as_u64().unwrap() >= 1, "the bead must first move out: {found}");
    let found = &found["multipliers"][0];
    // x'' + 0.2 x' + (25 − 9) x = 0 over 2π/3
    let period = std::f64::consts::TAU / 3.0;
    assert!((found["magnitude"].as_f64().unwrap() - (-0.1 * period).exp()).abs() < 1e-6, "{found}");
    let whole = (16.0 - 0.01_f64).sqrt() / std::f64::consts::TAU;
    let (seen, turns) = (found["frequency"].as_f64().unwrap(), whole * period);
    let aliased = (turns - turns.round()).abs() / period;
    assert!((seen - aliased).abs() < 1e-6, "{seen} is not {aliased}");
}

/// A damped cantilever with many freedoms at rest: its factors are `exp(λT)` with the eigenvalues of its vibrations.
#[test]
fn factors_of_many_freedoms_are_those_of_the_slow_vibrations() {
    let place = Place::new();
    let beam = "[beam.b]\nto = [1, 0, 0]\nelements = 8\nsection = { stiffness = [1e3, 1e3, 1e3, 10, 1.7, 1], mass = 0.4, inertia = [1e-3, 1e-3, 1e-3] }\ndamping = 0.01\nstart = \"ground\"\n[solve]\nuntil = 1\n";
    place.write("beam.toml", beam);
    let said = place.rotula(&["modes", "beam.toml", "--json", "modes.json"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    let modes = json(&place, "modes.json");
    let factor = |mode: &Value| {
        let [re, im] = [0, 1].map(|k| mode["eigenvalue"][k].as_f64().unwrap());
        // half a second
        [(0.5 * re).exp() * (0.5 * im).cos(), ((0.5 * re).exp() * (0.5 * im).sin()).abs()]
    };
    let all: Vec<[f64; 2]> = modes["modes"].as_array().unwrap().iter().map(factor).collect();
    let said = place.rotula(&["floquet", "beam.toml", "--period", "0.5", "--json", "f.json"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    assert!(
        said.stdout.contains("Of all other disturbances less than 0.1 is left"),
        "{}",
        said.stdout
    );
    let found = multipliers(&place, "f.json");
    let distance = |a: &[f64; 2], b: &[f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1].abs());
    let nearest = |a: &[f64; 2], among: &[[f64; 2]]| {
        among.iter().map(|b| distance(a, b)).fold(f64::INFINITY, f64::min)
    };
    assert!(found.len() >= 2, "{found:?}");
    for one in &found {
        assert!(nearest(one, &all) < 1e-4, "{one:?} is not in {all:?}");
    }
    for one in all.iter().filter(|[re, im]| re.hypot(*im) > 0.11) {
        assert!(nearest(one, &found) < 1e-4, "{one:?} is not in {found:?}");
    }
}
