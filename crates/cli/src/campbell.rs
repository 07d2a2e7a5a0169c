//! `rotula campbell`: frequencies about steady turns while a value of the model changes.

use crate::Ending;
use crate::args;
use crate::files::{refuse_unwritable, write_text};
use crate::messages::{Fault, complain, say};
use crate::model_file::ModelFile;
use crate::numbers::counted;
use crate::sweep_report::{escaped, html};
use rotula_dae::analysis::{self, Mode, ModeKind, SteadyTurn};
use rotula_report::{Axis, Figure, Series};
use rotula_study::{Model, sweep};
use std::f64::consts::TAU;
use std::path::PathBuf;

/// Multiples of the speed that are drawn.
const HARMONICS: usize = 4;

/// What is kept of one case.
struct Row {
    /// The value of the key.
    value: String,
    /// Angular speed, rad/s.
    speed: f64,
    /// Frequency in hertz and part of critical damping, by rising frequency.
    modes: Vec<[f64; 2]>,
    unstable: usize,
}

/// Finds the steady turn and its modes for every value.
pub(crate) fn campbell(options: &args::Campbell) -> Result<Ending, Fault> {
    let wrong =
        |message: String| Fault::new(message, "write KEY=a:b:n, such as parameters.speed=0:12:25");
    let axis = sweep::Axis::parse(&options.over).map_err(wrong)?;
    let sweep::Axis::Values { key, values } = axis else {
        return Err(wrong(format!("`{}` does not say how many values there are", options.over)));
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
            Ok(row) => rows.push(row),
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
    let unstable: Vec<&Row> = rows.iter().filter(|row| row.unstable > 0).collect();
    let mut body = format!(
        "<p>Frequencies as seen by who turns with it, over <b>{}</b>: {}.</p>\n",
        escaped(&key),
        counted(rows.len(), "case")
    );
    if let Some(first) = unstable.first() {
        let note = format!("Some motions grow, first at {key} = {}.", first.value);
        complain(&format!("{}: {note}", file.name));
        body += &format!("<p>{}</p>\n", escaped(&note));
    }
    for (value, diagnosis) in &refused {
        let words = format!("{key} = {value} has no frequencies: {diagnosis}");
        body += &format!("<pre>{}</pre>\n", escaped(&words));
    }
    if !rows.is_empty() {
        body += &format!("<figure>{}</figure>\n", figure.to_svg());
    }
    let page = directory.join("campbell.html");
    write_text(&page, &html(&format!("Campbell diagram of {}", file.model.title()), &body))?;
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
) -> Result<Result<Row, rotula_dae::Diagnosis>, Fault> {
    let mut overrides = options.model.overrides.clone();
    overrides.push((key.to_owned(), value.to_owned()));
    let model = Model::read(&options.model.file, &overrides)?;
    let mut system = model.system();
    let mut start = model.initial_state();
    start.t = model.analysis_settings().map(|settings| settings.start).unwrap_or_default();
    let found = analysis::steady_turn(system.as_mut(), &start).and_then(|turn| {
        // small models tell whether anything grows, whatever its frequency; large ones the lowest alone
        let sizes = system.sizes();
        let modes = match sizes.motion + sizes.multipliers() > analysis::LARGE {
            true => analysis::lowest_modes(system.as_mut(), &turn.state, 2 * options.modes + 4)?,
            false => analysis::modes(system.as_mut(), &turn.state)?,
        };
        Ok((turn, modes))
    });
    Ok(found.map(|(turn, modes)| {
        for doubt in &modes.doubts {
            complain(&format!("{key} = {value}: {doubt}"));
        }
        kept(value, &turn, &modes.modes)
    }))
}

fn kept(value: &str, turn: &SteadyTurn, modes: &[Mode]) -> Row {
    let mut frequencies: Vec<[f64; 2]> = modes
        .iter()
        .filter(|mode| mode.kind == ModeKind::Oscillation)
        .map(|mode| [mode.frequency, mode.damping])
        .collect();
    frequencies.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let unstable = modes.iter().filter(|mode| mode.unstable).count();
    Row { value: value.to_owned(), speed: turn.speed, modes: frequencies, unstable }
}

fn csv(key: &str, rows: &[Row], count: usize) -> String {
    let mut text = format!("{key},speed_rad_s,unstable_modes");
    for k in 1..=count {
        text += &format!(",frequency_{k}_Hz,damping_{k}");
    }
    text.push('\n');
    for row in rows {
        text += &format!("{},{:?},{}", row.value, row.speed, row.unstable);
        for k in 0..count {
            let [frequency, damping] = row.modes.get(k).copied().unwrap_or([f64::NAN; 2]);
            text += &format!(",{frequency:?},{damping:?}");
        }
        text.push('\n');
    }
    text
}

/// Frequencies over the speed of rotation, with its multiples; over the key if nothing turns.
fn figure(key: &str, rows: &[Row], count: usize) -> Figure {
    let turns = rows.iter().any(|row| row.speed > 0.0);
    let x = |row: &Row| match turns {
        true => row.speed / TAU,
        false => row.value.parse().unwrap_or(f64::NAN),
    };
    let label = if turns { "speed, turns per second" } else { key };
    let mut figure = Figure::new("frequencies", Axis::linear(label), Axis::linear("frequency, Hz"));
    figure.size = (900, 520);
    for k in 0..count {
        let points: Vec<(f64, f64)> =
            rows.iter().filter_map(|row| Some((x(row), row.modes.get(k)?[0]))).collect();
        figure = figure.with(Series::marked(format!("{}", k + 1), points));
    }
    if turns {
        let (mut top, mut fast) = (0.0_f64, 0.0_f64);
        for row in rows {
            fast = fast.max(x(row));
            top = row.modes.iter().take(count).fold(top, |m, mode| m.max(mode[0]));
        }
        for k in 1..=HARMONICS {
            let end = fast.min(top / k as f64);
            let line = vec![(0.0, 0.0), (end, k as f64 * end)];
            figure = figure.with(Series::guide(format!("{k} × speed"), line));
        }
    }
    figure
}
