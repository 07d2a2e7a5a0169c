//! The JSON Schema of equation models, for editors.

use crate::sections::FORMAT;

/// A JSON Schema that describes every section and key of a model file.
pub fn schema() -> serde_json::Value {
    let about = "A constrained mechanical system given by formulas.";
    rotula_reading::schema(&FORMAT, "Equation model of Rotula", about, &["coordinates", "solve"])
}
