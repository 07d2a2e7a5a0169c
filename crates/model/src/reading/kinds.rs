//! Kinds of symbols, and which of them formulas may use.

use std::ops::BitOr;

/// A set of kinds of symbols.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kinds(u16);

impl Kinds {
    /// Parameters and numbers only.
    pub const CONSTANT: Kinds = Kinds(0);
    /// The time.
    pub const TIME: Kinds = Kinds(1);
    /// Coordinates.
    pub const COORDINATE: Kinds = Kinds(2);
    /// Velocities.
    pub const VELOCITY: Kinds = Kinds(4);
    /// Accelerations.
    pub const ACCELERATION: Kinds = Kinds(8);
    /// Multipliers.
    pub const MULTIPLIER: Kinds = Kinds(16);
    /// First-order states.
    pub const STATE: Kinds = Kinds(32);
    /// Rates of states.
    pub const RATE: Kinds = Kinds(64);
    /// Algebraic variables.
    pub const VARIABLE: Kinds = Kinds(128);
    /// Everything.
    pub const ALL: Kinds = Kinds(255);

    /// What mass, constraints and gaps may use.
    pub const CONFIGURATION: Kinds = Kinds(1 | 2);
    /// What nonholonomic constraints may use.
    pub const MOTION: Kinds = Kinds(1 | 2 | 4);
    /// What forces may use.
    pub const FORCE: Kinds = Kinds(1 | 2 | 4 | 16 | 32 | 128);
    /// What energies may use.
    pub const ENERGY: Kinds = Kinds(1 | 2 | 4 | 32 | 128);

    /// True if the other set has all of this one.
    pub fn within(self, other: Kinds) -> bool {
        self.0 & !other.0 == 0
    }

    pub(crate) fn without(self, other: Kinds) -> Kinds {
        Kinds(self.0 & !other.0)
    }

    /// The kinds in words, one and many.
    pub(crate) fn words(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        const WORDS: [(&str, &str); 8] = [
            ("the time", "the time `t`"),
            ("a coordinate", "coordinates"),
            ("a velocity", "velocities"),
            ("an acceleration", "accelerations"),
            ("a multiplier", "multipliers"),
            ("a state", "states"),
            ("the rate of a state", "rates of states"),
            ("a variable", "variables"),
        ];
        (0..8).filter(move |bit| self.0 >> bit & 1 == 1).map(|bit| WORDS[bit])
    }
}

impl BitOr for Kinds {
    type Output = Kinds;
    fn bitor(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }
}
