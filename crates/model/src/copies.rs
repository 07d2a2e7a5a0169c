//! `[use.NAME]`: copies of parts, placed, turned, mirrored and numbered.
//!
//! Copies are made of sections before anything is built: a body `plate` of the part that `[use.link]` names becomes the body
//! `link.plate`, or `link[7].plate` of the eighth of many. Names of bodies, joints and the like are written out in full;
//! formulas stay as they are written, and their places say which copy they belong to, in which [`Scope`] finds what they mean.

use crate::body::frame;
use crate::fields::Fields;
use crate::orientation::ORIENTATION;
use crate::path::{Path, Paths};
use crate::placed::Placed;
use crate::reading::keys::{Entries, Key, Kind, join};
use crate::reading::{
    Copied, Entry, Item, Kinds, ModelError, Own, Place, Scope, Table, Value, did_you_mean, order,
};
use crate::sections::FORMAT;
use crate::table::{Count, Name, Named, Text, Vector, table, words};
use nalgebra::Vector3;
use std::collections::HashSet;
use std::sync::Arc;

words! {
    /// The axis along which a mirror image is taken.
    Mirror { X = "x", Y = "y", Z = "z" }
}

table! {
    /// Copies of a part.
    UseWords {
        /// Where the origin of the part is. Default zero.
        optional at: Vector, "m";
        /// A mirror image: this coordinate of the part changes its sign before it is turned and placed. Angles and displacements of joints are mirrored with it.
        optional mirror: Mirror;
        /// Values of parameters of the part, such as { length = 0.3 }, or formulas of `i`. Default what the part says.
        optional set: Named;
    }
    besides {
        /// The part, of which this is a copy.
        needed part: Name;
        /// So many copies, NAME[0], NAME[1], …; formulas know the number of each as `i`, and `count`. Default one, called NAME.
        optional count: Count;
        /// A copy for every piece of a `[path]`, on it and along it, instead of a count. Formulas know the length of a piece as `pitch`, how far along the path it is as `way`, and the `curvature` there. `at` and an orientation then place the whole path.
        optional path: Name;
        /// What it is.
        optional description: Text;
    }
}

/// All keys of a use.
pub(crate) const USE: &[Key] =
    &join::<{ UseWords::KEYS.len() + ORIENTATION.len() }>(UseWords::KEYS, &ORIENTATION);

/// Sections that a part may have.
pub(crate) const PARTS: &[&str] = &[
    "parameters",
    "define",
    "body",
    "beam",
    "flexible",
    "cable",
    "bar",
    "frame",
    "joint",
    "motion",
    "spring",
    "force",
    "load",
    "bushing",
    "tyre",
    "contact",
    "clearance",
    "coupling",
    "sensor",
    "variable",
    "input",
    "sampled",
    "latch",
    "state",
    "controller",
    "part",
    "use",
];

/// Sections whose names formulas use without a dot.
const SIGNALS: [&str; 9] = [
    "parameters",
    "define",
    "sensor",
    "variable",
    "input",
    "sampled",
    "latch",
    "state",
    "controller",
];

/// Sections whose things have things of their own behind a dot, such as nodes and springs.
const HOMES: [&str; 6] = ["use", "beam", "flexible", "cable", "bar", "joint"];

/// More copies than this are a mistake: each takes some tens of kilobytes.
const MOST: usize = 100_000;

/// Parts may contain others this deep.
const DEEPEST: usize = 64;

/// The document with all copies written out; parameters are in the scope, and those of copies come to it.
pub(crate) fn expand(
    mut document: Table,
    paths: &Paths,
    scope: &mut Scope,
) -> Result<Table, ModelError> {
    if document.entry("part").is_none() && document.entry("use").is_none() {
        return Ok(document);
    }
    let mut expansion = Expansion { scope, paths, made: Vec::new(), copies: 0 };
    expansion.uses(&document, &[&document], &mut Vec::new(), None)?;
    let Expansion { made, scope, .. } = expansion;
    document.entries.retain(|entry| !matches!(entry.key.as_str(), "part" | "use"));
    for section in &mut document.entries {
        let Some(keys) = FORMAT.section(&section.key).map(|section| section.entries) else {
            continue;
        };
        if let Value::Table(table) = &mut section.item.value {
            for entry in &mut table.entries {
                write_out(&mut entry.item, keys_of(keys), None, scope)?;
            }
        }
    }
    for (section, entries) in made {
        let Some(first) = entries.first() else { continue };
        if document.entry(section).is_none() {
            let place = first.place.clone();
            let item = Item { place: place.clone(), value: Value::Table(Table::default()) };
            document.entries.push(Entry { key: section.to_owned(), place, item });
        }
        if let Some(Value::Table(table)) =
            document.entry_mut(section).map(|entry| &mut entry.item.value)
        {
            table.entries.extend(entries);
        }
    }
    Ok(document)
}

/// The kind of an entry of a section.
fn keys_of(entries: Entries) -> Kind {
    match entries {
        Entries::Tables(keys) | Entries::FormulasOrTables(keys) => Kind::Table(keys),
        _ => Kind::Formula,
    }
}

/// A part that is being copied: its name and its sections.
type Open<'a> = (&'a str, *const Table);

struct Expansion<'s> {
    scope: &'s mut Scope,
    paths: &'s Paths,
    /// Entries of sections that copies brought, by section.
    made: Vec<(&'static str, Vec<Entry>)>,
    copies: usize,
}

impl Expansion<'_> {
    /// Makes all copies that a model or part asks for; `parts` are the tables in which parts are found, the nearest last.
    fn uses<'a>(
        &mut self,
        table: &'a Table,
        parts: &[&'a Table],
        open: &mut Vec<Open<'a>>,
        outer: Option<&Arc<Copied>>,
    ) -> Result<(), ModelError> {
        for entry in table.section("use") {
            self.one_use(entry, parts, open, outer)?;
        }
        Ok(())
    }

    fn one_use<'a>(
        &mut self,
        entry: &Entry,
        parts: &[&'a Table],
        open: &mut Vec<Open<'a>>,
        outer: Option<&Arc<Copied>>,
    ) -> Result<(), ModelError> {
        let mut plain = entry.clone();
        settle_entry(&mut plain, outer);
        let Some(fields) = Fields::of("use", &plain) else { return Ok(()) };
        let name = fields.get("part").cloned().ok_or_else(|| fields.misses("part"))?;
        let (part_name, part) = find(&name, parts)?;
        if let Some(at) = open.iter().position(|(_, other)| std::ptr::eq(*other, part)) {
            let mut way: Vec<&str> = open[at..].iter().map(|(name, _)| *name).collect();
            way.push(part_name);
            let message = format!("the part `{part_name}` contains itself: {}", way.join(" → "));
            return Err(ModelError::new(&name.place, message)
                .with_help("let parts use others in one direction only"));
        }
        if open.len() > DEEPEST {
            let message = format!("parts contain others more than {DEEPEST} deep");
            return Err(ModelError::new(&name.place, message).with_help("use fewer levels"));
        }
        fields.refuse_together(&["count", "path"])?;
        let path = fields.get("path").map(|name| path(name, self.paths)).transpose()?;
        let count = match path {
            Some(path) => Some(path.count()),
            None => fields.count("count", self.scope)?,
        };
        let own = Arc::new(names(part));
        let parameters = order(part.section("parameters"), "the parameter")?;
        let prefix = outer.map_or(String::new(), |outer| format!("{}.", outer.path));
        open.push((part_name, part));
        for index in 0..count.unwrap_or(1) {
            self.copies += 1;
            if self.copies > MOST {
                let message = format!("the model has more than {MOST} copies of parts");
                return Err(ModelError::new(&entry.place, message)
                    .with_help("check the counts of copies within copies"));
            }
            let name = match count {
                Some(_) => format!("{prefix}{}[{index}]", entry.key),
                None => format!("{prefix}{}", entry.key),
            };
            let number = Number { index, count, path };
            let [asking, copy] =
                self.copy(entry, name, number, (part_name, part), own.clone(), outer)?;
            self.parameters(part, &parameters, &copy, entry, &asking)?;
            self.contents(part, &copy)?;
            let mut inner = parts.to_vec();
            inner.push(part);
            self.uses(part, &inner, open, Some(&copy))?;
        }
        open.pop();
        Ok(())
    }

    /// One copy, where the use puts it. The first is what the keys of the use know: the index, but not the names of the part.
    fn copy(
        &mut self,
        entry: &Entry,
        path: String,
        number: Number,
        (part_name, part): (&str, &Table),
        own: Arc<Own>,
        outer: Option<&Arc<Copied>>,
    ) -> Result<[Arc<Copied>; 2], ModelError> {
        let asking = Arc::new(Copied {
            path: path.clone(),
            used: entry.place.clone(),
            outer: outer.cloned(),
            own: Arc::default(),
            constants: number.constants(),
            placement: outer.map(|outer| outer.placement).unwrap_or_default(),
        });
        let mut plain = entry.clone();
        settle_entry(&mut plain, Some(&asking));
        let fields = Fields::of("use", &plain).expect("the checker has seen a table");
        let given = UseWords::read(fields.clone(), self.scope)?;
        let mirror = given.mirror.map(|mirror| match mirror {
            Mirror::X => Vector3::x(),
            Mirror::Y => Vector3::y(),
            Mirror::Z => Vector3::z(),
        });
        let known: Vec<&str> =
            part.section("parameters").iter().map(|entry| entry.key.as_str()).collect();
        for set in given.set.unwrap_or_default() {
            if !known.contains(&set.key.as_str()) {
                let message = format!("the part `{part_name}` has no parameter `{}`", set.key);
                let help = match known.is_empty() {
                    true => format!("give it some in [part.{part_name}.parameters]"),
                    false => did_you_mean(&set.key, known),
                };
                return Err(ModelError::new(&set.place, message).with_help(help));
            }
        }
        let mut at = frame(&fields, given.at, self.scope)?;
        if let Some(path) = number.path {
            at = at * path.frame(number.index);
        }
        let placement = Placed::of(&plain.place).within(&at, mirror);
        let mut constants = asking.constants.clone();
        constants.push(("side", placement.flip.iter().product()));
        let (used, outer) = (entry.place.clone(), outer.cloned());
        let copy = Arc::new(Copied { path, used, outer, own, constants, placement });
        Ok([asking, copy])
    }

    /// Puts the parameters of a copy into the scope.
    fn parameters(
        &mut self,
        part: &Table,
        ordered: &[usize],
        copy: &Arc<Copied>,
        entry: &Entry,
        asking: &Arc<Copied>,
    ) -> Result<(), ModelError> {
        let entries = part.section("parameters");
        for index in ordered {
            let Entry { key, item, .. } = &entries[*index];
            let set = match entry.item.field("set", None).map(|item| &item.value) {
                Some(Value::Table(set)) => set.get(key),
                _ => None,
            };
            let mut item = set.unwrap_or(item).clone();
            // what a use sets is said where the use stands
            settle(&mut item, Some(if set.is_some() { asking } else { copy }));
            let name = format!("{}.{key}", copy.path);
            let value = self.scope.constant(&item, &name)?;
            let constant = self.scope.graph.constant(value);
            self.scope.define(&name, (constant, Kinds::CONSTANT));
        }
        Ok(())
    }

    /// Writes the sections of a copy out.
    fn contents(&mut self, part: &Table, copy: &Arc<Copied>) -> Result<(), ModelError> {
        for section in &part.entries {
            let Some(format) = FORMAT.section(&section.key) else { continue };
            if matches!(format.name, "parameters" | "part" | "use") {
                continue;
            }
            let Value::Table(table) = &section.item.value else { continue };
            let at = match self.made.iter().position(|(name, _)| *name == format.name) {
                Some(at) => at,
                None => {
                    self.made.push((format.name, Vec::new()));
                    self.made.len() - 1
                }
            };
            for entry in &table.entries {
                let mut entry = entry.clone();
                settle_entry(&mut entry, Some(copy));
                entry.key = format!("{}.{}", copy.path, entry.key);
                write_out(&mut entry.item, keys_of(format.entries), Some(copy), self.scope)?;
                self.made[at].1.push(entry);
            }
        }
        Ok(())
    }
}

/// Which of several copies one is.
#[derive(Clone, Copy)]
struct Number<'a> {
    index: usize,
    /// How many there are; none of a single one.
    count: Option<usize>,
    /// Along which they are laid.
    path: Option<&'a Path>,
}

impl Number<'_> {
    /// What formulas of a copy know of it.
    fn constants(&self) -> Vec<(&'static str, f64)> {
        let Some(count) = self.count else { return Vec::new() };
        let mut known = vec![("i", self.index as f64), ("count", count as f64)];
        known.extend(self.path.iter().flat_map(|path| path.numbers(self.index)));
        known
    }
}

/// The path of this name.
fn path<'a>(name: &Item, paths: &'a Paths) -> Result<&'a Path, ModelError> {
    let word = name.text().unwrap_or_default();
    paths.get(word).ok_or_else(|| {
        let error = ModelError::new(&name.place, format!("there is no path `{word}`"));
        error.with_help(match paths.is_empty() {
            true => format!("add `[path.{word}]` with its wheels"),
            false => did_you_mean(word, paths.keys().map(String::as_str).collect()),
        })
    })
}

/// The part of this name, in the nearest table that has it.
fn find<'a>(name: &Item, parts: &[&'a Table]) -> Result<(&'a str, &'a Table), ModelError> {
    let word = name.text().unwrap_or_default();
    let all = || parts.iter().rev().flat_map(|table| table.section("part"));
    for entry in all() {
        if let (true, Value::Table(part)) = (entry.key == word, &entry.item.value) {
            return Ok((&entry.key, part));
        }
    }
    let known: Vec<&str> = all().map(|entry| entry.key.as_str()).collect();
    let error = ModelError::new(&name.place, format!("there is no part `{word}`"));
    Err(error.with_help(match known.is_empty() {
        true => format!("add `[part.{word}.body.NAME]`, or `[part.{word}] file = \"….toml\"`"),
        false => did_you_mean(word, known),
    }))
}

/// What a part names.
fn names(part: &Table) -> Own {
    let keys = |section: &str| {
        part.section(section).iter().map(|entry| entry.key.clone()).collect::<Vec<_>>()
    };
    let things =
        PARTS.iter().filter(|section| !matches!(**section, "parameters" | "define" | "part"));
    Own {
        things: things.flat_map(|section| keys(section)).collect::<HashSet<_>>(),
        homes: HOMES.iter().flat_map(|section| keys(section)).collect(),
        signals: SIGNALS.iter().flat_map(|section| keys(section)).collect(),
    }
}

fn settle_entry(entry: &mut Entry, copy: Option<&Arc<Copied>>) {
    settle_place(&mut entry.place, copy);
    settle(&mut entry.item, copy);
}

/// Lets all places of a tree belong to a copy.
fn settle(item: &mut Item, copy: Option<&Arc<Copied>>) {
    settle_place(&mut item.place, copy);
    match &mut item.value {
        Value::List(items) => items.iter_mut().for_each(|item| settle(item, copy)),
        Value::Table(table) => {
            table.entries.iter_mut().for_each(|entry| settle_entry(entry, copy));
        }
        _ => {}
    }
}

fn settle_place(place: &mut Place, copy: Option<&Arc<Copied>>) {
    place.copy = copy.cloned();
}

/// Writes the names of things out in full, wherever a key wants one.
fn write_out(
    item: &mut Item,
    kind: Kind,
    copy: Option<&Arc<Copied>>,
    scope: &mut Scope,
) -> Result<(), ModelError> {
    let worth = |item: &Item| item.text().is_some_and(|text| copy.is_some() || text.contains('['));
    if matches!(kind, Kind::Name) && worth(item) {
        item.value = Value::Text(scope.thing(item)?);
        return Ok(());
    }
    match (kind, &mut item.value) {
        (Kind::Pair, Value::List(items)) => {
            for item in items.iter_mut().filter(|item| worth(item)) {
                item.value = Value::Text(scope.thing(item)?);
            }
        }
        (
            Kind::Table(keys) | Kind::TextOrTable(keys) | Kind::NumberOrTable(keys),
            Value::Table(table),
        ) => {
            for entry in &mut table.entries {
                if let Some(key) = keys.iter().find(|key| key.name == entry.key) {
                    write_out(&mut entry.item, key.kind, copy, scope)?;
                }
            }
        }
        _ => {}
    }
    Ok(())
}
