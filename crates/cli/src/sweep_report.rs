//! Pages about many cases; that of a sweep: how its runs ended, and response curves of what was read.

use crate::numbers::{counted, short};
use crate::run::PROGRAM;
use crate::sweep_table::{value, value_names};
use rotula_report::{Chart, ChartSeries, StudyCase, StudyPage, study_page};
use rotula_study::sweep::{Case, Row};

/// More pictures than this help nobody.
const MOST: usize = 24;

/// Rows of the table of all runs in the page; the files have the rest.
const MOST_ROWS: usize = 500;

/// What a page is about.
pub(crate) struct About<'a> {
    /// Title of the page.
    pub title: &'a str,
    /// Its model.
    pub model: &'a crate::args::ModelChoice,
}

impl About<'_> {
    /// The command that computes a case alone.
    pub(crate) fn command(&self, words: &str, case: &[(String, String)]) -> String {
        let mut command = format!("rotula {words} {}", quoted(&self.model.file.to_string_lossy()));
        for (key, value) in self.model.overrides.iter().chain(case) {
            command += &format!(" --set {}", quoted(&format!("{key}={value}")));
        }
        command
    }

    /// The page as HTML that needs nothing else.
    pub(crate) fn page(
        &self,
        above: &str,
        charts: &[Chart],
        cases: &[StudyCase],
        below: &str,
    ) -> String {
        study_page(&StudyPage {
            title: self.title,
            model_file: &self.model.file.to_string_lossy(),
            program: PROGRAM,
            above,
            charts,
            cases,
            below,
        })
    }
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./=:,+@%".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// The page of a sweep.
pub(crate) fn page(about: &About, cases: &[Case], rows: &[&Row]) -> String {
    let above = ending(rows) + &varied(cases) + &failures(cases, rows);
    let charts = charts(cases, rows);
    let studied: Vec<StudyCase> = cases
        .iter()
        .zip(rows)
        .map(|(case, row)| {
            let mut facts = vec![["status".to_owned(), row.status.clone()]];
            if !row.message.is_empty() {
                facts.push(["message".into(), row.message.clone()]);
            }
            facts.extend(row.values.iter().map(|(name, value)| [name.clone(), short(*value)]));
            StudyCase { name: named(case), facts, command: about.command("run", case) }
        })
        .collect();
    about.page(&above, &charts, &studied, &all(cases, rows))
}

/// What makes a case this one.
fn named(case: &Case) -> String {
    let values: Vec<String> = case.iter().map(|(key, value)| format!("{key} = {value}")).collect();
    values.join(", ")
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
        "<h2>What was varied</h2>\n<div class=wide><table class=records>\n<tr><th>key<th>values<th class=text>\
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
        body += &format!(
            "<li><b>{}</b>, at t = {}: {}</li>\n",
            escaped(&named(case)),
            short(row.reached),
            escaped(&row.message)
        );
    }
    if bad.len() > MOST {
        body += &format!("<li>and {} more, in the table</li>\n", bad.len() - MOST);
    }
    body + "</ul>\n"
}

/// Every run, behind a click.
fn all(cases: &[Case], rows: &[&Row]) -> String {
    let names = value_names(rows);
    let cell = |text: &str| format!("<td>{}", escaped(text));
    let keys = cases.iter().take(1).flatten().map(|(key, _)| key.as_str());
    let heads = keys.chain(["status"]).chain(names.iter().map(String::as_str));
    let mut body: String = heads.map(|head| format!("<th>{}", escaped(head))).collect();
    body += "</tr>\n";
    for (k, (case, row)) in cases.iter().zip(rows).take(MOST_ROWS).enumerate() {
        let class = if row.status == "done" { "" } else { " class=bad" };
        body += &format!("<tr data-case=\"{k}\"{class}>");
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
        "<section><details><summary>{shown}</summary><div class=wide><table class=records>\n<tr>{body}\
         </table></div></details></section>\n"
    )
}

/// What was read against each key whose values are numbers; a curve per combination of the others,
/// or points where every run has its own.
fn charts(cases: &[Case], rows: &[&Row]) -> Vec<Chart> {
    let keys = cases.first().map_or(0, Vec::len);
    let numeric =
        |k: usize| cases.iter().all(|case| case[k].1.parse::<f64>().is_ok_and(f64::is_finite));
    let varies = |k: usize| cases.iter().any(|case| case[k].1 != cases[0][k].1);
    let mut charts = Vec::new();
    for name in value_names(rows) {
        for key in (0..keys).filter(|k| numeric(*k) && varies(*k)) {
            if charts.len() == MOST {
                return charts;
            }
            charts.push(chart(&name, key, cases, rows));
        }
    }
    charts
}

/// Abscissa, ordinate and number of a case.
type Point = (f64, f64, usize);

fn chart(name: &str, key: usize, cases: &[Case], rows: &[&Row]) -> Chart {
    // in the order of the runs, which is that of the values
    let mut curves: Vec<(String, Vec<Point>)> = Vec::new();
    let done = cases.iter().zip(rows).enumerate().filter(|(_, (_, row))| row.status == "done");
    for (number, (case, row)) in done {
        let x = case[key].1.parse().unwrap_or(f64::NAN);
        let Some((_, y)) = row.values.iter().find(|(known, _)| known == name) else { continue };
        let others = case.iter().enumerate().filter(|(k, _)| *k != key);
        let label: Vec<String> =
            others.map(|(_, (key, value))| format!("{key} = {value}")).collect();
        let label = label.join(", ");
        match curves.iter_mut().find(|(known, _)| *known == label) {
            Some((_, points)) => points.push((x, *y, number)),
            None => curves.push((label, vec![(x, *y, number)])),
        }
    }
    let loose = curves.len() > 8 || curves.iter().all(|(_, points)| points.len() == 1);
    if loose {
        let points = curves.into_iter().flat_map(|(_, points)| points).collect();
        curves = vec![(String::new(), points)];
    }
    let series = curves.into_iter().map(|(name, mut points)| {
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        ChartSeries {
            name,
            points: points.iter().map(|(x, y, _)| (*x, *y)).collect(),
            cases: Some(points.iter().map(|(.., case)| *case).collect()),
            loose,
        }
    });
    let word = cases.first().map_or("", |case| case[key].0.as_str());
    Chart {
        title: format!("{name} over {word}"),
        x: [word.to_owned(), String::new()],
        y: [name.to_owned(), String::new()],
        series: series.collect(),
    }
}

pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::{About, page};
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
        let model = crate::args::ModelChoice {
            file: "a model.toml".into(),
            overrides: vec![("solve.until".into(), "2".into())],
        };
        let about = About { title: "A & B", model: &model };
        let page = page(&about, &cases, &rows.iter().collect::<Vec<_>>());
        for part in [
            "A &amp; B",
            "3 runs, 1 did not",
            "no &lt;mass&gt;",
            "m = 0, L = 5",
            "<td>m<td>3<td class=text>0 to 2",
            "x.last over m",
            "\"cases\":[0,1]",
            "rotula run 'a model.toml' --set solve.until=2 --set m=2 --set L=5",
            "<tr data-case=\"2\" class=bad>",
        ] {
            assert!(page.contains(part), "{part} is not in\n{page}");
        }
        assert!(!page.contains("x.last over L"));
    }
}
