//! The iteration that solves one step: recycled factorisations, a contraction test, and no
//! acceptance without convergence. [003 §3.2]

use crate::formulation::Scheme;
use crate::settings::{MatrixPolicy, NewtonSettings};
use crate::statistics::Statistics;
use crate::system::System;
use crate::vector::rms_weighted;
use rotula_linear::FactorError;

/// How accurate the accelerations of a step must be, as root mean squares relative to the weights.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Accuracy {
    /// Bound from the local-error tolerance, or infinity.
    pub bound: f64,
    /// Relative to the change of acceleration within the step.
    pub relative_to_change: f64,
    /// Relative to the acceleration itself.
    pub relative_to_size: f64,
    /// Rounding level: smaller corrections carry no information.
    pub floor: f64,
}

/// Why an attempt was given up.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Trouble {
    NotConverged,
    NotFinite { equation: usize },
    Matrix(FactorError),
}

/// Workspace of the iteration.
pub(crate) struct Newton {
    settings: NewtonSettings,
    pub unknowns: Vec<f64>,
    start: Vec<f64>,
    residual: Vec<f64>,
    /// Step size for which the matrix was made.
    matrix_h: Option<f64>,
    /// Contraction of the last convergence.
    rate: f64,
    /// Sizes of the corrections of the last attempt.
    pub history: Vec<f64>,
    /// Matrices made in the last attempt.
    pub matrices: usize,
}

impl Newton {
    pub fn new(settings: NewtonSettings, unknowns: usize) -> Self {
        let capacity = settings.max_iterations * (settings.max_matrices + 2);
        Newton {
            settings,
            unknowns: vec![0.0; unknowns],
            start: vec![0.0; unknowns],
            residual: vec![0.0; unknowns],
            matrix_h: None,
            rate: 0.0,
            history: Vec::with_capacity(capacity),
            matrices: 0,
        }
    }

    /// The next attempt starts with a new matrix.
    pub fn drop_matrix(&mut self) {
        self.matrix_h = None;
    }

    /// Solves from the guess in `unknowns`. Returns the number of iterations.
    pub fn solve<S: System + ?Sized>(
        &mut self,
        scheme: &mut dyn Scheme<S>,
        system: &mut S,
        (h, old_vdot, weights): (f64, &[f64], &[f64]),
        accuracy: Accuracy,
        statistics: &mut Statistics,
    ) -> Result<usize, Trouble> {
        self.history.clear();
        self.matrices = 0;
        self.start.copy_from_slice(&self.unknowns);
        let mut iterations = 0;
        if self.needs_matrix(h) {
            self.make_matrix(scheme, system, h, statistics)?;
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
                Ok(true) => return Ok(iterations),
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
            self.make_matrix(scheme, system, h, statistics)?;
        }
    }

    fn needs_matrix(&self, h: f64) -> bool {
        match (self.settings.matrix, self.matrix_h) {
            (MatrixPolicy::Reuse, Some(made_for)) => {
                (h / made_for - 1.0).abs() > 0.25 || self.rate > 0.25
            }
            _ => true,
        }
    }

    fn make_matrix<S: System + ?Sized>(
        &mut self,
        scheme: &mut dyn Scheme<S>,
        system: &mut S,
        h: f64,
        statistics: &mut Statistics,
    ) -> Result<(), Trouble> {
        self.matrix_h = None;
        scheme.factorise(system, &self.unknowns).map_err(Trouble::Matrix)?;
        self.matrix_h = Some(h);
        self.rate = 0.0;
        self.matrices += 1;
        statistics.factorisations += 1;
        Ok(())
    }

    /// Iterates with one matrix (or a new one each time, if so set).
    fn round<S: System + ?Sized>(
        &mut self,
        scheme: &mut dyn Scheme<S>,
        system: &mut S,
        (old_vdot, weights): (&[f64], &[f64]),
        accuracy: Accuracy,
        iterations: &mut usize,
        statistics: &mut Statistics,
    ) -> Result<bool, Trouble> {
        let full = self.settings.matrix == MatrixPolicy::EachIteration;
        let most = self.settings.max_iterations;
        let mut before = f64::NAN;
        for k in 1..=most {
            if full && k > 1 {
                scheme.factorise(system, &self.unknowns).map_err(Trouble::Matrix)?;
                self.matrices += 1;
                statistics.factorisations += 1;
            }
            scheme.residual(system, &self.unknowns, &mut self.residual);
            statistics.residuals += 1;
            statistics.iterations += 1;
            *iterations += 1;
            if let Some(equation) = self.residual.iter().position(|r| !r.is_finite()) {
                return Err(Trouble::NotFinite { equation });
            }
            scheme.solve(&mut self.residual);
            for (u, d) in self.unknowns.iter_mut().zip(&self.residual) {
                *u -= d;
            }
            let size = scheme.correction_size(&self.residual, weights);
            self.history.push(size);
            if !size.is_finite() {
                return Ok(false);
            }
            let target = self.target(scheme.accelerations(&self.unknowns), old_vdot, weights, accuracy);
            // 0/0 means that nothing is left to correct.
            let rate = if k == 1 { f64::NAN } else if size == 0.0 { 0.0 } else { size / before };
            if size <= accuracy.floor
                || (k == 1 && size <= 0.3 * target)
                || (k > 1 && rate < 1.0 && rate / (1.0 - rate) * size <= target)
            {
                if k > 1 && size > accuracy.floor {
                    self.rate = rate;
                }
                return Ok(true);
            }
            if !full && k > 1 {
                let hopeless = rate >= 2.0 || (k > 2 && rate >= 1.0);
                let too_slow = rate < 1.0
                    && size * rate.powi((most - k) as i32) / (1.0 - rate) > target;
                if hopeless || too_slow {
                    return Ok(false);
                }
            }
            before = size;
        }
        Ok(false)
    }

    fn target(&self, vdot: &[f64], old: &[f64], weights: &[f64], accuracy: Accuracy) -> f64 {
        let mut target = 0.0f64;
        if accuracy.relative_to_change > 0.0 {
            let change = rms_weighted(vdot.iter().zip(old).map(|(a, b)| a - b), weights);
            target = target.max(accuracy.relative_to_change * change);
        }
        let size = rms_weighted(vdot.iter().copied(), weights);
        target.max(accuracy.relative_to_size * size).min(accuracy.bound)
    }
}
