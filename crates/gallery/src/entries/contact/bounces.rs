//! Bounces: energies with restitution 1, and impacts against the tolerance.

use super::{Run, moreau_jean, nonsmooth};
use crate::curves::{Curve, convergence};
use crate::entries::doc004::support::short;
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::study::{largest, smallest};

pub(super) const ENTRY: Entry = Entry {
    name: "contact-bounces",
    document: "contact",
    title: "Bounces: restitution 1 for 300 impacts, impacts against the tolerance",
    run,
};

const BALL: &str = include_str!("../../../../../gallery/contact-bounces/ball.toml");
const ROD: &str = include_str!("../../../../../gallery/contact-bounces/rod.toml");

const TOLERANCES: [&str; 6] = ["1e-3", "1e-4", "1e-5", "1e-6", "1e-7", "1e-8"];

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    energy(findings)?;
    tolerances(findings)
}

/// A ball that falls from 0.1 m flies for 0.2856 s between two bounces.
fn energy(findings: &mut Findings) -> Result<(), GalleryError> {
    let marches = [
        (nonsmooth("tolerance 1e-3", "tolerance", "1e-3"), 86.0, 300.0),
        (nonsmooth("tolerance 1e-8", "tolerance", "1e-8"), 86.0, 300.0),
        (nonsmooth("steps of 0.01", "step", "1e-2"), 86.0, 300.0),
        (nonsmooth("steps of 0.1", "step", "1e-1"), 86.0, 300.0),
        (moreau_jean("moreau-jean, steps of 0.005", "5e-3"), 86.0, 280.0),
    ];
    for (march, until, bounces) in marches {
        let run = Run::of(BALL, march, &[("solve.until", format!("{until}"))])?;
        let energies = run.energies();
        let spread = largest(energies.iter().copied()) - smallest(energies.iter().copied());
        let relative = spread / (9.81 * 0.1);
        findings.at_most(
            format!("restitution 1, {}: change of energy", march.name),
            relative,
            1e-9,
        );
        let count = run.impacts().len() as f64;
        findings.at_least(format!("restitution 1, {}: bounces", march.name), count, bounces);
    }
    Ok(())
}

/// A rod of 1 m falls from the level on a stop below: it meets it with √(3g), and each bounce leaves 0.8 of that.
fn tolerances(findings: &mut Findings) -> Result<(), GalleryError> {
    let (mut rows, mut worst) = (Vec::new(), Vec::new());
    for tolerance in TOLERANCES {
        let march = nonsmooth("", "tolerance", tolerance);
        let run = Run::of(ROD, march, &[])?;
        let rates: Vec<f64> = run.impacts().iter().map(|impact| -impact.before).collect();
        findings.near(format!("rod, tolerance {tolerance}: impacts"), rates.len() as f64, 3.0, 0.0);
        let errors: Vec<f64> = rates
            .iter()
            .enumerate()
            .map(|(k, rate)| (rate / (0.8f64.powi(k as i32) * (3.0f64 * 9.81).sqrt()) - 1.0).abs())
            .collect();
        worst.push(largest(errors.iter().copied()));
        let mut row = vec![tolerance.to_owned()];
        row.extend(errors.iter().map(|&error| short(error)));
        rows.push(row);
    }
    for (k, pair) in worst.windows(2).enumerate() {
        // an error of tol^(2/3) falls by 4.6 for each tenth of the tolerance; half of that at least
        let what = format!("rod: errors at {} over those at {}", TOLERANCES[k], TOLERANCES[k + 1]);
        findings.at_least(what, pair[0] / pair[1], 2.0);
    }
    findings.at_most("rod: error at tolerance 1e-8", worst[worst.len() - 1], 1e-5);
    findings.table(
        "Rod on a stop: relative errors of the rate before each impact",
        &["tolerance", "first", "second", "third"],
        rows,
    );
    let numbers: Vec<f64> =
        TOLERANCES.iter().map(|text| text.parse().unwrap_or(f64::NAN)).collect();
    let axes = ["tolerance", "relative error of the rates before impacts"];
    let curve = Curve::new("nonsmooth", &numbers, &worst);
    findings.figure(convergence("Rod on a stop", axes, "", vec![curve]));
    Ok(())
}
