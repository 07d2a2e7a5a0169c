//! Tyres on a [rig](common::tyre_rig): the brush model, roads, and what can be wrong.

mod common;

use common::Place;
use common::tyre_rig::{Rig, SAMPLE, close, last};

#[test]
fn brush_forces_are_those_of_the_closed_form() {
    let tyre = "brush = { radius = 0.3, stiffness = 2e5, friction = 0.9, longitudinal = 18, cornering = 12, half_length = 0.06 }";
    let (load, speed) = (3000.0, 15.0_f64);
    let deflection = load / 2e5;
    let rolling = 0.3 - deflection / 3.0;
    for (slip, angle) in [(0.02, 0.0), (-0.03, 0.04), (0.01, -0.08), (0.3, 0.2_f64)] {
        let rig = Rig {
            tyre,
            road: "",
            speed,
            height: 0.3 - deflection,
            spin: speed * angle.cos() * (1.0 + slip) / rolling,
            slip_angle: angle,
            camber: 0.0,
            until: 0.5,
        };
        let run = rig.run("");
        let (x, y) = (18.0 * slip / (1.0 + slip), 12.0 * angle.tan() / (1.0 + slip));
        let psi = x.hypot(y) / 2.7;
        let size = if psi < 1.0 { 3.0 * psi - 3.0 * psi * psi + psi.powi(3) } else { 1.0 };
        let force = 0.9 * load * size;
        close("Fx", last(&run, "tyre.fx"), force * x / x.hypot(y), 2.0);
        close("Fy", last(&run, "tyre.fy"), -force * y / x.hypot(y), 2.0);
        let trail = if psi < 1.0 {
            0.02 * (1.0 - psi).powi(3) / (1.0 - psi + psi * psi / 3.0)
        } else {
            0.0
        };
        close("Mz", last(&run, "tyre.mz"), -trail * last(&run, "tyre.fy"), 0.2);
    }
}

#[test]
fn a_wheel_follows_the_normal_of_a_road() {
    let road = "[road.waves]\nheight = \"0.02*sin(2*x)\"\n";
    let tyre = "brush = { radius = 0.3, stiffness = 2e5 }";
    let rig = Rig {
        tyre,
        road,
        speed: 3.0,
        height: 0.27,
        spin: 10.0,
        slip_angle: 0.0,
        camber: 0.0,
        until: 2.0,
    };
    let run = rig.run("");
    let columns = ["t", "tyre.deflection", "tyre.fz"].map(|name| run.column(name));
    let mut touched = 0;
    for (t, (deflection, fz)) in columns[0].iter().zip(columns[1].iter().zip(&columns[2])) {
        let x = 3.0 * t;
        let (height, slope) = (0.02 * (2.0 * x).sin(), 0.04 * (2.0 * x).cos());
        let exact = 0.3 - (0.27 - height) / slope.hypot(1.0);
        close("deflection", *deflection, exact, 1e-7);
        close("load", *fz, (2e5 * exact).max(0.0), 0.1);
        touched += usize::from(*fz > 0.0);
    }
    assert!(touched > columns[0].len() / 2, "{touched} rows with load");
}

/// What is wrong, where, and what to do.
#[test]
fn mistakes_are_answered_with_place_and_remedy() {
    let tyre = "file = \"tyre.tir\"";
    let rig = Rig {
        tyre,
        road: "[road.flat]",
        speed: 1.0,
        height: 0.3,
        spin: 3.0,
        slip_angle: 0.0,
        camber: 0.0,
        until: 0.1,
    };
    let good = rig.model();
    let mistakes = [
        (tyre, "file = \"none.tir\"", "none.tir cannot be read", "tyre property file"),
        (tyre, "", "tyre.tyre has no characteristics", "brush = {"),
        (tyre, "brush = { radius = 0.3 }", "misses `stiffness`", "stiffness = "),
        (tyre, "brush = { radius = -0.3, stiffness = 1 }", "radius is -0.3", "positive"),
        (
            tyre,
            "brush = { radius = 0.3, stiffness = 1, friction = 0 }",
            "friction is 0",
            "positive",
        ),
        (
            tyre,
            "brush = { radius = 0.3, stiffness = 1, grip = 2 }",
            "no key `grip`",
            "choose one of",
        ),
        (
            tyre,
            "brush = { radius = 0.3, stiffness = 1 }\npressure = 2e5",
            "`pressure` means nothing",
            "remove",
        ),
        (
            tyre,
            "file = \"tyre.tir\"\nbrush = { radius = 0.3, stiffness = 1 }",
            "exclude each other",
            "keep one",
        ),
        (tyre, "file = \"tyre.tir\"\nroad = \"flet\"", "no road `flet`", "did you mean `flat`?"),
        (tyre, "file = \"tyre.tir\"\nside = \"middle\"", "tyre.tyre.side", "left"),
        (tyre, "file = \"tyre.tir\"\nfriction = -1", "friction is -1", "positive"),
        (tyre, "file = \"tyre.tir\"\nwheels = 4", "no key `wheels`", "did you mean `wheel`?"),
        (
            "wheel = \"wheel\"",
            "wheel = \"whel\"",
            "no body or frame `whel`",
            "did you mean `wheel`?",
        ),
        (
            "wheel = \"wheel\"",
            "wheel = \"ground\"",
            "same body as its road",
            "two different bodies",
        ),
        (
            "[road.flat]",
            "[road.flat]\nheight = \"0.1*t\"",
            "depends on the time",
            "let the body move",
        ),
        ("[road.flat]", "[road.flat]\nheight = \"z\"", "unknown name `z`", "x"),
        ("[road.flat]", "[road.flat]\nhight = \"x\"", "no key `hight`", "did you mean `height`?"),
        ("[road.flat]", "[road.flat]\non = \"moon\"", "`moon`", ""),
    ];
    let place = Place::new();
    let check = |model: &str, file: &str| {
        place.write("tyre.tir", file);
        place.write("model.toml", model);
        place.rotula(&["check", "model.toml"])
    };
    let said = check(&good, SAMPLE);
    assert_eq!(said.status, 0, "{}", said.stderr);
    for (from, to, message, help) in mistakes {
        assert!(good.contains(from), "{from}");
        let said = check(&good.replacen(from, to, 1), SAMPLE);
        assert_eq!(said.status, 2, "{to}: {}{}", said.stdout, said.stderr);
        for part in [message, help, "model.toml:"] {
            assert!(said.stderr.contains(part), "{to}: no `{part}` in\n{}", said.stderr);
        }
    }
    let files = [
        ("FITTYP = 52", "FITTYP = 99", "tyre.tir:3: `FITTYP` is 99", "known are 5"),
        ("FITTYP = 52", "", "has no `FITTYP`", "FITTYP = 61"),
        ("PCX1 = 1.5", "PCX1 = 1,5", "`PCX1` is `1,5`", "1.2e-3"),
        ("PCX1 = 1.5", "", "`PCX1` is 0", "above zero"),
        ("PKY1 = -15", "", "`PKY1` is 0", "needs it"),
        ("[MODEL]", "[UNITS]\nLENGTH = 'inch'\n[MODEL]", "unit of LENGTH is `inch`", "convert"),
    ];
    for (from, to, message, help) in files {
        let said = check(&good, &SAMPLE.replacen(from, to, 1));
        assert_eq!(said.status, 2, "{to}: {}{}", said.stdout, said.stderr);
        for part in [message, help, "model.toml:"] {
            assert!(said.stderr.contains(part), "{to}: no `{part}` in\n{}", said.stderr);
        }
    }
}
