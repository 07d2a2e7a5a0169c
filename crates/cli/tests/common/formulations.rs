//! The words that choose how a motion is integrated.

/// Every formulation for smooth motion that takes fixed steps.
pub const OF_FIXED_STEPS: [&str; 21] = [
    "formulation = \"index3\"",
    "formulation = \"index3\"\naugmented = true",
    "formulation = \"index2\"",
    "formulation = \"index1\"",
    "formulation = \"baumgarte\"\nbaumgarte = [20, 20]",
    "formulation = \"ggl\"",
    "formulation = \"ggl\"\nvariant = \"73\"",
    "formulation = \"pva\"",
    "formulation = \"soi2\"",
    "formulation = \"soi2\"\nmass = \"evaluated\"",
    "formulation = \"hht-soi2\"",
    "formulation = \"hht-i3\"",
    "formulation = \"hht-i3\"\nmode = \"paper\"",
    "formulation = \"projected\"",
    "formulation = \"dae-alpha\"",
    "formulation = \"dae-alpha\"\niteration = \"cs\"",
    "formulation = \"dae-alpha\"\niteration = \"cm\"",
    "formulation = \"dae-alpha\"\niteration = \"hybrid\"",
    "formulation = \"nonsmooth\"",
    "formulation = \"nonsmooth\"\nstrategy = \"pvv\"",
    "formulation = \"explicit\"",
];

/// Those that choose their steps themselves.
pub const OF_VARIABLE_STEPS: [&str; 2] =
    ["formulation = \"bdf\"", "formulation = \"bdf\"\nform = \"index3\""];
