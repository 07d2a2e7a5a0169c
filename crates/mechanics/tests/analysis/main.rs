//! Analyses of mechanisms, against closed forms.

mod assemble;
mod chains;
mod check;
mod kinematics;
mod large;
mod models;
mod modes;
mod statics;
