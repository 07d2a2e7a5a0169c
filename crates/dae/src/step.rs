//! A step of a method, as the marching loop sees it: begin anew, attempt, judge, commit.
//!
//! Methods that solve a nonlinear system in each step are [schemes](crate::formulation::Scheme), which
//! [`Iterated`](crate::iterated::Iterated) turns into steps by Newton's method. Methods that iterate by themselves (impacts), or not
//! at all (Runge–Kutta), are steps directly.

use crate::checkpoint::{Reader, Unreadable, Writer};
use crate::contact_record::ContactState;
use crate::diagnosis::Diagnosis;
use crate::located::{Margins, Waiting};
use crate::newton::Trouble;
use crate::state::State;
use crate::statistics::Statistics;
use crate::stop::Stop;
use crate::system::System;
use rotula_linear::BlockMatrix;

/// Estimated local errors of one step, before division by the tolerance.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct LocalError {
    pub position: f64,
    pub state: f64,
    /// Order of the formula for first-order states.
    pub state_order: usize,
}

/// What is to be attempted.
#[derive(Clone, Copy)]
pub(crate) struct Way<'a> {
    /// The accepted state that the step starts from.
    pub from: &'a State,
    /// Its size.
    pub h: f64,
    /// Sizes that errors of the coordinates are relative to.
    pub weights: &'a [f64],
}

/// What an attempt has cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Effort {
    pub iterations: usize,
    pub matrices: usize,
}

impl Effort {
    /// The effort of one attempt after another: the iterations of both, the matrices of the later one.
    pub fn then(self, later: Effort) -> Effort {
        Effort { iterations: self.iterations + later.iterations, ..later }
    }
}

/// Why an attempt is repeated with another size, and for how many times in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rejection {
    /// It did not converge.
    Trouble(usize),
    /// Its local error is too large.
    Error(usize),
}

/// A step that could not be taken, down to the smallest size.
pub(crate) struct Failed<'a> {
    pub from: &'a State,
    /// What the last attempt made of the end of the step.
    pub next: &'a State,
    pub h: f64,
    pub trouble: Trouble,
}

/// What the accepted state of a step says about the forces at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowForm {
    /// `M v̇ = f + Gᵀλ` holds in it.
    Balanced,
    /// It holds over the step only; the acceleration at its end follows from the forces there.
    Averaged,
}

/// A point of the past, since which the motion has been smooth.
#[derive(Clone, Copy)]
pub(crate) struct PastPoint<'a> {
    pub t: f64,
    pub q: &'a [f64],
    pub v: &'a [f64],
    pub x: &'a [f64],
}

/// One step of a method. Nothing that an attempt computes is remembered before `commit`.
pub(crate) trait Step {
    /// Starts afresh from a consistent state, whose accelerations and multipliers the method may replace by those it needs.
    fn start(&mut self, system: &mut dyn System, state: &mut State) -> Result<(), Diagnosis>;

    /// Attempts a step and fills in its end.
    fn attempt(
        &mut self,
        system: &mut dyn System,
        way: Way,
        next: &mut State,
        statistics: &mut Statistics,
    ) -> Result<Effort, Trouble>;

    /// Local error of the step that was attempted.
    fn local_error(&self, next: &State, weights: &[f64]) -> LocalError;

    /// Order of the method: the local error falls like `h^(order+1)`.
    fn order(&self) -> usize;

    /// The same of what the step size follows: the estimate of the local error.
    fn error_order(&self) -> usize {
        self.order()
    }

    /// The step that was attempted last is accepted; it ends in this state.
    fn commit(&mut self, accepted: &State);

    /// It is rejected.
    fn rejected(&mut self, _why: Rejection) {}

    /// Explains why no step could be taken.
    fn explain(&mut self, system: &mut dyn System, failed: Failed) -> Diagnosis;

    /// Called before an accepted step is committed: the factor by which the next step may grow, if the method has a rule of
    /// its own (variable order).
    fn advise(&mut self, _next: &State, _weights: &[f64], _tolerance: f64) -> Option<f64> {
        None
    }

    /// What the run so far says about the choice of this formulation.
    fn advice(&self) -> Option<String> {
        None
    }

    /// The matrix that most steps need.
    fn matrix(&self) -> &BlockMatrix;

    /// Takes over the analysis of a matrix of accelerations and reactions for those of its own that have the same pattern.
    fn follow(&mut self, _analysed: &BlockMatrix) {}

    /// Asked by every iteration, which is then given up.
    fn stop(&mut self) -> &mut Stop;

    /// Puts the whole method into a checkpoint.
    fn save(&self, out: &mut Writer);

    /// Becomes the method of a checkpoint.
    fn load(&mut self, from: &mut Reader) -> Result<(), Unreadable>;

    /// What an acceleration at the end of a step adds to velocities and positions there: `c7 ~ h`, `c8 ~ h²`.
    fn factors(&self) -> (f64, f64);

    /// Turns a copy of the state of the accepted step into what is recorded of it: impulses become mean forces.
    fn complete_row(&self, _row: &mut State) -> RowForm {
        RowForm::Balanced
    }

    /// The state at a time within the accepted step and the work of loads, dampers and drives since its start, if the
    /// method has a dense output of its own.
    fn between(&mut self, _system: &mut dyn System, _t: f64, _out: &mut State) -> Option<f64> {
        None
    }

    /// Points before the start of the accepted step through which its interpolation goes besides, the last first: as many as suit
    /// the order of the method.
    fn past(&self) -> [Option<PastPoint<'_>>; 2] {
        [None; 2]
    }

    /// The work of loads, dampers and drives in the accepted step, if the method has integrated it.
    fn work(&self) -> Option<f64> {
        None
    }

    /// Start values that a first step finds by being repeated.
    fn start_values(&mut self) -> Option<&mut dyn StartValues> {
        None
    }

    /// Unilateral constraints.
    fn impacts(&self) -> Option<&dyn Impacts> {
        None
    }

    /// The same, to be changed.
    fn impacts_mut(&mut self) -> Option<&mut dyn Impacts> {
        None
    }
}

/// The algorithmic acceleration of the α methods, which lives at `t₀ + αh` and must be started.
pub(crate) trait StartValues {
    /// Its start value.
    fn acceleration(&mut self) -> &mut [f64];

    /// The start value that an attempted first step suggests. [Jay & Negrut 2009, eq. 8] Whatever else the method learns
    /// for its start it keeps to itself.
    fn suggest(&mut self, system: &mut dyn System, next: &State, out: &mut [f64]);

    /// The next step starts from the state as it is.
    fn forget(&mut self);

    /// The search has ended.
    fn settle(&mut self);
}

/// Contacts of a method that knows impacts.
pub(crate) trait Impacts {
    /// Gaps and impulses of the attempted step.
    fn contact_state(&self) -> &ContactState;

    /// The list of contacts has changed at an accepted state.
    fn contacts_changed(&mut self, system: &mut dyn System, state: &State);

    /// Which contacts wait for their impact, if the method lets impacts be located.
    fn waiting(&self) -> Option<&Waiting> {
        None
    }

    /// The same, to be changed.
    fn waiting_mut(&mut self) -> Option<&mut Waiting> {
        None
    }

    /// Of contacts that were closed before the attempted step, what kept them so at its start.
    fn margins_before(&self, _system: &mut dyn System, _from: &State) -> Vec<Margins> {
        Vec::new()
    }

    /// The same at its end, and what they do there.
    fn margins_after(&self) -> Vec<Margins> {
        Vec::new()
    }
}
