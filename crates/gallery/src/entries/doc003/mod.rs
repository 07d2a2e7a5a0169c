//! Entries of document 003: HHT for index-3 equations with states and variables.

mod alternating;
mod atv;
mod ball;
mod belt;
mod conditioning;
mod double_pendulum_3d;
mod error_estimate;
mod friction_pendulum;
mod gimbal;
mod guard;
pub(crate) mod industrial;
mod knife_edge;
mod orders;
mod pd_loop;
mod pendulum_exact;
mod refuses_alpha_zero;
mod skate_and_trailer;
mod slider_crank;
pub(crate) mod support;
mod tolerances;
mod track;
mod tumbling;

use crate::entry::Entry;

pub(crate) fn entries() -> Vec<Entry> {
    vec![
        orders::ENTRY,
        error_estimate::ENTRY,
        alternating::ENTRY,
        guard::ENTRY,
        refuses_alpha_zero::ENTRY,
        double_pendulum_3d::ENTRY,
        slider_crank::ENTRY,
        pd_loop::ENTRY,
        friction_pendulum::ENTRY,
        knife_edge::ENTRY,
        skate_and_trailer::ENTRY,
        gimbal::ENTRY,
        conditioning::ENTRY,
        tolerances::ENTRY,
        ball::ENTRY,
        belt::ENTRY,
        track::ENTRY,
        atv::ENTRY,
    ]
}
