//! What a user writes: a mechanical system as formulas.

use super::mass::MassMatrix;
use super::scalar::Scalar;
use crate::system::{Component, Point, Sizes};

/// What a force may depend on.
#[derive(Clone, Copy, Debug)]
pub struct Arguments<'a, T> {
    /// Time.
    pub t: T,
    /// Coordinates.
    pub q: &'a [T],
    /// Velocities.
    pub v: &'a [T],
    /// Multipliers: holonomic, then nonholonomic. Empty unless the equations say that their forces
    /// depend on them ([`Equations::depends_on_multipliers`], [`Equations::reaction`]), so that a
    /// forgotten declaration shows at once and not as a slow iteration.
    pub multipliers: &'a [T],
    /// First-order states.
    pub x: &'a [T],
    /// Algebraic variables.
    pub y: &'a [T],
}

/// What an auxiliary equation may depend on: everything.
#[derive(Clone, Copy, Debug)]
pub struct AuxiliaryArguments<'a, T> {
    /// Time.
    pub t: T,
    /// Coordinates.
    pub q: &'a [T],
    /// Velocities.
    pub v: &'a [T],
    /// Accelerations.
    pub vdot: &'a [T],
    /// Multipliers: holonomic, then nonholonomic.
    pub multipliers: &'a [T],
    /// First-order states.
    pub x: &'a [T],
    /// Rates of the first-order states.
    pub xdot: &'a [T],
    /// Algebraic variables.
    pub y: &'a [T],
}

/// A mechanical system, written once for every kind of number.
///
/// [`Automatic`](super::Automatic) turns it into a [`System`](crate::System). All outputs are zero when a
/// method receives them. The coordinates add like a vector; the equations are
///
/// ```text
/// M(q,t) v̇ = f(t,q,v,x,y,λ,ψ) + Gᵀλ + Kᵀψ,    g(q,t) = 0,    k(q,v,t) = 0,    e(…) = 0
/// ```
///
/// See the [module](super) for an example.
pub trait Equations {
    /// How many of everything there are; as many configuration numbers as velocities.
    fn sizes(&self) -> Sizes;

    /// The mass matrix `M(q,t)`.
    fn mass<T: Scalar>(&self, t: T, q: &[T], m: &mut MassMatrix<T>);

    /// Applied and velocity-dependent inertia forces `f`, without the reactions of constraints.
    fn force<T: Scalar>(&self, at: &Arguments<T>, f: &mut [T]);

    /// Holonomic constraints `g(q,t)`.
    fn holonomic<T: Scalar>(&self, _t: T, _q: &[T], _g: &mut [T]) {}

    /// Nonholonomic constraints `k(q,v,t)`.
    fn nonholonomic<T: Scalar>(&self, _t: T, _q: &[T], _v: &[T], _k: &mut [T]) {}

    /// Auxiliary equations: `d(ẋ, x, …)` for every state, then `y − Y(…)` for every variable.
    fn auxiliary<T: Scalar>(&self, _at: &AuxiliaryArguments<T>, _e: &mut [T]) {}

    /// Whether constraint `i` (in the order of the multipliers) reacts by `Gᵀλ` or `Kᵀψ`. If not,
    /// [`force`](Self::force) has to say how its multiplier acts.
    fn reaction(&self, _constraint: usize) -> bool {
        true
    }

    /// Whether [`force`](Self::force) depends on the multipliers, like friction does.
    fn depends_on_multipliers(&self) -> bool {
        false
    }

    /// Potential energy of the conservative forces. It serves the energy audit only: the forces
    /// themselves belong to [`force`](Self::force).
    fn potential<T: Scalar>(&self, _t: T, _q: &[T]) -> Option<T> {
        None
    }

    /// Power of everything that changes the energy. Without it, and with a
    /// [`potential`](Self::potential), the rate of the energy is derived from the equations, so that
    /// the audit measures the integration.
    fn power(&self, _at: &Point) -> Option<f64> {
        None
    }

    /// The name of a part, as a user would recognise it.
    fn name(&self, component: Component) -> String {
        match component {
            Component::Coordinate(i) => format!("coordinate {}", i + 1),
            Component::Constraint(i) => format!("constraint {}", i + 1),
            Component::State(i) => format!("state {}", i + 1),
            Component::Variable(i) => format!("variable {}", i + 1),
            Component::Contact(i) => format!("contact {}", i + 1),
        }
    }

    /// A characteristic magnitude of a coordinate.
    fn scale(&self, _coordinate: usize) -> f64 {
        1.0
    }

    /// Times at which forces jump.
    fn discontinuities(&self) -> &[f64] {
        &[]
    }
}
