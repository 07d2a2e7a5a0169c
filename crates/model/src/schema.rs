//! The table of sections as a JSON Schema, for editors, and as a page of the book.

use crate::sections::FORMAT;

/// A JSON Schema that describes every section and key.
pub fn schema() -> serde_json::Value {
    let about = "Bodies, joints, motions and forces.";
    crate::reading::schema(&FORMAT, "Mechanism of Rotula", about, &[])
}

/// A page in Markdown that describes every section and key.
pub fn reference() -> String {
    let about = "Bodies, joints, motions and forces. Units are SI. Where a number is expected, a formula of \
                 parameters in quotes will do; where a formula is expected, it may depend on the time `t` and on \
                 signals. A direction is `\"x\"`, `\"-y\"` or three numbers. Keys of equal names have equal \
                 meanings wherever they stand.";
    crate::reading::reference(&FORMAT, "Mechanisms", about)
}
