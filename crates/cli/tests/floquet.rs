//! `rotula floquet`: whether disturbances of motions that repeat grow.

mod common;

use common::Place;
use serde_json::Value;

/// Factors of a report, real and imaginary parts.
fn multipliers(place: &Place, name: &str) -> Vec<[f64; 2]> {
    let found = place.json(name);
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
    let found = place.json("f.json");
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
    let modes = place.json("modes.json");
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
