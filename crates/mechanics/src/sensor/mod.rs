//! Sensors: numbers read from a motion. One file each.
//!
//! A sensor answers its value and the exact derivatives of it with respect to positions, velocities,
//! accelerations and multipliers, so that it may stand in a formula: it then becomes an algebraic
//! variable of the system, and a loop through it (a force that depends on an acceleration that
//! depends on the force) is solved together with everything else, not one step late.
//!
//! | sensor | reads |
//! |---|---|
//! | [`CoordinateSensor`] | an angle, displacement or length; its rate; its acceleration |
//! | [`PointSensor`] | velocity or acceleration of a marker, in any axes; an accelerometer |
//! | [`AngularSensor`] | angular velocity or acceleration, in any axes |
//! | [`OrientationSensor`] | rotation vector, Cardan or Euler angles of a marker against another one |
//! | [`SpeedSensor`] | how fast a marker moves |
//! | [`ActionSensor`] | force or moment of a joint, a force or the end of a beam on a body |
//! | [`EffortSensor`] | what a drive or coupling has to do; its power |
//! | [`MultiplierSensor`] | the multiplier of one constraint: the effort of a drive |
//! | [`SectionSensor`] | section forces and strains of a beam |
//! | [`TensionSensor`] | the tension of a bar or of a piece of a cable |
//! | [`StrandSensor`] | length, its rate and power of a whole bar or cable |
//! | [`ShapeLoadSensor`] | a load on a flexible body; its power |
//! | [`EnergySensor`] | energies of the whole model, for output only |
//!
//! The position of a marker is [`CoordinateSensor::position`]; its rate is the velocity as seen from
//! the other marker, turning with it.

mod action;
mod actor;
mod angular;
mod coordinate;
mod direction;
mod effort;
mod energy;
mod multiplier;
mod orientation;
mod point;
mod power;
mod section;
mod shape_load;
mod speed;
mod strand;
mod tension;

pub use action::ActionSensor;
pub(crate) use actor::Actor;
pub use angular::AngularSensor;
pub use coordinate::CoordinateSensor;
pub use direction::Direction;
pub use effort::EffortSensor;
pub use energy::EnergySensor;
pub use multiplier::MultiplierSensor;
pub use orientation::{Angles, OrientationSensor};
pub use point::PointSensor;
pub(crate) use power::{OwnSensor, PowerSensor};
pub use section::{SectionQuantity, SectionSensor};
pub use shape_load::{ShapeLoadReading, ShapeLoadSensor};
pub use speed::SpeedSensor;
pub use strand::{StrandReading, StrandSensor};
pub use tension::TensionSensor;

use crate::force::Auxiliary;
use crate::measure::Measure;
use crate::scene::Scene;
use dyn_clone::DynClone;
use nalgebra::{Vector3, Vector6};
use std::fmt::Debug;
use std::ops::Range;

/// What a sensor sees: its nodes, and the multipliers of its constraints.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// Its nodes and the world.
    pub scene: Scene<'a>,
    /// All multipliers of the model.
    pub(crate) multipliers: &'a [f64],
    /// Where those of its constraints are.
    pub(crate) rows: &'a [Range<usize>],
}

impl<'a> View<'a> {
    /// The multipliers of the sensor's `k`-th constraint.
    pub fn multipliers(&self, k: usize) -> &'a [f64] {
        &self.multipliers[self.rows[k].clone()]
    }
}

/// Derivatives of a reading, to which a sensor adds. Rows are by slot, in the axes of the node.
#[derive(Debug)]
pub struct Slopes<'a> {
    /// Along body variations.
    pub increment: &'a mut [Vector6<f64>],
    /// With respect to the velocities.
    pub velocity: &'a mut [Vector6<f64>],
    /// With respect to the accelerations.
    pub acceleration: &'a mut [Vector6<f64>],
    /// With respect to the multipliers of the sensor's constraints, one after the other.
    pub multipliers: &'a mut [f64],
    /// With respect to the states and variables that it depends on.
    pub auxiliary: &'a mut [f64],
}

/// A number read from the motion of a few nodes and the multipliers of a few constraints.
pub trait Sensor: Debug + DynClone + Send + Sync {
    /// The nodes, by slot.
    fn nodes(&self) -> &[usize];

    /// The constraints whose multipliers it reads, by their place in the model's list.
    fn constraints(&self) -> &[usize] {
        &[]
    }

    /// The states and variables it depends on.
    fn auxiliary(&self) -> &[Auxiliary] {
        &[]
    }

    /// The reading.
    fn value(&mut self, view: View) -> f64;

    /// Adds the derivatives of the reading.
    fn slopes(&mut self, view: View, slopes: &mut Slopes);

    /// Measures of angles in it, for which the assembly keeps the turns.
    fn measures_mut(&mut self) -> Box<dyn Iterator<Item = &mut Measure> + '_> {
        Box::new(std::iter::empty())
    }
}

dyn_clone::clone_trait_object!(Sensor);

/// Adds to the angular part of a row.
fn add_angular(row: &mut Vector6<f64>, angular: &Vector3<f64>) {
    let mut part = row.fixed_rows_mut::<3>(3);
    part += angular;
}
