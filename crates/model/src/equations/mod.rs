//! Equation models: a TOML file gives coordinates, mass matrix, forces and constraints as formulas, and becomes a
//! [`System`](rotula_dae::System) with exact derivatives of everything.
//!
//! | file | concept |
//! |---|---|
//! | `sections`, `schema` | the one table of sections and keys: what is checked is what is documented |
//! | `names` | which names exist and which unknowns they stand for |
//! | `expressions`, `build`, `constraints`, `auxiliary`, `energies` | the model as expressions |
//! | `model`, `initial` | the public [`Model`], its initial state |
//! | `derive`, `block`, `compile`, `system` | derivatives, compiled programs, the implementation of the contract |
//! | `function`, `install`, `differences` | functions of a program as parts of a model |
//! | `deciding` | what formulas decide, held while steps are attempted |
//! | `explain` | which formula is not finite, and why |
//!
//! # The file
//!
//! [`schema`] describes every section and key. Wherever a formula is expected a number will do. `x'` and `x''` are the
//! velocity and acceleration of a coordinate `x`, `s'` the rate of a state `s`, `lambda.NAME` the multiplier of a constraint,
//! `t` the time. All formulas may use parameters and definitions; beyond these
//!
//! | section | may use |
//! |---|---|
//! | `parameters`, initial values, `events` | nothing else |
//! | `mass`, `constraint`, `gap` | time, coordinates |
//! | `nonholonomic` | time, coordinates, velocities |
//! | `energy.kinetic`, `energy.potential` | time, coordinates, velocities, states, variables |
//! | `force` | these and multipliers |
//! | `state`, `variable`, `output`, `energy.power`, `define` | everything, accelerations and rates too |
//!
//! Without `[energy]` a system knows no energies; without `power` it does not say what changes them.
//!
//! ```
//! use rotula_dae::{System, Terms};
//!
//! let text = r#"
//! title = "Pendulum"
//! [parameters]
//! m = 2.0
//! L = 1.5
//! [coordinates]
//! x = { at = "L", velocity = 0 }
//! y = { at = 0, velocity = 0 }
//! [mass]
//! x = "m"
//! y = "m"
//! [force]
//! y = "-9.81*m"
//! [constraint]
//! rod = "(x^2 + y^2 - L^2)/2"
//! [solve]
//! until = 1.0
//! "#;
//! let model = rotula_model::equations::Model::parse(text, "pendulum.toml", &[])?;
//! let mut system = model.system();
//! let state = model.initial_state();
//! let mut residual = [0.0; 2];
//! system.dynamics(&state.point(), Terms::ALL, &mut residual);
//! assert_eq!(residual, [0.0, 2.0 * 9.81]);
//! # Ok::<(), rotula_model::equations::ModelError>(())
//! ```

mod auxiliary;
mod block;
mod build;
mod compile;
mod constraints;
mod contacts;
mod deciding;
mod derive;
mod differences;
mod energies;
mod explain;
mod expressions;
mod function;
mod initial;
mod install;
mod model;
mod names;
mod schema;
mod sections;
mod system;

pub use crate::reading::ModelError;
pub use function::{EquationFunction, Function, Role};
pub use model::{Gap, Model};
pub use schema::{reference, schema};
pub use system::EquationSystem;
