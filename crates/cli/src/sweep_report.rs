//! A page about a sweep: how its runs ended, and response curves of what was read.

use crate::numbers::{counted, short};
use crate::sweep_table::{value, value_names};
use rotula_report::{Axis, Figure, Marker, Series, Stroke};
use rotula_study::sweep::{Case, Row};

/// More pictures than this help nobody.
const MOST: usize = 24;

/// Rows of the table of all runs in the page; the files have the rest.
const MOST_ROWS: usize = 500;

/// Light and dark, narrow and wide, on paper: figures stay white.
const STYLE: &str = "\
:root { color-scheme: light dark; --line: #8884; --faint: #8882 }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
h1 { margin-bottom: .2em } h2 { margin-top: 2em }
figure { margin: 1rem 0; padding: .5rem; background: white; border: 1px solid var(--line); border-radius: 6px; break-inside: avoid }
svg { display: block; max-width: 100%; height: auto }
.wide { overflow-x: auto } table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums }
th, td { padding: .25rem .7rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap }
th:first-child, td:first-child, .text { text-align: left } th { background: var(--faint) }
.bad { color: #c33 } summary { cursor: pointer; margin: 1rem 0 }
@media print { body { max-width: none } details { display: none } }";

/// The page as HTML that needs nothing else.
pub(crate) fn page(title: &str, cases: &[Case], rows: &[&Row]) -> String {
    let sections = [
        ending(rows),
        varied(cases),
        failures(cases, rows),
        responses(cases, rows),
        all(cases, rows),
    ];
    html(&format!("Sweep of {title}"), &sections.concat())
}

/// A page that needs nothing else, with a title and what is below it.
pub(crate) fn html(title: &str, body: &str) -> String {
    let title = escaped(title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n<h1>{title}</h1>\n{body}</html>\n"
    )
}

fn ending(rows: &[&Row]) -> String {
    let bad = rows.iter().filter(|row| row.status != "done").count();
    let seconds: f64 = rows.iter().map(|row| row.wall_seconds).filter(|s| s.is_finite()).sum();
    let end = match bad {
        0 => "all reached the end".to_owned(),
        1 => "1 did not reach the end".to_owned(),
        bad => format!("{bad} did not reach the end"),
    };
    let (count, seconds) = (counted(rows.len(), "run"), short(seconds));
    format!(
        "<p>{count}, {end}; {seconds} s of computing in all. The table is in <a \
         href=\"sweep.parquet\">sweep.parquet</a> and <a href=\"sweep.csv\">sweep.csv</a>.</p>\n"
    )
}

/// The keys, with the range or the words they ran over.
fn varied(cases: &[Case]) -> String {
    let mut body = String::new();
    for (k, (key, _)) in cases.iter().take(1).flatten().enumerate() {
        let mut words: Vec<&str> = cases.iter().map(|case| case[k].1.as_str()).collect();
        words.sort_unstable();
        words.dedup();
        let numbers: Option<Vec<f64>> = words.iter().map(|word| word.parse().ok()).collect();
        let over = match numbers {
            Some(numbers) if numbers.len() > 1 => {
                let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
                let most = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                format!("{} to {}", short(least), short(most))
            }
            _ => escaped(&words[..words.len().min(MOST)].join(", ")),
        };
        let key = escaped(key);
        let count = words.len();
        body += &format!("<tr><td>{key}<td>{count}<td class=text>{over}</tr>\n");
    }
    format!(
        "<h2>What was varied</h2>\n<div class=wide><table>\n<tr><th>key<th>values<th class=text>\
         from … to</tr>\n{body}</table></div>\n"
    )
}

fn failures(cases: &[Case], rows: &[&Row]) -> String {
    let bad: Vec<(&Case, &&Row)> =
        cases.iter().zip(rows).filter(|(_, row)| row.status != "done").collect();
    if bad.is_empty() {
        return String::new();
    }
    let mut body = "<h2>Runs that did not reach the end</h2>\n<ul>\n".to_owned();
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
    if bad.len() > MOST {
        body += &format!("<li>and {} more, in the table</li>\n", bad.len() - MOST);
    }
    body + "</ul>\n"
}

fn responses(cases: &[Case], rows: &[&Row]) -> String {
    let figures = figures(cases, rows);
    if figures.is_empty() {
        return String::new();
    }
    let pictures: String =
        figures.iter().map(|figure| format!("<figure>{}</figure>\n", figure.to_svg())).collect();
    format!("<h2>Responses</h2>\n{pictures}")
}

/// Every run, behind a click.
fn all(cases: &[Case], rows: &[&Row]) -> String {
    let names = value_names(rows);
    let cell = |text: &str| format!("<td>{}", escaped(text));
    let keys = cases.iter().take(1).flatten().map(|(key, _)| key.as_str());
    let heads = keys.chain(["status"]).chain(names.iter().map(String::as_str));
    let mut body: String = heads.map(|head| format!("<th>{}", escaped(head))).collect();
    body += "</tr>\n";
    for (case, row) in cases.iter().zip(rows).take(MOST_ROWS) {
        body += if row.status == "done" { "<tr>" } else { "<tr class=bad>" };
        body.extend(case.iter().map(|(_, value)| cell(value)));
        body += &cell(&row.status);
        body.extend(names.iter().map(|name| cell(&short(value(row, name)))));
        body += "</tr>\n";
    }
    let shown = match rows.len() > MOST_ROWS {
        true => format!("The first {MOST_ROWS} runs"),
        false => "All runs".to_owned(),
    };
    format!(
        "<details><summary>{shown}</summary><div class=wide><table>\n<tr>{body}</table></div>\
         </details>\n"
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
    // in the order of the runs, which is that of the values
    let mut curves: Vec<(String, Vec<(f64, f64)>)> = Vec::new();
    for (case, row) in cases.iter().zip(rows).filter(|(_, row)| row.status == "done") {
        let x = case[key].1.parse().unwrap_or(f64::NAN);
        let Some((_, y)) = row.values.iter().find(|(known, _)| known == name) else { continue };
        let others = case.iter().enumerate().filter(|(k, _)| *k != key);
        let label: Vec<String> =
            others.map(|(_, (key, value))| format!("{key} = {value}")).collect();
        let label = label.join(", ");
        match curves.iter_mut().find(|(known, _)| *known == label) {
            Some((_, points)) => points.push((x, *y)),
            None => curves.push((label, vec![(x, *y)])),
        }
    }
    let word = cases.first().map_or("", |case| case[key].0.as_str());
    let mut figure =
        Figure::new(format!("{name} over {word}"), Axis::linear(word), Axis::linear(name));
    figure.size = (900, 420);
    let scattered = curves.len() > 8 || curves.iter().all(|(_, points)| points.len() == 1);
    if scattered {
        let points = curves.into_iter().flat_map(|(_, points)| points).collect();
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
        for part in [
            "A &amp; B",
            "3 runs, 1 did not",
            "no &lt;mass&gt;",
            "m = 0, L = 5",
            "<td>m<td>3<td class=text>0 to 2",
            "x.last over m",
            "<svg",
            "<tr class=bad>",
        ] {
            assert!(page.contains(part), "{part} is not in\n{page}");
        }
        assert!(!page.contains("x.last over L"));
    }
}
