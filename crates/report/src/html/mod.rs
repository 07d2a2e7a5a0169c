//! The report: one page that needs nothing but a browser.

mod beside;
mod diagnosis;
mod escape;
mod figures;
mod live;
mod modes;
mod panel;
mod peaks;
mod script;
mod study;
mod value;

pub use beside::beside;
pub use live::{Live, LiveModel};
pub use modes::{ModePage, write_modes};
pub use study::{Chart, ChartSeries, StudyCase, StudyPage, study_page};

use crate::atomic;
use crate::columns;
use crate::encode::encode;
use crate::error::Error;
use crate::floors::Floors;
use crate::numbers::{digits, precise, written};
use crate::panels::panels;
use crate::run::Run;
use crate::verification::Difference;
use crate::words;
use escape::{escape, fill, script_json};
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;

const TEMPLATE: &str = include_str!("../../assets/report.html");
const STYLE: &str = concat!(
    include_str!("../../assets/colours.css"),
    include_str!("../../assets/layout.css"),
    include_str!("../../assets/panels.css"),
    include_str!("../../assets/view.css"),
);

const PLAYGROUND: &str = include_str!("../../assets/live/playground.html");
const ANIMATION: &str = include_str!("../../assets/animation.html");

/// Writes a report that opens in any browser, also without a network.
///
/// Curves are thinned so that the page stays small; extremes survive. Write the table of the
/// trajectory as well, for the full data.
pub fn write_report(path: &Path, run: &Run) -> Result<(), Error> {
    columns::blocks(path, run)?;
    let page = page(run, None);
    atomic::write(path, |file| file.write_all(page.as_bytes()))
}

/// The text of a report.
pub fn report(run: &Run) -> Result<String, Error> {
    columns::blocks(Path::new("report.html"), run)?;
    Ok(page(run, None))
}

/// Writes a report that can run its model anew, changed by the reader.
pub fn write_live_report(path: &Path, run: &Run, live: &Live) -> Result<(), Error> {
    columns::blocks(path, run)?;
    let page = page(run, Some(live));
    atomic::write(path, |file| file.write_all(page.as_bytes()))
}

/// Writes a page without a run, in which models are changed and run.
pub fn write_playground(path: &Path, title: &str, live: &Live) -> Result<(), Error> {
    let style = STYLE.to_owned() + live::STYLE;
    let page = fill(
        PLAYGROUND,
        &[
            ("policy", live::OPEN),
            ("title", &escape(title)),
            ("style", &style),
            ("live", &live::markup(live)),
        ],
    );
    atomic::write(path, |file| file.write_all(page.as_bytes()))
}

fn page(run: &Run, live: Option<&Live>) -> String {
    let mut panels = panels(run);
    // a plot of one instant would be a dot
    let mut instant = String::new();
    if let [t] = run.trajectory.times[..] {
        instant =
            panel::values(&panels, &format!("{}{}", precise(t), words::unit(&run.units.time)));
        panels.clear();
    }
    let status = match run.diagnosis {
        None => "<span class=\"status done\">completed</span>",
        Some(_) => "<span class=\"status failed\">stopped early</span>",
    };
    let model = run
        .model_file
        .as_deref()
        .map_or(String::new(), |file| format!("<code>{}</code> · ", escape(file)));
    let chosen = run.trajectory.coordinates.as_deref().unwrap_or_default();
    let story = format!(
        "<p>{} {} {}</p><p>{}</p>",
        words::system(run),
        words::method(run),
        with_code(chosen),
        escape(&words::steps(run))
    );
    let nothing = match panels.is_empty() && instant.is_empty() {
        true => "<p class=\"note\">No instants were recorded.</p>",
        false => "",
    };
    let floors = Floors::of(run);
    let data = script_json(&encode(run, &panels, &floors));
    let (policy, style) = match live {
        None => (live::CLOSED, STYLE.to_owned()),
        Some(_) => (live::OPEN, STYLE.to_owned() + live::STYLE),
    };
    fill(
        TEMPLATE,
        &[
            ("title", &escape(&run.title)),
            ("policy", policy),
            ("style", &style),
            ("status", status),
            ("model", &model),
            ("program", &escape(&run.program)),
            ("diagnosis", &diagnosis::markup(run)),
            ("story", &story),
            ("figures", &figures::key_figures(run, &floors)),
            (
                "animation",
                if run.film.is_some_and(|film| !film.times.is_empty()) { ANIMATION } else { "" },
            ),
            ("contents", &panel::contents(&panels)),
            ("panels", &(panel::sections(&panels) + &instant + nothing)),
            ("details", &details(run)),
            ("data", &data),
            ("script", script::PAGE),
            ("live", &live.map_or_else(String::new, live::markup)),
        ],
    )
}

/// Everything that only some readers want, folded away.
fn details(run: &Run) -> String {
    let (statistics, audit) = (json!(run.trajectory.statistics), json!(run.trajectory.audit));
    let mut parts = vec![
        ("Settings in force", json!(run.settings)),
        ("Statistics", statistics),
        ("Audit", audit),
        ("Balance of forces", json!(run.trajectory.balance)),
    ];
    if run.initial != Value::Null {
        parts.insert(0, ("Initial state", run.initial.clone()));
    }
    if run.hot_spots != Value::Null {
        parts.insert(0, ("Highest von Mises stress", run.hot_spots.clone()));
    }
    let folded = |(title, value): &(&str, Value)| {
        let content = value::markup(value);
        format!("<details><summary>{title}</summary><div>{content}</div></details>")
    };
    verification(run) + &parts.iter().map(folded).collect::<String>()
}

/// A sentence in which names stand between backquotes, with its numbers as people write them.
fn with_code(sentence: &str) -> String {
    let parts = sentence.split('`').enumerate();
    let markup = |(k, part): (usize, &str)| match k % 2 {
        0 => escape(&written(part)),
        _ => format!("<code>{}</code>", escape(part)),
    };
    parts.map(markup).collect()
}

/// How far a stricter run differs: sentences, and the columns that differ most.
fn verification(run: &Run) -> String {
    const MOST: usize = 25;
    let Some(verification) = run.verification else { return String::new() };
    let sentences = verification.sentences(&digits);
    let sentences: String =
        sentences.iter().map(|sentence| format!("<p>{}</p>", with_code(sentence))).collect();
    let row = |difference: &Difference| {
        json!({
            "column": difference.column,
            "difference": difference.difference,
            "largest_value": difference.scale,
            "unit": difference.unit,
            "relative": difference.relative,
            "at_t": difference.time,
            "rms": difference.rms,
            "digits": difference.digits,
        })
    };
    let worst: Vec<Value> = verification.differences.iter().take(MOST).map(row).collect();
    let more = match verification.differences.len().saturating_sub(MOST) {
        0 => String::new(),
        more => {
            format!("<p>and {more} columns that differ less; <code>verify.csv</code> has all</p>")
        }
    };
    let table = if worst.is_empty() { String::new() } else { value::markup(&Value::Array(worst)) };
    format!(
        "<details open><summary>Verification</summary><div>{sentences}{table}{more}</div></details>"
    )
}
