//! Analyses of any [`System`](crate::System): what a model is like before, beside and instead of
//! marching it through time.
//!
//! | question | function |
//! |---|---|
//! | Is the model sound: freedoms, redundant constraints, singular positions, masses, start? | [`check`] |
//! | Where are its parts when all joints are closed? | [`assemble_position`] |
//! | How does a driven mechanism move, and what drives it? | [`kinematics`] |
//! | Where is it in equilibrium, and is that stable? | [`statics`] |
//! | How do equilibria move with their loads, past limit points? | [`equilibrium_path`] |
//! | How does it turn steadily, and what does that do to it? | [`steady_turn`] |
//! | What becomes of disturbances of a motion that repeats? | [`floquet`] |
//! | How fast may it vibrate? | [`fastest_vibration`] |
//! | How does it vibrate? | [`linearise`], [`modes`], [`lowest_modes`] |
//! | How does it answer to small changes of its inputs? | [`state_space`] |
//!
//! Names in every report are those of [`Description::name`](crate::Description::name).

mod assemble;
mod check;
mod commutator;
mod dense;
mod eigen;
mod fastest;
mod floquet;
mod kinematics;
mod linearise;
mod matrix;
mod modes;
mod noise;
mod projection;
mod space;
mod sparse;
mod statics;
mod steady;
mod transfer;
mod twist;
mod words;

pub use assemble::{AssemblyReport, Closing, Weighting, assemble_position};
pub use check::{
    CheckReport, InitialCheck, NearSingular, Redundancy, Singularity, Violation, check,
};
pub use fastest::fastest_vibration;
pub use floquet::{Floquet, FloquetSettings, Multiplier, floquet, turning_period};
pub use kinematics::{Kinematics, kinematics};
pub use linearise::{Linearisation, linearise};
pub use matrix::Matrix;
pub use modes::{Mode, ModeKind, Modes, lowest_modes, modes};
pub(crate) use space::{Space, Which};
pub use sparse::LARGE;
pub use statics::{
    Equilibrium, EquilibriumPath, PathPoint, PathSettings, Relaxation, Stability, SteadyTurn, Turn,
    equilibrium_path, statics, steady_turn,
};
pub use transfer::{StateSpace, state_space};
pub use words::Share;
