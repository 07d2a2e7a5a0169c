//! Model files, written in TOML: mechanisms of bodies, joints, motions, forces and control, and systems of equations.
//!
//! What all files share is in [`reading`], files of equations in [`equations`]; the rest is about mechanisms.
//!
//! [`Mechanism::read`] makes a [`Model`](rotula_mechanics::Model) of a file, and an
//! [`Assembly`](rotula_mechanics::Assembly) of the model. [`schema`] describes every section and key.
//!
//! Numbers may be formulas of parameters in quotes; `deg` is a factor for angles, which are in rad.
//! Forces, torques, variables, states and controllers may use the time `t` and signals besides:
//! joint coordinates (`pin.angle`, `pin.angle_velocity`), reactions (`pin.fx`), forces (`coil.force`),
//! efforts of motions (`drive.effort`), sensors, variables and states. Loops through them are solved exactly.
//!
//! Two defaults of `[solve]` differ from those of equation models. Redundant constraints are solved
//! (`redundant = "solve"`). A file that gives no velocity at all starts with the least velocities that
//! its joints and motions demand (`initial = "project-velocities"`); one that gives any must give all,
//! and is refused if they contradict a joint. Positions must always fit.
//!
//! | file | concept |
//! |---|---|
//! | `sections`, `joint_words` | the one table of sections and keys: what is checked is what is documented |
//! | `table` | a table of a file as a type: keys with their meanings, units and defaults, and how they are read |
//! | `schema` | the table as a JSON Schema |
//! | `fields`, `places`, `fault` | values, names of bodies and frames, faults at their places |
//! | `body`, `orientation`, `colour`, `beam`, `strand`, `flexible`, `flexible_mesh`, `load`, `line_load`, `solid`, `hollow`, `import`, `joint`, `joint_markers`, `joint_options`, `curve`, `coupling`, `mesh`, `motion`, `spring`, `bushing`, `force`, `road`, `tyre`, `contact`, `contact_surface`, `clearance`, `swarm`, `signals`, `sensor` | one section or a part of one each |
//! | `copies`, `placed` | copies of parts, and how what belongs to one is placed, turned and mirrored |
//! | `path` | closed paths round wheels, along which copies are laid |
//! | `additions` | what a program adds to a file |
//! | `plausible` | odd numbers that hint at mixed units |
//! | `offers` | what acts, and under which names it is recorded and used in formulas |
//! | `recorded`, `output` | what is recorded, and the recorded curves |
//! | `things` | from the sections to the model, in the order in which they can be read |
//! | `mechanism` | the public [`Mechanism`] |
//! | `displacement` | how far bodies and nodes moved between two states |
//!
//! ```
//! let text = r#"
//! gravity = [0, 0, -9.81]
//! [body.rod]
//! mass = 1.0
//! inertia = [1e-4, 0.083, 0.083]
//! at = [0.5, 0, 0]
//! [joint.hinge]
//! revolute = { between = ["ground", "rod"], at = [0, 0, 0], about = "y" }
//! [solve]
//! until = 1.0
//! "#;
//! let pendulum = rotula_model::Mechanism::parse(text, "pendulum.toml", &[])?;
//! assert_eq!(pendulum.model.joints().len(), 1);
//! # Ok::<(), rotula_model::reading::ModelError>(())
//! ```

#![forbid(unsafe_code)]

mod additions;
mod beam;
mod beam_contact;
mod body;
mod bushing;
mod clearance;
mod colour;
mod contact;
mod contact_surface;
mod copies;
mod coupling;
mod curve;
mod displacement;
pub mod equations;
mod fault;
mod fields;
mod film;
mod flexible;
mod flexible_mesh;
mod force;
mod hollow;
mod import;
mod joint;
mod joint_markers;
mod joint_options;
mod joint_words;
mod line_load;
mod load;
mod mechanism;
mod mesh;
mod motion;
mod offers;
mod orientation;
mod output;
mod path;
mod placed;
mod places;
mod plausible;
pub mod reading;
mod recorded;
mod road;
mod schema;
mod sections;
mod sensor;
mod signals;
mod solid;
mod spring;
mod station;
mod strand;
mod swarm;
mod table;
mod things;
mod tyre;

pub use crate::reading::ModelError;
pub use additions::{Additions, Places};
pub use displacement::{Displacement, Rotation};
pub use mechanism::Mechanism;
pub use offers::{ActionKind, Offer};
pub use output::{Curves, Probe};
pub use recorded::{MOST_FORCES, Recorded};
pub use rotula_elastic::HotSpot;
pub use schema::{reference, schema};
