//! Rolling, slipping and leaving, against closed forms.

use super::{March, Run, moreau_jean, nonsmooth};
use crate::entries::doc004::support::short;
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;

pub(super) const ENTRY: Entry = Entry {
    name: "contact-rolling",
    document: "contact",
    title: "Rolling on planes and inclines, in a bowl and off a ball",
    run,
};

const INCLINE: &str = include_str!("../../../../../gallery/contact-rolling/incline.toml");
const THROW: &str = include_str!("../../../../../gallery/contact-rolling/throw.toml");
const BOWL: &str = include_str!("../../../../../gallery/contact-rolling/bowl.toml");
const DOME: &str = include_str!("../../../../../gallery/contact-rolling/dome.toml");

const G: f64 = 9.81;

/// Long steps, steps by tolerance, and Moreau and Jean's method.
const PLANE: [March; 4] = [
    nonsmooth("steps of 0.01", "step", "1e-2"),
    nonsmooth("tolerance 1e-3", "tolerance", "1e-3"),
    moreau_jean("moreau-jean, steps of 0.01", "1e-2"),
    moreau_jean("moreau-jean, steps of 0.05", "5e-2"),
];
/// Errors of the steps remain: the way of marching, and what it may be off by. Steps of 1 ms are 1/400 of the way down.
const CURVED: [(March, f64); 3] = [
    (nonsmooth("steps of 0.001", "step", "1e-3"), 1e-4),
    (nonsmooth("tolerance 1e-7", "tolerance", "1e-7"), 1e-4),
    (moreau_jean("moreau-jean, steps of 0.001", "1e-3"), 5e-3),
];
/// On planes nothing but rounding may be lost.
const EXACT: f64 = 1e-9;

/// A body on a plane: inertia, friction, tangent of the slope as an angle, speed, spin at the surface.
struct Start {
    name: &'static str,
    ratio: f64,
    friction: f64,
    slope: f64,
    speed: f64,
    spin: f64,
    until: f64,
}

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    planes(findings)?;
    throw(findings)?;
    bowl(findings)?;
    dome(findings)
}

fn planes(findings: &mut Findings) -> Result<(), GalleryError> {
    let slope = std::f64::consts::FRAC_PI_6;
    let down = |name, ratio, friction| Start {
        name,
        ratio,
        friction,
        slope,
        speed: 0.0,
        spin: 0.0,
        until: 1.0,
    };
    let level = |name, speed, spin, until| Start {
        name,
        ratio: 0.4,
        friction: 0.2,
        slope: 0.0,
        speed,
        spin,
        until,
    };
    let starts = [
        down("sphere rolls", 0.4, 0.6),
        down("cylinder rolls", 0.5, 0.6),
        down("hoop rolls", 1.0, 0.6),
        down("sphere slips", 0.4, 0.1),
        level("pure rolling, 10 s", 1.0, 1.0, 10.0),
        level("billiard, no spin", 1.0, 0.0, 3.0),
        level("billiard, top spin", 1.0, 2.0, 3.0),
        level("billiard, drawn back", 1.0, -4.0, 3.0),
    ];
    let mut rows = Vec::new();
    for start in &starts {
        let expected = start.end_speed();
        let mut row = vec![start.name.to_owned(), format!("{expected:.9}")];
        for march in PLANE {
            let run = Run::of(INCLINE, march, &start.overrides())?;
            let speed = run.last("wheel.vx")?;
            findings.near(format!("{}, {}", start.name, march.name), speed, expected, EXACT);
            row.push(short((speed - expected).abs()));
        }
        rows.push(row);
    }
    let mut columns = vec!["", "speed at the end (m/s)"];
    columns.extend(PLANE.map(|march| march.name));
    findings.table("Round bodies on planes: errors of the speed", &columns, rows);
    Ok(())
}

impl Start {
    fn overrides(&self) -> Vec<(&'static str, String)> {
        vec![
            ("parameters.ratio", self.ratio.to_string()),
            ("parameters.friction", self.friction.to_string()),
            ("parameters.slope", self.slope.to_string()),
            ("parameters.speed", self.speed.to_string()),
            ("parameters.spin", self.spin.to_string()),
            ("solve.until", self.until.to_string()),
        ]
    }

    fn end_speed(&self) -> f64 {
        let Start { ratio, friction, slope, speed, spin, until, .. } = *self;
        if slope == 0.0 {
            // by then it rolls: slip ends after 2 |v − rω|/(7 μ g)
            return (speed + ratio * spin) / (1.0 + ratio);
        }
        let rolls = friction >= ratio / (1.0 + ratio) * slope.tan();
        until
            * match rolls {
                true => G * slope.sin() / (1.0 + ratio),
                false => G * (slope.sin() - friction * slope.cos()),
            }
    }
}

fn throw(findings: &mut Findings) -> Result<(), GalleryError> {
    for march in PLANE {
        let run = Run::of(THROW, march, &[])?;
        let speed = run.last("ball.vx")?;
        findings.near(format!("landing without spin, {}", march.name), speed, 5.0 / 7.0, EXACT);
        findings.at_least(
            format!("landing without spin, {}: bounces", march.name),
            run.impacts().len() as f64,
            1.0,
        );
    }
    Ok(())
}

fn bowl(findings: &mut Findings) -> Result<(), GalleryError> {
    let (angle, distance) = (0.6f64, 0.45);
    let force = (17.0 - 10.0 * angle.cos()) / 7.0 * G;
    let speed = (10.0 / 7.0 * G * distance * (1.0 - angle.cos())).sqrt();
    let mut rows = Vec::new();
    for (march, bound) in CURVED {
        let run = Run::of(BOWL, march, &[])?;
        // the lowest point is where the ball is fastest and pushes most: rows lie 1 ms apart, 0.5 mm from it at most
        let speeds = run.column("ball.vx")?.iter().map(|v| v.abs());
        let found = [crate::study::largest(speeds), crate::study::largest(run.forces())];
        findings.close(format!("bowl, {}: speed", march.name), found[0], speed, bound);
        findings.close(format!("bowl, {}: force", march.name), found[1], force, bound);
        rows.push(vec![
            march.name.to_owned(),
            short((found[0] / speed - 1.0).abs()),
            short((found[1] / force - 1.0).abs()),
        ]);
    }
    findings.table(
        "Ball through the lowest point of a bowl: relative errors",
        &["", "speed", "force"],
        rows,
    );
    Ok(())
}

fn dome(findings: &mut Findings) -> Result<(), GalleryError> {
    let leaves = 10.0 / 17.0 * 0.1f64.cos();
    for (march, _) in CURVED {
        let run = Run::of(DOME, march, &[])?;
        let forces = run.forces();
        let missing = || GalleryError::Incomplete("the ball does not leave".into());
        let off = (1..forces.len()).find(|&k| forces[k] == 0.0).ok_or_else(missing)?;
        let height = run.column("ball.z")?;
        // between two rows of 1 ms: 1.9 m/s at 0.81 of the height's slope over 0.55 m
        let found = 0.5 * (height[off - 1] + height[off]) / 0.55;
        findings.near(format!("ball off a ball, {}: cos θ", march.name), found, leaves, 3e-3);
    }
    Ok(())
}
