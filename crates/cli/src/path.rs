//! `rotula statics --path`: equilibria while the loads grow, past limit points.

use crate::Ending;
use crate::args;
use crate::files::{refuse_unwritable, write_text};
use crate::messages::{Fault, complain, say};
use crate::model_file::ModelFile;
use crate::numbers::precise;
use crate::sweep_report::{About, escaped};
use rotula_dae::Trajectory;
use rotula_dae::analysis::{
    EquilibriumPath, PathPoint, PathSettings, Stability, Turn, equilibrium_path,
};
use rotula_report::{Chart, ChartSeries, StudyCase};
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
    let title = format!("Equilibria of {}", file.model.title());
    let about = About { title: &title, model: &options.analysis.model };
    let above = format!("<pre>{}</pre>\n", escaped(&path.to_string()));
    let charts: Vec<Chart> =
        curves.iter().take(MOST).map(|(name, values)| chart(&path, name, values)).collect();
    write_text(&page, &about.page(&above, &charts, &cases(&path, &curves), ""))?;
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
        let word = word(point.stability);
        text += &format!("{:?},{:?},{word},{}", point.t, point.length, point.unstable_motions);
        for (_, values) in curves {
            text += &format!(",{:?}", values[i]);
        }
        text.push('\n');
    }
    text
}

fn word(stability: Stability) -> &'static str {
    match stability {
        Stability::Stable => "stable",
        Stability::Neutral => "neutral",
        Stability::Unstable => "unstable",
    }
}

/// What is said of a point that is picked.
fn cases(path: &EquilibriumPath, curves: &[Column]) -> Vec<StudyCase> {
    let points = path.points.iter().enumerate();
    let case = |(k, point): (usize, &PathPoint)| {
        let mut facts = vec![["stability".to_owned(), word(point.stability).to_owned()]];
        let values = curves.iter().map(|(name, values)| [name.clone(), precise(values[k])]);
        facts.extend(values);
        let name = format!("point {}: t = {}", k + 1, precise(point.t));
        StudyCase { name, facts, command: String::new() }
    };
    points.map(case).collect()
}

/// The load over a curve; unstable equilibria are a curve of their own.
fn chart(path: &EquilibriumPath, name: &str, values: &[f64]) -> Chart {
    let points: Vec<(f64, f64)> =
        values.iter().zip(&path.points).map(|(x, point)| (*x, point.t)).collect();
    let unstable: Vec<usize> =
        (0..points.len()).filter(|k| path.points[*k].stability == Stability::Unstable).collect();
    let mut series = vec![ChartSeries {
        name: "equilibria".into(),
        cases: Some((0..points.len()).collect()),
        points: points.clone(),
        loose: false,
    }];
    if !unstable.is_empty() {
        series.push(ChartSeries {
            name: "unstable".into(),
            points: unstable.iter().map(|k| points[*k]).collect(),
            cases: Some(unstable),
            loose: true,
        });
    }
    for (kind, point) in &path.turns {
        let word = match kind {
            Turn::Limit => "limit",
            Turn::Branch => "branch",
            Turn::Flutter => "flutter",
        };
        let (low, high) =
            values.iter().fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(*x), b.max(*x)));
        series.push(ChartSeries {
            name: format!("{word} at {:.6}", point.t),
            points: vec![(low, point.t), (high, point.t)],
            cases: None,
            loose: false,
        });
    }
    Chart {
        title: format!("load over {name}"),
        x: [name.to_owned(), String::new()],
        y: ["t, the load factor".to_owned(), String::new()],
        series,
    }
}
