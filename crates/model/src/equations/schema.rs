//! The table of sections as a JSON Schema, for editors, and as a page of the book.

use crate::equations::sections::FORMAT;

/// A JSON Schema that describes every section and key of a model file.
pub fn schema() -> serde_json::Value {
    let about = "A constrained mechanical system given by formulas.";
    crate::reading::schema(&FORMAT, "Equation model of Rotula", about, &["coordinates"])
}

/// A page in Markdown that describes every section and key of a model file.
pub fn reference() -> String {
    let about = "A file without bodies: coordinates, masses, forces and constraints as formulas, from which all \
                 derivatives are formed. Units are yours; one set must be used throughout. Wherever a formula is \
                 expected a number will do. `x'` is the velocity of a coordinate `x`, `x''` its acceleration, \
                 `lambda.rod` the multiplier of the constraint `rod`, and `t` the time.";
    crate::reading::reference(&FORMAT, "Models of equations", about)
}
