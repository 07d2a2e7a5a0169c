//! Mistakes in what changes at instants.

use crate::Mistake;

pub const MISTAKES: &[Mistake] = &[
    ("every = 0.01\n", "", "sampled signal `k` misses `every`", "add `every = …`"),
    ("every = 0.01", "every = §0", "sampled.k.every is 0", "positive"),
    ("every = 0.01", "every = 0.01\n§evry = 1", "sampled.k has no key `evry`", "`every`?"),
    ("value = \"k + where\"\n", "", "sampled signal `k` misses `value`", "add `value = …`"),
    ("value = \"k + where\"", "value = \"k + §wher\"", "`wher`", "did you mean `where`?"),
    ("value = \"k + where\"", "value = \"§f' + k\"", "is the rate of a state", "states, variables"),
    ("[sampled.k]", "[sampled.§u]", "the name `u` is taken already in [variable]", "another name"),
    ("[sampled.k]", "[sampled.§k-1]", "cannot be used as a name", "letters"),
    ("set = \"where - 1\"\n", "", "latch `catch` misses `set`", "add `set = …`"),
    ("set = \"where - 1\"", "set = \"§wher - 1\"", "`wher`", "did you mean `where`?"),
    (
        "set = \"where - 1\"",
        "set = \"where - 1\"\nat = §2",
        "latch.catch.at is 2",
        "a latch is 0 or 1",
    ),
    ("reset = \"0.5", "§rest = \"0.5", "latch.catch has no key `rest`", "did you mean `reset`?"),
    ("[latch.catch]", "[latch.§u]", "the name `u` is taken already in [variable]", "another"),
    // motions by signals
    ("angle = \"6*t\"", "angle = \"2*§u\"", "`u` is a variable", "let a controller act"),
    ("angle = \"6*t\"", "angle = \"§f\"", "`f` is a state", "two derivatives"),
    ("angle = \"6*t\"", "angle = \"§k\"", "`k` is a variable", "time alone"),
    ("angle = \"6*t\"", "angle = \"§qq\"", "unknown name `qq`", "known here"),
    // loads along beams
    (
        "[output]",
        "[load.air]\non = §\"rode\"\nper_length = [0, 0, 1]\n[output]",
        "there is no flexible body or beam `rode`",
        "did you mean `rod`?",
    ),
    (
        "[output]",
        "[load.air]\non = \"rod\"\nper_length = [0, \"§vw\", 1]\n[output]",
        "unknown name `vw` in load.air.per_length",
        "did you mean",
    ),
    (
        "[output]",
        "[load.air]\non = \"rod\"\n§force = [0, 0, 1]\n[output]",
        "it is along a beam, where loads are `per_length`",
        "remove",
    ),
    (
        "[output]",
        "[load.air]\non = \"rod\"\naxes = \"world\"\n[output]",
        "load.air has no load",
        "add `per_length",
    ),
    (
        "[output]",
        "[load.air]\non = \"rod\"\nper_length = [0, 0, 1]\naxes = §\"body\"\n[output]",
        "load.air.axes cannot be `body`",
        "section",
    ),
    // teeth
    (
        "sum = \"pin.angle - 2*guide.displacement\"",
        "mesh = { joints = [\"pin\", §\"guide\"], radii = [1, 2], stiffness = 1 }",
        "it has no coordinate `angle`",
        "",
    ),
    (
        "sum = \"pin.angle - 2*guide.displacement\"",
        "mesh = { joints = [\"pin\", \"pin\"], radii = §[1, 0], stiffness = 1 }",
        "coupling.chain.mesh.radii has a zero",
        "base radius",
    ),
    (
        "sum = \"pin.angle - 2*guide.displacement\"",
        "mesh = { joints = [\"pin\", \"pin\"], radii = [1, 2], stiffness = 1, harmonics = §[0.1] }",
        "coupling.chain.mesh misses `teeth`",
        "first wheel",
    ),
    (
        "sum = \"pin.angle - 2*guide.displacement\"",
        "mesh = { joints = [\"pin\", \"pin\"], radii = [1, 2], stiffness = 1, teeth = 9, harmonics = [0.1], phases = §[1, 2] }",
        "phases has 2 numbers, but there are 1 harmonics",
        "one phase for each",
    ),
    (
        "sum = \"pin.angle - 2*guide.displacement\"",
        "mesh = { joints = [\"pin\", \"pin\"], radii = [1, 2], stiffness = 1, §teeth = 9 }",
        "harmonics",
        "remove",
    ),
    (
        "sum = \"pin.angle - 2*guide.displacement\"",
        "mesh = { joints = [\"pin\", \"pin\"], radii = [1, 2], stiffness = 1, teeth = 9, harmonics = [0.6, 0.5] }",
        "add up to 1.1",
        "below 1",
    ),
];
