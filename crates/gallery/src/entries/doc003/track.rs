//! The excavator track: 61 parts, 46 of them shoes of a track that drives over a bump on nine wheels, with 690 contacts.
//!
//! All published counts are met. The data are those of our sheet, since the paper gives none; so are the figures to compare
//! with, which a planar prototype of its own found.

use super::industrial::{Finished, WORK, mechanism, value_of};
use super::support::{number, numbers, reference};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::study::{largest, smallest};
use rotula_dae::System;
use rotula_mechanics::force::Contact;
use rotula_model::Mechanism;

pub(super) const ENTRY: Entry = Entry {
    name: "track",
    document: "003",
    title: "The excavator track: 61 parts, 690 contacts, 4675 equations by the count of the paper",
    run,
};

const MODEL: &str = include_str!("../../../../../examples/models/excavator_track.toml");
const FILE: &str = "excavator_track.toml";
const REFERENCE: &str = include_str!("../../../../../gallery/track/reference.json");

/// What is measured besides contacts and hinges.
const MEASURED: [&str; 14] = [
    "drive.effort",
    "tensioner.displacement",
    "frame_at.x",
    "frame_at.z",
    "frame_turned.y",
    "frame_acceleration.x",
    "frame_acceleration.y",
    "frame_acceleration.z",
    "pin_load",
    "tightest",
    "slackest",
    "energy",
    "pressure",
    "traction",
];

fn count(findings: &mut Findings, track: &Mechanism) {
    let mut exactly = |what: &str, value: usize, published: usize| {
        findings.near(what, value as f64, published as f64, 0.0);
    };
    let model = &track.model;
    // the ground does not move
    exactly("moving parts", model.bodies().len() - 1, 61);
    let joints = |word: &str| model.joints().iter().filter(|joint| joint.word == word).count();
    for (word, published) in
        [("planar", 1), ("revolute", 54), ("prismatic", 1), ("fixed", 4), ("point-on-line", 1)]
    {
        exactly(&format!("{word} joints"), joints(word), published);
    }
    let contacts = model.forces().iter();
    let contacts =
        contacts.filter(|(_, force)| force.quantities() == Contact::all_quantities()).count();
    exactly("contacts", contacts, 690);
    let sizes = track.system().sizes();
    exactly("degrees of freedom", sizes.motion - sizes.multipliers(), 61);
    let probe = track.probe();
    let measured = MEASURED.iter().filter(|name| probe.names().any(|own| own == **name)).count();
    // Of a contact three components, depth and slip; of a hinge six components, friction, angle, rate and power.
    let equations =
        sizes.motion + sizes.multipliers() + 5 * contacts + 10 * joints("revolute") + measured;
    exactly("equations", equations, 4675);
}

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let data = reference(REFERENCE)?;
    let track = mechanism(MODEL, FILE, &[])?;
    count(findings, &track);
    for name in ["track.pitch", "r_sprocket"] {
        let expected = numbers(&data, &format!("/path/{name}"))?;
        let value = value_of(&track, name);
        findings.near(format!("{name} of the path"), value, expected[0], expected[1]);
    }

    let mut rows = Vec::new();
    for formulation in ["hht-i3", "index3"] {
        let track =
            mechanism(MODEL, FILE, &[("solve.formulation", formulation), ("solve.until", "3")])?;
        let finished = Finished::run(&track)?;
        for curve in ["frame_at.x", "frame_at.z", "frame_turned.y"] {
            let expected = numbers(&data, &format!("/end/{curve}"))?;
            let what = format!("{formulation}: {curve} at 3 s");
            findings.near(what, finished.last(curve), expected[0], expected[1]);
        }
        let times = finished.times();
        // once the machine has come down and the track drives
        let driving = times.partition_point(|t| *t < 1.5);
        let x = finished.curve("frame_at.x");
        let speed = (x[x.len() - 1] - x[driving]) / (times[times.len() - 1] - times[driving]);
        let (expected, share) = (number(&data, "/speed")?, number(&data, "/speed_share")?);
        findings.close(format!("{formulation}: mean speed"), speed, expected, share);
        let load = finished.curve("pin_load");
        let (low, high) = (number(&data, "/pin_load/0")?, number(&data, "/pin_load/1")?);
        let what =
            |which: &str| format!("{formulation}: {which} of the largest pin load from 1.5 s on");
        findings.at_least(what("least"), smallest(load[driving..].iter().copied()), low);
        findings.at_most(what("greatest"), largest(load[driving..].iter().copied()), high);
        rows.push(finished.work(formulation));
    }
    findings.table("3 s with a tolerance of 1e-5", &WORK, rows);
    findings.note("`python3 benches/industrial.py track` compares all methods.");
    Ok(())
}
