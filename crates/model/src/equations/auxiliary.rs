//! First-order states, algebraic variables and inputs.

use crate::equations::expressions::Formula;
use crate::equations::names::Symbols;
use crate::reading::{Kinds, ModelError, Scope, Table};
use rotula_formula::Expression;

/// Residuals of the states, `x' − rate` or as given, then of the variables, `y − Y`; and the right-hand sides of those that have one.
pub(crate) fn residuals(
    document: &Table,
    scope: &mut Scope,
    symbols: &Symbols,
) -> Result<(Vec<Formula>, Vec<Option<Expression>>), ModelError> {
    let mut residuals = Vec::new();
    let mut explicit = Vec::new();
    for (entry, &rate) in document.section("state").iter().zip(&symbols.xdot) {
        let path = format!("state.{}", entry.key);
        let fields = (entry.item.field("residual", None), entry.item.field("rate", None));
        let expression = match fields {
            (Some(item), _) => {
                let (expression, _) = scope.parse(item, &path, Kinds::ALL)?;
                if !scope.graph.depends_on(expression, rate) {
                    let message =
                        format!("the residual of {path} does not contain `{}'`", entry.key);
                    let help = "a state needs its rate; algebraic unknowns belong in [variable]";
                    return Err(ModelError::new(&item.place, message).with_help(help));
                }
                explicit.push(None);
                expression
            }
            (None, Some(item)) => {
                let (expression, _) = scope.parse(item, &path, Kinds::ALL)?;
                explicit.push(Some(expression));
                scope.graph.sub(rate, expression)
            }
            (None, None) => {
                let message = format!("state `{}` has neither `rate` nor `residual`", entry.key);
                let help = format!("write `{} = {{ at = 0, rate = \"…\" }}`", entry.key);
                return Err(ModelError::new(&entry.place, message).with_help(help));
            }
        };
        residuals.push(Formula { path, expression });
    }
    for (entry, &variable) in document.section("variable").iter().zip(&symbols.y) {
        let path = format!("variable.{}", entry.key);
        let Some(item) = entry.item.field("formula", Some("formula")) else {
            continue;
        };
        let (expression, _) = scope.parse(item, &path, Kinds::ALL)?;
        explicit.push(Some(expression));
        let expression = scope.graph.sub(variable, expression);
        residuals.push(Formula { path, expression });
    }
    Ok((residuals, explicit))
}

/// Names of the inputs, and the values that they have until someone sets them.
pub(crate) fn inputs(
    document: &Table,
    scope: &mut Scope,
) -> Result<Vec<(String, f64)>, ModelError> {
    let entries = document.section("input").iter();
    entries
        .map(|entry| {
            let value = scope.constant(&entry.item, &format!("input.{}", entry.key))?;
            Ok((entry.key.clone(), value))
        })
        .collect()
}

/// Adds the equations of inputs, which are the last variables: each has its value.
pub(crate) fn hold(
    inputs: &[(String, f64)],
    scope: &mut Scope,
    symbols: &Symbols,
    (residuals, explicit): (&mut Vec<Formula>, &mut Vec<Option<Expression>>),
) {
    let variables = &symbols.y[symbols.y.len() - inputs.len()..];
    for ((name, value), &variable) in inputs.iter().zip(variables) {
        let value = scope.graph.constant(*value);
        explicit.push(Some(value));
        let expression = scope.graph.sub(variable, value);
        residuals.push(Formula { path: format!("input.{name}"), expression });
    }
}
