//! Modes of vibration, K x = λ M x, by block Lanczos iteration with the inverse of K − σM.
//!
//! All vectors are kept orthogonal to each other, twice over, so that no mode is found again; the
//! basis is restarted from its best vectors when it is full. Each mode is checked by its residual,
//! and the number of modes by the inertia of K − σM between the last mode and the next: no mode is
//! missed.

use crate::factor::{Factor, FactorError};
use crate::matrices::Matrices;
use nalgebra::{DMatrix, SymmetricEigen};

/// Columns that are multiplied at once. Bodies that float have six modes of one frequency.
const BLOCK: usize = 8;
/// Residual of a Ritz vector, relative to its value, at which it counts as a mode.
const CONVERGED: f64 = 1e-10;
/// Residual that a mode must have in the end.
const TRUSTED: f64 = 1e-7;
/// Eigenvalues closer than this are not separated by a count.
const CLUSTER: f64 = 1e-6;
/// Restarts after which the iteration gives up.
const RESTARTS: usize = 60;
/// Shift of bodies that float, as a part of the largest ratio of stiffness and mass.
const SHIFT: f64 = 1e-9;
/// A vector that shrinks to this part when others are taken out of it is made of them.
const DEPENDENT: f64 = 1e-9;

/// Modes in the order of their frequencies.
#[derive(Clone, Debug)]
pub struct Modes {
    /// Squares of the angular frequencies.
    pub values: Vec<f64>,
    /// Shapes as columns, of unit modal mass.
    pub shapes: DMatrix<f64>,
    /// Largest residual of a mode, ‖x − (λ − σ)(K − σM)⁻¹Mx‖ in the norm of the mass.
    pub residual: f64,
    /// The shift with which they were found; negative if the body floats.
    pub shift: f64,
}

impl Modes {
    /// Frequencies in hertz.
    pub fn frequencies(&self) -> Vec<f64> {
        let hertz = |value: &f64| value.max(0.0).sqrt() / (2.0 * std::f64::consts::PI);
        self.values.iter().map(hertz).collect()
    }
}

/// Which modes are wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wanted {
    /// So many of the lowest.
    Lowest(usize),
    /// All below a frequency in hertz.
    Below(f64),
}

/// Why there are no modes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ModesError {
    /// Neither stiffness nor mass determines this unknown.
    Singular {
        /// Its index.
        unknown: usize,
    },
    /// The matrix is too large for the memory.
    TooLarge,
    /// The iteration did not find all modes to full accuracy.
    NotConverged,
}

impl From<FactorError> for ModesError {
    fn from(error: FactorError) -> Self {
        match error {
            FactorError::Singular { unknown } => ModesError::Singular { unknown },
            FactorError::TooLarge => ModesError::TooLarge,
        }
    }
}

/// Number of modes below a frequency in hertz.
pub fn count_below(matrices: &Matrices, frequency: f64) -> Result<usize, ModesError> {
    let value = (2.0 * std::f64::consts::PI * frequency).powi(2);
    // next to an eigenvalue there is no factorisation: the count just above serves as well
    Factor::new(matrices, value)
        .or_else(|_| Factor::new(matrices, value * (1.0 + CLUSTER)))
        .map(|factor| factor.negative)
        .map_err(ModesError::from)
}

/// Finds the lowest modes.
pub fn modes(matrices: &Matrices, wanted: Wanted) -> Result<Modes, ModesError> {
    let n = matrices.size();
    let count = match wanted {
        Wanted::Lowest(count) => count.min(n),
        Wanted::Below(frequency) => count_below(matrices, frequency)?,
    };
    let (factor, shift) = factor_below(matrices)?;
    if count == 0 {
        let shapes = DMatrix::zeros(n, 0);
        return Ok(Modes { values: Vec::new(), shapes, residual: 0.0, shift });
    }
    Lanczos::new(matrices, factor, shift, count).run(count)
}

/// Factors the stiffness, or with a small negative shift if the body floats.
fn factor_below(matrices: &Matrices) -> Result<(Factor, f64), ModesError> {
    if let Ok(factor) = Factor::new(matrices, 0.0)
        && factor.negative == 0
    {
        return Ok((factor, 0.0));
    }
    let stiffness = matrices.diagonal(&matrices.stiffness);
    let mass = matrices.diagonal(&matrices.mass);
    let ratios = stiffness.iter().zip(&mass).filter(|(_, m)| **m > 0.0).map(|(k, m)| k / m);
    let shift = -SHIFT * ratios.fold(0.0, f64::max);
    Ok((Factor::new(matrices, shift)?, shift))
}

struct Lanczos<'a> {
    matrices: &'a Matrices,
    factor: Factor,
    shift: f64,
    /// Vectors, orthonormal with respect to the mass; the last block is not yet multiplied.
    basis: DMatrix<f64>,
    /// The mass times the vectors.
    weighted: DMatrix<f64>,
    /// Projection of (K − σM)⁻¹M.
    projection: DMatrix<f64>,
    /// Vectors that are multiplied already.
    done: usize,
    /// All vectors.
    filled: usize,
    block: usize,
    seed: u64,
}

impl<'a> Lanczos<'a> {
    fn new(matrices: &'a Matrices, factor: Factor, shift: f64, count: usize) -> Self {
        let n = matrices.size();
        let block = BLOCK.min(n);
        let capacity = (2 * count + 6 * block).min(n + block);
        Lanczos {
            matrices,
            factor,
            shift,
            basis: DMatrix::zeros(n, capacity),
            weighted: DMatrix::zeros(n, capacity),
            projection: DMatrix::zeros(capacity, capacity),
            done: 0,
            filled: 0,
            block,
            seed: 0x9e37_79b9_7f4a_7c15,
        }
    }

    fn run(mut self, count: usize) -> Result<Modes, ModesError> {
        let n = self.matrices.size();
        self.add_random();
        for _ in 0..RESTARTS {
            loop {
                let exhausted = self.filled == self.done;
                if exhausted && self.done >= n {
                    break;
                }
                if exhausted {
                    self.add_random();
                    if self.filled == self.done {
                        break;
                    }
                }
                if self.filled + self.block > self.basis.ncols() {
                    break;
                }
                self.multiply();
            }
            let (values, vectors) = self.ritz();
            let found = values.len().min(count);
            let complete = self.filled == self.done;
            let converged = (0..found)
                .all(|i| self.residual(&vectors, i) <= CONVERGED * values[i].abs());
            if (converged || complete) && self.none_missed(&values, count)? {
                return self.finish(&values, &vectors, found);
            }
            if complete {
                return Err(ModesError::NotConverged);
            }
            self.restart(&values, &vectors, count, converged);
        }
        Err(ModesError::NotConverged)
    }

    /// Multiplies the last block and appends what is new in the product.
    fn multiply(&mut self) {
        let (start, end) = (self.done, self.filled);
        let mut product = self.weighted.columns(start, end - start).into_owned();
        self.factor.solve(&mut product);
        let mut coefficients = DMatrix::zeros(end, end - start);
        for _ in 0..2 {
            let share = self.weighted.columns(0, end).tr_mul(&product);
            product -= self.basis.columns(0, end) * &share;
            coefficients += share;
        }
        self.done = end;
        let old = self.filled;
        let rest = self.append(product);
        for j in 0..end - start {
            for i in 0..end {
                self.projection[(i, start + j)] = coefficients[(i, j)];
                self.projection[(start + j, i)] = coefficients[(i, j)];
            }
            for i in old..self.filled {
                self.projection[(i, start + j)] = rest[(i - old, j)];
                self.projection[(start + j, i)] = rest[(i - old, j)];
            }
        }
    }

    /// Appends an orthonormal basis of some columns, which are orthogonal to the basis already, and
    /// gives the coefficients of the columns in it.
    fn append(&mut self, columns: DMatrix<f64>) -> DMatrix<f64> {
        let start = self.filled;
        let mut coefficients = DMatrix::zeros(columns.ncols(), columns.ncols());
        for (j, column) in columns.column_iter().enumerate() {
            let mut x = DMatrix::from_column_slice(columns.nrows(), 1, column.into_owned().as_slice());
            let mut size = f64::INFINITY;
            let mut weighted = self.matrices.mass_times(&x);
            let whole = x.dot(&weighted).max(0.0).sqrt();
            // until taking out the others changes nothing
            for _ in 0..3 {
                let share = self.weighted.columns(0, self.filled).tr_mul(&x);
                x -= self.basis.columns(0, self.filled) * &share;
                for i in start..self.filled {
                    coefficients[(i - start, j)] += share[i];
                }
                weighted = self.matrices.mass_times(&x);
                size = x.dot(&weighted).max(0.0).sqrt();
            }
            if size <= DEPENDENT * whole || size == 0.0 || self.filled == self.basis.ncols() {
                continue;
            }
            self.basis.set_column(self.filled, &(x / size).column(0));
            self.weighted.set_column(self.filled, &(weighted / size).column(0));
            coefficients[(self.filled - start, j)] = size;
            self.filled += 1;
        }
        coefficients
    }

    /// Appends a block of arbitrary vectors, in the range of the operator.
    fn add_random(&mut self) {
        let n = self.matrices.size();
        let mut random = || {
            // xorshift: results must not change from run to run
            self.seed ^= self.seed << 13;
            self.seed ^= self.seed >> 7;
            self.seed ^= self.seed << 17;
            (self.seed >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        let start = DMatrix::from_fn(n, self.block, |_, _| random());
        let mut vectors = self.matrices.mass_times(&start);
        self.factor.solve(&mut vectors);
        for _ in 0..2 {
            let share = self.weighted.columns(0, self.filled).tr_mul(&vectors);
            vectors -= self.basis.columns(0, self.filled) * share;
        }
        self.append(vectors);
    }

    /// Values of the projected operator, largest first, and its vectors.
    fn ritz(&self) -> (Vec<f64>, DMatrix<f64>) {
        let projection = self.projection.view((0, 0), (self.done, self.done)).into_owned();
        let eigen = SymmetricEigen::new(projection);
        let mut order: Vec<usize> = (0..self.done).collect();
        order.sort_by(|a, b| eigen.eigenvalues[*b].total_cmp(&eigen.eigenvalues[*a]));
        let values: Vec<f64> = order.iter().map(|&i| eigen.eigenvalues[i]).collect();
        // values of rounding belong to motions without mass
        let sound = values.iter().take_while(|value| **value > 1e-14 * values[0]).count();
        (values[..sound].to_vec(), eigen.eigenvectors.select_columns(&order[..sound]))
    }

    /// What the operator maps a Ritz vector to beyond the basis.
    fn residual(&self, vectors: &DMatrix<f64>, i: usize) -> f64 {
        let rest = self.projection.view((self.done, 0), (self.filled - self.done, self.done));
        (rest * vectors.column(i)).norm()
    }

    fn eigenvalue(&self, ritz: f64) -> f64 {
        self.shift + 1.0 / ritz
    }

    /// Counts the eigenvalues below a gap behind the wanted ones.
    fn none_missed(&self, values: &[f64], count: usize) -> Result<bool, ModesError> {
        let mut last = count.min(values.len());
        loop {
            let value = self.eigenvalue(values[last - 1]);
            let size = value.abs().max(self.shift.abs());
            let next = values.get(last).map_or(value + size, |ritz| self.eigenvalue(*ritz));
            if next - value < CLUSTER * size {
                last += 1;
                continue;
            }
            let between = value + (0.5 * (next - value)).min(0.01 * size);
            let counted = Factor::new(self.matrices, between)
                .or_else(|_| Factor::new(self.matrices, value + 0.5 * (between - value)))?;
            return Ok(counted.negative == last);
        }
    }

    /// Goes on with the best vectors and the last block.
    fn restart(&mut self, values: &[f64], vectors: &DMatrix<f64>, count: usize, missed: bool) {
        let keep = (count + self.block).min(values.len());
        let rest = self.filled - self.done;
        let best = vectors.columns(0, keep);
        let kept = self.basis.columns(0, self.done) * best;
        let kept_weighted = self.weighted.columns(0, self.done) * best;
        let tail = self.basis.columns(self.done, rest).into_owned();
        let tail_weighted = self.weighted.columns(self.done, rest).into_owned();
        let coupling = self.projection.view((self.done, 0), (rest, self.done)) * best;
        self.basis.columns_mut(0, keep).copy_from(&kept);
        self.weighted.columns_mut(0, keep).copy_from(&kept_weighted);
        self.projection.fill(0.0);
        for (i, value) in values[..keep].iter().enumerate() {
            self.projection[(i, i)] = *value;
        }
        self.done = keep;
        self.filled = keep;
        if missed {
            // the iteration has seen nothing of the missing modes: it must begin elsewhere
            self.add_random();
            return;
        }
        self.basis.columns_mut(keep, rest).copy_from(&tail);
        self.weighted.columns_mut(keep, rest).copy_from(&tail_weighted);
        self.projection.view_mut((keep, 0), (rest, keep)).copy_from(&coupling);
        self.projection.view_mut((0, keep), (keep, rest)).copy_from(&coupling.transpose());
        self.filled = keep + rest;
    }

    /// Forms the modes and checks each by multiplying it once more.
    fn finish(
        &self,
        values: &[f64],
        vectors: &DMatrix<f64>,
        count: usize,
    ) -> Result<Modes, ModesError> {
        let shapes = self.basis.columns(0, self.done) * vectors.columns(0, count);
        let mut product = self.matrices.mass_times(&shapes);
        self.factor.solve(&mut product);
        let mut residual = 0.0_f64;
        for i in 0..count {
            let difference =
                DMatrix::from_columns(&[shapes.column(i) - product.column(i) / values[i]]);
            let size = difference.dot(&self.matrices.mass_times(&difference)).max(0.0).sqrt();
            residual = residual.max(size);
        }
        if residual.is_nan() || residual > TRUSTED {
            return Err(ModesError::NotConverged);
        }
        let values = values[..count].iter().map(|ritz| self.eigenvalue(*ritz)).collect();
        Ok(Modes { values, shapes, residual, shift: self.shift })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An n × n membrane of masses and springs: λ_ij = μ_i + μ_j, most of them double.
    fn membrane(n: usize, held: bool) -> (Matrices, Vec<f64>) {
        let mut stiffness = Vec::new();
        let at = |i: usize, j: usize| i * n + j;
        for i in 0..n {
            for j in 0..n {
                let near = [(i.wrapping_sub(1), j), (i + 1, j), (i, j.wrapping_sub(1)), (i, j + 1)];
                for (a, b) in near {
                    let inside = a < n && b < n;
                    if inside {
                        stiffness.push((at(i, j), at(a, b), -1.0));
                    }
                    if inside || held {
                        stiffness.push((at(i, j), at(i, j), 1.0));
                    }
                }
            }
        }
        let mass: Vec<_> = (0..n * n).map(|i| (i, i, 1.0)).collect();
        let angle = |k: usize| match held {
            true => (k + 1) as f64 * std::f64::consts::PI / (2.0 * (n + 1) as f64),
            false => k as f64 * std::f64::consts::PI / (2.0 * n as f64),
        };
        let line = |k: usize| 4.0 * angle(k).sin().powi(2);
        let mut exact: Vec<f64> =
            (0..n * n).map(|k| line(k / n) + line(k % n)).collect();
        exact.sort_by(f64::total_cmp);
        (Matrices::from_entries(n * n, &stiffness, &mass), exact)
    }

    #[test]
    fn double_modes_are_found_twice() {
        for held in [true, false] {
            let (matrices, exact) = membrane(20, held);
            for count in [1, 3, 40] {
                let modes = modes(&matrices, Wanted::Lowest(count)).unwrap();
                for (found, exact) in modes.values.iter().zip(&exact) {
                    assert!((found - exact).abs() < 1e-10, "{found} {exact}");
                }
                assert_eq!(modes.values.len(), count);
            }
        }
    }

    #[test]
    fn shapes_are_orthonormal_and_solve_the_equation() {
        let (matrices, _) = membrane(12, true);
        let modes = modes(&matrices, Wanted::Lowest(10)).unwrap();
        let gram = modes.shapes.tr_mul(&matrices.mass_times(&modes.shapes));
        assert!((gram - DMatrix::identity(10, 10)).abs().max() < 1e-12);
        let values = DMatrix::from_diagonal(&nalgebra::DVector::from_column_slice(&modes.values));
        let rest = matrices.stiffness_times(&modes.shapes)
            - matrices.mass_times(&modes.shapes) * values;
        assert!(rest.abs().max() < 1e-9);
    }

    #[test]
    fn a_limit_counts_and_small_systems_are_found_whole() {
        let (matrices, exact) = membrane(5, true);
        let frequency = exact[9].sqrt() / (2.0 * std::f64::consts::PI);
        let below = exact.iter().filter(|value| **value < exact[9] * 1.01).count();
        let found = modes(&matrices, Wanted::Below(frequency * 1.005)).unwrap();
        assert_eq!(found.values.len(), below);
        assert_eq!(modes(&matrices, Wanted::Lowest(100)).unwrap().values.len(), 25);
    }
}
