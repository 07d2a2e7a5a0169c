//! Contacts of machines: stacks at rest, balls in a bearing, a ratchet, a cam, a Geneva drive.

use super::{Run, moreau_jean, nonsmooth};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::study::largest;
use std::fmt::Write;

pub(super) const ENTRY: Entry = Entry {
    name: "contact-machines",
    document: "contact",
    title: "Stacks at rest, a ball bearing, a ratchet, a cam, a Geneva drive",
    run,
};

const BEARING: &str = include_str!("../../../../../examples/models/ball_bearing.toml");
const CAM: &str = include_str!("../../../../../gallery/contact-machines/cam.toml");
const GENEVA: &str = include_str!("../../../../../examples/models/geneva.toml");
const RATCHET: &str = include_str!("../../../../../examples/models/ratchet.toml");

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    stacks(findings)?;
    bearing(findings)?;
    ratchet(findings)?;
    cam(findings)?;
    geneva(findings)
}

/// Boxes of 0.3 m × 0.3 m × 0.2 m, each a little aside of the one below.
fn stack(count: usize) -> String {
    let mut text = "gravity = [0, 0, -9.81]\n".to_owned();
    for i in 0..count {
        let x = if i % 2 == 0 { 0.01 } else { -0.01 };
        let y = if i % 4 < 2 { 0.005 } else { -0.005 };
        let below = match i {
            0 => "between = [\"ground\", \"b0\"]\nfirst = { plane = \"z\" }".to_owned(),
            _ => format!("between = [\"b{}\", \"b{i}\"]", i - 1),
        };
        let height = 0.1 + 0.2 * i as f64;
        let written = write!(
            text,
            "[body.b{i}]\nsolid = {{ box = [0.3, 0.3, 0.2], density = 500 }}\nat = [{x}, {y}, {height}]\n\
             [contact.c{i}]\n{below}\nrestitution = 0\nfriction = 0.5\n"
        );
        debug_assert!(written.is_ok(), "texts take everything");
    }
    text + "[solve]\n"
}

/// Boxes at rest stay where they are, and each contact carries all that is above it.
fn stacks(findings: &mut Findings) -> Result<(), GalleryError> {
    let marches = [
        (10, "2", nonsmooth("steps of 0.005", "step", "5e-3")),
        (10, "2", moreau_jean("moreau-jean, steps of 0.005", "5e-3")),
        (50, "0.02", nonsmooth("steps of 0.005", "step", "5e-3")),
        (50, "0.02", moreau_jean("moreau-jean, steps of 0.005", "5e-3")),
    ];
    for (count, until, march) in marches {
        let run = Run::of(&stack(count), march, &[("solve.until", until.into())])?;
        let what = |key: &str| format!("{count} boxes, {}: {key}", march.name);
        let mut moved = Vec::new();
        for i in 0..count {
            let heights = run.column(&format!("b{i}.z"))?;
            moved.extend(heights.iter().map(|z| (z - (0.1 + 0.2 * i as f64)).abs()));
        }
        findings.at_most(what("way from their places"), largest(moved), 1e-5);
        let forces = &run.trajectory.contacts.summary;
        let carried = forces.row(run.trajectory.len() - 1)[1];
        let all = (count * (count + 1) / 2) as f64 * 500.0 * 0.018 * 9.81;
        findings.close(what("sum of the forces"), carried, all, 1e-6);
    }
    Ok(())
}

/// Balls roll between the rings: they go round with ω r/(2 (r + d/2)) of the inner ring of radius r.
fn bearing(findings: &mut Findings) -> Result<(), GalleryError> {
    for march in [
        nonsmooth("steps of 0.2 ms", "step", "2e-4"),
        moreau_jean("moreau-jean, steps of 0.2 ms", "2e-4"),
    ] {
        let run = Run::of(BEARING, march, &[])?;
        let what = |key: &str| format!("ball bearing, {}: {key}", march.name);
        let [x, y, vx, vy] = ["x", "y", "vx", "vy"].map(|key| {
            // the ball that is pressed most is the lowest
            let columns: Result<Vec<f64>, _> =
                (0..8).map(|i| run.last(&format!("ball[{i}].ball.{key}"))).collect();
            columns
        });
        let (x, y, vx, vy) = (x?, y?, vx?, vy?);
        let lowest = (0..8).min_by(|&a, &b| y[a].total_cmp(&y[b])).unwrap_or(0);
        let (x, y, vx, vy) = (x[lowest], y[lowest], vx[lowest], vy[lowest]);
        let round = (x * vy - y * vx) / (x * x + y * y);
        // the clearance of 20 μm shifts the ring by a thousandth of the radius
        findings.close(what("turn of the balls"), round, 50.0 * 0.015 / 0.04, 5e-3);
    }
    Ok(())
}

/// Each swing of the torque moves the wheel by two teeth of twelve, and the pawl holds it where it held it before.
fn ratchet(findings: &mut Findings) -> Result<(), GalleryError> {
    // tip and flank overlap by the way of one step under moreau-jean: half a millimetre at 5 cm
    for (march, bound) in [
        (nonsmooth("steps of 1 ms", "step", "1e-3"), 1e-6),
        (moreau_jean("moreau-jean, steps of 1 ms", "1e-3"), 1e-2),
    ] {
        let mut angles = Vec::new();
        for until in ["1", "2", "3"] {
            let run = Run::of(RATCHET, march, &[("solve.until", until.into())])?;
            angles.push(run.last("axle.angle")?);
        }
        for pair in angles.windows(2) {
            let turned = pair[1] - pair[0];
            let what = format!("ratchet, {}: turn of a swing", march.name);
            findings.near(what, turned, std::f64::consts::FRAC_PI_3, bound);
        }
    }
    Ok(())
}

/// A roller of radius r on a circle of radius R, whose middle goes round at e: its height is `e sin θ + √((R + r)² − e² cos² θ)`.
fn cam(findings: &mut Findings) -> Result<(), GalleryError> {
    let (e, reach, rate) = (0.01f64, 0.04f64, 6.0f64);
    let height = |angle: f64| e * angle.sin() + (reach * reach - (e * angle.cos()).powi(2)).sqrt();
    // under moreau-jean they overlap by the way of the middle in a step; steps of 1 ms are 6 mrad of a turn
    for (march, place, force) in [
        (nonsmooth("steps of 1 ms", "step", "1e-3"), 1e-9, 1e-3),
        (nonsmooth("tolerance 1e-6", "tolerance", "1e-6"), 1e-7, 1e-2),
        (moreau_jean("moreau-jean, steps of 1 ms", "1e-3"), 6e-5, 1e-2),
    ] {
        let run = Run::of(CAM, march, &[])?;
        let what = |key: &str| format!("roller on an eccentric, {}: {key}", march.name);
        let (mut off, mut misses) = (Vec::new(), Vec::new());
        let rows = run.trajectory.times.iter().zip(run.column("roller.y")?).zip(run.forces());
        for ((t, y), pressed) in rows {
            let angle = rate * t;
            off.push((y - height(angle)).abs());
            // the roller begins at rest and is hit first
            if *t > 0.02 {
                let step = 1e-4;
                let around = height(angle + step) - 2.0 * height(angle) + height(angle - step);
                let lifted = 0.2 * (9.81 + rate * rate * around / (step * step));
                let upright = (height(angle) - e * angle.sin()) / reach;
                misses.push((pressed * upright / lifted - 1.0).abs());
            }
        }
        findings.at_most(what("height"), largest(off), place);
        findings.at_most(what("force"), largest(misses), force);
    }
    Ok(())
}

/// The pin has a play of 0.2 mm in slots that reach to 71 mm.
fn geneva(findings: &mut Findings) -> Result<(), GalleryError> {
    let rigid = GENEVA.replace("stiffness = 1e7\ndissipation = 2", "restitution = 0");
    let (before, _) = rigid.split_once("[solve]").unwrap_or((&rigid, ""));
    let text = format!("{before}[solve]\n");
    for march in [
        nonsmooth("steps of 1 ms", "step", "1e-3"),
        nonsmooth("tolerance 1e-5", "tolerance", "1e-5"),
        moreau_jean("moreau-jean, steps of 1 ms", "1e-3"),
    ] {
        for turns in [1.0, 2.0] {
            let run = Run::of(&text, march, &[("solve.until", turns.to_string())])?;
            let turned = run.last("bearing.angle")?;
            let what = format!("Geneva drive, {}: turn of the wheel", march.name);
            findings.near(what, turned, -turns * std::f64::consts::FRAC_PI_2, 0.02);
        }
    }
    Ok(())
}
