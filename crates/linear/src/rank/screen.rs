//! Which rows of a large sparse matrix may depend on others, by a sparse Cholesky factorisation of
//! the products of the rows with each other.
//!
//! With rows of length one, the pivot of a row is the square of its part that is independent of the
//! rows before it. Squares lose half of the digits: a large pivot proves independence, a small one
//! raises a suspicion that the caller must look into.

use crate::pattern::Pattern;
use crate::sparse::elimination::{ROOT, inverse, minimum_degree, tree};

/// Pivots above this are far from rounding.
const CLEAR: f64 = 1e-8;
/// Coefficients of a combination below this size are rounding noise.
const NOISE: f64 = 1e-8;

/// Rows that may depend on others together with the rows they may depend on, increasing; `None` if
/// the products of the rows fill more than the matrix itself would if it were full.
pub(super) fn suspects(pattern: &Pattern, values: &[f64], norms: &[f64]) -> Option<Vec<usize>> {
    let (m, n) = (pattern.rows(), pattern.cols());
    let pairs: usize = (0..n).map(|j| pattern.column(j).len().pow(2)).sum();
    if pairs > m * n {
        return None;
    }
    let (graph, products) = gram(pattern, values, norms);
    let mut screen = Screen::new(&graph);
    for k in 0..m {
        screen.eliminate(k, &graph, &products, norms);
    }
    let found = screen.suspicious.iter().enumerate().filter(|entry| *entry.1);
    let mut rows: Vec<usize> = found.map(|(k, _)| screen.sequence[k]).collect();
    rows.sort_unstable();
    Some(rows)
}

/// Products of the rows with each other, each row divided by its norm.
fn gram(pattern: &Pattern, values: &[f64], norms: &[f64]) -> (Pattern, Vec<f64>) {
    let m = pattern.rows();
    let rows = Rows::of(pattern, values, norms);
    let (mut starts, mut indices, mut products) = (vec![0], Vec::new(), Vec::new());
    // the products of one row with all others, and those of them that are not nothing
    let (mut work, mut mark, mut met) = (vec![0.0; m], vec![ROOT; m], Vec::new());
    for k in 0..m {
        for &(j, right) in rows.row(k) {
            let column = pattern.column_start(j as usize)..pattern.column_start(j as usize + 1);
            for (&i, &left) in pattern.column(j as usize).iter().zip(&rows.scaled[column]) {
                if std::mem::replace(&mut mark[i as usize], k as u32) != k as u32 {
                    met.push(i);
                }
                work[i as usize] += left * right;
            }
        }
        met.sort_unstable();
        products.extend(met.iter().map(|&i| std::mem::take(&mut work[i as usize])));
        indices.append(&mut met);
        starts.push(indices.len());
    }
    (Pattern::of(m, starts, indices), products)
}

/// A matrix row by row, each divided by its norm.
struct Rows {
    starts: Vec<usize>,
    /// Column and number of each entry.
    entries: Vec<(u32, f64)>,
    /// The same numbers column by column.
    scaled: Vec<f64>,
}

impl Rows {
    fn of(pattern: &Pattern, values: &[f64], norms: &[f64]) -> Rows {
        let unit = |i: usize, value: f64| if norms[i] > 0.0 { value / norms[i] } else { 0.0 };
        let places = || pattern.iter().zip(values).map(|((i, j), value)| (i, j, unit(i, *value)));
        let scaled: Vec<f64> = places().map(|(_, _, value)| value).collect();
        let mut starts = vec![0; pattern.rows() + 1];
        places().for_each(|(i, ..)| starts[i + 1] += 1);
        for i in 0..pattern.rows() {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut entries = vec![(0, 0.0); scaled.len()];
        for (i, j, value) in places() {
            entries[next[i]] = (j as u32, value);
            next[i] += 1;
        }
        Rows { starts, entries, scaled }
    }

    fn row(&self, i: usize) -> &[(u32, f64)] {
        &self.entries[self.starts[i]..self.starts[i + 1]]
    }
}

/// A factorisation row by row; rows are numbered by their place in the sequence.
struct Screen {
    sequence: Vec<usize>,
    position: Vec<usize>,
    parents: Vec<u32>,
    /// Columns of the factor below its diagonal, and the inverse of the diagonal; zero for rows
    /// that add nothing.
    columns: Vec<Vec<(u32, f64)>>,
    inverse_diagonal: Vec<f64>,
    /// Rows that depend on others, or that others depend on.
    suspicious: Vec<bool>,
    work: Vec<f64>,
    mark: Vec<u32>,
    reach: Vec<usize>,
}

impl Screen {
    fn new(graph: &Pattern) -> Screen {
        let m = graph.cols();
        let sequence = minimum_degree(graph);
        Screen {
            position: inverse(&sequence),
            parents: tree(graph, &sequence),
            sequence,
            columns: vec![Vec::new(); m],
            inverse_diagonal: vec![0.0; m],
            suspicious: vec![false; m],
            work: vec![0.0; m],
            mark: vec![ROOT; m],
            reach: Vec::new(),
        }
    }

    fn eliminate(&mut self, k: usize, graph: &Pattern, products: &[f64], norms: &[f64]) {
        let row = self.sequence[k];
        if norms[row] == 0.0 {
            self.suspicious[k] = true;
            return;
        }
        let mut independent = 0.0;
        self.reach.clear();
        for (p, &other) in graph.column(row).iter().enumerate() {
            let (mut i, product) =
                (self.position[other as usize], products[graph.column_start(row) + p]);
            if i == k {
                independent = product;
            }
            if i >= k {
                continue;
            }
            self.work[i] = product;
            // The path to the root of the elimination tree [Gilbert, Ng & Peyton 1994].
            while i < k && self.mark[i] != k as u32 {
                self.mark[i] = k as u32;
                self.reach.push(i);
                match self.parents[i] {
                    ROOT => break,
                    parent => i = parent as usize,
                }
            }
        }
        self.reach.sort_unstable();
        for &j in &self.reach {
            let factor = std::mem::take(&mut self.work[j]) * self.inverse_diagonal[j];
            if factor == 0.0 {
                continue;
            }
            for &(i, value) in &self.columns[j] {
                self.work[i as usize] -= value * factor;
            }
            independent -= factor * factor;
            self.columns[j].push((k as u32, factor));
        }
        if independent > CLEAR {
            self.inverse_diagonal[k] = 1.0 / independent.sqrt();
        } else {
            self.accuse(k);
        }
    }

    /// Marks row `k` and the rows it is a combination of.
    fn accuse(&mut self, k: usize) {
        self.suspicious[k] = true;
        let mut coefficients = vec![0.0; k];
        for &j in &self.reach {
            // The factors of this row were appended last.
            if let Some((_, factor)) = self.columns[j].pop_if(|entry| entry.0 == k as u32) {
                coefficients[j] = factor;
            }
        }
        for j in (0..k).rev() {
            let known: f64 =
                self.columns[j].iter().map(|&(i, value)| value * coefficients[i as usize]).sum();
            coefficients[j] = (coefficients[j] - known) * self.inverse_diagonal[j];
            self.suspicious[j] |= coefficients[j].abs() > NOISE;
        }
    }
}
