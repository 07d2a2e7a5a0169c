//! The curve of a `point-on-curve`: a spline through points, or three formulas.

use crate::fault::refused;
use crate::fields::{Fields, vector};
use rotula_formula::names_in;
use rotula_mechanics::Curve;
use rotula_reading::{Item, Kinds, ModelError, Scope, Value};

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
    let mut texts = Vec::new();
    for item in items {
        texts.push(formula(item, &fields.at("curve"), scope)?);
    }
    let from = fields.number("from", scope)?.unwrap_or(0.0);
    let to = fields.number("to", scope)?.unwrap_or(1.0);
    let [x, y, z] = [0, 1, 2].map(|k| texts[k].as_str());
    Curve::formulas([x, y, z], from, to, closed).map_err(|error| refused(&item.place, error))
}

/// A formula of parameters and `s`, with the parameters replaced by their values.
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
