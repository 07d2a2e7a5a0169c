//! The ATV on four posts: 28 rigid parts on a flexible frame of 134 modes.
//!
//! All published counts are met. The data are those of our sheet, since the paper gives none; so are the frequencies and the motion to
//! compare with. The paper's test is run as it stands: two integrators must find the same ten hot spots at the same times.

use super::industrial::{Finished, Folder, WORK};
use super::support::{number, numbers, reference, short};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::study::{largest, smallest};
use rotula_dae::System;
use rotula_model::Mechanism;

pub(super) const ENTRY: Entry = Entry {
    name: "atv",
    document: "003",
    title: "The ATV on four posts: 28 parts and a frame of 134 modes, 532 equations by the count of the paper",
    run,
};

const MODEL: &str = include_str!("../../../../../examples/models/atv.toml");
const MESH: &str = include_str!("../../../../../examples/models/atv_frame.inp");
const REFERENCE: &str = include_str!("../../../../../gallery/atv/reference.json");

/// Components of each interface, which are coordinates and reactions of ours and none of the paper's.
const INTERFACE: usize = 6;

fn count(findings: &mut Findings, atv: &Mechanism, hot_spots: usize) {
    let mut exactly = |what: &str, value: usize, published: usize| {
        findings.near(what, value as f64, published as f64, 0.0);
    };
    let frame = &atv.sketch.flexible[0].laid;
    let interfaces = frame.interfaces.len();
    let sizes = atv.system().sizes();
    let coordinates = sizes.motion - INTERFACE * interfaces;
    let reactions = sizes.multipliers() - INTERFACE * interfaces;
    let modes = frame.shapes.shapes();
    exactly("rigid parts", (coordinates - 6 - modes) / 6, 28);
    exactly("joints", atv.model.joints().len(), 43);
    exactly("motions", atv.motions.len(), 5);
    exactly("modes of the frame", modes, 134);
    exactly("coordinates", coordinates, 308);
    exactly("degrees of freedom", coordinates - reactions, 148);
    // six components of each tyre, one of each shock and each bearing
    let forces = 6 * 4 + 4 + 4;
    exactly("forces", atv.model.forces().len(), 4 + 4 + 4);
    let probe = atv.probe();
    let has = |name: &str| probe.names().filter(|own| own.ends_with(name)).count();
    // length and rate of shocks, heights of posts, pitch rate, reaction, energy, steering
    let measured = has(".shock.length")
        + has(".shock.length_velocity")
        + has(".ram.displacement")
        + has("engine_turns.y")
        + ["fx", "fy", "fz"].map(|k| has(&format!("rear[1].pivot.{k}"))).iter().sum::<usize>()
        + has("energy")
        + has("steering.effort")
        + hot_spots;
    exactly("equations", coordinates + reactions + forces + sizes.states + measured, 532);
}

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let data = reference(REFERENCE)?;
    let folder = Folder::with("atv", &[("atv_frame.inp", MESH)])?;
    let mut rows = Vec::new();

    // the paper's integrators at the paper's tolerances
    let settings: [(&str, &[(&str, &str)]); 2] = [
        ("hht-i3, 1e-5", &[("solve.until", "0.25")]),
        (
            "bdf of form index3, 1e-4",
            &[
                ("solve.until", "0.25"),
                ("solve.formulation", "bdf"),
                ("solve.form", "index3"),
                ("solve.tolerance", "1e-4"),
            ],
        ),
    ];
    let mut both = Vec::new();
    for (name, overrides) in settings {
        let atv = folder.mechanism(MODEL, overrides)?;
        let finished = Finished::run(&atv)?;
        rows.push(finished.work(name));
        both.push((finished.hot_spots(&atv), finished, atv));
    }
    let [(hot, ours, atv), (others, theirs, _)] = &both[..] else {
        unreachable!("two runs were made")
    };
    count(findings, atv, hot.len());
    let frequencies = atv.sketch.flexible[0].laid.shapes.frequencies();
    let expected = numbers(&data, "/frame/lowest")?;
    for (k, (found, expected)) in frequencies.iter().zip(&expected).enumerate() {
        let share = number(&data, "/frame/lowest_share")?;
        findings.close(format!("frequency {} of the frame", k + 1), *found, *expected, share);
    }
    let highest = frequencies.last().copied().unwrap_or(f64::NAN);
    let (expected, share) =
        (number(&data, "/frame/highest")?, number(&data, "/frame/highest_share")?);
    findings.close("highest frequency of the frame", highest, expected, share);

    let mut spots = Vec::new();
    let row = ours.times()[1] - ours.times()[0];
    let mut stress = Vec::new();
    let mut late = Vec::new();
    for ((label, own, at), (other_label, other, other_at)) in hot.iter().zip(others) {
        spots.push(vec![
            label.to_string(),
            other_label.to_string(),
            format!("{:.2}", own / 1e6),
            format!("{:.2}", other / 1e6),
            format!("{at:.4}"),
            format!("{other_at:.4}"),
        ]);
        stress.push((other / own - 1.0).abs());
        late.push((other_at - at).abs() / row);
    }
    let same = hot.iter().zip(others).filter(|(a, b)| a.0 == b.0).count();
    findings.near("hot spots that both find, in order", same as f64, 10.0, 0.0);
    findings.at_most("difference of their stresses", largest(stress), number(&data, "/stress")?);
    findings.at_most("difference of their times, in rows", largest(late), 1.0 + 1e-6);
    let [own, other] = [ours, theirs].map(|finished| finished.curve("engine_turns.y"));
    let size = largest(own.iter().map(|rate| rate.abs()));
    let off = largest(own.iter().zip(&other).map(|(a, b)| (a - b).abs())) / size;
    findings.at_most("difference of the pitch rate", off, number(&data, "/pitch_rate")?);

    // a second, beside the rigid frame of the sheet
    let long = [("solve.until", "1"), ("solve.max_step", "5e-3"), ("solve.output_every", "5e-3")];
    let finished = Finished::run(&folder.mechanism(MODEL, &long)?)?;
    rows.push(finished.work("hht-i3, 1e-5, 1 s in steps of up to 5 ms"));
    for curve in ["engine_turns.y", "front[0].wheel.z", "rear[0].wheel.z"] {
        let values = finished.curve(curve);
        let expected = numbers(&data, &format!("/rigid/{curve}"))?;
        let (low, high) = (smallest(values.iter().copied()), largest(values.iter().copied()));
        findings.near(format!("least {curve}"), low, expected[0], expected[2]);
        findings.near(format!("greatest {curve}"), high, expected[1], expected[2]);
    }
    findings.table("0.25 s in steps of at most 0.5 ms", &WORK, rows);
    let columns = ["node, HHT", "node, BDF", "MPa, HHT", "MPa, BDF", "s, HHT", "s, BDF"];
    findings.table("Where stress was highest", &columns, spots);
    findings.note(format!("The pitch rate differs by {} of its largest value.", short(off)));
    findings.note("`python3 benches/industrial.py atv` compares all methods.");
    Ok(())
}
