//! The iteration that solves one step: recycled factorisations, a contraction test, and no
//! acceptance without convergence. [Negrut et al. 2005, sheet §3.2]
//!
//! Converged are accelerations, as a root mean square, rates of states, and forces, row by row: no equation of motion
//! may be out of balance, and no reaction uncertain, by more than a part of the loads on its body. Reactions
//! need a test of their own. A matrix that is older than the directions of the reactions may leave them wrong where no
//! acceleration feels it (a body that turns about a joint), and with positions prescribed a wrong acceleration is
//! balanced by a wrong reaction.

use crate::contraction::{Belief, Bounds, Progress};
use crate::force_measure::ForceMeasure;
use crate::formulation::{Core, Scheme};
use crate::rounding::only_rounding_is_left;
use crate::settings::{MatrixPolicy, NewtonSettings};
use crate::statistics::Statistics;
use crate::system::System;
use crate::upkeep::Upkeep;
use crate::vector::{all_finite, rms_weighted};
use rotula_linear::{FactorError, Options};
use serde::{Deserialize, Serialize};

/// A slower contraction is worth a new matrix: measured on chains of 1 to 200 bodies, where 0.1 costs
/// up to a tenth less than 0.25 and 0.05.
const SLOW_RATE: f64 = 0.1;

/// The same where only forces were still to converge: they need more iterations anyway, and a new matrix for
/// every few of them costs more than it saves.
const SLOW_FORCES: f64 = 0.3;

/// Options of the matrices of an iteration. What the regularisation `δ` of the sparse solver spoils, a
/// part `δ/(σ² + δ)` of each correction, the next iteration repairs: refinement would cost more than the
/// solution itself. It should be small against the squares `σ²` of the singular values of constraint matrices also near
/// singular positions (1e-8 a milliradian beside that of 40 four-bars in a row), and large against rounding, which
/// it amplifies to `ε/δ` of a correction where constraints are dependent.
pub(crate) const ITERATION: Options =
    Options { kind: rotula_linear::Kind::Auto, regularisation: 1e-10, refine: false };

/// How accurate the accelerations of a step must be, as root mean squares relative to the weights.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Accuracy {
    /// Bound from the local-error tolerance, or infinity.
    pub bound: f64,
    /// Relative to the change of acceleration within the step.
    pub relative_to_change: f64,
    /// Relative to the acceleration itself.
    pub relative_to_size: f64,
    /// Good enough in any case: leads to a negligible displacement.
    pub negligible: f64,
    /// What rounding of positions does to accelerations.
    pub floor: f64,
    /// Positions are prescribed, so that smaller corrections carry no information.
    pub prescribed: bool,
    /// Errors below this are borne when even a new matrix does not lead further.
    pub noise: f64,
    /// Bound of the corrections of first-order rates.
    pub rates: f64,
    /// Rounding level of the rates.
    pub rate_floor: f64,
    /// Bound of the imbalance of forces and of the corrections of reactions, relative to the loads.
    pub forces: f64,
    /// A first correction may be judged by the contraction of earlier steps.
    pub remembers: bool,
}

/// Why an attempt was given up.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Trouble {
    NotConverged,
    NotFinite { equation: usize },
    Matrix(FactorError),
}

impl Trouble {
    /// Something is not a number, or no finite one.
    pub fn is_undefined(&self) -> bool {
        matches!(self, Trouble::NotFinite { .. } | Trouble::Matrix(FactorError::NotFinite { .. }))
    }
}

/// Workspace of the iteration.
#[derive(Serialize, Deserialize)]
pub(crate) struct Newton {
    settings: NewtonSettings,
    pub unknowns: Vec<f64>,
    /// The guess the last attempt started from.
    pub start: Vec<f64>,
    /// The residual, then the correction it led to.
    pub residual: Vec<f64>,
    /// Step size for which the matrix was made.
    matrix_h: Option<f64>,
    /// The last convergence was slow.
    worn: bool,
    /// What the steps since it was made have cost.
    upkeep: Upkeep,
    /// The contraction that the first iteration of the next step may rely on; none after a new
    /// matrix.
    believed: Option<Belief>,
    forces: ForceMeasure,
    /// Sizes of the corrections of the last attempt.
    pub history: Vec<f64>,
    /// Matrices made in the last attempt.
    pub matrices: usize,
}

impl Newton {
    pub fn new(settings: NewtonSettings, system: &dyn System, scheme: &dyn Scheme) -> Self {
        let unknowns = scheme.unknowns();
        let capacity = settings.max_iterations * (settings.max_matrices + 2);
        Newton {
            settings,
            unknowns: vec![0.0; unknowns],
            start: vec![0.0; unknowns],
            residual: vec![0.0; unknowns],
            matrix_h: None,
            worn: false,
            upkeep: Upkeep::default(),
            believed: None,
            forces: ForceMeasure::new(system, scheme.core()),
            history: Vec::with_capacity(capacity),
            matrices: 0,
        }
    }

    /// The next attempt starts with a new matrix.
    pub fn drop_matrix(&mut self) {
        self.matrix_h = None;
    }

    /// Forgets the contraction of attempts at one and the same step: at the point where it was made a matrix contracts far
    /// better than later.
    pub fn drop_belief(&mut self) {
        self.believed = None;
    }

    /// Solves from the guess in `unknowns`. Returns the number of iterations.
    pub fn solve(
        &mut self,
        scheme: &mut dyn Scheme,
        system: &mut dyn System,
        (h, old_vdot, weights): (f64, &[f64], &[f64]),
        accuracy: Accuracy,
        statistics: &mut Statistics,
    ) -> Result<usize, Trouble> {
        self.history.clear();
        self.matrices = 0;
        self.start.copy_from_slice(&self.unknowns);
        let mut iterations = 0;
        if self.needs_matrix(h) {
            self.make_matrix(scheme, system, (h, accuracy), statistics)?;
        }
        loop {
            let converged = self.round(
                scheme,
                system,
                (old_vdot, weights),
                accuracy,
                &mut iterations,
                statistics,
            );
            match converged {
                Ok(true) => {
                    if self.matrices == 0 {
                        self.upkeep.add(iterations);
                    }
                    return Ok(iterations);
                }
                Ok(false) => {}
                // A stale matrix may have thrown the iterate out of the domain.
                Err(Trouble::NotFinite { .. }) if self.matrices == 0 => {}
                Err(trouble) => {
                    self.matrix_h = None;
                    return Err(trouble);
                }
            }
            let full = self.settings.matrix == MatrixPolicy::EachIteration;
            if full || self.matrices >= self.settings.max_matrices {
                self.matrix_h = None;
                return Err(Trouble::NotConverged);
            }
            if self.matrices == 0 {
                self.unknowns.copy_from_slice(&self.start);
            }
            self.make_matrix(scheme, system, (h, accuracy), statistics)?;
        }
    }

    fn needs_matrix(&self, h: f64) -> bool {
        match (self.settings.matrix, self.matrix_h) {
            (MatrixPolicy::Reuse, Some(made_for)) => {
                (h / made_for - 1.0).abs() > 0.25 || self.worn || self.upkeep.is_dear()
            }
            _ => true,
        }
    }

    fn make_matrix(
        &mut self,
        scheme: &mut dyn Scheme,
        system: &mut dyn System,
        (h, accuracy): (f64, Accuracy),
        statistics: &mut Statistics,
    ) -> Result<(), Trouble> {
        self.matrix_h = None;
        scheme.factorise(system, &self.unknowns).map_err(Trouble::Matrix)?;
        // A first guess may be far off; what the step started from is not.
        let core = scheme.core();
        let at = if self.matrices == 0 { &core.base } else { &core.trial };
        self.forces.renew(system, (core, scheme.balance()), &at.point(), accuracy);
        self.matrix_h = Some(h);
        self.worn = false;
        self.upkeep = Upkeep::default();
        self.believed = None;
        self.matrices += 1;
        statistics.factorisations += 1;
        Ok(())
    }

    /// Iterates with one matrix (or a new one each time, if so set).
    fn round(
        &mut self,
        scheme: &mut dyn Scheme,
        system: &mut dyn System,
        (old_vdot, weights): (&[f64], &[f64]),
        accuracy: Accuracy,
        iterations: &mut usize,
        statistics: &mut Statistics,
    ) -> Result<bool, Trouble> {
        let full = self.settings.matrix == MatrixPolicy::EachIteration;
        let most = self.settings.max_iterations;
        let (mut before, mut rates_before, mut forces_before) = (f64::NAN, f64::NAN, f64::NAN);
        let mut target = 0.0;
        let mut waited = false;
        let factor = scheme.position_factor();
        let balance = scheme.balance();
        self.believed.take_if(|belief| (factor / belief.factor - 1.0).abs() > 1e-6);
        let believed = self.believed.filter(|_| accuracy.remembers);
        for k in 1..=most {
            if scheme.core().stop.asked() {
                return Err(Trouble::NotConverged);
            }
            if full && k > 1 {
                scheme.factorise(system, &self.unknowns).map_err(Trouble::Matrix)?;
                self.forces.take_reactions(scheme.core());
                self.matrices += 1;
                statistics.factorisations += 1;
            }
            scheme.residual(system, &self.unknowns, &mut self.residual);
            statistics.residuals += 1;
            statistics.iterations += 1;
            *iterations += 1;
            if !all_finite(&self.residual) {
                let found = self.residual.iter().position(|r| !r.is_finite());
                return Err(Trouble::NotFinite { equation: found.unwrap_or(0) });
            }
            let imbalance = self.forces.imbalance(&self.residual[balance..]);
            scheme.solve(&mut self.residual);
            for (u, d) in self.unknowns.iter_mut().zip(&self.residual) {
                *u -= d;
            }
            let size = scheme.correction_size(&self.residual, weights);
            self.history.push(size);
            if !size.is_finite() || !all_finite(&self.residual) {
                return Ok(false);
            }
            // The first corrected accelerations are near enough to say how exact they must be.
            if k == 1 {
                let accelerations = scheme.accelerations(&self.unknowns);
                target = self.target(accelerations, old_vdot, weights, accuracy);
                if self.forces.outdated(scheme.core(), &self.unknowns[balance..]) {
                    let core = scheme.core();
                    let at = core.trial.point();
                    self.forces.renew(system, (core, balance), &at, accuracy);
                }
            }
            let reactions = self.forces.reactions(scheme.core(), &self.residual[balance..]);
            let forces = imbalance.max(reactions);
            let rates = rate_correction(&self.residual, scheme.core());
            let motion = Progress::new(
                k,
                (size, before),
                Bounds {
                    target,
                    rounding: if accuracy.prescribed { accuracy.floor } else { 0.0 },
                    stagnation: 10.0 * accuracy.floor,
                },
                believed.map(|belief| belief.motion),
            );
            let states = Progress::new(
                k,
                (rates, rates_before),
                Bounds {
                    target: accuracy.rates,
                    rounding: accuracy.rate_floor,
                    stagnation: 10.0 * accuracy.rate_floor,
                },
                believed.map(|belief| belief.motion),
            );
            let held = Progress::mixed(
                k,
                (forces, forces_before),
                accuracy.forces,
                believed.map(|belief| belief.forces),
            );
            let moved = motion.converged && states.converged;
            let held_still = held.converged || !scheme.forces_count();
            if moved && held_still {
                if k == 1 {
                    self.believed = self.believed.map(Belief::older);
                } else if size > accuracy.floor {
                    self.worn = match waited {
                        true => held.rate > SLOW_FORCES,
                        false => motion.rate > SLOW_RATE,
                    };
                    // A matrix as good as new says nothing about later steps.
                    self.believed = (self.matrices == 0)
                        .then(|| Belief::measured(motion.rate.max(states.rate), held.rate, factor));
                }
                return Ok(true);
            }
            waited |= moved;
            let hopeless = motion.hopeless(most)
                || states.hopeless(most)
                || (!held_still && held.hopeless(most));
            let last = k == most || (!full && k > 1 && hopeless);
            if last {
                // Near singular positions rounding keeps even a new matrix from doing better.
                let stuck = self.matrices > 0 && states.converged;
                let around = (&self.forces, weights);
                return Ok(stuck
                    && (motion.within(accuracy.noise)
                        || only_rounding_is_left(
                            (scheme, system),
                            &self.unknowns,
                            around,
                            accuracy,
                        )));
            }
            (before, rates_before, forces_before) = (size, rates, forces);
        }
        Ok(false)
    }

    fn target(&self, vdot: &[f64], old: &[f64], weights: &[f64], accuracy: Accuracy) -> f64 {
        let mut target = 0.0f64;
        if accuracy.relative_to_change > 0.0 {
            let change = rms_weighted([vdot, old], |[a, b]| a - b, weights);
            target = target.max(accuracy.relative_to_change * change);
        }
        let size = rms_weighted([vdot], |[a]| a, weights);
        let relative = target.max(accuracy.relative_to_size * size);
        relative.max(accuracy.negligible).min(accuracy.bound)
    }
}

/// Root mean square correction of the rates of first-order states, which follow the last multiplier.
fn rate_correction(correction: &[f64], core: &Core) -> f64 {
    if core.sizes.states == 0 {
        return 0.0;
    }
    let offset = correction.len() - core.sizes.auxiliary();
    rms_weighted([&correction[offset..]], |[d]| d, &core.state_weights)
}
