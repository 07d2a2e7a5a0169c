//! Moreau and Jean's θ method: impacts and friction at velocity level. [002 §2.2.3]
//!
//! ```text
//! M (v − vₙ) = h [(1−θ) fₙ + θ f] + GᵀP,     q = qₙ ∘ h [(1−θ) vₙ + θ v]
//! 0 ≤ G v + e G vₙ ⊥ P ≥ 0   where g(qₙ ∘ γ h vₙ) ≤ 0;   bilateral constraints at velocity level
//! ```
//!
//! **Activation.** The usual `γ = ½` looks at the middle of the step. A body that meets a wall with the
//! speed `v` then begins its last step in the gap `g ∈ (−½vh, ½vh]`, and with `e = 0`, `θ = ½` ends it in
//! `g − ½vh`: it overlaps by `½vh` in the mean and by `vh` at most. With `γ = 1` it begins in
//! `(0, vh]` and ends in `(−½vh, ½vh]`: overlaps are half as deep and vanish in the mean, but a body may
//! stop before it touches and needs some steps to sink to the wall. Siconos takes `γ = ½` for its
//! Lagrangian systems; contacts of its collision library act as with `γ = 1`.
//!
//! **Energy.** With `θ = ½` and constant mass and force the energy of a step changes by
//! `½ Pᵀ(u⁺ + u⁻)`, with `u = G v` after and before. With `e = 0` the laws leave `Pᵀu⁺ ≤ 0`, and
//! `u⁺ = u⁻ + h b + W P` with `b = G M⁻¹ f`, `W = G M⁻¹ Gᵀ`, so that
//!
//! ```text
//! ΔE ≤ −½ PᵀW P − ½ h Pᵀb ≤ ⅛ h² bᵀW⁻¹b
//! ```
//!
//! The second bound is reached by a body that leaves its support with `½gh`: it is held back as if it had
//! been at rest, and wins `⅛ m (gh)²`. That is no fault of a solution but the scheme itself; it
//! vanishes with the square of the step.
//!
//! Unknowns are the accelerations `w = (v − vₙ)/h` and the forces `p = P/h`. Each round linearises the motion and
//! solves the [contact problem](crate::contact_problem) that follows.

mod smooth;
mod step;

use super::{Core, Equation, RowForm, Scheme};
use crate::alpha::{Guess, LocalError};
use crate::contact_problem::{Candidates, ContactProblem};
use crate::contact_record::ContactState;
use crate::diagnosis::{Diagnosis, Failure};
use crate::newton::Trouble;
use crate::settings::Settings;
use crate::state::State;
use crate::statistics::Statistics;
use crate::system::{Component, Level, System, Terms};
use crate::vector::anew;
use rotula_linear::FactorError;
use serde::{Deserialize, Serialize};
use smooth::Smooth;

/// See the [module](self).
#[derive(Serialize, Deserialize)]
pub(crate) struct MoreauJeanScheme {
    core: Core,
    theta: f64,
    /// Part of the step within which a gap must close for its contact to act.
    activation: f64,
    tolerance: f64,
    candidates: Candidates,
    /// The matrix of the smooth motion with bilateral constraints.
    smooth: Smooth,
    #[serde(skip)]
    problem: ContactProblem,
    /// Where the diagonal of the dynamics is.
    diagonal: Vec<Option<usize>>,
    /// Accelerations, then forces of bilateral constraints and contacts.
    x: Vec<f64>,
    /// Of the equations of motion and the bilateral constraints.
    residual: Vec<f64>,
    /// `−f` at the start of the step.
    old_forces: Vec<f64>,
    forces: Vec<f64>,
    /// Contacts that may act in this step.
    active: Vec<bool>,
    /// Contact rows as accelerations, and `e G vₙ`.
    rows: Vec<f64>,
    rebound: Vec<f64>,
    gradient: Vec<f64>,
    /// Contact forces before a round.
    before: Vec<f64>,
    inverse_mass: Vec<f64>,
    weights: Vec<f64>,
    half: State,
    contact_state: ContactState,
    /// Worst residual of the last attempt, over its bound.
    last: f64,
}

impl MoreauJeanScheme {
    pub fn new(system: &dyn System, settings: &Settings, (theta, activation): (f64, f64)) -> Self {
        let (sizes, patterns) = (system.sizes(), system.patterns());
        let (smooth, matrix) = Smooth::new(sizes, &patterns);
        let (n, m) = (sizes.motion, sizes.multipliers());
        let zeros = |n: usize| vec![0.0; n];
        let mut scheme = MoreauJeanScheme {
            core: Core::new(sizes, &patterns, settings, matrix),
            theta,
            activation,
            tolerance: settings.newton.tolerance,
            candidates: Candidates::none(n),
            smooth,
            problem: ContactProblem::default(),
            diagonal: (0..n).map(|i| patterns.dynamics.position(i, i)).collect(),
            x: zeros(n + m),
            residual: zeros(n + m),
            old_forces: zeros(n),
            forces: zeros(n),
            active: Vec::new(),
            rows: Vec::new(),
            rebound: Vec::new(),
            gradient: Vec::new(),
            before: Vec::new(),
            inverse_mass: zeros(n),
            weights: vec![1.0; n],
            half: State::zeros(sizes),
            contact_state: ContactState::default(),
            last: 0.0,
        };
        scheme.renew(system);
        scheme
    }

    /// Makes everything that depends on the list of contacts anew; forces go with their keys.
    fn renew(&mut self, system: &dyn System) {
        let offset = self.core.sizes.motion + self.core.sizes.multipliers();
        let candidates = Candidates::of(system, false);
        let (k, c) = (candidates.len(), candidates.rows());
        anew(&mut self.before, c, 0.0);
        candidates.carry(&self.candidates, &self.x[offset..], &mut self.before);
        self.x.truncate(offset);
        self.x.extend_from_slice(&self.before);
        anew(&mut self.active, k, false);
        anew(&mut self.rows, c, 0.0);
        anew(&mut self.rebound, c, 0.0);
        anew(&mut self.gradient, candidates.patterns.rows.entries(), 0.0);
        self.smooth.renew(&candidates);
        self.contact_state.renew(&candidates.laws, self.core.sizes.multipliers());
        self.candidates = candidates;
    }
}

impl Scheme for MoreauJeanScheme {
    core_accessors!();

    fn equation(&self, i: usize) -> Equation {
        let (n, m) = (self.core.sizes.motion, self.core.sizes.multipliers());
        match i {
            i if i < n => Equation::Motion(i),
            i if i < n + m => Equation::Constraint(Level::Velocity, i - n),
            i => Equation::Contact(i - n - m),
        }
    }

    fn contacts_changed(&mut self, system: &mut dyn System, _state: &State) {
        self.renew(system);
    }

    fn begin(&mut self, system: &mut dyn System, state: &State, h: f64) -> Result<(), FactorError> {
        self.core.begin(state, h);
        let forces = Terms { inertia: false, forces: true, reactions: false };
        system.dynamics(&state.point(), forces, &mut self.old_forces);
        self.begin_contacts(system, state, h);
        Ok(())
    }

    fn guess(&mut self, _guess: &Guess, u: &mut [f64]) {
        u.copy_from_slice(&self.x[..u.len()]);
    }

    fn residual(&mut self, system: &mut dyn System, u: &[f64], out: &mut [f64]) {
        self.x[..u.len()].copy_from_slice(u);
        self.evaluate(system);
        out.copy_from_slice(&self.residual);
    }

    fn assemble(&mut self, system: &mut dyn System, u: &[f64]) {
        self.x[..u.len()].copy_from_slice(u);
        self.evaluate(system);
        let Core { trial, buffers, matrix, alpha, .. } = &mut self.core;
        self.smooth.assemble(system, (trial, buffers), (alpha.c.h, self.theta), matrix);
    }

    fn correction_size(&self, correction: &[f64], weights: &[f64]) -> f64 {
        crate::vector::rms_weighted([correction], |[d]| d, weights)
    }

    fn solve_itself(
        &mut self,
        system: &mut dyn System,
        weights: &[f64],
        statistics: &mut Statistics,
    ) -> Option<Result<usize, Trouble>> {
        self.weights.copy_from_slice(weights);
        Some(self.solve_step(system, statistics))
    }

    fn diagnose(&self, system: &mut dyn System, h: f64) -> Option<Diagnosis> {
        let t = self.core.base.t;
        let acting = (0..self.active.len()).filter(|&i| self.active[i]);
        let name = |i: usize| format!("contact `{}` may act", system.name(Component::Contact(i)));
        let mut evidence = vec![format!("the worst residual is {:.2e} times its bound", self.last)];
        evidence.extend(acting.clone().take(5).map(name));
        Some(Diagnosis {
            failure: Failure::NotConverged,
            t,
            message: format!(
                "after t = {t} the impulses of {} contacts could not be found, down to a step of \
                 {h:.3e}",
                acting.count()
            ),
            evidence,
            remedies: vec![
                "take a smaller `step`, or loosen `newton.tolerance`".into(),
                "lower the friction of the named contacts".into(),
            ],
        })
    }

    fn complete_row(&self, _row: &mut State) -> RowForm {
        RowForm::Averaged
    }

    fn conclude(
        &mut self,
        system: &mut dyn System,
        _u: &[f64],
        next: &mut State,
    ) -> Result<(), FactorError> {
        self.set_trial(system);
        self.record_contacts(system);
        std::mem::swap(next, &mut self.core.trial);
        self.core.alpha.a_new.copy_from_slice(&next.vdot);
        Ok(())
    }

    fn local_error(&self, _next: &State, _weights: &[f64]) -> LocalError {
        LocalError::default()
    }

    fn order(&self) -> usize {
        1
    }

    fn contact_state(&self) -> Option<&ContactState> {
        Some(&self.contact_state)
    }
}
