//! The space of motions that constraints leave, and the space of reactions that they can give.
//!
//! Coordinates may be lengths and angles, rows may be lengths and cosines. So columns are multiplied
//! by the scales of the coordinates and rows divided by their norms before ranks are judged.

use super::dense::{RANK_TOLERANCE, Svd, gradient, scaled, scales, top};
use crate::consistency::not_finite;
use crate::diagnosis::{Diagnosis, Failure};
use crate::state::State;
use crate::system::{Point, System};
use faer::Mat;

/// Motions and constraints above which dense matrices need more memory and time than anyone has: some GB,
/// and hours.
pub(super) const MOST: usize = 6000;

/// Whether a model has more motions and constraints than dense matrices can hold.
pub(crate) fn too_large(system: &dyn System) -> bool {
    let sizes = system.sizes();
    sizes.motion + sizes.multipliers() > MOST
}

/// Why there is no [`Space`] at a state.
pub(crate) fn no_space(system: &mut dyn System, state: &State) -> Diagnosis {
    if !too_large(system) {
        return not_finite(system, state);
    }
    let sizes = system.sizes();
    Diagnosis::new(Failure::Unsupported, state.t, format!(
            "the model is too large for this: {} motions and {} constraints, whose matrices would be full",
            sizes.motion,
            sizes.multipliers()
        )).remedied_by(vec![format!(
            "analyse a part of it, with at most {MOST} of both; or simulate it"
        )])
}

/// Which constraints take part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    /// Those that bind positions.
    Holonomic,
    /// All, at velocity level.
    All,
}

/// The constraint gradient at a point, decomposed.
pub(crate) struct Space {
    /// `G` or `[G; K]` as it is.
    pub gradient: Mat<f64>,
    /// Norm of each row after its columns are scaled.
    pub norms: Vec<f64>,
    /// Scales of the coordinates.
    pub scale: Vec<f64>,
    /// Of the scaled matrix.
    pub svd: Svd,
}

impl Space {
    /// Decomposes the gradient at a point; `None` if it is not finite, or too large.
    pub fn new(system: &mut dyn System, at: &Point, which: Which) -> Option<Self> {
        if too_large(system) {
            return None;
        }
        let sizes = system.sizes();
        let rows = match which {
            Which::Holonomic => sizes.holonomic,
            Which::All => sizes.multipliers(),
        };
        let gradient = top(&gradient(system, at), rows);
        Space::of(gradient, scales(system), RANK_TOLERANCE)
    }

    /// Decomposes a given gradient.
    pub fn of(gradient: Mat<f64>, scale: Vec<f64>, tolerance: f64) -> Option<Self> {
        let norms = row_norms(&gradient, &scale);
        let inverse: Vec<f64> =
            norms.iter().map(|n| if *n > 0.0 { 1.0 / n } else { 0.0 }).collect();
        let svd = Svd::new(&scaled(&gradient, &inverse, &scale), tolerance)?;
        Some(Space { gradient, norms, scale, svd })
    }

    /// Motions that are left.
    pub fn freedoms(&self) -> usize {
        self.scale.len() - self.svd.rank
    }

    /// A basis of these motions, one column each, orthonormal when measured by the scales.
    pub fn kernel(&self) -> Mat<f64> {
        let kernel = self.svd.kernel();
        scaled(&kernel, &self.scale, &vec![1.0; kernel.ncols()])
    }

    /// The matrix that gives the coordinates of a motion in the basis of [`kernel`](Self::kernel).
    pub fn coordinates(&self) -> Mat<f64> {
        let kernel = self.svd.kernel();
        Mat::from_fn(kernel.ncols(), kernel.nrows(), |k, i| kernel[(i, k)] / self.scale[i])
    }

    /// Least motion `Δ`, measured by the scales, with `J Δ = b` as nearly as possible.
    pub fn solve(&self, b: &[f64]) -> Vec<f64> {
        let rhs: Vec<f64> = b.iter().zip(&self.norms).map(|(b, n)| divide(*b, *n)).collect();
        let solution = self.svd.solve(&rhs, 0.0);
        solution.iter().zip(&self.scale).map(|(x, s)| x * s).collect()
    }

    /// Least multipliers with `Jᵀλ = force` as nearly as possible, each measured by the work its
    /// reaction does over the scales: unique even if constraints repeat each other.
    pub fn multipliers(&self, force: &[f64]) -> Vec<f64> {
        let mut y = vec![0.0; self.norms.len()];
        for k in 0..self.svd.rank {
            let along: f64 =
                (0..force.len()).map(|i| self.svd.v[(i, k)] * self.scale[i] * force[i]).sum();
            for (i, y) in y.iter_mut().enumerate() {
                *y += self.svd.u[(i, k)] * along / self.svd.s[k];
            }
        }
        y.iter().zip(&self.norms).map(|(y, n)| divide(*y, *n)).collect()
    }

    /// The right singular vector `k` as a motion and the left one over the constraints.
    pub fn direction(&self, k: usize) -> (Vec<f64>, Vec<f64>) {
        let motion = (0..self.scale.len()).map(|i| self.svd.v[(i, k)] * self.scale[i]).collect();
        let rows = (0..self.norms.len()).map(|i| self.svd.u[(i, k)]).collect();
        (motion, rows)
    }
}

/// Norms of rows whose columns are multiplied by scales.
pub(super) fn row_norms(gradient: &Mat<f64>, scale: &[f64]) -> Vec<f64> {
    let entry = |i: usize, j: usize| (gradient[(i, j)] * scale[j]).powi(2);
    let norm = |i| (0..gradient.ncols()).map(|j| entry(i, j)).sum::<f64>().sqrt();
    (0..gradient.nrows()).map(norm).collect()
}

fn divide(a: f64, b: f64) -> f64 {
    if b > 0.0 { a / b } else { 0.0 }
}
