//! The reference turbine of 5 MW of NREL below and above its rated wind, beside published steady states
//! [Jonkman et al. 2009, NREL/TP-500-38060, tables 1-1 and 7-1, figure 9-1].

use crate::entries::doc003::industrial::{Finished, WORK, mechanism};
use crate::entry::{Entry, GalleryError};
use crate::findings::Findings;

pub(super) const ENTRY: Entry = Entry {
    name: "turbine",
    document: "mechanisms",
    title: "The reference wind turbine of 5 MW below and above its rated wind",
    run,
};

const MODEL: &str = include_str!("../../../../../examples/models/wind_turbine_5mw.toml");
const FILE: &str = "wind_turbine_5mw.toml";
/// Masses of rotor, nacelle and tower.
const MASS: f64 = 110_000.0 + 240_000.0 + 347_460.0;
/// Thin airfoils in a flow that is slowed evenly stand for those of the turbine.
const AIRFOILS: f64 = 0.05;

/// The mean over the last quarter, a turn or more.
fn settled(values: &[f64]) -> f64 {
    let last = &values[3 * values.len() / 4..];
    last.iter().sum::<f64>() / last.len() as f64
}

fn run(findings: &mut Findings) -> Result<(), GalleryError> {
    let mut rows = Vec::new();
    for (wind, until) in [("8", "20"), ("15", "16")] {
        let overrides = [("parameters.wind", wind), ("solve.until", until)];
        let finished = Finished::run(&mechanism(MODEL, FILE, &overrides)?)?;
        let mean = |curve: &str| settled(&finished.curve(curve));
        let at = |what: &str| format!("{wind} m/s: {what}");
        let speed = mean("shaft.angle_velocity") * 30.0 / std::f64::consts::PI;
        let weight = mean("tower.start.fz").abs() / 9.81;
        findings.close(at("mass that the ground carries, kg"), weight, MASS, 0.01);
        match wind {
            "8" => findings.close(at("turns a minute"), speed, 9.16, AIRFOILS),
            _ => {
                findings.close(at("turns a minute"), speed, 12.1, 0.01);
                findings.close(at("electric power, W"), mean("electric"), 5e6, 0.01);
                findings.close(at("pitch, degrees"), mean("pitch").to_degrees(), 10.45, AIRFOILS);
            }
        }
        let times = finished.times();
        let mut row = finished.work(&at("ggl, 1e-3"));
        row.push(format!("{:.2}", finished.seconds() / times[times.len() - 1]));
        rows.push(row);
    }
    let mut columns = WORK.to_vec();
    columns.push("time over that of the turbine");
    findings.table("Three blades of 20 elements, a tower of 8", &columns, rows);
    Ok(())
}
