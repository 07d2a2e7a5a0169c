//! What all readers of model files share.
//!
//! | file | concept |
//! |---|---|
//! | `source`, `error` | places in texts, and errors that point at them |
//! | `document` | TOML to a tree in which everything knows its place |
//! | `keys` | the table of sections and keys that a kind of model file has |
//! | `check`, `check_kind`, `overrides`, `schema` | what the table is for: checking, `--set KEY=VALUE`, editors |
//! | `file` | a model file that was read, overridden and checked |
//! | `suggest` | the nearest valid name |
//! | `names`, `kinds`, `scope`, `order`, `parameters` | which names exist, which formula may use them, in which order they are evaluated |
//! | `many` | names of all copies at once, `link[*].force` |
//! | `parts`, `copied` | parts of models in sections or files of their own, and what names mean in copies of them |
//! | `tabulated`, `sheet`, `columns`, `parquet` | the section `[table]`, and files of columns |
//! | `solve` | the section `[solve]` |
//! | `reference` | the table as pages of the book |
//! | `python_types`, `section_types` | the keys of `[solve]`, and all sections, as types of Python |

mod check;
mod check_kind;
mod columns;
mod copied;
mod document;
mod error;
mod file;
pub mod keys;
mod kinds;
mod many;
mod names;
mod order;
mod overrides;
mod parameters;
mod parquet;
mod parts;
mod python_types;
mod reference;
mod schema;
mod scope;
mod section_types;
mod sheet;
mod shorten;
mod solve;
mod source;
mod suggest;
mod tabulated;

pub use check_kind::MOMENTS;
pub use copied::{Copied, Own, Placement};
pub use document::{Document, Entry, Item, Table, Value};
pub use error::ModelError;
pub use file::ModelFile;
pub use keys::Format;
pub use kinds::Kinds;
pub use names::check_identifier;
pub use order::order;
pub use parameters::parameters;
pub use parts::folder_of;
pub use python_types::python_types;
pub use reference::{reference, solve_reference};
pub use schema::schema;
pub use scope::Scope;
pub use section_types::python_sections;
pub use shorten::shorten;
pub use solve::{Solve, Usual, read as read_solve, toml};
pub use source::{Place, Source};
pub use suggest::{did_you_mean, list, near};
pub use tabulated::{TABLE, doubtful_derivatives, tables};
