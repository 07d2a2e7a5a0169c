//! The words for kinds of joints, and what a joint may have besides.

use crate::force_words::LINEAR;
use rotula_reading::keys::{Key, Kind, key, needed};

const BETWEEN: Key =
    key("between", Kind::Pair, "The two bodies it connects; with frames, `at` is not needed.");
const FRAMES: Key =
    key("frames", Kind::Pair, "The two frames it connects, instead of `between` and `at`.");
const AT: Key = key("at", Kind::Numbers(3), "Where it is in the world at the start.");
const ABOUT: Key = key("about", Kind::Direction, "Its axis, world axes at the start.");
const ALONG: Key =
    key("along", Kind::Direction, "The direction of sliding, world axes at the start.");
const NORMAL: Key =
    key("normal", Kind::Direction, "The normal of the plane, world axes at the start.");
/// Keys that give the z axis of a joint; of several the first.
pub(crate) const AXES: [&str; 3] = ["about", "along", "normal"];
/// Keys that say where a joint is, which frames say themselves.
pub(crate) const PLACES: [&str; 6] = ["at", "about", "along", "normal", "ball", "second"];

static POINT: [Key; 3] = [BETWEEN, FRAMES, AT];
static AXIS: [Key; 4] = [BETWEEN, FRAMES, AT, ABOUT];
static SLIDE: [Key; 4] = [BETWEEN, FRAMES, AT, ALONG];
static PLANE: [Key; 4] = [BETWEEN, FRAMES, AT, NORMAL];
static SCREW: [Key; 5] = [
    BETWEEN,
    FRAMES,
    AT,
    ABOUT,
    needed("pitch", Kind::Number, "Displacement per turn; negative for a left-handed thread."),
];
static ROD: [Key; 3] = [
    BETWEEN,
    FRAMES,
    key("length", Kind::Number, "The distance that is kept. Default that at the start."),
];
static CRANK: [Key; 6] = [
    BETWEEN,
    FRAMES,
    key("at", Kind::Numbers(3), "Where the hinge is in the world at the start."),
    ABOUT,
    key("ball", Kind::Numbers(3), "Where the ball is in the world at the start."),
    key("length", Kind::Number, "Length of the rod. Default the distance at the start."),
];
static SLOT: [Key; 5] = [BETWEEN, FRAMES, AT, ABOUT, ALONG];
static CROSSED: [Key; 5] = [
    BETWEEN,
    FRAMES,
    AT,
    key("about", Kind::Direction, "The axis of the first body, world axes at the start."),
    key("second", Kind::Direction, "The axis of the second body, world axes at the start."),
];
static WIRE: [Key; 7] = [
    BETWEEN,
    FRAMES,
    key(
        "points",
        Kind::Points(3),
        "Points of the curve, in the axes of the first frame; a spline.",
    ),
    key(
        "curve",
        Kind::Formulas,
        "Its x, y and z as formulas of a parameter `s`, instead of points.",
    ),
    key("from", Kind::Number, "Where `s` begins. Default 0."),
    key("to", Kind::Number, "Where `s` ends. Default 1."),
    key("closed", Kind::Boolean, "Whether it leads back to its beginning. Default false."),
];
static TWO_FRAMES: [Key; 2] = [BETWEEN, FRAMES];
static WHEEL: [Key; 3] = [BETWEEN, FRAMES, needed("radius", Kind::Number, "Radius of the wheel.")];

/// The kinds of joints.
pub(crate) static WORDS: [Key; 19] = [
    key("revolute", Kind::Table(&AXIS), "A hinge: one free `angle` about the axis."),
    key("prismatic", Kind::Table(&SLIDE), "A slide: one free `displacement` along the axis."),
    key(
        "cylindrical",
        Kind::Table(&AXIS),
        "A free `displacement` along the axis and a free `angle` about it.",
    ),
    key("spherical", Kind::Table(&POINT), "A ball joint: all rotations are free."),
    key("fixed", Kind::Table(&POINT), "Nothing is free."),
    key(
        "universal",
        Kind::Table(&AXIS),
        "Two shafts along the axis with a cross between them: angles `first` and `second`.",
    ),
    key(
        "constant-velocity",
        Kind::Table(&AXIS),
        "Two shafts along the axis that turn alike however they are bent.",
    ),
    key(
        "screw",
        Kind::Table(&SCREW),
        "An `angle` about the axis and a `displacement` that follows it.",
    ),
    key("planar", Kind::Table(&PLANE), "Free `x`, `y` in a plane and `angle` about its normal."),
    key(
        "point-on-line",
        Kind::Table(&SLIDE),
        "A point of the second body stays on a line of the first.",
    ),
    key(
        "point-on-plane",
        Kind::Table(&PLANE),
        "A point of the second body stays on a plane of the first.",
    ),
    key("parallel-axes", Kind::Table(&AXIS), "Two axes stay parallel; everything else is free."),
    key(
        "distance",
        Kind::Table(&ROD),
        "Two points keep their distance: a massless rod between ball joints.",
    ),
    key(
        "rolling",
        Kind::Table(&WHEEL),
        "A disc about z of the second frame rolls on the x-y plane of the first.",
    ),
    key(
        "knife-edge",
        Kind::Table(&TWO_FRAMES),
        "The second frame does not slip along its y axis; its x axis is the blade.",
    ),
    key(
        "point-on-curve",
        Kind::Table(&WIRE),
        "The origin of the second frame stays on a curve that is fixed to the first.",
    ),
    key(
        "revolute-spherical",
        Kind::Table(&CRANK),
        "A massless rod with a hinge on the first body and a ball on the second: its `angle` is free.",
    ),
    key(
        "revolute-translational",
        Kind::Table(&SLOT),
        "A pin of the first body, about an axis, in a slot of the second: `angle` and `displacement`.",
    ),
    key("perpendicular-axes", Kind::Table(&CROSSED), "Two axes stay normal to each other."),
];

const COEFFICIENT: Key =
    needed("coefficient", Kind::Number, "Coefficient of friction when sliding.");
const AT_REST: Key =
    key("at_rest", Kind::Number, "Coefficient at rest. Default that when sliding.");
const STRIBECK: Key = key(
    "stribeck_velocity",
    Kind::Number,
    "How soon friction falls from one to the other. Default 0.01.",
);
const CREEP: Key = key(
    "creep",
    Kind::Number,
    "Regularisation velocity, much below the speeds of interest. Default 1e-3.",
);

/// Friction of surfaces whose normal force is known otherwise.
pub(crate) static RUBBING: [Key; 4] = [COEFFICIENT, AT_REST, STRIBECK, CREEP];

static FRICTION: [Key; 8] = [
    key("coordinate", Kind::Text, "Which coordinate of the joint, if it has several."),
    needed("normal", Kind::Number, "Normal force between the sliding surfaces."),
    COEFFICIENT,
    AT_REST,
    STRIBECK,
    key(
        "radius",
        Kind::Number,
        "Radius at which the surfaces of a rotating joint slide. Default 1.",
    ),
    key("viscous", Kind::Number, "Force per rate, besides. Default 0."),
    CREEP,
];

static STOP: [Key; 7] = [
    key("coordinate", Kind::Text, "Which coordinate of the joint, if it has several."),
    key("from", Kind::Number, "Least value before the stop is met. Default none."),
    key("to", Kind::Number, "Greatest value before the stop is met. Default none."),
    key(
        "restitution",
        Kind::Number,
        "A hard stop: speed after an impact over that before it, from 0 to 1. Needs a formulation with impacts.",
    ),
    key(
        "stiffness",
        Kind::Number,
        "A soft stop: stiffness k of its buffers, with the force k dⁿ(1 + c ḋ) at the depth d.",
    ),
    key("damping", Kind::Number, "Damping c. Default 0."),
    key("exponent", Kind::Number, "Exponent n. Default 1.5."),
];

/// What any joint may have besides.
pub(crate) static OPTIONS: [Key; 6] = [
    key("spring", Kind::Table(&LINEAR), "A spring and damper on its coordinate."),
    key("friction", Kind::Table(&FRICTION), "Dry friction on its coordinate."),
    key(
        "stop",
        Kind::Table(&STOP),
        "Stops at bounds of its coordinate, hard with `restitution` or soft with `stiffness`.",
    ),
    key(
        "torque",
        Kind::Formula,
        "A moment that turns the second body against the first, on `angle`.",
    ),
    key(
        "force",
        Kind::Formula,
        "A force that pushes the second body along the axis, on `displacement`.",
    ),
    key("description", Kind::Text, "What it is."),
];
