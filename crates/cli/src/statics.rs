//! `rotula statics`: where a model rests, how far it moved to get there, and the forces it rests with.

use crate::Ending;
use crate::analyses::{failed, write_json};
use crate::args;
use crate::files::{refuse_unwritable, write_text};
use crate::messages::{Fault, say};
use crate::model_file::ModelFile;
use crate::numbers::precise;
use crate::run::PROGRAM;
use rotula_dae::Trajectory;
use rotula_dae::analysis::{self, Equilibrium, Relaxation};
use rotula_model::Displacement;
use rotula_report::{Run, Units, tables, write_csv};
use rotula_study::displacement;
use serde::Serialize;
use serde_json::{Map, Value};
use std::path::PathBuf;

/// More lines of one kind than this help nobody; the files hold them all.
const MOST: usize = 24;
/// Units of rates, which are zero at rest.
const RATES: [&str; 4] = ["m/s", "rad/s", "m/s²", "rad/s²"];
/// What the displacements tell in better words.
const TOLD: [&str; 2] = ["Positions of bodies", "Orientations of bodies"];

/// Everything about an equilibrium.
#[derive(Serialize)]
struct Found<'a> {
    #[serde(flatten)]
    equilibrium: &'a Equilibrium,
    t: f64,
    displacements: &'a [Displacement],
    /// What a run would record, by the names of its columns.
    values: Map<String, Value>,
}

/// Finds an equilibrium near the start, tells where it is and what acts there, and writes it down.
pub(crate) fn statics(options: &args::Statics) -> Result<Ending, Fault> {
    let file = ModelFile::read(&options.analysis.model)?;
    let directory = match &options.output {
        Some(directory) => directory.clone(),
        None => PathBuf::from("results").join(format!("{}-statics", file.stem)),
    };
    refuse_unwritable(&directory)?;
    let mut system = file.model.system();
    let mut start = file.model.initial_state();
    start.t = options.at.unwrap_or(file.settings.start);
    say(&format!("{}: {}", file.name, file.model.title()));
    let equilibrium = match analysis::statics(system.as_mut(), &start, Relaxation::IfNeeded) {
        Ok(equilibrium) => equilibrium,
        Err(diagnosis) => return failed(&file, &diagnosis),
    };
    let displacements = file.model.displacements(&start, &equilibrium.state);
    match displacement::words(&displacements) {
        none if none.is_empty() => say(&equilibrium.to_string()),
        words => say(&format!("{}\n{words}", equilibrium.verdict())),
    }
    let states = std::slice::from_ref(&equilibrium.state);
    let trajectory = Trajectory::of_states(system.as_mut(), states);
    let results = file.model.results(&trajectory);
    let run = Run {
        model_file: Some(file.name.clone()),
        extra: results.extra,
        curves: results.curves,
        coordinates: results.coordinates,
        units: results.units,
        program: PROGRAM.into(),
        ..Run::new(file.model.title(), &trajectory, &file.settings)
    };
    let values = values(&run)?;
    let told = forces_and_sensors(&run);
    if !told.is_empty() {
        say(&told);
    }
    let json = directory.join("equilibrium.json");
    let found =
        Found { equilibrium: &equilibrium, t: start.t, displacements: &displacements, values };
    write_text(&directory.join("displacements.csv"), &displacements_csv(&displacements))?;
    write_csv(&directory.join("equilibrium.csv"), &run)?;
    write_json(Some(&json), &found)?;
    say(&format!("All of it is in {}.", directory.display()));
    write_json(options.analysis.json.as_deref(), &found)
}

/// Every column of a run with its value; those that do not exist at rest are `null`.
fn values(run: &Run) -> Result<Map<String, Value>, Fault> {
    let mut values = Map::new();
    for block in tables(run)? {
        for (name, value) in block.headings().zip(block.table.row(0)) {
            values.insert(name, Value::from(*value));
        }
    }
    Ok(values)
}

/// Groups of curves with their values: sensors, coordinates, forces, reactions.
fn forces_and_sensors(run: &Run) -> String {
    let mut text = Vec::new();
    for curves in run.curves.iter().filter(|curves| !TOLD.contains(&curves.title.as_str())) {
        let named: Vec<(&str, f64)> =
            curves.names.iter().map(String::as_str).zip(curves.table.row(0).to_vec()).collect();
        lines(&curves.title, &named, &run.units, &mut text);
    }
    let extra: Vec<(&str, f64)> = match run.extra.is_empty() {
        true => Vec::new(),
        false => run
            .extra
            .names
            .iter()
            .map(String::as_str)
            .zip(run.extra.table.row(0).to_vec())
            .collect(),
    };
    lines("Outputs", &extra, &run.units, &mut text);
    text.join("\n")
}

fn lines(title: &str, named: &[(&str, f64)], units: &Units, text: &mut Vec<String>) {
    let unit = |name: &str| units.columns.get(name).map_or("", String::as_str);
    let shown: Vec<_> = named.iter().filter(|(name, _)| !RATES.contains(&unit(name))).collect();
    if shown.is_empty() {
        return;
    }
    // what is nothing but rounding beside its neighbours is told as nothing
    let largest = shown.iter().fold(0.0_f64, |m, (_, value)| m.max(value.abs()));
    text.push(format!("{title}:"));
    for (name, value) in shown.iter().take(MOST) {
        let value = if value.abs() < 1e-13 * largest { 0.0 } else { *value };
        text.push(format!("  {name} = {} {}", precise(value), unit(name)).trim_end().to_owned());
    }
    if shown.len() > MOST {
        text.push(format!("  and {} more", shown.len() - MOST));
    }
}

fn displacements_csv(displacements: &[Displacement]) -> String {
    let mut text = String::from(
        "name,from_x,from_y,from_z,to_x,to_y,to_z,moved_x,moved_y,moved_z,angle_rad,axis_x,axis_y,axis_z\n",
    );
    for d in displacements {
        let (angle, axis) = d.turned.map_or((0.0, [0.0; 3]), |turned| (turned.angle, turned.axis));
        let places = d.from.iter().chain(&d.to).chain(&d.moved);
        text += &d.name;
        for value in places.chain([&angle]).chain(&axis) {
            text += &format!(",{value:?}");
        }
        text.push('\n');
    }
    text
}
