//! The forces on the nodes of a planar element, from sections in the axes of its plane.

use super::Station;
use super::state::Knot;
use crate::element::beam::{MOST_CHARTS, MOST_NODES};
use nalgebra::{Matrix3, Vector2, Vector3};

/// What the forces on the nodes depend on besides the motion, close together.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(super) count: usize,
    pub(super) stiffness: Matrix3<f64>,
    pub(super) damping: Matrix3<f64>,
    pub(super) damped: bool,
    /// The places where strain is looked at, one less than nodes.
    pub(super) elastic: [Station; MOST_CHARTS],
    /// `∫ N_i N_j`, or shares of the length on the diagonal.
    pub(super) overlap: [[f64; MOST_NODES]; MOST_NODES],
    /// Mass and moment of inertia per length.
    pub(super) mass: [f64; 2],
    /// `∫ N_k`.
    pub(super) shares: [f64; MOST_NODES],
    /// Gravity in the plane.
    pub(super) gravity: Vector2<f64>,
}

impl Rule {
    /// How many nodes there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The places where strain is looked at.
    pub(super) fn stations(&self) -> &[Station] {
        &self.elastic[..self.count - 1]
    }

    /// Everything but loads.
    #[inline]
    pub fn forces<const N: usize>(&self, knots: &[Knot; N]) -> [Vector3<f64>; N] {
        let mut out = [Vector3::zeros(); N];
        self.add_strain(knots, &mut out);
        self.take_weight(&mut out);
        self.add_inertia(knots, &mut out);
        out
    }

    /// Adds the forces of strain.
    #[inline(always)]
    pub(super) fn add_strain(&self, knots: &[Knot], out: &mut [Vector3<f64>]) {
        for station in &self.elastic[..knots.len() - 1] {
            let bent = station.bend(knots);
            let mut stress = self.stiffness * bent.strain;
            if self.damped {
                stress += self.damping * station.rates(knots, &bent).strain;
            }
            stress *= station.weight;
            let force = bent.turn.of(&stress.xy());
            let arm = bent.slope.perp(&stress.xy());
            for (k, out) in out.iter_mut().enumerate() {
                let (n, m) = (station.shape[k], station.slope[k]);
                *out += Vector3::new(m * force.x, m * force.y, m * stress.z - n * arm);
            }
        }
    }

    /// Takes the weight.
    #[inline(always)]
    pub(super) fn take_weight(&self, out: &mut [Vector3<f64>]) {
        let weight = self.gravity * self.mass[0];
        for (out, share) in out.iter_mut().zip(&self.shares) {
            out.x -= weight.x * share;
            out.y -= weight.y * share;
        }
    }

    /// Adds the forces of inertia.
    #[inline(always)]
    pub(super) fn add_inertia(&self, knots: &[Knot], out: &mut [Vector3<f64>]) {
        let [mass, inertia] = self.mass;
        for (i, out) in out.iter_mut().enumerate() {
            let mut sum = Vector3::zeros();
            for (j, knot) in knots.iter().enumerate() {
                sum += knot.acceleration * self.overlap[i][j];
            }
            *out += Vector3::new(mass * sum.x, mass * sum.y, inertia * sum.z);
        }
    }
}
