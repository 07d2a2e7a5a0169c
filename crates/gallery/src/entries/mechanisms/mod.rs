//! Entries of known mechanisms, built of bodies and joints.

mod bicycle;
mod bricard;
mod double_four_bar;
mod flexible_slider_crank;
mod heavy_top;
mod planar_slider_crank;
mod spatial_slider_crank;
mod squeezer;
mod static_beams;
mod turning_blade;

use crate::entry::Entry;

pub(crate) fn entries() -> Vec<Entry> {
    vec![
        squeezer::ENTRY,
        heavy_top::ENTRY,
        planar_slider_crank::ENTRY,
        spatial_slider_crank::ENTRY,
        bricard::ENTRY,
        double_four_bar::ENTRY,
        bicycle::ENTRY,
        static_beams::ENTRY,
        flexible_slider_crank::ENTRY,
        turning_blade::ENTRY,
    ]
}
