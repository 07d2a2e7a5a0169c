//! A model of either kind, from its text to its results: what the program and the Python package share.
//!
//! | file | concept |
//! |---|---|
//! | `model` | a model of either kind |
//! | `outputs` | the curves of `[output]` of equations along a trajectory |
//! | `probe` | curves at single states, for watching a run |
//! | `report` | a run as the writers of results see it |
//! | `shapes` | modes as a film |
//! | `places` | where a text speaks of what a diagnosis names, and the key at a place |
//! | [`checkpoint`] | runs that may be cut off, on disk |
//! | [`sweep`] | many runs with different values |
//! | `verify` | a second, stricter run to compare with |
//! | [`displacement`] | how far things moved between two states |
//! | `campbell` | frequencies about a steady turn |
//! | `drawing` | a mechanism as a picture |
//! | `driven` | the times of a driven motion |

#![forbid(unsafe_code)]

mod campbell;
pub mod checkpoint;
pub mod displacement;
mod drawing;
mod driven;
mod model;
mod outputs;
pub mod places;
mod probe;
mod report;
mod shapes;
pub mod sweep;
mod verify;

pub use campbell::{SteadyCase, steady_case};
pub use drawing::{drawing, start_to_draw};
pub use driven::driven_times;
pub use model::{Added, Model, Results, degrees_of_freedom};
pub use probe::Probe;
pub use report::{film, run};
pub use rotula_model::reading::Document;
pub use shapes::{SHOWN, mode_film};
pub use verify::verify;
