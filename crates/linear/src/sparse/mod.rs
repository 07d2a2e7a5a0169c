//! Sparse factorisation of equilibrated, regularised saddle points.
//!
//! The matrix is equilibrated, each multiplier gets an entry ±δ on its diagonal with the sign of
//! its Schur complement, and the factorisation keeps its pivots from one matrix to the next.
//! Solutions are refined against the unregularised matrix. A factorisation whose pivots have
//! become poor is tested by a solution and, if that fails, analysed afresh.
//!
//! | module | content |
//! |---|---|
//! | [`pairing`] | groups of unknowns with a safe pivot order inside |
//! | [`elimination`] | order of the groups, elimination tree |
//! | [`scalar`], [`panels`], [`columns`] | kernel for little fill, with pivoting |
//! | [`supernode`], [`front`], [`multifrontal`] | kernel for much fill |
//! | [`kernel`], [`health`] | choice between the two, quality of their pivots |
//! | [`residual`] | products with the unregularised matrix, norms |

mod columns;
pub(crate) mod elimination;
mod front;
mod health;
mod kernel;
mod multifrontal;
mod pairing;
mod panels;
mod residual;
mod scalar;
mod supernode;

use crate::block::Options;
use crate::error::FactorError;
use crate::pattern::Pattern;
use crate::scaling::Scaling;
use elimination::Elimination;
use health::Health;
use kernel::Kernel;
use residual::{norm, product};
use serde::{Deserialize, Serialize};

/// Growth of the factors above which a factorisation is tested by a solution.
const SUSPICIOUS_GROWTH: f64 = 1e5;
/// Pivots below this size, compared with δ, call for a test.
const SUSPICIOUS_PIVOT: f64 = 1e-3;
/// The scaling is kept while the largest entries of rows and columns stay within these bounds.
const EQUILIBRATED: std::ops::Range<f64> = 1.0 / 256.0..256.0;
/// Residual, relative to the sizes of solution and right-hand side, at which refinement stops.
const REFINED: f64 = 4.0 * f64::EPSILON;
/// Residual that a tested factorisation must reach.
const TRUSTED: f64 = 1e-11;
/// Residual from which one more step certainly reaches [`REFINED`].
const CERTAIN: f64 = 2e-8;
const REFINEMENT_STEPS: usize = 3;

/// A sparse matrix as factored, its factors, and the work space to use them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SparseFactor {
    options: Options,
    multipliers: Vec<bool>,
    /// Position and unknown of each regularised diagonal entry.
    diagonals: Vec<(usize, usize)>,
    /// Signed δ of each unknown; zero except for multipliers.
    shifts: Vec<f64>,
    scaling: Scaling,
    /// The scaling was found for values; before the first factorisation it is none.
    equilibrated: bool,
    /// Equilibrated and regularised values.
    scaled: Vec<f64>,
    kernel: Option<Kernel>,
    trusted_growth: f64,
    right_hand_side: Vec<f64>,
    solution: Vec<f64>,
    residual: Vec<f64>,
    correction: Vec<f64>,
}

/// How far a solution is refined.
#[derive(Clone, Copy, PartialEq)]
enum Purpose {
    /// Until the next step would change nothing, without checking the last one.
    Refined,
    /// With a check of the last step.
    Test,
}

impl SparseFactor {
    /// `pattern` must hold the diagonal entries of the multipliers.
    pub(crate) fn new(pattern: &Pattern, multipliers: &[bool], options: Options) -> SparseFactor {
        let n = pattern.cols();
        let diagonals = (0..n)
            .filter(|&i| multipliers[i])
            .map(|i| (pattern.position(i, i).expect("multiplier diagonal"), i))
            .collect();
        SparseFactor {
            options,
            multipliers: multipliers.to_vec(),
            diagonals,
            shifts: vec![0.0; n],
            scaling: Scaling::identity(n),
            equilibrated: false,
            scaled: vec![0.0; pattern.entries()],
            kernel: None,
            trusted_growth: SUSPICIOUS_GROWTH,
            right_hand_side: vec![0.0; n],
            solution: vec![0.0; n],
            residual: vec![0.0; n],
            correction: vec![0.0; n],
        }
    }

    /// No order and no pivots are known.
    pub(crate) fn is_new(&self) -> bool {
        self.kernel.is_none()
    }

    /// Takes over order and pivots of another factorisation of the same pattern.
    pub(crate) fn follow(&mut self, other: &SparseFactor) {
        if self.multipliers == other.multipliers {
            self.kernel.clone_from(&other.kernel);
            self.trusted_growth = other.trusted_growth;
        }
    }

    pub(crate) fn fill(&self) -> usize {
        self.kernel.as_ref().map_or(0, Kernel::fill)
    }

    pub(crate) fn factor(&mut self, pattern: &Pattern, values: &[f64]) -> Result<(), FactorError> {
        if !self.equilibrated || !self.load(pattern, values) {
            if let Some(p) = values.iter().position(|v| !v.is_finite()) {
                let (row, col) = pattern.iter().nth(p).expect("position of an entry");
                return Err(FactorError::NotFinite { row, col });
            }
            self.equilibrate(pattern, values);
        }
        for &(p, i) in &self.diagonals {
            self.scaled[p] += self.shifts[i];
        }
        if let Some(kernel) = &mut self.kernel {
            let health = kernel.refactor(pattern, &self.scaled);
            if self.acceptable(pattern, health) {
                return Ok(());
            }
        }
        self.analyse(pattern)
    }

    /// Chooses order and pivots for the loaded values and factors them.
    #[cold]
    fn analyse(&mut self, pattern: &Pattern) -> Result<(), FactorError> {
        self.kernel = None;
        self.trusted_growth = SUSPICIOUS_GROWTH;
        let groups = pairing::group(pattern, &self.scaled, &self.multipliers);
        let elimination = Elimination::new(pattern, &groups);
        if let Ok((kernel, health)) = Kernel::fast(pattern, &self.scaled, &elimination) {
            self.kernel = Some(kernel);
            if self.acceptable(pattern, health) {
                return Ok(());
            }
            self.kernel = None;
        }
        let (kernel, health) = Kernel::stable(pattern, &self.scaled, &elimination)?;
        self.kernel = Some(kernel);
        // Partial pivoting is as good as it gets: an ill-conditioned matrix passes.
        self.trusted_growth = self.trusted_growth.max(16.0 * health.growth);
        Ok(())
    }

    /// Equilibrates with the stored factors. False if they do not suit the values, or if a value
    /// is not finite.
    fn load(&mut self, pattern: &Pattern, values: &[f64]) -> bool {
        let row_largest = &mut self.residual;
        row_largest.fill(0.0);
        let mut suits = true;
        let mut finite = 0.0;
        for j in 0..pattern.cols() {
            let range = pattern.column_start(j)..pattern.column_start(j + 1);
            let entries = self.scaled[range.clone()].iter_mut().zip(&values[range]);
            let factor = self.scaling.col[j];
            let mut largest = 0.0_f64;
            for ((target, value), &i) in entries.zip(pattern.column(j)) {
                let i = i as usize;
                // powers of two: the order changes nothing
                *target = value * (self.scaling.row[i] * factor);
                let size = target.abs();
                largest = largest.max(size);
                finite += *target * 0.0;
                row_largest[i] = row_largest[i].max(size);
            }
            suits &= largest == 0.0 || EQUILIBRATED.contains(&largest);
        }
        let fits = |&size: &f64| size == 0.0 || EQUILIBRATED.contains(&size);
        finite == 0.0 && suits && row_largest.iter().all(fits)
    }

    #[cold]
    fn equilibrate(&mut self, pattern: &Pattern, values: &[f64]) {
        self.scaling.equilibrate(pattern, values, &mut self.residual);
        self.equilibrated = true;
        for (p, (i, j)) in pattern.iter().enumerate() {
            self.scaled[p] = values[p] * (self.scaling.row[i] * self.scaling.col[j]);
        }
        // The Schur complement of multiplier i has the sign of −Σ a_ij a_ji: δ must not oppose it.
        for &(_, i) in &self.diagonals {
            let start = pattern.column_start(i);
            let coupling: f64 = pattern
                .column(i)
                .iter()
                .enumerate()
                .map(|(p, &j)| (p, j as usize))
                .filter(|&(_, j)| j != i)
                .map(|(p, j)| {
                    let opposite = pattern.position(i, j).map_or(0.0, |q| self.scaled[q]);
                    self.scaled[start + p] * opposite
                })
                .sum();
            let delta = self.options.regularisation;
            self.shifts[i] = if coupling > 0.0 { -delta } else { delta };
        }
    }

    /// Judges a factorisation by its pivots and, if these are poor, by solving a known system.
    fn acceptable(&mut self, pattern: &Pattern, health: Health) -> bool {
        let pivot_limit = SUSPICIOUS_PIVOT * self.options.regularisation.max(f64::EPSILON);
        if health.growth <= self.trusted_growth && health.smallest_pivot > pivot_limit {
            return true;
        }
        if !health.growth.is_finite() || health.smallest_pivot == 0.0 {
            return false;
        }
        // A solution without pattern of its own: residues of a quadratic sequence.
        for (i, x) in self.solution.iter_mut().enumerate() {
            *x = 1.0 + (i * i % 17) as f64 / 16.0;
        }
        self.right_hand_side.fill(0.0);
        self.residual.copy_from_slice(&self.solution);
        product(pattern, &self.scaled, &self.shifts, &self.residual, &mut self.right_hand_side);
        let trusted = self.refined_solution(pattern, Purpose::Test) <= TRUSTED;
        if trusted {
            self.trusted_growth = self.trusted_growth.max(16.0 * health.growth);
        }
        trusted
    }

    /// Replaces `b` by the solution.
    pub(crate) fn solve(&mut self, pattern: &Pattern, b: &mut [f64]) {
        if !self.options.refine {
            let kernel = self.kernel.as_mut().expect("solve needs a successful factor");
            multiply(b, &self.scaling.row);
            kernel.solve(b);
            multiply(b, &self.scaling.col);
            return;
        }
        self.right_hand_side.copy_from_slice(b);
        multiply(&mut self.right_hand_side, &self.scaling.row);
        self.refined_solution(pattern, Purpose::Refined);
        b.copy_from_slice(&self.solution);
        multiply(b, &self.scaling.col);
    }

    /// Solves for the equilibrated right-hand side; the residual relative to the sizes of
    /// solution and right-hand side as far as it is known.
    fn refined_solution(&mut self, pattern: &Pattern, purpose: Purpose) -> f64 {
        let kernel = self.kernel.as_mut().expect("solve needs a successful factor");
        self.solution.copy_from_slice(&self.right_hand_side);
        kernel.solve(&mut self.solution);
        let size = norm(&self.right_hand_side);
        let mut previous = f64::INFINITY;
        for step in 0.. {
            self.residual.fill(0.0);
            product(pattern, &self.scaled, &self.shifts, &self.solution, &mut self.residual);
            for (r, b) in self.residual.iter_mut().zip(&self.right_hand_side) {
                *r = b - *r;
            }
            let residual = norm(&self.residual);
            if residual > 0.5 * previous {
                // The last step did not help: with an inconsistent right-hand side it only adds
                // to the multipliers.
                for (x, d) in self.solution.iter_mut().zip(&self.correction) {
                    *x -= d;
                }
                return previous / (size + norm(&self.solution));
            }
            let error = residual / (size + norm(&self.solution));
            if error <= REFINED || error.is_nan() || step == REFINEMENT_STEPS {
                return if size == 0.0 { 0.0 } else { error };
            }
            self.correction.copy_from_slice(&self.residual);
            kernel.solve(&mut self.correction);
            for (x, d) in self.solution.iter_mut().zip(&self.correction) {
                *x += d;
            }
            if purpose == Purpose::Refined && error <= CERTAIN {
                return error * error;
            }
            previous = residual;
        }
        unreachable!("the loop ends with the last refinement step")
    }
}

fn multiply(values: &mut [f64], factors: &[f64]) {
    for (value, factor) in values.iter_mut().zip(factors) {
        *value *= factor;
    }
}
