//! Coordinate splitting: dependent coordinates `Y` for which `GY` is well conditioned, and the
//! multipliers they give. [Yen et al. 1998, sheet §1, §5.4]

use crate::system::{Point, System};
use rotula_linear::Pattern;
use serde::{Deserialize, Serialize};

/// Multipliers `s` with `Yᵀ(r − Gᵀs) = 0` for a residual `r`, dense: meant for small systems.
#[derive(Serialize, Deserialize)]
pub(crate) struct CoordinateSplit {
    pattern: Pattern,
    values: Vec<f64>,
    /// `G` as rows, eliminated in place with column pivoting.
    upper: Vec<f64>,
    /// Elimination multipliers.
    lower: Vec<f64>,
    /// Dependent coordinate of each elimination step, and the row order.
    columns: Vec<usize>,
    rows: Vec<usize>,
    scratch: Vec<f64>,
}

impl CoordinateSplit {
    pub fn new(pattern: Pattern) -> Self {
        let (m, n) = (pattern.rows(), pattern.cols());
        CoordinateSplit {
            values: vec![0.0; pattern.entries()],
            upper: vec![0.0; m * n],
            lower: vec![0.0; m * m],
            columns: vec![0; m],
            rows: (0..m).collect(),
            scratch: vec![0.0; m],
            pattern,
        }
    }

    /// Chooses the dependent coordinates by complete pivoting of the row-normalised gradient.
    pub fn factorise(&mut self, system: &mut dyn System, at: &Point) {
        let (m, n) = (self.pattern.rows(), self.pattern.cols());
        system.constraint_gradient(at, &mut self.values);
        self.upper.fill(0.0);
        self.lower.fill(0.0);
        for ((row, col), value) in self.pattern.iter().zip(&self.values) {
            self.upper[row * n + col] = *value;
        }
        self.rows.iter_mut().enumerate().for_each(|(i, row)| *row = i);
        for k in 0..m {
            let (mut best, mut at_row, mut at_col) = (-1.0, k, 0);
            for i in k..m {
                for j in 0..n {
                    let size = self.upper[self.rows[i] * n + j].abs();
                    if size > best {
                        (best, at_row, at_col) = (size, i, j);
                    }
                }
            }
            self.rows.swap(k, at_row);
            for j in 0..k {
                self.lower.swap(k * m + j, at_row * m + j);
            }
            self.columns[k] = at_col;
            let pivot_row = self.rows[k];
            let pivot = self.upper[pivot_row * n + at_col];
            for i in k + 1..m {
                let row = self.rows[i];
                let factor = if pivot == 0.0 { 0.0 } else { self.upper[row * n + at_col] / pivot };
                self.lower[i * m + k] = factor;
                for j in 0..n {
                    self.upper[row * n + j] -= factor * self.upper[pivot_row * n + j];
                }
            }
        }
    }

    /// Solves `(GY)ᵀ s = Yᵀ r`.
    pub fn multipliers(&mut self, residual: &[f64], out: &mut [f64]) {
        let (m, n) = (self.pattern.rows(), self.pattern.cols());
        // (GY) = L U in the pivoted order; its transpose is solved by Uᵀ, then Lᵀ.
        let z = &mut self.scratch;
        for k in 0..m {
            let mut sum = residual[self.columns[k]];
            for (i, zi) in z.iter().enumerate().take(k) {
                sum -= self.upper[self.rows[i] * n + self.columns[k]] * zi;
            }
            let pivot = self.upper[self.rows[k] * n + self.columns[k]];
            z[k] = if pivot == 0.0 { 0.0 } else { sum / pivot };
        }
        for k in (0..m).rev() {
            for i in k + 1..m {
                z[k] -= self.lower[i * m + k] * z[i];
            }
        }
        for k in 0..m {
            out[self.rows[k]] = z[k];
        }
    }
}
