//! Controlled models against closed forms and hand-written differential equations.

mod blocks;
mod held;
mod loops;
mod memory;
mod names;
mod plants;
mod support;
