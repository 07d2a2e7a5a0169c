//! A car of twenty degrees of freedom changes the lane on a measured road.
//!
//! Laws that any such run must keep: a car that is its own mirror image drives straight until it is steered, its tyres carry its weight in the
//! mean, and forces across make it drift as fast as it does. Two formulations in two kinds of coordinates must agree.

use crate::entries::doc003::industrial::{Finished, Folder, WORK};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;
use crate::study::largest;
use rotula_dae::System;

pub(super) const ENTRY: Entry = Entry {
    name: "car",
    document: "mechanisms",
    title: "A car changes the lane on a measured road",
    run,
};

const MODEL: &str = include_str!("../../../../../examples/models/car.toml");
const FILES: [(&str, &str); 2] = [
    ("car_205_60r15.tir", include_str!("../../../../../examples/models/car_205_60r15.tir")),
    ("country_road.csv", include_str!("../../../../../examples/models/country_road.csv")),
];
const TYRES: [&str; 4] = ["front_left", "front_right", "rear_left", "rear_right"];

/// The sum of a column of all tyres.
fn of_tyres(finished: &Finished, column: &str) -> Vec<f64> {
    let mut sum = vec![0.0; finished.times().len()];
    for tyre in TYRES {
        let values = finished.curve(&format!("{tyre}.tyre.{column}"));
        sum.iter_mut().zip(&values).for_each(|(sum, value)| *sum += value);
    }
    sum
}

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let folder = Folder::with("car", &FILES)?;
    let settings: [(&str, &[(&str, &str)]); 2] = [
        ("index3 in joint coordinates, 1e-4", &[]),
        (
            "bdf in redundant coordinates, 1e-4",
            &[
                ("solve.formulation", "bdf"),
                ("solve.coordinates", "redundant"),
                ("solve.tolerance", "1e-4"),
            ],
        ),
    ];
    let (mut rows, mut drifts) = (Vec::new(), Vec::new());
    for (name, overrides) in settings {
        let car = folder.mechanism(MODEL, overrides)?;
        let sizes = car.system().sizes();
        let freedom = sizes.motion - sizes.multipliers();
        findings.near(format!("{name}: degrees of freedom"), freedom as f64, 20.0, 0.0);
        let mass: f64 = car.model.bodies().iter().map(|(_, body)| body.mass.mass).sum();
        let finished = Finished::run(&car)?;
        let times = finished.times();
        let drift = finished.curve("place.y");
        let straight = times.partition_point(|t| *t < 0.5);
        let aside = largest(drift[..straight].iter().map(|y| y.abs()));
        findings.at_most(format!("{name}: drift before it is steered, m"), aside, 1e-6);
        let load = of_tyres(&finished, "fz");
        // the vertical momentum at the end is that of the start but for the last bumps: m Δv over the time
        let mean = load.iter().sum::<f64>() / load.len() as f64;
        findings.close(format!("{name}: mean load of the tyres, N"), mean, 9.81 * mass, 0.01);
        let end = drift[drift.len() - 1];
        findings.at_least(format!("{name}: lane change, m"), end, 3.0);
        findings.at_most(format!("{name}: lane change, m"), end, 3.75);
        let real_time = finished.seconds() / times[times.len() - 1];
        let mut row = finished.work(name);
        row.push(format!("{real_time:.2}"));
        rows.push(row);
        drifts.push(drift);
    }
    let off = largest(drifts[0].iter().zip(&drifts[1]).map(|(a, b)| (a - b).abs()));
    // slips of a thousandth, over a hundred metres of way
    findings.at_most("difference of the paths, m", off, 0.03);
    let mut columns = WORK.to_vec();
    columns.push("time over that of the car");
    findings.table("4.4 s at 25 m/s", &columns, rows);
    Ok(())
}
