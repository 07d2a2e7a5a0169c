//! The words for flexible bodies.

use crate::beam::Moves;
use crate::body_words::{BY_AXES, ORIENTATION, TURNED};
use crate::flexible::LinearBeamWords;
use crate::table::Value;
use rotula_reading::keys::{Key, Kind, key, needed};

pub(crate) static FLEXIBLE: [Key; 16] = [
    key(
        "from",
        Kind::Text,
        "A `.flex` file of `rotula reduce`, named from the folder of the model.",
    ),
    key("beam", LinearBeamWords::KIND, "Instead of a file: a straight linear beam."),
    key("kind", Moves::KIND, "How its frame moves: freely (default), or in its own x-y plane."),
    key("at", Kind::Numbers(3), "Where the origin of the mesh is at the start. Default zero.")
        .unit("m"),
    TURNED,
    ORIENTATION,
    BY_AXES,
    key("velocity", Kind::Numbers(3), "Velocity of that origin at the start, world axes.")
        .unit("m/s"),
    key("angular_velocity", Kind::Numbers(3), "Angular velocity at the start, world axes.")
        .unit("rad/s"),
    key(
        "damping",
        Kind::Number,
        "Ratio of critical damping of all shapes, instead of that of the file.",
    )
    .unit("N s/m, N m s/rad"),
    key("modes", Kind::Number, "How many shapes are kept, the lowest first. Default all."),
    key("below", Kind::Number, "The shapes below this frequency in hertz are kept."),
    key("amplitudes", Kind::List, "Amplitudes of the shapes at the start. Default zero."),
    key(
        "stress",
        Kind::List,
        "Numbers of nodes of the mesh whose von Mises stress is recorded, such as [17, 230].",
    ),
    key("colour", Kind::Text, "Colour in pictures, such as \"#3465a4\" or \"orange\"."),
    key("description", Kind::Text, "What it is."),
];

pub(crate) static LOAD: [Key; 10] = [
    needed("on", Kind::Name, "The flexible body."),
    key(
        "nodes",
        Kind::List,
        "Numbers of the nodes where it acts, such as [17, 230]; or give `set`.",
    ),
    key("set", Kind::Text, "The name of a set of nodes of the mesh where it acts."),
    key("interface", Kind::Text, "The name of an interface of the body where it acts."),
    key("force", Kind::Numbers(3), "A force, body axes, which the nodes share evenly.").unit("N"),
    key(
        "moment",
        Kind::Numbers(3),
        "A moment, body axes, which the nodes share evenly: at interfaces, and at nodes of beams and shells.",
    ).unit("N m"),
    key(
        "pressure",
        Kind::Number,
        "A pressure from outside on the faces between the nodes; on shells against their normal.",
    ),
    key(
        "spread",
        Kind::Numbers(3),
        "A force, body axes, spread over the body like its mass: along a uniform beam evenly.",
    ),
    key("shapes", Kind::List, "A force on each shape."),
    key("factor", Kind::Formula, "A function of time by which it is multiplied. Default 1."),
];
