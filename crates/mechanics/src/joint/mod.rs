//! Joints: what holds two bodies together. One file each.
//!
//! A joint connects marker `a` of a first body with marker `b` of a second. Its coordinates say how
//! `b` stands as seen from `a`; its multipliers are the forces and moments on the second body. Axes
//! of rotation and sliding are the markers' z axes.
//!
//! To add one, copy a neighbour: say what the joint forbids as rows of measures, and which
//! coordinates it leaves free.

mod cylindrical;
mod fixed;
mod pair;
mod prismatic;
mod revolute;
mod spherical;

pub use cylindrical::Cylindrical;
pub use fixed::Fixed;
pub use pair::Pair;
pub use prismatic::Prismatic;
pub use revolute::Revolute;
pub use spherical::Spherical;

use crate::constraint::Constraint;
use crate::error::ModelError;
use crate::measure::Coordinate;
use std::fmt::Debug;

/// A kind of joint.
pub trait Joint: Debug {
    /// The word for it in model files and messages.
    fn word(&self) -> &'static str;

    /// What it demands of two markers.
    fn constraints(&self, pair: &Pair) -> Result<Vec<Box<dyn Constraint>>, ModelError>;

    /// The motions it leaves free and that can be driven, sprung or read, by name.
    fn coordinates(&self, _pair: &Pair) -> Vec<(&'static str, Coordinate)> {
        Vec::new()
    }
}
