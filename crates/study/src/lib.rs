//! A model of either kind, from its text to its results: what the program and the Python package share.
//!
//! | file | concept |
//! |---|---|
//! | `model` | a model of either kind |
//! | `outputs` | the curves of `[output]` of equations along a trajectory |
//! | `probe` | curves at single states, for watching a run |
//! | `places` | where a text speaks of what a diagnosis names, and the key at a place |
//! | [`checkpoint`] | runs that may be cut off, on disk |
//! | [`sweep`] | many runs with different values |
//! | `verify` | a second, stricter run to compare with |
//! | [`displacement`] | how far things moved between two states |
//! | `driven` | the times of a driven motion |

#![forbid(unsafe_code)]

pub mod checkpoint;
pub mod displacement;
mod driven;
mod model;
mod outputs;
pub mod places;
mod probe;
pub mod sweep;
mod verify;

pub use driven::driven_times;
pub use model::{Added, Model, Results, degrees_of_freedom};
pub use probe::Probe;
pub use rotula_reading::Document;
pub use verify::verify;
