//! The three stages of a step: their unknowns, residuals and derivatives. [Brüls et al. 2018, eqs. 65]
//!
//! ```text
//! Δ = Δ̂ + c8 (w + U'),   v = v̂ + c7 (w + W')
//! 0  M w − f − Gᵀλ̃ = 0        g̈ = 0 in S,   λ̃ = 0 elsewhere
//! 1  M U' − Gᵀν' = 0          g = 0 in A,   ν*' = 0 elsewhere (printed: ν' = 0)
//! 2  M W' − GᵀΛ' = 0          ġ + e ġₙ = 0 in B,   Λ*' = 0 elsewhere (printed: Λ' = 0)
//! ν*' = ν' + λ̃ + history,   Λ*' = Λ' + λ̃ + history
//! ```

use super::candidates::{Candidates, Equations};
use super::law::{Sight, Status};
use crate::alpha::Alpha;
use crate::formulation::Core;
use crate::settings::{NonsmoothVariant, Strategy};
use crate::state::State;
use crate::system::{Level, Point, Sizes, System, Terms, Weights};
use crate::vector::scaled_sum;
use rotula_linear::Pattern;
use serde::{Deserialize, Serialize};

/// Level at which the rows of each stage are met.
pub(super) const LEVELS: [Level; 3] = [Level::Acceleration, Level::Position, Level::Velocity];

/// Unknowns, contact rows and equations of all stages.
#[derive(Serialize, Deserialize)]
pub(super) struct Stages {
    pub sizes: Sizes,
    pub strategy: Strategy,
    pub variant: NonsmoothVariant,
    pub candidates: Candidates,
    pub constraint_pattern: Pattern,
    /// Motion, bilateral multipliers, contact multipliers; in stage 0 auxiliary unknowns as well.
    pub x: [Vec<f64>; 3],
    /// Contact rows as accelerations.
    pub rows: [Vec<f64>; 3],
    /// Total multipliers of the contacts.
    pub total: [Vec<f64>; 3],
    /// What the past adds to the totals of stages 1 and 2 (bilateral, then contacts).
    pub history: [Vec<f64>; 2],
    /// `e ġ` at the start of the step.
    pub rebound: Vec<f64>,
    pub status: [Vec<Status>; 3],
    pub equations: Vec<Equations>,
    /// Contacts whose rows have derivatives that count.
    pub wanted: Vec<bool>,
    /// Factors of the augmented multipliers, and effective masses, by contact row.
    pub r: Vec<f64>,
    pub mass: Vec<f64>,
    pub smooth_v: Vec<f64>,
    pub gradient: Vec<f64>,
    pub curvature: Vec<f64>,
    pub own: Vec<f64>,
    pub idle: Vec<f64>,
    open: Vec<f64>,
}

impl Stages {
    pub fn new(
        sizes: Sizes,
        strategy: Strategy,
        variant: NonsmoothVariant,
        candidates: Candidates,
        constraint_pattern: Pattern,
    ) -> Self {
        let (m, c, k) = (sizes.multipliers(), candidates.rows(), candidates.len());
        let width = sizes.motion + m + c;
        let extra = [sizes.auxiliary(), 0, 0];
        Stages {
            x: extra.map(|a| vec![0.0; width + a]),
            rows: [(); 3].map(|()| vec![0.0; c]),
            total: [(); 3].map(|()| vec![0.0; c]),
            history: [(); 2].map(|()| vec![0.0; m + c]),
            rebound: vec![0.0; c],
            status: [(); 3].map(|()| vec![Status::Open; k]),
            equations: vec![Equations::default(); k],
            wanted: Vec::with_capacity(k),
            r: vec![1.0; c],
            mass: vec![1.0; c],
            smooth_v: vec![0.0; sizes.motion],
            gradient: vec![0.0; candidates.patterns.rows.entries()],
            curvature: vec![0.0; candidates.patterns.curvature.entries()],
            own: vec![0.0; candidates.own.entries()],
            idle: vec![0.0; m],
            open: vec![0.0; c],
            sizes,
            strategy,
            variant,
            candidates,
            constraint_pattern,
        }
    }

    /// Number of unknowns of a stage without auxiliary ones.
    pub fn width(&self) -> usize {
        self.sizes.motion + self.sizes.multipliers() + self.candidates.rows()
    }

    /// First contact multiplier of a stage.
    pub fn contact_offset(&self) -> usize {
        self.sizes.motion + self.sizes.multipliers()
    }

    /// Sets the point of evaluation from the unknowns.
    pub fn set_trial(&mut self, system: &dyn System, (core, alpha): (&mut Core, &Alpha)) {
        let (n, m) = (self.sizes.motion, self.sizes.multipliers());
        let (c7, c8) = (alpha.c.c7, alpha.c.c8);
        let [smooth, position, velocity] = &self.x;
        let Core { trial, base, .. } = core;
        trial.vdot.copy_from_slice(&smooth[..n]);
        trial.multipliers.copy_from_slice(&smooth[n..n + m]);
        for i in 0..n {
            trial.increment[i] = alpha.increment_hat[i] + c8 * (smooth[i] + position[i]);
        }
        alpha.set_velocity(&smooth[..n], &mut self.smooth_v);
        scaled_sum(&self.smooth_v, c7, &velocity[..n], &mut trial.v);
        system.retract(&base.q, &trial.increment, &mut trial.q);
        core.set_auxiliary(alpha, &smooth[n + m + self.candidates.rows()..]);
    }

    /// Evaluates rows and total multipliers of the contacts at one stage.
    pub fn look(&mut self, system: &mut dyn System, (core, alpha): (&Core, &Alpha), stage: usize) {
        if self.candidates.len() == 0 {
            return;
        }
        let at = stage_point(&core.trial, &self.x, self.sizes, stage);
        let rows = &mut self.rows[stage];
        system.contact(LEVELS[stage], &at, rows);
        let factor = row_factor(alpha, stage);
        for (row, rebound) in rows.iter_mut().zip(&self.rebound) {
            if stage == 2 {
                *row += rebound;
            }
            *row *= factor;
        }
        let (m, offset) = (self.sizes.multipliers(), self.contact_offset());
        for j in 0..self.candidates.rows() {
            let own = self.x[stage][offset + j];
            self.total[stage][j] = match stage {
                0 => own,
                _ => own + self.x[0][offset + j] + self.history[stage - 1][m + j],
            };
        }
    }

    /// The residual of a stage at the trial point. Fills the equations of the contacts.
    pub fn residual(
        &mut self,
        system: &mut dyn System,
        (core, alpha): (&Core, &Alpha),
        stage: usize,
        out: &mut [f64],
    ) {
        let (n, m, holonomic) = (self.sizes.motion, self.sizes.multipliers(), self.sizes.holonomic);
        let (offset, width) = (self.contact_offset(), self.width());
        let factor = row_factor(alpha, stage);
        let at = stage_point(&core.trial, &self.x, self.sizes, stage);
        let terms = if stage == 0 { Terms::ALL } else { Terms::WITHOUT_FORCES };
        system.dynamics(&at, terms, &mut out[..n]);
        if m > 0 {
            let rows = &mut out[n..offset];
            match (stage, self.strategy) {
                (0, Strategy::Free) => rows.copy_from_slice(&self.x[0][n..offset]),
                (0, Strategy::Pvv) => {
                    let at = Point { v: &self.smooth_v, ..at };
                    system.constraint(Level::Velocity, &at, rows);
                    rows.iter_mut().for_each(|r| *r /= alpha.c.c7);
                }
                (1, _) => {
                    system.constraint(Level::Position, &at, &mut rows[..holonomic]);
                    rows[..holonomic].iter_mut().for_each(|r| *r *= factor);
                    rows[holonomic..].copy_from_slice(&self.x[1][n + holonomic..offset]);
                }
                _ => {
                    system.constraint(LEVELS[stage], &at, rows);
                    rows.iter_mut().for_each(|r| *r *= factor);
                }
            }
        }
        if stage == 0 && out.len() > width {
            system.auxiliary(&at, &mut out[width..]);
        }
        if self.candidates.len() == 0 {
            return;
        }
        system.contact_gradient(&at, &mut self.gradient);
        self.candidates.patterns.rows.multiply_transposed_add(
            &self.gradient,
            -1.0,
            &self.x[stage][offset..width],
            &mut out[..n],
        );
        self.look(system, (core, alpha), stage);
        self.set_equations(stage);
        for (i, equations) in self.equations.iter().enumerate() {
            let (first, end) = (self.candidates.first[i], self.candidates.first[i + 1]);
            out[offset + first..offset + end].copy_from_slice(&equations.residual[..end - first]);
        }
    }

    /// Equations of all contacts at a stage, from their status.
    pub fn set_equations(&mut self, stage: usize) {
        let offset = self.contact_offset();
        let own = &self.x[stage][offset..offset + self.candidates.rows()];
        self.open.copy_from_slice(match self.variant {
            NonsmoothVariant::Star => &self.total[stage],
            NonsmoothVariant::Printed => own,
        });
        for i in 0..self.candidates.len() {
            let range = self.candidates.first[i]..self.candidates.first[i + 1];
            if stage == 1 {
                // No friction at position level.
                self.open[range.start + 1..range.end]
                    .copy_from_slice(&own[range.start + 1..range.end]);
            }
            let sight = self.sight(i, stage);
            let open = &self.open[range];
            self.equations[i] = match (stage, self.status[stage][i]) {
                (1, Status::Stick | Status::Slip(_)) => {
                    let mut e = sight.equations(Status::Open, open);
                    let normal = sight.equations(Status::Stick, open);
                    e.residual[0] = normal.residual[0];
                    (e.own[0], e.mix[0]) = (normal.own[0], normal.mix[0]);
                    e
                }
                (_, status) => sight.equations(status, open),
            };
        }
    }

    /// What the law of contact `i` sees at a stage.
    pub fn sight(&self, i: usize, stage: usize) -> Sight<'_> {
        let range = self.candidates.first[i]..self.candidates.first[i + 1];
        Sight {
            law: &self.candidates.laws[i],
            rows: &self.rows[stage][range.clone()],
            total: &self.total[stage][range.clone()],
            r: &self.r[range.clone()],
            mass: &self.mass[range],
            turns: stage == 2,
        }
    }

    /// Collects the residuals of all stages in the order of the whole matrix.
    pub fn gather(&self, residuals: &[Vec<f64>; 3], out: &mut [f64]) {
        let width = self.width();
        for (stage, residual) in residuals.iter().enumerate() {
            out[stage * width..(stage + 1) * width].copy_from_slice(&residual[..width]);
        }
        out[3 * width..].copy_from_slice(&residuals[0][width..]);
    }

    /// Subtracts a correction of all stages.
    pub fn apply(&mut self, correction: &[f64]) {
        let width = self.width();
        for (stage, x) in self.x.iter_mut().enumerate() {
            for (x, d) in x.iter_mut().zip(&correction[stage * width..(stage + 1) * width]) {
                *x -= d;
            }
        }
        for (x, d) in self.x[0][width..].iter_mut().zip(&correction[3 * width..]) {
            *x -= d;
        }
    }

    /// Removes rounding from the multipliers of open contacts.
    pub fn clean(&mut self, stage: usize) {
        let (m, offset) = (self.sizes.multipliers(), self.contact_offset());
        let star = self.variant == NonsmoothVariant::Star && stage > 0;
        for (i, status) in self.status[stage].iter().enumerate() {
            let range = self.candidates.first[i]..self.candidates.first[i + 1];
            for row in range.clone() {
                let tangential = stage == 1 && row > range.start;
                if tangential {
                    self.x[stage][offset + row] = 0.0;
                } else if !status.closed() {
                    self.x[stage][offset + row] = match star {
                        true => -(self.x[0][offset + row] + self.history[stage - 1][m + row]),
                        false => 0.0,
                    };
                }
            }
        }
    }
}

/// The point of evaluation, with correction and multipliers of a stage in the places of acceleration
/// and reaction.
pub(super) fn stage_point<'a>(
    trial: &'a State,
    x: &'a [Vec<f64>; 3],
    sizes: Sizes,
    stage: usize,
) -> Point<'a> {
    let (n, m) = (sizes.motion, sizes.multipliers());
    match stage {
        0 => trial.point(),
        _ => Point { vdot: &x[stage][..n], multipliers: &x[stage][n..n + m], ..trial.point() },
    }
}

/// Derivatives of the trial point with respect to the motion of each stage.
pub(super) fn stage_weights(c7: f64, c8: f64) -> [Weights; 3] {
    [
        Weights { mass: 1.0, damping: c7, stiffness: c8 },
        Weights { mass: 0.0, damping: 0.0, stiffness: c8 },
        Weights { mass: 0.0, damping: c7, stiffness: 0.0 },
    ]
}

/// What turns the rows of a stage into accelerations.
fn row_factor(alpha: &Alpha, stage: usize) -> f64 {
    [1.0, 1.0 / alpha.c.c8, 1.0 / alpha.c.c7][stage]
}
