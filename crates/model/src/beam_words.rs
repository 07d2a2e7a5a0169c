//! The words for beams.

use crate::beam::PROFILES;
use rotula_reading::keys::{Key, Kind, join, key, needed};

const PROFILE_KEYS: [Key; PROFILES.len()] = {
    let mut keys = [key("", Kind::Text, ""); PROFILES.len()];
    let mut k = 0;
    while k < PROFILES.len() {
        keys[k] = PROFILES[k].key;
        k += 1;
    }
    keys
};

/// A section by a shape, or by its matrices.
pub(crate) static SECTION: [Key; PROFILES.len() + 5] = join(&PROFILE_KEYS, &MATRICES);

const MATRICES: [Key; 5] = [
    key(
        "stiffness",
        Kind::Numbers(6),
        "Instead of a shape: EA, GA_y, GA_z, GJ, EI_y, EI_z, shear factors included.",
    )
    .unit("N, N m²"),
    key("stiffness_matrix", Kind::Points(6), "Instead of a shape: six rows of six numbers.")
        .unit("N, N m, N m²"),
    key("mass", Kind::Number, "With a stiffness: mass per length.").unit("kg/m"),
    key("inertia", Kind::Numbers(3), "With a stiffness: moments of inertia per length, x, y, z.")
        .unit("kg m"),
    key("mass_matrix", Kind::Points(6), "With a stiffness: six rows of six numbers, per length.")
        .unit("kg/m, kg, kg m"),
];

pub(crate) static MATERIAL: [Key; 4] = [
    needed("young", Kind::Number, "Young's modulus.").unit("Pa"),
    key("poisson", Kind::Number, "Poisson's ratio; or give `shear`."),
    key("shear", Kind::Number, "Shear modulus; or give `poisson`.").unit("Pa"),
    needed("density", Kind::Number, "Mass per volume.").unit("kg/m³"),
];

pub(crate) static BEAM: [Key; 24] = [
    key("from", Kind::Numbers(3), "Where it begins at the start. Default zero.").unit("m"),
    key("to", Kind::Numbers(3), "Where it ends; or give `along` and `length`.").unit("m"),
    key("along", Kind::Direction, "Where it points at its beginning, with `length`."),
    key("length", Kind::Number, "Its length along `along`, or along its curve.").unit("m"),
    key(
        "curvature",
        Kind::Numbers(3),
        "Twist and curvatures about y and z per length, free of stress; with `length`.",
    )
    .unit("1/m"),
    key("up", Kind::Direction, "Where the z axis of the sections points. Default \"z\", or \"x\"."),
    key(
        "kind",
        Kind::Word(&["spatial", "planar"]),
        "Moves in space (default), or in a plane only, which is much faster.",
    ),
    key(
        "normal",
        Kind::Direction,
        "Planar only: normal of the plane, the z axis of the sections. Default \"z\".",
    ),
    key("elements", Kind::Number, "Number of elements. Default 8."),
    key("nodes", Kind::Number, "Nodes of each element: 2 (default), 3 or 4."),
    needed("section", Kind::Table(&SECTION), "The cross-section."),
    key("material", Kind::Table(&MATERIAL), "What it is made of, for sections with a shape."),
    key("damping", Kind::Number, "Damping over stiffness of the sections, s. Default 0.").unit("s"),
    key(
        "mass",
        Kind::Word(&["consistent", "lumped"]),
        "Mass of every section, or put into the nodes. Default consistent.",
    ),
    key("start", Kind::Name, "A body that its beginning is fixed to; default none."),
    key("end", Kind::Name, "A body that its end is fixed to; default none."),
    key("load", Kind::Numbers(3), "Force per length that keeps its direction, world axes.")
        .unit("N/m"),
    key("load_factor", Kind::Formula, "A function of time by which the loads are multiplied."),
    key("follower", Kind::Numbers(3), "Force per length that follows the sections, section axes.")
        .unit("N/m"),
    key(
        "sections",
        Kind::List,
        "Numbers of elements whose section forces and strains are read, such as [1, 8].",
    ),
    key("velocity", Kind::Numbers(3), "Velocity of its beginning at the start, world axes.")
        .unit("m/s"),
    key("angular_velocity", Kind::Numbers(3), "Angular velocity at the start, world axes.")
        .unit("rad/s"),
    key("colour", Kind::Text, "Colour in pictures, such as \"#3465a4\" or \"orange\"."),
    key("description", Kind::Text, "What it is."),
];
