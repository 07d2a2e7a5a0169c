//! The one table of what a model file of a mechanism may contain.

use crate::beam::BeamWords;
use crate::body::BODY;
use crate::bushing::Mount;
use crate::clearance::Gap;
use crate::contact::Touch;
use crate::copies::{PARTS, USE};
use crate::coupling::Coupling;
use crate::flexible::FLEXIBLE;
use crate::force::Push;
use crate::joint_words;
use crate::path::PathWords;
use crate::places::FRAME;
use crate::reading::Format;
use crate::reading::keys::{Entries, Key, Kind, Section, key};
use crate::road::RoadWords;
use crate::signals::{Controller, FirstOrder, LatchWords, SampledWords};
use crate::spring::SpringWords;
use crate::strand::Line;
use crate::swarm::SwarmWords;
use crate::tyre::TyreWords;
use std::sync::LazyLock;

/// Keys outside of sections.
static TOP: [Key; 5] = [
    key("title", Kind::Text, "Name of the model in reports."),
    key("description", Kind::Text, "What the model shows and where it comes from."),
    key("gravity", Kind::Numbers(3), "Acceleration of gravity, world axes. Default none.")
        .unit("m/s²"),
    key(
        "retraction",
        Kind::Word(&["exponential", "cayley"]),
        "How increments turn bodies: by the exponential map or Cayley's. Default exponential.",
    ),
    key(
        "import",
        Kind::TextOrTable(crate::import::IMPORT),
        "A robot (URDF) or a solver deck of Adams (.adm) whose bodies and joints are taken over; the sections add to it.",
    ),
];

/// Three keys for a coordinate: its value, rate or acceleration.
macro_rules! prescribed {
    ($($name:literal in $unit:literal),*) => {
        [
            key("joint", Kind::Name, "The joint whose coordinate is prescribed."),
            key("between", Kind::Pair, "Two frames or bodies whose `length` is prescribed."),
            key("point", Kind::Name, "A frame or body of whose origin `x`, `y` and `z` are prescribed, as many as are given, in the axes of the world or of the part."),
            key("within", Kind::Number, "Of a motion that follows an [input]: time in which a new value is reached, smoothly. Needed there.").unit("s"),
            $(
                key($name, Kind::Formula, concat!("The coordinate `", $name, "` as a function of time.")).unit($unit),
                key(
                    concat!($name, "_velocity"),
                    Kind::Formula,
                    concat!("The velocity of `", $name, "`, which starts where the bodies are put."),
                )
                .unit(concat!($unit, "/s")),
                key(
                    concat!($name, "_acceleration"),
                    Kind::Formula,
                    concat!("The acceleration of `", $name, "`, which starts as the bodies move."),
                )
                .unit(concat!($unit, "/s²")),
            )*
        ]
    };
}

static MOTION: [Key; 28] = prescribed!(
    "angle" in "rad", "displacement" in "m", "length" in "m", "first" in "rad", "second" in "rad",
    "x" in "m", "y" in "m", "z" in "m"
);

static OUTPUT: [Key; 14] = [
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
    key(
        "springs",
        Kind::Choice,
        "Forces, lengths, rates and powers of springs: all, none, or those named. Default all, if there are no more than 50; so for the keys that follow.",
    ),
    key("bushings", Kind::Choice, "Forces, deformations, rates and powers of bushings."),
    key("forces", Kind::Choice, "Forces on bodies, loads on flexible bodies, and their powers."),
    key("tyres", Kind::Choice, "Forces, moments, slips and deflections of tyres."),
    key("contacts", Kind::Choice, "Forces, depths and powers of soft contacts."),
    key(
        "joint_forces",
        Kind::Choice,
        "What acts on coordinates of joints: `JOINT.spring`, `JOINT.friction`, `JOINT.stop`, `JOINT.motor`.",
    ),
    key("motions", Kind::Choice, "Efforts, forces, moments and powers of prescribed motions."),
    key(
        "couplings",
        Kind::Choice,
        "Efforts, forces, moments and powers of gears, racks and other couplings.",
    ),
    key("cables", Kind::Choice, "Lengths, their rates and powers of cables and bars."),
    key(
        "ends",
        Kind::Choice,
        "Forces of beams, cables and bars on the bodies that hold their ends: `BEAM.start`, `BEAM.end`.",
    ),
    key(
        "contact_rows",
        Kind::Number,
        "Most rows of the table of contacts that touch; 0 for no such table. Where there are more, the strongest of each time are kept and the run says so. Default 1e6.",
    ),
];

/// All that the file of a mechanism may contain.
pub(crate) static FORMAT: LazyLock<Format> =
    LazyLock::new(|| Format { top: &TOP, sections: sections().leak(), parts: PARTS });

fn sections() -> Vec<Section> {
    let joint: &[Key] = joint_words::words().leak();
    vec![
        Section {
            name: "parameters",
            entry: "parameter",
            about: "Constants: numbers, or formulas of other parameters.",
            example: "r = 0.08",
            entries: Entries::Formulas,
        },
        Section {
            name: "define",
            entry: "definition",
            about: "Names for formulas, which stand for them wherever they are used: of parameters, time, sensors, joint coordinates, states, variables and other definitions. They add no unknowns.",
            example: "error = \"target - pin.angle\"",
            entries: Entries::Formulas,
        },
        Section {
            name: "table",
            entry: "table",
            about: "Functions through points, in place or from a file, which formulas call by name: `road(x)`; `road'(x)` and `road''(x)` are slope and curvature.",
            example: "[table.road] x = [0, 10, 20], y = [0, 0.05, 0], interpolation = \"spline\", beyond = \"hold\"",
            entries: Entries::Tables(&crate::reading::TABLE),
        },
        Section {
            name: "path",
            entry: "path",
            about: "Closed paths round wheels, along which copies of a part are laid (`path` of `[use]`): chains, tracks, belts. Pieces are equal and close the path. Formulas know their length `NAME.pitch`, the length of the path `NAME.length`, and for each wheel, counted from 0, the length of its arc `NAME.arc[0]`, that of the span behind it `NAME.span[0]`, and `NAME.phase[0]`, the direction from its centre to the first piece on it, by which sprockets are turned.",
            example: "[path.chain] wheels = [[0, 0, 0.1], [0.5, 0, 0.2]], pieces = 40",
            entries: Entries::Tables(PathWords::KEYS),
        },
        Section {
            name: "body",
            entry: "body",
            about: "What moves. The body `ground` does not, and is always there.",
            example: "[body.crank] mass = 0.12, inertia = [1e-4, 1e-5, 1e-4], at = [0, 0.1, 0.12]",
            entries: Entries::Tables(BODY),
        },
        Section {
            name: "beam",
            entry: "beam",
            about: "Flexible beams. Their ends are bodies `NAME.start` and `NAME.end`, further nodes `NAME.1`, `NAME.2`, ….",
            example: "[beam.rod] to = [1, 0, 0], elements = 16, section = { circle = 0.01 }, material = { young = 210e9, poisson = 0.3, density = 7850 }",
            entries: Entries::Tables(BeamWords::KEYS),
        },
        Section {
            name: "flexible",
            entry: "flexible body",
            about: "Linear elastic bodies of a few shapes on a floating frame. Their interfaces are bodies `NAME.INTERFACE`, amplitudes of their shapes `NAME.q1`, `NAME.q2`, ….",
            example: "[flexible.frame] from = \"frame.flex\", at = [0, 0, 1], modes = 12",
            entries: Entries::Tables(FLEXIBLE),
        },
        Section {
            name: "cable",
            entry: "cable",
            about: "Cables, which pull but do not push. Their nodes are points `NAME.1`, `NAME.2`, …, their ends `NAME.start` and `NAME.end`.",
            example: "[cable.rope] start = \"mast\", end = \"boom\", stiffness = 1e6, mass = 0.5, tension = 200",
            entries: Entries::Tables(Line::KEYS),
        },
        Section {
            name: "bar",
            entry: "bar",
            about: "Bars of trusses, which pull and push along their line.",
            example: "[bar.strut] start = \"a\", end = \"b\", stiffness = 2e7, mass = 3",
            entries: Entries::Tables(Line::KEYS),
        },
        Section {
            name: "frame",
            entry: "frame",
            about: "Named frames fixed to bodies, for use wherever a body may be named.",
            example: "[frame.tip] on = \"crank\", at = [0, 0, 0.08]",
            entries: Entries::Tables(FRAME),
        },
        Section {
            name: "joint",
            entry: "joint",
            about: "What holds two bodies together: one word for its kind, and options.",
            example: "[joint.pin] revolute = { between = [\"ground\", \"crank\"], at = [0, 0, 0], about = \"x\" }",
            entries: Entries::Tables(joint),
        },
        Section {
            name: "motion",
            entry: "motion",
            about: "Prescribed motions of joint coordinates.",
            example: "[motion.drive] joint = \"pin\", angle = \"6*t\"",
            entries: Entries::Tables(&MOTION),
        },
        Section {
            name: "spring",
            entry: "spring",
            about: "Springs and dampers between two points, or on a joint.",
            example: "[spring.s] between = [\"ground\", \"tip\"], stiffness = 100, free_length = 0.2",
            entries: Entries::Tables(SpringWords::KEYS),
        },
        Section {
            name: "force",
            entry: "force",
            about: "Forces and moments on bodies.",
            example: "[force.push] on = \"crank\", force = [\"10*sin(t)\", 0, 0]",
            entries: Entries::Tables(Push::KEYS),
        },
        Section {
            name: "load",
            entry: "load",
            about: "Loads on flexible bodies, in the axes of the body: forces at nodes, pressure on faces, forces spread over the mass, forces on shapes; interfaces take a `[force]`. Loads along beams: force and moment per length, as formulas of place, motion and axes of the sections.",
            example: "[load.gust] on = \"panel\", set = \"TOP\", pressure = 500, factor = \"sin(3*t)\"",
            entries: Entries::Tables(crate::load::keys().leak()),
        },
        Section {
            name: "bushing",
            entry: "bushing",
            about: "Elastic mounts.",
            example: "[bushing.mount] between = [\"ground\", \"engine\"], stiffness = [1e5, 1e5, 1e5, 100, 100, 100]",
            entries: Entries::Tables(Mount::KEYS),
        },
        Section {
            name: "road",
            entry: "road",
            about: "What tyres roll on: a plane, or a height over it.",
            example: "[road.country] height = \"bumps(x)\"",
            entries: Entries::Tables(RoadWords::KEYS),
        },
        Section {
            name: "tyre",
            entry: "tyre",
            about: "Tyres of wheels on a road, with the Magic Formula of a tyre property file or the brush model. Signals: forces `NAME.fx`, `NAME.fy`, `NAME.fz` and moments `NAME.mx`, `NAME.my`, `NAME.mz` on the wheel at the patch (x forward, y to the left, z up from the road), `NAME.slip`, `NAME.slip_angle`, `NAME.camber`, `NAME.deflection`.",
            example: "[tyre.front] wheel = \"front_wheel\", file = \"car.tir\"",
            entries: Entries::Tables(TyreWords::KEYS),
        },
        Section {
            name: "contact",
            entry: "contact",
            about: "Surfaces of two bodies that push each other apart and rub: soft with a stiffness, or rigid with a restitution.",
            example: "[contact.foot] between = [\"ground\", \"leg\"], first = { plane = \"z\" }, second = { sphere = 0.02 }, stiffness = 1e5",
            entries: Entries::Tables(Touch::KEYS),
        },
        Section {
            name: "clearance",
            entry: "clearance",
            about: "Pins in holes and balls in sockets that are a little wider: rigid contact.",
            example: "[clearance.pin] between = [\"rod\", \"slider\"], at = [0.4, 0, 0], about = \"z\", size = 1e-4, restitution = 0.5",
            entries: Entries::Tables(Gap::KEYS),
        },
        Section {
            name: "swarm",
            entry: "swarm",
            about: "Many equal spheres in rigid contact with each other and with the walls of a container.",
            example: "[swarm.grains] spheres = 100, radius = 0.05, density = 2000, filling = [[0, 0, 0], [1, 1, 1]], restitution = 0",
            entries: Entries::Tables(SwarmWords::KEYS),
        },
        Section {
            name: "coupling",
            entry: "coupling",
            about: "Gears, racks, elastic teeth with play, and other weighted sums of joint coordinates that are held.",
            example: "[coupling.teeth] gear = { joints = [\"small\", \"large\"], ratio = -0.5 }",
            entries: Entries::Tables(Coupling::KEYS),
        },
        Section {
            name: "sensor",
            entry: "sensor",
            about: "What is read besides, by name; formulas may use it.",
            example: "slider = { position = \"slider\", along = \"x\" }",
            entries: Entries::Tables(crate::sensor::keys().leak()),
        },
        Section {
            name: "variable",
            entry: "variable",
            about: "Formulas of time, sensors, joint coordinates (`pin.angle`, `pin.angle_velocity`), forces (`coil.force`, `pin.fx`), states and variables.",
            example: "u = \"-K*pin.angle\"",
            entries: Entries::Formulas,
        },
        Section {
            name: "input",
            entry: "input",
            about: "Numbers that a program sets while a run goes on (`simulation[\"torque\"] = 2` in Python), with the values they have until then. Formulas may use them.",
            example: "torque = 0",
            entries: Entries::Formulas,
        },
        Section {
            name: "sampled",
            entry: "sampled signal",
            about: "Signals of digital controllers: a formula is evaluated at equal distances of time, and its value held in between. Those due at one instant follow each other as they stand in the file: a formula sees the new values of the ones above it, the old values of itself and of those below. Formulas may use them.",
            example: "[sampled.u] every = 0.01, value = \"u + 0.5*(target - pin.angle)\"",
            entries: Entries::Tables(SampledWords::KEYS),
        },
        Section {
            name: "latch",
            entry: "latch",
            about: "Signals that are 0 or 1 and stay so until a condition is met: catches, switches, relays with hysteresis. Steps end where a condition rises through zero. What is above zero at the start has risen there. Formulas may use them.",
            example: "[latch.heater] set = \"18 - room\", reset = \"room - 22\"",
            entries: Entries::Tables(LatchWords::KEYS),
        },
        Section {
            name: "state",
            entry: "state",
            about: "First-order states, such as filters.",
            example: "filter = { at = 0, rate = \"(pin.angle - filter)/T\" }",
            entries: Entries::Tables(FirstOrder::KEYS),
        },
        Section {
            name: "controller",
            entry: "controller",
            about: "Controllers; the name is their command, for use in forces and torques.",
            example: "[controller.motor] pid = { input = \"pin.angle\", setpoint = 1, proportional = 10 }",
            entries: Entries::Tables(Controller::KEYS),
        },
        Section {
            name: "part",
            entry: "part",
            about: "Parts of a model with sections of their own, which come to life as copies (`[use]`). Names in a part mean its own things first, then those of the model; its formulas know `side`, which is -1 in a mirrored copy and else 1, and the index `i` and the `count` of numbered copies.",
            example: "[part.link.body.plate] mass = 0.1, inertia = [1e-5, 1e-4, 1e-4], at = [0.05, 0, 0]",
            entries: Entries::Parts,
        },
        Section {
            name: "use",
            entry: "copy",
            about: "Copies of parts. What the part calls `plate` is called `NAME.plate` outside, or `NAME[0].plate`, `NAME[1].plate`, … of many copies; an index may be a formula, as in `link[i+1].plate`; so may the number of a node, as in `rod.[i+1]`.",
            example: "[use.link] part = \"link\", at = [\"0.1*i\", 0, 0], count = 30",
            entries: Entries::Tables(USE),
        },
        Section {
            name: "output",
            entry: "key",
            about: "What is recorded. Names may be patterns, in which `*` stands for any letters and `?` for one.",
            example: "bodies = [\"slider\"], springs = \"left*\"",
            entries: Entries::Fixed(&OUTPUT),
        },
        Section {
            name: "solve",
            entry: "key",
            about: "How the model is integrated. Analyses (check, statics, modes) need no such section.",
            example: "until = 10.0",
            entries: Entries::Solve,
        },
    ]
}
