//! Strain and section forces in the middle of an element, with their derivatives.

use super::{Beam, MOST_NODES, PlanarBeam};
use crate::element::{Element, Section};
use crate::node::Motion;
use crate::scene::Scene;
use nalgebra::{Matrix6, Vector6};
use rotula_dae::Terms;
use rotula_lie::se3;

/// Strain and section forces at a place of an element, in the axes of the section.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SectionState {
    /// Stretch, shears, twist and curvatures.
    pub strain: Vector6<f64>,
    /// Axial force, shear forces, torque, bending moments.
    pub force: Vector6<f64>,
}

impl Beam {
    /// Strain and section forces in the middle of the element.
    pub fn section_state(&self, scene: Scene) -> SectionState {
        let motions = self.motions(scene, Terms::ALL);
        let charts = self.charts(&motions);
        let strained = self.bent(&charts, &self.middle).strained(&self.middle, &self.section);
        SectionState { strain: strained.strain, force: strained.force }
    }

    /// The derivatives of `A ε + B ε̇` in the middle, along body variations and with respect to the
    /// velocities, by slot.
    pub(crate) fn section_slopes(
        &self,
        scene: Scene,
        by_strain: &Matrix6<f64>,
        by_rate: &Matrix6<f64>,
    ) -> [[Matrix6<f64>; 2]; MOST_NODES] {
        let motions: [Motion; MOST_NODES] = self.motions(scene, Terms::ALL);
        let charts = self.charts(&motions);
        let bent = self.bent(&charts, &self.middle);
        let t = se3::tangent(&bent.x);
        let t_x = se3::tangent_derivative(&bent.x, &bent.slope);
        let rate_x = se3::tangent_derivative(&bent.x, &bent.slope_rate)
            + se3::tangent_second_derivative(&bent.x, &bent.rate, &bent.slope);
        let rate_slope = se3::tangent_variation(&bent.x, &bent.rate);
        let mut out = [[Matrix6::zeros(); 2]; MOST_NODES];
        for (k, chart) in charts.of.iter().flatten().enumerate() {
            let (n, m) = (self.middle.shape[k], self.middle.slope[k]);
            let strain = t_x * n + t * m;
            let by_chart_rate = by_rate * strain;
            let by_chart = by_strain * strain
                + by_rate * (rate_x * n + rate_slope * m)
                + by_chart_rate * chart.slopes(&motions[0], &motions[k + 1]).rate;
            for (column, slot) in chart.columns().iter().zip([0, k + 1]) {
                out[slot][0] += by_chart * column;
                out[slot][1] += by_chart_rate * column;
            }
        }
        for (slot, blocks) in out.iter_mut().enumerate().take(self.count) {
            if let Some(adjoint) = self.ends[slot].adjoint() {
                blocks.iter_mut().for_each(|block| *block *= adjoint);
            }
        }
        out
    }
}

/// An element of a laid beam.
#[derive(Clone, Debug)]
pub enum BeamElement {
    /// In space.
    Spatial(Box<Beam>),
    /// In a plane.
    Planar(Box<PlanarBeam>),
}

impl From<Beam> for BeamElement {
    fn from(beam: Beam) -> Self {
        BeamElement::Spatial(Box::new(beam))
    }
}

impl From<PlanarBeam> for BeamElement {
    fn from(beam: PlanarBeam) -> Self {
        BeamElement::Planar(Box::new(beam))
    }
}

impl BeamElement {
    /// Its nodes, by slot.
    pub fn nodes(&self) -> &[usize] {
        match self {
            BeamElement::Spatial(beam) => beam.nodes(),
            BeamElement::Planar(beam) => beam.nodes(),
        }
    }

    /// Its section.
    pub fn section(&self) -> &Section {
        match self {
            BeamElement::Spatial(beam) => beam.section(),
            BeamElement::Planar(beam) => beam.section(),
        }
    }

    /// Strain and section forces in its middle.
    pub fn section_state(&self, scene: Scene) -> SectionState {
        match self {
            BeamElement::Spatial(beam) => beam.section_state(scene),
            BeamElement::Planar(beam) => beam.section_state(scene),
        }
    }

    /// See [`Beam::section_slopes`].
    pub(crate) fn section_slopes(
        &self,
        scene: Scene,
        by_strain: &Matrix6<f64>,
        by_rate: &Matrix6<f64>,
    ) -> [[Matrix6<f64>; 2]; MOST_NODES] {
        match self {
            BeamElement::Spatial(beam) => beam.section_slopes(scene, by_strain, by_rate),
            BeamElement::Planar(beam) => beam.section_slopes(scene, by_strain, by_rate),
        }
    }
}
