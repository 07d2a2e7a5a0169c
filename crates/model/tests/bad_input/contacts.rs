//! Mistakes in contacts, couplings, signals and settings.

use crate::Mistake;

pub const MISTAKES: &[Mistake] = &[
    // contacts and couplings
    (
        "second = { sphere = 0.1 }\n",
        "",
        "contact.touch misses `second`, and `slider` has no solid or shape",
        "sphere",
    ),
    (
        "second = { sphere = 0.1 }",
        "second = { sphere = 0.1, §box = [1, 1, 1] }",
        "`sphere` and `box` exclude each other",
        "keep one",
    ),
    (
        "second = { sphere = 0.1 }",
        "§second = { at = [0, 0, 0] }",
        "does not say what shape it is",
        "`capsule`",
    ),
    (
        "second = { sphere = 0.1 }",
        "second = { §cone = 0.1 }",
        "contact.touch.second has no key `cone`",
        "choose one of",
    ),
    (
        "second = { sphere = 0.1 }",
        "second = { cylinder = { radius = 0.1, length = 1 } }",
        "a cylinder has soft contact with points and spheres only",
        "restitution",
    ),
    (
        "second = { sphere = 0.1 }",
        "second = { sphere = 0.1 }\ndamping = 5",
        "its damping is full from a depth of 0 m",
        "a tenth of the depth",
    ),
    (
        "second = { sphere = 0.1 }",
        "second = { sphere = 0.1 }\nguide = 5",
        "along a cylinder or capsule only",
        "leave the guide out",
    ),
    (
        "second = { sphere = 0.1 }",
        "second = { §hull = \"nothing.obj\" }",
        "it cannot be opened",
        "",
    ),
    (
        "second = { sphere = 0.1 }",
        "second = { heights = { values = [0, 0, 0, 0], §columns = 1, lengths = [1, 1] } }",
        "heights.columns is 1",
        "whole number from 2 to the 4 values",
    ),
    (
        "second = { sphere = 0.1 }",
        "second = { heights = { §values = [0, 0, 0], columns = 2, lengths = [1, 1] } }",
        "has 3 numbers, which are no whole rows of 2",
        "every row",
    ),
    (
        "second = { sphere = 0.1 }",
        "second = { heights = { values = [0, 0, 0, 0], columns = 2, lengths = [1, 0] } }",
        "its length is 0 m",
        "positive",
    ),
    (
        "second = { sphere = 0.1 }",
        "second = { plane = \"z\" }",
        "two planes meet without end",
        "box",
    ),
    ("second = { sphere = 0.1 }", "second = { sphere = 0 }", "radius is 0 m", "positive"),
    ("stiffness = 1e5", "stiffness = -1", "its stiffness is -1", "positive"),
    ("\nstiffness = 1e5", "", "contact `touch` misses `stiffness`", "stiffness k"),
    // rigid contact
    ("stiffness = 1e5", "restitution = 1.5", "its restitution is 1.5", "from 0 to 1"),
    (
        "stiffness = 1e5",
        "stiffness = 1e5\n§restitution = 0.5",
        "`stiffness` and `restitution` exclude each other",
        "keep one",
    ),
    (
        "stiffness = 1e5",
        "restitution = 0.5\n§dissipation = 2",
        "it is rigid, so `dissipation` means nothing",
        "remove it",
    ),
    ("stiffness = 1e5", "restitution = 0.5\nfriction = -1", "its friction is -1", "positive"),
    (
        "stiffness = 1e5",
        "restitution = 0.5\nfriction = { coefficient = 0.1, §creep = 1 }",
        "so `creep` means nothing",
        "remove it",
    ),
    (
        "second = { sphere = 0.1 }",
        "second = { point = [0, 0, 0], §at = [0, 0, 1] }",
        "`point` and `at` exclude each other",
        "keep one of them",
    ),
    (
        "first = { plane = \"z\" }\nsecond = { sphere = 0.1 }",
        "first = { box = [1, 1, 1] }\nsecond = { point = [0, 0, 0] }",
        "a point touches a plane, a sphere or a bowl only",
        "small sphere",
    ),
    (
        "second = { sphere = 0.1 }",
        "second = { bowl = 1 }",
        "a bowl has no soft contact",
        "restitution",
    ),
    (
        "spring = { stiffness = 3 }",
        "§stop = { to = 1 }",
        "stop of pin misses `stiffness` or `restitution`",
        "rigid",
    ),
    (
        "spring = { stiffness = 3 }",
        "stop = { from = 1, to = 0, restitution = 0.5 }",
        "lower bound 1 is not below its upper bound 0",
        "",
    ),
    (
        "[force.push]",
        "[clearance.play]\nbetween = [\"crank\", \"slider\"]\nat = [0, 0, 0]\nsize = 0\nrestitution = 0\n\n[force.push]",
        "its clearance is 0",
        "greater than zero",
    ),
    (
        "stiffness = 1e5",
        "stiffness = 1e5\n§friction = { at_rest = 1 }",
        "`friction` misses `coefficient`",
        "sliding",
    ),
    ("sum = \"pin.angle", "sum = §\"where + pin.angle", "`where`, which is not", "`pin.angle`"),
    ("sum = \"pin.angle", "sum = §\"pin.angle^2", "not linear in `pin.angle`", "times numbers"),
    ("sum = \"pin.angle - 2*guide.displacement\"", "sum = §3", "no joint coordinate", "name"),
    (
        "sum = \"pin.angle",
        "gear = { joints = [\"pin\", \"pin\"], ratio = 1 }\n§sum = \"pin.angle",
        "exclude each other",
        "keep one",
    ),
    (
        "sum = \"pin.angle - 2*guide.displacement\"",
        "rack = { joints = [\"pin\", \"guide\"], radius = 1 }\n§equals = 2",
        "gears and racks stay",
        "remove",
    ),
    // signals, output, solve
    (
        "[state]\nf =",
        "[state]\n§u =",
        "the name `u` is taken already in [variable]",
        "another name",
    ),
    (
        "position = \"slider\"",
        "§positon = \"slider\"",
        "sensor.where has no key `positon`",
        "`position`?",
    ),
    (", rate = \"where - f\"", "", "state `f` misses `rate`", "residual"),
    (
        "bodies = [\"crank\"]",
        "bodies = [§\"crnk\"]",
        "there is no body `crnk`",
        "did you mean `crank`?",
    ),
    ("step = 1e-3", "§stepp = 1e-3", "[solve] has no key `stepp`", "did you mean `step`?"),
];
