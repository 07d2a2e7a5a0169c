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

mod forward;
mod handle;
mod inputs;
mod switching;
mod words;

use crate::checkpoint::{Reader, Unreadable, Writer};
use crate::contact::{Contact, ContactPatterns};
use crate::contact_forces::ContactForce;
use crate::contact_table::{Touch, TouchingContact};
pub use handle::Handle;
pub use inputs::Inputs;
use rotula_linear::Pattern;
pub use switching::Switching;
pub use words::{
    Component, Energy, Level, Part, Patterns, Point, Sizes, StateWeights, Terms, Weights,
};

/// A constrained mechanical system. See the [module](self) for the equations.
///
/// Value arrays of derivative blocks follow the column order of the matching [`Pattern`]; for dense
/// patterns this is column-major storage. Every method **overwrites** its output.
pub trait System {
    /// How many of everything there are.
    fn sizes(&self) -> Sizes;

    /// Sparsity of the derivative blocks.
    fn patterns(&self) -> Patterns {
        Patterns::dense(self.sizes())
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

    /// A characteristic magnitude of coordinate increment `i`: errors are measured against it.
    fn scale(&self, _coordinate: usize) -> f64 {
        1.0
    }

    /// The bodies and nodes that the coordinates belong to, in their order and without gaps: the forces on each
    /// are judged by what acts on it. By default every coordinate is one.
    fn parts(&self) -> Vec<Part> {
        let part = |i| Part { name: self.name(Component::Coordinate(i)), coordinates: i..i + 1 };
        (0..self.sizes().motion).map(part).collect()
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

    /// How far every coordinate is from `q` to `other` as one who looks on would measure it, for reports:
    /// points by their way in the axes of the world, bodies by the rotation about axes of the world. The
    /// increments of [`local`](Self::local), which are the same where configurations add, are logarithms and
    /// differ from this where things turn far.
    fn displacement(&self, q: &[f64], other: &[f64], out: &mut [f64]) {
        self.local(q, other, out);
    }

    /// The chosen terms of `M v̇ − f − Gᵀλ − Kᵀψ`.
    fn dynamics(&mut self, at: &Point, terms: Terms, out: &mut [f64]);

    /// How much acts on each coordinate: the sizes of inertia, forces and reactions, added up, so that forces that
    /// cancel count. By default each kind as a whole; worth writing where several forces act on the same body.
    fn loads(&mut self, at: &Point, scratch: &mut [f64], out: &mut [f64]) {
        out.fill(0.0);
        for kind in 0..3 {
            let terms = Terms { inertia: kind == 0, forces: kind == 1, reactions: kind == 2 };
            self.dynamics(at, terms, scratch);
            out.iter_mut().zip(&*scratch).for_each(|(out, value)| *out += value.abs());
        }
    }

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

    /// Some rows of [`auxiliary`](Self::auxiliary), for when the unknowns of the others are not computed
    /// yet. Worth writing where formulas may fail on values that mean nothing.
    fn auxiliary_rows(&mut self, at: &Point, rows: &[usize], out: &mut [f64]) {
        let mut all = vec![0.0; self.sizes().auxiliary()];
        self.auxiliary(at, &mut all);
        out.iter_mut().zip(rows).for_each(|(value, row)| *value = all[*row]);
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

    /// The present candidates for contact; see [`crate::contact`].
    fn contacts(&self) -> &[Contact] {
        &[]
    }

    /// What identifies contact `i` when the list changes: reactions are carried over by it.
    fn contact_key(&self, contact: usize) -> u64 {
        contact as u64
    }

    /// Broad phase: makes the list hold every contact that may close within `horizon` from this
    /// accepted state. Asked at the start and after each accepted step; true if the list changed.
    fn renew_contacts(&mut self, _at: &Point, _horizon: f64) -> bool {
        false
    }

    /// Sparsity of the derivatives of the present contacts.
    fn contact_patterns(&self) -> ContactPatterns {
        ContactPatterns::dense(crate::contact::contact_rows(self.contacts()), self.sizes().motion)
    }

    /// The first of [`contact_patterns`](Self::contact_patterns) alone, which is all that sweeps over
    /// contacts need. Worth writing where the list changes often.
    fn contact_row_pattern(&self) -> Pattern {
        self.contact_patterns().rows
    }

    /// All contact rows at a level: the gap in normal rows and zero in tangential ones at position
    /// level; the rates `G v + g_t` at velocity level; their derivatives at acceleration level.
    fn contact(&mut self, _level: Level, _at: &Point, out: &mut [f64]) {
        out.fill(0.0);
    }

    /// The matrix whose transpose carries the contact reactions: `∂(velocity level)/∂v`.
    fn contact_gradient(&mut self, _at: &Point, values: &mut [f64]) {
        values.fill(0.0);
    }

    /// The derivative of [`contact`](Self::contact) with the given weights; tangential rows are
    /// zero at position level.
    fn contact_tangent(
        &mut self,
        _level: Level,
        _at: &Point,
        _weights: Weights,
        values: &mut [f64],
    ) {
        values.fill(0.0);
    }

    /// The same for the contacts that are wanted; the rows of all others may be anything. Most contacts
    /// are open, and the derivatives of their rows are not looked at.
    fn contact_tangent_of(
        &mut self,
        level: Level,
        at: &Point,
        weights: Weights,
        _wanted: &[bool],
        values: &mut [f64],
    ) {
        self.contact_tangent(level, at, weights, values);
    }

    /// `∂(−Gᵀ forces)/∂Δ` of all contacts, one force per contact row.
    fn contact_curvature(&mut self, _at: &Point, _forces: &[f64], values: &mut [f64]) {
        values.fill(0.0);
    }

    /// Whether contact `i` of the present list is always listed, so that its record has columns of its own.
    fn contact_stays(&self, _contact: usize) -> bool {
        true
    }

    /// The names of the two bodies that contact `i` of the present list is between, and the number of the
    /// second, if there are bodies.
    fn contact_bodies(&self, _contact: usize) -> Option<([String; 2], usize)> {
        None
    }

    /// Adds the forces of some of the present contacts, from one force per contact row, with where they
    /// act; nothing at all if contacts have no places.
    fn contact_forces(
        &mut self,
        _at: &Point,
        _contacts: &[usize],
        _rows: &[f64],
        _out: &mut Vec<ContactForce>,
    ) {
    }

    /// How many contacts are forces, not constraints: they have no rows, but a place in the record.
    fn soft_contact_count(&self) -> usize {
        0
    }

    /// A contact that is a force, as the record calls it.
    fn describe_soft_contact(&self, _contact: usize) -> TouchingContact {
        TouchingContact::default()
    }

    /// Adds every place where contacts that are forces touch at this point.
    fn soft_touches(&mut self, _at: &Point, _out: &mut Vec<Touch>) {}

    /// Kinetic and potential energy, if the system knows them.
    fn energy(&mut self, _at: &Point) -> Option<Energy> {
        None
    }

    /// Power of everything that changes the energy: loads, dampers, drives.
    fn power(&mut self, _at: &Point) -> Option<f64> {
        None
    }

    /// Whether the [power](Self::power) is known to be zero at all times: then nobody asks for it.
    fn is_conservative(&self) -> bool {
        false
    }

    /// Called once with every accepted state, in the order of time: for systems that watch
    /// themselves or keep a history.
    fn accepted(&mut self, _at: &Point) {}

    /// Puts into a checkpoint what later answers depend on besides their arguments: a history, the
    /// list of contacts. Wrappers pass it on.
    fn save(&self, _out: &mut Writer) {}

    /// Takes back what [`save`](Self::save) has put.
    fn load(&mut self, _from: &mut Reader) -> Result<(), Unreadable> {
        Ok(())
    }

    /// The numbers that may be set from outside, if there are such.
    fn inputs(&mut self) -> Option<&mut dyn Inputs> {
        None
    }

    /// Times at which forces jump: steps end there and start anew.
    fn discontinuities(&self) -> &[f64] {
        &[]
    }

    /// Forces that switch, if there are such.
    fn switching(&mut self) -> Option<&mut dyn Switching> {
        None
    }

    /// Says which parts of the system change most between two points, such as the ends of a step that
    /// failed: forces that jump or are too stiff. Empty if nothing stands out.
    fn explain_change(&mut self, _from: &Point, _to: &Point) -> Vec<String> {
        Vec::new()
    }

    /// The velocity that every coordinate would have if everything moved rigidly with one thing: body
    /// number `reference`, counted from zero. False if there is no such thing.
    fn carried(&self, _at: &Point, _reference: usize, _out: &mut [f64]) -> bool {
        false
    }

    /// The twist with which body number `reference`, counted from zero, moves: linear velocity at the
    /// origin of the world and angular velocity, world axes.
    fn twist_of(&self, _at: &Point, _reference: usize) -> Option<[f64; 6]> {
        None
    }

    /// Velocities and accelerations of all coordinates if everything moves with one constant twist of
    /// the world. False, with nothing written, if the system does not know.
    fn swept(&self, _q: &[f64], _twist: &[f64; 6], _v: &mut [f64], _vdot: &mut [f64]) -> bool {
        false
    }

    /// How what [`swept`](Self::swept) gives changes with the configuration: calls `entry` with row, column,
    /// `∂v/∂q` along increments, and `B`, the rate at which axes that do not turn with the twist seem to
    /// turn, so that `v̇ = −B v`. Places that are left out hold zeros. False if the system does not know.
    fn swept_tangent(
        &self,
        _q: &[f64],
        _twist: &[f64; 6],
        _entry: &mut dyn FnMut(usize, usize, [f64; 2]),
    ) -> bool {
        false
    }

    /// The configuration after everything has moved for some time with one constant twist of the world.
    /// False, with nothing written, if the system does not know.
    fn swept_on(&self, _q: &[f64], _twist: &[f64; 6], _duration: f64, _out: &mut [f64]) -> bool {
        false
    }

    /// Of everything that rotates, the coordinate that stands for the fastest and its rate in rad/s.
    fn fastest_turn(&self, _v: &[f64]) -> Option<(usize, f64)> {
        None
    }

    /// Says which formula is not finite at a point, if the system can tell.
    fn explain_not_finite(&mut self, _at: &Point) -> Option<String> {
        None
    }
}
