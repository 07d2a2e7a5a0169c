//! Control: signals by name, formulas of them, states and blocks.
//!
//! A model's signals are its parameters, sensors, variables and states. Formulas refer to them by
//! name, in any order: a formula may use a signal that is declared after it.
//!
//! | signal | equation | declared with |
//! |---|---|---|
//! | parameter | a number | [`Model::parameter`](crate::Model::parameter) |
//! | sensor | `y = reading`, if a formula uses it | [`Model::sensor`](crate::Model::sensor) |
//! | variable | `y = formula` | [`Model::variable`](crate::Model::variable) |
//! | computed variable | `y = function(signals)` | [`Model::computed_variable`](crate::Model::computed_variable) |
//! | state | `ẋ = formula` | [`Model::state`](crate::Model::state) |
//! | sampled signal | `y = uₖ`, by a formula at equal distances of time | [`Model::sampled`](crate::Model::sampled) |
//! | latch | `y = 0` or `1`, changed where conditions rise through zero | [`Model::latch`](crate::Model::latch) |
//! | implicit state | `formula(ẋ, x, …) = 0` | [`Model::implicit_state`](crate::Model::implicit_state) |
//!
//! Variables and states are unknowns of the system, together with the motion and the multipliers
//! [Negrut et al. 2005, eq. 8a–8c]: an algebraic loop is solved with the rest, exactly. `name'` in a formula is the
//! rate of the state `name`; `t` is the time.
//!
//! Blocks are made of these: [transfer functions](crate::Model::transfer_function),
//! [state spaces](crate::Model::state_space) and [PID controllers](crate::Model::pid).
//!
//! ```
//! use nalgebra::Vector3;
//! use rotula_mechanics::force::{Amplitude, Axes, Load};
//! use rotula_mechanics::sensor::{CoordinateSensor, Direction, PointSensor};
//! use rotula_mechanics::{Body, GROUND, Model};
//!
//! let mut model = Model::new();
//! let mass = model.body("mass", Body::point(2.0))?;
//! let origin = model.marker(GROUND, Default::default());
//! let tip = model.marker(mass, Default::default());
//! model.sensor("height", CoordinateSensor::position(&tip, &origin, Vector3::z()))?;
//! model.sensor("climb", PointSensor::velocity(&tip, Direction::world(Vector3::z())))?;
//! model.parameter("stiffness", 30.0)?;
//! let push = model.amplitude("push", "-stiffness*height - 2*climb")?;
//! let none = Amplitude::Constant(0.0);
//! model.force("actuator", Load::new(tip, Axes::World, [none, none, push], [none; 3]))?;
//! let system = model.assemble()?;
//! # Ok::<(), rotula_mechanics::ModelError>(())
//! ```

mod block;
mod declare;
mod expression;
mod function;
mod latch;
mod pid;
mod sampled;
mod signals;
mod state_space;
mod transfer_function;

pub use expression::{Expression, Given, Input};
pub use function::SignalFunction;
pub use pid::Pid;
pub use sampled::Sampling;
pub(crate) use signals::{Definition, LatchEntry, Readout, SampledEntry, Signals};
pub use signals::{SensorId, StateId, VariableId};
pub use state_space::StateSpace;
