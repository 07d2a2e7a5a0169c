//! The words of options that formulations have of their own.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which of the two Gear–Gupta–Leimkuhler forms of document 002.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum GglVariant {
    /// `U = G(qₙ)ᵀ ν`. [Brüls et al. 2018, eq. 73]
    #[serde(rename = "73")]
    OldGradient,
    /// `M U = G(qₙ₊₁)ᵀ ν`. [Brüls et al. 2018, eq. 74]
    #[default]
    #[serde(rename = "74")]
    MassWeighted,
}

/// Which constraints the smooth motion of `nonsmooth` obeys: the set S. [Brüls et al. 2018, sheet §3.4]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Strategy {
    /// None: the smooth motion is free. First order in the bilateral constraints already.
    #[serde(rename = "1")]
    Free,
    /// Bilateral constraints at acceleration level.
    #[serde(rename = "2")]
    Bilateral,
    /// Bilateral constraints at velocity level, the earlier method. [Brüls et al. 2018, ref. 12]
    Pvv,
    /// Bilateral constraints and closed contacts at acceleration level.
    #[default]
    #[serde(alias = "3")]
    #[schemars(extend("alias" = "3"))]
    Pva,
}

/// What holds for an open contact in `nonsmooth`. [sheet 002, erratum 4]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NonsmoothVariant {
    /// Its total impulse is zero: well posed.
    #[default]
    Star,
    /// Its correction is zero, so that the past reaction lingers: as printed.
    Printed,
}

/// How a step of `nonsmooth` is solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NonsmoothIteration {
    /// Split while that contracts well, then all equations together.
    #[default]
    Auto,
    /// The three sub-problems in turn; all equations together only if that fails. [Brüls et al. 2018, Algorithm 1]
    Split,
    /// All equations together.
    Monolithic,
    /// All equations at once, from impulses that Gauss–Seidel sweeps over the contacts find. The others
    /// do so where Newton's method fails.
    Sweeps,
}

/// Laws for impacts in which several contacts take part; with one frictionless contact they agree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MultipleImpactLaw {
    /// Newton's restitution of each contact that hits, all at once: one solution, symmetric.
    #[default]
    Moreau,
    /// Compression, then expansion that gives back a part of each impulse: never makes energy.
    Poisson,
    /// What approaches is reflected together, again and again: symmetric, and momentum passes through rows of bodies as in
    /// Newton's cradle.
    Reflections,
    /// One contact after the other, the fastest first: Newton's cradle too, but order may break symmetry.
    Sequential,
}

/// How SOI2 obtains `(M a)` of the old step. [Jay & Negrut 2009, sheet §2]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MassHistory {
    /// The product of the previous step is stored.
    #[default]
    Stored,
    /// `M(t+αh, y+αhz)` is evaluated anew.
    Evaluated,
}

/// The two modes of sheet 003.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum HhtMode {
    /// As printed in document 003, misprints mended.
    Paper,
    /// Second order in all cases, with rescaled starting values.
    #[default]
    Recommended,
}

/// Iterations of DAE-α. [Yen et al. 1998, sheet §3]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DaeIteration {
    /// Newton's method on the saddle-point system.
    #[default]
    Newton,
    /// Coordinate splitting: multipliers are eliminated with a basis of the constraint kernel.
    Cs,
    /// Modified coordinate splitting: the curvature of the constraints is dropped.
    Cm,
    /// Modified splitting first, curvature once the iteration is near.
    Hybrid,
}

/// Source of the multipliers inside the underlying acceleration φ. [Yen et al. 1998, sheet §5.6]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum MultiplierSource {
    /// From the acceleration-level system (2.2).
    #[default]
    #[serde(rename = "acceleration")]
    AccelerationLevel,
    /// From the velocity-level multiplier, `μ/(γ̂h)`.
    #[serde(rename = "velocity")]
    VelocityLevel,
}

/// Forms of the backward differentiation integrator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BdfForm {
    /// Constraints at position level; error control on positions only.
    Index3,
    /// Stabilised index 2: position and velocity level, error control on both.
    #[default]
    Si2,
}
