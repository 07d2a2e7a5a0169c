//! Stress recovery: from amplitudes of the shapes to stress at the nodes.

use crate::body::Body;
use crate::error::MeshError;
use crate::flexible::Surface;
use crate::integrals::nodal_stress;
use nalgebra::{DMatrix, DVector};

/// A node where stress is high.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HotSpot {
    /// Number of the node.
    pub label: u64,
    /// Its position.
    pub position: [f64; 3],
    /// Von Mises stress there, in pascals.
    pub stress: f64,
    /// Which of the given states it belongs to.
    pub state: usize,
}

/// Von Mises stress of xx, yy, zz, xy, yz, zx.
pub fn von_mises(stress: &[f64]) -> f64 {
    let [x, y, z, xy, yz, zx] = [0, 1, 2, 3, 4, 5].map(|i| stress[i]);
    let normal = (x - y).powi(2) + (y - z).powi(2) + (z - x).powi(2);
    (0.5 * normal + 3.0 * (xy * xy + yz * yz + zx * zx)).sqrt()
}

/// Stress of a body at its nodes (xx, yy, zz, xy, yz, zx of each) for displacements of all its
/// components.
pub fn body_stress(body: &Body, displacement: &[f64]) -> Result<Vec<f64>, MeshError> {
    let column = DMatrix::from_column_slice(displacement.len(), 1, displacement);
    Ok(nodal_stress(&body.mesh, &body.freedom, &column)?.as_slice().to_vec())
}

impl Surface {
    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.labels.len()
    }

    /// Displacements of the nodes in the body's frame, three per node.
    pub fn displacement(&self, amplitudes: &[f64]) -> Vec<f64> {
        (&self.displacement * DVector::from_column_slice(amplitudes)).as_slice().to_vec()
    }

    /// Whether stress can be found anywhere.
    pub fn has_stress(&self) -> bool {
        !self.sections.is_empty() || self.stress.iter().any(|stress| *stress != 0.0)
    }

    /// Von Mises stress at each node: that of solids and shells there, and the largest of the ends of beams.
    pub fn von_mises(&self, amplitudes: &[f64]) -> Vec<f64> {
        let stress = &self.stress * DVector::from_column_slice(amplitudes);
        let mut all: Vec<f64> = stress.as_slice().chunks(6).map(von_mises).collect();
        self.sections.each(amplitudes, |node, stress| all[node] = all[node].max(stress));
        all
    }

    /// Von Mises stress at one node in a series of states.
    pub fn history(&self, node: usize, states: &[Vec<f64>]) -> Vec<f64> {
        let rows = self.stress.rows(6 * node, 6);
        let stress = |state: &Vec<f64>| {
            let amplitudes = DVector::from_column_slice(state);
            let own = von_mises((rows * &amplitudes).as_slice());
            own.max(self.sections.at_node(node, &amplitudes))
        };
        states.iter().map(stress).collect()
    }

    /// The nodes with the highest stress over a series of states, highest first. Nodes nearer to a
    /// hotter one than `apart` are left out.
    pub fn hot_spots(&self, states: &[Vec<f64>], count: usize, apart: f64) -> Vec<HotSpot> {
        let mut highest = vec![(0.0_f64, 0); self.nodes()];
        for (state, amplitudes) in states.iter().enumerate() {
            for (node, stress) in self.von_mises(amplitudes).into_iter().enumerate() {
                if stress > highest[node].0 {
                    highest[node] = (stress, state);
                }
            }
        }
        let mut order: Vec<usize> = (0..self.nodes()).collect();
        order.sort_by(|a, b| highest[*b].0.total_cmp(&highest[*a].0));
        let mut spots: Vec<HotSpot> = Vec::new();
        for node in order {
            if spots.len() == count || highest[node].0 == 0.0 {
                break;
            }
            let position: [f64; 3] = std::array::from_fn(|i| self.positions[3 * node + i]);
            let near = |spot: &HotSpot| {
                let square: f64 = (0..3).map(|i| (spot.position[i] - position[i]).powi(2)).sum();
                square.sqrt() < apart
            };
            if !spots.iter().any(near) {
                let (stress, state) = highest[node];
                spots.push(HotSpot { label: self.labels[node], position, stress, state });
            }
        }
        spots
    }
}

#[cfg(test)]
mod tests {
    use super::von_mises;

    #[test]
    fn known_states_of_stress() {
        assert!((von_mises(&[5.0, 0.0, 0.0, 0.0, 0.0, 0.0]) - 5.0).abs() < 1e-15);
        assert!(von_mises(&[3.0, 3.0, 3.0, 0.0, 0.0, 0.0]).abs() < 1e-15);
        let shear = von_mises(&[0.0, 0.0, 0.0, 2.0, 0.0, 0.0]);
        assert!((shear - 2.0 * 3.0_f64.sqrt()).abs() < 1e-15);
    }
}
