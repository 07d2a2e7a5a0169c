//! The battery: every joint, force and body against differences, power balance and objectivity, in
//! random configurations.

mod check;
mod control;
mod joints;
