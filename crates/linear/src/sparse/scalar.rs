//! Scalar sparse LU for factors with little fill.
//!
//! The first factorisation finds pivots and fill column by column [Gilbert & Peierls 1988] with
//! threshold pivoting that prefers the diagonal; later ones keep both and only recompute the
//! numbers.

use crate::error::FactorError;
use crate::pattern::Pattern;
use crate::simd;
use crate::sparse::health::Health;
use crate::sparse::panels::{Columns, Panels, Side};
use serde::{Deserialize, Serialize};

const NONE: u32 = u32::MAX;
/// Pivots below this fraction of the largest number met in their column are rounding noise.
const NOISE: f64 = 64.0 * f64::EPSILON;

/// Triangular factors with fixed pattern and pivots.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ScalarLu {
    columns: Vec<u32>,
    pivot_rows: Vec<u32>,
    /// Pivot step of the row of each matrix entry, columns in pivot order.
    destinations: Vec<u32>,
    lower: Panels,
    upper: Panels,
    /// Panels of `lower` that eliminate each column, without its own: starts and numbers.
    eliminating: (Vec<usize>, Vec<u32>),
    inverse_pivots: Vec<f64>,
    work: Vec<f64>,
}

/// Columns of a triangular factor without its diagonal, while it grows.
struct Triangle {
    starts: Vec<usize>,
    rows: Vec<u32>,
    values: Vec<f64>,
}

impl Triangle {
    fn new(n: usize) -> Triangle {
        let mut starts = Vec::with_capacity(n + 1);
        starts.push(0);
        Triangle { starts, rows: Vec::new(), values: Vec::new() }
    }

    fn push(&mut self, row: u32, value: f64) {
        self.rows.push(row);
        self.values.push(value);
    }

    fn close_column(&mut self) {
        self.starts.push(self.rows.len());
    }

    fn columns(self) -> Columns {
        Columns::new(self.starts, self.rows)
    }
}

/// Depth-first search for the rows that a new column reaches through the finished columns.
struct Reach {
    mark: Vec<u32>,
    stack: Vec<(u32, usize)>,
    /// Rows with a pivot, in reverse order of elimination.
    eliminated: Vec<u32>,
    /// Rows without a pivot yet.
    open: Vec<u32>,
}

impl Reach {
    fn search(&mut self, k: u32, column: &[usize], steps: &[u32], lower: &Triangle) {
        self.eliminated.clear();
        self.open.clear();
        for &row in column {
            self.visit(k, row as u32, steps, lower);
            while let Some((row, next)) = self.stack.last_mut() {
                let step = steps[*row as usize] as usize;
                if *next < lower.starts[step + 1] {
                    let below = lower.rows[*next];
                    *next += 1;
                    self.visit(k, below, steps, lower);
                } else {
                    self.eliminated.push(*row);
                    self.stack.pop();
                }
            }
        }
    }

    fn visit(&mut self, k: u32, row: u32, steps: &[u32], lower: &Triangle) {
        let mark = &mut self.mark[row as usize];
        if *mark == k {
            return;
        }
        *mark = k;
        match steps[row as usize] {
            NONE => self.open.push(row),
            step => self.stack.push((row, lower.starts[step as usize])),
        }
    }
}

impl ScalarLu {
    /// Factors with columns in the given order. A diagonal pivot is taken if it is at least
    /// `threshold` times the largest candidate.
    pub(crate) fn new(
        pattern: &Pattern,
        values: &[f64],
        order: &[u32],
        threshold: f64,
    ) -> Result<(ScalarLu, Health), FactorError> {
        let n = pattern.cols();
        let mut steps = vec![NONE; n];
        let mut pivot_rows = Vec::with_capacity(n);
        let mut inverse_pivots = Vec::with_capacity(n);
        let (mut lower, mut upper) = (Triangle::new(n), Triangle::new(n));
        let mut work = vec![0.0_f64; n];
        let mut health = Health::perfect();
        let mut reach = Reach {
            mark: vec![NONE; n],
            stack: Vec::new(),
            eliminated: Vec::new(),
            open: Vec::new(),
        };
        for k in 0..n {
            let j = order[k] as usize;
            reach.search(k as u32, pattern.column(j), &steps, &lower);
            let start = pattern.column_start(j);
            for (p, &row) in pattern.column(j).iter().enumerate() {
                work[row] = values[start + p];
            }
            let mut scale = 0.0_f64;
            for &row in reach.eliminated.iter().rev() {
                let step = steps[row as usize] as usize;
                let head = std::mem::take(&mut work[row as usize]);
                scale = scale.max(head.abs());
                upper.push(step as u32, head);
                for p in lower.starts[step]..lower.starts[step + 1] {
                    work[lower.rows[p] as usize] -= lower.values[p] * head;
                }
            }
            upper.close_column();
            let mut pivot_row = NONE;
            let mut largest = 0.0_f64;
            for &row in &reach.open {
                let size = work[row as usize].abs();
                if size > largest {
                    largest = size;
                    pivot_row = row;
                }
            }
            if pivot_row == NONE || largest <= NOISE * scale {
                return Err(FactorError::Singular { unknown: j });
            }
            let diagonal = work[j].abs();
            if steps[j] == NONE && diagonal > 0.0 && diagonal >= threshold * largest {
                pivot_row = j as u32;
            }
            let pivot = std::mem::take(&mut work[pivot_row as usize]);
            health.note(pivot, largest / pivot.abs());
            inverse_pivots.push(1.0 / pivot);
            pivot_rows.push(pivot_row);
            steps[pivot_row as usize] = k as u32;
            for &row in reach.open.iter().filter(|&&row| row != pivot_row) {
                lower.push(row, std::mem::take(&mut work[row as usize]) / pivot);
            }
            lower.close_column();
        }
        for row in lower.rows.iter_mut() {
            *row = steps[*row as usize];
        }
        let destinations = order
            .iter()
            .flat_map(|&j| pattern.column(j as usize).iter().map(|&row| steps[row]))
            .collect();
        let upper_columns = upper.columns();
        let lower = Panels::new(&lower.columns(), Side::Lower);
        let mut eliminating = (vec![0], Vec::new());
        for k in 0..n {
            let mut last = lower.of[k];
            for panel in upper_columns.rows(k).iter().map(|&step| lower.of[step as usize]) {
                if panel != last && panel != lower.of[k] {
                    eliminating.1.push(panel);
                }
                last = panel;
            }
            eliminating.0.push(eliminating.1.len());
        }
        let mut factor = ScalarLu {
            columns: order.to_vec(),
            pivot_rows,
            destinations,
            lower,
            upper: Panels::new(&upper_columns, Side::Upper),
            eliminating,
            inverse_pivots,
            work,
        };
        factor.refactor(pattern, values);
        Ok((factor, health))
    }

    /// Number of entries in the factors.
    pub(crate) fn fill(&self) -> usize {
        self.lower.entries + self.upper.entries + self.inverse_pivots.len()
    }

    /// Recomputes the factors of a matrix with the same pattern and the same pivots.
    pub(crate) fn refactor(&mut self, pattern: &Pattern, values: &[f64]) -> Health {
        assert_eq!(values.len(), self.destinations.len(), "pattern changed");
        #[cfg(target_arch = "x86_64")]
        if simd::available() {
            // SAFETY: the processor has the features the copy is compiled for.
            #[allow(unsafe_code)]
            return unsafe { self.refactor_fused(pattern, values) };
        }
        self.refactor_any::<false>(pattern, values)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn refactor_fused(&mut self, pattern: &Pattern, values: &[f64]) -> Health {
        self.refactor_any::<true>(pattern, values)
    }

    #[inline(always)]
    fn refactor_any<const FUSED: bool>(&mut self, pattern: &Pattern, values: &[f64]) -> Health {
        let mut health = Health::perfect();
        let work = &mut self.work[..];
        let mut destinations = self.destinations.iter();
        for k in 0..self.inverse_pivots.len() {
            let j = self.columns[k] as usize;
            let column = &values[pattern.column_start(j)..pattern.column_start(j + 1)];
            for (&value, &to) in column.iter().zip(&mut destinations) {
                work[to as usize] = value;
            }
            let panels = self.eliminating.0[k]..self.eliminating.0[k + 1];
            for &panel in &self.eliminating.1[panels] {
                self.lower.eliminate::<FUSED>(panel as usize, work);
            }
            self.lower.eliminate_before::<FUSED>(k, work);
            let pivot = std::mem::take(&mut work[k]);
            let inverse = 1.0 / pivot;
            self.inverse_pivots[k] = inverse;
            // What is left of the column: heads above the pivot, candidates below.
            self.upper.take_column(k, 1.0, work);
            let growth = self.lower.take_column(k, inverse, work);
            health.note(pivot, growth.max(1.0));
        }
        health
    }

    /// Replaces `b` by the solution.
    pub(crate) fn solve(&mut self, b: &mut [f64]) {
        #[cfg(target_arch = "x86_64")]
        if simd::available() {
            // SAFETY: the processor has the features the copy is compiled for.
            #[allow(unsafe_code)]
            return unsafe { self.solve_fused(b) };
        }
        self.solve_any::<false>(b)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn solve_fused(&mut self, b: &mut [f64]) {
        self.solve_any::<true>(b)
    }

    #[inline(always)]
    fn solve_any<const FUSED: bool>(&mut self, b: &mut [f64]) {
        let n = self.inverse_pivots.len();
        let work = &mut self.work[..n];
        for (entry, &row) in work.iter_mut().zip(&self.pivot_rows) {
            *entry = b[row as usize];
        }
        for panel in 0..self.lower.count() {
            self.lower.eliminate::<FUSED>(panel, work);
        }
        for panel in (0..self.upper.count()).rev() {
            self.upper.substitute::<FUSED>(panel, &self.inverse_pivots, work);
        }
        for (entry, &unknown) in work.iter_mut().zip(&self.columns) {
            b[unknown as usize] = std::mem::take(entry);
        }
    }
}
