//! The words for kinds of joints, and what a joint may have besides.

use crate::joint_options::Options;
use crate::reading::keys::{Key, Kind, key, needed};
use rotula_mechanics::joint::{self, Need, Place};

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
    joint::KINDS.iter().map(word).chain(Options::KEYS.iter().copied()).collect()
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
