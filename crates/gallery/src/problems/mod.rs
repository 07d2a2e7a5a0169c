//! Problems that are Rust systems rather than model files.
