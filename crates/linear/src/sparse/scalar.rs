//! Scalar sparse LU for factors with little fill.
//!
//! The first factorisation finds pivots and fill column by column [Gilbert & Peierls 1988] with
//! threshold pivoting that prefers the diagonal; later ones keep both and only recompute the
//! numbers.

use crate::error::FactorError;
use crate::pattern::Pattern;
use crate::simd::Lanes;
use crate::sparse::columns::Columns;
use crate::sparse::health::Health;
use crate::sparse::panels::Panels;
use serde::{Deserialize, Serialize};

const NONE: u32 = u32::MAX;
/// Pivots below this fraction of the largest number met in their column are rounding noise.
const NOISE: f64 = 64.0 * f64::EPSILON;

/// Triangular factors with fixed pattern and pivots.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ScalarLu {
    columns: Vec<u32>,
    pivot_rows: Vec<u32>,
    /// Where each matrix entry goes in `work`, columns in pivot order.
    destinations: Vec<u32>,
    panels: Panels,
    /// Panels that eliminate each column, without its own: starts and numbers.
    eliminating: (Vec<usize>, Vec<u32>),
    inverse_pivots: Vec<f64>,
    /// A vector as the panels lay it out; zero between uses.
    work: Vec<Lanes>,
}

/// Columns of the lower factor without its diagonal, while it grows.
struct Lower {
    starts: Vec<usize>,
    rows: Vec<u32>,
    values: Vec<f64>,
}

impl Lower {
    fn new(n: usize) -> Lower {
        let mut starts = Vec::with_capacity(n + 1);
        starts.push(0);
        Lower { starts, rows: Vec::new(), values: Vec::new() }
    }

    fn push(&mut self, row: u32, value: f64) {
        self.rows.push(row);
        self.values.push(value);
    }

    fn close_column(&mut self) {
        self.starts.push(self.rows.len());
    }

    /// What is left of it when the numbers have done their service: its rows, by the steps that eliminate them.
    fn columns(self, steps: &[u32]) -> Columns {
        let Lower { starts, mut rows, values } = self;
        drop(values);
        rows.iter_mut().for_each(|row| *row = steps[*row as usize]);
        Columns::new(starts, rows)
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
    fn search(&mut self, k: u32, column: &[u32], steps: &[u32], lower: &Lower) {
        self.eliminated.clear();
        self.open.clear();
        for &row in column {
            self.visit(k, row, steps, lower);
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

    fn visit(&mut self, k: u32, row: u32, steps: &[u32], lower: &Lower) {
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
        // of the upper factor only the places are of use: its numbers are found again in panels
        let (mut lower, mut upper) = (Lower::new(n), (vec![0], Vec::new()));
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
                work[row as usize] = values[start + p];
            }
            let mut scale = 0.0_f64;
            for &row in reach.eliminated.iter().rev() {
                let step = steps[row as usize] as usize;
                let head = std::mem::take(&mut work[row as usize]);
                scale = scale.max(head.abs());
                upper.1.push(step as u32);
                for p in lower.starts[step]..lower.starts[step + 1] {
                    work[lower.rows[p] as usize] -= lower.values[p] * head;
                }
            }
            upper.0.push(upper.1.len());
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
        drop((work, reach));
        let upper = Columns::new(upper.0, upper.1);
        let panels = Panels::new(&lower.columns(&steps), &upper);
        let destinations = order
            .iter()
            .flat_map(|&j| {
                pattern
                    .column(j as usize)
                    .iter()
                    .map(|&row| panels.slot(steps[row as usize] as usize))
            })
            .collect();
        let mut eliminating = (vec![0], Vec::new());
        for k in 0..n {
            let mut last = panels.of[k];
            for panel in upper.rows(k).iter().map(|&step| panels.of[step as usize]) {
                if panel != last && panel != panels.of[k] {
                    eliminating.1.push(panel);
                }
                last = panel;
            }
            eliminating.0.push(eliminating.1.len());
        }
        let work = vec![Lanes::default(); panels.block_count()];
        let mut factor = ScalarLu {
            columns: order.to_vec(),
            pivot_rows,
            destinations,
            panels,
            eliminating,
            inverse_pivots,
            work,
        };
        factor.refactor(pattern, values);
        Ok((factor, health))
    }

    /// Number of entries in the factors.
    pub(crate) fn fill(&self) -> usize {
        self.panels.entries + self.inverse_pivots.len()
    }

    /// Recomputes the factors of a matrix with the same pattern and the same pivots.
    pub(crate) fn refactor(&mut self, pattern: &Pattern, values: &[f64]) -> Health {
        assert_eq!(values.len(), self.destinations.len(), "pattern changed");
        #[cfg(target_arch = "x86_64")]
        if crate::simd::available() {
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
        // a factorisation that met infinities may have left something
        work.fill(Lanes::default());
        let mut destinations = self.destinations.iter();
        for k in 0..self.inverse_pivots.len() {
            let j = self.columns[k] as usize;
            let column = &values[pattern.column_start(j)..pattern.column_start(j + 1)];
            let flat = work.as_flattened_mut();
            for (&value, &to) in column.iter().zip(&mut destinations) {
                flat[to as usize] = value;
            }
            let panels = self.eliminating.0[k]..self.eliminating.0[k + 1];
            for &panel in &self.eliminating.1[panels] {
                self.panels.eliminate::<FUSED>(panel as usize, work, |_, own| own);
            }
            self.panels.eliminate_before::<FUSED>(k, work);
            let (pivot, inverse, growth) = self.panels.take_column(k, work);
            self.inverse_pivots[k] = inverse;
            health.note(pivot, growth.max(1.0));
        }
        health
    }

    /// Replaces `b` by the solution.
    pub(crate) fn solve(&mut self, b: &mut [f64]) {
        #[cfg(target_arch = "x86_64")]
        if crate::simd::available() {
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
        let (rows, unknowns) = (&self.pivot_rows[..n], &self.columns[..n]);
        for panel in 0..self.panels.count() {
            let load = |k: usize, own: f64| b[rows[k] as usize] + own;
            self.panels.eliminate::<FUSED>(panel, &mut self.work, load);
        }
        for panel in (0..self.panels.count()).rev() {
            let store = |k: usize, x: f64| b[unknowns[k] as usize] = x;
            self.panels.substitute::<FUSED>(panel, &self.inverse_pivots, &mut self.work, store);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number between −½ and ½ without pattern.
    fn number(seed: usize) -> f64 {
        let x = (seed as f64 * 12.9898).sin() * 43758.5453;
        x - x.floor() - 0.5
    }

    #[test]
    fn factors_solve_whatever_the_pattern() {
        for case in 0..400 {
            let n = 3 + case % 80;
            // dense groups, narrower and wider than panels, and strangers
            let (group, strangers) = (1 + case % 13, 0.1 * number(case).abs());
            let entries: Vec<(usize, usize)> = (0..n * n)
                .map(|k| (k % n, k / n))
                .filter(|&(i, j)| {
                    i / group == j / group || number(7919 * case + 31 * i + j).abs() < strangers
                })
                .collect();
            let pattern = Pattern::from_entries(n, n, &entries);
            let values = |round: usize| -> Vec<f64> {
                let value = |(p, (i, j)): (usize, (usize, usize))| {
                    let diagonal = if i == j { 0.3 * (case % 3) as f64 } else { 0.0 };
                    number(17 * p + case) + 1e-3 * number(1000 * round + p) + diagonal
                };
                pattern.iter().enumerate().map(value).collect()
            };
            let order: Vec<u32> = (0..n as u32).collect();
            let (mut factor, _) = ScalarLu::new(&pattern, &values(0), &order, 0.1).unwrap();
            for round in 0..3 {
                let values = values(round);
                factor.refactor(&pattern, &values);
                // what was no number leaves nothing behind
                let mut wrong = vec![0.0; n];
                wrong[case % n] = [f64::NAN, f64::INFINITY, 1e305][case % 3];
                factor.solve(&mut wrong);
                let x: Vec<f64> = (0..n).map(|i| number(i + 3)).collect();
                let mut b = vec![0.0; n];
                for ((i, j), value) in pattern.iter().zip(&values) {
                    b[i] += value * x[j];
                }
                factor.solve(&mut b);
                let worst = b.iter().zip(&x).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(worst < 1e-6, "{case}, {round}: {worst}");
            }
        }
    }
}
