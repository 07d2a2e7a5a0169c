//! The words for bars and cables.

use rotula_reading::keys::{Key, Kind, key, needed};

const FROM: Key =
    key("from", Kind::Numbers(3), "Where it begins at the start. Default where `start` is.");
const TO: Key = key("to", Kind::Numbers(3), "Where it ends at the start. Default where `end` is.");
const START: Key =
    key("start", Kind::Name, "A body or frame that holds its beginning; default none.");
const END: Key = key("end", Kind::Name, "A body or frame that holds its end; default none.");
const STIFFNESS: Key =
    needed("stiffness", Kind::Number, "Axial stiffness EA: force over strain, N.")
        .unit("N/m, N m/rad");
const MASS: Key = key("mass", Kind::Number, "Mass per length. Default 0.").unit("kg");
const DAMPING: Key =
    key("damping", Kind::Number, "Damping over stiffness, s. Default 0.").unit("N s/m, N m s/rad");
const TENSION: Key = key("tension", Kind::Number, "Tension at the start; or give `length`.");
const COLOUR: Key =
    key("colour", Kind::Text, "Colour in pictures, such as \"#3465a4\" or \"orange\".");
const DESCRIPTION: Key = key("description", Kind::Text, "What it is.");
const TENSIONS: Key = key(
    "tensions",
    Kind::List,
    "Numbers of elements whose tension is read as NAME.n1, NAME.n2 and so on.",
);

pub(crate) static CABLE: [Key; 13] = [
    FROM,
    TO,
    START,
    END,
    key("elements", Kind::Number, "Number of elements. Default 8."),
    STIFFNESS,
    MASS,
    DAMPING,
    TENSION,
    key(
        "length",
        Kind::Number,
        "Length free of stress; a longer one than the way starts hanging down. Default the way.",
    )
    .unit("m"),
    TENSIONS,
    COLOUR,
    DESCRIPTION,
];

pub(crate) static BAR: [Key; 13] = [
    FROM,
    TO,
    START,
    END,
    key("elements", Kind::Number, "Number of elements. Default 1."),
    STIFFNESS,
    MASS,
    DAMPING,
    TENSION,
    key("length", Kind::Number, "Length free of stress. Default the way.").unit("m"),
    TENSIONS,
    COLOUR,
    DESCRIPTION,
];
