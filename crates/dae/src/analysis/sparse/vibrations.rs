//! The lowest vibrations of a large system at rest or in a steady turn, by subspaces that grow until every
//! one has converged.
//!
//! Small motions about rest, and those in axes that a [steady turn](super::super::sweep) carries, obey
//!
//! ```text
//! M q̈ + D q̇ + K q − Gᵀλ = 0,    G q = 0
//! ```
//!
//! With a shift `σ`, zero where something holds every motion, let `x = S⁻¹ f` stand for the solution of
//!
//! ```text
//! (K + σD + σ²M) x − Gᵀλ = f,    G x = 0
//! ```
//!
//! one sparse factorisation for all. The subspace begins with random vectors and what repeated `S⁻¹M` and
//! `S⁻¹D` make of them: the lowest vibrations grow fastest. A block of vectors finds as many equal
//! frequencies as it has vectors. In the subspace the problem is small and dense. A vibration `(λ, φ)` of it
//! is exact if
//!
//! ```text
//! δ = φ + S⁻¹[(λ² − σ²)M + (λ − σ)D] φ
//! ```
//!
//! vanishes; else `δ` is what the subspace lacks.

use super::super::dense::norm;
use super::super::eigen::{Complex, abs};
use super::super::projection::Kicks;
use super::super::twist::Steady;
use super::Block;
use super::pencil::Pencil;
use super::small::{definite, general};
use crate::state::State;
use crate::system::{System, Terms, Weights};
use faer::Mat;

/// Vectors that are multiplied together: a body that floats has six motions without frequency.
const BLOCK: usize = 8;
/// Part of a vibration that the subspace lacks, at most. What rounding leaves may be more than the first.
const CONVERGED: f64 = 1e-9;
pub(in crate::analysis) const ACCEPTED: f64 = 1e-6;
/// A vector that shrinks to this part when others are taken out of it is made of them.
const DEPENDENT: f64 = 1e-10;
const MOST_ROUNDS: usize = 40;

/// The lowest eigenvalues of a system at rest or in a steady turn.
pub(in crate::analysis) struct Vibrations {
    /// Eigenvalues with shapes over the coordinates, one of each conjugate pair.
    pub pairs: Vec<(Complex, Vec<Complex>)>,
    /// Real and imaginary parts of motions that nothing holds; they may depend on each other.
    pub floating: Vec<[Vec<f64>; 2]>,
    /// Damping, or forces without potential.
    pub damped: bool,
    /// Independent motions of the system.
    pub freedoms: usize,
    /// The mass matrix.
    pub mass: Block,
}

/// Finds the `count` lowest vibrations beside motions that nothing holds. `None` if the system is not of
/// the kind described above, or its constraints are dependent, or the iteration does not converge.
pub(in crate::analysis) fn lowest(
    system: &mut dyn System,
    state: &State,
    count: usize,
) -> Option<Vibrations> {
    let sizes = system.sizes();
    if sizes.auxiliary() > 0 || sizes.nonholonomic > 0 || system.patterns().reactions.is_some() {
        return None;
    }
    let steady = match state.v.iter().any(|v| *v != 0.0) {
        true => Some(Steady::at(system, state)?),
        false => None,
    };
    let pencil = Pencil::new(system, state, steady.as_ref())?;
    let found = Subspace::new(&pencil, count).run(count)?;
    let shape = |ritz: &Ritz| -> [Vec<f64>; 2] {
        [&ritz.re, &ritz.im].map(|x| x.iter().zip(&pencil.scale).map(|(x, s)| x * s).collect())
    };
    let (floating, held): (Vec<Ritz>, Vec<Ritz>) =
        found.into_iter().partition(|ritz| pencil.floats(ritz.value));
    // a block of vectors tells no more motions of one frequency than it has vectors
    if floating.len() >= BLOCK {
        return None;
    }
    let complex = |[re, im]: [Vec<f64>; 2]| -> Vec<Complex> {
        re.iter().zip(&im).map(|(re, im)| Complex::new(*re, *im)).collect()
    };
    Some(Vibrations {
        pairs: held.iter().map(|ritz| (ritz.value, complex(shape(ritz)))).collect(),
        floating: floating.iter().map(shape).collect(),
        damped: !pencil.conservative,
        freedoms: sizes.motion - sizes.holonomic,
        mass: Block::tangent(system, &state.point(), Weights::MASS, Terms::ALL),
    })
}

/// A vibration as far as a subspace can tell.
pub(super) struct Ritz {
    pub value: Complex,
    pub re: Vec<f64>,
    pub im: Vec<f64>,
}

/// A growing space of motions that obey the constraints.
struct Subspace<'a> {
    pencil: &'a Pencil,
    /// Orthonormal.
    basis: Vec<Vec<f64>>,
}

impl<'a> Subspace<'a> {
    /// Random vectors and what the operators make of them.
    fn new(pencil: &'a Pencil, count: usize) -> Self {
        let mut space = Subspace { pencil, basis: Vec::new() };
        let mut kicks = Kicks::new();
        let mut newest = Vec::new();
        for _ in 0..BLOCK {
            let random: Vec<f64> = (0..pencil.size()).map(|_| kicks.number()).collect();
            newest.extend(space.append(pencil.solve(pencil.product(&pencil.mass, &random))));
        }
        // a third of the vectors have become vibrations, as a rule
        let wanted = 3 * (count + BLOCK);
        while space.basis.len() < wanted && !newest.is_empty() {
            let former = std::mem::take(&mut newest);
            for k in former {
                let x = space.basis[k].clone();
                newest.extend(space.append(pencil.solve(pencil.product(&pencil.mass, &x))));
                if pencil.damping.largest() > 0.0 {
                    newest.extend(space.append(pencil.solve(pencil.product(&pencil.damping, &x))));
                }
            }
        }
        space
    }

    /// Takes the basis out of a vector and adds the rest to it; gives its number if it is new.
    fn append(&mut self, mut x: Vec<f64>) -> Option<usize> {
        let whole = norm(&x);
        // until taking out the others changes nothing
        for _ in 0..3 {
            for vector in &self.basis {
                let share: f64 = vector.iter().zip(&x).map(|(a, b)| a * b).sum();
                x.iter_mut().zip(vector).for_each(|(x, v)| *x -= share * v);
            }
        }
        let size = norm(&x);
        let room = self.basis.len() < self.pencil.size() - self.pencil.rows;
        if !(room && size > DEPENDENT * whole) {
            return None;
        }
        x.iter_mut().for_each(|x| *x /= size);
        self.basis.push(x);
        Some(self.basis.len() - 1)
    }

    /// Grows until the `count` lowest vibrations are exact, beside motions that nothing holds.
    fn run(mut self, count: usize) -> Option<Vec<Ritz>> {
        let mut former = f64::INFINITY;
        // what would do if nothing better comes
        let mut good: Option<Vec<Ritz>> = None;
        for _ in 0..MOST_ROUNDS {
            let found = self.lowest(count)?;
            let mut worst = 0.0_f64;
            let mut lacking = Vec::new();
            for ritz in &found {
                let (delta, size) = self.pencil.lacking(ritz);
                // motions without frequency need only be told as such
                if !self.pencil.floats(ritz.value) {
                    worst = worst.max(size);
                }
                if size > CONVERGED {
                    lacking.extend(delta);
                }
            }
            if worst <= CONVERGED || (worst <= ACCEPTED && worst > 0.3 * former) {
                return Some(found);
            }
            if worst > former && good.is_some() {
                return good;
            }
            former = worst;
            let before = self.basis.len();
            for delta in lacking {
                // what is small carries the rounding of what is not, across the constraints too
                let cleaned = self.pencil.allowed(&delta);
                self.append(cleaned);
            }
            good = (worst <= ACCEPTED).then_some(found);
            if self.basis.len() == before {
                // nothing is lacking but precision
                return good;
            }
        }
        good
    }

    /// The lowest vibrations of the subspace, one of each conjugate pair.
    fn lowest(&self, count: usize) -> Option<Vec<Ritz>> {
        let [mass, damping, stiffness] =
            [&self.pencil.mass, &self.pencil.damping, &self.pencil.stiffness]
                .map(|block| self.projected(block));
        let shift = self.pencil.shift;
        let classical = match self.pencil.conservative {
            true => definite(&mass, &stiffness, shift),
            false => None,
        };
        let all = match classical {
            Some(all) => all,
            None => general([&mass, &damping, &stiffness], shift)?,
        };
        let mut found = Vec::new();
        let mut held = 0;
        for (value, vector) in all {
            let floats = self.pencil.floats(value);
            // an aperiodic pair keeps both
            let lower = value.im < 0.0 && value.im.abs() > 1e-9 * abs(value);
            if !floats && (lower || held == count) {
                continue;
            }
            held += usize::from(!floats);
            let part = |of: fn(&Complex) -> f64| {
                let mut x = vec![0.0; self.pencil.size()];
                for (basis, share) in self.basis.iter().zip(&vector) {
                    let share = of(share);
                    x.iter_mut().zip(basis).for_each(|(x, b)| *x += share * b);
                }
                x
            };
            found.push(Ritz { value, re: part(|c| c.re), im: part(|c| c.im) });
        }
        Some(found)
    }

    fn projected(&self, block: &Block) -> Mat<f64> {
        let products: Vec<Vec<f64>> =
            self.basis.iter().map(|x| self.pencil.product(block, x)).collect();
        let size = self.basis.len();
        Mat::from_fn(size, size, |i, j| {
            self.basis[i].iter().zip(&products[j]).map(|(a, b)| a * b).sum()
        })
    }
}
