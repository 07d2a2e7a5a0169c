//! Keys of tables and what their values must be: read by the checker and by the schema.

/// What a value must be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Text,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A number, or a formula of parameters in quotes.
    Number,
    /// So many numbers.
    Numbers(usize),
    /// Any number of numbers.
    List,
    /// A direction: `"x"`, `"-y"` or three numbers.
    Direction,
    /// A number, or a formula of parameters and time in quotes.
    Formula,
    /// Three of them.
    Formulas,
    /// The name of something in the model.
    Name,
    /// Two names.
    Pair,
    /// True, false or a list of names.
    Choice,
    /// At least two pairs of numbers.
    Points,
    /// One moment, three principal moments, a 3×3 matrix, or a table of six.
    Inertia,
    /// A table with keys of its own.
    Table(&'static [Key]),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    pub name: &'static str,
    pub kind: Kind,
    pub needed: bool,
    pub about: &'static str,
}

pub(crate) const fn key(name: &'static str, kind: Kind, about: &'static str) -> Key {
    Key { name, kind, needed: false, about }
}

pub(crate) const fn needed(name: &'static str, kind: Kind, about: &'static str) -> Key {
    Key { name, kind, needed: true, about }
}

/// What the entries of a section look like.
pub(crate) enum Entries {
    /// `name = formula` with names chosen by the user.
    Formulas,
    /// `[section.NAME]` with names chosen by the user and keys from these lists.
    Tables(&'static [&'static [Key]]),
    /// `key = value`.
    Fixed(&'static [Key]),
    /// The keys of [`rotula_dae::Solve`].
    Solve,
}

pub(crate) struct Section {
    pub name: &'static str,
    /// What one entry is called in messages.
    pub entry: &'static str,
    pub about: &'static str,
    /// How an entry is written.
    pub example: &'static str,
    pub entries: Entries,
}
