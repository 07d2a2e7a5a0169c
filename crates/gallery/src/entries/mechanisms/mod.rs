//! Entries of known mechanisms, built of bodies and joints.

mod bicycle;
mod bricard;
mod car;
mod composite_beam;
mod curved_beam;
mod double_four_bar;
mod elastica;
mod flexible_slider_crank;
mod heavy_top;
mod lateral_buckling;
mod planar_slider_crank;
mod princeton_beam;
mod right_angle_frame;
mod rotating_shaft;
mod rotor;
mod spatial_slider_crank;
mod squeezer;
mod static_beams;
mod turbine;
mod turning_blade;

use crate::entry::{Entry, GalleryError};
use crate::work_precision::method;
use rotula_dae::{Coordinates, Formulation, Settings};

/// The explicit method in the coordinates that joints leave free.
fn explicit_in_joints(tolerance: f64, until: f64) -> Result<Settings, GalleryError> {
    let mut settings = method("bdf si2")?.tolerance(tolerance, until);
    (settings.formulation, settings.coordinates) = (Formulation::Explicit, Coordinates::Joint);
    Ok(settings)
}

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
        composite_beam::ENTRY,
        princeton_beam::ENTRY,
        curved_beam::ENTRY,
        elastica::ENTRY,
        right_angle_frame::ENTRY,
        lateral_buckling::ENTRY,
        rotating_shaft::ENTRY,
        flexible_slider_crank::ENTRY,
        turning_blade::ENTRY,
        car::ENTRY,
        rotor::ENTRY,
        turbine::ENTRY,
    ]
}
