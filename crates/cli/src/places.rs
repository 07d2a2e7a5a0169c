//! Where a model file speaks of what a diagnosis names.

use rotula_dae::{Diagnosis, Failure};
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// How diagnoses introduce the entries of a section.
const NOUNS: [(&str, &[&str]); 5] = [
    ("constraint", &["constraint"]),
    ("nonholonomic", &["constraint"]),
    ("coordinates", &["coordinate", "motion of", "correction of"]),
    ("state", &["state"]),
    ("variable", &["variable"]),
];

/// An entry of a section.
struct Entry {
    section: String,
    key: String,
    span: Range<usize>,
}

/// The place of the first thing that the diagnosis names, if the file has it.
pub(crate) fn locate(text: &str, diagnosis: &Diagnosis) -> Option<Range<usize>> {
    let entries = entries(text);
    let sentences = std::iter::once(&diagnosis.message).chain(&diagnosis.evidence);
    if diagnosis.failure == Failure::Unsupported {
        return solve_key(&entries, diagnosis);
    }
    sentences.into_iter().find_map(|sentence| {
        let found =
            entries.iter().filter_map(|entry| mentioned(sentence, entry).map(|at| (at, entry)));
        // the earliest in the sentence; of those, the longest name
        let first = found.min_by_key(|(at, entry)| (*at, usize::MAX - entry.key.len()));
        first.map(|(_, entry)| entry.span.clone())
    })
}

/// The place of a section, or of its first entry.
pub(crate) fn section(text: &str, name: &str) -> Option<Range<usize>> {
    let entries = entries(text);
    let entry = entries.into_iter().find(|entry| entry.section == name);
    entry.map(|entry| entry.span)
}

/// A setting that does not fit: the key named by the message or a remedy, and else the formulation.
fn solve_key(entries: &[Entry], diagnosis: &Diagnosis) -> Option<Range<usize>> {
    let mut words = std::iter::once(&diagnosis.message).chain(&diagnosis.remedies);
    let solve = || entries.iter().filter(|entry| entry.section == "solve");
    let named = words.find_map(|sentence| {
        solve().find(|entry| {
            let key = entry.key.as_str();
            sentence.contains(&format!("`{key}`")) || sentence.contains(&format!("`{key} ="))
        })
    });
    let formulation = || solve().find(|entry| entry.key == "formulation");
    let entry = named.or_else(formulation).or_else(|| solve().next())?;
    Some(entry.span.clone())
}

/// Where a sentence speaks of an entry: as `section.key`, or by noun and name.
fn mentioned(sentence: &str, entry: &Entry) -> Option<usize> {
    let path = format!("{}.{}", entry.section, entry.key);
    let by_path = sentence.match_indices(&path).find(|(at, path)| {
        let name = |c: char| c.is_alphanumeric() || c == '_';
        let before = sentence[..*at].chars().next_back();
        let after = sentence[at + path.len()..].chars().next();
        !before.is_some_and(name) && !after.is_some_and(name)
    });
    if let Some((at, _)) = by_path {
        return Some(at);
    }
    // a mechanism names its equations `pin: offset along x`
    if ["joint", "motion", "body"].contains(&entry.section.as_str()) {
        return sentence.find(&format!("{}: ", entry.key)).filter(|at| {
            let before = sentence[..*at].chars().next_back();
            !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
        });
    }
    let (_, nouns) = NOUNS.iter().find(|(section, _)| *section == entry.section)?;
    nouns.iter().find_map(|noun| sentence.find(&format!("{noun} `{}`", entry.key)))
}

fn entries(text: &str) -> Vec<Entry> {
    let Ok(document) = DeTable::parse(text) else {
        return Vec::new();
    };
    let mut entries = Vec::new();
    for (section, item) in document.get_ref() {
        let DeValue::Table(table) = item.get_ref() else {
            continue;
        };
        entries.extend(table.iter().map(|(key, _)| Entry {
            section: section.get_ref().to_string(),
            key: key.get_ref().to_string(),
            span: key.span(),
        }));
    }
    entries.sort_by_key(|entry| entry.span.start);
    entries
}

#[cfg(test)]
mod tests {
    use super::locate;
    use rotula_dae::{Diagnosis, Failure};

    const TEXT: &str = "[coordinates]\nx = 1\nxx = 2\n[force]\nx = 3\nxx = 4\n[constraint]\nrod = 5\n\
                        [solve]\nuntil = 1\ncoefficients = 2\n";

    fn line(failure: Failure, message: &str, remedy: &str) -> Option<usize> {
        let diagnosis = Diagnosis {
            failure,
            t: 0.0,
            message: message.into(),
            evidence: Vec::new(),
            remedies: vec![remedy.into()],
        };
        let span = locate(TEXT, &diagnosis)?;
        Some(TEXT[..span.start].lines().count() + 1)
    }

    #[test]
    fn names_in_diagnoses_are_found() {
        let finite = Failure::NotFinite;
        assert_eq!(line(finite.clone(), "not finite: force.x: 1/0", ""), Some(5));
        assert_eq!(line(finite.clone(), "derivative of force.xx by x", ""), Some(6));
        assert_eq!(line(finite.clone(), "seen at coordinate `xx`", ""), Some(3));
        assert_eq!(line(finite.clone(), "violates constraint `rod` by 1", ""), Some(8));
        assert_eq!(line(finite, "nothing is named", ""), None);
        let unsupported = Failure::Unsupported;
        assert_eq!(line(unsupported.clone(), "no", "set `coefficients = 1`"), Some(11));
        assert_eq!(line(unsupported, "no", "change it"), Some(10));
    }
}
