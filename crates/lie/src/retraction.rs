//! The choice of the map that moves a frame by a 6-vector.

use crate::se3::{self, Frame};
use crate::wiener_milenkovic;
use nalgebra::{Matrix6, Vector6};

/// How an increment `Δ = (u; r)` moves a frame: `H⁺ = H ∘ map(Δ)`.
///
/// | | `r` | fails at | use |
/// |---|---|---|---|
/// | `Exponential` | `φ n` | tangent at a full turn | default; exact for constant twist |
/// | `Cayley` | `2 tan(φ/2) n` | a half turn | no trigonometry; map of the motion form |
/// | `WienerMilenkovic` | `4 tan(φ/4) n` | a full turn | no trigonometry, larger increments |
///
/// They agree to second order in the increment, so they change the error constant of an
/// integrator but not its order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Retraction {
    /// The exponential map of SE(3).
    #[default]
    Exponential,
    /// The Cayley map of the motion form. [Dymore note, eq. 29]
    Cayley,
    /// The Wiener–Milenković map.
    WienerMilenkovic,
}

impl Retraction {
    /// The motion of an increment, `map(Δ)`.
    #[inline]
    pub fn motion(self, delta: &Vector6<f64>) -> Frame {
        match self {
            Self::Exponential => se3::exp(delta),
            Self::Cayley => se3::cayley(delta),
            Self::WienerMilenkovic => wiener_milenkovic::motion(delta),
        }
    }

    /// The moved frame, `H ∘ map(Δ)`, with its quaternion normalised so that rounding does not
    /// add up over many steps.
    #[inline]
    pub fn retract(self, frame: &Frame, delta: &Vector6<f64>) -> Frame {
        let moved = *frame * self.motion(delta);
        Frame::new(moved.position, moved.orientation.normalised())
    }

    /// The increment that moves `from` to `to`: the inverse of [`retract`](Self::retract).
    #[inline]
    pub fn local(self, from: &Frame, to: &Frame) -> Vector6<f64> {
        let motion = to.seen_from(from);
        match self {
            Self::Exponential => se3::log(&motion),
            Self::Cayley => se3::cayley_inverse(&motion),
            Self::WienerMilenkovic => wiener_milenkovic::motion_vector(&motion),
        }
    }

    /// The right tangent map: body variation `δ = T(Δ) dΔ`.
    #[inline]
    pub fn tangent(self, delta: &Vector6<f64>) -> Matrix6<f64> {
        match self {
            Self::Exponential => se3::tangent(delta),
            Self::Cayley => se3::cayley_tangent(delta),
            Self::WienerMilenkovic => wiener_milenkovic::tangent(delta),
        }
    }

    /// The inverse of the right tangent map.
    #[inline]
    pub fn tangent_inverse(self, delta: &Vector6<f64>) -> Matrix6<f64> {
        match self {
            Self::Exponential => se3::tangent_inverse(delta),
            Self::Cayley => se3::cayley_tangent_inverse(delta),
            Self::WienerMilenkovic => wiener_milenkovic::tangent_inverse(delta),
        }
    }

    /// The derivative `∂(T(Δ) a)/∂Δ` at constant `a`.
    #[inline]
    pub fn tangent_derivative(self, delta: &Vector6<f64>, a: &Vector6<f64>) -> Matrix6<f64> {
        match self {
            Self::Exponential => se3::tangent_derivative(delta, a),
            Self::Cayley => se3::cayley_tangent_derivative(delta, a),
            Self::WienerMilenkovic => wiener_milenkovic::tangent_derivative(delta, a),
        }
    }

    /// The derivative `∂(T⁻¹(Δ) a)/∂Δ` at constant `a`.
    #[inline]
    pub fn tangent_inverse_derivative(
        self,
        delta: &Vector6<f64>,
        a: &Vector6<f64>,
    ) -> Matrix6<f64> {
        match self {
            Self::Exponential => se3::tangent_inverse_derivative(delta, a),
            Self::Cayley => se3::cayley_tangent_inverse_derivative(delta, a),
            Self::WienerMilenkovic => wiener_milenkovic::tangent_inverse_derivative(delta, a),
        }
    }
}
