//! `rotula modes` and `rotula campbell`: what grows, what does not, and what has no steady motion.

mod common;

use common::table::Table;
use common::{Place, model};
use serde_json::Value;

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
        let modes = place.json("modes.json");
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
    let found = place.json("modes.json");
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
    let frequencies = Table::read(&place, "out/campbell.csv").numbers("frequency_1_Hz");
    assert_eq!(frequencies.len(), 1, "{frequencies:?}");
    assert!((frequencies[0] - 0.6454).abs() < 1e-3, "{frequencies:?}");
}
