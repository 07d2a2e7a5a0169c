//! The battery: every joint, force and body against differences, power balance and objectivity, in
//! random configurations.

mod bodies;
mod check;
mod contacts;
mod forces;
mod auxiliary;
mod control;
mod joints;
mod pairs;
