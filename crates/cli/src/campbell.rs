//! `rotula campbell`: frequencies about steady turns while a value of the model changes.

use crate::Ending;
use crate::args;
use crate::files::{refuse_unwritable, write_text};
use crate::messages::{Fault, complain, say};
use crate::model_file::ModelFile;
use crate::numbers::{counted, precise, short};
use crate::sweep_report::{About, escaped};
use rotula_report::{Axis, Chart, ChartSeries, Figure, Series, StudyCase};
use rotula_study::{Model, SteadyCase, steady_case, sweep};
use std::f64::consts::TAU;
use std::path::PathBuf;

/// Multiples of the speed that are drawn.
const HARMONICS: usize = 4;

/// One case.
struct Row {
    /// The value of the key.
    value: String,
    found: SteadyCase,
}

/// Finds the steady turn and its modes for every value.
pub(crate) fn campbell(options: &args::Campbell) -> Result<Ending, Fault> {
    const WRITE: &str = "write KEY=a:b:n, such as parameters.speed=0:12:25";
    let axis = sweep::Axis::parse(&options.over)
        .map_err(|refusal| Fault::new(refusal.what, refusal.help.as_deref().unwrap_or(WRITE)))?;
    let sweep::Axis::Values { key, values } = axis else {
        let message = format!("`{}` does not say how many values there are", options.over);
        return Err(Fault::new(message, WRITE));
    };
    let file = ModelFile::read(&options.model)?;
    let directory = match &options.output {
        Some(directory) => directory.clone(),
        None => PathBuf::from("results").join(format!("{}-campbell", file.stem)),
    };
    refuse_unwritable(&directory)?;
    let (mut rows, mut refused) = (Vec::new(), Vec::new());
    for value in values {
        match row(options, &key, &value)? {
            Ok(found) => rows.push(Row { value, found }),
            Err(diagnosis) => {
                complain(&format!("{}, {key} = {value}: {diagnosis}", file.name));
                refused.push((value, diagnosis));
            }
        }
    }
    let table = directory.join("campbell.csv");
    write_text(&table, &csv(&key, &rows, options.modes))?;
    let figure = figure(&key, &rows, options.modes);
    write_text(&directory.join("campbell.svg"), &figure.to_svg())?;
    let unstable: Vec<&Row> = rows.iter().filter(|row| row.found.unstable > 0).collect();
    let mut above = format!(
        "<p>Frequencies as seen by who turns with it, over <b>{}</b>: {}.</p>\n",
        escaped(&key),
        counted(rows.len(), "case")
    );
    if let Some(first) = unstable.first() {
        let note = format!("Some motions grow, first at {key} = {}.", first.value);
        complain(&format!("{}: {note}", file.name));
        above += &format!("<p>{}</p>\n", escaped(&note));
    }
    for (value, diagnosis) in &refused {
        let words = format!("{key} = {value} has no frequencies: {diagnosis}");
        above += &format!("<pre>{}</pre>\n", escaped(&words));
    }
    let title = format!("Campbell diagram of {}", file.model.title());
    let about = About { title: &title, model: &options.model };
    let cases: Vec<StudyCase> =
        rows.iter().map(|row| case(&about, &key, row, options.modes)).collect();
    let charts = charts(&key, &rows, options.modes);
    let page = directory.join("campbell.html");
    write_text(&page, &about.page(&above, &charts, &cases, ""))?;
    say(&format!(
        "{}: {}, {} each. The table is {}; open {} in a browser.",
        file.model.title(),
        counted(rows.len(), "steady turn"),
        match options.modes {
            1 => "one frequency".to_owned(),
            n => format!("{n} frequencies"),
        },
        table.display(),
        page.display()
    ));
    Ok(match refused.is_empty() {
        true => Ending::Done,
        false => Ending::Failed,
    })
}

/// One case: refused input is a fault, an analysis that fails a diagnosis.
fn row(
    options: &args::Campbell,
    key: &str,
    value: &str,
) -> Result<Result<SteadyCase, rotula_dae::Diagnosis>, Fault> {
    let mut overrides = options.model.overrides.clone();
    overrides.push((key.to_owned(), value.to_owned()));
    let model = Model::read(&options.model.file, &overrides)?;
    let found = steady_case(&model, model.system().as_mut(), options.modes);
    for doubt in found.iter().flat_map(|found| &found.doubts) {
        complain(&format!("{key} = {value}: {doubt}"));
    }
    Ok(found)
}

/// What is said of a case that is picked.
fn case(about: &About, key: &str, row: &Row, count: usize) -> StudyCase {
    let mut facts = Vec::new();
    if row.found.speed > 0.0 {
        let turns = format!("{} per second", precise(row.found.speed / TAU));
        facts.push(["turns".to_owned(), turns]);
    }
    for (k, [frequency, damping]) in row.found.oscillations.iter().take(count).enumerate() {
        let words = format!("{} Hz, damping {}", precise(*frequency), short(*damping));
        facts.push([format!("frequency {}", k + 1), words]);
    }
    if row.found.unstable > 0 {
        facts.push(["motions that grow".into(), row.found.unstable.to_string()]);
    }
    let change = (key.to_owned(), row.value.clone());
    let command = about.command("modes --about turn", &[change]);
    StudyCase { name: format!("{key} = {}", row.value), facts, command }
}

fn csv(key: &str, rows: &[Row], count: usize) -> String {
    let mut text = format!("{key},speed_rad_s,unstable_modes");
    for k in 1..=count {
        text += &format!(",frequency_{k}_Hz,damping_{k}");
    }
    text.push('\n');
    for row in rows {
        text += &format!("{},{:?},{}", row.value, row.found.speed, row.found.unstable);
        for k in 0..count {
            let [frequency, damping] =
                row.found.oscillations.get(k).copied().unwrap_or([f64::NAN; 2]);
            text += &format!(",{frequency:?},{damping:?}");
        }
        text.push('\n');
    }
    text
}

/// Where a row lies on the axis to the right: the speed of rotation, or the key if nothing turns.
fn abscissa<'a>(key: &'a str, rows: &[Row]) -> (&'a str, fn(&Row) -> f64) {
    match rows.iter().any(|row| row.found.speed > 0.0) {
        true => ("speed, turns per second", |row| row.found.speed / TAU),
        false => (key, |row| row.value.parse().unwrap_or(f64::NAN)),
    }
}

/// Multiples of the speed as lines, within what is drawn.
fn harmonics(rows: &[Row], count: usize) -> Vec<(String, Vec<(f64, f64)>)> {
    let fast = rows.iter().fold(0.0_f64, |fast, row| fast.max(row.found.speed / TAU));
    let modes = rows.iter().flat_map(|row| row.found.oscillations.iter().take(count));
    let top = modes.fold(0.0_f64, |top, mode| top.max(mode[0]));
    let lines = (1..=HARMONICS).filter(|_| fast > 0.0).map(|k| {
        let end = fast.min(top / k as f64);
        (format!("{k} × speed"), vec![(0.0, 0.0), (end, k as f64 * end)])
    });
    lines.collect()
}

/// A frequency or damping of all cases.
fn points(key: &str, rows: &[Row], mode: usize, part: usize) -> (Vec<(f64, f64)>, Vec<usize>) {
    let (_, x) = abscissa(key, rows);
    let found = rows.iter().enumerate();
    found
        .filter_map(|(k, row)| Some(((x(row), row.found.oscillations.get(mode)?[part]), k)))
        .unzip()
}

/// Frequencies and damping, for the page.
fn charts(key: &str, rows: &[Row], count: usize) -> Vec<Chart> {
    if rows.is_empty() {
        return Vec::new();
    }
    let (label, _) = abscissa(key, rows);
    let chart = |title: &str, unit: &str, part: usize| Chart {
        title: title.to_owned(),
        x: [label.to_owned(), String::new()],
        y: [title.to_owned(), unit.to_owned()],
        series: (0..count)
            .map(|k| {
                let (points, cases) = points(key, rows, k, part);
                ChartSeries { name: format!("{}", k + 1), points, cases: Some(cases), loose: false }
            })
            .collect(),
    };
    let mut frequencies = chart("frequency", "Hz", 0);
    let lines = harmonics(rows, count).into_iter();
    frequencies.series.extend(lines.map(|(name, points)| ChartSeries {
        name,
        points,
        cases: None,
        loose: false,
    }));
    vec![frequencies, chart("damping", "", 1)]
}

/// Frequencies, as a picture.
fn figure(key: &str, rows: &[Row], count: usize) -> Figure {
    let (label, _) = abscissa(key, rows);
    let mut figure = Figure::new("frequencies", Axis::linear(label), Axis::linear("frequency, Hz"));
    figure.size = (900, 520);
    for k in 0..count {
        figure = figure.with(Series::marked(format!("{}", k + 1), points(key, rows, k, 0).0));
    }
    for (name, line) in harmonics(rows, count) {
        figure = figure.with(Series::guide(name, line));
    }
    figure
}
