//! Rotations and rigid motions: SO(3), SE(3), quaternions, dual quaternions.
//!
//! | Module | Holds |
//! |---|---|
//! | [`so3`] | rotation vectors ↔ rotation matrices, exponential and Cayley, with tangent maps |
//! | [`quaternion`] | [`Quaternion`], the unit quaternion of a rotation |
//! | [`se3`] | [`Frame`] (position and orientation), exponential and Cayley, with tangent maps |
//! | [`dual_quaternion`] | [`DualQuaternion`], the Euler motion parameters of a rigid motion |
//! | [`wiener_milenkovic`] | the Wiener–Milenković map of rotations and motions |
//! | [`retraction`] | [`Retraction`], the choice among the three maps |
//!
//! # Conventions
//!
//! * Quaternion components are ordered w, x, y, z.
//! * 6-vectors of SE(3) hold the linear part first, then the angular part: `Δ = (u; r)`.
//! * Increments act on the right, `H⁺ = H ∘ exp(Δ)`, so velocities are body-frame twists.
//! * `r~` is the skew matrix of `r`: `r~ a = r × a`.
//! * Tangent maps are *right* tangent maps: `T` turns the variation of the increment into the
//!   variation seen in the moved body, `δ = T(Δ) dΔ`. The left ones are `T(−Δ)`.
//!
//! # How the retractions share one kernel
//!
//! Every tangent map here is an isotropic function of a rotation vector,
//! `M(r) = o I + p r~ + q r~²` with `o, p, q` functions of `r·r` alone. The principle of
//! transference extends it to motions by putting the dual vector `r + εu` in the place of `r`:
//!
//! ```text
//! M(r + εu) = M + ε V   ⇒   ⎡ M  V ⎤
//!                           ⎣ 0  M ⎦
//! ```
//!
//! so one kernel serves SO(3) and SE(3), all three maps, and all their derivatives.
//!
//! # Example
//!
//! ```
//! use nalgebra::{Vector3, Vector6};
//! use rotula_lie::{Frame, Retraction};
//!
//! // a body that drives forward while it turns left: after a half turn it is on the other side
//! let twist = Vector6::new(2.0, 0.0, 0.0, 0.0, 0.0, 1.0);
//! let half_turn = twist * std::f64::consts::PI;
//! let moved = Retraction::Exponential.retract(&Frame::identity(), &half_turn);
//! assert!((moved.position - Vector3::new(0.0, 4.0, 0.0)).norm() < 1e-14);
//! ```
//!
//! In the comments, `[Dymore note, eq. n]` cites the note on the generalized-α method in motion form.

#![forbid(unsafe_code)]

mod coefficients;
pub mod dual_quaternion;
mod isotropic;
pub mod quaternion;
pub mod retraction;
pub mod se3;
pub mod so3;
pub mod wiener_milenkovic;

pub use dual_quaternion::DualQuaternion;
pub use quaternion::Quaternion;
pub use retraction::Retraction;
pub use se3::Frame;
