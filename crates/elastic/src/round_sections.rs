//! Stress in beams of round sections.
//!
//! At the ends of each element, with the section forces `N`, `V`, `T`, `M` there, eight points of the rim carry
//!
//! ```text
//! σ = N/A + M_y z/I − M_z y/I,      τ = |T| r/J + s |V|/A,      σ_vM = √(σ² + 3τ²)
//! ```
//!
//! where the largest shear of the transverse force, `s` = 2 for a tube and 4/3 for a full circle, is taken at every point.

use crate::element::{self, RoundSection};
use crate::error::MeshError;
use crate::freedom::Freedom;
use crate::mesh::{Family, Mesh};
use nalgebra::{DMatrix, DVector};
use std::f64::consts::TAU;

/// Points of the rim that are looked at.
const POINTS: usize = 8;
/// Components of section forces: N, V_y, V_z, T, M_y, M_z.
const FORCES: usize = 6;

/// Ends of beam elements with round sections, and how shapes load them.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundSections {
    /// Indices of the nodes at which the ends are.
    pub nodes: Vec<usize>,
    /// Of each end area, second moment of area, outer radius and shear over mean shear: four numbers.
    pub sizes: Vec<f64>,
    /// Section forces: six rows for each end, a column per shape.
    pub forces: DMatrix<f64>,
}

impl RoundSections {
    /// None, with so many shapes.
    pub fn none(shapes: usize) -> Self {
        RoundSections { nodes: Vec::new(), sizes: Vec::new(), forces: DMatrix::zeros(0, shapes) }
    }

    /// Those of a mesh, for displacements of all components.
    pub(crate) fn of(
        mesh: &Mesh,
        freedom: &Freedom,
        all: &DMatrix<f64>,
    ) -> Result<Self, MeshError> {
        let mut sections = RoundSections::none(all.ncols());
        let mut blocks = Vec::new();
        for part in mesh.elements.iter().filter(|part| part.shape.family() == Family::Beam) {
            let Some(RoundSection { sizes, forces }) = element::round_section(mesh, part)? else {
                continue;
            };
            blocks.push(forces * crate::integrals::of_element(all, &freedom.of_element(part)));
            sections.nodes.extend(&part.nodes);
            sections.sizes.extend(sizes.iter().chain(&sizes));
        }
        sections.forces = DMatrix::zeros(FORCES * sections.nodes.len(), all.ncols());
        for (k, block) in blocks.iter().enumerate() {
            sections.forces.rows_mut(2 * FORCES * k, 2 * FORCES).copy_from(block);
        }
        Ok(sections)
    }

    /// The same with some of the shapes.
    pub(crate) fn keeping(&self, kept: &[usize]) -> Self {
        RoundSections { forces: self.forces.select_columns(kept.iter()), ..self.clone() }
    }

    /// Whether there are any.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Calls `see` with the node and the largest von Mises stress of each end.
    pub(crate) fn each(&self, amplitudes: &[f64], mut see: impl FnMut(usize, f64)) {
        let forces = &self.forces * DVector::from_column_slice(amplitudes);
        for (end, node) in self.nodes.iter().enumerate() {
            see(*node, self.stress(end, &forces.as_slice()[FORCES * end..]));
        }
    }

    /// The same at one node.
    pub(crate) fn at_node(&self, node: usize, amplitudes: &DVector<f64>) -> f64 {
        let own = |end: &usize| self.nodes[*end] == node;
        let stress = |end: usize| {
            let forces = self.forces.rows(FORCES * end, FORCES) * amplitudes;
            self.stress(end, forces.as_slice())
        };
        (0..self.nodes.len()).filter(own).map(stress).fold(0.0, f64::max)
    }

    fn stress(&self, end: usize, forces: &[f64]) -> f64 {
        let [area, inertia, radius, peak] = [0, 1, 2, 3].map(|k| self.sizes[4 * end + k]);
        let [n, vy, vz, t, my, mz] = [0, 1, 2, 3, 4, 5].map(|k| forces[k]);
        let tau = t.abs() * radius / (2.0 * inertia) + peak * vy.hypot(vz) / area;
        let at = |k: usize| {
            let (sin, cos) = (TAU * k as f64 / POINTS as f64).sin_cos();
            let sigma = n / area + radius * (my * sin - mz * cos) / inertia;
            (sigma * sigma + 3.0 * tau * tau).sqrt()
        };
        (0..POINTS).map(at).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tube_is_stressed_as_books_say() {
        let (outer, inner): (f64, f64) = (0.02, 0.018);
        let area = std::f64::consts::PI * (outer * outer - inner * inner);
        let inertia = std::f64::consts::PI / 4.0 * (outer.powi(4) - inner.powi(4));
        let forces = DMatrix::identity(6, 6);
        let tube = RoundSections { nodes: vec![3], sizes: vec![area, inertia, outer, 2.0], forces };
        let stress = |amplitudes: [f64; 6]| {
            let at = tube.at_node(3, &DVector::from_column_slice(&amplitudes));
            tube.each(&amplitudes, |node, stress| assert_eq!((node, stress), (3, at)));
            at
        };
        let close = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-12, "{a} is not {b}");
        close(stress([1e3, 0.0, 0.0, 0.0, 0.0, 0.0]), 1e3 / area);
        close(stress([0.0, 0.0, 0.0, 0.0, 50.0, 0.0]), 50.0 * outer / inertia);
        close(stress([1e3, 0.0, 0.0, 0.0, 0.0, -50.0]), 1e3 / area + 50.0 * outer / inertia);
        let root = 3f64.sqrt();
        close(stress([0.0, 0.0, 0.0, -40.0, 0.0, 0.0]), root * 40.0 * outer / (2.0 * inertia));
        close(stress([0.0, 30.0, 40.0, 0.0, 0.0, 0.0]), root * 100.0 / area);
        assert_eq!(tube.at_node(2, &DVector::from_element(6, 1.0)), 0.0);
    }
}
