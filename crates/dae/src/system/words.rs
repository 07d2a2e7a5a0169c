//! The words of the contract: what a system and an integrator hand each other.

use rotula_linear::Pattern;
use serde::{Deserialize, Serialize};

/// How many of everything a system has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sizes {
    /// Numbers that store a configuration `q` (may exceed `motion`, e.g. 7 for a frame).
    pub configuration: usize,
    /// Velocities `v`, increments `Δ` and equations of motion.
    pub motion: usize,
    /// Holonomic constraints `g(q,t) = 0`.
    pub holonomic: usize,
    /// Nonholonomic constraints `k(q,v,t) = 0`.
    pub nonholonomic: usize,
    /// First-order states `x`.
    pub states: usize,
    /// Algebraic variables `y`.
    pub variables: usize,
}

impl Sizes {
    /// A system whose configuration adds like a vector, with `motion` coordinates and nothing else.
    pub fn vector(motion: usize) -> Self {
        Sizes { configuration: motion, motion, ..Sizes::default() }
    }

    /// All multipliers: holonomic and nonholonomic.
    pub fn multipliers(&self) -> usize {
        self.holonomic + self.nonholonomic
    }

    /// All auxiliary equations: states, then variables.
    pub fn auxiliary(&self) -> usize {
        self.states + self.variables
    }
}

/// Where a system is evaluated.
#[derive(Clone, Copy, Debug)]
pub struct Point<'a> {
    /// Time.
    pub t: f64,
    /// Configuration.
    pub q: &'a [f64],
    /// Increment `Δ` with which `q` was reached by [`System::retract`](super::System::retract); zeros at
    /// the base itself.
    pub increment: &'a [f64],
    /// Velocity.
    pub v: &'a [f64],
    /// Acceleration `v̇`.
    pub vdot: &'a [f64],
    /// Multipliers: λ (holonomic), then ψ (nonholonomic).
    pub multipliers: &'a [f64],
    /// First-order states.
    pub x: &'a [f64],
    /// Rates of the first-order states.
    pub xdot: &'a [f64],
    /// Algebraic variables.
    pub y: &'a [f64],
}

/// Which terms of the equations of motion are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// `M v̇`.
    pub inertia: bool,
    /// `−f`.
    pub forces: bool,
    /// `−Gᵀλ − Kᵀψ`; in a tangent, the curvature `∂(−Gᵀλ − Kᵀψ)/∂q` that the CM iteration drops.
    pub reactions: bool,
}

impl Terms {
    /// The whole equation `M v̇ − f − Gᵀλ − Kᵀψ`.
    pub const ALL: Terms = Terms { inertia: true, forces: true, reactions: true };
    /// Everything but the reactions.
    pub const WITHOUT_REACTIONS: Terms = Terms { inertia: true, forces: true, reactions: false };
    /// The applied forces and reactions, without inertia: minus the right-hand side.
    pub const WITHOUT_INERTIA: Terms = Terms { inertia: false, forces: true, reactions: true };
    /// `M v̇` alone.
    pub const INERTIA: Terms = Terms { inertia: true, forces: false, reactions: false };
    /// `−Gᵀλ − Kᵀψ` alone.
    pub const REACTIONS: Terms = Terms { inertia: false, forces: false, reactions: true };
    /// `M v̇ − Gᵀλ − Kᵀψ`: inertia and reactions without applied forces.
    pub const WITHOUT_FORCES: Terms = Terms { inertia: true, forces: false, reactions: true };
}

/// Weights of a tangent `mass·∂/∂v̇ + damping·∂/∂v + stiffness·∂/∂Δ`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Weights {
    /// Weight of the derivative with respect to `v̇`.
    pub mass: f64,
    /// Weight of the derivative with respect to `v`.
    pub damping: f64,
    /// Weight of the derivative with respect to the increment `Δ` (or `q`).
    pub stiffness: f64,
}

impl Weights {
    /// Only the derivative with respect to `v̇`.
    pub const MASS: Weights = Weights { mass: 1.0, damping: 0.0, stiffness: 0.0 };
    /// Only the derivative with respect to `v`.
    pub const DAMPING: Weights = Weights { mass: 0.0, damping: 1.0, stiffness: 0.0 };
    /// Only the derivative with respect to `Δ`.
    pub const STIFFNESS: Weights = Weights { mass: 0.0, damping: 0.0, stiffness: 1.0 };
}

/// Weights of a derivative with respect to an auxiliary unknown: `rate·∂/∂ẋ + state·∂/∂x` in the
/// columns of the states; the columns of the variables hold `∂/∂y` unweighted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StateWeights {
    /// Weight of the derivative with respect to `ẋ`.
    pub rate: f64,
    /// Weight of the derivative with respect to `x`.
    pub state: f64,
}

/// At which derivative a constraint is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// `g(q,t)`: holonomic rows only.
    Position,
    /// `G v + g_t` for holonomic rows, `k(q,v,t)` for nonholonomic ones.
    Velocity,
    /// `d/dt` of the velocity level: `G v̇ + …`, `K v̇ + …`.
    Acceleration,
}

/// A named part of a system, for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Component {
    /// Coordinate, velocity and equation of motion `i`.
    Coordinate(usize),
    /// Constraint `i` in the order of the multipliers.
    Constraint(usize),
    /// First-order state `i`.
    State(usize),
    /// Algebraic variable `i`.
    Variable(usize),
    /// Contact `i` of the present list.
    Contact(usize),
}

/// A body or node: coordinates whose loads act on the same thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its name, as a user would recognise it.
    pub name: String,
    /// Its coordinates.
    pub coordinates: std::ops::Range<usize>,
}

/// Sparsity patterns of all derivative blocks; fixed for the life of a system.
#[derive(Clone, Debug)]
pub struct Patterns {
    /// `motion × motion`: union of mass, damping, stiffness and curvature.
    pub dynamics: Pattern,
    /// `multipliers × motion`: constraint gradients at every level.
    pub constraints: Pattern,
    /// `motion × multipliers`: `∂(dynamics)/∂(λ,ψ)`. `None` means "minus the transposed constraint
    /// gradient", i.e. forces do not depend on the multipliers.
    pub reactions: Option<Pattern>,
    /// `motion × auxiliary`: how the equations of motion depend on states and variables.
    pub dynamics_auxiliary: Pattern,
    /// `auxiliary × motion`: how auxiliary equations depend on the motion.
    pub auxiliary_motion: Pattern,
    /// `auxiliary × multipliers`.
    pub auxiliary_multipliers: Pattern,
    /// `auxiliary × auxiliary`.
    pub auxiliary: Pattern,
}

impl Patterns {
    /// Full blocks: right for small systems.
    pub fn dense(sizes: Sizes) -> Self {
        let (n, m, a) = (sizes.motion, sizes.multipliers(), sizes.auxiliary());
        Patterns {
            dynamics: Pattern::dense(n, n),
            constraints: Pattern::dense(m, n),
            reactions: None,
            dynamics_auxiliary: Pattern::dense(n, a),
            auxiliary_motion: Pattern::dense(a, n),
            auxiliary_multipliers: Pattern::dense(a, m),
            auxiliary: Pattern::dense(a, a),
        }
    }
}

/// Mechanical energy, for the audit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Kinetic energy.
    pub kinetic: f64,
    /// Potential energy of conservative forces.
    pub potential: f64,
}
