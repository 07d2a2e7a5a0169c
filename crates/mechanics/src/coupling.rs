//! Couplings of joint coordinates: gears, racks, and weighted sums of anything.

use crate::constraint::{Row, Rows, Target};
use crate::error::{ModelError, refusal};
use crate::function::TimeFunction;
use crate::measure::Coordinate;
use crate::model::Model;

impl Model {
    /// Holds a coordinate, usually a weighted sum of those of several joints, to a number or to a
    /// function of time. To hold it where it starts, give what [`at_start`](Self::at_start) says.
    pub fn couple(
        &mut self,
        name: &str,
        coordinate: Coordinate,
        target: TimeFunction,
    ) -> Result<(), ModelError> {
        let target = match target {
            TimeFunction::Constant(value) => Target::Constant(value),
            function => Target::Function(self.prescribed(function).0),
        };
        let row = Row { name: "coupled coordinates".into(), sum: coordinate.sum, target };
        self.constrain(name, Box::new(Rows::new(coordinate.nodes, vec![row])))
    }

    /// A gear: the second angle turns `ratio` times as far as the first, counted from the start. The
    /// ratio is negative for wheels that mesh outside, `−r₁/r₂`, positive for a belt or a ring.
    ///
    /// Angles are those of two joints; if both sit on one carrier, it may turn itself, as in a
    /// planetary gear.
    pub fn gear(
        &mut self,
        name: &str,
        first: Coordinate,
        second: &Coordinate,
        ratio: f64,
    ) -> Result<(), ModelError> {
        self.proportional(("gear", name, "ratio"), first, second, ratio)
    }

    /// A rack and pinion: the displacement is `radius` times the angle, counted from the start. A
    /// negative radius turns the direction around.
    pub fn rack_and_pinion(
        &mut self,
        name: &str,
        angle: Coordinate,
        displacement: &Coordinate,
        radius: f64,
    ) -> Result<(), ModelError> {
        self.proportional(("rack and pinion", name, "radius"), angle, displacement, radius)
    }

    /// `second − factor · first` stays what it is at the start.
    fn proportional(
        &mut self,
        (thing, name, word): (&str, &str, &str),
        first: Coordinate,
        second: &Coordinate,
        factor: f64,
    ) -> Result<(), ModelError> {
        if !(factor.is_finite() && factor != 0.0) {
            return Err(ModelError::invalid(
                format!("{thing} `{name}`"),
                refusal!("its {word} is {factor}"; "give a finite number other than zero"),
            ));
        }
        let difference = first.scaled(-factor).plus(second)?;
        let [start, _] = self.at_start(&difference);
        self.couple(name, difference, TimeFunction::Constant(start))
    }
}
