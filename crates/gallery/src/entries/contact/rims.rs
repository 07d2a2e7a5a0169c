//! Round bodies on their edges: cylinder and disc down a slope, a cone about its tip, a disc about its centre at rest.

use super::{March, Run, moreau_jean, nonsmooth};
use crate::entries::doc004::support::short;
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::study::{larger, largest, smallest};

pub(super) const ENTRY: Entry = Entry {
    name: "contact-rims",
    document: "contact",
    title: "Cylinder, cone and Euler's disc on their rims",
    run,
};

const CYLINDER: &str = include_str!("../../../../../gallery/contact-rims/cylinder.toml");
const CONE: &str = include_str!("../../../../../gallery/contact-rims/cone.toml");
const DISC: &str = include_str!("../../../../../gallery/contact-rims/disc.toml");

const G: f64 = 9.81;

const SLOPE: [March; 3] = [
    nonsmooth("steps of 0.01", "step", "1e-2"),
    nonsmooth("tolerance 1e-3", "tolerance", "1e-3"),
    moreau_jean("moreau-jean, steps of 0.01", "1e-2"),
];
/// Steps that halve, with the order that their errors show at least, and what the last may be off by: the disc turns by 0.014 in
/// it, and errors of first order add up over the five turns of a second.
const CURVED: [(&str, f64, f64); 2] = [("nonsmooth", 1.7, 2e-4), ("moreau-jean", 0.8, 0.2)];
const STEPS: [&str; 3] = ["2e-3", "1e-3", "5e-4"];
/// Errors below this are those of reading a peak from rows.
const READ: f64 = 1e-6;

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    slope(findings)?;
    cone(findings)?;
    disc(findings)
}

/// Cylinder and disc roll with two thirds of the acceleration of what slides.
fn slope(findings: &mut Findings) -> Result<(), GalleryError> {
    for (name, length) in [("cylinder", 0.3), ("disc", 0.002)] {
        for march in SLOPE {
            let run = Run::of(CYLINDER, march, &[("parameters.length", length.to_string())])?;
            let what = format!("{name} down a slope, {}", march.name);
            findings.near(what, run.last("cylinder.vx")?, 2.0 / 3.0 * G * 0.5, 1e-9);
        }
    }
    Ok(())
}

/// Where the cone passes the line of fall it turns with θ̇² = 2 k (1 − cos θ₀), about the line on which it lies with θ̇ cot β.
fn cone(findings: &mut Findings) -> Result<(), GalleryError> {
    let (slope, height, half, start) = (0.3f64, 0.2, 0.4f64, 0.5f64);
    let k = 5.0 * G * slope.sin() * half.cos() / (height * (1.0 + 5.0 * half.cos().powi(2)));
    let expected = (2.0 * k * (1.0 - start.cos())).sqrt() / half.tan();
    along(findings, CONE, "cone, rate of turn at the lowest line", |run| {
        let [x, y] = ["cone.wx", "cone.wy"].map(|name| run.column(name));
        let rates = x?.iter().zip(y?).map(|(x, y)| x.hypot(*y));
        Ok((largest(rates) / expected - 1.0).abs())
    })
}

/// The centre stays where it is, and nothing takes energy.
fn disc(findings: &mut Findings) -> Result<(), GalleryError> {
    along(findings, DISC, "Euler's disc, way of the centre over the radius", |run| {
        let [x, y, z] = ["disc.x", "disc.y", "disc.z"].map(|name| run.column(name));
        let (x, y, z) = (x?, y?, z?);
        let way = |i: usize| {
            let [x, y, z] = [x[i] - x[0], y[i] - y[0], z[i] - z[0]];
            x.hypot(y).hypot(z)
        };
        Ok(largest((0..x.len()).map(way)) / 0.1)
    })?;
    along(findings, DISC, "Euler's disc, change of its energy", |run| {
        let energies = run.energies();
        let spread = largest(energies.iter().copied()) - smallest(energies.iter().copied());
        Ok(spread / energies[0])
    })
}

/// An error over steps that halve, and with a tolerance.
fn along(
    findings: &mut Findings,
    text: &str,
    what: &str,
    error: impl Fn(&Run) -> Result<f64, GalleryError>,
) -> Result<(), GalleryError> {
    let mut rows = Vec::new();
    for (formulation, order, bound) in CURVED {
        let mut errors = Vec::new();
        for step in STEPS {
            let march = March { name: "", formulation, steps: ("step", step) };
            errors.push(error(&Run::of(text, march, &[])?)?);
        }
        for (pair, step) in errors.windows(2).zip(STEPS) {
            if pair[0] <= READ {
                continue;
            }
            let what = format!("{what}, {formulation}: order from steps of {step}");
            findings.at_least(what, (pair[0] / larger(pair[1], READ)).log2(), order);
        }
        let last = errors[errors.len() - 1];
        findings.at_most(format!("{what}, {formulation}, steps of 5e-4"), last, bound);
        let mut row = vec![formulation.to_owned()];
        row.extend(errors.iter().map(|&error| short(error)));
        rows.push(row);
    }
    let march = nonsmooth("", "tolerance", "1e-7");
    let last = error(&Run::of(text, march, &[])?)?;
    findings.at_most(format!("{what}, tolerance 1e-7"), last, 2e-4);
    let columns = ["", "steps of 2 ms", "1 ms", "0.5 ms"];
    findings.table(&format!("{what}: errors"), &columns, rows);
    Ok(())
}
