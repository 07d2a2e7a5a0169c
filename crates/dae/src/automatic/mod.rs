//! Mechanical systems written as formulas, with exact derivatives.
//!
//! A user implements [`Equations`], generic over the type of number; [`Automatic`] makes it a
//! complete [`System`](crate::System). Derivatives come from dual numbers ([`Dual`]), nested
//! where second derivatives are needed: they are exact to rounding and need no step size. Rates of
//! constraints are derivatives along the motion, reactions `Gᵀλ` are gradients of `λ·g`.
//!
//! A pendulum in Cartesian coordinates:
//!
//! ```
//! use rotula_dae::automatic::{Arguments, Automatic, Equations, MassMatrix, Scalar};
//! use rotula_dae::{Level, Sizes, State, System};
//!
//! struct Pendulum {
//!     mass: f64,
//!     length: f64,
//! }
//!
//! impl Equations for Pendulum {
//!     fn sizes(&self) -> Sizes {
//!         Sizes { holonomic: 1, ..Sizes::vector(2) }
//!     }
//!     fn mass<T: Scalar>(&self, _t: T, _q: &[T], m: &mut MassMatrix<T>) {
//!         m.set(0, 0, self.mass);
//!         m.set(1, 1, self.mass);
//!     }
//!     fn force<T: Scalar>(&self, _at: &Arguments<T>, f: &mut [T]) {
//!         f[1] -= self.mass * 9.81;
//!     }
//!     fn holonomic<T: Scalar>(&self, _t: T, q: &[T], g: &mut [T]) {
//!         g[0] = q[0].hypot(q[1]) - self.length;
//!     }
//! }
//!
//! let mut system = Automatic::new(Pendulum { mass: 2.0, length: 5.0 });
//! let mut state = State::zeros(system.sizes());
//! state.q = vec![3.0, -4.0];
//! state.v = vec![4.0, 3.0];
//! let mut acceleration = [0.0];
//! system.constraint(Level::Acceleration, &state.point(), &mut acceleration);
//! assert!((acceleration[0] - 5.0).abs() < 1e-14); // v²/l, the centripetal part
//! ```

mod arithmetic;
mod auxiliary;
mod constraints;
mod curvature;
mod dual;
mod energy;
mod equations;
mod explain;
mod mass;
mod motion;
mod scalar;
mod system;
mod workspace;

pub use dual::Dual;
pub use equations::{Arguments, AuxiliaryArguments, Equations};
pub use mass::MassMatrix;
pub use scalar::Scalar;
pub use system::Automatic;

#[cfg(test)]
mod dual_tests;
