//! `rotula statics --path`: equilibria while the loads grow, past limit points.

use crate::Ending;
use crate::args;
use crate::files::{refuse_unwritable, write_text};
use crate::messages::{Fault, complain, say};
use crate::model_file::ModelFile;
use crate::sweep_report::{escaped, html};
use rotula_dae::Trajectory;
use rotula_dae::analysis::{EquilibriumPath, PathSettings, Stability, Turn, equilibrium_path};
use rotula_report::{Axis, Figure, Marker, Series, Stroke};
use rotula_study::{Results, sweep};
use std::path::PathBuf;

/// More pictures than this help nobody.
const MOST: usize = 12;

/// Follows the equilibria from the start of the run to its end and writes table and page.
pub(crate) fn path(options: &args::Statics) -> Result<Ending, Fault> {
    let file = ModelFile::to_run(&options.analysis.model)?;
    let directory = match &options.output {
        Some(directory) => directory.clone(),
        None => PathBuf::from("results").join(format!("{}-path", file.stem)),
    };
    refuse_unwritable(&directory)?;
    let mut system = file.model.system();
    let mut start = file.model.initial_state();
    start.t = file.settings.start;
    say(&format!("{}: {}", file.name, file.model.title()));
    let settings = PathSettings {
        step: options.first_step,
        most_points: options.points,
        ..PathSettings::until(file.settings.until)
    };
    let path = match equilibrium_path(system.as_mut(), &start, &settings) {
        Ok(path) => path,
        Err(diagnosis) => {
            complain(&format!("{}: {diagnosis}", file.name));
            return Ok(Ending::Failed);
        }
    };
    say(&path.to_string());
    let states: Vec<_> = path.points.iter().map(|point| point.state.clone()).collect();
    let trajectory = Trajectory::of_states(system.as_mut(), &states);
    let curves = columns(&file.model.results(&trajectory), &sweep::wanted(&file.model));
    let table = directory.join("path.csv");
    write_text(&table, &csv(&path, &curves))?;
    let page = directory.join("path.html");
    write_text(
        &page,
        &html(&format!("Equilibria of {}", file.model.title()), &body(&path, &curves)),
    )?;
    say(&format!("The table is {}; open {} in a browser.", table.display(), page.display()));
    crate::analyses::write_json(options.analysis.json.as_deref(), &path)
}

/// A curve by name.
type Column = (String, Vec<f64>);

fn columns(results: &Results, names: &[String]) -> Vec<Column> {
    let groups = results.curves.iter().map(|group| (&group.names, &group.table));
    let groups: Vec<_> = groups.chain([(&results.extra.names, &results.extra.table)]).collect();
    let column = |name: &String| {
        let (names, table) = groups.iter().find(|(names, _)| names.contains(name))?;
        let k = names.iter().position(|known| known == name)?;
        Some((name.clone(), table.column(k).collect()))
    };
    names.iter().filter_map(column).collect()
}

fn csv(path: &EquilibriumPath, curves: &[Column]) -> String {
    let mut text = String::from("t,length,stability,unstable_motions");
    for (name, _) in curves {
        text += &format!(",{name}");
    }
    text.push('\n');
    for (i, point) in path.points.iter().enumerate() {
        let word = match point.stability {
            Stability::Stable => "stable",
            Stability::Neutral => "neutral",
            Stability::Unstable => "unstable",
        };
        text += &format!("{:?},{:?},{word},{}", point.t, point.length, point.unstable_motions);
        for (_, values) in curves {
            text += &format!(",{:?}", values[i]);
        }
        text.push('\n');
    }
    text
}

fn body(path: &EquilibriumPath, curves: &[Column]) -> String {
    let mut text = format!("<pre>{}</pre>\n", escaped(&path.to_string()));
    for (name, values) in curves.iter().take(MOST) {
        text += &format!("<figure>{}</figure>\n", figure(path, name, values).to_svg());
    }
    text
}

/// The load over a curve; unstable equilibria are dotted.
fn figure(path: &EquilibriumPath, name: &str, values: &[f64]) -> Figure {
    let mut figure = Figure::new(
        format!("equilibria: load over {name}"),
        Axis::linear(name),
        Axis::linear("t, the load factor"),
    );
    figure.size = (900, 420);
    let points: Vec<(f64, f64)> =
        values.iter().zip(&path.points).map(|(x, point)| (*x, point.t)).collect();
    let unstable = points.iter().zip(&path.points);
    let unstable: Vec<(f64, f64)> = unstable
        .filter(|(_, point)| point.stability == Stability::Unstable)
        .map(|(xy, _)| *xy)
        .collect();
    figure = figure.with(Series::line("equilibria", points));
    if !unstable.is_empty() {
        let series = Series::line("unstable", unstable).stroke(Stroke::None);
        figure = figure.with(Series { marker: Marker::Automatic, ..series });
    }
    for (kind, point) in &path.turns {
        let word = match kind {
            Turn::Limit => "limit",
            Turn::Branch => "branch",
            Turn::Flutter => "flutter",
        };
        let (low, high) =
            values.iter().fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(*x), b.max(*x)));
        let ends = vec![(low, point.t), (high, point.t)];
        figure = figure.with(Series::guide(format!("{word} at {:.6}", point.t), ends));
    }
    figure
}
