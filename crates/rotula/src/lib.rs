//! Flexible multibody dynamics: mechanisms, or equations of your own, marched by the generalized-α family of integrators.
//!
//! # A system of your own
//!
//! A pendulum beside a wall: equations of its own, marched step by step, with impacts between the steps. The same program
//! stands in `examples/own_system`, outside of the workspace.
//!
//! ```
//! use rotula::dae::automatic::{Arguments, Automatic, Equations, MassMatrix, Scalar};
//! use rotula::prelude::*;
//!
//! const GRAVITY: f64 = 9.81;
//! const RESTITUTION: f64 = 0.8;
//!
//! /// A point of 1 kg on a rod of 1 m, in Cartesian coordinates; derivatives come from dual numbers.
//! struct Pendulum;
//!
//! impl Equations for Pendulum {
//!     fn sizes(&self) -> Sizes {
//!         Sizes { holonomic: 1, ..Sizes::vector(2) }
//!     }
//!
//!     fn mass<T: Scalar>(&self, _t: T, _q: &[T], m: &mut MassMatrix<T>) {
//!         m.set(0, 0, 1.0);
//!         m.set(1, 1, 1.0);
//!     }
//!
//!     fn force<T: Scalar>(&self, _at: &Arguments<T>, f: &mut [T]) {
//!         f[1] -= GRAVITY;
//!     }
//!
//!     fn holonomic<T: Scalar>(&self, _t: T, q: &[T], g: &mut [T]) {
//!         g[0] = q[0].hypot(q[1]) - 1.0;
//!     }
//! }
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let mut system = Automatic::new(Pendulum);
//!     let start = State { q: vec![1.0, 0.0], ..State::zeros(system.sizes()) };
//!     let formulation = Formulation::Index3 { scaling: true, augmented: false };
//!     let settings = Settings::usual(formulation, [0.0, 3.0], None);
//!     let mut integrator = Integrator::new(&mut system, &start, &settings)?;
//!     while !integrator.is_done() {
//!         let kept = integrator.snapshot();
//!         integrator.step()?;
//!         // The wall stands at x = 0: has the point passed it within the step?
//!         if integrator.state().q[0] < 0.0 && integrator.state().v[0] < 0.0 {
//!             let (mut early, mut late) = (kept.t, integrator.state().t);
//!             while late - early > 1e-12 {
//!                 let middle = 0.5 * (early + late);
//!                 let passed = integrator.interpolate(middle).is_some_and(|state| state.q[0] < 0.0);
//!                 *(if passed { &mut late } else { &mut early }) = middle;
//!             }
//!             integrator.restore(&kept)?;
//!             integrator.advance_to(early)?;
//!             let mut struck = integrator.state().clone();
//!             struck.v.iter_mut().for_each(|v| *v *= -RESTITUTION);
//!             integrator.restart_from(&struck)?;
//!             println!("struck the wall at {early:.6} s, left it with {:.6} m/s", struck.v[0]);
//!         }
//!     }
//!     // It fell 1 m; each of three impacts has left it a part of its energy.
//!     let State { q, v, .. } = integrator.state();
//!     let energy = 0.5 * (v[0].powi(2) + v[1].powi(2)) + GRAVITY * (q[1] + 1.0);
//!     assert!((energy - GRAVITY * RESTITUTION.powi(6)).abs() < 1e-4, "{energy} J");
//!     Ok(())
//! }
//! ```
//!
//! # A mechanism
//!
//! The crate [`mechanics`] has bodies, joints, forces, sensors and contacts; an assembled model is such a system.
//!
//! ```
//! # #[cfg(feature = "mechanics")]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use nalgebra::Vector3;
//! use rotula::prelude::*;
//!
//! let mut model = Model::new();
//! model.gravity = Vector3::new(0.0, 0.0, -9.81);
//! let rod = MassProperties::principal(1.0, Vector3::new(1e-3, 0.083, 0.083));
//! let rod = model.body("rod", Body::rigid(rod).at(Vector3::new(0.5, 0.0, 0.0)))?;
//! let hinge = model.frame(Vector3::zeros(), Vector3::y());
//! let (a, b) = (model.marker_at(GROUND, hinge), model.marker_at(rod, hinge));
//! model.joint("hinge", &joint::Revolute, a, b)?;
//! let mut assembly = model.assemble()?;
//! let start = assembly.start();
//! let formulation = Formulation::Index3 { scaling: true, augmented: false };
//! let outcome = simulate(&mut assembly, &start, &Settings::usual(formulation, [0.0, 1.0], None), &mut ())?;
//! assert!(outcome.failure.is_none());
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "mechanics"))]
//! # fn main() {}
//! ```
//!
//! # Rooms
//!
//! | module | what it is |
//! |---|---|
//! | [`prelude`] | what most programs need |
//! | [`dae`] | systems, formulations, settings, marching, analyses |
//! | [`mechanics`] | bodies, joints, forces, contacts (feature `mechanics`, on by default) |
//! | [`lie`] | rotations and rigid motions (with `mechanics`) |
//! | `study` | model files from their text to results (feature `files`) |

#![forbid(unsafe_code)]

pub use rotula_dae as dae;
#[cfg(feature = "mechanics")]
pub use rotula_lie as lie;
#[cfg(feature = "mechanics")]
pub use rotula_mechanics as mechanics;
#[cfg(feature = "files")]
pub use rotula_study as study;

/// What most programs need.
pub mod prelude {
    pub use rotula_dae::{
        Coefficients, Diagnosis, Formulation, Integrator, Level, Output, Point, Settings, Sizes,
        State, StepControl, System, Terms, ToleranceControl, Trajectory, Weights, simulate,
    };
    #[cfg(feature = "mechanics")]
    pub use rotula_mechanics::{Body, GROUND, MassProperties, Model, joint, sensor};
}
