//! Which names a model declares, and the symbols they stand for.

use crate::document::{Entry, Table};
use crate::error::ModelError;
use crate::scope::{Kinds, Scope};
use rotula_formula::{Expression, is_reserved};
use std::collections::HashMap;

/// The symbols of all unknowns, in the order of the contract.
pub(crate) struct Symbols {
    pub t: Expression,
    pub q: Vec<Expression>,
    pub v: Vec<Expression>,
    pub vdot: Vec<Expression>,
    pub multipliers: Vec<Expression>,
    pub x: Vec<Expression>,
    pub xdot: Vec<Expression>,
    pub y: Vec<Expression>,
}

impl Symbols {
    /// All symbols in the order in which programs take them.
    pub(crate) fn inputs(&self) -> Vec<Expression> {
        let arrays =
            [&self.q, &self.v, &self.vdot, &self.multipliers, &self.x, &self.xdot, &self.y];
        std::iter::once(self.t).chain(arrays.into_iter().flatten().copied()).collect()
    }
}

/// Checks every declared name.
pub(crate) fn check_names(document: &Table) -> Result<(), ModelError> {
    // names that formulas use bare, then those that stand behind `lambda.`, then those of curves
    for group in [
        &["parameters", "define", "coordinates", "state", "variable"][..],
        &["constraint", "nonholonomic", "gap"],
        &["coordinates", "state", "variable", "output"],
    ] {
        let mut seen: HashMap<&str, &str> = HashMap::new();
        for &section in group {
            for entry in document.section(section) {
                check_identifier(entry)?;
                if let Some(other) = seen.insert(&entry.key, section) {
                    let message = format!("the name `{}` is taken already in [{other}]", entry.key);
                    let help = format!("choose another name in [{section}]");
                    return Err(ModelError::new(&entry.place, message).with_help(help));
                }
            }
        }
    }
    Ok(())
}

fn check_identifier(entry: &Entry) -> Result<(), ModelError> {
    let name = entry.key.as_str();
    if name == "t" {
        let message = "`t` is the time and can name nothing else";
        return Err(ModelError::new(&entry.place, message).with_help("choose another name"));
    }
    if is_reserved(name) {
        let message = format!("`{name}` is a word of the formula language");
        return Err(ModelError::new(&entry.place, message).with_help("choose another name"));
    }
    let mut letters = name.chars();
    let sound = letters.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && letters.all(|c| c.is_alphanumeric() || c == '_');
    if sound {
        return Ok(());
    }
    let message = format!("`{name}` cannot be used as a name");
    let help = "names begin with a letter and go on with letters, digits and `_`";
    Err(ModelError::new(&entry.place, message).with_help(help))
}

/// Creates the symbols of all unknowns.
pub(crate) fn declare(document: &Table, scope: &mut Scope) -> Symbols {
    let t = scope.declare("t", Kinds::TIME);
    let mut each = |section: &str, form: &dyn Fn(&str) -> String, kind: Kinds| -> Vec<Expression> {
        let entries = document.section(section).iter();
        entries.map(|entry| scope.declare(&form(&entry.key), kind)).collect()
    };
    let bare = |name: &str| name.to_owned();
    let prime = |name: &str| format!("{name}'");
    let multiplier = |name: &str| format!("lambda.{name}");
    let mut symbols = Symbols {
        t,
        q: each("coordinates", &bare, Kinds::COORDINATE),
        v: each("coordinates", &prime, Kinds::VELOCITY),
        vdot: each("coordinates", &|name| format!("{name}''"), Kinds::ACCELERATION),
        multipliers: each("constraint", &multiplier, Kinds::MULTIPLIER),
        x: each("state", &bare, Kinds::STATE),
        xdot: each("state", &prime, Kinds::RATE),
        y: each("variable", &bare, Kinds::VARIABLE),
    };
    symbols.multipliers.extend(each("nonholonomic", &multiplier, Kinds::MULTIPLIER));
    symbols
}
