//! The program `rotula`.
fn main() {}
