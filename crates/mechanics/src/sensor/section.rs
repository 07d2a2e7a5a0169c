//! Strains and section forces of a beam.

use super::{Sensor, Slopes, View};
use crate::element::BeamElement;
use nalgebra::{Matrix6, Vector6};

/// What is read of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SectionQuantity {
    /// Axial force, shear forces along y and z, torque, bending moments about y and z: 0 to 5.
    Force(usize),
    /// Stretch, shears, twist and curvatures: 0 to 5.
    Strain(usize),
}

/// A component of the section forces or strains in the middle of a beam element, section axes.
#[derive(Clone, Debug)]
pub struct SectionSensor {
    beam: BeamElement,
    quantity: SectionQuantity,
}

impl SectionSensor {
    /// Reads a component of a beam element.
    pub fn new(beam: impl Into<BeamElement>, quantity: SectionQuantity) -> Self {
        SectionSensor { beam: beam.into(), quantity }
    }
}

impl Sensor for SectionSensor {
    fn nodes(&self) -> &[usize] {
        self.beam.nodes()
    }

    fn value(&mut self, view: View) -> f64 {
        let state = self.beam.section_state(view.scene);
        match self.quantity {
            SectionQuantity::Force(k) => state.force[k],
            SectionQuantity::Strain(k) => state.strain[k],
        }
    }

    fn slopes(&mut self, view: View, slopes: &mut Slopes) {
        let section = self.beam.section();
        let (k, by_strain, by_rate) = match self.quantity {
            SectionQuantity::Force(k) => (k, section.stiffness, section.damping),
            SectionQuantity::Strain(k) => (k, Matrix6::identity(), Matrix6::zeros()),
        };
        let blocks = self.beam.section_slopes(view.scene, &by_strain, &by_rate);
        for (slot, [along, velocity]) in blocks.iter().enumerate().take(view.scene.nodes.len()) {
            let row = |m: &Matrix6<f64>| -> Vector6<f64> { m.row(k).transpose() };
            slopes.increment[slot] += row(along);
            slopes.velocity[slot] += row(velocity);
        }
    }
}
