//! The gallery as a chapter of the book: a page per document, and a list of all entries.

use crate::files::write_text;
use crate::messages::Fault;
use crate::numbers::{counted, short};
use crate::pages;
use rotula_gallery::{Entry, Finished, PrintedTable};
use std::path::Path;

/// What the keys of documents stand for.
const DOCUMENTS: [(&str, &str); 9] = [
    ("000", "The generalized-α method, Dymore note"),
    ("001", "Jay and Negrut: SOI2"),
    ("002", "Brüls, Acary and Cardona: nonsmooth generalized-α"),
    ("003", "Negrut, Ottarsson, Rampalli and Sajdak: HHT index 3"),
    ("004", "Yen, Petzold and Raha: DAE-α"),
    ("ivp", "Test set for initial value problems"),
    ("mechanisms", "Benchmarks of mechanisms"),
    ("contact", "Invariants of contact"),
    ("own", "Own problems"),
];

/// Writes `README.md` and a page for each document into a directory.
pub(crate) fn write(
    directory: &Path,
    entries: &[Entry],
    finished: &[Finished],
) -> Result<(), Fault> {
    let pairs: Vec<_> = entries.iter().zip(finished).collect();
    write_text(&directory.join("README.md"), &list(&pairs))?;
    for (entry, finished) in &pairs {
        pages::write_curves(directory, entry, finished)?;
    }
    for (key, title) in DOCUMENTS {
        let of_document = pairs.iter().filter(|(entry, _)| entry.document == key);
        let parts: Vec<String> = of_document
            .map(|(entry, finished)| lowered(&pages::of_entry(entry, finished)))
            .collect();
        if !parts.is_empty() {
            let page = format!("# {title}\n\n{}", parts.join("\n"));
            write_text(&directory.join(format!("{key}.md")), &page)?;
        }
    }
    Ok(())
}

fn list(pairs: &[(&Entry, &Finished)]) -> String {
    let checks: usize = pairs.iter().map(|(_, finished)| finished.checks.len()).sum();
    let passed = pairs.iter().filter(|(_, finished)| finished.status == "pass").count();
    let rows = pairs.iter().map(|(entry, finished)| {
        vec![
            format!("`{}`", entry.name),
            format!("[{0}]({0}.md)", entry.document),
            entry.title.to_owned(),
            finished.checks.len().to_string(),
            worst(finished).map_or("bounds only".to_owned(), short),
            finished.status.to_owned(),
        ]
    });
    let columns = ["entry", "document", "title", "checks", "worst", "result"];
    let table = pages::table(&PrintedTable {
        title: String::new(),
        columns: columns.map(str::to_owned).to_vec(),
        rows: rows.collect(),
    });
    format!(
        "# Published numbers beside ours\n\nWritten by `rotula gallery run --all --chapter DIR`: {} with {}, \
         {passed} passed. The column \"worst\" is the largest deviation over its tolerance among the checks of an \
         entry that have one; an entry passes below 1, if all its bounds hold as well.\n\n{table}",
        match pairs.len() {
            1 => "1 entry".to_owned(),
            n => format!("{n} entries"),
        },
        counted(checks, "check"),
    )
}

/// Largest deviation over its tolerance, if there are checks with one.
fn worst(finished: &Finished) -> Option<f64> {
    let near = finished.checks.iter().filter(|check| check.tolerance > 0.0);
    near.map(|check| (check.value - check.expected).abs() / check.tolerance).reduce(f64::max)
}

/// Headings one level lower, outside of blocks of code, as part of a longer page.
fn lowered(page: &str) -> String {
    let mut code = false;
    let lines = page.lines().map(|line| {
        code ^= line.starts_with("```");
        match line.starts_with('#') && !code {
            true => format!("#{line}\n"),
            false => format!("{line}\n"),
        }
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::{DOCUMENTS, lowered};

    #[test]
    fn every_document_has_a_page() {
        for entry in rotula_gallery::entries() {
            let known = DOCUMENTS.iter().any(|(key, _)| *key == entry.document);
            assert!(known, "{}: document {} has no page", entry.name, entry.document);
        }
    }

    #[test]
    fn headings_sink_but_not_comments() {
        assert_eq!(lowered("# A\n```sh\n# no\n```\n## B\n"), "## A\n```sh\n# no\n```\n### B\n");
    }
}
