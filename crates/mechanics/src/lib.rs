//! Rigid multibody models, assembled into equations for the integrators of `rotula-dae`.
//!
//! | room | what lives there |
//! |---|---|
//! | [`Model`] | bodies, joints, drives, forces by name |
//! | [`body`] | mass, inertia, where a body starts |
//! | [`joint`] | one file per joint |
//! | [`force`] | one file per force |
//! | [`element`] | beams: what has elasticity and inertia of its own |
//! | [`sensor`] | one file per sensor |
//! | [`import`] | models from files of other programs |
//! | [`control`] | signals by name: variables, states, controllers |
//! | [`shape`] | solids: mass properties, meshes from files |
//! | [`quantity`] | what things that act offer as signals, by name |
//! | [`measure`] | scalar functions of the configuration: what joints, drives, springs and sensors are made of |
//! | [`unilateral`] | rigid contact with impacts and friction |
//! | `passing` | what would pass through each other within a step |
//! | [`constraint`] | groups of equations |
//! | [`picture`] | what is drawn |
//! | [`node`] | what moves: frames in space, in a plane, points |
//! | [`Assembly`] | the model as a [`System`](rotula_dae::System) |
//! | `tree` | the same in the coordinates of its joints |

#![forbid(unsafe_code)]

pub mod assembly;
pub mod body;
pub mod constraint;
pub mod control;
mod coupling;
pub mod curve;
mod drive;
pub mod element;
pub mod error;
pub mod force;
pub mod function;
pub mod import;
pub mod joint;
mod lanes;
pub mod marker;
pub mod measure;
pub mod model;
pub mod node;
mod passing;
pub mod picture;
pub mod quantity;
pub mod rates;
mod registers;
mod room;
mod scene;
pub mod sensor;
pub mod shape;
mod small_angle;
pub mod stop;
mod tree;
pub mod unilateral;
mod variation;

pub use assembly::Assembly;
pub use body::{Body, MassProperties};
pub use curve::Curve;
pub use error::ModelError;
pub use function::{Followed, Given, TimeFunction};
pub use marker::Marker;
pub use model::{BodyId, GROUND, JointId, Model};
pub use scene::{Scene, World};
pub use stop::Stop;
