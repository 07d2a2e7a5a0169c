//! The tension of a bar or cable.

use super::{Sensor, Slopes, View};
use crate::element::{Bar, Element};

/// The force with which a bar or a piece of a cable pulls its ends together.
#[derive(Clone, Debug)]
pub struct TensionSensor {
    bar: Bar,
}

impl TensionSensor {
    /// Reads an element.
    pub fn new(bar: Bar) -> Self {
        TensionSensor { bar }
    }
}

impl Sensor for TensionSensor {
    fn nodes(&self) -> &[usize] {
        self.bar.nodes()
    }

    fn value(&mut self, view: View) -> f64 {
        self.bar.tension(view.scene)
    }

    fn slopes(&mut self, view: View, slopes: &mut Slopes) {
        for (slot, [along, velocity]) in self.bar.tension_slopes(view.scene).iter().enumerate() {
            slopes.increment[slot] += along;
            slopes.velocity[slot] += velocity;
        }
    }
}
