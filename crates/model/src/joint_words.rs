//! The words for kinds of joints, and what a joint may have besides.

use crate::force_words::LINEAR;
use rotula_mechanics::joint::{self, Need, Place};
use rotula_reading::keys::{Key, Kind, key, needed};

const BETWEEN: Key =
    key("between", Kind::Pair, "The two bodies it connects; with frames, `at` is not needed.");
const FRAMES: Key =
    key("frames", Kind::Pair, "The two frames it connects, instead of `between` and `at`.");
const AT: Key = key("at", Kind::Numbers(3), "Where it is in the world at the start.").unit("m");
const ABOUT: Key = key("about", Kind::Direction, "Its axis, world axes at the start.");
const ALONG: Key =
    key("along", Kind::Direction, "The direction of sliding, world axes at the start.");
const NORMAL: Key =
    key("normal", Kind::Direction, "The normal of the plane, world axes at the start.");
const LENGTH: Key = key("length", Kind::Number, "").unit("m");
static CURVE: [Key; 5] = [
    key(
        "points",
        Kind::Points(3),
        "Points of the curve, in the axes of the first frame; a spline.",
    )
    .unit("m"),
    key(
        "curve",
        Kind::Formulas,
        "Its x, y and z as formulas of a parameter `s`, instead of points.",
    )
    .unit("m"),
    key("from", Kind::Number, "Where `s` begins. Default 0."),
    key("to", Kind::Number, "Where `s` ends. Default 1."),
    key("closed", Kind::Boolean, "Whether it leads back to its beginning. Default false."),
];

/// The kinds of joints with the keys of each, and what any joint may have besides.
pub(crate) fn words() -> Vec<Key> {
    let word = |joint: &joint::Kind| {
        let mut keys = vec![BETWEEN, FRAMES];
        keys.extend(places(joint.place));
        for need in joint.needs {
            match *need {
                Need::Number { name, unit, about } => {
                    keys.push(needed(name, Kind::Number, about).unit(unit));
                }
                Need::Length { about } => keys.push(Key { about, ..LENGTH }),
                Need::Curve => keys.extend(CURVE),
            }
        }
        key(joint.word, Kind::Table(keys.leak()), joint.about)
    };
    joint::KINDS.iter().map(word).chain(OPTIONS).collect()
}

/// The keys that say where a joint is, the axis of the first frame behind the point.
pub(crate) fn places(place: Place) -> Vec<Key> {
    match place {
        Place::Frames => vec![],
        Place::Point => vec![AT],
        Place::Axis => vec![AT, ABOUT],
        Place::Slide => vec![AT, ALONG],
        Place::Plane => vec![AT, NORMAL],
        Place::HingeAndBall => vec![
            Key { about: "Where the hinge is in the world at the start.", ..AT },
            ABOUT,
            key("ball", Kind::Numbers(3), "Where the ball is in the world at the start.").unit("m"),
        ],
        Place::PinInSlot => vec![AT, ABOUT, ALONG],
        Place::TwoAxes => vec![
            AT,
            Key { about: "The axis of the first body, world axes at the start.", ..ABOUT },
            key("second", Kind::Direction, "The axis of the second body, world axes at the start."),
        ],
    }
}

const COEFFICIENT: Key =
    needed("coefficient", Kind::Number, "Coefficient of friction when sliding.");
const AT_REST: Key =
    key("at_rest", Kind::Number, "Coefficient at rest. Default that when sliding.");
const STRIBECK: Key = key(
    "stribeck_velocity",
    Kind::Number,
    "How soon friction falls from one to the other. Default 0.01.",
)
.unit("m/s, rad/s");
const CREEP: Key = key(
    "creep",
    Kind::Number,
    "Regularisation velocity, much below the speeds of interest. Default 1e-3.",
)
.unit("m/s, rad/s");

/// Friction of surfaces whose normal force is known otherwise.
pub(crate) static RUBBING: [Key; 4] = [COEFFICIENT, AT_REST, STRIBECK, CREEP];

static FRICTION: [Key; 8] = [
    key("coordinate", Kind::Text, "Which coordinate of the joint, if it has several."),
    needed("normal", Kind::Number, "Normal force between the sliding surfaces.").unit("N"),
    COEFFICIENT,
    AT_REST,
    STRIBECK,
    key(
        "radius",
        Kind::Number,
        "Radius at which the surfaces of a rotating joint slide. Default 1.",
    )
    .unit("m"),
    key("viscous", Kind::Number, "Force per rate, besides. Default 0.").unit("N s/m, N m s/rad"),
    CREEP,
];

static STOP: [Key; 7] = [
    key("coordinate", Kind::Text, "Which coordinate of the joint, if it has several."),
    key("from", Kind::Number, "Least value before the stop is met. Default none.").unit("m, rad"),
    key("to", Kind::Number, "Greatest value before the stop is met. Default none.").unit("m, rad"),
    key(
        "restitution",
        Kind::Number,
        "A hard stop: speed after an impact over that before it, from 0 to 1. Needs a formulation with impacts.",
    ),
    key(
        "stiffness",
        Kind::Number,
        "A soft stop: stiffness k of its buffers, with the force k dⁿ(1 + c ḋ) at the depth d.",
    )
    .unit("N/m, N m/rad"),
    key("damping", Kind::Number, "Damping c. Default 0.").unit("N s/m, N m s/rad"),
    key("exponent", Kind::Number, "Exponent n. Default 1.5."),
];

/// What any joint may have besides.
static OPTIONS: [Key; 6] = [
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
    )
    .unit("N m"),
    key(
        "force",
        Kind::Formula,
        "A force that pushes the second body along the axis, on `displacement`.",
    )
    .unit("N"),
    key("description", Kind::Text, "What it is."),
];
