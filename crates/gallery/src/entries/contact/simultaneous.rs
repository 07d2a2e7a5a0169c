//! Several contacts at once: a cradle under each law, breaks of billiard, a block from corner to corner.

use super::{March, Run, moreau_jean, nonsmooth};
use crate::entries::doc004::support::short;
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::study::largest;

pub(super) const ENTRY: Entry = Entry {
    name: "contact-simultaneous",
    document: "contact",
    title: "Newton's cradle under each law of impact, breaks of billiard, a rocking block",
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
    pair(findings)?;
    rack(findings)?;
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

/// Balls of 6 cm on a plane that does not rub: one comes along x, the others touch each other in rows behind its way.
fn balls_in_rows(rows: std::ops::Range<usize>) -> String {
    let ball = |name: &str, x: f64, y: f64, speed: f64| {
        format!(
            "[body.{name}]\nkind = \"point\"\nmass = 1\nat = [{x}, {y}, 0]\nvelocity = [{speed}, 0, 0]\nshape = {{ sphere = 0.03 }}\n"
        )
    };
    let mut places = Vec::new();
    for row in rows {
        for k in 0..=row {
            let across = 0.06 * (k as f64 - 0.5 * row as f64);
            places.push([0.06 * 0.75f64.sqrt() * row as f64, across]);
        }
    }
    let mut text = ball("cue", -0.3, 0.0, 1.0);
    for (k, [x, y]) in places.iter().enumerate() {
        text += &ball(&format!("b{k}"), *x, *y, 0.0);
    }
    let names: Vec<String> = (0..places.len()).map(|k| format!("b{k}")).collect();
    let mut touch = |a: &str, b: &str| {
        text += &format!("[contact.{a}_{b}]\nbetween = [\"{a}\", \"{b}\"]\nrestitution = 1\n");
    };
    for (j, second) in names.iter().enumerate() {
        touch("cue", second);
        for (i, first) in names[..j].iter().enumerate() {
            let [x, y] = [0, 1].map(|k| places[i][k] - places[j][k]);
            if x.hypot(y) < 0.07 {
                touch(first, second);
            }
        }
    }
    text + "[solve]\n"
}

/// A ball that hits two that touch, both at once: it comes back with a fifth of its speed, and these leave at 30° to its way.
fn pair(findings: &mut Findings) -> Result<(), GalleryError> {
    let text = balls_in_rows(1..2);
    let marches = [
        ("moreau", nonsmooth("steps of 0.01", "step", "1e-2")),
        ("poisson", nonsmooth("tolerance 1e-6", "tolerance", "1e-6")),
        ("reflections", nonsmooth("tolerance 1e-6", "tolerance", "1e-6")),
        ("", moreau_jean("moreau-jean, steps of 0.1 ms", "1e-4")),
    ];
    for (law, march) in marches {
        let text = match law {
            "" => text.clone(),
            _ => text.replace("[solve]", &format!("[solve]\nimpact_law = \"{law}\"")),
        };
        let run = Run::of(&text, march, &[("solve.until", "0.6".into())])?;
        // the normals are those of balls that overlap by a step of 0.1 ms at most under moreau-jean
        let bound = if law.is_empty() { 5e-3 } else { 1e-6 };
        let what = |key: &str| format!("a ball on two, {law} {}: {key}", march.name);
        findings.near(what("speed of the first"), run.last("cue.vx")?, -0.2, bound);
        for (ball, side) in [("b0", -1.0), ("b1", 1.0)] {
            findings.near(what("along"), run.last(&format!("{ball}.vx"))?, 0.6, bound);
            let across = side * 0.6 / 3f64.sqrt();
            findings.near(what("across"), run.last(&format!("{ball}.vy"))?, across, bound);
        }
    }
    Ok(())
}

/// A break of fifteen balls: momentum and energy stay, and what was symmetric remains so.
fn rack(findings: &mut Findings) -> Result<(), GalleryError> {
    let text = balls_in_rows(0..5);
    for march in [
        nonsmooth("tolerance 1e-6", "tolerance", "1e-6"),
        nonsmooth("steps of 1 ms", "step", "1e-3"),
        moreau_jean("moreau-jean, steps of 1 ms", "1e-3"),
    ] {
        let run = Run::of(&text, march, &[("solve.until", "0.3".into())])?;
        let what = |key: &str| format!("break of fifteen, {}: {key}", march.name);
        let names = (0..15).map(|k| format!("b{k}")).chain(["cue".to_owned()]);
        let (mut momentum, mut across, mut energy) = (0.0, 0.0, 0.0);
        for name in names {
            let [vx, vy] = [run.last(&format!("{name}.vx"))?, run.last(&format!("{name}.vy"))?];
            momentum += vx;
            across += vy;
            energy += vx * vx + vy * vy;
        }
        findings.near(what("momentum"), momentum, 1.0, 1e-9);
        findings.near(what("momentum across"), across, 0.0, 1e-9);
        findings.near(what("energy"), energy, 1.0, 1e-6);
        let mut uneven = Vec::new();
        for (left, right) in [(1, 2), (3, 5), (6, 9), (7, 8), (10, 14), (11, 13)] {
            let speed = |ball: i32, key: &str| run.last(&format!("b{ball}.{key}"));
            uneven.push((speed(left, "vx")? - speed(right, "vx")?).abs());
            uneven.push((speed(left, "vy")? + speed(right, "vy")?).abs());
        }
        findings.at_most(what("what is uneven"), largest(uneven), 1e-6);
    }
    Ok(())
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
