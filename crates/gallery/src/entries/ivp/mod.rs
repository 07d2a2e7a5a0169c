//! Entries of the public test set for initial value problems.
//!
//! Jay's index-3 problem with a closed solution is not among them: its first equations make the rate
//! of the position a nonlinear function of position and velocity, which no mechanical system has.

mod andrews;
mod elastic_beam;
mod simeon_crank;

use crate::entry::Entry;

pub(crate) fn entries() -> Vec<Entry> {
    vec![andrews::ENTRY, simeon_crank::ENTRY, elastic_beam::ENTRY]
}
