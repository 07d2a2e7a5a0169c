//! `[output]`: which things are recorded.

use crate::beam;
use crate::offers::{ActionKind, Offer, Source};
use crate::reading::{Item, ModelError, Scope, Table, Value, did_you_mean};
use crate::sensor;
use rotula_mechanics::Model;
use rotula_mechanics::control::SensorId;
use std::collections::{HashMap, HashSet};

/// Of each kind of force so many things are recorded without being asked for; of a kind with more, none.
pub const MOST_FORCES: usize = 50;

/// Which things are recorded, by their place in the model.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    /// Bodies whose motion is recorded.
    pub bodies: Vec<usize>,
    /// Joints whose coordinates are recorded.
    pub joints: Vec<usize>,
    /// Joints whose reactions are recorded.
    pub reactions: Vec<usize>,
    /// What acts besides and is recorded.
    pub forces: Vec<Offer>,
    /// Sensors that belong to things that act, recorded or not.
    pub(crate) efforts: Vec<SensorId>,
    /// What is not recorded because there is much of it, and how to get it: a sentence per kind.
    pub left_out: Vec<String>,
    /// Units of sensors and signals, by name, where they are known.
    pub(crate) units: HashMap<String, &'static str>,
    /// Most rows of the table of contacts, if the file says so.
    pub contact_rows: Option<usize>,
}

impl Recorded {
    /// Reads the section; everything is recorded that it does not mention, but for kinds of forces of
    /// which there are many. Of beams these are the ends: `inner` nodes are recorded only by name.
    pub(crate) fn read(
        document: &Table,
        model: &Model,
        inner: &[usize],
        offers: Vec<Offer>,
        scope: &mut Scope,
    ) -> Result<Self, ModelError> {
        let bodies = model.bodies().iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>();
        let joints = model.joints().iter().map(|joint| joint.name.as_str()).collect::<Vec<_>>();
        let item = |key: &str| document.get("output").and_then(|output| output.field(key, None));
        let named = |key: &str| {
            let value = item(key).map(|item| &item.value);
            matches!(value, Some(Value::List(_) | Value::Text(_)))
        };
        // the ground has no motion
        let mut moving = chosen(item("bodies"), "body", &bodies, 1)?;
        if !named("bodies") {
            let inner: HashSet<usize> = inner.iter().copied().collect();
            moving.retain(|node| !inner.contains(node));
        }
        let mut recorded = Recorded {
            bodies: moving,
            joints: chosen(item("joints"), "joint", &joints, 0)?,
            reactions: chosen(item("reactions"), "joint", &joints, 0)?,
            contact_rows: item("contact_rows").map(|item| rows(item, scope)).transpose()?,
            units: units(document),
            ..Recorded::default()
        };
        for offer in &offers {
            if let Source::Sensors(list) = &offer.source {
                recorded.efforts.extend(list.iter().map(|(.., id)| *id));
            }
        }
        for kind in ActionKind::ALL {
            let own: Vec<&Offer> = offers.iter().filter(|offer| offer.kind == kind).collect();
            recorded.choose_forces(kind, item(kind.words().0), &own)?;
        }
        Ok(recorded)
    }

    /// What is recorded of forces, in words: a line for all that offer the same.
    pub fn forces_in_words(&self, model: &Model) -> Vec<String> {
        /// Names of a line before the rest is only counted.
        const MOST: usize = 6;
        let mut lines: Vec<(String, Vec<&str>)> = Vec::new();
        for offer in &self.forces {
            let words: Vec<&str> = offer.quantities(model).iter().map(|(word, _)| *word).collect();
            let words = words.join(", ");
            match lines.iter_mut().find(|(known, _)| *known == words) {
                Some((_, names)) => names.push(&offer.name),
                None => lines.push((words, vec![&offer.name])),
            }
        }
        let line = |(words, names): &(String, Vec<&str>)| {
            let more = match names.len() > MOST {
                true => format!(" and {} more", names.len() - MOST),
                false => String::new(),
            };
            let some = &names[..names.len().min(MOST)];
            format!("of {}{more}: {words}", some.join(", "))
        };
        lines.iter().map(line).collect()
    }

    fn choose_forces(
        &mut self,
        kind: ActionKind,
        item: Option<&Item>,
        own: &[&Offer],
    ) -> Result<(), ModelError> {
        let (key, word) = kind.words();
        if item.is_none() && own.len() > MOST_FORCES {
            let first = own.iter().take(3).map(|offer| format!("`{}`", offer.name));
            self.left_out.push(format!(
                "{} things under `{key}` ({}, …) are not recorded, because they are more than \
                 {MOST_FORCES}; write `{key} = \"*\"` under [output] for all, a list of names or \
                 patterns for some, or `{key} = false` for none",
                own.len(),
                first.collect::<Vec<_>>().join(", ")
            ));
            return Ok(());
        }
        let names: Vec<&str> = own.iter().map(|offer| offer.name.as_str()).collect();
        let chosen = chosen(item, word, &names, 0)?;
        self.forces.extend(chosen.into_iter().map(|k| own[k].clone()));
        Ok(())
    }
}

/// The units of sensors, of what is read of sections of beams and elements of cables, and of drives of joints.
fn units(document: &Table) -> HashMap<String, &'static str> {
    let mut units = HashMap::new();
    for entry in document.section("sensor") {
        let (names, unit) = sensor::units(entry);
        units.extend(names.into_iter().map(|name| (name, unit)));
    }
    let listed = |section: &'static str, key: &'static str| {
        let entries = document.section(section).iter();
        entries.flat_map(move |entry| {
            let item = entry.item.field(key, None).map(|item| &item.value);
            let list = if let Some(Value::List(list)) = item { &list[..] } else { &[] };
            list.iter().filter_map(move |item| Some((&entry.key, item.number()? as usize)))
        })
    };
    for (name, element) in listed("beam", "sections") {
        let readings = beam::readings();
        units.extend(readings.map(|(word, unit)| (format!("{name}.{word}{element}"), unit)));
    }
    for (name, element) in listed("cable", "tensions").chain(listed("bar", "tensions")) {
        units.insert(format!("{name}.n{element}"), "N");
    }
    for entry in document.section("joint") {
        units.insert(format!("{}.force", entry.key), "N");
        units.insert(format!("{}.torque", entry.key), "N m");
    }
    units
}

/// A number of rows: whole and not negative.
fn rows(item: &Item, scope: &mut Scope) -> Result<usize, ModelError> {
    let number = scope.constant(item, "output.contact_rows")?;
    if number >= 0.0 && number.fract() == 0.0 && number < 1e15 {
        return Ok(number as usize);
    }
    let message = format!("output.contact_rows is {number}");
    Err(ModelError::new(&item.place, message).with_help("it must be a whole number, 0 or more"))
}

/// The things that a value of a key chooses among those known: all of them, none, or those that names
/// and patterns fit.
fn chosen(
    item: Option<&Item>,
    what: &str,
    known: &[&str],
    first: usize,
) -> Result<Vec<usize>, ModelError> {
    let all = first..known.len();
    let patterns = match item.map(|item| (&item.value, item)) {
        Some((Value::Boolean(false), _)) => return Ok(Vec::new()),
        Some((Value::List(items), _)) => items.iter().collect(),
        Some((Value::Text(_), item)) => vec![item],
        _ => return Ok(all.collect()),
    };
    let places: HashMap<&str, usize> = all.clone().map(|k| (known[k], k)).collect();
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    for item in patterns {
        let pattern = item.text().unwrap_or_default();
        let fitting: Vec<usize> = match pattern.contains(['*', '?']) {
            true => all.clone().filter(|k| fits(pattern, known[*k])).collect(),
            false => places.get(pattern).copied().into_iter().collect(),
        };
        if fitting.is_empty() {
            let (message, help) = match pattern.contains(['*', '?']) {
                true => (
                    format!("no {what} has a name like `{pattern}`"),
                    "`*` stands for any letters, `?` for one".to_owned(),
                ),
                false => (
                    format!("there is no {what} `{pattern}`"),
                    did_you_mean(pattern, known[first..].to_vec()),
                ),
            };
            // everything of nothing is nothing
            if !(pattern == "*" && all.is_empty()) {
                return Err(ModelError::new(&item.place, message).with_help(help));
            }
        }
        found.extend(fitting.into_iter().filter(|k| seen.insert(*k)));
    }
    Ok(found)
}

/// Whether a name fits a pattern, in which `*` stands for any letters and `?` for one.
fn fits(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n) = (0, 0);
    // where the last star is, and up to where it reaches
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        if p < pattern.len() && pattern[p] == '*' {
            star = Some((p, n));
            p += 1;
        } else if p < pattern.len() && (pattern[p] == '?' || pattern[p] == name[n]) {
            (p, n) = (p + 1, n + 1);
        } else if let Some((at, reach)) = star {
            star = Some((at, reach + 1));
            (p, n) = (at + 1, reach + 1);
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|letter| *letter == '*')
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn patterns_fit_names() {
        for (pattern, name) in [("*", ""), ("*", "left"), ("l*t", "left"), ("?eft", "left")] {
            assert!(fits(pattern, name), "{pattern} does not fit {name}");
        }
        for name in ["leg1.foot", "leg12.foot", "leg.foot"] {
            assert!(fits("leg*.foot", name));
        }
        assert!(fits("*a*b*", "xxaxxbxa"));
        for (pattern, name) in [("?", ""), ("l*t", "lefty"), ("left", "lefty"), ("*b", "ba")] {
            assert!(!fits(pattern, name), "{pattern} fits {name}");
        }
    }
}
