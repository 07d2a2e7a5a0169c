//! Analyses of mechanisms, against closed forms.

mod assemble;
mod check;
mod kinematics;
mod large;
mod models;
mod modes;
mod statics;
