//! A helicopter rotor of four hinged elastic blades with pitch links and swash plate, in hover and in forward flight.
//!
//! Thrust and coning are compared with blade element theory for rigid blades in a uniform flow [Johnson 1980, sections 2-5 and 5-5]: with
//! the pitch θ, the flow v through the disc, the flight at V and per blade k = ½ρ 2π c Ω²,
//!
//! ```text
//! T = N k (θ (R³ − e³)/3 + θ (R − e) V²/(2Ω²) − v (R² − e²)/(2Ω))
//! β ∫ m Ω² r (r − e) dr = k ∫ (r − e)(θ r² − v r/Ω) dr − g ∫ m (r − e) dr      in hover.
//! ```

use crate::entries::doc003::industrial::{Finished, WORK, mechanism};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::study::{largest, smallest};
use rotula_model::Mechanism;
use std::f64::consts::TAU;

pub(super) const ENTRY: Entry = Entry {
    name: "rotor",
    document: "mechanisms",
    title: "A helicopter rotor in hover and in forward flight",
    run,
};

const MODEL: &str = include_str!("../../../../../examples/models/helicopter_rotor.toml");
const FILE: &str = "helicopter_rotor.toml";
/// Elastic blades bend and twist, and their loads are evaluated at nodes.
const SHARE: f64 = 0.06;

/// What theory needs to know of the rotor.
struct Rotor {
    speed: f64,
    radius: f64,
    hinge: f64,
    /// ½ρ 2π c Ω².
    strength: f64,
    /// Of a blade per length.
    mass: f64,
    rho: f64,
}

impl Rotor {
    fn of(rotor: &Mechanism) -> Self {
        let parameter = |name: &str| {
            let found = rotor.parameters.iter().find(|(own, _)| own == name);
            found.map_or(f64::NAN, |(_, value)| *value)
        };
        let (speed, rho) = (parameter("speed"), parameter("rho"));
        Rotor {
            speed,
            rho,
            radius: parameter("radius"),
            hinge: parameter("hinge"),
            mass: parameter("spar"),
            strength: 0.5 * rho * TAU * parameter("chord") * speed * speed,
        }
    }

    /// `(Rⁿ − eⁿ)/n`.
    fn power(&self, n: i32) -> f64 {
        (self.radius.powi(n) - self.hinge.powi(n)) / f64::from(n)
    }

    fn thrust(&self, pitch: f64, inflow: f64, flight: f64) -> f64 {
        let ahead = self.power(1) * (flight / self.speed).powi(2) / 2.0;
        4.0 * self.strength
            * (pitch * (self.power(3) + ahead) - inflow / self.speed * self.power(2))
    }

    /// How high the tip of a rigid blade rises in hover.
    fn rise(&self, pitch: f64, inflow: f64) -> f64 {
        let (e, flow) = (self.hinge, inflow / self.speed);
        let lifted = pitch * (self.power(4) - e * self.power(3))
            - flow * (self.power(3) - e * self.power(2));
        let span = self.radius - e;
        let weighed = 9.81 * self.mass * span * span / 2.0;
        let held = self.mass * self.speed.powi(2) * (self.power(3) - e * self.power(2));
        span * (self.strength * lifted - weighed) / held
    }
}

/// The mean over the last third, in which the start has died away.
fn settled(values: &[f64]) -> f64 {
    let last = &values[2 * values.len() / 3..];
    last.iter().sum::<f64>() / last.len() as f64
}

/// Half of the range over the last third.
fn amplitude(values: &[f64]) -> f64 {
    let last = &values[2 * values.len() / 3..];
    0.5 * (largest(last.iter().copied()) - smallest(last.iter().copied()))
}

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let cases = [
        ("hover", "0", "0", 0.0),
        ("flight", "30", "0", 30.0),
        ("trimmed flight", "30", "2*deg", 30.0),
    ];
    let (mut rows, mut flapping) = (Vec::new(), Vec::new());
    for (name, flight, cyclic, speed) in cases {
        let cyclic = format!("\"{cyclic}\"");
        let overrides = [("parameters.flight", flight), ("parameters.cyclic", cyclic.as_str())];
        let model = mechanism(MODEL, FILE, &overrides)?;
        let rotor = Rotor::of(&model);
        let finished = Finished::run(&model)?;
        let mean = |curve: &str| settled(&finished.curve(curve));
        let (thrust, inflow) = (mean("lifted"), mean("inflow"));
        let pitch = mean("blade[0].pitching.angle");
        if cyclic == "\"0\"" {
            let theory = rotor.thrust(pitch, inflow, speed);
            findings.close(format!("{name}: thrust, N"), thrust, theory, SHARE);
        }
        let disc = TAU / 2.0 * rotor.radius.powi(2);
        let momentum = 2.0 * rotor.rho * disc * speed.hypot(inflow) * inflow;
        findings.close(format!("{name}: thrust by its momentum, N"), thrust, momentum, 2e-3);
        if speed == 0.0 {
            let theory = rotor.rise(pitch, inflow);
            findings.close(format!("{name}: rise of the tips, m"), mean("tip.z"), theory, SHARE);
        }
        flapping.push(amplitude(&finished.curve("blade[0].flapping.angle")));
        let times = finished.times();
        let mut row = finished.work(name);
        row.push(format!("{:.2}", finished.seconds() / times[times.len() - 1]));
        rows.push(row);
    }
    findings.at_most("flapping in hover, rad", flapping[0], 1e-3);
    // less pitch for the blade that comes takes most of the flapping away
    findings.at_most(
        "flapping with cyclic pitch over that without",
        flapping[2] / flapping[1],
        0.5,
    );
    let mut columns = WORK.to_vec();
    columns.push("time over that of the rotor");
    findings.table("1.5 s, ten turns", &columns, rows);
    Ok(())
}
