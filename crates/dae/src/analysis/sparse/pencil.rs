//! Mass, damping and stiffness of a large system at rest or in a steady turn, and solutions with the
//! shifted stiffness.

use super::super::dense::norm;
use super::super::eigen::{Complex, abs};
use super::super::projection::Kicks;
use super::super::twist::Steady;
use super::vibrations::Ritz;
use super::{Block, Entries, SparseLu};
use crate::state::State;
use crate::system::{System, Terms, Weights};

/// Shift of systems that float, as part of the largest `√(k/m)` of a coordinate.
const SHIFT: f64 = 3e-5;
/// Eigenvalues below this part of the shift are zero: double ones cannot be told better.
const FLOATS: f64 = 1e-3;

/// `M`, `D`, `K` in the scales of the coordinates, and the shifted matrix, factored.
pub(super) struct Pencil {
    pub mass: Block,
    pub damping: Block,
    pub stiffness: Block,
    pub scale: Vec<f64>,
    /// Constraints.
    pub rows: usize,
    /// `σ`.
    pub shift: f64,
    /// No damping, and a symmetric stiffness.
    pub conservative: bool,
    factor: SparseLu,
}

impl Pencil {
    /// About rest, or about a steady motion.
    pub fn new(system: &mut dyn System, state: &State, steady: Option<&Steady>) -> Option<Self> {
        let at = state.point();
        let n = system.sizes().motion;
        let scale: Vec<f64> = (0..n).map(|i| system.scale(i)).collect();
        let mut block = |weights| Block::tangent(system, &at, weights, Terms::ALL);
        let (mass, mut damping, mut stiffness) =
            (block(Weights::MASS), block(Weights::DAMPING), block(Weights::STIFFNESS));
        if let Some(steady) = steady {
            [damping, stiffness] = steady.relative(&mass, &damping, &stiffness);
        }
        let [mass, damping, stiffness] =
            [mass, damping, stiffness].map(|block| block.scaled(|i| scale[i], |j| scale[j]));
        let gradient = Block::gradient(system, &at).scaled(|_| 1.0, |j| scale[j]);
        let norms = gradient.row_norms();
        if norms.contains(&0.0) {
            return None;
        }
        let gradient = gradient.scaled(|i| 1.0 / norms[i], |_| 1.0);
        let fastest = fastest(&stiffness, &mass);
        let held = factor(n, [&stiffness, &damping, &mass], &gradient, 0.0);
        let (factor, shift) = match held {
            Some(factor) => (factor, 0.0),
            None => {
                let shift = SHIFT * fastest;
                (factor(n, [&stiffness, &damping, &mass], &gradient, shift)?, shift)
            }
        };
        let rows = norms.len();
        let mut pencil =
            Pencil { mass, damping, stiffness, scale, rows, shift, factor, conservative: false };
        pencil.conservative = pencil.is_conservative();
        Some(pencil)
    }

    pub fn size(&self) -> usize {
        self.scale.len()
    }

    /// `S⁻¹ f`.
    pub fn solve(&self, mut f: Vec<f64>) -> Vec<f64> {
        let n = self.size();
        f.resize(n + self.rows, 0.0);
        let mut x = self.factor.solve(&f);
        x.truncate(n);
        x
    }

    /// What the constraints leave of a motion: `S⁻¹S x`.
    pub fn allowed(&self, x: &[f64]) -> Vec<f64> {
        let mut force = self.product(&self.stiffness, x);
        if self.shift != 0.0 {
            self.damping.add_product(x, self.shift, &mut force);
            self.mass.add_product(x, self.shift * self.shift, &mut force);
        }
        self.solve(force)
    }

    pub fn product(&self, block: &Block, x: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; x.len()];
        block.add_product(x, 1.0, &mut out);
        out
    }

    /// A motion that nothing holds.
    pub fn floats(&self, value: Complex) -> bool {
        self.shift > 0.0 && abs(value) <= FLOATS * self.shift
    }

    /// `δ` of a vibration, real and imaginary part, and its size.
    pub fn lacking(&self, ritz: &Ritz) -> ([Vec<f64>; 2], f64) {
        let shift = Complex::new(self.shift, 0.0);
        let (mass, damping) = (ritz.value * ritz.value - shift * shift, ritz.value - shift);
        let n = self.size();
        let mut force = [vec![0.0; n], vec![0.0; n]];
        for (block, factor) in [(&self.mass, mass), (&self.damping, damping)] {
            block.add_product(&ritz.re, factor.re, &mut force[0]);
            block.add_product(&ritz.im, -factor.im, &mut force[0]);
            block.add_product(&ritz.re, factor.im, &mut force[1]);
            block.add_product(&ritz.im, factor.re, &mut force[1]);
        }
        let [re, im] = force;
        let add = |delta: Vec<f64>, x: &[f64]| -> Vec<f64> {
            delta.iter().zip(x).map(|(d, x)| d + x).collect()
        };
        let delta = [add(self.solve(re), &ritz.re), add(self.solve(im), &ritz.im)];
        let size = norm(&delta[0]).hypot(norm(&delta[1]));
        (delta, size / norm(&ritz.re).hypot(norm(&ritz.im)))
    }

    /// No damping, and a symmetric stiffness.
    fn is_conservative(&self) -> bool {
        let n = self.size();
        let mut kicks = Kicks::new();
        let random: Vec<f64> = (0..n).map(|_| kicks.number()).collect();
        let other: Vec<f64> = (0..n).map(|_| kicks.number()).collect();
        let entries = || self.stiffness.pattern.iter().zip(&self.stiffness.values);
        let product =
            |x: &[f64], y: &[f64]| -> f64 { entries().map(|((i, j), k)| x[i] * k * y[j]).sum() };
        let (one, two) = (product(&random, &other), product(&other, &random));
        // what rounding makes of as many terms, as good as random ones
        let terms: f64 = entries().map(|((i, j), k)| (random[i] * k * other[j]).abs()).sum();
        let rounding = f64::EPSILON * (n as f64).sqrt() * terms;
        // compared with what would be damping at a typical frequency
        let typical = (self.mass.largest() * self.stiffness.largest()).sqrt();
        (one - two).abs() <= rounding && self.damping.largest() <= 1e-13 * typical
    }
}

/// The largest `√(k/m)` of a coordinate.
fn fastest(stiffness: &Block, mass: &Block) -> f64 {
    let (k, m) = (stiffness.diagonal(), mass.diagonal());
    let ratios = k.iter().zip(&m).filter(|(_, m)| **m > 0.0).map(|(k, m)| (k / m).abs());
    ratios.fold(0.0, f64::max).sqrt()
}

/// Factors `K + σD + σ²M` with the constraints, in units of its largest entry.
fn factor(
    n: usize,
    [stiffness, damping, mass]: [&Block; 3],
    gradient: &Block,
    shift: f64,
) -> Option<SparseLu> {
    let unit = stiffness.largest().max(shift * shift * mass.largest());
    let unit = if unit > 0.0 { unit } else { 1.0 };
    let mut entries = Entries::default();
    entries.add(stiffness, 0, 0, 1.0);
    if shift != 0.0 {
        entries.add(damping, 0, 0, shift);
        entries.add(mass, 0, 0, shift * shift);
    }
    entries.add(gradient, n, 0, unit);
    entries.add_transposed(gradient, 0, n, -unit);
    SparseLu::new(n + gradient.pattern.rows(), &entries)
}
