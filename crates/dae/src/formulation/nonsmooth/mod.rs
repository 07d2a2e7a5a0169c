//! Impacts, contacts and friction: the formulation `nonsmooth`. [Brüls et al. 2018, sheet §3]
//!
//! The motion of a step is split into a smooth part (generalized-α), a correction of positions and a
//! jump of velocities (backward Euler). Bilateral constraints and closed contacts are met at position,
//! velocity and, with the strategy `pva`, acceleration level.
//!
//! | file | content |
//! |---|---|
//! | `candidates` | the list of contacts and the layout of their rows |
//! | `law` | open, stick, slip: the equations of one contact |
//! | `sets` | active sets of an iteration, cure of cycles |
//! | `stages` | unknowns and residuals of the three parts |
//! | `blocks`, `assembly` | their matrices: layout and values |
//! | `accuracy` | when a step is solved |
//! | `iteration` | split and monolithic Newton iteration |
//! | `local` | the law of one contact, solved exactly |
//! | `sweeps`, `turns` | where Newton's method fails: impulses by sweeps, to begin again |
//! | `cones`, `interior`, `polish`, `proximal` | all contacts of a problem at once, where sweeps are slow |
//! | `answers` | what forces of contacts do to their rows, for `moreau-jean` |
//! | `response` | effective masses |
//! | `start` | accelerations of a start with closed contacts |
//! | `totals` | impulses of a step |
//! | `turning` | how far closed contacts are from opening, slipping or sticking |

mod accuracy;
pub(super) mod answers;
mod assembly;
mod blocks;
pub(super) mod candidates;
pub(crate) mod cones;
mod diagnose;
mod interior;
mod iteration;
pub(super) mod law;
pub(super) mod local;
mod polish;
mod proximal;
pub(super) mod response;
mod sets;
mod stages;
mod start;
mod sweeps;
#[cfg(test)]
mod tests;
mod totals;
mod turning;
pub(crate) mod turns;

use super::Core;
use crate::alpha::Alpha;
use crate::contact_record::ContactState;
use crate::diagnosis::Diagnosis;
use crate::explain::explain_undefined;
use crate::located::{Margins, Waiting};
use crate::newton::Trouble;
use crate::settings::{MatrixPolicy, Settings, Strategy};
use crate::settings::{NonsmoothIteration, NonsmoothVariant};
use crate::state::State;
use crate::statistics::Statistics;
use crate::step::{Effort, Failed, Impacts, LocalError, RowForm, StartValues, Step, Way};
use crate::stop::Stop;
use crate::system::System;
pub(super) use blocks::{Blocks, Own, Pair};
pub(super) use candidates::{Candidates, Equations};
pub(super) use response::{MOST_COLOURS, Response};

use accuracy::Accuracy;
use iteration::Memory;
use law::Status;
use rotula_linear::{BlockMatrix, FactorError};
use serde::{Deserialize, Serialize};
use sets::Sets;
use stages::Stages;

/// Steps after a change of contacts whose local error says nothing about the smooth motion.
const UNSETTLED: usize = 3;

/// See the [module](self).
#[derive(Serialize, Deserialize)]
pub(crate) struct NonsmoothScheme {
    core: Core,
    alpha: Alpha,
    iteration: NonsmoothIteration,
    /// Matrices are made anew in every correction.
    renews: bool,
    /// The split iteration was too slow in the last step.
    prefers_whole: bool,
    tolerance: f64,
    stages: Stages,
    blocks: [Blocks; 3],
    /// Matrices of the position and velocity stage; that of the smooth stage is the core's.
    corrections: [BlockMatrix; 2],
    /// All stages together, made when first needed.
    whole: Option<(Blocks, BlockMatrix, Vec<f64>)>,
    accuracy: Accuracy,
    sets: Sets,
    response: Response,
    memory: Memory,
    /// Smooth and algorithmic multipliers of the accepted state: bilateral, then contacts.
    smooth: Vec<f64>,
    eta: Vec<f64>,
    eta_before: Vec<f64>,
    eta_start: Vec<f64>,
    eta_new: Vec<f64>,
    /// Rates of bilateral constraints and contacts.
    rates: Vec<f64>,
    shifted: Vec<f64>,
    /// Status of the contacts at velocity level in the last accepted step.
    settled: Vec<Status>,
    /// How exactly the last accepted step met the rates of its contacts.
    left_over: Vec<f64>,
    /// Accepted steps since a contact opened or closed.
    quiet: usize,
    /// Which contacts stay open until their impact is found.
    waiting: Waiting,
    /// The longest step so far.
    longest: f64,
    /// Step size for which the effective masses were found.
    mass_h: Option<f64>,
    contact_state: ContactState,
    /// The whole reactions of the last accepted step, which later attempts do not touch.
    reactions: Vec<f64>,
}

impl NonsmoothScheme {
    pub fn new(
        system: &dyn System,
        settings: &Settings,
        (strategy, variant, iteration, located): (
            Strategy,
            NonsmoothVariant,
            NonsmoothIteration,
            bool,
        ),
    ) -> Self {
        let (sizes, patterns) = (system.sizes(), system.patterns());
        let candidates = Candidates::of(system);
        let tolerance = settings.newton.tolerance;
        let (smooth, matrix) = Blocks::build(&[0], sizes, &patterns, &candidates);
        let (position, first) = Blocks::build(&[1], sizes, &patterns, &candidates);
        let (velocity, second) = Blocks::build(&[2], sizes, &patterns, &candidates);
        let response = Response::new(&candidates, &patterns.dynamics, &patterns.constraints);
        let stages =
            Stages::new(sizes, strategy, variant, candidates, patterns.constraints.clone());
        let rows = sizes.multipliers() + stages.candidates.rows();
        let contacts = stages.candidates.len();
        let mut scheme = NonsmoothScheme {
            core: Core::new(sizes, &patterns, matrix),
            alpha: Alpha::of(sizes, settings),
            iteration,
            renews: settings.newton.matrix == MatrixPolicy::EachIteration,
            prefers_whole: false,
            tolerance,
            blocks: [smooth, position, velocity],
            corrections: [first, second],
            whole: None,
            accuracy: Accuracy::new(system, &stages, tolerance),
            sets: Sets::default(),
            response,
            memory: Memory::new(&stages),
            smooth: vec![0.0; rows],
            eta: vec![0.0; rows],
            eta_before: vec![0.0; rows],
            eta_start: vec![0.0; rows],
            eta_new: vec![0.0; rows],
            rates: vec![0.0; rows],
            shifted: vec![0.0; sizes.motion],
            settled: vec![Status::Open; contacts],
            left_over: vec![0.0; rows - sizes.multipliers()],
            quiet: 0,
            waiting: Waiting::new(located && variant == NonsmoothVariant::Star),
            longest: 0.0,
            mass_h: None,
            contact_state: ContactState::new(&stages.candidates.laws, sizes.multipliers()),
            reactions: vec![0.0; sizes.multipliers()],
            stages,
        };
        scheme.sets.reserve(contacts, iteration::MOST_ITERATIONS + 1);
        scheme.hold_open();
        scheme
    }

    /// Takes over a new list of contacts, with the reactions of those that stay.
    fn renew(&mut self, system: &dyn System) {
        let m = self.core.sizes.multipliers();
        let (sizes, patterns) = (system.sizes(), system.patterns());
        let candidates = Candidates::of(system);
        let (smooth, matrix) = Blocks::build(&[0], sizes, &patterns, &candidates);
        let (position, first) = Blocks::build(&[1], sizes, &patterns, &candidates);
        let (velocity, second) = Blocks::build(&[2], sizes, &patterns, &candidates);
        self.core.matrix = matrix;
        self.blocks = [smooth, position, velocity];
        self.corrections = [first, second];
        self.whole = None;
        self.response = Response::new(&candidates, &patterns.dynamics, &patterns.constraints);
        let rows = m + candidates.rows();
        let old = &self.stages.candidates;
        for values in [&mut self.smooth, &mut self.eta, &mut self.eta_before] {
            let mut new = vec![0.0; rows];
            new[..m].copy_from_slice(&values[..m]);
            candidates.carry(old, &values[m..], &mut new[m..]);
            *values = new;
        }
        self.eta_start = vec![0.0; rows];
        self.eta_new = vec![0.0; rows];
        self.rates = vec![0.0; rows];
        let mut left_over = vec![0.0; candidates.rows()];
        candidates.carry(old, &self.left_over, &mut left_over);
        self.left_over = left_over;
        let places = old.places();
        let settled = |key: &u64| places.get(key).map_or(Status::Open, |&i| self.settled[i]);
        self.settled = candidates.keys.iter().map(settled).collect();
        let (strategy, variant) = (self.stages.strategy, self.stages.variant);
        self.stages =
            Stages::new(sizes, strategy, variant, candidates, patterns.constraints.clone());
        self.accuracy = Accuracy::new(system, &self.stages, self.tolerance);
        self.memory = Memory::new(&self.stages);
        self.sets.reserve(self.stages.candidates.len(), iteration::MOST_ITERATIONS + 1);
        self.mass_h = None;
        self.contact_state = ContactState::new(&self.stages.candidates.laws, m);
        self.hold_open();
    }
}

impl Step for NonsmoothScheme {
    saved_whole!();

    fn start(&mut self, system: &mut dyn System, state: &mut State) -> Result<(), Diagnosis> {
        self.start_with_contacts(system, state)
    }

    fn attempt(
        &mut self,
        system: &mut dyn System,
        way: Way,
        next: &mut State,
        statistics: &mut Statistics,
    ) -> Result<Effort, Trouble> {
        self.begin(system, way.from, way.h).map_err(Trouble::Matrix)?;
        let iterations = self.iterate(system, way.weights, statistics)?;
        self.stages.set_trial(system, (&mut self.core, &self.alpha));
        self.conclude_totals(system);
        std::mem::swap(next, &mut self.core.trial);
        self.alpha.conclude(&self.core.base, &next.vdot, &next.xdot);
        next.a.copy_from_slice(&self.alpha.a_new);
        Ok(Effort { iterations, matrices: 0 })
    }

    fn local_error(&self, next: &State, weights: &[f64]) -> LocalError {
        if self.unsettled() {
            return LocalError::default();
        }
        let Core { base, state_weights, .. } = &self.core;
        self.alpha.local_error((base, next), weights, state_weights)
    }

    fn order(&self) -> usize {
        2
    }

    fn commit(&mut self, _accepted: &State) {
        self.alpha.commit(&self.core.base);
        self.core.see_base();
        self.commit_reactions();
        self.commit_totals();
    }

    fn explain(&mut self, system: &mut dyn System, failed: Failed) -> Diagnosis {
        match failed.trouble.is_undefined() {
            true => explain_undefined(system, &self.core.trial, &failed),
            false => self.explain_failure(system, failed.h),
        }
    }

    fn advise(&mut self, _next: &State, _weights: &[f64], _tolerance: f64) -> Option<f64> {
        self.unsettled().then_some(1.0)
    }

    fn matrix(&self) -> &BlockMatrix {
        &self.core.matrix
    }

    fn stop(&mut self) -> &mut Stop {
        &mut self.core.stop
    }

    fn factors(&self) -> (f64, f64) {
        (self.alpha.c.c7, self.alpha.c.c8)
    }

    fn complete_row(&self, row: &mut State) -> RowForm {
        row.multipliers.copy_from_slice(&self.reactions);
        RowForm::Averaged
    }

    fn start_values(&mut self) -> Option<&mut dyn StartValues> {
        Some(self)
    }

    fn impacts(&self) -> Option<&dyn Impacts> {
        Some(self)
    }

    fn impacts_mut(&mut self) -> Option<&mut dyn Impacts> {
        Some(self)
    }
}

impl StartValues for NonsmoothScheme {
    fn acceleration(&mut self) -> &mut [f64] {
        &mut self.alpha.a
    }

    fn suggest(&mut self, _system: &mut dyn System, next: &State, out: &mut [f64]) {
        self.alpha.shifted_acceleration(&self.core.base, next, out);
    }

    fn forget(&mut self) {}

    fn settle(&mut self) {}
}

impl Impacts for NonsmoothScheme {
    fn contact_state(&self) -> &ContactState {
        &self.contact_state
    }

    fn contacts_changed(&mut self, system: &mut dyn System, state: &State) {
        self.forget_dropped(system, state);
        self.renew(system);
    }

    fn waiting(&self) -> Option<&Waiting> {
        Some(&self.waiting)
    }

    fn waiting_mut(&mut self) -> Option<&mut Waiting> {
        Some(&mut self.waiting)
    }

    fn margins_before(&self, system: &mut dyn System, from: &State) -> Vec<Margins> {
        self.margins_before_step(system, from)
    }

    fn margins_after(&self) -> Vec<Margins> {
        self.margins_after_step()
    }
}

impl NonsmoothScheme {
    /// Prepares a step.
    fn begin(&mut self, system: &mut dyn System, state: &State, h: f64) -> Result<(), FactorError> {
        self.core.begin(state, h);
        self.alpha.begin(state, &state.v, h);
        self.begin_totals(h);
        self.longest = self.longest.max(h);
        self.hold_open();
        if self.stages.candidates.len() > 0 {
            let (at, stages) = (state.point(), &mut self.stages);
            system.contact(crate::system::Level::Velocity, &at, &mut stages.rebound);
            for (i, law) in stages.candidates.laws.iter().enumerate() {
                let first = stages.candidates.first[i];
                stages.rebound[first] *= law.restitution;
                for k in 0..law.directions {
                    stages.rebound[first + 1 + k] *= law.tangential_restitution;
                }
            }
            let stale = self.mass_h.is_none_or(|made| (h / made - 1.0).abs() > 0.5);
            if stale || self.stages.variant == NonsmoothVariant::Printed {
                self.find_effective_masses(system)?;
                self.mass_h = Some(h);
            }
        }
        Ok(())
    }

    /// An impact says nothing about the error of the smooth motion: the step is kept through it.
    fn unsettled(&self) -> bool {
        self.quiet < UNSETTLED || self.changed()
    }

    /// Where impacts are located, what is open stays so: the march looks for its impact.
    fn hold_open(&mut self) {
        let now = self.waiting.now();
        let open = &mut self.waiting.open;
        open.clear();
        open.extend(self.settled.iter().map(|status| now && !status.closed()));
    }

    /// A contact opened or closed in this step.
    fn changed(&self) -> bool {
        let now = &self.stages.status[2];
        now.iter().zip(&self.settled).any(|(a, b)| a.closed() != b.closed())
    }
}
