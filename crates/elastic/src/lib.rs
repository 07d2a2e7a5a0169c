//! Linear elastic bodies by finite elements, and their reduction to a few modes.
//!
//! | file | content |
//! |---|---|
//! | `mesh` | nodes, elements, materials, sets, supports, ties |
//! | `element` | stiffness, mass and stress of one element |
//! | `check` | unsound meshes, implausible units |
//! | `tie`, `freedom` | supports and ties; which components are free |
//! | `matrices`, `factor` | sparse stiffness and mass, their factorisation |
//! | `modes` | modes of vibration |
//! | `body` | all of it together: statics and modes |

mod body;
mod check;
mod element;
mod error;
mod factor;
mod freedom;
mod matrices;
pub mod mesh;
mod modes;
mod tie;

pub use body::{Body, Load};
pub use check::{Units, check, check_units, convert};
pub use error::{MeshError, Place};
pub use factor::{Factor, FactorError};
pub use freedom::Freedom;
pub use matrices::Matrices;
pub use mesh::Mesh;
pub use modes::{Modes, ModesError, Wanted, count_below, modes};
