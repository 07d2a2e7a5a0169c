//! Constraints: what a joint, a drive or a rolling wheel demands of its nodes.

mod bundle;
mod follower;
mod moving;
mod numeric;
mod rate_rows;
mod relative;
mod rows;

pub use follower::Follower;
pub(crate) use moving::cross;
pub use numeric::{Numeric, PositionFunction};
pub use rate_rows::{RateRow, RateRows, RateTerm};
pub use relative::{Equations, Relative, RelativeMotion};
pub use rows::{Row, Rows};

use crate::measure::Measure;
use crate::scene::Scene;
use crate::unilateral::Sphere;
use dyn_clone::DynClone;
use nalgebra::{Matrix6, Vector6};
use rotula_dae::Level;
use std::fmt::Debug;

/// A group of constraint equations on a few nodes.
///
/// Rows of gradients are `out[row * nodes + slot]`, six components each, in the axes of the node;
/// blocks of curvatures are `out[i * nodes + j]`. Everything is **added** to the output, and
/// derivatives are taken along body variations. Implement this for constraints that no sum of
/// [`Measure`]s expresses; [`Rows`] and [`RateRows`] are enough for most, and [`Relative`] takes
/// formulas of the motion of one marker as seen from another. [`Numeric`] needs no derivatives at all.
pub trait Constraint: Debug + DynClone + Send + Sync {
    /// The nodes, by slot; at most [`MAX_NODES`](crate::measure::MAX_NODES) if it may do work.
    fn nodes(&self) -> &[usize];

    /// How many equations.
    fn rows(&self) -> usize;

    /// Whether the equations bind positions, or velocities only.
    fn holonomic(&self) -> bool {
        true
    }

    /// How many rows bind positions; they come first.
    fn position_rows(&self) -> usize {
        if self.holonomic() { self.rows() } else { 0 }
    }

    /// Whether it may do work: a constraint that does not change with time cannot.
    fn works(&self) -> bool {
        true
    }

    /// What a row demands, in words: "distance along x", "angle about z".
    fn describe(&self, row: usize) -> String;

    /// The residuals at a level; at position level only the rows that bind positions count.
    fn residual(&self, level: Level, scene: Scene, out: &mut [f64]);

    /// `∂/∂v` at velocity level, of all rows or of those that bind positions.
    fn gradient(&self, scene: Scene, out: &mut [Vector6<f64>]);

    /// `∂/∂Δ` at velocity level.
    fn rate_gradient(&self, scene: Scene, out: &mut [Vector6<f64>]);

    /// `∂/∂Δ` at acceleration level.
    fn acceleration_gradient(&self, scene: Scene, out: &mut [Vector6<f64>]);

    /// `∂/∂v` at acceleration level.
    fn acceleration_velocity(&self, scene: Scene, out: &mut [Vector6<f64>]);

    /// `Gᵀλ`: the wrench on each node.
    fn reaction(&self, scene: Scene, multipliers: &[f64], out: &mut [Vector6<f64>]);

    /// The residuals at position level and `Gᵀλ` in one pass.
    fn balance(
        &self,
        scene: Scene,
        multipliers: &[f64],
        out: &mut [f64],
        wrenches: &mut [Vector6<f64>],
    ) {
        self.residual(Level::Position, scene, out);
        self.reaction(scene, multipliers, wrenches);
    }

    /// `∂(Gᵀλ)/∂Δ`.
    fn curvature(&self, scene: Scene, multipliers: &[f64], blocks: &mut [Matrix6<f64>]);

    /// Of a contact, the sphere of its last node that touches, if it is one: it tells the place.
    fn touching(&self) -> Option<&Sphere> {
        None
    }

    /// How far it is beyond what it was made for, such as the end of a curve, in words.
    fn beyond(&self, _scene: Scene) -> Option<String> {
        None
    }

    /// Measures of angles in it, for which the assembly keeps the turns.
    fn measures_mut(&mut self) -> Box<dyn Iterator<Item = &mut Measure> + '_> {
        Box::new(std::iter::empty())
    }
}

dyn_clone::clone_trait_object!(Constraint);

/// What a row is held to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    /// A number.
    Constant(f64),
    /// One of the model's functions of time.
    Function(usize),
}
