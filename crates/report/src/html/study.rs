//! The page of a study: charts of many cases, each point of which can be picked.

use super::escape::{escape, fill, script_json};
use super::live::CLOSED;
use super::{STYLE, script};
use crate::numbers::written;
use serde_json::{Value, json};

const TEMPLATE: &str = include_str!("../../assets/study.html");
const STUDY_STYLE: &str = include_str!("../../assets/study.css");

/// Many cases of one model on a page.
pub struct StudyPage<'a> {
    /// Title of the page.
    pub title: &'a str,
    /// File of the model.
    pub model_file: &'a str,
    /// Name and version of the program.
    pub program: &'a str,
    /// What is to be read first, as HTML.
    pub above: &'a str,
    /// The charts.
    pub charts: &'a [Chart],
    /// The cases that points stand for.
    pub cases: &'a [StudyCase],
    /// What comes after the charts, as HTML; a row of a table with `data-case="K"` picks a case.
    pub below: &'a str,
}

/// A chart with one axis of values.
#[derive(Clone, Debug)]
pub struct Chart {
    /// Its heading.
    pub title: String,
    /// Name and unit of the axis to the right.
    pub x: [String; 2],
    /// Name and unit of the axis upward.
    pub y: [String; 2],
    /// Its curves.
    pub series: Vec<ChartSeries>,
}

/// A curve, or loose points.
#[derive(Clone, Debug)]
pub struct ChartSeries {
    /// Its name.
    pub name: String,
    /// Its points; those that are no numbers are left out.
    pub points: Vec<(f64, f64)>,
    /// The case of each point, or nothing for a line that only guides the eye.
    pub cases: Option<Vec<usize>>,
    /// Points that are not joined by lines.
    pub loose: bool,
}

/// A case: what is said when it is picked.
#[derive(Clone, Debug)]
pub struct StudyCase {
    /// What makes it this case.
    pub name: String,
    /// Names and values.
    pub facts: Vec<[String; 2]>,
    /// The command that computes it alone; empty if there is none.
    pub command: String,
}

/// The text of a page that needs nothing but a browser.
pub fn study_page(page: &StudyPage) -> String {
    let facts = |case: &StudyCase| -> Vec<[String; 2]> {
        let mut facts = case.facts.clone();
        facts.iter_mut().for_each(|[_, value]| *value = written(value));
        facts
    };
    let cases = page
        .cases
        .iter()
        .map(|case| json!({ "name": case.name, "facts": facts(case), "command": case.command }));
    let data = json!({
        "time": "",
        "grids": [],
        "charts": page.charts.iter().map(chart).collect::<Vec<_>>(),
        "cases": cases.collect::<Vec<_>>(),
    });
    fill(
        TEMPLATE,
        &[
            ("policy", CLOSED),
            ("title", &escape(page.title)),
            ("style", &(STYLE.to_owned() + STUDY_STYLE)),
            ("model", &format!("<code>{}</code> · ", escape(page.model_file))),
            ("program", &escape(page.program)),
            ("above", page.above),
            ("below", page.below),
            ("data", &script_json(&data)),
            ("script", script::STUDY),
        ],
    )
}

fn chart(chart: &Chart) -> Value {
    let axis = |[name, unit]: &[String; 2]| json!({ "name": name, "unit": unit });
    let series = chart.series.iter().map(|series| {
        let kept = |k: &usize| series.points[*k].0.is_finite() && series.points[*k].1.is_finite();
        let kept: Vec<usize> = (0..series.points.len()).filter(kept).collect();
        let of = |part: fn(&(f64, f64)) -> f64| -> Vec<f64> {
            kept.iter().map(|k| part(&series.points[*k])).collect()
        };
        let mut value = json!({
            "name": series.name,
            "x": of(|point| point.0),
            "y": of(|point| point.1),
        });
        match &series.cases {
            Some(cases) => value["cases"] = kept.iter().map(|k| cases[*k]).collect(),
            None => value["guide"] = true.into(),
        }
        if series.loose {
            value["loose"] = true.into();
        }
        value
    });
    json!({
        "title": chart.title,
        "x": axis(&chart.x),
        "y": axis(&chart.y),
        "series": series.collect::<Vec<_>>(),
    })
}
