//! The gallery as Markdown: a page per entry.

use crate::files::write_text;
use crate::messages::Fault;
use crate::numbers::{precise, short};
use rotula_gallery::{Entry, Finished, PrintedTable};
use std::path::Path;

/// Writes `NAME.md` into a directory.
pub(crate) fn write(directory: &Path, entry: &Entry, finished: &Finished) -> Result<(), Fault> {
    let path = directory.join(format!("{}.md", entry.name));
    write_text(&path, &of_entry(entry, finished))
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
    for printed in &finished.findings.tables {
        page += &format!("\n## {}\n\n{}", printed.title, table(printed));
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
    use super::page;
    use rotula_gallery::{Entry, Findings, Finished};

    #[test]
    fn a_page_holds_text_tables_checks_and_notes() {
        let entry = Entry { name: "one", document: "own", title: "One", run: |_| Ok(()) };
        let mut findings = Findings::default();
        findings.near("sum |a|", 1.0, 1.0, 0.1);
        findings.table("Orders", &["h", "order"], vec![vec!["0.1".into(), "2".into()]]);
        findings.note("a remark");
        let finished = Finished {
            name: "one".into(),
            document: "own".into(),
            status: "pass",
            checks: findings.checks.clone(),
            error: None,
            findings,
        };
        let page = page(&entry, &finished, Some("# A text\n\nWords.\n"));
        for part in
            ["# A text", "| h | order |", "| sum \\|a\\| | 1 | 1 | 0 |", "- a remark", "**pass**"]
        {
            assert!(page.contains(part), "{part} is not in\n{page}");
        }
    }
}
