//! Moreau and Jean's θ method: impacts and friction at velocity level. [Brüls et al. 2018, sheet §2.2.3]
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
//! If asked, overlaps that are deeper than what bodies fall in a step are taken back at its end (`projection`).
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
//! Newton's restitution and friction together may make energy, too: then less is given back in that step (`energetic`).
//!
//! Unknowns are the accelerations `w = (v − vₙ)/h` and the forces `p = P/h`. Few contacts are solved by
//! Newton's method on their augmented multipliers, many by Gauss–Seidel sweeps over the contacts: those
//! of bodies that nothing else connects body by body (`apart`), others with stored responses. Where either
//! is slow, as in tall stacks and tight chains, all contacts are solved at once (`together`).

mod apart;
mod energetic;
mod gauss_seidel;
mod matrix;
mod projection;
mod step;
mod together;

use super::Core;
use super::nonsmooth::candidates::Candidates;
use super::nonsmooth::law::Status;
use super::nonsmooth::{Blocks, Equations, Response};
use crate::contact::contact_rows;
use crate::contact_record::ContactState;
use crate::diagnosis::{Diagnosis, Failure, Sentence};
use crate::explain::explain_undefined;
use crate::newton::Trouble;
use crate::settings::Settings;
use crate::state::State;
use crate::statistics::Statistics;
use crate::step::{Effort, Failed, Impacts, LocalError, RowForm, Step, Way};
use crate::stop::Stop;
use crate::system::{Component, System, Terms};
use crate::vector::anew;
use apart::Apart;
use gauss_seidel::GaussSeidel;
use rotula_linear::BlockMatrix;
use serde::{Deserialize, Serialize};
use step::MOST_NEWTON_ROWS;

/// See the [module](self).
#[derive(Serialize, Deserialize)]
pub(crate) struct MoreauJeanScheme {
    core: Core,
    theta: f64,
    /// Part of the step within which a gap must close for its contact to act.
    activation: f64,
    /// Overlaps are taken back at the end of each step.
    projects: bool,
    /// All contacts at once solved the last step, where other ways did not.
    prefers_together: bool,
    tolerance: f64,
    candidates: Candidates,
    /// The smooth motion with bilateral constraints: the core's matrix, the same for every list of
    /// contacts.
    blocks: Blocks,
    /// Together with the contacts, made when first needed.
    whole: Option<(Blocks, BlockMatrix)>,
    /// For bodies that nothing but contacts connects.
    apart: Option<Box<Apart>>,
    /// For all others, and where contacts are few.
    sweeps: Option<GaussSeidel>,
    /// Where the diagonal of the dynamics is.
    diagonal: Vec<Option<usize>>,
    /// Accelerations, then forces of bilateral constraints and contacts.
    x: Vec<f64>,
    residual: Vec<f64>,
    /// `−f` at the start of the step.
    old_forces: Vec<f64>,
    forces: Vec<f64>,
    /// Contacts that may act in this step.
    active: Vec<bool>,
    status: Vec<Status>,
    equations: Vec<Equations>,
    /// Contacts whose rows have derivatives that count.
    wanted: Vec<bool>,
    /// Contact rows as accelerations, and `e G vₙ`.
    rows: Vec<f64>,
    rebound: Vec<f64>,
    gradient: Vec<f64>,
    curvature: Vec<f64>,
    own: Vec<f64>,
    masses: Vec<f64>,
    inverse_mass: Vec<f64>,
    weights: Vec<f64>,
    half: State,
    contact_state: ContactState,
    /// Worst residual of the last attempt, over its bound.
    last: f64,
}

impl MoreauJeanScheme {
    pub fn new(
        system: &dyn System,
        settings: &Settings,
        (theta, activation, projects): (f64, f64, bool),
    ) -> Self {
        let (sizes, patterns) = (system.sizes(), system.patterns());
        let none = Candidates::none(sizes.motion);
        let (blocks, matrix) = Blocks::build(&[2], sizes, &patterns, &none);
        let (n, m) = (sizes.motion, sizes.multipliers());
        let zeros = |n: usize| vec![0.0; n];
        let mut scheme = MoreauJeanScheme {
            core: Core::new(sizes, &patterns, matrix),
            theta,
            activation,
            projects,
            prefers_together: false,
            tolerance: settings.newton.tolerance,
            blocks,
            whole: None,
            apart: Apart::find(&patterns.dynamics, m).map(Box::new),
            sweeps: None,
            diagonal: (0..n).map(|i| patterns.dynamics.position(i, i)).collect(),
            x: zeros(n + m),
            residual: Vec::new(),
            old_forces: zeros(n),
            forces: zeros(n),
            active: Vec::new(),
            status: Vec::new(),
            equations: Vec::new(),
            wanted: Vec::new(),
            rows: Vec::new(),
            rebound: Vec::new(),
            gradient: Vec::new(),
            curvature: Vec::new(),
            own: Vec::new(),
            masses: Vec::new(),
            inverse_mass: zeros(n),
            weights: vec![1.0; n],
            half: State::zeros(sizes),
            contact_state: ContactState::default(),
            last: 0.0,
            candidates: none,
        };
        scheme.renew(system);
        scheme
    }

    /// Makes everything that depends on the list of contacts anew; forces go with their keys.
    fn renew(&mut self, system: &dyn System) {
        let (n, m) = (self.core.sizes.motion, self.core.sizes.multipliers());
        self.whole = None;
        self.sweeps = None;
        let many = contact_rows(system.contacts()) > MOST_NEWTON_ROWS;
        let candidates = match &mut self.apart {
            Some(apart) if many => {
                let candidates = Candidates::light(system);
                apart.renew(&candidates);
                candidates
            }
            _ => {
                let (candidates, patterns) = (Candidates::of(system), system.patterns());
                let response =
                    Response::new(&candidates, &patterns.dynamics, &patterns.constraints);
                self.sweeps = Some(GaussSeidel::new(&candidates, response));
                candidates
            }
        };
        let (k, c) = (candidates.len(), candidates.rows());
        // the residual lends its memory to carry the forces over
        anew(&mut self.residual, c, 0.0);
        candidates.carry(&self.candidates, &self.x[n + m..], &mut self.residual);
        self.x.truncate(n + m);
        self.x.extend_from_slice(&self.residual);
        anew(&mut self.residual, n + m + c, 0.0);
        anew(&mut self.active, k, false);
        anew(&mut self.status, k, Status::Open);
        anew(&mut self.equations, k, Equations::default());
        anew(&mut self.wanted, k, false);
        anew(&mut self.rows, c, 0.0);
        anew(&mut self.rebound, c, 0.0);
        anew(&mut self.gradient, candidates.patterns.rows.entries(), 0.0);
        anew(&mut self.curvature, candidates.patterns.curvature.entries(), 0.0);
        anew(&mut self.own, candidates.own.entries(), 0.0);
        anew(&mut self.masses, c, 1.0);
        self.contact_state.renew(&candidates.laws, m);
        self.candidates = candidates;
    }

    /// Adds what a matrix of all contacts needs to a light list.
    fn complete(&mut self, system: &dyn System) {
        if self.candidates.own.entries() > 0 {
            return;
        }
        self.candidates = Candidates::of(system);
        anew(&mut self.curvature, self.candidates.patterns.curvature.entries(), 0.0);
        anew(&mut self.own, self.candidates.own.entries(), 0.0);
    }
}

impl Step for MoreauJeanScheme {
    saved_whole!();

    fn start(&mut self, _system: &mut dyn System, state: &mut State) -> Result<(), Diagnosis> {
        self.core.see_states(&state.x);
        Ok(())
    }

    fn attempt(
        &mut self,
        system: &mut dyn System,
        Way { from, h, weights }: Way,
        next: &mut State,
        statistics: &mut Statistics,
    ) -> Result<Effort, Trouble> {
        self.core.begin(from, h);
        let forces = Terms { inertia: false, forces: true, reactions: false };
        system.dynamics(&from.point(), forces, &mut self.old_forces);
        self.begin_contacts(system, from, h);
        self.weights.copy_from_slice(weights);
        let iterations = self.solve_without_gain(system, statistics)?;
        self.set_trial(system);
        if self.projects {
            self.contact_state.late_work =
                self.take_overlaps_back(system).map_err(Trouble::Matrix)?;
        }
        self.record_contacts(system);
        std::mem::swap(next, &mut self.core.trial);
        next.a.copy_from_slice(&next.vdot);
        Ok(Effort { iterations, matrices: 0 })
    }

    fn local_error(&self, _next: &State, _weights: &[f64]) -> LocalError {
        LocalError::default()
    }

    fn order(&self) -> usize {
        1
    }

    fn commit(&mut self, _accepted: &State) {}

    fn explain(&mut self, system: &mut dyn System, failed: Failed) -> Diagnosis {
        match failed.trouble.is_undefined() {
            true => explain_undefined(system, &self.core.trial, &failed),
            false => self.explain_failure(system, failed.h),
        }
    }

    fn matrix(&self) -> &BlockMatrix {
        &self.core.matrix
    }

    fn stop(&mut self) -> &mut Stop {
        &mut self.core.stop
    }

    fn factors(&self) -> (f64, f64) {
        let h = self.core.h;
        (self.theta * h, self.theta * h * h)
    }

    fn complete_row(&self, _row: &mut State) -> RowForm {
        RowForm::Averaged
    }

    fn impacts(&self) -> Option<&dyn Impacts> {
        Some(self)
    }

    fn impacts_mut(&mut self) -> Option<&mut dyn Impacts> {
        Some(self)
    }
}

impl Impacts for MoreauJeanScheme {
    fn contact_state(&self) -> &ContactState {
        &self.contact_state
    }

    fn contacts_changed(&mut self, system: &mut dyn System, _state: &State) {
        self.renew(system);
    }
}

impl MoreauJeanScheme {
    fn explain_failure(&self, system: &mut dyn System, h: f64) -> Diagnosis {
        let t = self.core.base.t;
        let acting = (0..self.active.len()).filter(|&i| self.active[i]);
        let may_act = |i: usize| {
            let contact = system.subject(Component::Contact(i));
            Sentence::about(format!("contact `{contact}` may act"), [contact])
        };
        let worst = format!("the worst residual is {:.2e} times its bound", self.last);
        let evidence = std::iter::once(worst.into()).chain(acting.clone().take(5).map(may_act));
        Diagnosis::new(
            Failure::NotConverged,
            t,
            format!(
                "after t = {t} the impulses of {} contacts could not be found, down to a step of \
                 {h:.3e}",
                acting.count()
            ),
        )
        .because(evidence)
        .remedied_by(vec![
            "take a smaller `step`, or loosen `newton.tolerance`".into(),
            "lower the friction of the named contacts".into(),
        ])
    }
}
