//! Reads how a marker is turned against another one.
//!
//! R takes vectors from the axes of the marker to those of the reference. A variation δθ in the axes of the marker changes it
//! to R exp(δθ~), one δφ in the axes of the reference to R exp(−(Rᵀδφ)~), so that a reading whose derivative along δθ is
//! the row g has −R g along δφ.

use super::{Sensor, Slopes, View, add_angular};
use crate::marker::Marker;
use nalgebra::{Matrix3, Vector3};
use rotula_lie::so3;

/// How an orientation is put into numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Angles {
    /// The component along a direction of the rotation vector: axis times angle, which is at most π.
    Vector(Vector3<f64>),
    /// One of the angles α about x, β about the turned y and γ about the twice turned z: R = Rx(α) Ry(β) Rz(γ).
    /// β is within ±π/2, where α and γ become the same.
    Cardan(usize),
    /// One of the angles φ about z, θ about the turned x and ψ about the twice turned z: R = Rz(φ) Rx(θ) Rz(ψ). θ is from 0 to π,
    /// where φ and ψ become the same.
    Euler(usize),
}

/// Divisors keep this distance from zero where two angles become the same, so that derivatives stay finite.
const GIMBAL: f64 = 1e-9;

/// The orientation of a marker against another one.
#[derive(Clone, Debug)]
pub struct OrientationSensor {
    nodes: [usize; 2],
    /// Axes of the marker and of the reference in those of their nodes.
    axes: [Matrix3<f64>; 2],
    angles: Angles,
}

impl OrientationSensor {
    /// How a marker is turned against another one.
    pub fn new(marker: &Marker, reference: &Marker, angles: Angles) -> Self {
        OrientationSensor {
            nodes: [marker.node, reference.node],
            axes: [marker, reference].map(|marker| marker.frame.orientation.to_matrix()),
            angles,
        }
    }

    fn rotation(&self, view: View) -> Matrix3<f64> {
        let [marker, reference] =
            [0, 1].map(|slot| view.scene.motion(slot).rotation * self.axes[slot]);
        reference.transpose() * marker
    }
}

/// α, β, γ with R = Rx(α) Ry(β) Rz(γ).
fn cardan(r: &Matrix3<f64>) -> [f64; 3] {
    let beta = r[(0, 2)].atan2(r[(0, 0)].hypot(r[(0, 1)]));
    [(-r[(1, 2)]).atan2(r[(2, 2)]), beta, (-r[(0, 1)]).atan2(r[(0, 0)])]
}

/// φ, θ, ψ with R = Rz(φ) Rx(θ) Rz(ψ).
fn euler(r: &Matrix3<f64>) -> [f64; 3] {
    let theta = r[(0, 2)].hypot(r[(1, 2)]).atan2(r[(2, 2)]);
    [r[(0, 2)].atan2(-r[(1, 2)]), theta, r[(2, 0)].atan2(r[(2, 1)])]
}

/// A number that does not come too near to zero.
fn away_from_zero(x: f64) -> f64 {
    if x.abs() < GIMBAL { GIMBAL.copysign(x) } else { x }
}

impl Angles {
    fn value(&self, r: &Matrix3<f64>) -> f64 {
        match self {
            Angles::Vector(along) => along.dot(&so3::log(r)),
            Angles::Cardan(k) => cardan(r)[*k],
            Angles::Euler(k) => euler(r)[*k],
        }
    }

    /// The derivative along a variation in the axes of the marker.
    fn slope(&self, r: &Matrix3<f64>) -> Vector3<f64> {
        match self {
            Angles::Vector(along) => so3::tangent_inverse(&so3::log(r)).transpose() * along,
            Angles::Cardan(k) => {
                let [_, beta, gamma] = cardan(r);
                let (s, c) = gamma.sin_cos();
                // δθ = (cβ cγ, −cβ sγ, sβ) δα + (sγ, cγ, 0) δβ + (0, 0, 1) δγ
                let by_alpha = Vector3::new(c, -s, 0.0) / away_from_zero(beta.cos());
                match k {
                    0 => by_alpha,
                    1 => Vector3::new(s, c, 0.0),
                    _ => Vector3::z() - by_alpha * beta.sin(),
                }
            }
            Angles::Euler(k) => {
                let [_, theta, psi] = euler(r);
                let (s, c) = psi.sin_cos();
                // δθ = (sθ sψ, sθ cψ, cθ) δφ + (cψ, −sψ, 0) δθ + (0, 0, 1) δψ
                let by_phi = Vector3::new(s, c, 0.0) / away_from_zero(theta.sin());
                match k {
                    0 => by_phi,
                    1 => Vector3::new(c, -s, 0.0),
                    _ => Vector3::z() - by_phi * theta.cos(),
                }
            }
        }
    }
}

impl Sensor for OrientationSensor {
    fn nodes(&self) -> &[usize] {
        &self.nodes
    }

    fn value(&mut self, view: View) -> f64 {
        self.angles.value(&self.rotation(view))
    }

    fn slopes(&mut self, view: View, slopes: &mut Slopes) {
        let r = self.rotation(view);
        let along = self.angles.slope(&r);
        add_angular(&mut slopes.increment[0], &(self.axes[0] * along));
        add_angular(&mut slopes.increment[1], &(self.axes[1] * -(r * along)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_put_together_are_the_rotation() {
        let about = |k: usize, angle: f64| {
            so3::exp(&Vector3::from_fn(|i, _| if i == k { angle } else { 0.0 }))
        };
        for angles in [[0.3, -0.8, 2.1], [-2.9, 1.2, 0.4]] {
            let [a, b, c] = angles;
            let r = about(0, a) * about(1, b) * about(2, c);
            let back = cardan(&r);
            assert!((0..3).all(|k| (back[k] - angles[k]).abs() < 1e-14), "{back:?}");
            let angles = [a, b.abs(), c];
            let r = about(2, a) * about(0, b.abs()) * about(2, c);
            let back = euler(&r);
            assert!((0..3).all(|k| (back[k] - angles[k]).abs() < 1e-14), "{back:?}");
        }
    }
}
