//! Entries of document 000: the generalized-α note of the Dymore manual.
//!
//! | file | concept |
//! |---|---|
//! | `sheet` | reference tables, reproduced row by row |
//! | `errors` | errors of a finished run against a solution |
//! | `bar` | the pendulum of document 001 eq. (16), integrated as an ordinary differential equation |
//! | `rejection_loop` | the loop over rejected steps, part of the entry `pendulum_index3` |
//! | others | one entry each |

pub(crate) mod bar;
mod conditioning;
mod elastic_pendulum;
pub(crate) mod errors;
mod heavy_top;
mod linear_oscillator;
mod pendulum_index3;
mod rejection_loop;
pub(crate) mod sheet;
mod slider_crank_index3;

use crate::entry::Entry;

pub(crate) fn entries() -> Vec<Entry> {
    vec![
        linear_oscillator::ENTRY,
        elastic_pendulum::ENTRY,
        pendulum_index3::ENTRY,
        slider_crank_index3::ENTRY,
        heavy_top::ENTRY,
        conditioning::ENTRY,
    ]
}
