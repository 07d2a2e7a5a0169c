//! Results in the forms of other programs.
//!
//! | file | what it writes |
//! |---|---|
//! | `parquet` | the trajectory, or any table, by columns |
//! | `glb` | the mechanism in motion, as animated glTF |
//! | `vtk` | the mechanism in motion, as a series of VTK files |
//! | `plots` | every plot of the report as a picture |

mod glb;
mod parquet;
#[cfg(feature = "png")]
mod plots;
mod vtk;

pub use glb::write_glb;
pub use parquet::{Column, Values, write_parquet, write_table};
#[cfg(feature = "png")]
pub use plots::write_plots;
pub use vtk::write_vtk;
