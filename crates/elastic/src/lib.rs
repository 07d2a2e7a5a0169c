//! Linear elastic bodies by finite elements, and their reduction to a few modes.
//!
//! | file | content |
//! |---|---|
//! | `mesh`, `section` | nodes, elements, materials, sets, supports, ties |
//! | `element` | stiffness, mass and stress of one element |
//! | `check` | unsound meshes, implausible units |
//! | `tie`, `freedom` | supports and ties; which components are free |
//! | `matrices`, `factor` | sparse stiffness and mass, their factorisation |
//! | `given` | bodies by their matrices instead of elements |
//! | `modes`, `lanczos` | modes of vibration |
//! | `body` | all of it together: statics and modes |
//! | `reduce` | Craig–Bampton, Guyan, free modes with residual shapes |
//! | `flexible`, `integrals` | the reduced body on a floating frame |
//! | `linear_beam` | a straight beam on a floating frame, without a mesh |
//! | `load`, `face` | loads on reduced bodies, pressure on faces |
//! | `stress` | stress recovery |
//! | `flex_file`, `npy`, `vtk`, `draft` | files of reduced bodies and of pictures |
//! | `read` | meshes of Gmsh, Abaqus, CalculiX and Nastran; matrices of Matrix Market |

#![forbid(unsafe_code)]

mod body;
mod check;
mod draft;
mod element;
mod error;
mod face;
mod factor;
mod flex_file;
mod flexible;
mod freedom;
mod given;
mod given_material;
mod integrals;
mod lanczos;
mod linear_beam;
mod listing;
mod load;
mod loose;
mod matrices;
pub mod mesh;
mod modes;
mod npy;
pub mod read;
mod reduce;
mod round_sections;
mod section;
mod stress;
mod tie;
mod vtk;

pub use body::{Body, Load};
pub use check::{Units, check, check_units, convert};
pub use error::{MeshError, Place};
pub use factor::{Factor, FactorError};
pub use flex_file::{read_flex, write_flex};
pub use flexible::{FlexibleBody, FlexibleFrame, Inertia, Surface};
pub use freedom::Freedom;
pub use given::Given;
pub use given_material::{MaterialFault, give_material};
pub use integrals::flexible_body;
pub use linear_beam::{BeamFrame, LinearBeam};
pub use load::BodyLoad;
pub use matrices::Matrices;
pub use mesh::Mesh;
pub use modes::{Modes, ModesError, Wanted, count_below, modes};
pub use reduce::{Attachment, Damping, Interface, Method, Reduction, reduce};
pub use round_sections::RoundSections;
pub use stress::{HotSpot, body_stress, von_mises};
pub use vtk::{Snapshot, write_series, write_snapshot};
