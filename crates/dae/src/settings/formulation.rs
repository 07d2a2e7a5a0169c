//! Formulations and their variants.

use serde::{Deserialize, Serialize};

/// How constraints are enforced: one file each under `formulation/`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Formulation {
    /// Constraints at position level. [000 §4–5, Arnold–Brüls]
    Index3 {
        /// Scale equations and multipliers so that the iteration matrix stays well conditioned.
        scaling: bool,
        /// Add the augmented-Lagrangian penalty `s BᵀB`.
        augmented: bool,
    },
    /// Constraints at velocity level. [002 §4.2]
    Index2,
    /// Constraints at acceleration level. [002 §4.2]
    Index1,
    /// Mixed level `g̈ + 2α ġ + β² g = 0`. [002 §4.2]
    Baumgarte {
        /// α of the damping term.
        alpha: f64,
        /// β of the stiffness term.
        beta: f64,
    },
    /// Position and velocity level by a position correction. [002 eqs. 73, 74]
    Ggl(GglVariant),
    /// Position, velocity and acceleration level. [002 eq. 70]
    Pva,
    /// Stabilised overdetermined index-2 system, holonomic and nonholonomic. [001 eq. 13]
    Soi2 {
        /// How the mass product of the old step is obtained.
        mass: MassHistory,
    },
    /// HHT-SOI2 in its compact form. [001 eq. 17]
    HhtSoi2,
    /// HHT index-3 with states and variables, after document 003.
    HhtI3(HhtMode),
    /// Underlying ordinary differential equation, then projection. [004 eq. 2.5]
    Projected,
    /// DAE-α: dynamics and constraints at position and velocity level. [004 eq. 3.3]
    DaeAlpha {
        /// The iteration that solves a step.
        iteration: DaeIteration,
        /// Where the acceleration of the underlying equation comes from.
        multipliers: MultiplierSource,
    },
    /// Impacts and friction: smooth motion by generalized-α, corrections of position and velocity by
    /// backward Euler. [002 §3]
    Nonsmooth {
        /// Which constraints take part in the smooth motion.
        strategy: Strategy,
        /// What an open contact does.
        variant: NonsmoothVariant,
        /// How a step is solved.
        iteration: NonsmoothIteration,
    },
    /// Moreau and Jean's θ method for impacts and friction at velocity level. [002 §2.2.3]
    MoreauJean {
        /// Weight of the new forces and velocities, from ½ to 1.
        theta: f64,
        /// A contact acts if its gap closes within this part of the step at the present velocity, from
        /// 0 to 1. With ½ bodies that meet with a speed `v` overlap by up to `vh`, with 1 by up to
        /// `½vh` and may stop as far before they touch; both for a restitution of zero and θ = ½.
        activation: f64,
    },
    /// Backward differentiation formulas, variable order and step. [003 §7]
    Bdf {
        /// Constraint form.
        form: BdfForm,
        /// Highest order, 1 to 5.
        max_order: usize,
    },
}

impl Formulation {
    /// The word for it in a `[solve]` section.
    pub fn word(self) -> &'static str {
        match self {
            Formulation::Index3 { .. } => "index3",
            Formulation::Index2 => "index2",
            Formulation::Index1 => "index1",
            Formulation::Baumgarte { .. } => "baumgarte",
            Formulation::Ggl(_) => "ggl",
            Formulation::Pva => "pva",
            Formulation::Soi2 { .. } => "soi2",
            Formulation::HhtSoi2 => "hht-soi2",
            Formulation::HhtI3(_) => "hht-i3",
            Formulation::Projected => "projected",
            Formulation::DaeAlpha { .. } => "dae-alpha",
            Formulation::Nonsmooth { .. } => "nonsmooth",
            Formulation::MoreauJean { .. } => "moreau-jean",
            Formulation::Bdf { .. } => "bdf",
        }
    }
}

/// Which of the two Gear–Gupta–Leimkuhler forms of document 002.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GglVariant {
    /// `U = G(qₙ)ᵀ ν`. [002 eq. 73]
    OldGradient,
    /// `M U = G(qₙ₊₁)ᵀ ν`. [002 eq. 74]
    MassWeighted,
}

/// Which constraints the smooth motion of `nonsmooth` obeys: the set S. [002 §3.4]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Strategy {
    /// None: the smooth motion is free. First order in the bilateral constraints already.
    Free,
    /// Bilateral constraints at acceleration level.
    Bilateral,
    /// Bilateral constraints at velocity level, the earlier method. [002 ref. 12]
    Pvv,
    /// Bilateral constraints and closed contacts at acceleration level.
    Pva,
}

/// What holds for an open contact in `nonsmooth`. [sheet 002, erratum 4]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NonsmoothVariant {
    /// Its total impulse is zero: well posed.
    Star,
    /// Its correction is zero, so that the past reaction lingers: as printed.
    Printed,
}

/// How a step of `nonsmooth` is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NonsmoothIteration {
    /// Split while that contracts well, then all equations together.
    Auto,
    /// The three sub-problems in turn; all equations together only if that fails. [002 Algorithm 1]
    Split,
    /// All equations together.
    Monolithic,
    /// All equations at once, from impulses that Gauss–Seidel sweeps over the contacts find. The others
    /// do so where Newton's method fails.
    Sweeps,
}

/// How SOI2 obtains `(M a)` of the old step. [001 §2]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MassHistory {
    /// The product of the previous step is stored.
    Stored,
    /// `M(t+αh, y+αhz)` is evaluated anew.
    Evaluated,
}

/// The two modes of sheet 003.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum HhtMode {
    /// As printed in document 003, misprints mended.
    Paper,
    /// Second order in all cases, with rescaled starting values.
    Recommended,
}

/// Iterations of DAE-α. [004 §3]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DaeIteration {
    /// Newton's method on the saddle-point system.
    Newton,
    /// Coordinate splitting: multipliers are eliminated with a basis of the constraint kernel.
    Cs,
    /// Modified coordinate splitting: the curvature of the constraints is dropped.
    Cm,
    /// Modified splitting first, curvature once the iteration is near.
    Hybrid,
}

/// Source of the multipliers inside the underlying acceleration φ. [004 §5.6]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MultiplierSource {
    /// From the acceleration-level system (2.2).
    AccelerationLevel,
    /// From the velocity-level multiplier, `μ/(γ̂h)`.
    VelocityLevel,
}

/// Forms of the backward differentiation integrator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BdfForm {
    /// Constraints at position level; error control on positions only.
    Index3,
    /// Stabilised index 2: position and velocity level, error control on both.
    Si2,
}
