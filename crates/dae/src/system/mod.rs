//! The contract between mechanics and mathematics: what an integrator may ask of a mechanical system.
//!
//! A system is
//!
//! ```text
//! M(q,t) v̇ = f(t,q,v,x,y,λ,ψ) + Gᵀλ + Kᵀψ      equations of motion        (dynamics)
//! g(q,t)   = 0,   G = ∂g/∂q                      holonomic constraints     (λ)
//! k(q,v,t) = 0,   K = ∂k/∂v                      nonholonomic constraints  (ψ)
//! d(ẋ,x,q,v,v̇,λ,ψ,y,t) = 0                      first-order states        (auxiliary, first rows)
//! y − Y(x,ẋ,q,v,v̇,λ,ψ,y,t) = 0                  algebraic variables       (auxiliary, last rows)
//! ```
//!
//! The multipliers λ and ψ live in one array, holonomic first; so do the constraint rows. A reaction
//! is `Gᵀλ`: a positive multiplier pushes in the direction in which `g` grows.
//!
//! The configuration `q` may live on a manifold (`retract`); velocities are then rates of its increments,
//! of each body in axes that the system has chosen, and every derivative "with respect to q" is taken
//! with respect to the increment `Δ` of `q = retract(base, Δ)` at [`Point::increment`]. On a vector space
//! this is the ordinary derivative.
//!
//! Only [`System::sizes`], [`System::dynamics`] and [`System::tangent`] must be written for a system
//! without constraints. Methods take `&mut self` so that a system may own its scratch memory; clone
//! it for another thread.
//!
//! Whatever else a system may know is a facet, a trait of its own that the system hands out if it has it:
//!
//! | facet | what it knows |
//! |---|---|
//! | [`Description`] | names, scales, and which coordinates belong to a body |
//! | [`Manifold`] | how increments grow, where configurations do not add |
//! | [`Explanation`] | what changed, or is not a number, where a step failed |
//! | [`Contacts`] | unilateral constraints, candidates for contact, soft contacts |
//! | [`Energetics`] | energy, power, and how much acts on each coordinate |
//! | [`RigidMotion`] | motions of everything as one rigid body |
//! | [`Reducible`] | the same system in fewer coordinates |
//! | [`Reduced`] | the whole system that one in fewer coordinates stands for |
//! | [`ForwardDynamics`] | accelerations without a matrix |
//! | [`History`] | what later answers depend on besides their arguments |
//! | [`Switching`] | when forces jump |
//! | [`Events`] | what is held between instants and changes at them |
//! | [`Inputs`] | numbers that are set from outside |
//! | [`AuxiliaryRows`] | some auxiliary equations without the others |
//!
//! Integrators ask `dyn System`, which has all these questions as methods and answers them for systems
//! without the facet too: names by number, no contacts, no energy.

mod asked;
mod contacts;
mod facets;
mod forward;
mod hand_out;
mod handle;
mod inputs;
mod words;

pub use contacts::Contacts;
pub use facets::{
    AuxiliaryRows, Description, Energetics, Events, Explanation, ForwardDynamics, History,
    Manifold, Reduced, Reducible, Reduction, RigidMotion, Switching, Unreducible,
};
pub use handle::Handle;
pub use inputs::Inputs;
pub use words::{
    Component, Energy, Level, Part, Patterns, Point, Sizes, StateWeights, Terms, Weights,
};

/// A constrained mechanical system: its equations, and what else it knows. See the [module](self).
///
/// Value arrays of derivative blocks follow the column order of the matching [`Pattern`](rotula_linear::Pattern); for dense
/// patterns this is column-major storage. Every method **overwrites** its output.
pub trait System {
    /// How many of everything there are.
    fn sizes(&self) -> Sizes;

    /// Sparsity of the derivative blocks.
    fn patterns(&self) -> Patterns {
        Patterns::dense(self.sizes())
    }

    /// `out = q ∘ increment`. The default adds.
    fn retract(&self, q: &[f64], increment: &[f64], out: &mut [f64]) {
        for ((o, a), b) in out.iter_mut().zip(q).zip(increment) {
            *o = a + b;
        }
    }

    /// The increment that leads from `q` to `other`: the inverse of [`retract`](Self::retract).
    fn local(&self, q: &[f64], other: &[f64], out: &mut [f64]) {
        for ((o, a), b) in out.iter_mut().zip(q).zip(other) {
            *o = b - a;
        }
    }

    /// The chosen terms of `M v̇ − f − Gᵀλ − Kᵀψ`.
    fn dynamics(&mut self, at: &Point, terms: Terms, out: &mut [f64]);

    /// The derivative of [`dynamics`](Self::dynamics) (same terms) with the given weights.
    fn tangent(&mut self, at: &Point, weights: Weights, terms: Terms, values: &mut [f64]);

    /// `∂(dynamics)/∂(λ,ψ)`, whole; asked for only when [`Patterns::reactions`] is given.
    fn reactions(&mut self, _at: &Point, values: &mut [f64]) {
        values.fill(0.0);
    }

    /// Constraint residuals. `out` has one entry per holonomic constraint at position level and one
    /// per multiplier at the other levels.
    fn constraint(&mut self, _level: Level, _at: &Point, out: &mut [f64]) {
        out.fill(0.0);
    }

    /// All terms of [`dynamics`](Self::dynamics) and the rows of [`constraint`](Self::constraint) at
    /// the same point: what an iteration asks for. Worth writing where the two share work.
    fn balance(&mut self, level: Level, at: &Point, dynamics: &mut [f64], rows: &mut [f64]) {
        self.constraint(level, at, rows);
        self.dynamics(at, Terms::ALL, dynamics);
    }

    /// `[G; K] = [∂ġ/∂v; ∂k/∂v]`, the matrix whose transpose carries the reactions.
    fn constraint_gradient(&mut self, _at: &Point, values: &mut [f64]) {
        values.fill(0.0);
    }

    /// The derivative of [`constraint`](Self::constraint) with the given weights (nonholonomic rows
    /// are zero at position level).
    fn constraint_tangent(
        &mut self,
        _level: Level,
        _at: &Point,
        _weights: Weights,
        values: &mut [f64],
    ) {
        values.fill(0.0);
    }

    /// Auxiliary residuals: `d(ẋ, x, …)`, then `y − Y(…)`.
    fn auxiliary(&mut self, _at: &Point, out: &mut [f64]) {
        out.fill(0.0);
    }

    /// Derivatives of [`auxiliary`](Self::auxiliary) with respect to the motion, the multipliers and
    /// the auxiliary unknowns themselves.
    fn auxiliary_tangent(
        &mut self,
        _at: &Point,
        _weights: Weights,
        _states: StateWeights,
        motion: &mut [f64],
        multipliers: &mut [f64],
        auxiliary: &mut [f64],
    ) {
        motion.fill(0.0);
        multipliers.fill(0.0);
        auxiliary.fill(0.0);
    }

    /// Derivative of the equations of motion with respect to the auxiliary unknowns: `state·∂/∂x` in
    /// the columns of the states, `∂/∂y` in those of the variables.
    fn dynamics_auxiliary(&mut self, _at: &Point, _states: StateWeights, values: &mut [f64]) {
        values.fill(0.0);
    }

    /// Names, scales and parts, if the system has such.
    fn as_description(&self) -> Option<&dyn Description> {
        None
    }

    /// How its configuration moves, where [`retract`](Self::retract) does not add.
    fn as_manifold(&self) -> Option<&dyn Manifold> {
        None
    }

    /// What can be said of steps that failed.
    fn as_explanation(&mut self) -> Option<&mut dyn Explanation> {
        None
    }

    /// Its contacts, if there may be such.
    fn as_contacts(&self) -> Option<&dyn Contacts> {
        None
    }

    /// The same, to evaluate them: there if and only if [`as_contacts`](Self::as_contacts) is.
    fn as_contacts_mut(&mut self) -> Option<&mut dyn Contacts> {
        None
    }

    /// Energy, power and loads.
    fn as_energetics(&mut self) -> Option<&mut dyn Energetics> {
        None
    }

    /// Motions as one rigid body.
    fn as_rigid_motion(&self) -> Option<&dyn RigidMotion> {
        None
    }

    /// What it remembers, for systems that watch themselves or keep a history.
    fn as_history(&mut self) -> Option<&mut dyn History> {
        None
    }

    /// When forces jump.
    fn as_switching(&self) -> Option<&dyn Switching> {
        None
    }

    /// What is held between instants, if there is such.
    fn as_events(&mut self) -> Option<&mut dyn Events> {
        None
    }

    /// Some auxiliary equations without the others.
    fn as_auxiliary_rows(&mut self) -> Option<&mut dyn AuxiliaryRows> {
        None
    }

    /// The same system in fewer coordinates.
    fn as_reducible(&self) -> Option<&dyn Reducible> {
        None
    }

    /// The whole system that this one stands for.
    fn as_reduced(&mut self) -> Option<&mut dyn Reduced> {
        None
    }

    /// Accelerations and corrections without a matrix.
    fn as_forward_dynamics(&mut self) -> Option<&mut dyn ForwardDynamics> {
        None
    }

    /// The numbers that may be set from outside, if there are such.
    fn inputs(&mut self) -> Option<&mut dyn Inputs> {
        None
    }
}
