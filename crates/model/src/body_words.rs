//! The words for bodies and frames.

use crate::body::{BodyKind, InertiaAbout};
use crate::table::Value;
use rotula_reading::keys::{Key, Kind, key, needed};

/// How a frame is turned: at most one of these.
static TURN: [Key; 2] = [
    needed("about", Kind::Direction, "Axis of the rotation."),
    needed("by", Kind::Number, "Angle of the rotation, rad; `deg` is a factor: \"30*deg\".")
        .unit("rad"),
];

static AXES: [Key; 3] = [
    key("x", Kind::Direction, "Where the x axis points."),
    key("y", Kind::Direction, "Where the y axis points."),
    key("z", Kind::Direction, "Where the z axis points."),
];

pub(crate) const TURNED: Key =
    key("turned", Kind::Table(&TURN), "Orientation by an axis and an angle.");
pub(crate) const ORIENTATION: Key =
    key("orientation", Kind::Numbers(4), "Orientation by a quaternion w, x, y, z.");
pub(crate) const BY_AXES: Key = key(
    "axes",
    Kind::Table(&AXES),
    "Orientation by two axes: the first written is kept, the other made normal to it.",
);

pub(crate) static BODY: [Key; 16] = [
    key(
        "kind",
        BodyKind::KIND,
        "How it moves: freely, in a plane, without turning, or freely without mass. Default rigid.",
    ),
    key("mass", Kind::Number, "Mass.").unit("kg"),
    key("solid", Kind::Table(&crate::solid::SOLID), "Mass, centre and inertia of a solid."),
    key(
        "inertia",
        Kind::Inertia,
        "Moments of inertia: three principal ones, { xx, yy, zz, xy, xz, yz } or a 3×3 matrix, body axes; of a planar body one number.",
    ).unit("kg m²"),
    key(
        "inertia_about",
        InertiaAbout::KIND,
        "The point the inertia is given about: the centre of mass (default) or the origin of the body.",
    ),
    key("centre", Kind::Numbers(3), "Centre of mass, body axes. Default the origin of the body.").unit("m"),
    key("at", Kind::Numbers(3), "Where the origin of the body is at the start. Default zero.").unit("m"),
    TURNED,
    ORIENTATION,
    BY_AXES,
    key("normal", Kind::Direction, "Planar only: normal of the plane. Default \"z\"."),
    key("velocity", Kind::Numbers(3), "Velocity of the origin at the start, world axes.").unit("m/s"),
    key("angular_velocity", Kind::Numbers(3), "Angular velocity at the start, world axes.").unit("rad/s"),
    key(
        "shape",
        Kind::Table(&crate::solid::SHAPE),
        "What it looks like in pictures; mass and inertia do not follow from it.",
    ),
    key("colour", Kind::Text, "Colour in pictures, such as \"#3465a4\" or \"orange\"."),
    key("description", Kind::Text, "What it is."),
];

pub(crate) static FRAME: [Key; 7] = [
    needed("on", Kind::Name, "The body it is fixed to."),
    key("at", Kind::Numbers(3), "Its origin, body axes. Default zero.").unit("m"),
    key(
        "world",
        Kind::Numbers(3),
        "Its origin and axes in the world at the start, instead of `at`.",
    )
    .unit("m"),
    key("along", Kind::Direction, "Where its z axis points, the axis of joints."),
    TURNED,
    ORIENTATION,
    BY_AXES,
];
