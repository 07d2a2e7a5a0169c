//! Joints: what holds two bodies together. One file each.
//!
//! A joint connects marker `a` of a first body with marker `b` of a second. Its coordinates say how
//! `b` stands as seen from `a`; its multipliers are the forces and moments on the second body. Axes
//! of rotation and sliding are the markers' z axes.
//!
//! To add one, copy a neighbour: define its kind, say what the joint forbids as rows of measures, and which
//! coordinates it leaves free. Then it needs a line in [`KINDS`].

mod constant_velocity;
mod cylindrical;
mod distance;
mod fixed;
mod kind;
mod knife_edge;
mod orientation;
mod pair;
mod parallel;
mod perpendicular;
mod planar;
mod point_on_curve;
mod point_on_line;
mod point_on_plane;
mod prismatic;
mod revolute;
mod revolute_spherical;
mod revolute_translational;
mod rolling;
mod screw;
mod spherical;
mod universal;
mod way;

use crate::error::ModelError;
pub use constant_velocity::ConstantVelocity;
pub use cylindrical::Cylindrical;
pub use distance::Distance;
pub use fixed::Fixed;
pub use kind::{Given, Kind, Look, Need, Place, Symbol};
pub use knife_edge::KnifeEdge;
pub use orientation::Orientation;
pub use pair::Pair;
pub use parallel::ParallelAxes;
pub use perpendicular::PerpendicularAxes;
pub use planar::Planar;
pub use point_on_curve::PointOnCurve;
pub use point_on_line::PointOnLine;
pub use point_on_plane::PointOnPlane;
pub use prismatic::Prismatic;
pub use revolute::Revolute;
pub use revolute_spherical::RevoluteSpherical;
pub use revolute_translational::RevoluteTranslational;
pub use rolling::Rolling;
pub use screw::Screw;
pub use spherical::Spherical;
pub use universal::Universal;
pub use way::Way;

use crate::constraint::Constraint;
use crate::measure::Coordinate;
use std::fmt::Debug;

/// The kinds of joints that model files know.
pub const KINDS: [Kind; 20] = [
    revolute::KIND,
    prismatic::KIND,
    cylindrical::KIND,
    spherical::KIND,
    fixed::KIND,
    universal::KIND,
    constant_velocity::KIND,
    screw::KIND,
    planar::KIND,
    point_on_line::KIND,
    point_on_plane::KIND,
    parallel::KIND,
    distance::KIND,
    rolling::KIND,
    knife_edge::KIND,
    point_on_curve::KIND,
    revolute_spherical::KIND,
    revolute_translational::KIND,
    perpendicular::KIND,
    orientation::KIND,
];

/// A kind of joint.
pub trait Joint: Debug {
    /// The word for it in model files and messages.
    fn word(&self) -> &'static str;

    /// What it demands of two markers.
    fn constraints(&self, pair: &Pair) -> Result<Vec<Box<dyn Constraint>>, ModelError>;

    /// Whether it leaves the bodies to fly along two directions at least, however they turn, as a plane does on
    /// which something slides or rolls. Such bodies count as free ([`crate::rates`]).
    fn flies(&self, _pair: &Pair) -> bool {
        false
    }

    /// How it appears in pictures: as its kind says, or as a ball.
    fn look(&self) -> Look {
        let kind = KINDS.iter().find(|kind| kind.word == self.word());
        kind.map_or(Look::still(Symbol::Ball), |kind| kind.look)
    }

    /// The motions it leaves free and that can be driven, sprung or read, by name.
    fn coordinates(&self, _pair: &Pair) -> Vec<(&'static str, Coordinate)> {
        Vec::new()
    }

    /// Where one of these goes, for pictures.
    fn way(&self, pair: &Pair, coordinate: &str) -> Way {
        Way::named(pair, coordinate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curve::Curve;
    use nalgebra::Vector3;

    #[test]
    fn every_kind_makes_a_joint_of_its_word() {
        let points = [Vector3::zeros(), Vector3::x(), Vector3::new(2.0, 1.0, 0.0)];
        for kind in &KINDS {
            let given = kind.needs.iter().map(|need| match need {
                Need::Number { .. } | Need::Length { .. } => Given::Number(1.0),
                Need::Curve => {
                    Given::Curve(Box::new(Curve::through(&points, false).expect("a curve")))
                }
            });
            let made = (kind.make)(given.collect()).expect("it takes what it needs");
            assert_eq!(made.word(), kind.word);
            assert!(KINDS.iter().filter(|other| other.word == kind.word).count() == 1);
        }
    }
}
