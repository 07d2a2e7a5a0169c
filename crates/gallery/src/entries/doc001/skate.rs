//! A skate on an inclined plane: nonholonomic constraint, closed solution. [Jay & Negrut 2009, eq. 10]

use crate::entries::doc000::errors::{Solution, reproduce_model};
use crate::entries::doc000::sheet::Sheet;
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;

const MODEL: &str = include_str!("../../../../../gallery/skate/model.toml");
const REFERENCE: &str = include_str!("../../../../../gallery/skate/reference.json");
const MASS: f64 = 2.0;
const SLOPE: f64 = 4.905;
const RATE: f64 = 2.0;
const SPEED: f64 = 1.0;

pub(crate) const ENTRY: Entry = Entry {
    name: "skate",
    document: "own",
    title: "Skate on an inclined plane: a nonholonomic constraint",
    run,
};

fn exact(t: f64) -> Solution {
    let (m, g, w, u0) = (MASS, SLOPE, RATE, SPEED);
    let phi = w * t;
    let (sin, cos) = phi.sin_cos();
    let (u, udot) = (u0 + g / w * sin, g * cos);
    let x = u0 / w * sin + g * sin * sin / (2.0 * w * w);
    let y = u0 / w * (1.0 - cos) + g / w * (t / 2.0 - (2.0 * phi).sin() / (4.0 * w));
    let ay = udot * sin + u * w * cos;
    Solution {
        q: vec![x, y, phi],
        v: vec![u * cos, u * sin, w],
        vdot: vec![udot * cos - u * w * sin, ay, 0.0],
        multipliers: vec![-m * ay / cos],
    }
}

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let sheet = Sheet::parse(REFERENCE)?;
    findings.note(&sheet.source);
    for table in sheet.tables("")? {
        reproduce_model(findings, table, MODEL, &exact)?;
    }
    findings.note("Without (14), positions and velocities are of first order (1.2 and 1.1 here).");
    Ok(())
}
