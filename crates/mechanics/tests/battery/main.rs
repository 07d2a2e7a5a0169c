//! The battery: every joint, force and body against differences, power balance and objectivity, in
//! random configurations.

mod auxiliary;
mod check;
mod control;
mod joints;
