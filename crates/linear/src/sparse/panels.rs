//! Triangular factors stored in panels: neighbouring columns with their rows in common.
//!
//! The unknowns of a body and of its joints touch the same rows, so their columns in the factors are
//! nearly alike. In a panel the row numbers are read once for all columns, and each target is loaded
//! and stored once. Where columns differ a little, zeros fill the gaps.
//!
//! Vectors that the factors are applied to have a layout of their own: the columns of a panel begin a new block of four
//! numbers, so that the rows of a body fill as few blocks as possible and a vector register takes each at once. What a
//! block has beyond its panel stays zero.

use crate::simd::{Lanes, multiply_add, multiply_add_lanes};
use crate::sparse::columns::{Columns, above, below, merge};
use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize, Serializer};
use std::ops::Range;

/// Numbers of a block.
const LANES: usize = 4;
/// Most columns of a panel: the sections between the ends of an element, or a body with its joint, in two blocks.
const WIDTH: usize = 2 * LANES;
/// Zeros that a wider panel may add, as a part of its entries.
const MOST_ZEROS: f64 = 0.25;

/// A lower and an upper triangle without their diagonals, whose panels have the same columns.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub(super) struct Panels {
    /// First column of each panel, and the number of columns.
    first: Vec<u32>,
    /// First block of each panel, and the number of blocks.
    blocks: Vec<u32>,
    /// Panel of each column.
    pub of: Vec<u32>,
    lower: Triangle,
    upper: Triangle,
    /// Entries without added zeros.
    pub entries: usize,
}

/// The columns of one triangle by panel.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Triangle {
    /// Where the blocks, the values and the inner entries of each panel start, and where the last ones end.
    starts: Vec<[usize; 3]>,
    /// Blocks outside the panel that its columns touch.
    blocks: Vec<u32>,
    /// For each of them the values of all columns.
    values: Vec<Lanes>,
    /// The entries of each column in the panel's own rows, column after column.
    inner: Vec<f64>,
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

/// Entries of `width` columns in their own rows, on one side of the diagonal.
const fn inside(width: usize) -> usize {
    width * width.saturating_sub(1) / 2
}

impl Triangle {
    /// Whether all numbers of places and blocks point to something.
    fn is_whole(&self, widths: &[usize], blocks: usize) -> bool {
        let ends = [self.blocks.len(), self.values.len(), self.inner.len()];
        if self.starts.len() != widths.len() + 1
            || self.starts[0] != [0; 3]
            || self.starts[widths.len()] != ends
        {
            return false;
        }
        let panel = |(&width, starts): (&usize, &[[usize; 3]])| {
            let size = |k: usize| starts[1][k].checked_sub(starts[0][k]);
            let (Some(count), Some(values), Some(inner)) = (size(0), size(1), size(2)) else {
                return false;
            };
            count.checked_mul(width) == Some(values) && inner == inside(width)
        };
        widths.iter().zip(self.starts.windows(2)).all(panel)
            && self.blocks.iter().all(|&block| (block as usize) < blocks)
    }

    /// Makes room for panels of so many columns and blocks, and no more than that.
    fn reserve(&mut self, panels: impl Iterator<Item = (usize, usize)>) {
        let mut room = [0; 4];
        for (width, blocks) in panels {
            let own = [blocks, blocks * width, inside(width), 1];
            room.iter_mut().zip(own).for_each(|(room, own)| *room += own);
        }
        self.blocks.reserve_exact(room[0]);
        self.values.reserve_exact(room[1]);
        self.inner.reserve_exact(room[2]);
        self.starts.reserve_exact(room[3]);
    }

    /// Appends a panel of zeros.
    fn push(&mut self, width: usize, blocks: &[u32]) {
        self.blocks.extend_from_slice(blocks);
        self.values.resize(self.values.len() + blocks.len() * width, [0.0; LANES]);
        self.inner.resize(self.inner.len() + inside(width), 0.0);
        self.starts.push([self.blocks.len(), self.values.len(), self.inner.len()]);
    }

    /// The blocks outside a panel, the values and the entries inside.
    #[inline(always)]
    fn panel(&self, panel: usize) -> (&[u32], &[Lanes], &[f64]) {
        let [from, to] = [self.starts[panel], self.starts[panel + 1]];
        (&self.blocks[from[0]..to[0]], &self.values[from[1]..to[1]], &self.inner[from[2]..to[2]])
    }

    /// Moves what a column has outside its panel out of `work`, times `factor`, and leaves zeros; the largest magnitude.
    #[inline(always)]
    fn take_outside(
        &mut self,
        (panel, c, width): (usize, usize, usize),
        factor: f64,
        work: &mut [Lanes],
    ) -> f64 {
        let [from, to] = [self.starts[panel], self.starts[panel + 1]];
        let mut largest = [0.0_f64; LANES];
        let values = self.values[from[1]..to[1]].chunks_exact_mut(width);
        for (&block, values) in self.blocks[from[0]..to[0]].iter().zip(values) {
            let taken = std::mem::take(&mut work[block as usize]).map(|value| value * factor);
            values[c] = taken;
            largest = std::array::from_fn(|l| largest[l].max(taken[l].abs()));
        }
        largest.into_iter().fold(0.0, f64::max)
    }

    /// Subtracts the columns of a panel times `heads` from the blocks outside.
    #[inline(always)]
    fn subtract<const FUSED: bool, const W: usize>(
        &self,
        panel: usize,
        heads: [f64; W],
        work: &mut [Lanes],
    ) {
        let (blocks, values, _) = self.panel(panel);
        for (&block, values) in blocks.iter().zip(values.as_chunks::<W>().0) {
            let mut sums = work[block as usize];
            for c in 0..W {
                sums = multiply_add_lanes::<FUSED>(-heads[c], values[c], sums);
            }
            work[block as usize] = sums;
        }
    }
}

/// Calls a function of a panel that is written once for each width.
macro_rules! by_width {
    ($width:expr, $object:ident.$function:ident::<FUSED, _>($($argument:expr),*)) => {
        match $width {
            1 => $object.$function::<FUSED, 1>($($argument),*),
            2 => $object.$function::<FUSED, 2>($($argument),*),
            3 => $object.$function::<FUSED, 3>($($argument),*),
            4 => $object.$function::<FUSED, 4>($($argument),*),
            5 => $object.$function::<FUSED, 5>($($argument),*),
            6 => $object.$function::<FUSED, 6>($($argument),*),
            7 => $object.$function::<FUSED, 7>($($argument),*),
            _ => $object.$function::<FUSED, WIDTH>($($argument),*),
        }
    };
}

impl Panels {
    /// Whether all numbers of columns, blocks and places point to something.
    fn is_whole(&self) -> bool {
        let n = self.of.len();
        let starts = self.first.first() == Some(&0) && self.blocks.first() == Some(&0);
        if !starts || self.blocks.len() != self.first.len() {
            return false;
        }
        let mut widths = Vec::new();
        for (k, (first, blocks)) in self.first.windows(2).zip(self.blocks.windows(2)).enumerate() {
            let width = first[1].checked_sub(first[0]).map_or(0, |width| width as usize);
            let own = self.of.get(first[0] as usize..first[0] as usize + width);
            let belongs = own.is_some_and(|own| own.iter().all(|&of| of as usize == k));
            let room = blocks[1].checked_sub(blocks[0]) == Some(width.div_ceil(LANES) as u32);
            if !(1..=WIDTH).contains(&width) || !belongs || !room {
                return false;
            }
            widths.push(width);
        }
        let triangles = [&self.lower, &self.upper];
        self.first[widths.len()] as usize == n
            && triangles.iter().all(|triangle| triangle.is_whole(&widths, self.block_count()))
    }

    /// Finds panels for the columns of a lower and an upper triangle.
    pub(super) fn new(lower: &Columns, upper: &Columns) -> Panels {
        let n = lower.count();
        let empty = || Triangle {
            starts: vec![[0; 3]],
            blocks: Vec::new(),
            values: Vec::new(),
            inner: Vec::new(),
        };
        let mut panels = Panels {
            first: vec![0],
            blocks: vec![0],
            of: vec![0; n],
            lower: empty(),
            upper: empty(),
            entries: lower.entries() + upper.entries(),
        };
        // rows outside each panel, below and above
        let mut outside: Vec<[Vec<u32>; 2]> = Vec::new();
        let mut start = 0;
        while start < n {
            let mut rows = [Vec::new(), Vec::new()];
            let mut end = start;
            while end < n && end - start < WIDTH {
                let own = start..end + 1;
                let wider = [
                    merge(below(&rows[0], &own), below(lower.rows(end), &own)),
                    merge(&rows[1], above(upper.rows(end), &own)),
                ];
                let count = (wider[0].len() + wider[1].len()) * own.len();
                let used = own
                    .clone()
                    .map(|k| below(lower.rows(k), &own).len() + above(upper.rows(k), &own).len());
                let zeros = count - used.sum::<usize>();
                if end > start && zeros as f64 > MOST_ZEROS * count as f64 {
                    break;
                }
                rows = wider;
                end += 1;
            }
            panels.of[start..end].fill(outside.len() as u32);
            panels.first.push(end as u32);
            let room = (end - start).div_ceil(LANES) as u32;
            panels.blocks.push(panels.blocks[outside.len()] + room);
            outside.push(rows);
            start = end;
        }
        for rows in outside.iter_mut().flatten() {
            rows.iter_mut().for_each(|row| *row = panels.slot(*row as usize) / LANES as u32);
            rows.dedup();
        }
        for (side, triangle) in [&mut panels.lower, &mut panels.upper].into_iter().enumerate() {
            let widths = panels.first.windows(2).map(|ends| (ends[1] - ends[0]) as usize);
            triangle
                .reserve(widths.clone().zip(&outside).map(|(width, of)| (width, of[side].len())));
            for (width, blocks) in widths.zip(&outside) {
                triangle.push(width, &blocks[side]);
            }
        }
        panels
    }

    /// The number of panels.
    pub(super) fn count(&self) -> usize {
        self.first.len() - 1
    }

    /// How many blocks a vector has.
    pub(super) fn block_count(&self) -> usize {
        self.blocks[self.count()] as usize
    }

    /// Where a column has its number in a vector.
    pub(super) fn slot(&self, column: usize) -> u32 {
        let panel = self.of[column] as usize;
        LANES as u32 * self.blocks[panel] + column as u32 - self.first[panel]
    }

    #[inline(always)]
    fn columns(&self, panel: usize) -> Range<usize> {
        self.first[panel] as usize..self.first[panel + 1] as usize
    }

    /// The numbers of a panel in a vector.
    #[inline(always)]
    fn own<'a>(&self, panel: usize, work: &'a mut [Lanes]) -> &'a mut [f64] {
        work[self.blocks[panel] as usize..self.blocks[panel + 1] as usize].as_flattened_mut()
    }

    /// Moves column `k` of the upper triangle, its pivot, and column `k` of the lower triangle over that pivot out of
    /// `work`, and leaves zeros; the pivot, its inverse and the largest magnitude below.
    #[inline(always)]
    pub(super) fn take_column(&mut self, k: usize, work: &mut [Lanes]) -> (f64, f64, f64) {
        let panel = self.of[k] as usize;
        let columns = self.columns(panel);
        let (width, c) = (columns.len(), k - columns.start);
        let own = self.own(panel, work);
        let pivot = std::mem::take(&mut own[c]);
        let inverse = 1.0 / pivot;
        let above = &mut self.upper.inner[self.upper.starts[panel][2] + inside(c)..][..c];
        above.iter_mut().zip(&mut own[..c]).for_each(|(to, from)| *to = std::mem::take(from));
        let start = self.lower.starts[panel][2] + inside(width) - inside(width - c);
        let below = &mut self.lower.inner[start..][..width - c - 1];
        let mut largest = 0.0_f64;
        for (to, from) in below.iter_mut().zip(&mut own[c + 1..width]) {
            *to = std::mem::take(from) * inverse;
            largest = largest.max(to.abs());
        }
        self.upper.take_outside((panel, c, width), 1.0, work);
        largest = largest.max(self.lower.take_outside((panel, c, width), inverse, work));
        (pivot, inverse, largest)
    }

    /// Eliminates with the columns of the panel of `k` that come before `k`, in `work`.
    #[inline(always)]
    pub(super) fn eliminate_before<const FUSED: bool>(&self, k: usize, work: &mut [Lanes]) {
        let panel = self.of[k] as usize;
        let columns = self.columns(panel);
        let (width, count) = (columns.len(), k - columns.start);
        let (blocks, values, mut inner) = self.lower.panel(panel);
        let own = self.own(panel, work);
        for c in 0..count {
            let (column, rest) = inner.split_at(width - c - 1);
            for (r, value) in (c + 1..width).zip(column) {
                own[r] = multiply_add::<FUSED>(-value, own[c], own[r]);
            }
            inner = rest;
        }
        let mut heads = [0.0; WIDTH];
        heads[..count].copy_from_slice(&own[..count]);
        for (&block, values) in blocks.iter().zip(values.chunks_exact(width)) {
            let mut sums = work[block as usize];
            for (head, value) in heads[..count].iter().zip(values) {
                sums = multiply_add_lanes::<FUSED>(-head, *value, sums);
            }
            work[block as usize] = sums;
        }
    }

    /// Eliminates with all columns of a panel of the lower triangle, in `work`. What a column begins with is told
    /// by `load` from its place and from what `work` has there.
    #[inline(always)]
    pub(super) fn eliminate<const FUSED: bool>(
        &self,
        panel: usize,
        work: &mut [Lanes],
        load: impl Fn(usize, f64) -> f64,
    ) {
        by_width!(self.columns(panel).len(), self.forward::<FUSED, _>(panel, work, load));
    }

    #[inline(always)]
    fn forward<const FUSED: bool, const W: usize>(
        &self,
        panel: usize,
        work: &mut [Lanes],
        load: impl Fn(usize, f64) -> f64,
    ) {
        let first = self.first[panel] as usize;
        let own = self.own(panel, work);
        let mut heads: [f64; W] = std::array::from_fn(|c| load(first + c, own[c]));
        let inner = &self.lower.inner[self.lower.starts[panel][2]..][..inside(W)];
        let mut next = 0;
        for c in 0..W {
            for r in c + 1..W {
                heads[r] = multiply_add::<FUSED>(-inner[next], heads[c], heads[r]);
                next += 1;
            }
        }
        own[..W].copy_from_slice(&heads);
        self.lower.subtract::<FUSED, W>(panel, heads, work);
    }

    /// Substitutes backwards with a panel of the upper triangle, in `work`, given the inverse pivots. Solutions are given
    /// to `store` with the places of their columns and leave zeros.
    #[inline(always)]
    pub(super) fn substitute<const FUSED: bool>(
        &self,
        panel: usize,
        inverse_pivots: &[f64],
        work: &mut [Lanes],
        store: impl FnMut(usize, f64),
    ) {
        let columns = self.columns(panel);
        let pivots = &inverse_pivots[columns.clone()];
        by_width!(columns.len(), self.backward::<FUSED, _>(panel, pivots, work, store));
    }

    #[inline(always)]
    fn backward<const FUSED: bool, const W: usize>(
        &self,
        panel: usize,
        pivots: &[f64],
        work: &mut [Lanes],
        mut store: impl FnMut(usize, f64),
    ) {
        let first = self.first[panel] as usize;
        let own = self.own(panel, work);
        let mut heads: [f64; W] = std::array::from_fn(|c| std::mem::take(&mut own[c]));
        let inner = &self.upper.inner[self.upper.starts[panel][2]..][..inside(W)];
        for c in (0..W).rev() {
            heads[c] *= pivots[c];
            for r in 0..c {
                heads[r] = multiply_add::<FUSED>(-inner[inside(c) + r], heads[c], heads[r]);
            }
        }
        for (c, head) in heads.into_iter().enumerate() {
            store(first + c, head);
        }
        self.upper.subtract::<FUSED, W>(panel, heads, work);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten columns: the first two are alike and touch the last two, those between are alone.
    fn panels() -> (Columns, Panels) {
        let lower = [vec![0, 3], vec![5; 7], vec![6, 6]].concat();
        let lower = Columns::new(lower, vec![9, 1, 8, 8, 9, 9]);
        let upper = [vec![0, 0], vec![1; 7], vec![3, 6]].concat();
        let upper = Columns::new(upper, vec![0, 1, 0, 8, 1, 0]);
        let panels = Panels::new(&lower, &upper);
        (lower, panels)
    }

    #[test]
    fn forged_panels_are_not_believed() {
        let (_, panels) = panels();
        let text = serde_json::to_string(&panels).unwrap();
        assert!(serde_json::from_str::<Panels>(&text).is_ok());
        type Forger = fn(&mut Panels);
        let forgers: [Forger; 8] = [
            |p| p.lower.blocks[0] = u32::MAX,
            |p| p.upper.blocks[0] = 4,
            |p| p.lower.starts[1][0] += 1,
            |p| *p.first.last_mut().unwrap() = 9,
            |p| p.blocks[1] += 1,
            |p| p.of[9] = 0,
            |p| p.lower.values.truncate(1),
            |p| p.upper.inner.clear(),
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
        let (lower, mut panels) = panels();
        assert_eq!(panels.of, [0, 0, 1, 1, 1, 1, 1, 1, 2, 2]);
        assert_eq!(panels.entries, 12);
        let slots: Vec<usize> = (0..10).map(|k| panels.slot(k) as usize).collect();
        for k in 0..lower.count() {
            let mut work = vec![[0.0; LANES]; panels.block_count()];
            let flat = work.as_flattened_mut();
            flat[slots[k]] = 0.5;
            lower.rows(k).iter().for_each(|&row| flat[slots[row as usize]] = 0.5);
            let largest = if lower.rows(k).is_empty() { 0.0 } else { 1.0 };
            assert_eq!(panels.take_column(k, &mut work), (0.5, 2.0, largest));
            assert_eq!(work, vec![[0.0; LANES]; panels.block_count()]);
        }
        // Unit lower triangle of ones: forward substitution of its row sums gives ones.
        let mut work = vec![[0.0; LANES]; panels.block_count()];
        let sums = [1.0, 2.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 3.0, 4.0];
        slots.iter().zip(sums).for_each(|(&slot, sum)| work.as_flattened_mut()[slot] = sum);
        for panel in 0..panels.count() {
            panels.eliminate::<false>(panel, &mut work, |_, own| own);
        }
        assert!(slots.iter().all(|&slot| work.as_flattened()[slot] == 1.0));
    }
}
