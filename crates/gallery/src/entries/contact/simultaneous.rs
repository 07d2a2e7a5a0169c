//! Several contacts at once: a cradle under each law, a block from corner to corner.

use super::{March, Run, moreau_jean, nonsmooth};
use crate::entries::doc004::support::short;
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::study::largest;

pub(super) const ENTRY: Entry = Entry {
    name: "contact-simultaneous",
    document: "contact",
    title: "Newton's cradle under each law of impact, a rocking block",
    run,
};

const CRADLE: &str = include_str!("../../../../../gallery/contact-simultaneous/cradle.toml");
const BLOCK: &str = include_str!("../../../../../gallery/contact-simultaneous/block.toml");

const TOGETHER: [f64; 5] = [-0.6, 0.4, 0.4, 0.4, 0.4];
const ONE_BY_ONE: [f64; 5] = [0.0, 0.0, 0.0, 0.0, 1.0];

/// Instants of the impacts of a block of 0.4 m × 1.2 m let go at 0.15 rad, from an independent computation that locates them to
/// 1e-9 s.
const IMPACTS: [f64; 5] = [0.364924573, 0.898982817, 1.318895390, 1.659369101, 1.940053790];

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    cradle(findings)?;
    block(findings)
}

fn cradle(findings: &mut Findings) -> Result<(), GalleryError> {
    let laws = [
        ("moreau", TOGETHER),
        ("poisson", TOGETHER),
        ("reflections", ONE_BY_ONE),
        ("sequential", ONE_BY_ONE),
    ];
    let steps = nonsmooth("steps of 0.01", "step", "1e-2");
    let tolerance = nonsmooth("tolerance 1e-4", "tolerance", "1e-4");
    let mut rows = Vec::new();
    for (law, expected) in laws {
        for march in [steps, tolerance] {
            let text = CRADLE.replace("[solve]", &format!("[solve]\nimpact_law = \"{law}\""));
            rows.push(balls(findings, &text, march, law, expected)?);
        }
    }
    // its law is Moreau's
    let march = moreau_jean("moreau-jean, steps of 0.01", "1e-2");
    rows.push(balls(findings, CRADLE, march, "", TOGETHER)?);
    findings.table(
        "Speeds after a ball of 1 m/s has hit four that touch",
        &["law", "march", "1", "2", "3", "4", "5"],
        rows,
    );
    Ok(())
}

fn balls(
    findings: &mut Findings,
    text: &str,
    march: March,
    law: &str,
    expected: [f64; 5],
) -> Result<Vec<String>, GalleryError> {
    let run = Run::of(text, march, &[])?;
    let mut row = vec![law.to_owned(), march.name.to_owned()];
    let (mut momentum, mut energy) = (0.0, 0.0);
    for (k, expected) in expected.into_iter().enumerate() {
        let speed = run.last(&format!("b{k}.vx"))?;
        let what = format!("cradle, {law} {}: ball {}", march.name, k + 1);
        findings.near(what, speed, expected, 1e-9);
        momentum += speed;
        energy += speed * speed;
        row.push(format!("{speed:.6}"));
    }
    findings.near(format!("cradle, {law} {}: momentum", march.name), momentum, 1.0, 1e-12);
    findings.near(format!("cradle, {law} {}: energy", march.name), energy, 1.0, 1e-12);
    Ok(row)
}

/// Each impact keeps `1 − 3/2 sin²α` of the rate of turn, with α the angle of the diagonal. [Housner 1963]
fn block(findings: &mut Findings) -> Result<(), GalleryError> {
    let tilt = 0.2f64.atan2(0.6).sin().powi(2);
    let kept = 1.0 - 1.5 * tilt;
    let (mut rows, mut errors) = (Vec::new(), Vec::new());
    for tolerance in ["1e-4", "1e-5", "1e-6", "1e-7"] {
        let march = nonsmooth("", "tolerance", tolerance);
        let run = Run::of(BLOCK, march, &[])?;
        let impacts = run.impacts();
        let count = impacts.len() as f64;
        findings.near(format!("block, tolerance {tolerance}: impacts"), count, 5.0, 0.0);
        let late: Vec<f64> =
            impacts.iter().zip(IMPACTS).map(|(impact, exact)| (impact.t - exact).abs()).collect();
        let worst = largest(late.iter().copied());
        // the energy of turning about a corner goes with the square of the rate
        for (k, pair) in impacts.windows(2).enumerate() {
            let ratio = pair[1].before / pair[0].before;
            let what = format!("block, tolerance {tolerance}: rate kept by impact {}", k + 1);
            findings.near(what, ratio, kept, 1e-3);
        }
        rows.push(vec![tolerance.to_owned(), short(worst)]);
        errors.push(worst);
    }
    for pair in errors.windows(2) {
        let what = "block: errors of instants over those with a tenth of the tolerance";
        findings.at_least(what, pair[0] / pair[1], 1.0);
    }
    // errors of tol^(2/3) fall by 100 from 1e-4 to 1e-7
    let (first, last) = (errors[0], errors[errors.len() - 1]);
    findings.at_least("block: errors of instants at 1e-4 over those at 1e-7", first / last, 20.0);
    findings.at_most("block: error of the instants at 1e-7", errors[errors.len() - 1], 2e-4);
    findings.table(
        "Rocking block: error of the instants of impacts (s)",
        &["tolerance", "largest"],
        rows,
    );
    Ok(())
}
