//! Reduced bodies on a floating frame in motion.

#[path = "../common/flexible.rs"]
mod flexible;
mod free;
mod held;
mod support;
