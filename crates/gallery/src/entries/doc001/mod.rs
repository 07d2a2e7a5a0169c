//! Entries of document 001: Jay and Negrut's generalized-α-SOI2 method.
//!
//! One file per entry; `test_problem` is the system of eq. (15). Tables and errors are those of
//! `doc000`.

mod alternating_oscillator;
mod jay_negrut_15;
mod pendulum_16;
mod s1;
mod skate;
mod slider_crank_soi2;
mod test_problem;

use crate::entry::Entry;

pub(crate) fn entries() -> Vec<Entry> {
    vec![
        jay_negrut_15::ENTRY,
        pendulum_16::ENTRY,
        slider_crank_soi2::ENTRY,
        s1::ENTRY,
        skate::ENTRY,
        alternating_oscillator::ENTRY,
    ]
}
