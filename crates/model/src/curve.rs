//! The curve of a `point-on-curve`: a spline through points, or three formulas.

use crate::fault::refused;
use crate::fields::{Fields, vector};
use crate::reading::{Item, Kinds, ModelError, Scope, Value};
use rotula_formula::names_in;
use rotula_mechanics::Curve;

/// Reads a curve.
pub(crate) fn curve(fields: &Fields, scope: &mut Scope) -> Result<Curve, ModelError> {
    fields.refuse_together(&["points", "curve"])?;
    let closed = fields.boolean("closed").unwrap_or(false);
    if let Some(item @ Item { value: Value::List(items), .. }) = fields.get("points") {
        fields.refuse(&["from", "to"], "a spline has a parameter of its own")?;
        let path = fields.at("points");
        let points = items.iter().map(|item| vector(item, &path, scope));
        let points = points.collect::<Result<Vec<_>, _>>()?;
        return Curve::through(&points, closed).map_err(|error| refused(&item.place, error));
    }
    let Some(item @ Item { value: Value::List(items), .. }) = fields.get("curve") else {
        let error = ModelError::new(fields.place, format!("{} misses its curve", fields.path));
        return Err(error.with_help(
            "add `points = [[x, y, z], …]`, or `curve = [\"cos(s)\", \"sin(s)\", 0]` with `from` and `to`",
        ));
    };
    let texts = formulas_of_s(items, &fields.at("curve"), scope)?;
    let from = fields.number("from", scope)?.unwrap_or(0.0);
    let to = fields.number("to", scope)?.unwrap_or(1.0);
    let texts = texts.each_ref().map(String::as_str);
    Curve::formulas(texts, from, to, closed).map_err(|error| refused(&item.place, error))
}

/// Three formulas of parameters and `s`, with the parameters replaced by their values.
pub(crate) fn formulas_of_s(
    items: &[Item],
    path: &str,
    scope: &mut Scope,
) -> Result<[String; 3], ModelError> {
    let mut texts = <[String; 3]>::default();
    for (text, item) in texts.iter_mut().zip(items) {
        *text = formula(item, path, scope)?;
    }
    Ok(texts)
}

fn formula(item: &Item, path: &str, scope: &mut Scope) -> Result<String, ModelError> {
    let own = [("s", Kinds::TIME)];
    let (expression, _) = scope.with_symbols(&own, |scope| scope.parse(item, path, Kinds::TIME))?;
    if let Some((table, _)) = scope.graph.tables_of(expression).first() {
        let message = format!("{path} uses the table `{table}`, which is not smooth enough");
        let help = "a curve needs four derivatives: give `points`, through which a spline leads";
        return Err(ModelError::new(&item.place, message).with_help(help));
    }
    let text = scope.graph.display(expression);
    if names_in(&text).unwrap_or_default().iter().any(|(name, _)| name == "t") {
        let error = ModelError::new(&item.place, format!("{path} depends on the time `t`"));
        return Err(error.with_help("a curve is fixed: use its parameter `s`"));
    }
    Ok(text)
}
