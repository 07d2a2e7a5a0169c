//! Holonomic and nonholonomic constraints.

use crate::equations::expressions::{Constraint, Formula};
use crate::equations::names::Symbols;
use crate::reading::{Kinds, ModelError, Scope, Table, Value};

/// Reads the section `constraint` or `nonholonomic`.
pub(crate) fn constraints(
    document: &Table,
    scope: &mut Scope,
    symbols: &Symbols,
    section: &str,
) -> Result<Vec<Constraint>, ModelError> {
    let (allowed, moved, advice) = match section {
        "constraint" => (
            Kinds::CONFIGURATION,
            &symbols.q,
            "coordinate; it can be neither met nor violated by the motion",
        ),
        _ => (
            Kinds::MOTION,
            &symbols.v,
            "velocity; constraints of coordinates belong in [constraint]",
        ),
    };
    let mut constraints = Vec::new();
    for entry in document.section(section) {
        let path = format!("{section}.{}", entry.key);
        let Some(item) = entry.item.field("formula", Some("formula")) else {
            continue;
        };
        let (expression, _) = match scope.parse(item, &path, allowed) {
            Ok(parsed) => parsed,
            // right but for the velocities in it
            Err(error)
                if section == "constraint" && scope.parse(item, &path, Kinds::MOTION).is_ok() =>
            {
                let help = "constraints with velocities belong in [nonholonomic]";
                return Err(error.with_help(help));
            }
            Err(error) => return Err(error),
        };
        let moves = scope.graph.symbols_of(expression).iter().any(|symbol| moved.contains(symbol));
        if !moves {
            let message = format!("{path} depends on no {advice}");
            return Err(ModelError::new(&item.place, message).with_help("correct its formula"));
        }
        let reaction = match entry.item.field("reaction", None).map(|item| &item.value) {
            Some(Value::Boolean(value)) => *value,
            _ => true,
        };
        let name = entry.key.clone();
        constraints.push(Constraint { name, formula: Formula { path, expression }, reaction });
    }
    Ok(constraints)
}

/// A multiplier without a reaction must act through a force, or nothing determines it.
pub(crate) fn check_multipliers_act(
    document: &Table,
    scope: &Scope,
    symbols: &Symbols,
    constraints: &[Constraint],
    force: &[(usize, Formula)],
    auxiliary: &[Formula],
) -> Result<(), ModelError> {
    for (constraint, &symbol) in constraints.iter().zip(&symbols.multipliers) {
        let mut formulas = force.iter().map(|(_, formula)| formula).chain(auxiliary);
        if constraint.reaction
            || formulas.any(|formula| scope.graph.depends_on(formula.expression, symbol))
        {
            continue;
        }
        let sections = ["constraint", "nonholonomic"];
        let entry = sections
            .iter()
            .flat_map(|section| document.section(section))
            .find(|entry| entry.key == constraint.name);
        let message = format!(
            "{} has `reaction = false`, but no force uses `lambda.{}`",
            constraint.formula.path, constraint.name
        );
        if let Some(entry) = entry {
            let help = "let a force use the multiplier, or remove `reaction = false`";
            return Err(ModelError::new(&entry.place, message).with_help(help));
        }
    }
    Ok(())
}
