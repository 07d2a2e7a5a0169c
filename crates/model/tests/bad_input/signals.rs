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
];
