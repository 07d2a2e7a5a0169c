//! The gallery as Markdown: a page per entry, with its curves beside it.

use crate::files::write_text;
use crate::messages::Fault;
use crate::numbers::{precise, short};
use rotula_gallery::{Entry, Finished, PrintedTable};
use std::fmt::Write;
use std::path::Path;

/// Writes `NAME.md` and its curves `NAME-1.svg`, … into a directory.
pub(crate) fn write(directory: &Path, entry: &Entry, finished: &Finished) -> Result<(), Fault> {
    let path = directory.join(format!("{}.md", entry.name));
    write_text(&path, &of_entry(entry, finished))?;
    write_curves(directory, entry, finished)
}

/// Writes the curves that the page of an entry shows.
pub(crate) fn write_curves(
    directory: &Path,
    entry: &Entry,
    finished: &Finished,
) -> Result<(), Fault> {
    for (k, printed) in finished.findings.figures.iter().enumerate() {
        write_text(&directory.join(curve_file(entry.name, k)), &printed.figure.to_svg())?;
    }
    Ok(())
}

fn curve_file(name: &str, k: usize) -> String {
    format!("{name}-{}.svg", k + 1)
}

/// What an entry is about and what it found.
pub(crate) fn of_entry(entry: &Entry, finished: &Finished) -> String {
    page(entry, finished, own_text(entry.name).as_deref())
}

/// The page of text that an entry may have beside its model file. It is there when the program runs in a checkout.
fn own_text(name: &str) -> Option<String> {
    std::fs::read_to_string(Path::new("gallery").join(name).join("README.md")).ok()
}

fn page(entry: &Entry, finished: &Finished, text: Option<&str>) -> String {
    let mut page = match text {
        Some(text) => format!("{}\n", text.trim_end()),
        None => format!("# {}\n", entry.title),
    };
    page += &format!(
        "\nEntry `{}`, document {}: **{}**.\n",
        entry.name, entry.document, finished.status
    );
    if let Some(error) = &finished.error {
        page += &format!("\n```text\n{error}\n```\n");
    }
    let curves = |page: &mut String, tables: usize| {
        for (k, printed) in finished.findings.figures.iter().enumerate() {
            if printed.tables == tables {
                // brackets would end the text
                let title = printed.figure.title.replace(['[', ']'], "");
                let _ = write!(page, "\n![{title}]({})\n", curve_file(entry.name, k));
            }
        }
    };
    curves(&mut page, 0);
    for (k, printed) in finished.findings.tables.iter().enumerate() {
        page += &format!("\n## {}\n\n{}", printed.title, table(printed));
        curves(&mut page, k + 1);
    }
    if !finished.checks.is_empty() {
        let rows = finished.checks.iter().map(|check| {
            vec![
                check.what.clone(),
                precise(check.expected),
                precise(check.value),
                // a bound has no tolerance and says so in its name
                match check.tolerance {
                    0.0 => String::new(),
                    _ => short(check.value - check.expected),
                },
                if check.tolerance == 0.0 { "bound".into() } else { short(check.tolerance) },
                if check.ok { "ok" } else { "**fail**" }.to_owned(),
            ]
        });
        let columns = ["check", "expected", "ours", "deviation", "tolerance", ""];
        page += "\n## Checks\n\n";
        page += &table(&PrintedTable {
            title: String::new(),
            columns: columns.map(str::to_owned).to_vec(),
            rows: rows.collect(),
        });
    }
    if !finished.findings.notes.is_empty() {
        page += "\n## Notes\n\n";
        for note in &finished.findings.notes {
            page += &format!("- {note}\n");
        }
    }
    page
}

pub(crate) fn table(table: &PrintedTable) -> String {
    let line = |cells: &[String]| {
        // a bar would end the cell
        let cells: Vec<_> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let rule = "|---".repeat(table.columns.len()) + "|\n";
    let rows: String = table.rows.iter().map(|row| line(row)).collect();
    line(&table.columns) + &rule + &rows
}

#[cfg(test)]
mod tests {
    use super::{page, write_curves};
    use rotula_gallery::{Entry, Findings, Finished};
    use rotula_report::{Axis, Figure};

    #[test]
    fn a_page_holds_text_tables_checks_and_notes() {
        let entry = Entry { name: "one", document: "own", title: "One", run: |_| Ok(()) };
        let mut findings = Findings::default();
        findings.near("sum |a|", 1.0, 1.0, 0.1);
        findings.table("Orders", &["h", "order"], vec![vec!["0.1".into(), "2".into()]]);
        let figure = Figure::new("Errors [q]", Axis::log("h (s)"), Axis::log("error (m)"));
        findings.figure(figure);
        findings.note("a remark");
        let finished = Finished {
            name: "one".into(),
            document: "own".into(),
            status: "pass",
            checks: findings.checks.clone(),
            error: None,
            findings,
        };
        let directory = std::env::temp_dir().join(format!("rotula-pages-{}", std::process::id()));
        write_curves(&directory, &entry, &finished).expect("a directory for temporary files");
        let curves = std::fs::read_to_string(directory.join("one-1.svg")).expect("the curves");
        assert!(curves.starts_with("<svg") && curves.contains("error (m)"));
        std::fs::remove_dir_all(&directory).expect("our own directory");
        let page = page(&entry, &finished, Some("# A text\n\nWords.\n"));
        assert!(page.contains("| 0.1 | 2 |\n\n![Errors q](one-1.svg)\n"), "{page}");
        for part in
            ["# A text", "| h | order |", "| sum \\|a\\| | 1 | 1 | 0 |", "- a remark", "**pass**"]
        {
            assert!(page.contains(part), "{part} is not in\n{page}");
        }
    }
}
