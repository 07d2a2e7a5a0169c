//! Where a model file speaks of what a diagnosis names, and what stands at a place.

use rotula_dae::{Diagnosis, Failure};
use rotula_reading::{Document, Item, Table, Value};
use std::ops::Range;

/// How diagnoses introduce the entries of a section.
const NOUNS: [(&str, &[&str]); 8] = [
    ("constraint", &["constraint"]),
    ("nonholonomic", &["constraint"]),
    ("coordinates", &["coordinate", "motion of", "correction of"]),
    ("state", &["state"]),
    ("variable", &["variable"]),
    ("input", &["variable"]),
    ("sampled", &["variable"]),
    ("latch", &["latch"]),
];

/// An entry of a section.
struct Entry<'a> {
    section: &'a str,
    key: &'a str,
    span: Range<usize>,
}

/// The place of the first thing that the diagnosis names; if it names none, that of `[solve]`, or of whatever
/// the file begins with. None only if nothing is in the file.
pub fn locate(document: &Document, diagnosis: &Diagnosis) -> Option<Range<usize>> {
    let entries = entries(document);
    let sentences = || std::iter::once(&diagnosis.message).chain(&diagnosis.evidence);
    let by = |mentioned: fn(&str, &Entry) -> Option<usize>| {
        sentences().find_map(|sentence| {
            let found =
                entries.iter().filter_map(|entry| mentioned(sentence, entry).map(|at| (at, entry)));
            // the earliest in the sentence; of those, the longest name
            let first = found.min_by_key(|(at, entry)| (*at, usize::MAX - entry.key.len()));
            first.map(|(_, entry)| entry.span.clone())
        })
    };
    let solve = || solve_key(&entries, diagnosis);
    let anything = || entries.first().map(|entry| entry.span.clone());
    match diagnosis.failure == Failure::Unsupported {
        true => solve().or_else(anything),
        false => by(mentioned).or_else(|| by(named)).or_else(solve).or_else(anything),
    }
}

/// The place of a section; where it could be written, at the end, if it is not there.
pub fn section(document: &Document, name: &str) -> Range<usize> {
    let end = document.source.text.trim_end().len();
    document.table.entry(name).map_or(end..end, |entry| entry.place.span.clone())
}

/// The dotted key that stands at a place, or whose value does: `body.crank.mass`. None outside of keys.
pub fn key_at(document: &Document, span: &Range<usize>) -> Option<String> {
    key_in(&document.table, span).map(|path| path.join("."))
}

fn key_in(table: &Table, span: &Range<usize>) -> Option<Vec<String>> {
    let within = |outer: &Range<usize>| outer.start <= span.start && span.end <= outer.end;
    for entry in &table.entries {
        let below = inside(&entry.item, span);
        let here = within(&entry.place.span) || within(&entry.item.place.span);
        if let Some(rest) = below.or_else(|| here.then(Vec::new)) {
            return Some(std::iter::once(entry.key.clone()).chain(rest).collect());
        }
    }
    None
}

/// The key within a value.
fn inside(item: &Item, span: &Range<usize>) -> Option<Vec<String>> {
    match &item.value {
        Value::Table(table) => key_in(table, span),
        Value::List(items) => items.iter().find_map(|item| inside(item, span)),
        _ => None,
    }
}

/// A setting that does not fit: the key named by the message or a remedy, and else the formulation.
fn solve_key(entries: &[Entry], diagnosis: &Diagnosis) -> Option<Range<usize>> {
    let mut words = std::iter::once(&diagnosis.message).chain(&diagnosis.remedies);
    let solve = || entries.iter().filter(|entry| entry.section == "solve");
    let named = words.find_map(|sentence| {
        solve().find(|entry| {
            let key = entry.key;
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
    if ["joint", "motion", "body"].contains(&entry.section) {
        return sentence.find(&format!("{}: ", entry.key)).filter(|at| {
            let before = sentence[..*at].chars().next_back();
            !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
        });
    }
    let (_, nouns) = NOUNS.iter().find(|(section, _)| *section == entry.section)?;
    nouns.iter().find_map(|noun| sentence.find(&format!("{noun} `{}`", entry.key)))
}

/// Where a sentence has the name of a thing, alone or before a dot or colon.
fn named(sentence: &str, entry: &Entry) -> Option<usize> {
    if entry.section == "solve" {
        return None;
    }
    let found = sentence.match_indices(entry.key).find(|(at, key)| {
        let name = |c: char| c.is_alphanumeric() || c == '_';
        let before = sentence[..*at].chars().next_back();
        let after = sentence[at + key.len()..].chars().next();
        before.is_some_and(|c| c == '`') && !after.is_some_and(name)
    });
    found.map(|(at, _)| at)
}

fn entries(document: &Document) -> Vec<Entry<'_>> {
    let sections = document.table.entries.iter();
    let inner = sections.flat_map(|section| {
        let entries = document.table.section(&section.key).iter();
        entries.map(|entry| Entry {
            section: &section.key,
            key: &entry.key,
            span: entry.place.span.clone(),
        })
    });
    let mut entries: Vec<_> = inner.collect();
    entries.sort_by_key(|entry| entry.span.start);
    entries
}

#[cfg(test)]
mod tests {
    use super::{key_at, locate};
    use rotula_dae::{Diagnosis, Failure};
    use rotula_reading::Document;

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
        let span = locate(&Document::parse(TEXT, "").unwrap(), &diagnosis)?;
        Some(TEXT[..span.start].lines().count() + 1)
    }

    #[test]
    fn keys_are_found_at_their_places() {
        let text = "a = 1\n[body.crank]\nmass = 2\nat = [0, 1]\n[j]\np = { q = { r = 3 } }\n";
        let key = |part: &str| {
            let start = text.find(part).unwrap();
            key_at(&Document::parse(text, "").unwrap(), &(start..start + part.len()))
        };
        assert_eq!(key("a").as_deref(), Some("a"));
        assert_eq!(key("mass").as_deref(), Some("body.crank.mass"));
        assert_eq!(key("2").as_deref(), Some("body.crank.mass"));
        assert_eq!(key("1]").as_deref(), Some("body.crank.at"));
        assert_eq!(key("crank").as_deref(), Some("body.crank"));
        assert_eq!(key("3").as_deref(), Some("j.p.q.r"));
    }

    #[test]
    fn names_in_diagnoses_are_found() {
        let finite = Failure::NotFinite;
        assert_eq!(line(finite.clone(), "not finite: force.x: 1/0", ""), Some(5));
        assert_eq!(line(finite.clone(), "derivative of force.xx by x", ""), Some(6));
        assert_eq!(line(finite.clone(), "seen at coordinate `xx`", ""), Some(3));
        assert_eq!(line(finite.clone(), "violates constraint `rod` by 1", ""), Some(8));
        assert_eq!(line(finite.clone(), "a force on `rod` is odd", ""), Some(8));
        // what names nothing is a matter of how the model is run
        assert_eq!(line(finite, "nothing is named", ""), Some(10));
        let unsupported = Failure::Unsupported;
        assert_eq!(line(unsupported.clone(), "no", "set `coefficients = 1`"), Some(11));
        assert_eq!(line(unsupported, "no", "change it"), Some(10));
    }
}
