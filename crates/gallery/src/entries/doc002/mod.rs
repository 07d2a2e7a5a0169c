//! Document 002: O. Brüls, V. Acary, A. Cardona, "On the constraints formulation in the nonsmooth
//! generalized-α method".

mod bouncing_pendulum;
mod contact_laws;
mod contact_support;
mod flexible_pendulum;
mod impacting_bar;
mod pendulum_ensemble;
mod pendulum_levels;

use crate::entry::Entry;

pub(crate) fn entries() -> Vec<Entry> {
    vec![
        pendulum_levels::ENTRY,
        bouncing_pendulum::ENTRY,
        flexible_pendulum::ENTRY,
        pendulum_ensemble::ENTRY,
        impacting_bar::ENTRY,
        contact_laws::ENTRY,
    ]
}
