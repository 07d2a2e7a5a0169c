//! The battery: every joint, force, element and body against differences, power balance and objectivity, in
//! random configurations.

mod auxiliary;
mod bodies;
mod chains;
mod check;
mod contacts;
mod control;
mod elements;
#[path = "../common/flexible.rs"]
mod flexible;
mod floating;
mod forces;
mod formed;
mod gaps;
mod joint_coordinates;
mod joints;
mod numeric;
mod pairs;
mod quantities;
mod solids;
mod strands;
mod touching;
