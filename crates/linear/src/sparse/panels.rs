//! Triangular factors stored in panels: up to four neighbouring columns with their rows in common.
//!
//! The unknowns of a body and of its joints touch the same rows, so their columns in the factors are
//! nearly alike. In a panel the row numbers are read once for all columns, and each target is loaded
//! and stored once. Where columns differ a little, zeros fill the gaps.

use crate::simd::multiply_add;
use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize, Serializer};
use std::ops::Range;

/// Most columns of a panel.
pub(super) const WIDTH: usize = 4;
/// Zeros that a wider panel may add, as a part of its entries.
const MOST_ZEROS: f64 = 0.25;

/// Whether rows outside a panel come after its columns or before.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Side {
    Lower,
    Upper,
}

/// A triangle without its diagonal. Its rows are numbers of columns, whoever made it: [`subtract`](Self::subtract)
/// relies on that.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub(super) struct Panels {
    side: Side,
    /// First column of each panel, and the number of columns.
    first: Vec<u32>,
    /// Panel of each column.
    pub of: Vec<u32>,
    row_starts: Vec<usize>,
    /// Rows outside the panel.
    rows: Vec<u32>,
    value_starts: Vec<usize>,
    /// For each outside row the values of all columns.
    values: Vec<f64>,
    /// `inner[c][r]` is the entry of column `c` in row `r` of the panel's own rows.
    inner: Vec<[[f64; WIDTH]; WIDTH]>,
    /// Entries without added zeros.
    pub entries: usize,
}

impl Serialize for Panels {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        Panels::serialize(self, to)
    }
}

/// What a file says is believed only after it was checked.
impl<'de> Deserialize<'de> for Panels {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let panels = Panels::deserialize(from)?;
        match panels.is_whole() {
            true => Ok(panels),
            false => Err(D::Error::custom("the panels of a factor contradict themselves")),
        }
    }
}

impl Panels {
    /// Whether all numbers of columns, rows and places point to something.
    fn is_whole(&self) -> bool {
        let (n, count) = (self.of.len(), self.inner.len());
        let lists = [&self.row_starts, &self.value_starts];
        if self.first.len() != count + 1 || lists.iter().any(|list| list.len() != count + 1) {
            return false;
        }
        let ends = [self.first[0] as usize, self.row_starts[0], self.value_starts[0]] == [0; 3]
            && self.first[count] as usize == n
            && self.row_starts[count] == self.rows.len()
            && self.value_starts[count] == self.values.len();
        let panel = |k: usize| {
            let width = self.first[k + 1].checked_sub(self.first[k]);
            let rows = self.row_starts[k + 1].checked_sub(self.row_starts[k]);
            let values = self.value_starts[k + 1].checked_sub(self.value_starts[k]);
            let (Some(width), Some(rows), Some(values)) = (width, rows, values) else {
                return false;
            };
            let width = width as usize;
            let columns = || self.of.get(self.columns(k)).into_iter().flatten();
            (1..=WIDTH).contains(&width)
                && rows.checked_mul(width) == Some(values)
                && columns().count() == width
                && columns().all(|&of| of as usize == k)
        };
        ends && (0..count).all(panel) && self.rows.iter().all(|&row| (row as usize) < n)
    }

    /// Finds panels for columns with the given rows.
    pub(super) fn new(columns: &Columns, side: Side) -> Panels {
        let n = columns.count();
        let mut panels = Panels {
            side,
            first: vec![0],
            of: vec![0; n],
            row_starts: vec![0],
            rows: Vec::new(),
            value_starts: vec![0],
            values: Vec::new(),
            inner: Vec::new(),
            entries: columns.rows.len(),
        };
        let (mut rows, mut wider) = (Vec::new(), Vec::new());
        let mut start = 0;
        while start < n {
            let mut end = start;
            rows.clear();
            while end < n && end - start < WIDTH {
                let own = start..end + 1;
                let beyond = |k: usize| outside(columns.rows(k), &own, side);
                merge(outside(&rows, &own, side), beyond(end), &mut wider);
                let count = wider.len() * (end + 1 - start);
                let used: usize = (start..=end).map(|k| beyond(k).len()).sum();
                if end > start && (count - used) as f64 > MOST_ZEROS * count as f64 {
                    break;
                }
                std::mem::swap(&mut rows, &mut wider);
                end += 1;
            }
            panels.of[start..end].fill(panels.inner.len() as u32);
            panels.inner.push(Default::default());
            panels.values.resize(panels.values.len() + rows.len() * (end - start), 0.0);
            panels.rows.extend_from_slice(&rows);
            panels.first.push(end as u32);
            panels.row_starts.push(panels.rows.len());
            panels.value_starts.push(panels.values.len());
            start = end;
        }
        panels
    }

    pub(super) fn count(&self) -> usize {
        self.inner.len()
    }

    #[inline(always)]
    fn columns(&self, panel: usize) -> Range<usize> {
        self.first[panel] as usize..self.first[panel + 1] as usize
    }

    #[inline(always)]
    fn outside_rows(&self, panel: usize) -> &[u32] {
        &self.rows[self.row_starts[panel]..self.row_starts[panel + 1]]
    }

    #[inline(always)]
    fn outside_values(&self, panel: usize) -> &[f64] {
        &self.values[self.value_starts[panel]..self.value_starts[panel + 1]]
    }

    /// Moves column `k` out of `work`, times `factor`, and leaves zeros; the largest magnitude.
    #[inline(always)]
    pub(super) fn take_column(&mut self, k: usize, factor: f64, work: &mut [f64]) -> f64 {
        let panel = self.of[k] as usize;
        let columns = self.columns(panel);
        let (width, c) = (columns.len(), k - columns.start);
        let mut largest = 0.0_f64;
        let inner = &mut self.inner[panel][c];
        let own = match self.side {
            Side::Lower => c + 1..width,
            Side::Upper => 0..c,
        };
        for r in own {
            inner[r] = std::mem::take(&mut work[columns.start + r]) * factor;
            largest = largest.max(inner[r].abs());
        }
        let rows = &self.rows[self.row_starts[panel]..self.row_starts[panel + 1]];
        let values = &mut self.values[self.value_starts[panel]..self.value_starts[panel + 1]];
        for (&row, values) in rows.iter().zip(values.chunks_exact_mut(width)) {
            let value = std::mem::take(&mut work[row as usize]) * factor;
            values[c] = value;
            largest = largest.max(value.abs());
        }
        largest
    }

    /// Eliminates with the columns of the panel of `k` that come before `k`, in `work`.
    #[inline(always)]
    pub(super) fn eliminate_before<const FUSED: bool>(&self, k: usize, work: &mut [f64]) {
        let panel = self.of[k] as usize;
        let columns = self.columns(panel);
        let width = columns.len();
        for (c, column) in (columns.start..k).enumerate() {
            let head = work[column];
            for r in c + 1..width {
                let target = &mut work[columns.start + r];
                *target = multiply_add::<FUSED>(-self.inner[panel][c][r], head, *target);
            }
            let values = self.outside_values(panel).chunks_exact(width);
            for (&row, values) in self.outside_rows(panel).iter().zip(values) {
                let target = &mut work[row as usize];
                *target = multiply_add::<FUSED>(-values[c], head, *target);
            }
        }
    }

    /// Eliminates with all columns of a panel of a lower triangle, in `work`.
    #[inline(always)]
    pub(super) fn eliminate<const FUSED: bool>(&self, panel: usize, work: &mut [f64]) {
        match self.columns(panel).len() {
            1 => self.forward::<FUSED, 1>(panel, work),
            2 => self.forward::<FUSED, 2>(panel, work),
            3 => self.forward::<FUSED, 3>(panel, work),
            _ => self.forward::<FUSED, 4>(panel, work),
        }
    }

    #[inline(always)]
    fn forward<const FUSED: bool, const W: usize>(&self, panel: usize, work: &mut [f64]) {
        let start = self.first[panel] as usize;
        let own: &mut [f64; W] = (&mut work[start..start + W]).try_into().expect("width");
        let mut heads = *own;
        for c in 0..W {
            for r in c + 1..W {
                heads[r] = multiply_add::<FUSED>(-self.inner[panel][c][r], heads[c], heads[r]);
            }
        }
        *own = heads;
        self.subtract::<FUSED, W>(panel, heads, work);
    }

    /// Substitutes backwards with a panel of an upper triangle, from `work` into `heads` of the
    /// columns, given the inverse pivots.
    #[inline(always)]
    pub(super) fn substitute<const FUSED: bool>(
        &self,
        panel: usize,
        inverse_pivots: &[f64],
        work: &mut [f64],
    ) {
        match self.columns(panel).len() {
            1 => self.backward::<FUSED, 1>(panel, inverse_pivots, work),
            2 => self.backward::<FUSED, 2>(panel, inverse_pivots, work),
            3 => self.backward::<FUSED, 3>(panel, inverse_pivots, work),
            _ => self.backward::<FUSED, 4>(panel, inverse_pivots, work),
        }
    }

    #[inline(always)]
    fn backward<const FUSED: bool, const W: usize>(
        &self,
        panel: usize,
        inverse_pivots: &[f64],
        work: &mut [f64],
    ) {
        let start = self.first[panel] as usize;
        let pivots: &[f64; W] = inverse_pivots[start..start + W].try_into().expect("width");
        let own: &mut [f64; W] = (&mut work[start..start + W]).try_into().expect("width");
        let mut heads = *own;
        for c in (0..W).rev() {
            heads[c] *= pivots[c];
            for r in 0..c {
                heads[r] = multiply_add::<FUSED>(-self.inner[panel][c][r], heads[c], heads[r]);
            }
        }
        *own = heads;
        self.subtract::<FUSED, W>(panel, heads, work);
    }

    /// Subtracts the columns times `heads` from the rows outside.
    #[inline(always)]
    fn subtract<const FUSED: bool, const W: usize>(
        &self,
        panel: usize,
        heads: [f64; W],
        work: &mut [f64],
    ) {
        assert!(work.len() >= self.of.len(), "one number for each column");
        let values = self.outside_values(panel).as_chunks::<W>().0;
        for (&row, values) in self.outside_rows(panel).iter().zip(values) {
            // SAFETY: rows are below the number of columns, by construction or by `is_whole`, and `work` is
            // that long; to check each costs a fifth of this innermost loop.
            #[allow(unsafe_code)]
            let target = unsafe { work.get_unchecked_mut(row as usize) };
            let mut sum = *target;
            for c in 0..W {
                sum = multiply_add::<FUSED>(-values[c], heads[c], sum);
            }
            *target = sum;
        }
    }
}

/// The rows of the columns of a triangle, each in order.
pub(super) struct Columns {
    starts: Vec<usize>,
    rows: Vec<u32>,
}

impl Columns {
    /// From the rows of all columns in any order, and where those of each start.
    pub(super) fn new(starts: Vec<usize>, mut rows: Vec<u32>) -> Columns {
        starts.windows(2).for_each(|range| rows[range[0]..range[1]].sort_unstable());
        Columns { starts, rows }
    }

    pub(super) fn count(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn rows(&self, k: usize) -> &[u32] {
        &self.rows[self.starts[k]..self.starts[k + 1]]
    }
}

/// Those of some rows in order that lie outside the rows of a panel of these columns.
fn outside<'a>(rows: &'a [u32], own: &Range<usize>, side: Side) -> &'a [u32] {
    match side {
        Side::Lower => &rows[rows.partition_point(|&row| (row as usize) < own.end)..],
        Side::Upper => &rows[..rows.partition_point(|&row| (row as usize) < own.start)],
    }
}

/// What is in one of two lists in order.
fn merge(a: &[u32], b: &[u32], into: &mut Vec<u32>) {
    into.clear();
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        into.push(a[i].min(b[j]));
        (i, j) = (i + usize::from(a[i] <= b[j]), j + usize::from(b[j] <= a[i]));
    }
    into.extend_from_slice(&a[i..]);
    into.extend_from_slice(&b[j..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns() -> Columns {
        Columns::new(vec![0, 3, 5, 6, 7, 7], vec![4, 1, 3, 3, 4, 3, 4])
    }

    #[test]
    fn forged_panels_are_not_believed() {
        let panels = Panels::new(&columns(), Side::Lower);
        let text = serde_json::to_string(&panels).unwrap();
        assert!(serde_json::from_str::<Panels>(&text).is_ok());
        type Forger = fn(&mut Panels);
        let forgers: [Forger; 6] = [
            |p| p.rows[0] = u32::MAX,
            |p| p.rows[0] = 5,
            |p| p.row_starts[1] += 1,
            |p| *p.first.last_mut().unwrap() = 4,
            |p| p.of[4] = 0,
            |p| p.values.truncate(1),
        ];
        for (k, forge) in forgers.into_iter().enumerate() {
            let mut forged = panels.clone();
            forge(&mut forged);
            let text = serde_json::to_string(&forged).unwrap();
            assert!(serde_json::from_str::<Panels>(&text).is_err(), "forger {k}");
        }
    }

    #[test]
    fn columns_alike_share_a_panel() {
        let columns = columns();
        let panels = Panels::new(&columns, Side::Lower);
        assert_eq!(panels.of[0], panels.of[1]);
        assert_eq!(panels.entries, 7);
        let mut panels = panels;
        for k in 0..columns.count() {
            let mut work = vec![0.0; 5];
            columns.rows(k).iter().for_each(|&row| work[row as usize] = 0.5);
            panels.take_column(k, 2.0, &mut work);
            assert_eq!(work, [0.0; 5]);
        }
        // Unit lower triangle of ones: forward substitution of its row sums gives ones.
        let mut x = [1.0, 2.0, 1.0, 4.0, 4.0];
        for panel in 0..panels.count() {
            panels.eliminate::<false>(panel, &mut x);
        }
        assert_eq!(x, [1.0; 5]);
    }
}
