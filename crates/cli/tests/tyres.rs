//! Tyres on a rig: a carriage leads a wheel over the road at a fixed height, heading, inclination and rate of rotation, so that
//! load and slips are known and forces can be compared with curves of others and with closed forms.

mod common;

use common::Place;
use common::columns::Columns;

/// The tyre of the project MFPy (jmcavalcante/MFPy, `examples/samples/sample.tir`), whose sample curves
/// (`samples/fit/Fx_combined`) its own equations made, after the second edition of Pacejka's book. `PHY3`, `QBZ9` and `QBZ10`
/// are zero there.
const SAMPLE: &str = "
[MODEL]
FITTYP = 52
LONGVL = 16.7 $Measurement speed
TYRESIDE = 'Left'
[DIMENSION]
UNLOADED_RADIUS = 0.3135
[VERTICAL]
FNOMIN = 5000
VERTICAL_STIFFNESS = 200000
VERTICAL_DAMPING = 50
BREFF = 8.0
DREFF = 0.3
FREFF = 0.08
[LONGITUDINAL_COEFFICIENTS]
PCX1 = 1.5
PDX1 = 1.0
PDX2 = -0.08
PEX1 = 0.1
PEX2 = 0.3
PEX4 = 0.002
PKX1 = 20.0
PKX2 = 14.0
PKX3 = -0.4
PHX2 = 0.001
RBX1 = 13.0
RBX2 = 10.0
RCX1 = 1.0
REX1 = -0.4
REX2 = -0.5
[LATERAL_COEFFICIENTS]
PCY1 = 1.5
PDY1 = 0.9
PDY2 = -0.06
PEY1 = -0.8
PEY2 = -0.6
PEY3 = 0.1
PEY4 = -7.0
PKY1 = -15
PKY2 = 1.7
PKY3 = 0.4
PHY1 = -0.002
PHY2 = 0.003
PHY3 = 0.03
PVY1 = -0.006
PVY2 = 0.04
PVY3 = -0.2
PVY4 = -0.5
RBY1 = 10.0
RBY2 = 8.0
RBY3 = 0.002
RCY1 = 1.0587
REY1 = 0.3
REY2 = 0.005
RHY1 = 0.009
RHY2 = 0.01
RVY1 = 0.05
RVY4 = 95
RVY5 = 2
RVY6 = 24
[ALIGNING_COEFFICIENTS]
QBZ1 = 12.0
QBZ2 = -1.3
QBZ4 = 0.2
QBZ5 = -0.15
QBZ9 = 5
QBZ10 = 0.2
QCZ1 = 1.3
QDZ1 = 0.09
QDZ2 = -0.005
QDZ3 = 0.4
QDZ6 = 0.002
QDZ7 = -0.002
QDZ8 = -0.15
QDZ9 = 0.009
QEZ1 = -1.8
QEZ2 = 0.9
QEZ4 = 0.3
QEZ5 = -0.7
QHZ1 = 0.0015
QHZ2 = 0.0025
QHZ3 = 0.25
QHZ4 = -0.20
";

/// How a wheel runs on the rig.
#[derive(Clone, Copy)]
struct Rig<'a> {
    tyre: &'a str,
    road: &'a str,
    speed: f64,
    /// Distance of the centre from the plane.
    height: f64,
    spin: f64,
    slip_angle: f64,
    camber: f64,
    until: f64,
}

impl Rig<'_> {
    fn model(&self) -> String {
        let Rig { tyre, road, speed, height, spin, slip_angle, camber, until } = self;
        // heading to the right of the way, so that the patch drifts to the left
        let (sin, cos) = slip_angle.sin_cos();
        let axle = [sin * camber.cos(), cos * camber.cos(), camber.sin()];
        format!(
            "{road}\n[body.carriage]\nmass = 1\ninertia = [1, 1, 1]\nat = [0, 0, {height}]\n\
             [body.wheel]\nmass = 1\ninertia = [1, 1, 1]\nat = [0, 0, {height}]\n\
             [joint.guide]\nprismatic = {{ between = [\"ground\", \"carriage\"], at = [0, 0, {height}], along = \"x\" }}\n\
             [joint.axle]\nrevolute = {{ between = [\"carriage\", \"wheel\"], at = [0, 0, {height}], about = {axle:?} }}\n\
             [motion.tow]\njoint = \"guide\"\ndisplacement = \"{speed:?}*t\"\n\
             [motion.spin]\njoint = \"axle\"\nangle = \"{spin:?}*t\"\n\
             [tyre.tyre]\nwheel = \"wheel\"\naxle = {axle:?}\n{tyre}\n[solve]\nuntil = {until}\ntolerance = 1e-8\n"
        )
    }

    fn run(&self, file: &str) -> Columns {
        let place = Place::new();
        place.write("tyre.tir", file);
        place.run(&self.model(), &[], "out");
        Columns::read(&place, "out", self.until)
    }
}

fn last(run: &Columns, name: &str) -> f64 {
    run.at(name, run.rows() - 1)
}

fn close(what: &str, value: f64, reference: f64, tolerance: f64) {
    let error = (value - reference).abs();
    assert!(error < tolerance, "{what} is {value}, not {reference}: off by {error:.2e}");
}

impl<'a> Rig<'a> {
    /// A wheel with the tyre of the sample under a load, with slip, slip angle and camber.
    fn sample(load: f64, slip: f64, slip_angle: f64, camber: f64) -> Rig<'a> {
        let (radius, stiffness, pressed) = (0.3135, 200000.0, load / 5000.0);
        let rolling = radius - 5000.0 / stiffness * (0.3 * (8.0 * pressed).atan() + 0.08 * pressed);
        Rig {
            tyre: "file = \"tyre.tir\"",
            road: "",
            speed: 20.0,
            height: (radius - load / stiffness) * camber.cos(),
            spin: 20.0 * slip_angle.cos() * (1.0 + slip) / rolling,
            slip_angle,
            camber,
            until: 1.0,
        }
    }
}

#[test]
fn forces_across_and_moments_are_those_of_another_program() {
    // by the functions FY_pure, FY_combined and MZ_pure of MFPy: load, slip, slip angle, camber
    let forces = [
        ([3000.0, 0.1, -0.15, 0.05], 2228.793137759609),
        ([3000.0, -0.08, 0.04, 0.05], -1382.9558764683484),
        ([6000.0, 0.03, 0.1, -0.06], -4374.217431077788),
    ];
    for ([load, slip, angle, camber], force) in forces {
        let run = Rig::sample(load, slip, angle, camber).run(SAMPLE);
        close("load", last(&run, "tyre.fz"), load, 1e-6);
        close("camber", last(&run, "tyre.camber"), camber, 1e-9);
        close("force across", last(&run, "tyre.fy"), force, 0.05);
    }
    let moments = [
        ([4000.0, 0.0, 0.06, 0.05], 17.337305480255754),
        ([4000.0, 0.0, -0.1, -0.04], -0.5041313647827383),
    ];
    for ([load, slip, angle, camber], moment) in moments {
        let run = Rig::sample(load, slip, angle, camber).run(SAMPLE);
        close("aligning moment", last(&run, "tyre.mz"), moment, 0.01);
    }
}

#[test]
fn forces_along_are_those_of_another_program() {
    // samples/fit/Fx_combined/FZ3000_alpha0.1_gamma0.1.csv: load 3000 N, slip angle 0.1
    let curve = [
        (-0.5, -2605.669369984201),
        (-0.16666666666666663, -2549.8539765217142),
        (-0.045454545454545414, -1241.0950838790932),
        (0.005050505050505083, 138.08822368246047),
        (0.0757575757575758, 1802.6627348491331),
        (0.2777777777777778, 2689.9566604749793),
    ];
    let (load, angle) = (3000.0, 0.1_f64);
    for (slip, force) in curve {
        let rig = Rig::sample(load, slip, angle, 0.0);
        let run = rig.run(SAMPLE);
        close("load", last(&run, "tyre.fz"), load, 1e-6);
        close("slip", last(&run, "tyre.slip"), slip, 1e-6);
        close("slip angle", last(&run, "tyre.slip_angle"), angle, 1e-6);
        close("force along", last(&run, "tyre.fx"), force, 0.05);
        // what the tyre does not carry, the carriage does
        let tow = last(&run, "tow.effort")
            + last(&run, "tyre.fx") * angle.cos()
            + last(&run, "tyre.fy") * angle.sin();
        assert!(tow.abs() < 1e-3, "{tow} N are missing");
    }
}

/// The tyre of the example.
const BESSELINK: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/models/car_205_60r15.tir"));

#[test]
fn stiffnesses_and_relaxation_are_those_of_the_published_tyre() {
    // at nominal load, by hand from the coefficients: stiffness in slip, cornering stiffness, camber stiffness,
    // relaxation lengths
    let along = 21.687 * 4000.0;
    let across = 15.324 * 4000.0 * (2.0005 * (1.0_f64 / 1.715).atan()).sin();
    let lengths = [along / 358066.0, across / 102673.0];
    let deflection = 4000.0 / 209651.0;
    let rolling = 0.3135 - deflection * (0.25826 * 8.386_f64.atan() + 0.07394);
    let base = Rig {
        tyre: "file = \"tyre.tir\"",
        road: "",
        speed: 10.0,
        height: 0.3135 - deflection,
        spin: 10.0 / rolling,
        slip_angle: 0.0,
        camber: 0.0,
        until: 0.6,
    };
    let small = 1e-4;
    let ahead = |by: f64| Rig { spin: base.spin * (1.0 + by), ..base };
    let drifting = |by: f64| Rig { slip_angle: by, ..base };
    let leaning = |by: f64| Rig { camber: by, ..base };
    let run = |rig: &Rig| rig.run(BESSELINK);
    let free = run(&base);
    close("load", last(&free, "tyre.fz"), 4000.0, 1e-6);
    let slope = |[there, back]: [Rig; 2], name: &str| {
        (last(&run(&there), name) - last(&run(&back), name)) / (2.0 * small)
    };
    let [pull, turn, lean] = [
        slope([ahead(small), ahead(-small)], "tyre.fx"),
        slope([drifting(small), drifting(-small)], "tyre.fy"),
        // the cornering stiffness depends on the size of the camber, which falls out between both sides
        slope([leaning(small), leaning(-small)], "tyre.fy"),
    ];
    close("slip stiffness", pull / along, 1.0, 5e-3);
    close("cornering stiffness", turn / -across, 1.0, 5e-3);
    close("camber stiffness", lean / (-0.8987 * 4000.0), 1.0, 5e-3);
    // forces come with the way as 1 − exp(−s/σ)
    let cases = [(ahead(small), "tyre.fx", lengths[0]), (drifting(small), "tyre.fy", lengths[1])];
    for (rig, name, length) in cases {
        let run = run(&rig);
        let (t, force) = (run.column("t"), run.column(name));
        let row = t.iter().position(|t| 10.0 * t >= length).expect("a row past that length");
        let came = |t: f64| 1.0 - (-10.0 * t / length).exp();
        // before it rolls there is no slip, hence the force of the shifts alone
        let (first, end) = (force[0], last(&run, name));
        close(name, (force[row] - first) / (end - first), came(t[row]) / came(0.6), 5e-3);
    }
}

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
