//! Pictures of mechanisms as SVG.
//!
//! | file | concept |
//! |---|---|
//! | `view` | from where the mechanism is seen |
//! | `paint` | colours and shades |
//! | `ground` | pieces of endless planes |
//! | `marks` | symbols of joints, springs and the ground |
//! | `labels` | names, moved apart |
//! | `svg` | the picture |
//!
//! What is drawn is a plain list of [`Part`](rotula_mechanics::picture::Part)s.

mod ground;
mod labels;
mod marks;
mod paint;
mod svg;
mod view;

pub use crate::film::size;
pub use paint::colour;
pub use svg::{Picture, extent, svg};
pub use view::View;
