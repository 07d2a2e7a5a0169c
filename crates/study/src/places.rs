//! Where a model file has what a diagnosis speaks of, and what stands at a place.

use rotula_dae::{Diagnosis, Subject};
use rotula_model::reading::{Document, Entry, Item, Table, Value};
use std::ops::Range;

/// The place of the first thing that the diagnosis speaks of; if the file has none of them, that of the formulation, of
/// `[solve]`, or of whatever the file begins with. None only if nothing is in the file.
pub fn locate(document: &Document, diagnosis: &Diagnosis) -> Option<Range<usize>> {
    let named = diagnosis.subjects().find_map(|subject| entry_of(document, subject));
    let formulation = || entry(document, "solve", "formulation");
    let solve = || document.table.section("solve").first();
    let anything = || {
        let sections = document.table.entries.iter();
        sections.flat_map(|section| document.table.section(&section.key)).next()
    };
    let found = named.or_else(formulation).or_else(solve).or_else(anything);
    found.map(|entry| entry.place.span.clone())
}

/// Where a subject is written.
fn entry_of<'a>(document: &'a Document, subject: &Subject) -> Option<&'a Entry> {
    let sections: &[&str] = match subject {
        Subject::Formula(path) => {
            let (section, key) = path.split_once('.')?;
            return owners(key).find_map(|key| entry(document, section, key));
        }
        Subject::Setting(key) => {
            return owners(key).find_map(|key| entry(document, "solve", key));
        }
        Subject::Coordinate(_) => &["coordinates", "body"],
        Subject::Constraint(_) => &["constraint", "nonholonomic", "joint", "motion"],
        Subject::State(_) => &["state"],
        Subject::Variable(_) => &["variable", "input", "sampled", "latch"],
        Subject::Contact(_) => &["contact"],
        Subject::Thing(_) => &[],
    };
    // a part of a thing or of a copy is written where the thing is: `pin: offset along x`, `strip.3: x`, `link[7].pin`
    owners(subject.name()).find_map(|name| {
        let likely = sections.iter().find_map(|section| entry(document, section, name));
        likely.or_else(|| {
            let others = document.table.entries.iter().filter(|section| section.key != "solve");
            others.into_iter().find_map(|section| entry(document, &section.key, name))
        })
    })
}

/// A name and those of what it may belong to, the longest first.
fn owners(name: &str) -> impl Iterator<Item = &str> {
    let part = |c: char| !c.is_alphanumeric() && c != '_';
    let ends = name.char_indices().rev().filter(move |(_, c)| part(*c)).map(|(at, _)| at);
    std::iter::once(name.len()).chain(ends).map(|end| &name[..end])
}

/// An entry of a section.
fn entry<'a>(document: &'a Document, section: &str, key: &str) -> Option<&'a Entry> {
    document.table.section(section).iter().find(|entry| entry.key == key)
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

#[cfg(test)]
mod tests {
    use super::{key_at, locate};
    use rotula_dae::{Diagnosis, Failure, Sentence, Subject};
    use rotula_model::reading::Document;

    const TEXT: &str = "[coordinates]\nx = 1\nxx = 2\n[force]\nx = 3\nxx = 4\n[constraint]\nrod = 5\n\
                        [solve]\nuntil = 1\ncoefficients = 2\n";

    fn line(subjects: &[Subject]) -> Option<usize> {
        let message = Sentence::about("something is wrong", subjects.to_vec());
        let diagnosis = Diagnosis::new(Failure::NotFinite, 0.0, message);
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
    fn what_diagnoses_speak_of_is_found() {
        let of = |kind: fn(String) -> Subject, name: &str| line(&[kind(name.into())]);
        assert_eq!(of(Subject::Formula, "force.x"), Some(5));
        assert_eq!(of(Subject::Coordinate, "xx"), Some(3));
        assert_eq!(of(Subject::Constraint, "rod"), Some(8));
        assert_eq!(of(Subject::Thing, "rod"), Some(8));
        assert_eq!(of(Subject::Constraint, "rod: offset along x"), Some(8));
        assert_eq!(of(Subject::Coordinate, "xx.3: z"), Some(3));
        assert_eq!(of(Subject::Setting, "coefficients"), Some(11));
        // the first that the file has; what is not in it is a matter of how the model is run
        assert_eq!(line(&[Subject::Thing("y".into()), Subject::State("rod".into())]), Some(8));
        assert_eq!(line(&[]), Some(10));
        assert_eq!(of(Subject::Setting, "step"), Some(10));
    }
}
