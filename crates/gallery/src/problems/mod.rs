//! Problems that are Rust systems rather than model files.

pub mod andrews;
pub mod elastic_beam;
pub mod heavy_top;
pub mod impacting_bar;
pub mod planar_pendulum;
pub mod re_reference;
pub mod rigid_body;
pub mod rods;
pub mod simeon_crank;
pub mod spatial;
pub mod spatial_slider_crank;
pub mod tumbling_body;
