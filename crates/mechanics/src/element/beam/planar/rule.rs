//! The forces on the nodes of a planar element, from sections in the axes of its plane.

use super::Station;
use super::state::Knot;
use crate::element::beam::{MOST_CHARTS, MOST_NODES};
use crate::lanes::{LANES, Lanes, Number, each};
use nalgebra::{Matrix3, Vector2, Vector3};

/// What the forces on the nodes depend on besides the motion, close together: of one element, or of
/// four with the same number of nodes.
#[derive(Clone, Debug)]
pub(crate) struct Rule<T = f64> {
    pub(super) count: usize,
    pub(super) damped: bool,
    /// Mass and moment of inertia per length.
    pub(super) mass: [T; 2],
    /// Gravity in the plane.
    pub(super) gravity: Vector2<T>,
    /// `∫ N_k`.
    pub(super) shares: [T; MOST_NODES],
    /// `∫ N_i N_j`, or shares of the length on the diagonal.
    pub(super) overlap: [[T; MOST_NODES]; MOST_NODES],
    pub(super) stiffness: Matrix3<T>,
    /// The places where strain is looked at, one less than nodes.
    pub(super) elastic: [Station<T>; MOST_CHARTS],
    pub(super) damping: Matrix3<T>,
}

/// A matrix times a vector.
#[inline(always)]
fn times<T: Number>(matrix: &Matrix3<T>, vector: &Vector3<T>) -> Vector3<T> {
    let row = |i: usize| {
        let first = matrix[(i, 0)] * vector.x;
        matrix[(i, 2)].times_plus(vector.z, matrix[(i, 1)].times_plus(vector.y, first))
    };
    Vector3::new(row(0), row(1), row(2))
}

impl<T> Rule<T> {
    /// How many nodes there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Whether strain rates are resisted.
    pub fn damped(&self) -> bool {
        self.damped
    }

    /// The places where strain is looked at.
    pub(super) fn stations(&self) -> &[Station<T>] {
        &self.elastic[..self.count - 1]
    }
}

impl Rule<Lanes> {
    /// Four elements at a time.
    pub fn of_four(four: [&Rule; LANES]) -> Self {
        let station = |k: usize| Station {
            weight: each(|l| four[l].elastic[k].weight),
            shape: std::array::from_fn(|i| each(|l| four[l].elastic[k].shape[i])),
            slope: std::array::from_fn(|i| each(|l| four[l].elastic[k].slope[i])),
            strain: Vector3::from_fn(|i, _| each(|l| four[l].elastic[k].strain[i])),
        };
        let row = |i: usize| std::array::from_fn(|j| each(|l| four[l].overlap[i][j]));
        Rule {
            count: four[0].count,
            damped: four.iter().any(|rule| rule.damped),
            mass: std::array::from_fn(|i| each(|l| four[l].mass[i])),
            gravity: Vector2::from_fn(|i, _| each(|l| four[l].gravity[i])),
            shares: std::array::from_fn(|i| each(|l| four[l].shares[i])),
            overlap: std::array::from_fn(row),
            stiffness: Matrix3::from_fn(|i, j| each(|l| four[l].stiffness[(i, j)])),
            elastic: std::array::from_fn(station),
            damping: Matrix3::from_fn(|i, j| each(|l| four[l].damping[(i, j)])),
        }
    }
}

impl<T: Number> Rule<T> {
    /// Everything but loads.
    #[inline(always)]
    pub fn forces<const N: usize>(&self, knots: &[Knot<T>; N]) -> [Vector3<T>; N] {
        let mut out = [Vector3::zeros(); N];
        self.add_inertia(knots, &mut out);
        self.take_weight(&mut out);
        self.add_strain(knots, &mut out);
        out
    }

    /// Adds the forces of strain.
    #[inline(always)]
    pub(super) fn add_strain(&self, knots: &[Knot<T>], out: &mut [Vector3<T>]) {
        for station in &self.elastic[..knots.len() - 1] {
            let bent = station.bend(knots);
            let mut stress = times(&self.stiffness, &bent.strain);
            if self.damped {
                stress += times(&self.damping, &station.rates(knots, &bent).strain);
            }
            stress *= station.weight;
            let force = bent.turn.of(&stress.xy());
            let arm = bent.slope.y.times_plus(stress.x, -bent.slope.x * stress.y);
            for (k, out) in out.iter_mut().enumerate() {
                let (n, m) = (station.shape[k], station.slope[k]);
                out.x = m.times_plus(force.x, out.x);
                out.y = m.times_plus(force.y, out.y);
                out.z = m.times_plus(stress.z, n.times_plus(arm, out.z));
            }
        }
    }

    /// Takes the weight.
    #[inline(always)]
    pub(super) fn take_weight(&self, out: &mut [Vector3<T>]) {
        let weight = self.gravity * -self.mass[0];
        for (out, share) in out.iter_mut().zip(&self.shares) {
            out.x = weight.x.times_plus(*share, out.x);
            out.y = weight.y.times_plus(*share, out.y);
        }
    }

    /// Adds the forces of inertia.
    #[inline(always)]
    pub(super) fn add_inertia(&self, knots: &[Knot<T>], out: &mut [Vector3<T>]) {
        let [mass, inertia] = self.mass;
        for (i, out) in out.iter_mut().enumerate() {
            let mut sum = Vector3::zeros();
            for (j, knot) in knots.iter().enumerate() {
                let part = self.overlap[i][j];
                for c in 0..3 {
                    sum[c] = part.times_plus(knot.acceleration[c], sum[c]);
                }
            }
            out.x = mass.times_plus(sum.x, out.x);
            out.y = mass.times_plus(sum.y, out.y);
            out.z = inertia.times_plus(sum.z, out.z);
        }
    }
}
