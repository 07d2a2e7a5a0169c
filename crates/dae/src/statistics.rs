//! What a run cost and how well it kept its promises.

use serde::{Deserialize, Serialize};

/// Counters of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Statistics {
    /// Accepted steps.
    pub steps: usize,
    /// Steps rejected because the local error was too large.
    pub rejected_by_error: usize,
    /// Attempts given up because the iteration did not converge.
    pub rejected_by_iteration: usize,
    /// Steps with contacts that Newton's method solved only from impulses found by sweeps.
    pub rescued_by_sweeps: usize,
    /// Those of them in which no reactions in the smooth motion fitted: contacts acted by impulses alone.
    #[serde(default)]
    pub impulsive: usize,
    /// Steps that were shortened for what met or bounced fast in them.
    #[serde(default)]
    pub shortened: usize,
    /// Newton iterations, in all attempts.
    pub iterations: usize,
    /// Most Newton iterations in one accepted step.
    pub most_iterations: usize,
    /// Residual evaluations.
    pub residuals: usize,
    /// Assembled and factorised matrices.
    pub factorisations: usize,
    /// Smallest accepted step.
    pub smallest_step: f64,
    /// Largest accepted step.
    pub largest_step: f64,
    /// Unknowns of the iteration.
    pub unknowns: usize,
    /// Entries of the factorised matrix.
    pub factor_entries: usize,
}

impl Statistics {
    /// Adds the counters of a run that continues this one.
    pub fn add(&mut self, next: &Statistics) {
        self.smallest_step = match (self.steps, next.steps) {
            (0, _) => next.smallest_step,
            (_, 0) => self.smallest_step,
            _ => self.smallest_step.min(next.smallest_step),
        };
        self.largest_step = self.largest_step.max(next.largest_step);
        self.steps += next.steps;
        self.rejected_by_error += next.rejected_by_error;
        self.rejected_by_iteration += next.rejected_by_iteration;
        self.rescued_by_sweeps += next.rescued_by_sweeps;
        self.impulsive += next.impulsive;
        self.shortened += next.shortened;
        self.iterations += next.iterations;
        self.most_iterations = self.most_iterations.max(next.most_iterations);
        self.residuals += next.residuals;
        self.factorisations += next.factorisations;
        self.unknowns = self.unknowns.max(next.unknowns);
        self.factor_entries = self.factor_entries.max(next.factor_entries);
    }
}

/// One accepted step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepRecord {
    /// Time at its end.
    pub t: f64,
    /// Its size.
    pub h: f64,
    /// Newton iterations of the accepted attempt.
    pub iterations: usize,
    /// Matrices factorised in it.
    pub factorisations: usize,
    /// Attempts rejected before it.
    pub rejected: usize,
    /// Local error divided by the tolerance; the plain estimate in fixed-step runs.
    pub error: f64,
    /// Order of the method in this step (differs from 2 only for `bdf` and `explicit`).
    pub order: usize,
}

/// Largest violations and energy balance of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Audit {
    /// Largest `|g|`.
    pub position_residual: f64,
    /// Largest `|ġ|` and `|k|`.
    pub velocity_residual: f64,
    /// Largest `|g̈|` and `|k̇|`.
    pub acceleration_residual: f64,
    /// Energy at the start, if known.
    pub initial_energy: Option<f64>,
    /// Energy at the end, if known.
    pub final_energy: Option<f64>,
    /// Work done by loads, dampers and drives, if known.
    pub work: Option<f64>,
    /// Largest `|E(t) − E(0) − work|`, if known, with the work of contacts.
    pub energy_defect: Option<f64>,
    /// When it was reached.
    pub energy_defect_at: Option<f64>,
    /// The part of the defect that came from a motion too fast for the steps, which appeared from nowhere and
    /// died out again at once; nothing if there was none.
    pub energy_burst: Option<f64>,
    /// When that was.
    pub energy_burst_at: Option<f64>,
    /// Energy that came and went: the largest of kinetic energy, change of potential energy and all work
    /// done in either direction.
    pub energy_exchanged: Option<f64>,
    /// A defect below this is what rounding leaves.
    pub energy_floor: Option<f64>,
    /// Work of contact forces, if there are contacts: what impacts and friction take is negative.
    pub contact_work: Option<f64>,
    /// Impacts: contacts that closed.
    pub impacts: usize,
    /// Those that were located: steps passed through the others.
    #[serde(default)]
    pub impacts_located: usize,
    /// Located impacts that several contacts shared and whose outcome depends on the law of impact, and the first of them.
    #[serde(default)]
    pub impacts_undetermined: usize,
    /// When the first of them was.
    #[serde(default)]
    pub undetermined_at: Option<f64>,
    /// The step in which a contact grazed first: whether it hits, the error of the motion decides.
    #[serde(default)]
    pub grazed_at: Option<f64>,
    /// Located impacts in which restitution and friction would have made energy: Poisson's law has taken the place of theirs.
    #[serde(default)]
    pub impacts_energetic: usize,
    /// Energy that contacts took in the steps with impacts.
    pub impact_loss: Option<f64>,
    /// Energy that they would have taken there if each impact had taken `½(1 − e²)` times effective mass times
    /// squared approach velocity.
    pub impact_expected: Option<f64>,
    /// Deepest penetration of rigid contacts.
    pub penetration: Option<f64>,
    /// When it was reached.
    pub penetration_at: Option<f64>,
}

impl Audit {
    /// Takes in residuals at the three levels.
    pub(crate) fn see(&mut self, residuals: [f64; 3]) {
        self.position_residual = self.position_residual.max(residuals[0]);
        self.velocity_residual = self.velocity_residual.max(residuals[1]);
        self.acceleration_residual = self.acceleration_residual.max(residuals[2]);
    }

    /// The energy defect as a part of all energy that came and went; zero if it is rounding, nothing if
    /// energies are not known.
    pub fn energy_part(&self) -> Option<f64> {
        let (defect, exchanged) = (self.energy_defect?, self.energy_exchanged?);
        if defect <= self.energy_floor.unwrap_or(0.0) {
            return Some(0.0);
        }
        // A defect feeds the energy that it is measured against: leave it out.
        Some(defect / (exchanged - defect).max(0.0))
    }

    /// Continues with the audit of what came after.
    pub(crate) fn append(&mut self, later: &Audit) {
        self.see([later.position_residual, later.velocity_residual, later.acceleration_residual]);
        let sum = |a: Option<f64>, b: Option<f64>| a.zip(b).map(|(a, b)| a + b);
        if later.energy_defect > self.energy_defect {
            self.energy_defect_at = later.energy_defect_at;
        }
        self.work = sum(self.work, later.work);
        self.energy_defect = sum(self.energy_defect, later.energy_defect);
        self.energy_exchanged = sum(self.energy_exchanged, later.energy_exchanged);
        if later.energy_burst > self.energy_burst {
            (self.energy_burst, self.energy_burst_at) = (later.energy_burst, later.energy_burst_at);
        }
        if later.energy_floor > self.energy_floor {
            self.energy_floor = later.energy_floor;
        }
        self.final_energy = later.final_energy;
        self.impacts += later.impacts;
        self.impacts_located += later.impacts_located;
        self.impacts_undetermined += later.impacts_undetermined;
        self.undetermined_at = self.undetermined_at.or(later.undetermined_at);
        self.grazed_at = self.grazed_at.or(later.grazed_at);
        self.impacts_energetic += later.impacts_energetic;
        let either = |a: Option<f64>, b: Option<f64>| sum(a, b).or(a).or(b);
        self.impact_loss = either(self.impact_loss, later.impact_loss);
        self.impact_expected = either(self.impact_expected, later.impact_expected);
        self.contact_work = either(self.contact_work, later.contact_work);
        if later.penetration > self.penetration {
            (self.penetration, self.penetration_at) = (later.penetration, later.penetration_at);
        }
    }
}

impl Statistics {
    /// Adds the counters of what came after.
    pub(crate) fn append(&mut self, later: &Statistics) {
        self.steps += later.steps;
        self.rejected_by_error += later.rejected_by_error;
        self.rejected_by_iteration += later.rejected_by_iteration;
        self.rescued_by_sweeps += later.rescued_by_sweeps;
        self.impulsive += later.impulsive;
        self.shortened += later.shortened;
        self.iterations += later.iterations;
        self.most_iterations = self.most_iterations.max(later.most_iterations);
        self.residuals += later.residuals;
        self.factorisations += later.factorisations;
        self.smallest_step = self.smallest_step.min(later.smallest_step);
        self.largest_step = self.largest_step.max(later.largest_step);
        self.unknowns = self.unknowns.max(later.unknowns);
        self.factor_entries = self.factor_entries.max(later.factor_entries);
    }
}
