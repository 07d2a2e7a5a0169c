//! The battery: every joint, force and body against differences, power balance and objectivity, in
//! random configurations.

mod bodies;
mod check;
mod contacts;
mod forces;
mod joints;
mod pairs;
