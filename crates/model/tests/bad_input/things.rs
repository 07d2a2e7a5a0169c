//! Mistakes in the file itself, bodies, beams, formulas and frames.

use crate::Mistake;

pub const MISTAKES: &[Mistake] = &[
    // TOML, sections and keys
    ("r = 0.08", "r = 0.08\n§r = 0.09", "duplicate key", "once"),
    ("[force.push]", "[§forse.push]", "unknown section `forse`", "did you mean `force`?"),
    ("gravity =", "§gravty =", "unknown key `gravty`", "did you mean `gravity`?"),
    (
        "gravity = [0, 0, -9.81]",
        "gravity = §9.81",
        "gravity must be a list of 3 numbers",
        "[1, 0, 0]",
    ),
    ("mass = 1.0", "§mas = 1.0", "body.slider has no key `mas`", "did you mean `mass`?"),
    ("mass = 1.0", "mass = §[1]", "body.slider.mass must be a number", "formula in quotes"),
    // bodies
    ("mass = 1.0\n", "", "body.slider misses `mass`", "kind = \"massless\""),
    ("mass = 1.0", "mass = §-1.0", "body.slider.mass is -1 kg", "positive"),
    ("inertia = [1, 1, 1]\n", "", "body.slider misses `inertia`", "kind = \"point\""),
    ("inertia = [1, 1, 1]", "inertia = §[1, 1]", "must have 3 numbers, but has 2", "[1, 0, 0]"),
    (
        "inertia = [1, 1, 1]",
        "inertia = §[1, 1, -1]",
        "least principal moment is -1",
        "inertia_about",
    ),
    ("inertia = [1, 1, 1]", "inertia = §[1, 1, 3]", "exceeds the sum", "check the numbers"),
    ("inertia = [1, 1, 1]", "inertia = §1", "is one number", "planar"),
    ("inertia = [1, 1, 1]", "inertia = { xx = 1, yy = 1, §zx = 1 }", "no key `zx`", "did you mean"),
    (
        "inertia = [1, 1, 1]",
        "inertia = §[[1, 0.1, 0], [0, 1, 0], [0, 0, 1]]",
        "not symmetric",
        "both sides",
    ),
    (
        "kind = \"point\"",
        "kind = §\"pont\"",
        "body.bead.kind cannot be `pont`",
        "did you mean `point`?",
    ),
    (
        "kind = \"point\"",
        "kind = \"point\"\n§inertia = [1, 1, 1]",
        "a point does not turn",
        "remove",
    ),
    ("about = \"x\", by", "about = §\"w\", by", "body.crank.turned.about cannot be `w`", "\"x\""),
    ("about = \"x\", by", "about = §[0, 0, 0], by", "has no length", "must not be zero"),
    (
        "turned = { about = \"x\", by = \"30*deg\" }",
        "§turned = { about = \"x\" }",
        "`turned` misses `by`",
        "angle",
    ),
    (
        "by = \"30*deg\" }",
        "by = \"30*deg\" }\n§orientation = [1, 0, 0, 0]",
        "`turned` and `orientation` exclude each other",
        "keep one",
    ),
    (
        "turned = { about = \"x\", by = \"30*deg\" }",
        "§axes = { x = \"x\", y = [2, 0, 0] }",
        "two parallel axes",
        "different directions",
    ),
    // beams
    ("elements = 4", "elements = §4.5", "beam.rod.elements is 4.5", "whole number"),
    ("elements = 4", "elements = 4\nnodes = §5", "beam.rod.nodes is 5", "2, 3 or 4"),
    ("to = [1, 1, 0]\n", "", "beam.rod has no end", "add `to"),
    ("to = [1, 1, 0]", "to = [0, 1, 0]", "its ends are at the same place", "put them apart"),
    ("to = [1, 1, 0]", "to = [1, 1, 0]\n§length = 2", "`to` and `length` exclude", "keep one"),
    ("{ rectangle = [0.02, 0.03] }", "{ rectangle = [0.02, 0] }", "height is 0", "positive"),
    ("{ rectangle = [0.02, 0.03] }", "{ circle = 1, §tube = [2, 1] }", "exclude each", "keep one"),
    ("{ rectangle = [0.02, 0.03] }", "{ tube = [1, 2] }", "inner radius 2 is not", "correct"),
    (
        "{ rectangle = [0.02, 0.03] }",
        "{ stiffness = [1, 1, 1, 1, 1, 1], mass = 1, inertia = [1, 1, 1] }",
        "so `material` means nothing",
        "remove it",
    ),
    ("poisson = 0.3, ", "", "neither `poisson` nor `shear`", "add `poisson"),
    ("poisson = 0.3", "poisson = 0.7", "Poisson's ratio is 0.7", "between −1 and 0.5"),
    ("young = 2e11", "young = -1", "Young's modulus is -1", "positive"),
    ("elements = 4", "elements = 4\nsections = §[5]", "there is no element 5", "from 1 to 4"),
    ("elements = 4", "elements = 4\nstart = §\"crnk\"", "no body or frame `crnk`", "`crank`?"),
    ("elements = 4", "elements = 4\n§load_factor = 2", "it has no load", "remove it"),
    // formulas
    ("m = \"2*r\"", "m = \"2*§R\"", "unknown name `R`", "did you mean `r`?"),
    (
        "mass = \"m\"",
        "mass = \"§t\"",
        "`t` is the time, which body.crank.mass may not use",
        "parameters",
    ),
    ("m = \"2*r\"", "m = \"2*§\"", "parameters.m", ""),
    (
        "angle = \"6*t\"",
        "angle = \"6*§where\"",
        "`where` is a variable, which motion.drive.angle",
        "may use",
    ),
    ("\"2*where\"", "\"2*§wher\"", "unknown name `wher`", "did you mean `where`?"),
    ("\"2*where\"", "\"2*§pin.angel\"", "unknown name `pin.angel`", "did you mean `pin.angle`?"),
    // frames
    (
        "on = \"crank\"",
        "on = §\"cranc\"",
        "there is no body or frame `cranc`",
        "did you mean `crank`?",
    ),
    ("[frame.tip]", "[frame.§slider]", "the name `slider` is taken already", "another name"),
    ("on = \"crank\"\nat = [\"r\", 0, 0]", "at = [0, 0, 0]", "frame `tip` misses `on`", "add `on"),
    ("at = [\"r\", 0, 0]", "at = [0, 0, 0]\n§world = [0, 0, 0]", "exclude each other", "keep one"),
];
