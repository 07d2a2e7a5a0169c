//! Stability of an equilibrium: signs of the stiffness on the motions that constraints leave.

use super::super::dense::{Svd, auxiliary, column, is_finite, largest, scales, tangent, times};
use super::super::modes::{ModeKind, modes};
use super::super::noise;
use super::super::space::{Space, Which};
use super::super::sparse::{Block, LARGE, holds};
use super::super::words::{Share, motion};
use crate::state::State;
use crate::system::{StateWeights, System, Terms, Weights};
use faer::linalg::solvers::Solve;
use faer::{Mat, Side};
use serde::{Deserialize, Serialize};

/// What a small push does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stability {
    /// It comes back.
    Stable,
    /// It stays away: some motions are held by nothing.
    Neutral,
    /// It departs.
    Unstable,
}

/// The verdict and the motions behind it.
pub(super) struct Verdict {
    pub stability: Stability,
    pub unstable: Vec<Vec<Share>>,
    pub free: Vec<Vec<Share>>,
    pub index: Index,
    /// Rounding would hide the growth of some vibration.
    pub vague: bool,
}

/// Damping, as part of the critical one, that must be told from growth.
const TOLD: f64 = 0.01;

/// How many eigenvalues of the stiffness are negative on the motions that are left. It changes where the stiffness
/// is singular, at limit points and branches, and nowhere else. The signs do not depend on units (Sylvester), and
/// an eigenvalue that rounding could have made has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Index {
    /// Certainly negative.
    pub negative: usize,
    /// Of either sign.
    pub undecided: usize,
    /// Negative as computed, those of either sign too.
    pub computed: usize,
    /// Forces without potential: eigenvalues may become complex in pairs, so that only the sign of the
    /// determinant counts.
    pub asymmetric: bool,
}

impl Index {
    /// How many eigenvalues have certainly changed their signs from here to there.
    pub fn crossings(&self, there: &Index) -> usize {
        if self.asymmetric || there.asymmetric {
            let decided = self.undecided == 0 && there.undecided == 0;
            return usize::from(decided && self.negative % 2 != there.negative % 2);
        }
        let more = |a: &Index, b: &Index| b.negative.saturating_sub(a.negative + a.undecided);
        more(self, there).max(more(there, self))
    }

    /// Whether a sign is another one there as computed: the best guess where rounding hides it.
    pub fn seems_other(&self, there: &Index) -> bool {
        match self.asymmetric || there.asymmetric {
            true => self.computed % 2 != there.computed % 2,
            false => self.computed != there.computed,
        }
    }
}

/// The stiffness on the motions that are left, with what rounding makes of it.
pub(super) struct Held {
    pub kernel: Mat<f64>,
    pub stiffness: Mat<f64>,
    noise: Mat<f64>,
}

impl Held {
    pub fn at(system: &mut dyn System, state: &State) -> Option<Self> {
        let space = Space::new(system, &state.point(), Which::All)?;
        let kernel = space.kernel();
        let whole = condensed(system, state)?;
        let entries = noise::of_stiffness(system, state, &whole);
        let noise = noise::reduced((&kernel, &noise::of_kernel(&space)), (&whole, &entries));
        let stiffness = kernel.transpose() * whole * &kernel;
        is_finite(&stiffness).then_some(Held { kernel, stiffness, noise })
    }

    /// Eigenvalues of the symmetric part with their vectors and what rounding makes of them.
    fn symmetric(&self) -> Option<Vec<(f64, f64, Vec<f64>)>> {
        let symmetric: Mat<f64> = (&self.stiffness + self.stiffness.transpose()) * faer::Scale(0.5);
        let eigen = symmetric.self_adjoint_eigen(Side::Lower).ok()?;
        let iteration = noise::of_iteration(&symmetric);
        let one = |k: usize| {
            let vector = column(&eigen.U().to_owned(), k);
            (eigen.S().column_vector()[k], noise::along(&self.noise, &vector) + iteration, vector)
        };
        Some((0..symmetric.nrows()).map(one).collect())
    }

    /// The sign of the determinant by its pivots: one that rounding could have made has none.
    fn of_determinant(&self) -> Index {
        let lu = self.stiffness.partial_piv_lu();
        let pivots = lu.U();
        let least = largest(&self.noise) + noise::of_iteration(&self.stiffness);
        let mut negative = permutation_sign(lu.P().arrays().0) < 0.0;
        let mut undecided = 0;
        for k in 0..self.stiffness.nrows() {
            negative ^= pivots[(k, k)] < 0.0;
            undecided += usize::from(pivots[(k, k)].abs() <= least);
        }
        let negative = usize::from(negative);
        Index { negative, undecided, computed: negative, asymmetric: true }
    }

    /// The left and right vectors of the eigenvalue nearest to zero, by the smallest singular value.
    pub fn nearly_free(&self) -> Option<[Vec<f64>; 2]> {
        let svd = Svd::new(&self.stiffness, 0.0)?;
        let last = self.stiffness.nrows().checked_sub(1)?;
        Some([column(&svd.u, last), column(&svd.v, last)])
    }
}

/// 1 for an even permutation, −1 for an odd one.
fn permutation_sign(order: &[usize]) -> f64 {
    let mut seen = vec![false; order.len()];
    let mut sign = 1.0;
    for start in 0..order.len() {
        let (mut k, mut length) = (start, 0);
        while !seen[k] {
            seen[k] = true;
            k = order[k];
            length += 1;
        }
        if length > 0 && length % 2 == 0 {
            sign = -sign;
        }
    }
    sign
}

/// Judges an equilibrium.
pub(super) fn judge(system: &mut dyn System, state: &State) -> Option<Verdict> {
    let mut verdict = Verdict {
        stability: Stability::Stable,
        unstable: Vec::new(),
        free: Vec::new(),
        index: Index::default(),
        vague: false,
    };
    let sizes = system.sizes();
    if sizes.motion > LARGE && sizes.auxiliary() == 0 && sizes.nonholonomic == 0 {
        let stiffness = Block::tangent(system, &state.point(), Weights::STIFFNESS, Terms::ALL);
        let scale = scales(system);
        if holds(system, state, (&scale, stiffness)) {
            return Some(verdict);
        }
    }
    let held = Held::at(system, state)?;
    if held.kernel.ncols() == 0 {
        return Some(verdict);
    }
    for (value, noise, vector) in held.symmetric()? {
        verdict.index.computed += usize::from(value < 0.0);
        let named = || motion(system, &times(&held.kernel, &vector));
        if value.abs() <= noise {
            verdict.free.push(named());
        } else if value < 0.0 {
            verdict.unstable.push(named());
        }
    }
    verdict.index.negative = verdict.unstable.len();
    verdict.index.undecided = verdict.free.len();
    // Without a potential, or with states, the stiffness alone does not decide.
    let asymmetric = !noise::is_symmetric(&held.stiffness, &held.noise);
    if asymmetric {
        verdict.index = held.of_determinant();
    }
    let undecided = asymmetric || sizes.states > 0 || sizes.nonholonomic > 0;
    if undecided && let Ok(modes) = modes(system, state) {
        let growing = modes.modes.iter().filter(|mode| mode.unstable);
        verdict.unstable = growing.map(|mode| mode.participation.clone()).collect();
        verdict.vague = modes.modes.iter().any(|mode| {
            let [re, im] = mode.eigenvalue;
            mode.kind == ModeKind::Oscillation && !mode.unstable && mode.noise > TOLD * re.hypot(im)
        });
        let rigid = modes.modes.iter().filter(|mode| mode.kind == ModeKind::RigidBody);
        verdict.free = rigid.map(|mode| mode.participation.clone()).collect();
    }
    verdict.stability = match (verdict.unstable.is_empty(), verdict.free.is_empty()) {
        (false, _) => Stability::Unstable,
        (true, false) => Stability::Neutral,
        (true, true) => Stability::Stable,
    };
    Some(verdict)
}

/// The stiffness with states and variables at their equilibrium.
fn condensed(system: &mut dyn System, state: &State) -> Option<Mat<f64>> {
    let at = state.point();
    let stiffness = tangent(system, &at, Weights::STIFFNESS, Terms::ALL);
    if system.sizes().auxiliary() == 0 {
        return Some(stiffness);
    }
    let states = StateWeights { rate: 0.0, state: 1.0 };
    let parts = auxiliary(system, &at, Weights::STIFFNESS, states);
    let response = parts.own.full_piv_lu().solve(&parts.motion);
    let condensed = stiffness.clone() - parts.dynamics * response;
    // a state that nothing brings back, such as an integrator, has no equilibrium of its own
    Some(if is_finite(&condensed) { condensed } else { stiffness })
}
