//! Document 002: O. Brüls, V. Acary, A. Cardona, "On the constraints formulation in the nonsmooth
//! generalized-α method".

mod pendulum_levels;

use crate::entry::Entry;

pub(crate) fn entries() -> Vec<Entry> {
    vec![pendulum_levels::ENTRY]
}
