//! Integrators for constrained mechanical systems: the generalized-α family.
//!
//! A [`System`] states the equations; [`Settings`] choose a formulation, coefficients and step
//! control; [`simulate`] marches, and an [`Integrator`] does so step by step.

#![forbid(unsafe_code)]

mod alpha;
pub mod analysis;
pub mod automatic;
mod blocks;
pub mod checkpoint;
mod coefficients;
mod conditioning;
mod consistency;
pub mod contact;
mod contact_forces;
mod contact_record;
mod contact_table;
mod contact_watch;
mod contraction;
mod contradiction;
mod control;
mod coordinate_split;
mod delassus;
mod dense_output;
mod dependence;
mod diagnosis;
mod doubts;
mod energy_audit;
mod equilibrium_start;
mod error;
mod events;
mod explain;
mod first_step;
mod force_audit;
mod force_measure;
mod formulation;
mod given_start;
mod impact;
mod inertia;
mod integrator;
mod iterated;
mod loads;
mod located;
mod march;
pub mod memory;
mod newton;
mod observer;
mod off_constraints;
mod out_of_range;
mod overlap;
mod passage;
mod predictor;
mod projection;
mod reaction_matrix;
mod recorder;
mod redundancy;
mod ringing;
mod rounding;
mod row;
mod saddle;
mod settings;
mod singular_position;
mod start_values;
mod state;
mod statistics;
mod step;
mod stop;
pub mod system;
mod torn_motion;
mod trajectory;
mod underlying;
mod upkeep;
mod vector;
mod weighted_reactions;

pub use coefficients::{CoefficientChoice, Coefficients, StepConstants};
pub use conditioning::{iteration_matrix, iteration_matrix_condition};
pub use consistency::{
    Change, InitialReport, make_consistent, make_motion_consistent, redundant_constraints,
};
pub use contact::{Contact, ContactPatterns, contact_rows};
pub use contact_forces::{ContactForce, ContactForces};
pub use contact_record::ContactHistory;
pub use contact_table::{ContactTable, Touch, TouchingContact};
pub use dependence::settle_variables;
pub use diagnosis::{Diagnosis, Failure, Sentence, Subject};
pub use equilibrium_start::EquilibriumStart;
pub use error::SettingsError;
pub use force_audit::{ForceBalance, Worst};
pub use impact::Impact;
pub use integrator::{Integrator, Outcome, simulate, simulate_kept};
pub use observer::Observer;
pub use rotula_linear::Pattern;
pub use settings::*;
pub use state::State;
pub use statistics::{Audit, Statistics, StepRecord};
pub use stop::Stop;
pub use system::*;
pub use trajectory::{Names, Table, Trajectory};
