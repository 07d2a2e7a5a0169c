//! A page about a sweep: how its runs ended, and response curves of what was read.

use crate::numbers::{counted, short};
use crate::sweep_table::value_names;
use rotula_report::{Axis, Figure, Marker, Series, Stroke};
use rotula_study::sweep::{Case, Row};
use std::collections::BTreeMap;

/// More pictures than this help nobody.
const MOST: usize = 24;

/// The page as HTML that needs nothing else.
pub(crate) fn page(title: &str, cases: &[Case], rows: &[&Row]) -> String {
    let bad: Vec<(&Case, &&Row)> =
        cases.iter().zip(rows).filter(|(_, row)| row.status != "done").collect();
    let mut body = format!(
        "<p>{}, of which {} did not reach the end.</p>\n",
        counted(rows.len(), "run"),
        bad.len()
    );
    if !bad.is_empty() {
        body += "<h2>Runs that did not reach the end</h2>\n<ul>\n";
        for (case, row) in bad.iter().take(MOST) {
            let values: Vec<String> =
                case.iter().map(|(key, value)| format!("{key} = {value}")).collect();
            body += &format!(
                "<li><b>{}</b>, at t = {}: {}</li>\n",
                escaped(&values.join(", ")),
                short(row.reached),
                escaped(&row.message)
            );
        }
        body += "</ul>\n";
    }
    for figure in figures(cases, rows) {
        body += &format!("<figure>{}</figure>\n", figure.to_svg());
    }
    html(&format!("Sweep of {title}"), &body)
}

/// A page that needs nothing else, with a title and what is below it.
pub(crate) fn html(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
         <style>body {{ font-family: sans-serif; max-width: 960px; margin: 2em auto; padding: 0 1em }} \
         figure {{ margin: 1em 0; background: white }} svg {{ max-width: 100%; height: auto }}</style>\n\
         <h1>{title}</h1>\n{body}</html>\n",
        title = escaped(title)
    )
}

/// What was read against each key whose values are numbers; a curve per combination of the others,
/// or points where every run has its own.
fn figures(cases: &[Case], rows: &[&Row]) -> Vec<Figure> {
    let keys = cases.first().map_or(0, Vec::len);
    let numeric =
        |k: usize| cases.iter().all(|case| case[k].1.parse::<f64>().is_ok_and(f64::is_finite));
    let varies = |k: usize| cases.iter().any(|case| case[k].1 != cases[0][k].1);
    let mut figures = Vec::new();
    for name in value_names(rows) {
        for key in (0..keys).filter(|k| numeric(*k) && varies(*k)) {
            if figures.len() == MOST {
                return figures;
            }
            figures.push(figure(&name, key, cases, rows));
        }
    }
    figures
}

fn figure(name: &str, key: usize, cases: &[Case], rows: &[&Row]) -> Figure {
    let mut curves: BTreeMap<String, Vec<(f64, f64)>> = BTreeMap::new();
    for (case, row) in cases.iter().zip(rows).filter(|(_, row)| row.status == "done") {
        let x = case[key].1.parse().unwrap_or(f64::NAN);
        let Some((_, y)) = row.values.iter().find(|(known, _)| known == name) else { continue };
        let others = case.iter().enumerate().filter(|(k, _)| *k != key);
        let label: Vec<String> =
            others.map(|(_, (key, value))| format!("{key} = {value}")).collect();
        curves.entry(label.join(", ")).or_default().push((x, *y));
    }
    let word = cases.first().map_or("", |case| case[key].0.as_str());
    let mut figure =
        Figure::new(format!("{name} over {word}"), Axis::linear(word), Axis::linear(name));
    figure.size = (900, 420);
    let scattered = curves.len() > 8 || curves.values().all(|points| points.len() == 1);
    if scattered {
        let points = curves.into_values().flatten().collect();
        let series = Series::line("", points).stroke(Stroke::None);
        return figure.with(Series { marker: Marker::Automatic, ..series });
    }
    for (label, mut points) in curves {
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        figure = figure.with(Series::marked(label, points));
    }
    figure
}

pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::page;
    use rotula_study::sweep::{Row, refused};

    #[test]
    fn a_page_shows_curves_and_failures() {
        let case = |m: &str, l: &str| vec![("m".to_owned(), m.to_owned()), ("L".into(), l.into())];
        let done = |x: f64| Row {
            status: "done".into(),
            values: vec![("x.last".into(), x)],
            ..Row::default()
        };
        let rows = [done(1.0), done(2.0), refused("no <mass>")];
        let cases = [case("1", "5"), case("2", "5"), case("0", "5")];
        let page = page("A & B", &cases, &rows.iter().collect::<Vec<_>>());
        for part in
            ["A &amp; B", "3 runs", "no &lt;mass&gt;", "m = 0, L = 5", "x.last over m", "<svg"]
        {
            assert!(page.contains(part), "{part} is not in\n{page}");
        }
        assert!(!page.contains("x.last over L"));
    }
}
