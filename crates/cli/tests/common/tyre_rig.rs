//! Tyres on a rig: a carriage leads a wheel over the road at a fixed height, heading, inclination and rate of rotation, so that
//! load and slips are known and forces can be compared with curves of others and with closed forms.

use super::Place;
use super::columns::Columns;

/// The tyre of the project MFPy (jmcavalcante/MFPy, `examples/samples/sample.tir`), whose sample curves
/// (`samples/fit/Fx_combined`) its own equations made, after the second edition of Pacejka's book. `PHY3`, `QBZ9` and `QBZ10`
/// are zero there.
pub const SAMPLE: &str = "
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
pub struct Rig<'a> {
    pub tyre: &'a str,
    pub road: &'a str,
    pub speed: f64,
    /// Distance of the centre from the plane.
    pub height: f64,
    pub spin: f64,
    pub slip_angle: f64,
    pub camber: f64,
    pub until: f64,
}

impl Rig<'_> {
    pub fn model(&self) -> String {
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

    pub fn run(&self, file: &str) -> Columns {
        let place = Place::new();
        place.write("tyre.tir", file);
        place.run(&self.model(), &[], "out");
        Columns::read(&place, "out", self.until)
    }
}

pub fn last(run: &Columns, name: &str) -> f64 {
    run.at(name, run.rows() - 1)
}

pub fn close(what: &str, value: f64, reference: f64, tolerance: f64) {
    let error = (value - reference).abs();
    assert!(error < tolerance, "{what} is {value}, not {reference}: off by {error:.2e}");
}

impl<'a> Rig<'a> {
    /// A wheel of a radius and a vertical stiffness under a load, with slip, slip angle and camber; it rolls on `rolling`.
    pub fn loaded(
        (radius, stiffness, rolling): (f64, f64, f64),
        [load, slip, slip_angle, camber]: [f64; 4],
    ) -> Rig<'a> {
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

    /// The same with the tyre of the sample.
    pub fn sample(given: [f64; 4]) -> Rig<'a> {
        let (radius, stiffness, pressed) = (0.3135, 200000.0, given[0] / 5000.0);
        let rolling = radius - 5000.0 / stiffness * (0.3 * (8.0 * pressed).atan() + 0.08 * pressed);
        Rig::loaded((radius, stiffness, rolling), given)
    }
}
