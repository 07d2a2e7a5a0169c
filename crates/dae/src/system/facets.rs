//! What a system may know besides its equations.

use super::{Component, Energy, Part, Point, System, Terms};
use crate::checkpoint::{Reader, Unreadable, Writer};
use crate::diagnosis::Sentence;
use crate::state::State;

/// What coordinates, constraints and contacts are called, and how large they are.
pub trait Description {
    /// The name of a part, as a user would recognise it.
    fn name(&self, component: Component) -> String;

    /// A characteristic magnitude of coordinate increment `i`: errors are measured against it.
    fn scale(&self, _coordinate: usize) -> f64 {
        1.0
    }

    /// Whether a coordinate that has grown beyond its scale is known only in proportion, where configurations are as many as
    /// motions; if not, errors are measured against the scale for good, as those of angles that count turns should be.
    fn scales_grow(&self) -> bool {
        true
    }

    /// The bodies and nodes that the coordinates belong to, in their order and without gaps: the forces on each
    /// are judged by what acts on it. None if every coordinate is one.
    fn parts(&self) -> Option<Vec<Part>> {
        None
    }

    /// How far every coordinate is from `q` to `other` as one who looks on would measure it, for reports:
    /// points by their way in the axes of the world, bodies by the rotation about axes of the world. The
    /// increments of [`local`](System::local), which are the same where configurations add, are logarithms and
    /// differ from this where things turn far. False, with nothing written, if they are to be taken nevertheless.
    fn displacement(&self, _q: &[f64], _other: &[f64], _out: &mut [f64]) -> bool {
        false
    }

    /// Of everything that rotates, the coordinate that stands for the fastest and its rate in rad/s: steps are short
    /// enough that increments of rotations stay small.
    fn fastest_turn(&self, _v: &[f64]) -> Option<(usize, f64)> {
        None
    }
}

/// A configuration that moves along curves.
pub trait Manifold {
    /// The rate at which the increment grows where the configuration `retract(base, Δ)` moves with the velocity `v`: the inverse
    /// tangent map, `Δ̇ = T⁻¹(Δ) v`. Methods of high order integrate increments.
    fn increment_rate(&self, increment: &[f64], v: &[f64], out: &mut [f64]);
}

/// What can be said of steps that failed.
pub trait Explanation {
    /// Says which parts of the system change most between two points, such as the ends of a step that
    /// failed: forces that jump or are too stiff. Empty if nothing stands out.
    fn explain_change(&mut self, _from: &Point, _to: &Point) -> Vec<Sentence> {
        Vec::new()
    }

    /// What at a point is beyond the bounds of what the system was made for, in a sentence about it.
    fn explain_beyond(&mut self, _at: &Point) -> Option<String> {
        None
    }

    /// Says which formula is not finite at a point, if the system can tell.
    fn explain_not_finite(&mut self, at: &Point) -> Option<Sentence>;
}

/// Energies, powers and loads, by which a run is judged.
pub trait Energetics: System {
    /// How much acts on each coordinate: the sizes of inertia, forces and reactions, added up, so that forces that
    /// cancel count. By default each kind as a whole; worth writing where several forces act on the same body.
    fn loads(&mut self, at: &Point, scratch: &mut [f64], out: &mut [f64]) {
        loads_by_kind(|terms, out| self.dynamics(at, terms, out), scratch, out);
    }

    /// Kinetic and potential energy, if the system knows them.
    fn energy(&mut self, at: &Point) -> Option<Energy>;

    /// Power of everything that changes the energy: loads, dampers, drives.
    fn power(&mut self, _at: &Point) -> Option<f64> {
        None
    }

    /// Whether the [power](Self::power) is known to be zero at all times: then nobody asks for it.
    fn is_conservative(&mut self) -> bool {
        false
    }
}

/// Motions in which everything moves as one rigid body.
pub trait RigidMotion {
    /// The velocity that every coordinate would have if everything moved rigidly with one thing: body
    /// number `reference`, counted from zero. False if there is no such thing.
    fn carried(&self, at: &Point, reference: usize, out: &mut [f64]) -> bool;

    /// The twist with which body number `reference`, counted from zero, moves: linear velocity at the
    /// origin of the world and angular velocity, world axes.
    fn twist_of(&self, at: &Point, reference: usize) -> Option<[f64; 6]>;

    /// Velocities and accelerations of all coordinates if everything moves with one constant twist of
    /// the world.
    fn swept(&self, q: &[f64], twist: &[f64; 6], _v: &mut [f64], _vdot: &mut [f64]);

    /// How what [`swept`](Self::swept) gives changes with the configuration: calls `entry` with row, column,
    /// `∂v/∂q` along increments, and `B`, the rate at which axes that do not turn with the twist seem to
    /// turn, so that `v̇ = −B v`. Places that are left out hold zeros.
    fn swept_tangent(
        &self,
        q: &[f64],
        twist: &[f64; 6],
        _entry: &mut dyn FnMut(usize, usize, [f64; 2]),
    );

    /// The configuration after everything has moved for some time with one constant twist of the world.
    ///
    fn swept_on(&self, q: &[f64], twist: &[f64; 6], _duration: f64, _out: &mut [f64]);
}

/// What later answers depend on besides their arguments.
pub trait History {
    /// Called once with every accepted state, in the order of time: for systems that watch
    /// themselves or keep a history.
    fn accepted(&mut self, _at: &Point) {}

    /// Puts into a checkpoint what later answers depend on besides their arguments: a history, the
    /// list of contacts. Wrappers pass it on.
    fn save(&mut self, _out: &mut Writer) {}

    /// Takes back what [`save`](Self::save) has put.
    fn load(&mut self, _from: &mut Reader) -> Result<(), Unreadable> {
        Ok(())
    }
}

/// When forces jump.
pub trait Switching {
    /// Times at which forces jump: steps end there and start anew.
    fn discontinuities(&self) -> &[f64];

    /// More of them, which are found for a span of time, such as those that come again without end: each as a time just before and
    /// one just after it.
    fn jumps_between(&self, _span: [f64; 2]) -> Vec<[f64; 2]> {
        Vec::new()
    }

    /// Where, in a span of time, forces begin to vary within a much shorter time than before, and within which: short pulses, which
    /// long steps would pass over unseen.
    fn features_between(&self, _span: [f64; 2]) -> Vec<[f64; 2]> {
        Vec::new()
    }
}

/// What is held between instants and changes at them, such as the command of a sampled controller.
pub trait Events {
    /// A run begins at a time: whatever is held has its first value, and nothing before was sampled.
    fn begin(&mut self, t: f64);

    /// The next instant at which something is sampled; infinite if there is none. Steps end there and start anew.
    fn next_instant(&mut self) -> f64;

    /// Samples what is due at the next instant, with the signals of a state at it.
    fn sample(&mut self, at: &Point);

    /// How far each condition that something may wait for lies above zero at a point; overwrites the list.
    fn conditions(&mut self, at: &Point, out: &mut Vec<f64>);

    /// Whether something would change if a condition rose through zero now.
    fn waits_for(&mut self, condition: usize) -> bool;

    /// A condition has risen through zero: whatever waits for it changes.
    fn rise(&mut self, condition: usize);

    /// What waits for a condition follows what it is decided by at every point from now on, and its conditions rise no more. False if
    /// it cannot, as a latch.
    fn let_go(&mut self, _condition: usize) -> bool {
        false
    }

    /// What waits for a condition, as a user would recognise it.
    fn condition_name(&mut self, condition: usize) -> String;
}

/// Accelerations without a matrix. Of all constraints only those of the given rows take part, in increasing order; both methods return
/// false, with nothing of use written, where what is asked for is not determined well.
pub trait ForwardDynamics {
    /// The accelerations, and the multipliers of the rows that take part, at a point that has neither of its own, of a system without
    /// auxiliary unknowns.
    fn accelerations(
        &mut self,
        at: &Point,
        rows: &[usize],
        vdot: &mut [f64],
        multipliers: &mut [f64],
    ) -> bool;

    /// The least motion `δ` in the metric of the mass that changes the rows as wanted: `M δ = Gᵀν`, `G δ = wanted`.
    fn correction(&mut self, at: &Point, rows: &[usize], wanted: &[f64], out: &mut [f64]) -> bool;
}

/// A system that may be integrated in fewer coordinates than it has: those of the joints of a mechanism.
pub trait Reducible {
    /// The same system in joint coordinates, or what stands against it.
    fn reduction(&self, start: &State) -> Result<Reduction, Unreducible>;
}

/// A system in fewer coordinates, and whether they are worth it.
pub struct Reduction {
    /// The system, which has the facet [`Reduced`].
    pub system: Box<dyn System>,
    /// How many of everything it has and what it stands for, to complete the sentence "joint coordinates: …".
    pub about: String,
    /// Why the coordinates that there were are the better choice nevertheless, if so.
    pub drawback: Option<String>,
    /// The same for methods that solve with matrices of the whole, as all but the explicit one do.
    pub drawback_of_matrices: Option<String>,
}

/// Why a system has no fewer coordinates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreducible {
    /// What stands against it, in a sentence that names the thing.
    pub what: String,
    /// What to do.
    pub remedy: String,
}

/// A system in fewer coordinates than the whole one that it stands for.
pub trait Reduced {
    /// The whole system.
    fn whole(&mut self) -> &mut dyn System;

    /// Begins anew at a state of the whole system, which meets all its constraints, and gives it in the coordinates here.
    /// States from before mean nothing afterwards.
    fn begin_at(&mut self, whole: &State) -> State;

    /// A state as that of the whole system, with the multipliers of all its constraints.
    fn lift(&mut self, own: &State, whole: &mut State);
}

/// Auxiliary equations one by one.
pub trait AuxiliaryRows {
    /// Some rows of [`auxiliary`](System::auxiliary), for when the unknowns of the others are not computed
    /// yet. Worth writing where formulas may fail on values that mean nothing.
    fn auxiliary_rows(&mut self, at: &Point, rows: &[usize], out: &mut [f64]);
}

/// Inertia, forces and reactions, each as a whole.
pub(super) fn loads_by_kind(
    mut dynamics: impl FnMut(Terms, &mut [f64]),
    scratch: &mut [f64],
    out: &mut [f64],
) {
    out.fill(0.0);
    for kind in 0..3 {
        let terms = Terms { inertia: kind == 0, forces: kind == 1, reactions: kind == 2 };
        dynamics(terms, scratch);
        out.iter_mut().zip(&*scratch).for_each(|(out, value)| *out += value.abs());
    }
}
