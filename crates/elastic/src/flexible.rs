//! A reduced body on a floating frame: what a multibody element needs, without the mesh behind it.
//!
//! The body's frame is that of the mesh. A point at x has the displacement Σ φ_k(x) q_k in the
//! frame, so that with the frame's velocity v and angular velocity ω, in its own axes,
//!
//! ```text
//! ṙ = v + ω × (x + Σ φ_k q_k) + Σ φ_k q̇_k
//! ```
//!
//! The kinetic energy is the integral of ½ρ|ṙ|² over the quadrature points of the consistent mass:
//! for solids it is exactly the energy of the consistent mass matrix with these velocities of the
//! nodes, which has the form m_ij I and does not change when the frame turns. Sections of beams have
//! a rotary inertia besides; it turns with ω + Σ ψ_k q̇_k and is taken in the undeformed axes.

use crate::round_sections::RoundSections;
use nalgebra::{DMatrix, DVector, Matrix3, Vector3};
use std::collections::BTreeMap;

/// Integrals over the mass of a body and its shapes. All are in the axes of the mesh, about its
/// origin.
#[derive(Clone, Debug, PartialEq)]
pub struct Inertia {
    /// Mass.
    pub mass: f64,
    /// ∫ x dm.
    pub first: Vector3<f64>,
    /// ∫ x xᵀ dm.
    pub second: Matrix3<f64>,
    /// Rotary inertia of sections of beams.
    pub spin: Matrix3<f64>,
    /// ∫ φ_k dm, a column per shape.
    pub shape_first: DMatrix<f64>,
    /// ∫ x φ_kᵀ dm, a 3 × 3 block per shape, side by side.
    pub shape_second: DMatrix<f64>,
    /// ∫ φ_k φ_lᵀ dm, a 3 × 3 block per pair of shapes: rows of k, columns of l.
    pub shape_product: DMatrix<f64>,
    /// Rotary inertia of sections times ψ_k, a column per shape.
    pub shape_spin: DMatrix<f64>,
    /// Modal mass, rotary inertia included.
    pub modal: DMatrix<f64>,
}

impl Inertia {
    /// Number of shapes.
    pub fn shapes(&self) -> usize {
        self.shape_first.ncols()
    }

    /// Centre of mass of the undeformed body.
    pub fn centre(&self) -> Vector3<f64> {
        self.first / self.mass
    }

    /// Tensor of inertia of the undeformed body about its centre.
    pub fn central(&self) -> Matrix3<f64> {
        let centre = self.centre();
        let second = self.second - centre * centre.transpose() * self.mass;
        Matrix3::identity() * second.trace() - second + self.spin
    }

    /// ∫ r dm of the deformed body.
    pub fn first_moment(&self, q: &DVector<f64>) -> Vector3<f64> {
        self.first + Vector3::from_iterator((&self.shape_first * q).iter().copied())
    }

    /// ∫ r φ_kᵀ dm of the deformed body.
    fn coupling(&self, q: &DVector<f64>, k: usize) -> Matrix3<f64> {
        let mut sum: Matrix3<f64> = self.shape_second.fixed_view::<3, 3>(0, 3 * k).into();
        for l in 0..self.shapes() {
            sum += self.shape_product.fixed_view::<3, 3>(3 * l, 3 * k) * q[l];
        }
        sum
    }

    /// Mass matrix of frame velocity, frame angular velocity and modal velocities, 6 + n rows.
    pub fn mass_matrix(&self, q: &DVector<f64>) -> DMatrix<f64> {
        let n = self.shapes();
        let mut matrix = DMatrix::zeros(6 + n, 6 + n);
        let mut second = self.second;
        let mut turning = self.shape_spin.clone();
        for k in 0..n {
            let coupling = self.coupling(q, k);
            // ∫ r × φ_k dm
            let moment = Vector3::new(
                coupling[(1, 2)] - coupling[(2, 1)],
                coupling[(2, 0)] - coupling[(0, 2)],
                coupling[(0, 1)] - coupling[(1, 0)],
            );
            for i in 0..3 {
                turning[(i, k)] += moment[i];
            }
            let rest: Matrix3<f64> = self.shape_second.fixed_view::<3, 3>(0, 3 * k).into();
            second += (rest.transpose() + coupling) * q[k];
        }
        let inertia = Matrix3::identity() * second.trace() - second + self.spin;
        let lever = self.first_moment(q).cross_matrix();
        matrix.fixed_view_mut::<3, 3>(0, 0).copy_from(&(Matrix3::identity() * self.mass));
        matrix.fixed_view_mut::<3, 3>(3, 0).copy_from(&lever);
        matrix.fixed_view_mut::<3, 3>(0, 3).copy_from(&lever.transpose());
        matrix.fixed_view_mut::<3, 3>(3, 3).copy_from(&inertia);
        matrix.view_mut((0, 6), (3, n)).copy_from(&self.shape_first);
        matrix.view_mut((6, 0), (n, 3)).copy_from(&self.shape_first.transpose());
        matrix.view_mut((3, 6), (3, n)).copy_from(&turning);
        matrix.view_mut((6, 3), (n, 3)).copy_from(&turning.transpose());
        matrix.view_mut((6, 6), (n, n)).copy_from(&self.modal);
        matrix
    }

    /// Kinetic energy at amplitudes `q`; `velocity` holds frame velocity, frame angular velocity and
    /// modal velocities.
    pub fn kinetic_energy(&self, q: &DVector<f64>, velocity: &DVector<f64>) -> f64 {
        0.5 * velocity.dot(&(self.mass_matrix(q) * velocity))
    }

    /// Forces of an acceleration field such as gravity, given in the frame's axes: force and moment
    /// on the frame, then modal forces.
    pub fn gravity(&self, q: &DVector<f64>, field: Vector3<f64>) -> DVector<f64> {
        let mut forces = DVector::zeros(6 + self.shapes());
        forces.fixed_rows_mut::<3>(0).copy_from(&(field * self.mass));
        forces.fixed_rows_mut::<3>(3).copy_from(&self.first_moment(q).cross(&field));
        let modal = self.shape_first.tr_mul(&field);
        forces.rows_mut(6, self.shapes()).copy_from(&modal);
        forces
    }
}

/// A frame of a reduced body at which joints and forces are attached.
#[derive(Clone, Debug, PartialEq)]
pub struct FlexibleFrame {
    /// Its name.
    pub name: String,
    /// Where it is in the undeformed body.
    pub position: Vector3<f64>,
    /// Displacement, a column per shape.
    pub translation: DMatrix<f64>,
    /// Small rotation, a column per shape.
    pub rotation: DMatrix<f64>,
}

impl FlexibleFrame {
    /// Modal forces of a force and a moment at the frame.
    pub fn modal_load(&self, force: Vector3<f64>, moment: Vector3<f64>) -> DVector<f64> {
        self.translation.tr_mul(&force) + self.rotation.tr_mul(&moment)
    }
}

/// Shapes and stresses at the nodes of the mesh, for pictures and stress recovery.
#[derive(Clone, Debug, PartialEq)]
pub struct Surface {
    /// Numbers of the nodes.
    pub labels: Vec<u64>,
    /// Their positions, three per node.
    pub positions: Vec<f64>,
    /// Displacement: three rows per node, a column per shape.
    pub displacement: DMatrix<f64>,
    /// Indices of the nodes that have rotations, rising: those of beams and shells, and references of ties.
    pub turning: Vec<usize>,
    /// Small rotation: three rows for each of these, a column per shape.
    pub rotation: DMatrix<f64>,
    /// Stress xx, yy, zz, xy, yz, zx: six rows per node, a column per shape. Zero at nodes of beams.
    pub stress: DMatrix<f64>,
    /// Ends of beams whose sections are round.
    pub sections: RoundSections,
    /// Number of the cell of each element in VTK.
    pub cells: Vec<u8>,
    /// Indices of the nodes of all elements, one element after the other.
    pub connectivity: Vec<usize>,
    /// Behind the last entry of each element in `connectivity`.
    pub ends: Vec<usize>,
    /// Named sets of nodes, by their indices.
    pub sets: BTreeMap<String, Vec<usize>>,
}

/// A reduced body.
#[derive(Clone, Debug, PartialEq)]
pub struct FlexibleBody {
    /// What it is called.
    pub title: String,
    /// How it was reduced.
    pub method: String,
    /// Highest frequency in hertz up to which all modes of the held or free body are in the basis.
    pub cut_off: Option<f64>,
    /// True if no supports hold the body in its frame: shapes are then orthogonal to rigid motions.
    pub floats: bool,
    /// Integrals over the mass.
    pub inertia: Inertia,
    /// Modal stiffness: squares of the angular frequencies.
    pub stiffness: Vec<f64>,
    /// Ratio of critical damping of each mode.
    pub damping: Vec<f64>,
    /// Frames at which it is attached.
    pub frames: Vec<FlexibleFrame>,
    /// Shapes at the nodes.
    pub surface: Surface,
}

impl FlexibleBody {
    /// Number of shapes.
    pub fn shapes(&self) -> usize {
        self.stiffness.len()
    }

    /// Frequencies in hertz.
    pub fn frequencies(&self) -> Vec<f64> {
        self.stiffness.iter().map(|value| value.sqrt() / (2.0 * std::f64::consts::PI)).collect()
    }

    /// The same body with some of its shapes.
    pub fn keeping(&self, kept: &[usize]) -> FlexibleBody {
        let columns = |matrix: &DMatrix<f64>| matrix.select_columns(kept.iter());
        let wide: Vec<usize> = kept.iter().flat_map(|k| 3 * k..3 * k + 3).collect();
        let of = |values: &[f64]| kept.iter().map(|k| values[*k]).collect();
        let inertia = &self.inertia;
        let frame = |frame: &FlexibleFrame| FlexibleFrame {
            translation: columns(&frame.translation),
            rotation: columns(&frame.rotation),
            ..frame.clone()
        };
        FlexibleBody {
            title: self.title.clone(),
            method: self.method.clone(),
            cut_off: self.cut_off,
            floats: self.floats,
            inertia: Inertia {
                mass: inertia.mass,
                first: inertia.first,
                second: inertia.second,
                spin: inertia.spin,
                shape_first: columns(&inertia.shape_first),
                shape_second: inertia.shape_second.select_columns(wide.iter()),
                shape_product: inertia
                    .shape_product
                    .select_columns(wide.iter())
                    .select_rows(wide.iter()),
                shape_spin: columns(&inertia.shape_spin),
                modal: columns(&inertia.modal).select_rows(kept.iter()),
            },
            stiffness: of(&self.stiffness),
            damping: of(&self.damping),
            frames: self.frames.iter().map(frame).collect(),
            surface: Surface {
                displacement: columns(&self.surface.displacement),
                rotation: columns(&self.surface.rotation),
                stress: columns(&self.surface.stress),
                sections: self.surface.sections.keeping(kept),
                ..self.surface.clone()
            },
        }
    }
}
