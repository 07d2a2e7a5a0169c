//! How well the matrices of small motions are known.
//!
//! An eigenvalue means something only as far as it exceeds what rounding makes of it. Rounding enters at three
//! places, and each has a bound that does not depend on units:
//!
//! 1. **Entries.** An entry of mass, damping or stiffness is a sum over elements, of no more terms than the
//!    system has unknowns, `N`. Roundings are as good as random and add up to `√N ε` times the terms, which are no
//!    larger than `√(aᵢᵢ aⱼⱼ)` where matrices are made of definite parts; an entry that is exactly zero has no
//!    terms. What loads and reactions contribute to the stiffness (pendulums, preloaded beams) cancels further: the
//!    hanging load that nothing turns about its rope has reactions of `m g` and no stiffness. These parts are loads over
//!    the scales of the coordinates; they are known to `√N ε` of the load and to the forces that the state leaves
//!    unbalanced. Elastic forces come from differences of places, which are known to `ε` of the scales: a reaction
//!    beside a stiffness `k` is uncertain by `ε k s`, and so is the stiffness that it gives to its neighbours.
//! 2. **Elimination** of constraints: products and solutions, each followed by its own bound (`|A||B| √N ε`).
//! 3. **The eigenvalue problem** itself: the QR algorithm gives the eigenvalues of a matrix that differs from the
//!    balanced one, `A`, by `ε ‖A‖`.
//!
//! With `E ≥ |δA|` the first two, an eigenvalue with right and left vectors `x` and `y`, `yᴴx = 1`, moves by no more
//! than `|y|ᵀ E |x| + ε ‖A‖ ‖y‖ ‖x‖` to first order: its condition is in the vectors. At a double zero, such as a free body's, the
//! vectors become parallel and the bound grows like `1/λ`: with `λ² = E` it is `λ/2`. So an eigenvalue is told from
//! zero where it exceeds [`twice`](ROOT) its bound, and grows where its real part does.

use super::dense::{is_finite, largest, scales};
use super::space::Space;
use crate::state::State;
use crate::system::{System, Terms};
use faer::Mat;

/// A double eigenvalue moves by twice the bound of first order.
pub(super) const ROOT: f64 = 2.0;
/// Bounds of the errors of the three matrices, entry by entry.
#[derive(Clone, Debug)]
pub(super) struct Noise {
    pub mass: Mat<f64>,
    pub damping: Mat<f64>,
    pub stiffness: Mat<f64>,
    /// `√N ε`: of a product or a solution, relative to its terms.
    pub relative: f64,
}

impl Noise {
    /// At a state, for the matrices there.
    pub fn at(
        system: &mut dyn System,
        state: &State,
        [mass, damping, stiffness]: [&Mat<f64>; 3],
    ) -> Self {
        let relative = relative(system);
        let loads = of_loads(system, state);
        let scale = scales(system);
        // the largest stiffness beside each coordinate, in the scales
        let n = stiffness.nrows();
        let beside = |i: usize| {
            let neighbours = (0..n).filter(|j| stiffness[(i, *j)] != 0.0);
            neighbours.map(|j| stiffness[(j, j)].abs() * scale[j] * scale[j]).fold(0.0, f64::max)
        };
        let stiff: Vec<f64> = (0..n).map(|i| beside(i).sqrt()).collect();
        let of_stiffness = Mat::from_fn(n, n, |i, j| match stiffness[(i, j)] {
            0.0 => 0.0,
            entry => {
                let energy = relative * stiff[i] * stiff[j] + loads;
                (energy / (scale[i] * scale[j])).max(relative * entry.abs())
            }
        });
        Noise {
            mass: entries(mass, relative),
            damping: entries(damping, relative),
            stiffness: of_stiffness,
            relative,
        }
    }
}

/// `√N ε` with `N` unknowns.
fn relative(system: &dyn System) -> f64 {
    let sizes = system.sizes();
    let unknowns = sizes.motion + sizes.multipliers() + sizes.auxiliary();
    (unknowns as f64).sqrt() * f64::EPSILON
}

/// Errors of sums of definite parts.
fn entries(matrix: &Mat<f64>, relative: f64) -> Mat<f64> {
    let diagonal: Vec<f64> = (0..matrix.nrows()).map(|i| matrix[(i, i)].abs().sqrt()).collect();
    Mat::from_fn(matrix.nrows(), matrix.ncols(), |i, j| match matrix[(i, j)] {
        0.0 => 0.0,
        entry => relative * entry.abs().max(diagonal[i] * diagonal[j]),
    })
}

/// What loads and reactions leave uncertain, over the scales of the coordinates: their rounding, and what the state
/// leaves unbalanced.
fn of_loads(system: &mut dyn System, state: &State) -> f64 {
    let scale = scales(system);
    let mut force = vec![0.0; scale.len()];
    let mut size = |terms: Terms| {
        system.dynamics(&state.point(), terms, &mut force);
        force.iter().zip(&scale).fold(0.0, |m: f64, (f, s)| m.max((f * s).abs()))
    };
    let load = size(Terms::WITHOUT_REACTIONS).max(size(Terms::REACTIONS));
    let unbalanced = size(Terms::ALL);
    relative(system) * load + unbalanced.min(load)
}

/// The stiffness alone.
pub(super) fn of_stiffness(
    system: &mut dyn System,
    state: &State,
    stiffness: &Mat<f64>,
) -> Mat<f64> {
    let none = Mat::zeros(0, 0);
    Noise::at(system, state, [&none, &none, stiffness]).stiffness
}

/// `|A|`.
pub(super) fn magnitudes(matrix: &Mat<f64>) -> Mat<f64> {
    Mat::from_fn(matrix.nrows(), matrix.ncols(), |i, j| matrix[(i, j)].abs())
}

/// How far a basis of the motions that constraints leave is known, entry by entry: rounding in the scales of the
/// coordinates, magnified by the condition of the constraints.
pub(super) fn of_kernel(space: &Space) -> Mat<f64> {
    let unknowns = space.scale.len() + space.norms.len();
    let part = match space.svd.rank {
        // without constraints the basis is exact
        0 => 0.0,
        _ => f64::EPSILON * (unknowns as f64).sqrt() / space.svd.smallest(),
    };
    Mat::from_fn(space.scale.len(), space.freedoms(), |i, _| part * space.scale[i])
}

/// `|N|ᵀ E |N| + |N|ᵀ |A| δN + δNᵀ |A| |N|`: the bound of a matrix on the motions that are left.
pub(super) fn reduced(
    (kernel, of_kernel): (&Mat<f64>, &Mat<f64>),
    (matrix, noise): (&Mat<f64>, &Mat<f64>),
) -> Mat<f64> {
    let size = magnitudes(kernel);
    let half = size.transpose() * magnitudes(matrix) * of_kernel;
    size.transpose() * noise * &size + &half + half.transpose()
}

/// Whether a matrix is symmetric as far as it is known.
pub(super) fn is_symmetric(matrix: &Mat<f64>, noise: &Mat<f64>) -> bool {
    let differs = |i: usize, j: usize| {
        (matrix[(i, j)] - matrix[(j, i)]).abs() > noise[(i, j)] + noise[(j, i)]
    };
    !(0..matrix.nrows()).any(|i| (0..i).any(|j| differs(i, j)))
}

/// `|x|ᵀ E |x|`.
pub(super) fn along(noise: &Mat<f64>, x: &[f64]) -> f64 {
    let row = |i: usize| -> f64 { (0..x.len()).map(|j| noise[(i, j)] * x[j].abs()).sum() };
    (0..x.len()).map(|i| x[i].abs() * row(i)).sum()
}

/// The error of eigenvalues of a matrix by orthogonal transformations: `ε ‖A‖`.
pub(super) fn of_iteration(matrix: &Mat<f64>) -> f64 {
    debug_assert!(is_finite(matrix));
    let unit = largest(matrix).max(f64::MIN_POSITIVE);
    let entry = |i: usize, j: usize| (matrix[(i, j)] / unit).powi(2);
    let squares: f64 =
        (0..matrix.ncols()).map(|j| (0..matrix.nrows()).map(|i| entry(i, j)).sum::<f64>()).sum();
    f64::EPSILON * unit * squares.sqrt()
}
