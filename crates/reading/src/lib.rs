//! What all readers of model files share.
//!
//! | file | concept |
//! |---|---|
//! | `source`, `error` | places in texts, and errors that point at them |
//! | `document` | TOML to a tree in which everything knows its place |
//! | `overrides` | `--set KEY=VALUE` |
//! | `suggest` | the nearest valid name |
//! | `names`, `scope`, `order`, `parameters` | which names exist, which formula may use them, in which order they are evaluated |
//! | `solve` | the section `[solve]` |

mod document;
mod error;
mod names;
mod order;
pub mod overrides;
mod parameters;
mod scope;
mod solve;
mod source;
mod suggest;

pub use document::{Entry, Item, Table, Value};
pub use error::ModelError;
pub use names::check_identifier;
pub use order::order;
pub use parameters::parameters;
pub use scope::{Kinds, Scope};
pub use solve::{read as read_solve, schema as solve_schema};
pub use source::{Place, Source};
pub use suggest::{did_you_mean, list, near};
