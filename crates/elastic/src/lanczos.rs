//! Block Lanczos iteration with the inverse of K − σM.

use crate::factor::Factor;
use crate::matrices::Matrices;
use crate::modes::{CLUSTER, Modes, ModesError};
use nalgebra::{DMatrix, SymmetricEigen};

/// Columns that are multiplied at once. Bodies that float have six modes of one frequency.
const BLOCK: usize = 8;
/// Residual of a Ritz vector, relative to its value, at which it counts as a mode.
const CONVERGED: f64 = 1e-10;
/// Residual that a mode must have in the end.
const TRUSTED: f64 = 1e-7;
/// Restarts after which the iteration gives up.
const RESTARTS: usize = 60;
/// A vector that shrinks to this part when others are taken out of it is made of them.
const DEPENDENT: f64 = 1e-9;

/// The iteration and its vectors.
pub(crate) struct Lanczos<'a> {
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
    pub(crate) fn new(matrices: &'a Matrices, factor: Factor, shift: f64, count: usize) -> Self {
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

    /// Iterates until `count` modes are found and none is missed.
    pub(crate) fn run(mut self, count: usize) -> Result<Modes, ModesError> {
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
            let converged =
                (0..found).all(|i| self.residual(&vectors, i) <= CONVERGED * values[i].abs());
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
            let mut x =
                DMatrix::from_column_slice(columns.nrows(), 1, column.into_owned().as_slice());
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
            if size <= DEPENDENT * whole || size == 0.0 || self.is_full() {
                continue;
            }
            self.basis.set_column(self.filled, &(x / size).column(0));
            self.weighted.set_column(self.filled, &(weighted / size).column(0));
            coefficients[(self.filled - start, j)] = size;
            self.filled += 1;
        }
        coefficients
    }

    /// True if there is no room, or if the basis spans everything: what is left is rounding.
    fn is_full(&self) -> bool {
        self.filled == self.basis.ncols() || self.filled == self.matrices.size()
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
