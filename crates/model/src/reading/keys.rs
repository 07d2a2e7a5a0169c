//! The table of what a model file may contain: sections, keys, and what their values must be.
//!
//! Each kind of model file has one such table. It is read by the checker, by the overrides of the
//! command line and by the schema, so that what is checked is what is documented.

/// What a value must be.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A text in quotes.
    Text,
    /// True or false.
    Boolean,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A number, or a formula of parameters in quotes.
    Number,
    /// So many numbers.
    Numbers(usize),
    /// Any number of numbers.
    List,
    /// Lists of numbers.
    Rows,
    /// Any number of names.
    Names,
    /// A number for each of some names that the user chooses.
    Named,
    /// A direction: `"x"`, `"-y"` or three numbers.
    Direction,
    /// A number, or a formula in quotes.
    Formula,
    /// Three of them.
    Formulas,
    /// The name of something in the model.
    Name,
    /// Two names.
    Pair,
    /// True, false, a name or pattern, or a list of them.
    Choice,
    /// At least two lists of so many numbers.
    Points(usize),
    /// A name, or at least two lists of two numbers.
    NameOrPoints,
    /// One moment, three principal moments, a 3×3 matrix, or a table of six.
    Inertia,
    /// A table with keys of its own.
    Table(&'static [Key]),
    /// Such a table, or a text that stands for its first key.
    TextOrTable(&'static [Key]),
    /// Such a table, or a number that stands for its first key.
    NumberOrTable(&'static [Key]),
}

/// A key of a table.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// What its value must be.
    pub kind: Kind,
    /// Whether it must be there.
    pub needed: bool,
    /// What it means.
    pub about: &'static str,
    /// The unit of its numbers; empty if they have none.
    pub unit: &'static str,
    /// What it is if it is left out; empty if that is said in words, or nothing.
    pub default: &'static str,
}

/// A key that may be left out.
pub const fn key(name: &'static str, kind: Kind, about: &'static str) -> Key {
    Key { name, kind, needed: false, about, unit: "", default: "" }
}

/// A key that must be there.
pub const fn needed(name: &'static str, kind: Kind, about: &'static str) -> Key {
    Key { needed: true, ..key(name, kind, about) }
}

/// The keys of two lists together.
pub const fn join<const N: usize>(first: &[Key], second: &[Key]) -> [Key; N] {
    let mut all = [key("", Kind::Text, ""); N];
    let mut k = 0;
    while k < N {
        all[k] = if k < first.len() { first[k] } else { second[k - first.len()] };
        k += 1;
    }
    all
}

impl Key {
    /// The key with the unit of its numbers.
    pub const fn unit(self, unit: &'static str) -> Key {
        Key { unit, ..self }
    }

    /// What it means, with its default.
    pub(crate) fn described(&self) -> String {
        match self.default {
            "" => self.about.to_owned(),
            default => format!("{} Default {}.", self.about, default.trim_end_matches(".0")),
        }
    }
}

/// What the entries of a section look like.
#[derive(Clone, Copy, Debug)]
pub enum Entries {
    /// `name = formula` with names chosen by the user.
    Formulas,
    /// `name = formula` where the names are those of other things; those left out are zero.
    FormulasOf,
    /// `[section.NAME]` with names chosen by the user and these keys.
    Tables(&'static [Key]),
    /// The same, where a plain formula stands for the first key.
    FormulasOrTables(&'static [Key]),
    /// `[section.NAME.SECTION…]` with names chosen by the user and the sections of a part.
    Parts,
    /// `key = value`.
    Fixed(&'static [Key]),
    /// The keys of [`rotula_dae::Settings`].
    Solve,
}

impl Entries {
    /// The key that a plain value stands for.
    pub(crate) fn short(&self) -> Option<&'static str> {
        match self {
            Entries::FormulasOrTables(keys) => Some(keys.first()?.name),
            _ => None,
        }
    }
}

/// A section of a model file.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    /// Its name.
    pub name: &'static str,
    /// What one entry is called in messages.
    pub entry: &'static str,
    /// What it is for.
    pub about: &'static str,
    /// How an entry is written.
    pub example: &'static str,
    /// What its entries look like.
    pub entries: Entries,
}

/// All that a kind of model file may contain.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// Keys outside of sections.
    pub top: &'static [Key],
    /// The sections.
    pub sections: &'static [Section],
    /// The names of those that a part may have; none if there are no parts.
    pub parts: &'static [&'static str],
}

impl Format {
    /// The section of this name.
    pub fn section(&self, name: &str) -> Option<&'static Section> {
        self.sections.iter().find(|section| section.name == name)
    }

    /// The key outside of sections of this name.
    pub fn top(&self, name: &str) -> Option<&'static Key> {
        self.top.iter().find(|key| key.name == name)
    }

    /// The names of all sections and of all keys outside of them.
    pub(crate) fn names(&self) -> Vec<&'static str> {
        let sections = self.sections.iter().map(|section| section.name);
        sections.chain(self.top.iter().map(|key| key.name)).collect()
    }
}
