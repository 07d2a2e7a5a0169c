//! The JSON Schema of model files of mechanisms, for editors.

use crate::sections::FORMAT;

/// A JSON Schema that describes every section and key.
pub fn schema() -> serde_json::Value {
    let about = "Bodies, joints, motions and forces.";
    rotula_reading::schema(&FORMAT, "Mechanism of Rotula", about, &["solve"])
}
