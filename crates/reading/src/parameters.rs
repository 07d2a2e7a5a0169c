//! The section `[parameters]`.

use crate::document::Table;
use crate::error::ModelError;
use crate::kinds::Kinds;
use crate::order::order;
use crate::scope::Scope;

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
