//! Integrals over the mass from the matrix of the mass.
//!
//! The mass matrix of solids is m_ij I between nodes i and j; all integrals over the moving body are sums
//! over it, exactly. Matrices of nodes with rotations are not of this form. Then m_ij is the mean of the
//! three translations, and what the rest adds to the products with rigid motions and of the shapes counts as
//! rotary inertia: linear and angular momentum and the modal mass of the undeformed body are exact, and only
//! their change with the deformation is that of the masses m_ij.

use super::Given;
use crate::flexible::Inertia;
use crate::freedom::Freedom;
use crate::mesh::Mesh;
use nalgebra::{DMatrix, Matrix3, Vector3};

/// Integrals of the shapes, given for all components of the body.
pub(crate) fn inertia(
    mesh: &Mesh,
    given: &Given,
    freedom: &Freedom,
    all: &DMatrix<f64>,
) -> Inertia {
    let (n, rows) = (all.ncols(), given.rows.len());
    let shapes = DMatrix::from_fn(rows, n, |row, k| all[(given.component(freedom, row), k)]);
    let motions = given.rigid_motions(mesh);
    let moved = given.matrices.mass_times(&motions);
    let rigid = motions.tr_mul(&moved);
    let shape_rigid = moved.tr_mul(&shapes);
    let mass = rigid.fixed_view::<3, 3>(0, 0).trace() / 3.0;
    let lever = rigid.fixed_view::<3, 3>(0, 3);
    // ∫ e_a · (e_b × x) dm: z in row 0 and column 1, x in (1, 2), y in (2, 0)
    let first = Vector3::new(
        lever[(1, 2)] - lever[(2, 1)],
        lever[(2, 0)] - lever[(0, 2)],
        lever[(0, 1)] - lever[(1, 0)],
    ) * 0.5;
    let field = Field::new(mesh, given, &shapes);
    let weighted = field.times_mass(given);
    let second: Matrix3<f64> =
        field.positions.tr_mul(&weighted.positions).fixed_view::<3, 3>(0, 0).into();
    let shape_second = field.positions.tr_mul(&weighted.shapes);
    let shape_product = field.shapes.tr_mul(&weighted.shapes);
    let turning: Matrix3<f64> = rigid.fixed_view::<3, 3>(3, 3).into();
    let spin = turning - (Matrix3::identity() * second.trace() - second);
    let mut shape_spin: DMatrix<f64> = shape_rigid.rows(3, 3).into_owned();
    for k in 0..n {
        let block = shape_second.fixed_view::<3, 3>(0, 3 * k);
        // ∫ x × φ dm
        shape_spin[(0, k)] -= block[(1, 2)] - block[(2, 1)];
        shape_spin[(1, k)] -= block[(2, 0)] - block[(0, 2)];
        shape_spin[(2, k)] -= block[(0, 1)] - block[(1, 0)];
    }
    Inertia {
        mass,
        first,
        second,
        spin: (spin + spin.transpose()) * 0.5,
        shape_first: shape_rigid.rows(0, 3).into_owned(),
        shape_second,
        shape_product,
        shape_spin,
        modal: shapes.tr_mul(&given.matrices.mass_times(&shapes)),
    }
}

/// Places and displacements of the nodes: a row per node, three columns for the places and three per shape.
struct Field {
    positions: DMatrix<f64>,
    shapes: DMatrix<f64>,
}

impl Field {
    fn new(mesh: &Mesh, given: &Given, shapes: &DMatrix<f64>) -> Field {
        let nodes = mesh.nodes.len();
        let mut moved = DMatrix::zeros(nodes, 3 * shapes.ncols());
        for (row, &(node, i)) in given.rows.iter().enumerate().filter(|(_, (_, i))| *i < 3) {
            for k in 0..shapes.ncols() {
                moved[(node, 3 * k + i)] = shapes[(row, k)];
            }
        }
        let positions = DMatrix::from_fn(nodes, 3, |node, i| mesh.nodes[node].position[i]);
        Field { positions, shapes: moved }
    }

    /// The products Σ_j m_ij u_j.
    fn times_mass(&self, given: &Given) -> Field {
        let zeros = |matrix: &DMatrix<f64>| DMatrix::zeros(matrix.nrows(), matrix.ncols());
        let (mut positions, mut shapes) = (zeros(&self.positions), zeros(&self.shapes));
        for j in 0..given.rows.len() {
            let (second, b) = given.rows[j];
            for (i, p) in given.matrices.column(j) {
                let (first, a) = given.rows[i];
                if a == b && a < 3 {
                    let mass = given.matrices.mass[p] / 3.0;
                    let mut row = positions.row_mut(first);
                    row += self.positions.row(second) * mass;
                    let mut row = shapes.row_mut(first);
                    row += self.shapes.row(second) * mass;
                }
            }
        }
        Field { positions, shapes }
    }
}
