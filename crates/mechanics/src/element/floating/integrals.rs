//! Integrals over the mass of a body and its shapes, and what they are at a deformation.

use super::Floating;
use crate::scene::Scene;
use nalgebra::{DMatrix, Matrix3, Vector3};
use rotula_dae::Terms;
use rotula_elastic::Inertia;

/// Integrals of dm about the centre of mass of the undeformed body.
#[derive(Clone, Debug)]
pub(super) struct Integrals {
    /// ∫φ_k.
    pub first: Vec<Vector3<f64>>,
    /// ∫xφ_kᵀ.
    pub second: Vec<Matrix3<f64>>,
    /// ∫φ_lφ_kᵀ at `l * shapes + k`.
    pub product: Vec<Matrix3<f64>>,
    /// Rotary inertia of sections times ψ_k.
    pub spin: Vec<Vector3<f64>>,
    /// Modal mass.
    pub modal: DMatrix<f64>,
}

impl Integrals {
    /// From those about the origin of the mesh.
    pub(super) fn central(inertia: &Inertia) -> Self {
        let n = inertia.shapes();
        let centre = inertia.centre();
        let column = |matrix: &DMatrix<f64>, k: usize| -> Vector3<f64> {
            matrix.fixed_view::<3, 1>(0, k).into_owned()
        };
        let first: Vec<_> = (0..n).map(|k| column(&inertia.shape_first, k)).collect();
        let second = (0..n).map(|k| {
            let about_origin = inertia.shape_second.fixed_view::<3, 3>(0, 3 * k).into_owned();
            about_origin - centre * first[k].transpose()
        });
        let block = |l: usize, k: usize| {
            inertia.shape_product.fixed_view::<3, 3>(3 * l, 3 * k).into_owned()
        };
        Integrals {
            second: second.collect(),
            product: (0..n * n).map(|i| block(i / n, i % n)).collect(),
            spin: (0..n).map(|k| column(&inertia.shape_spin, k)).collect(),
            modal: inertia.modal.clone(),
            first,
        }
    }
}

/// ∫r×φ from ∫rφᵀ.
pub(super) fn axial(m: &Matrix3<f64>) -> Vector3<f64> {
    Vector3::new(m[(1, 2)] - m[(2, 1)], m[(2, 0)] - m[(0, 2)], m[(0, 1)] - m[(1, 0)])
}

/// The inertia tensor of a matrix of second moments.
pub(super) fn tensor(second: &Matrix3<f64>) -> Matrix3<f64> {
    Matrix3::identity() * second.trace() - second
}

/// Motion and integrals at the present deformation.
#[derive(Clone, Debug, Default)]
pub(super) struct Present {
    /// Amplitudes and their rates.
    pub q: [Vec<f64>; 3],
    /// Σ φ_l φ_kᵀ of the amplitudes and of their two rates; `∫xφ_kᵀ` is added to the first.
    pub coupling: [Vec<Matrix3<f64>>; 3],
    /// B_k.
    pub turning: Vec<Vector3<f64>>,
    /// ∫Σφ_k of the amplitudes and of their two rates.
    pub first: [Vector3<f64>; 3],
    /// J_d and its rate.
    pub inertia: [Matrix3<f64>; 2],
    /// Σ B_k of the rates and of the accelerations.
    pub spin: [Vector3<f64>; 2],
    /// Linear and angular velocity.
    pub v: Vector3<f64>,
    pub omega: Vector3<f64>,
    /// Angular acceleration.
    pub omega_rate: Vector3<f64>,
    /// Gravity in the axes of the frame.
    pub gravity: Vector3<f64>,
    /// v̇ + ω × v − g.
    pub acceleration: Vector3<f64>,
}

impl Present {
    pub(super) fn new(n: usize) -> Self {
        Present {
            q: std::array::from_fn(|_| vec![0.0; n]),
            coupling: std::array::from_fn(|_| vec![Matrix3::zeros(); n]),
            turning: vec![Vector3::zeros(); n],
            ..Present::default()
        }
    }
}

impl Floating {
    /// Works out the present motion. Without the terms of inertia accelerations are zero, without
    /// those of forces velocities and gravity are.
    pub(super) fn place(&mut self, scene: Scene, terms: Terms) {
        let Floating { integrals, present, gravity, .. } = self;
        let n = integrals.first.len();
        let frame = scene.motion(0);
        let zero = Vector3::zeros();
        for k in 0..n {
            let motion = scene.motion(1 + k / 3);
            present.q[0][k] = motion.position[k % 3];
            present.q[1][k] = if terms.forces { motion.velocity[k % 3] } else { 0.0 };
            present.q[2][k] = if terms.inertia { motion.velocity_rate[k % 3] } else { 0.0 };
        }
        let (v, omega, g) = match terms.forces {
            true => (frame.velocity, frame.omega, frame.into_body(gravity)),
            false => (zero, zero, zero),
        };
        let (v_rate, omega_rate) = match terms.inertia {
            true => (frame.velocity_rate, frame.omega_rate),
            false => (zero, zero),
        };
        (present.v, present.omega, present.omega_rate) = (v, omega, omega_rate);
        (present.gravity, present.acceleration) = (g, v_rate + omega.cross(&v) - g);
        for (level, coupling) in present.coupling.iter_mut().enumerate() {
            let q = &present.q[level];
            match level {
                0 => coupling.copy_from_slice(&integrals.second),
                _ => coupling.fill(Matrix3::zeros()),
            }
            for (l, amount) in q.iter().enumerate().filter(|(_, amount)| **amount != 0.0) {
                let row = &integrals.product[l * n..(l + 1) * n];
                coupling.iter_mut().zip(row).for_each(|(sum, product)| *sum += product * *amount);
            }
        }
        (present.first, present.spin) = Default::default();
        let mut second = [Matrix3::zeros(); 2];
        for k in 0..n {
            let [q, rate, rate_rate] = [0, 1, 2].map(|level| present.q[level][k]);
            let coupling = present.coupling[0][k];
            let turning = axial(&coupling) + integrals.spin[k];
            present.turning[k] = turning;
            for level in 0..3 {
                present.first[level] += integrals.first[k] * present.q[level][k];
            }
            present.spin[0] += turning * rate;
            present.spin[1] += turning * rate_rate;
            second[0] += (integrals.second[k].transpose() + coupling) * q;
            second[1] += (coupling + coupling.transpose()) * rate;
        }
        present.inertia = second.map(|second| tensor(&second));
    }

    /// J_k, the derivative of the inertia along an amplitude.
    pub(super) fn inertia_slope(&self, k: usize) -> Matrix3<f64> {
        let coupling = &self.present.coupling[0][k];
        tensor(&(coupling + coupling.transpose()))
    }
}
