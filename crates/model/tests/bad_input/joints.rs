//! Mistakes in joints, motions, springs and forces.

use crate::Mistake;

pub const MISTAKES: &[Mistake] = &[
    // joints
    ("revolute = {", "§revolut = {", "joint.pin has no key `revolut`", "did you mean `revolute`?"),
    ("[\"ground\", \"crank\"]", "[\"ground\", §\"krank\"]", "no body or frame `krank`", "`crank`?"),
    (
        "[\"ground\", \"crank\"]",
        "§[\"ground\"]",
        "must have two names, but has 1",
        "[\"ground\", \"crank\"]",
    ),
    (
        "[\"ground\", \"crank\"]",
        "[\"crank\", §\"tip\"]",
        "connects a body with itself",
        "different",
    ),
    (", at = [0, 0, 0.1], about", ", about", "`revolute` misses `at`", "two frames"),
    (", about = \"x\" }", " }", "`revolute` misses `about`", "direction"),
    (
        "spring = { stiffness = 3 }",
        "§fixed = { between = [\"ground\", \"crank\"], at = [0, 0, 0] }",
        "both `revolute` and `fixed`",
        "keep one",
    ),
    (
        "spring = { stiffness = 3 }",
        "spring = { stiffness = §-3 }",
        "stiffness is -3",
        "not be negative",
    ),
    ("spring = { stiffness = 3 }", "§force = 3", "no coordinate `displacement`", "it has angle"),
    // motions, springs, forces
    ("joint = \"pin\"", "joint = §\"pinn\"", "there is no joint `pinn`", "did you mean `pin`?"),
    ("angle = \"6*t\"", "§displacement = \"6*t\"", "no coordinate `displacement`", "it has angle"),
    (
        "angle = \"6*t\"",
        "§angel = \"6*t\"",
        "motion.drive has no key `angel`",
        "did you mean `angle`?",
    ),
    ("angle = \"6*t\"", "", "motion `drive` prescribes nothing", "angle"),
    ("free_length = 0.5", "", "spring.s misses `free_length`", "at rest"),
    ("force = [\"10*sin(t)\", 0, 0]", "", "has no `force` and no `moment`", "add `force"),
    (
        "force = [\"10*sin(t)\", 0, 0]",
        "force = [\"10*§sine(t)\", 0, 0]",
        "unknown function `sine`",
        "`sin`",
    ),
    // kinds of joints with more than one place
    (
        "revolute = { between = [\"ground\", \"crank\"], at = [0, 0, 0.1], about = \"x\" }",
        "§revolute-spherical = { between = [\"ground\", \"crank\"], at = [0, 0, 0.1], about = \"x\" }",
        "`revolute-spherical` misses `ball`",
        "place of the ball",
    ),
    (
        "revolute = { between = [\"ground\", \"crank\"], at = [0, 0, 0.1], about = \"x\" }",
        "revolute-spherical = { between = [\"ground\", \"crank\"], at = [0, 0, 0], about = \"x\", ball = [0, 1, 0], length = §-1 }",
        "keeps a distance of -1",
        "positive",
    ),
    (
        "revolute = { between = [\"ground\", \"crank\"], at = [0, 0, 0.1], about = \"x\" }",
        "revolute-translational = { between = [\"ground\", \"crank\"], at = [0, 0, 0], about = \"x\", along = §[1, 1, 0] }",
        "along is not normal to `about`",
        "right angle",
    ),
    (
        "revolute = { between = [\"ground\", \"crank\"], at = [0, 0, 0.1], about = \"x\" }",
        "§perpendicular-axes = { between = [\"ground\", \"crank\"], at = [0, 0, 0], about = \"x\" }",
        "`perpendicular-axes` misses `second`",
        "direction",
    ),
    (
        "spherical = { between = [\"slider\", \"bead\"], at = [0, 0, 0] }",
        "§point-on-curve = { between = [\"slider\", \"bead\"] }",
        "point-on-curve misses its curve",
        "points",
    ),
    (
        "spherical = { between = [\"slider\", \"bead\"], at = [0, 0, 0] }",
        "point-on-curve = { between = [\"slider\", \"bead\"], points = §[[0, 0, 0]] }",
        "at least two points",
        "three numbers",
    ),
    (
        "spherical = { between = [\"slider\", \"bead\"], at = [0, 0, 0] }",
        "point-on-curve = { between = [\"slider\", \"bead\"], points = [[0, 0, 0], §[1, 2]] }",
        "must be 3 numbers",
        "three numbers",
    ),
    (
        "spherical = { between = [\"slider\", \"bead\"], at = [0, 0, 0] }",
        "point-on-curve = { between = [\"slider\", \"bead\"], curve = [§\"t\", 0, 0] }",
        "depends on the time",
        "parameter `s`",
    ),
    (
        "spherical = { between = [\"slider\", \"bead\"], at = [0, 0, 0] }",
        "point-on-curve = { between = [\"slider\", \"bead\"], curve = §[\"s\", \"s^2\", 0], closed = true }",
        "does not end as it begins",
        "correct",
    ),
];
