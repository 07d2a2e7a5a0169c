//! Joints as machines: what they hold, what they leave free, what they transmit.

mod couplings;
mod drives;
mod freedom;
mod motion;
mod nonholonomic;
mod support;
