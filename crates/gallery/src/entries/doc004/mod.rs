//! Document 004: J. Yen, L. Petzold, S. Raha, "A time integration algorithm for flexible mechanism
//! dynamics: the DAE α-method", Comput. Methods Appl. Mech. Engrg. 158 (1998) 341–355.

mod bushing;
mod flexible_slider_crank;
mod pendulum_order;
mod stiff_spring;
pub(in crate::entries) mod support;

use crate::entry::Entry;

pub(crate) fn entries() -> Vec<Entry> {
    vec![pendulum_order::ENTRY, stiff_spring::ENTRY, bushing::ENTRY, flexible_slider_crank::ENTRY]
}
