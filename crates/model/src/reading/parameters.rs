//! The section `[parameters]`.

use crate::reading::document::Table;
use crate::reading::error::ModelError;
use crate::reading::kinds::Kinds;
use crate::reading::order::order;
use crate::reading::scope::Scope;

/// Evaluates the parameters, in any order of writing, and puts them into the scope.
pub fn parameters(document: &Table, scope: &mut Scope) -> Result<Vec<(String, f64)>, ModelError> {
    let entries = document.section("parameters");
    scope.announce(entries);
    let mut values = vec![0.0; entries.len()];
    for index in order(entries, "the parameter")? {
        let entry = &entries[index];
        values[index] = scope.constant(&entry.item, &format!("parameters.{}", entry.key))?;
        let constant = scope.graph.constant(values[index]);
        scope.define(&entry.key, (constant, Kinds::CONSTANT));
    }
    Ok(entries.iter().map(|entry| entry.key.clone()).zip(values).collect())
}
