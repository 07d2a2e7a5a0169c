//! Which names a model declares, and the symbols they stand for.

use crate::equations::function::Function;
use crate::equations::install;
use crate::reading::{Kinds, ModelError, Scope, Table, check_identifier};
use rotula_formula::Expression;
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
    /// Coefficients of functions.
    pub coefficients: Vec<Expression>,
}

impl Symbols {
    /// All symbols in the order in which programs take them.
    pub(crate) fn inputs(&self) -> Vec<Expression> {
        let Symbols { t, q, v, vdot, multipliers, x, xdot, y, coefficients } = self;
        let arrays = [q, v, vdot, multipliers, x, xdot, y, coefficients];
        std::iter::once(*t).chain(arrays.into_iter().flatten().copied()).collect()
    }
}

/// Checks every declared name.
pub(crate) fn check_names(document: &Table) -> Result<(), ModelError> {
    // names that formulas use bare, then those that stand behind `lambda.`, then those of curves
    for group in [
        &["parameters", "define", "table", "coordinates", "state", "variable", "input"][..],
        &["constraint", "nonholonomic", "gap"],
        &["coordinates", "state", "variable", "input", "output"],
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

/// Creates the symbols of all unknowns.
pub(crate) fn declare(document: &Table, functions: &[Function], scope: &mut Scope) -> Symbols {
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
        y: [each("variable", &bare, Kinds::VARIABLE), each("input", &bare, Kinds::VARIABLE)]
            .concat(),
        coefficients: Vec::new(),
    };
    for name in install::constraint_names(functions) {
        symbols.multipliers.push(scope.declare(&multiplier(&name), Kinds::MULTIPLIER));
    }
    for entry in document.section("nonholonomic") {
        symbols.multipliers.push(scope.declare(&multiplier(&entry.key), Kinds::MULTIPLIER));
    }
    symbols
}
