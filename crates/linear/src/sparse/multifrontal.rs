//! Multifrontal LU for factors with much fill.
//!
//! Each front is a dense matrix of its pivots and of the unknowns they touch; it gathers the
//! matrix entries and the updates of its children, eliminates its pivots with row exchanges among
//! them, and leaves its own update on a stack.

use crate::pattern::Pattern;
use crate::simd::multiply_add;
use crate::sparse::elimination::Elimination;
use crate::sparse::front;
use crate::sparse::front::Scratch;
use crate::sparse::health::Health;
use crate::sparse::supernode::Supernodes;
use serde::{Deserialize, Serialize};

/// Factors on a fixed set of fronts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct MultifrontalLu {
    order: Vec<u32>,
    fronts: Supernodes,
    /// Start of each front in `factors`: first the columns of its pivots, then the rows right of
    /// them, both column-major.
    starts: Vec<usize>,
    factors: Vec<f64>,
    exchanges: Vec<u32>,
    front: Vec<f64>,
    stack: Vec<f64>,
    #[serde(skip)]
    scratch: Scratch,
    work: Vec<f64>,
    gathered: Vec<f64>,
}

impl MultifrontalLu {
    pub(crate) fn new(pattern: &Pattern, elimination: &Elimination) -> MultifrontalLu {
        let fronts = Supernodes::new(pattern, elimination);
        let n = elimination.order.len();
        let mut starts = vec![0];
        let (mut largest, mut depth, mut deepest) = (0, 0, 0);
        for f in 0..fronts.count() {
            let (pivots, border) = (fronts.pivots(f), fronts.border(f));
            starts.push(starts[f] + pivots * (pivots + 2 * border));
            largest = largest.max(pivots + border);
            depth += border * border;
            for &child in fronts.children.get(f) {
                depth -= fronts.border(child as usize).pow(2);
            }
            // A front's update is written after those of its children are read.
            deepest = deepest.max(depth);
        }
        let most_pivots = (0..fronts.count()).map(|f| fronts.pivots(f)).max().unwrap_or(0);
        MultifrontalLu {
            order: elimination.order.clone(),
            factors: vec![0.0; starts[fronts.count()]],
            starts,
            exchanges: vec![0; n],
            front: vec![0.0; largest * largest],
            stack: vec![0.0; deepest],
            scratch: Scratch::new(most_pivots),
            work: vec![0.0; n],
            gathered: vec![0.0; largest],
            fronts,
        }
    }

    /// Number of entries in the factors, including the zeros of merged fronts.
    pub(crate) fn fill(&self) -> usize {
        self.factors.len()
    }

    pub(crate) fn refactor(&mut self, values: &[f64]) -> Health {
        #[cfg(target_arch = "x86_64")]
        if crate::simd::available() {
            // SAFETY: the processor has the features the copy is compiled for.
            #[allow(unsafe_code)]
            return unsafe { self.refactor_fused(values) };
        }
        self.refactor_any::<false>(values)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn refactor_fused(&mut self, values: &[f64]) -> Health {
        self.refactor_any::<true>(values)
    }

    #[inline(always)]
    fn refactor_any<const FUSED: bool>(&mut self, values: &[f64]) -> Health {
        let fronts = &self.fronts;
        let mut health = Health::perfect();
        let mut top = 0;
        for f in 0..fronts.count() {
            let (pivots, border) = (fronts.pivots(f), fronts.border(f));
            let size = pivots + border;
            let front = &mut self.front[..size * size];
            front.fill(0.0);
            let range = fronts.targets.starts[f]..fronts.targets.starts[f + 1];
            for (&target, &source) in
                fronts.targets.items[range.clone()].iter().zip(&fronts.sources[range])
            {
                front[target as usize] = values[source as usize];
            }
            for &child in fronts.children.get(f) {
                let child = child as usize;
                let width = fronts.border(child);
                top -= width * width;
                let start = fronts.rows.starts[child];
                let places = &fronts.places[start..start + width];
                let update = &self.stack[top..top + width * width];
                for (source, &col) in update.chunks_exact(width.max(1)).zip(places) {
                    let column = &mut front[col as usize * size..(col as usize + 1) * size];
                    for (&value, &row) in source.iter().zip(places) {
                        column[row as usize] += value;
                    }
                }
            }
            let exchanges = &mut self.exchanges[fronts.starts[f]..fronts.starts[f + 1]];
            front::factor::<FUSED>(front, size, exchanges, &mut health, &mut self.scratch);
            let (left, right) = front.split_at(pivots * size);
            let kept = &mut self.factors[self.starts[f]..self.starts[f + 1]];
            let (columns, rows) = kept.split_at_mut(pivots * size);
            columns.copy_from_slice(left);
            let update = &mut self.stack[top..top + border * border];
            top += border * border;
            for (j, column) in right.chunks_exact(size).enumerate() {
                rows[j * pivots..(j + 1) * pivots].copy_from_slice(&column[..pivots]);
                update[j * border..(j + 1) * border].copy_from_slice(&column[pivots..]);
            }
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
        let fronts = &self.fronts;
        let x = &mut self.work[..];
        for (entry, &unknown) in x.iter_mut().zip(&self.order) {
            *entry = b[unknown as usize];
        }
        for f in 0..fronts.count() {
            let (pivots, border) = (fronts.pivots(f), fronts.border(f));
            let own = fronts.starts[f]..fronts.starts[f + 1];
            let heads = &mut x[own.clone()];
            for (k, &row) in self.exchanges[own.clone()].iter().enumerate() {
                heads.swap(k, row as usize);
            }
            let sums = &mut self.gathered[..border];
            sums.fill(0.0);
            let columns = self.factors[self.starts[f]..].chunks_exact(pivots + border);
            for (k, column) in columns.take(pivots).enumerate() {
                let head = heads[k];
                for (entry, factor) in heads[k + 1..].iter_mut().zip(&column[k + 1..pivots]) {
                    *entry = multiply_add::<FUSED>(-head, *factor, *entry);
                }
                for (sum, factor) in sums.iter_mut().zip(&column[pivots..]) {
                    *sum = multiply_add::<FUSED>(head, *factor, *sum);
                }
            }
            for (sum, &row) in sums.iter().zip(fronts.rows.get(f)) {
                x[row as usize] -= sum;
            }
        }
        for f in (0..fronts.count()).rev() {
            let (pivots, border) = (fronts.pivots(f), fronts.border(f));
            let size = pivots + border;
            let start = self.starts[f];
            let columns = &self.factors[start..start + pivots * size];
            let rows = &self.factors[start + pivots * size..self.starts[f + 1]];
            let heads = &mut self.gathered[..pivots];
            heads.copy_from_slice(&x[fronts.starts[f]..fronts.starts[f + 1]]);
            for (column, &row) in rows.chunks_exact(pivots).zip(fronts.rows.get(f)) {
                let known = x[row as usize];
                for (head, factor) in heads.iter_mut().zip(column) {
                    *head = multiply_add::<FUSED>(-known, *factor, *head);
                }
            }
            for k in (0..pivots).rev() {
                let column = &columns[k * size..k * size + pivots];
                let head = heads[k] / column[k];
                heads[k] = head;
                for (entry, factor) in heads[..k].iter_mut().zip(column) {
                    *entry = multiply_add::<FUSED>(-head, *factor, *entry);
                }
            }
            x[fronts.starts[f]..fronts.starts[f + 1]].copy_from_slice(heads);
        }
        for (&entry, &unknown) in x.iter().zip(&self.order) {
            b[unknown as usize] = entry;
        }
    }
}
