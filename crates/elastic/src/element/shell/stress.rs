//! Stress of shells at their nodes.

use crate::element::shell::{PER_NODE, Shell, functions};
use nalgebra::{DMatrix, Matrix3, Matrix3xX};

/// Stress in the plane for unit displacements.
type Rows = Matrix3xX<f64>;

impl Shell {
    /// Stress at the nodes on the side of the normal (six rows per node, in the axes of the mesh) for
    /// unit displacements of the nodes.
    pub(crate) fn nodal_stress(&self) -> DMatrix<f64> {
        let (count, size) = (self.count(), PER_NODE * self.count());
        let (_, modes) = self.whole_membrane();
        let (elasticity, levers) = (self.elasticity(), self.levers());
        let points = self.points();
        let at_points: Vec<Rows> = points
            .iter()
            .map(|point| {
                let membrane = self.membrane(point);
                let mut strain = membrane.columns(0, size).into_owned();
                if let Some(modes) = &modes {
                    strain += membrane.columns(size, 4) * modes;
                }
                strain += self.bending(point) * (0.5 * self.thickness);
                elasticity * strain * &levers
            })
            .collect();
        let mut stress = DMatrix::zeros(6 * count, size);
        for a in 0..count {
            let weights = node_weights(count, a);
            let sum = at_points.iter().zip(weights).map(|(rows, weight)| rows * weight);
            let local = sum.fold(Rows::zeros(size), |sum, rows| sum + rows);
            for column in 0..size {
                let (x, y, xy) = (local[(0, column)], local[(1, column)], local[(2, column)]);
                let tensor = Matrix3::new(x, xy, 0.0, xy, y, 0.0, 0.0, 0.0, 0.0);
                let turned = self.axes * tensor * self.axes.transpose();
                let parts = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2)];
                for (i, part) in parts.into_iter().enumerate() {
                    stress[(6 * a + i, column)] = turned[part];
                }
            }
        }
        stress
    }
}

/// Weights that carry values at the points of the quadrature to a node.
fn node_weights(count: usize, node: usize) -> Vec<f64> {
    if count == 3 {
        // the points lie half-way between the centre and the nodes: the linear function through them
        return (0..3).map(|k| if k == node { 5.0 / 3.0 } else { -1.0 / 3.0 }).collect();
    }
    let corner = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]][node];
    let values = functions(4, corner.map(|x| x * 3.0_f64.sqrt())).values;
    // the points count the first direction fastest, the corners go round
    [0, 1, 3, 2].iter().map(|&k| values[k]).collect()
}
