//! Prescribed motion by velocity or acceleration.

use crate::error::ModelError;
use crate::function::{Integral, TimeFunction};
use crate::measure::{Coordinate, Sum};
use crate::model::Model;
use crate::node::Motion;
use crate::scene::{Scene, World};

impl Model {
    /// Drives the rate of a coordinate along a function of time. The coordinate starts where the
    /// bodies were put, and follows the integral of the function exactly: nothing drifts.
    pub fn drive_velocity(
        &mut self,
        name: &str,
        coordinate: Coordinate,
        function: TimeFunction,
    ) -> Result<(), ModelError> {
        let [value, _] = self.at_start(&coordinate);
        let target = Integral::of_velocity(function, value);
        self.drive(name, coordinate, TimeFunction::Integral(Box::new(target)))
    }

    /// Drives the acceleration of a coordinate along a function of time. The coordinate starts where
    /// the bodies were put, with the rate they were given.
    pub fn drive_acceleration(
        &mut self,
        name: &str,
        coordinate: Coordinate,
        function: TimeFunction,
    ) -> Result<(), ModelError> {
        let [value, rate] = self.at_start(&coordinate);
        let target = Integral::of_acceleration(function, value, rate);
        self.drive(name, coordinate, TimeFunction::Integral(Box::new(target)))
    }

    /// Value and rate of a coordinate as the bodies were put and set in motion; angles lie between −π
    /// and π.
    pub fn at_start(&self, coordinate: &Coordinate) -> [f64; 2] {
        let motions: Vec<Motion> = self.bodies().iter().map(|(_, body)| body.start()).collect();
        let world = World {
            t: 0.0,
            motions: &motions,
            angles: &[],
            functions: &[],
            states: &[],
            variables: &[],
        };
        let scene = Scene { world: &world, nodes: &coordinate.nodes };
        let sum = Sum(coordinate.sum.0.iter().map(|(w, m)| (*w, m.without_turns())).collect());
        [sum.value(scene), sum.rate(scene)]
    }
}
