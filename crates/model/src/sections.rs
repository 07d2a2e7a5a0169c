//! The one table of what a model file of a mechanism may contain.

use crate::joint_words;
use crate::signal_words;
use rotula_reading::Format;
use rotula_reading::keys::{Entries, Key, Kind, Section, key, needed};

/// Keys outside of sections.
static TOP: [Key; 5] = [
    key("title", Kind::Text, "Name of the model in reports."),
    key("description", Kind::Text, "What the model shows and where it comes from."),
    key("gravity", Kind::Numbers(3), "Acceleration of gravity, world axes. Default none."),
    key(
        "retraction",
        Kind::Word(&["exponential", "cayley"]),
        "How increments turn bodies: by the exponential map or Cayley's. Default exponential.",
    ),
    key(
        "import",
        Kind::TextOrTable(&crate::import::IMPORT),
        "A robot whose links and joints are taken from a URDF file; the sections add to it.",
    ),
];

/// How a frame is turned: at most one of these.
pub(crate) static TURN: [Key; 2] = [
    needed("about", Kind::Direction, "Axis of the rotation."),
    needed("by", Kind::Number, "Angle of the rotation, rad; `deg` is a factor: \"30*deg\"."),
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

static BODY: [Key; 16] = [
    key(
        "kind",
        Kind::Word(&["rigid", "planar", "point", "massless"]),
        "How it moves: freely, in a plane, without turning, or freely without mass. Default rigid.",
    ),
    key("mass", Kind::Number, "Mass."),
    key("solid", Kind::Table(&crate::solid::SOLID), "Mass, centre and inertia of a solid."),
    key(
        "inertia",
        Kind::Inertia,
        "Moments of inertia: three principal ones, { xx, yy, zz, xy, xz, yz } or a 3×3 matrix, body axes; of a planar body one number.",
    ),
    key(
        "inertia_about",
        Kind::Word(&["centre", "origin"]),
        "The point the inertia is given about: the centre of mass (default) or the origin of the body.",
    ),
    key("centre", Kind::Numbers(3), "Centre of mass, body axes. Default the origin of the body."),
    key("at", Kind::Numbers(3), "Where the origin of the body is at the start. Default zero."),
    TURNED,
    ORIENTATION,
    BY_AXES,
    key("normal", Kind::Direction, "Planar only: normal of the plane. Default \"z\"."),
    key("velocity", Kind::Numbers(3), "Velocity of the origin at the start, world axes."),
    key("angular_velocity", Kind::Numbers(3), "Angular velocity at the start, world axes."),
    key(
        "shape",
        Kind::Table(&crate::solid::SHAPE),
        "What it looks like in pictures; mass and inertia do not follow from it.",
    ),
    key("colour", Kind::Text, "Colour in pictures, such as \"#3465a4\"."),
    key("description", Kind::Text, "What it is."),
];

static FRAME: [Key; 7] = [
    needed("on", Kind::Name, "The body it is fixed to."),
    key("at", Kind::Numbers(3), "Its origin, body axes. Default zero."),
    key(
        "world",
        Kind::Numbers(3),
        "Its origin and axes in the world at the start, instead of `at`.",
    ),
    key("along", Kind::Direction, "Where its z axis points, the axis of joints."),
    TURNED,
    ORIENTATION,
    BY_AXES,
];

/// Three keys for a coordinate: its value, rate or acceleration.
macro_rules! prescribed {
    ($($name:literal),*) => {
        [
            key("joint", Kind::Name, "The joint whose coordinate is prescribed."),
            key("between", Kind::Pair, "Two frames or bodies whose `length` is prescribed."),
            $(
                key($name, Kind::Formula, concat!("The coordinate `", $name, "` as a function of time.")),
                key(
                    concat!($name, "_velocity"),
                    Kind::Formula,
                    concat!("The velocity of `", $name, "`, which starts where the bodies are put."),
                ),
                key(
                    concat!($name, "_acceleration"),
                    Kind::Formula,
                    concat!("The acceleration of `", $name, "`, which starts as the bodies move."),
                ),
            )*
        ]
    };
}

static MOTION: [Key; 23] =
    prescribed!("angle", "displacement", "length", "first", "second", "x", "y");

/// A linear spring and damper.
pub(crate) static LINEAR: [Key; 5] = [
    key("stiffness", Kind::Number, "Force per length, or moment per angle. Default 0."),
    key("damping", Kind::Number, "Force per speed. Default 0."),
    key("free", Kind::Number, "The value at which the spring is at rest. Default 0."),
    key("preload", Kind::Number, "Force at rest that tends to lengthen. Default 0."),
    key("coordinate", Kind::Text, "Which coordinate of the joint, if it has several."),
];

static SPRING: [Key; 9] = [
    key(
        "between",
        Kind::Pair,
        "Two frames or bodies; the spring acts along the line between them.",
    ),
    key("joint", Kind::Name, "A joint; the spring acts on its coordinate."),
    key("coordinate", Kind::Text, "Which coordinate of the joint, if it has several."),
    key("stiffness", Kind::Number, "Force per length, or moment per angle. Default 0."),
    key("damping", Kind::Number, "Force per speed. Default 0."),
    key(
        "free_length",
        Kind::Number,
        "Length, angle or displacement at rest; needed with a stiffness.",
    ),
    key("preload", Kind::Number, "Force at rest that tends to lengthen. Default 0."),
    key(
        "law",
        Kind::Formula,
        "The force that tends to lengthen, as a formula of `value` (the length, angle or displacement), `rate`, time and signals, instead of a stiffness.",
    ),
    key(
        "table",
        Kind::Points(2),
        "The force that tends to lengthen, over the length, angle or displacement.",
    ),
];

static BUSHING: [Key; 5] = [
    needed("between", Kind::Pair, "Two frames or bodies; the axes are those of the first."),
    key(
        "at",
        Kind::Numbers(3),
        "Where it is in the world at the start, with world axes, instead of frames.",
    ),
    needed("stiffness", Kind::Numbers(6), "Along x, y, z and about x, y, z."),
    key("damping", Kind::Numbers(6), "Along x, y, z and about x, y, z. Default none."),
    key("preload", Kind::Numbers(6), "Force and moment on the second body at rest. Default none."),
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
static RACK: [Key; 2] =
    [JOINTS, needed("radius", Kind::Number, "Displacement of the second per angle of the first.")];
static COUPLING: [Key; 4] = [
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

static FORCE: [Key; 5] = [
    needed("on", Kind::Name, "The body or frame it acts on."),
    key(
        "at",
        Kind::Numbers(3),
        "Where it acts, body axes. Default the origin of the body or frame.",
    ),
    key("force", Kind::Formulas, "Its three components; formulas may use the time `t`."),
    key("moment", Kind::Formulas, "Components of a moment."),
    key(
        "axes",
        Kind::Word(&["world", "body"]),
        "Whose axes the components are in: they stay, or turn with the body. Default world.",
    ),
];

static OUTPUT: [Key; 3] = [
    key(
        "bodies",
        Kind::Choice,
        "Motions of bodies: all (true, the default), none, or those named.",
    ),
    key(
        "joints",
        Kind::Choice,
        "Coordinates of joints: all (true, the default), none, or those named.",
    ),
    key(
        "reactions",
        Kind::Choice,
        "Reactions of joints: all (true, the default), none, or those named.",
    ),
];

static SECTIONS: [Section; 16] = [
    Section {
        name: "parameters",
        entry: "parameter",
        about: "Constants: numbers, or formulas of other parameters.",
        example: "r = 0.08",
        entries: Entries::Formulas,
    },
    Section {
        name: "body",
        entry: "body",
        about: "What moves. The body `ground` does not, and is always there.",
        example: "[body.crank] mass = 0.12, inertia = [1e-4, 1e-5, 1e-4], at = [0, 0.1, 0.12]",
        entries: Entries::Tables(&[&BODY]),
    },
    Section {
        name: "frame",
        entry: "frame",
        about: "Named frames fixed to bodies, for use wherever a body may be named.",
        example: "[frame.tip] on = \"crank\", at = [0, 0, 0.08]",
        entries: Entries::Tables(&[&FRAME]),
    },
    Section {
        name: "joint",
        entry: "joint",
        about: "What holds two bodies together: one word for its kind, and options.",
        example: "revolute = { between = [\"ground\", \"crank\"], at = [0, 0, 0], about = \"x\" }",
        entries: Entries::Tables(&[&joint_words::WORDS, &joint_words::OPTIONS]),
    },
    Section {
        name: "motion",
        entry: "motion",
        about: "Prescribed motions of joint coordinates.",
        example: "[motion.drive] joint = \"pin\", angle = \"6*t\"",
        entries: Entries::Tables(&[&MOTION]),
    },
    Section {
        name: "spring",
        entry: "spring",
        about: "Springs and dampers between two points, or on a joint.",
        example: "[spring.s] between = [\"ground\", \"tip\"], stiffness = 100, free_length = 0.2",
        entries: Entries::Tables(&[&SPRING]),
    },
    Section {
        name: "force",
        entry: "force",
        about: "Forces and moments on bodies.",
        example: "[force.push] on = \"crank\", force = [\"10*sin(t)\", 0, 0]",
        entries: Entries::Tables(&[&FORCE]),
    },
    Section {
        name: "bushing",
        entry: "bushing",
        about: "Elastic mounts.",
        example: "[bushing.mount] between = [\"ground\", \"engine\"], stiffness = [1e5, 1e5, 1e5, 100, 100, 100]",
        entries: Entries::Tables(&[&BUSHING]),
    },
    Section {
        name: "contact",
        entry: "contact",
        about: "Surfaces of two bodies that push each other apart and rub.",
        example: "[contact.foot] between = [\"ground\", \"leg\"], first = { plane = \"z\" }, second = { sphere = 0.02 }, stiffness = 1e5",
        entries: Entries::Tables(&[&crate::contact::CONTACT]),
    },
    Section {
        name: "coupling",
        entry: "coupling",
        about: "Gears, racks, and other weighted sums of joint coordinates that are held.",
        example: "[coupling.teeth] gear = { joints = [\"small\", \"large\"], ratio = -0.5 }",
        entries: Entries::Tables(&[&COUPLING]),
    },
    Section {
        name: "sensor",
        entry: "sensor",
        about: "What is read besides, by name; formulas may use it.",
        example: "slider = { position = \"slider\", along = \"x\" }",
        entries: Entries::Tables(&[&crate::sensor::SENSOR]),
    },
    Section {
        name: "variable",
        entry: "variable",
        about: "Formulas of time, sensors, joint coordinates (`pin.angle`, `pin.angle_velocity`), states and variables.",
        example: "u = \"-K*pin.angle\"",
        entries: Entries::Formulas,
    },
    Section {
        name: "state",
        entry: "state",
        about: "First-order states, such as filters.",
        example: "filter = { at = 0, rate = \"(pin.angle - filter)/T\" }",
        entries: Entries::Tables(&[&signal_words::STATE]),
    },
    Section {
        name: "controller",
        entry: "controller",
        about: "Controllers; the name is their command, for use in forces and torques.",
        example: "[controller.motor] pid = { input = \"pin.angle\", setpoint = 1, proportional = 10 }",
        entries: Entries::Tables(&[&signal_words::CONTROLLER]),
    },
    Section {
        name: "output",
        entry: "key",
        about: "What is recorded.",
        example: "bodies = [\"slider\"]",
        entries: Entries::Fixed(&OUTPUT),
    },
    Section {
        name: "solve",
        entry: "key",
        about: "How the model is integrated.",
        example: "until = 10.0",
        entries: Entries::Solve,
    },
];

/// All that the file of a mechanism may contain.
pub(crate) static FORMAT: Format = Format { top: &TOP, sections: &SECTIONS };
