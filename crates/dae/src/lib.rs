//! Integrators for constrained mechanical systems: the generalized-α family.
//!
//! A [`System`] states the equations; [`Settings`] choose a formulation, coefficients and step
//! control; [`simulate`] marches.

mod alpha;
pub mod analysis;
mod attempt;
pub mod automatic;
mod blocks;
pub mod checkpoint;
mod coefficients;
mod conditioning;
mod consistency;
pub mod contact;
mod contact_forces;
mod contact_record;
mod contraction;
mod contradiction;
mod control;
mod coordinate_split;
mod dense_output;
mod diagnosis;
mod doubts;
mod equilibrium_start;
mod error;
mod explain;
mod first_step;
mod formulation;
mod given_start;
mod march;
mod newton;
mod observer;
mod out_of_range;
mod predictor;
mod recorder;
mod redundancy;
mod saddle;
mod settings;
mod singular_position;
pub mod solve;
mod state;
mod statistics;
pub mod system;
mod trajectory;
mod underlying;
mod vector;

pub use coefficients::{Coefficients, StepConstants};
pub use conditioning::{iteration_matrix, iteration_matrix_condition};
pub use consistency::{Change, InitialReport, make_consistent, redundant_constraints};
pub use contact::{Contact, ContactPatterns, contact_rows};
pub use contact_forces::{ContactForce, ContactForces};
pub use contact_record::{ContactHistory, Impact};
pub use diagnosis::{Diagnosis, Failure};
pub use equilibrium_start::EquilibriumStart;
pub use error::SettingsError;
pub use march::{Outcome, simulate, simulate_kept};
pub use observer::Observer;
pub use rotula_linear::Pattern;
pub use settings::*;
pub use solve::Solve;
pub use state::State;
pub use statistics::{Audit, Statistics, StepRecord};
pub use system::*;
pub use trajectory::{Names, Table, Trajectory};
