//! Equilibration of sparse matrices by powers of two.
//!
//! Ruiz sweeps divide each row and column by the square root of its largest entry until all are
//! near one; a saddle point keeps its symmetry. Powers of two leave every digit of the entries.

use crate::pattern::Pattern;
use serde::{Deserialize, Serialize};

/// Each sweep halves the spread of the exponents; six bring 2⁴⁰ below 2.
const SWEEPS: usize = 6;

/// Row and column factors that bring the largest entry of each row and column near one.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Scaling {
    pub(crate) row: Vec<f64>,
    pub(crate) col: Vec<f64>,
}

impl Scaling {
    pub(crate) fn identity(n: usize) -> Scaling {
        Scaling { row: vec![1.0; n], col: vec![1.0; n] }
    }

    /// Computes the factors afresh for finite `values`, with `largest` as work space.
    pub(crate) fn equilibrate(&mut self, pattern: &Pattern, values: &[f64], largest: &mut [f64]) {
        let n = pattern.cols();
        self.row.fill(1.0);
        self.col.fill(1.0);
        for _ in 0..SWEEPS {
            let row_largest = &mut largest[..n];
            row_largest.fill(0.0);
            for j in 0..n {
                let start = pattern.column_start(j);
                let mut column_largest = 0.0_f64;
                for (p, &i) in pattern.column(j).iter().enumerate() {
                    let i = i as usize;
                    let size = (values[start + p] * self.row[i] * self.col[j]).abs();
                    row_largest[i] = row_largest[i].max(size);
                    column_largest = column_largest.max(size);
                }
                self.col[j] *= correction(column_largest);
            }
            for (factor, &size) in self.row.iter_mut().zip(row_largest.iter()) {
                *factor *= correction(size);
            }
        }
        for factor in self.row.iter_mut().chain(self.col.iter_mut()) {
            *factor = power_of_two(*factor);
        }
    }
}

fn correction(size: f64) -> f64 {
    if size > f64::MIN_POSITIVE { 1.0 / size.sqrt() } else { 1.0 }
}

/// The power of two nearest to a positive number on the logarithmic scale.
fn power_of_two(x: f64) -> f64 {
    let exponent_bits = 0x7ff0_0000_0000_0000;
    f64::from_bits((x * std::f64::consts::SQRT_2).to_bits() & exponent_bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_power() {
        for (x, expected) in [(1.0, 1.0), (0.9, 1.0), (0.6, 0.5), (1e-12, 2.0_f64.powi(-40))] {
            assert_eq!(power_of_two(x), expected);
        }
    }

    #[test]
    fn stiff_saddle_point_is_equilibrated() {
        let pattern = Pattern::dense(3, 3);
        let values = [1e12, 3.0, 1.0, 2.0, 1e9, 1.0, 1.0, 1.0, 0.0];
        let mut scaling = Scaling::identity(3);
        scaling.equilibrate(&pattern, &values, &mut [0.0; 3]);
        for i in 0..3 {
            let row = (0..3).map(|j| (values[3 * j + i] * scaling.row[i] * scaling.col[j]).abs());
            let largest = row.fold(0.0, f64::max);
            assert!((0.3..3.0).contains(&largest), "row {i}: {largest}");
        }
    }
}
