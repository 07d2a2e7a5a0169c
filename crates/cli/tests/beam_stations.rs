//! Named stations of beams: nodes lie there, so that loads, bodies and joints act where they should.

mod common;

use common::Place;

/// A cantilever of 2 m along x with stations; slender, and stiff enough to bend little.
fn cantilever(beam: &str, rest: &str) -> String {
    format!(
        "[beam.rod]\nto = [2, 0, 0]\nstart = \"ground\"\nsection = {{ rectangle = [0.04, 0.02] }}\n\
         material = {{ young = 2e11, poisson = 0.3, density = 1e-3 }}\n{beam}\n{rest}\n[solve]\nuntil = 0.1\n"
    )
}

/// Bending stiffness about y, and shear stiffness, which counts little.
const EI: f64 = 2e11 * 0.04 * 0.02 * 0.02 * 0.02 / 12.0;

fn at_rest(text: &str, sensors: &[&str]) -> Vec<f64> {
    let place = Place::new();
    place.write("model.toml", text);
    let said = place.rotula(&["statics", "model.toml", "-o", "out"]);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    let read = |sensor: &&str| {
        let line =
            said.stdout.lines().find(|line| line.trim_start().starts_with(&format!("{sensor} =")));
        let line = line.unwrap_or_else(|| panic!("no {sensor} in {}", said.stdout));
        line.split_whitespace()
            .nth(2)
            .and_then(|word| word.parse().ok())
            .unwrap_or_else(|| panic!("{line}"))
    };
    sensors.iter().map(read).collect()
}

/// A point load at a station: at it F a³/3EI, beyond it straight on with a slope of F a²/2EI.
#[test]
fn a_load_at_a_station_bends_as_the_closed_form_says() {
    for nodes in [2, 3, 4] {
        let text = cantilever(
            &format!("elements = 24\nnodes = {nodes}\nstations = {{ hook = 0.37 }}"),
            "[force.pull]\non = \"rod.hook\"\nforce = [0, 0, 10]\n[sensor]\n\
             hook = { position = \"rod.hook\" }\ntip = { position = \"rod.end\", along = \"z\" }",
        );
        let found = at_rest(&text, &["hook.x", "hook.z", "tip"]);
        let (a, f) = (0.74, 10.0);
        let at = f * a * a * a / (3.0 * EI);
        let tip = at + (2.0 - a) * f * a * a / (2.0 * EI);
        assert!((found[0] - a).abs() < 1e-5, "{nodes}: {found:?}");
        // second order in the length of elements: (1/9)² of the piece
        assert!((found[1] / at - 1.0).abs() < 5e-3, "{nodes}: {} is not {at}", found[1]);
        assert!((found[2] / tip - 1.0).abs() < 5e-3, "{nodes}: {} is not {tip}", found[2]);
    }
}

/// A body at a station: the frequency of a mass on a spring of 3EI/a³.
#[test]
fn a_body_at_a_station_swings_with_the_stiffness_there() {
    let text = cantilever(
        "elements = 20\nstations = { seat = \"1/3\", far = 0.9 }",
        "[body.m]\nmass = 5\ninertia = [1e-6, 1e-6, 1e-6]\nat = [\"2/3\", 0, 0]\n\
         [joint.weld]\nfixed = { between = [\"rod.seat\", \"m\"], at = [\"2/3\", 0, 0] }",
    );
    let place = Place::new();
    place.write("model.toml", &text);
    let said = place.rotula(&["modes", "model.toml", "--count", "1"]);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    let line = said.stdout.lines().find(|line| line.contains(" Hz")).unwrap();
    let found: f64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    let a: f64 = 2.0 / 3.0;
    let wanted = f64::sqrt(3.0 * EI / (a * a * a) / 5.0) / std::f64::consts::TAU;
    assert!((found / wanted - 1.0).abs() < 5e-3, "{found} is not {wanted}");
}

/// Unequal elements share a load along the beam out by their lengths: w L⁴/8EI at the tip, as with equal ones.
#[test]
fn loads_along_a_beam_know_unequal_elements() {
    let text = |stations: &str| {
        cantilever(
            &format!("elements = 24\n{stations}"),
            "[load.weight]\non = \"rod\"\nper_length = [0, 0, \"2 + station\"]\n\
             [sensor]\ntip = { position = \"rod.end\", along = \"z\" }",
        )
    };
    // w = 2 + s/L: w₀ L⁴/8EI + 11 w₁ L⁴/120EI
    let wanted = 16.0 / EI * (2.0 / 8.0 + 11.0 / 120.0);
    for stations in ["", "stations = { a = 0.05, b = 0.11, c = 0.83 }"] {
        let found = at_rest(&text(stations), &["tip"])[0];
        assert!((found / wanted - 1.0).abs() < 5e-3, "{stations}: {found} is not {wanted}");
    }
}
