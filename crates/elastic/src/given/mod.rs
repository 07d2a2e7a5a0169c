//! Bodies of which another program has given stiffness and mass instead of elements.
//!
//! | file | content |
//! |---|---|
//! | `check` | whether the matrices are those of a free body in one system of units |
//! | `integrals` | integrals over the mass, from the matrix of the mass |

mod check;
mod integrals;

use crate::error::{MeshError, Place};
use crate::freedom::Freedom;
use crate::matrices::Matrices;
use crate::mesh::Mesh;
use nalgebra::{DMatrix, Vector3};

pub(crate) use check::{check, check_units};
pub(crate) use integrals::inertia;

/// Stiffness and mass of a body, without supports, and what their rows belong to.
#[derive(Clone, Debug)]
pub struct Given {
    /// The matrices.
    pub matrices: Matrices,
    /// Node index and component of each row: translations 0 to 2, rotations 3 to 5.
    pub rows: Vec<(usize, usize)>,
    /// The files of stiffness and mass, as the user calls them.
    pub files: [String; 2],
}

impl Given {
    /// True for the nodes that have rotations.
    pub(crate) fn rotates(&self, nodes: usize) -> Vec<bool> {
        let mut rotates = vec![false; nodes];
        self.rows.iter().filter(|(_, i)| *i >= 3).for_each(|(node, _)| rotates[*node] = true);
        rotates
    }

    /// Converts from a system of units with `length` metres per unit of length and `stress` pascals per
    /// unit of stress; its unit of time is the second.
    pub(crate) fn convert(&mut self, length: f64, stress: f64) {
        // N per unit of length, and t = N s² per unit of length: one factor for both
        let translation = stress * length;
        for j in 0..self.matrices.size() {
            let entries: Vec<_> = self.matrices.column(j).collect();
            for (i, p) in entries {
                let turns = [i, j].iter().filter(|row| self.rows[**row].1 >= 3).count();
                let factor = translation * length.powi(turns as i32);
                self.matrices.stiffness[p] *= factor;
                self.matrices.mass[p] *= factor;
            }
        }
    }

    /// The six rigid motions of the rows.
    pub(crate) fn rigid_motions(&self, mesh: &Mesh) -> DMatrix<f64> {
        let mut motions = DMatrix::zeros(self.rows.len(), 6);
        for (row, &(node, i)) in self.rows.iter().enumerate() {
            for k in 0..3 {
                if i < 3 {
                    motions[(row, k)] = f64::from(u8::from(i == k));
                    let turned = Vector3::ith(k, 1.0).cross(&mesh.nodes[node].position);
                    motions[(row, 3 + k)] = turned[i];
                } else {
                    motions[(row, 3 + k)] = f64::from(u8::from(i - 3 == k));
                }
            }
        }
        motions
    }

    /// Component of the body that a row belongs to.
    pub(crate) fn component(&self, freedom: &Freedom, row: usize) -> usize {
        let (node, i) = self.rows[row];
        freedom.component(node, i).expect("rows are components of the body")
    }

    /// Nodes that share an entry of the stiffness, the lower index first, each pair once.
    pub(crate) fn pairs(&self) -> Vec<(usize, usize)> {
        let mut pairs = Vec::new();
        for j in 0..self.matrices.size() {
            for (i, p) in self.matrices.column(j) {
                let (a, b) = (self.rows[i].0, self.rows[j].0);
                if a < b && self.matrices.stiffness[p] != 0.0 {
                    pairs.push((a, b));
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// Lines of a picture: from each node to the nearest ones it is coupled with.
    pub(crate) fn lines(&self, mesh: &Mesh) -> Vec<(usize, usize)> {
        /// How much farther than the nearest node another one may be.
        const NEAR: f64 = 1.2;
        let mut pairs = self.pairs();
        let distance =
            |(a, b): (usize, usize)| (mesh.nodes[a].position - mesh.nodes[b].position).norm();
        let mut nearest = vec![f64::INFINITY; mesh.nodes.len()];
        for &(a, b) in &pairs {
            let length = distance((a, b));
            nearest[a] = nearest[a].min(length);
            nearest[b] = nearest[b].min(length);
        }
        pairs.retain(|&(a, b)| distance((a, b)) <= NEAR * nearest[a].max(nearest[b]));
        pairs
    }

    fn fault(&self, file: usize, message: impl Into<String>, help: impl Into<String>) -> MeshError {
        MeshError::new(&self.files[file], Place::NOWHERE, message, help)
    }
}
