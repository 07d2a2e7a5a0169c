//! What is fast beside the steps, and what is short: spheres and a bullet that meet, pulses of a force.

use super::{March, Run, moreau_jean, nonsmooth};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;

pub(super) const ENTRY: Entry = Entry {
    name: "contact-passing",
    document: "contact",
    title: "Small spheres, a bullet, short pulses: nothing is stepped over",
    run,
};

const SPHERES: &str = include_str!("../../../../../gallery/contact-passing/spheres.toml");
const BULLET: &str = include_str!("../../../../../gallery/contact-passing/bullet.toml");
const PULSE: &str = include_str!("../../../../../gallery/contact-passing/pulse.toml");

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    spheres(findings)?;
    bullet(findings)?;
    pulses(findings)
}

/// With n the direction of the centres at the impact, the second sphere takes over n·v.
fn spheres(findings: &mut Findings) -> Result<(), GalleryError> {
    let (across, reach) = (0.005f64, 0.02f64);
    let along = (reach * reach - across * across).sqrt();
    let [expected_x, expected_y] =
        [along, -across].map(|part| 10.0 * along * part / (reach * reach));
    let marches = [
        nonsmooth("tolerance 1e-2", "tolerance", "1e-2"),
        nonsmooth("tolerance 1e-6", "tolerance", "1e-6"),
        nonsmooth("steps of 0.1", "step", "1e-1"),
    ];
    for march in marches {
        let run = Run::of(SPHERES, march, &[])?;
        let what = |key: &str| format!("spheres, {}: {key}", march.name);
        findings.near(what("impacts"), run.impacts().len() as f64, 1.0, 0.0);
        let at = run.impacts().first().map_or(f64::NAN, |impact| impact.t);
        // a tenth of the tolerance in the gap, at 10 m/s
        let resolved = match march.steps {
            ("tolerance", value) => 0.1 * value.parse::<f64>().unwrap_or(f64::NAN) * 5.0 / 10.0,
            _ => 1e-9,
        };
        findings.near(what("instant"), at, (5.0 - along) / 10.0, resolved);
        // the direction of the centres turns with the place
        let turned = 20.0 * resolved * 10.0 / reach + 1e-9;
        findings.near(what("vx"), run.last("c.vx")?, expected_x, turned);
        findings.near(what("vy"), run.last("c.vy")?, expected_y, turned);
        findings.near(what("momentum"), run.last("b.vx")? + run.last("c.vx")?, 10.0, 1e-9);
    }
    Ok(())
}

/// Both go on with the velocity of their centre of mass.
fn bullet(findings: &mut Findings) -> Result<(), GalleryError> {
    let marches = [
        nonsmooth("tolerance 1e-3", "tolerance", "1e-3"),
        nonsmooth("steps of 0.2 ms", "step", "2e-4"),
        moreau_jean("moreau-jean, steps of 0.2 ms", "2e-4"),
    ];
    for march in marches {
        let run = Run::of(BULLET, march, &[])?;
        for body in ["bullet", "plate"] {
            let speed = run.last(&format!("{body}.vz"))?;
            let what = format!("bullet, {}: speed of the {body}", march.name);
            findings.near(what, speed, -9.0 / 1.01, 1e-9);
        }
    }
    Ok(())
}

fn pulses(findings: &mut Findings) -> Result<(), GalleryError> {
    let marches: [March; 3] = [
        nonsmooth("tolerance 1e-3", "tolerance", "1e-3"),
        nonsmooth("tolerance 1e-4", "tolerance", "1e-4"),
        moreau_jean("moreau-jean, steps of 0.25", "0.25"),
    ];
    for march in marches {
        let run = Run::of(PULSE, march, &[])?;
        findings.near(format!("pulses, {}: speed", march.name), run.last("b.vx")?, 100.0, 1e-6);
    }
    Ok(())
}
