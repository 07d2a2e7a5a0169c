//! Rolling and spinning resistance of soft contact.

mod common;

use common::Place;
use common::table::Table;

const G: f64 = 9.81;
const RADIUS: f64 = 0.1;

/// Steps are short, so that none passes over the instant at which it stops. A sphere that rolls along x and spins about z, on the floor; it has sunk in by mg/k.
fn sphere(words: &str, slope: f64, until: f64) -> String {
    let (down, press) = (G * slope.sin(), -G * slope.cos());
    let depth = 2.0 * G / 1e6;
    let (speed, spin) = if slope == 0.0 { (1.0, 10.0) } else { (0.0, 0.0) };
    format!(
        "gravity = [{down}, 0, {press}]\n[body.b]\nmass = 2\ninertia = [0.008, 0.008, 0.008]\n\
         at = [0, 0, {}]\nvelocity = [{speed}, 0, 0]\nangular_velocity = [0, {}, {spin}]\n\
         [contact.floor]\nbetween = [\"ground\", \"b\"]\nfirst = {{ plane = \"z\" }}\n\
         second = {{ sphere = {RADIUS} }}\nstiffness = 1e6\nexponent = 1\ndissipation = 1\n\
         friction = {{ coefficient = 0.5, creep = 1e-4 }}\n{words}\n[solve]\nuntil = {until}\nmax_step = 1e-3\n",
        RADIUS - depth,
        speed / RADIUS
    )
}

fn run(text: &str) -> Table {
    let place = Place::new();
    let said = place.run(text, &[], "out");
    assert!(!said.stderr.contains("warning"), "{}", said.stderr);
    let audit = place.audit("out");
    let defect = audit["energy_defect"].as_f64().expect("a number");
    assert!(defect < 1e-4, "{defect}");
    Table::read(&place, "out/trajectory.csv")
}

#[test]
fn what_rolls_and_spins_slows_down_by_the_arms() {
    let (rolling, spinning, until) = (5e-3, 1e-3, 2.0);
    let words = format!("rolling_resistance = {rolling}\nspinning_resistance = {spinning}");
    let table = run(&sphere(&words, 0.0, until));
    let speed = 1.0 - 5.0 / 7.0 * G * rolling / RADIUS * until;
    let found = table.last("b.vx");
    // it has sunk in by 2·10⁻⁴ of its radius
    assert!((found - speed).abs() < 1e-3, "{found} is not {speed}");
    let spin = 10.0 - spinning * 2.0 * G / 0.008 * until;
    let found = table.last("b.wz");
    assert!((found - spin).abs() < 1e-2, "{found} is not {spin}");
    // without the words it goes on
    let table = run(&sphere("", 0.0, until));
    let [speed, spin] = ["b.vx", "b.wz"].map(|key| table.last(key));
    assert!((speed - 1.0).abs() < 1e-3 && (spin - 10.0).abs() < 1e-3, "{speed} {spin}");
}

#[test]
fn it_comes_to_rest_and_stands_on_gentle_slopes() {
    let words = "rolling_resistance = 5e-3\nspinning_resistance = 5e-3";
    let table = run(&sphere(words, 0.0, 4.0));
    // it stops after 2.86 s, but for the creep of 0.01 rad/s
    let [speed, spin] = ["b.vx", "b.wz"].map(|key| table.last(key));
    assert!(speed.abs() < 1e-5 && spin.abs() < 1e-4, "{speed} {spin}");
    let stop = 7.0 / 10.0 * RADIUS / (G * 5e-3);
    assert!((table.last("b.x") - stop).abs() < 2e-3 * stop, "{} {stop}", table.last("b.x"));
    // slopes of less and more than ρ/r
    for (slope, rolls) in [(0.03, false), (0.08, true)] {
        let table = run(&sphere(words, slope, 1.0));
        let found = table.last("b.vx");
        let free = 5.0 / 7.0 * G * (slope.sin() - 0.05 * slope.cos());
        match rolls {
            true => assert!((found - free).abs() < 2e-2 * free, "{found} is not {free}"),
            // 0.01 rad/s times its radius
            false => assert!(found.abs() < 1e-3, "{found}"),
        }
    }
}

#[test]
fn rigid_contact_refuses_the_words() {
    let text = sphere("rolling_resistance = 1e-3", 0.0, 1.0)
        .replace("stiffness = 1e6\nexponent = 1\ndissipation = 1", "restitution = 0")
        .replace("friction = { coefficient = 0.5, creep = 1e-4 }", "friction = 0.5");
    refused(&text, &["rolling_resistance", "rigid", "contact"]);
    let text = sphere("spinning_resistance = -1", 0.0, 1.0);
    refused(&text, &["spinning resistance is -1", "floor"]);
}

fn refused(text: &str, words: &[&str]) {
    let place = Place::new();
    place.write("model.toml", text);
    let said = place.rotula(&["run", "model.toml", "-o", "out"]);
    assert_eq!(said.status, 2, "{}", said.stderr);
    for word in words {
        assert!(said.stderr.contains(word), "{word}: {}", said.stderr);
    }
}
