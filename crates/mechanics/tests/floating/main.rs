//! Reduced bodies on a floating frame in motion.

#[path = "../../../dae/tests/automatic/memory.rs"]
mod counter;
#[path = "../common/flexible.rs"]
mod flexible;
mod free;
mod held;
mod memory;
mod support;
