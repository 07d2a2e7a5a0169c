//! The words for springs, bushings, couplings and loads.

use rotula_reading::keys::{Key, Kind, key, needed};

/// A linear spring and damper.
pub(crate) static LINEAR: [Key; 5] = [
    key("stiffness", Kind::Number, "Force per length, or moment per angle. Default 0.")
        .unit("N/m, N m/rad"),
    key("damping", Kind::Number, "Force per speed. Default 0.").unit("N s/m, N m s/rad"),
    key("free", Kind::Number, "The value at which the spring is at rest. Default 0.")
        .unit("m, rad"),
    key("preload", Kind::Number, "Force at rest that tends to lengthen. Default 0.").unit("N, N m"),
    key("coordinate", Kind::Text, "Which coordinate of the joint, if it has several."),
];

pub(crate) static SPRING: [Key; 9] = [
    key(
        "between",
        Kind::Pair,
        "Two frames or bodies; the spring acts along the line between them.",
    ),
    key("joint", Kind::Name, "A joint; the spring acts on its coordinate."),
    key("coordinate", Kind::Text, "Which coordinate of the joint, if it has several."),
    key("stiffness", Kind::Number, "Force per length, or moment per angle. Default 0.").unit("N/m, N m/rad"),
    key("damping", Kind::Number, "Force per speed. Default 0.").unit("N s/m, N m s/rad"),
    key(
        "free_length",
        Kind::Number,
        "Length, angle or displacement at rest; needed with a stiffness.",
    ).unit("m, rad"),
    key("preload", Kind::Number, "Force at rest that tends to lengthen. Default 0.").unit("N, N m"),
    key(
        "law",
        Kind::Formula,
        "The force that tends to lengthen, as a formula of `value` (the length, angle or displacement), `rate`, time and signals, instead of a stiffness.",
    ).unit("N, N m"),
    key(
        "table",
        Kind::Points(2),
        "The force that tends to lengthen, over the length, angle or displacement.",
    ).unit("m, N"),
];

pub(crate) static BUSHING: [Key; 5] = [
    needed("between", Kind::Pair, "Two frames or bodies; the axes are those of the first."),
    key(
        "at",
        Kind::Numbers(3),
        "Where it is in the world at the start, with world axes, instead of frames.",
    )
    .unit("m"),
    needed("stiffness", Kind::Numbers(6), "Along x, y, z and about x, y, z.").unit("N/m, N m/rad"),
    key("damping", Kind::Numbers(6), "Along x, y, z and about x, y, z. Default none.")
        .unit("N s/m, N m s/rad"),
    key("preload", Kind::Numbers(6), "Force and moment on the second body at rest. Default none.")
        .unit("N, N m"),
];

const JOINTS: Key = needed("joints", Kind::Pair, "The first and the second joint.");
static GEAR: [Key; 2] = [
    JOINTS,
    needed(
        "ratio",
        Kind::Number,
        "Angle of the second per angle of the first; negative for wheels that mesh outside.",
    ),
];
static RACK: [Key; 2] = [
    JOINTS,
    needed("radius", Kind::Number, "Displacement of the second per angle of the first.")
        .unit("m/rad"),
];
pub(crate) static COUPLING: [Key; 4] = [
    key("gear", Kind::Table(&GEAR), "The angles of two joints are proportional."),
    key(
        "rack",
        Kind::Table(&RACK),
        "The angle of one joint and the displacement of another are proportional.",
    ),
    key(
        "sum",
        Kind::Formula,
        "A weighted sum of joint coordinates that is held, such as \"lift.displacement - 0.2*drum.angle\".",
    ),
    key(
        "equals",
        Kind::Formula,
        "What `sum` is held at, a formula of time. Default where it starts.",
    ),
];

pub(crate) static FORCE: [Key; 5] = [
    needed("on", Kind::Name, "The body or frame it acts on."),
    key(
        "at",
        Kind::Numbers(3),
        "Where it acts, body axes. Default the origin of the body or frame.",
    )
    .unit("m"),
    key("force", Kind::Formulas, "Its three components; formulas may use the time `t`.").unit("N"),
    key("moment", Kind::Formulas, "Components of a moment.").unit("N m"),
    key(
        "axes",
        Kind::Word(&["world", "body"]),
        "Whose axes the components are in: they stay, or turn with the body. Default world.",
    ),
];
