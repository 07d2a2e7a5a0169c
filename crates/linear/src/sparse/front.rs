//! Partial factorisation of a dense front: `[A11, A12; A21, A22]` becomes
//! `[L11\U11, U12; L21, A22 − L21 U12]`, with row exchanges inside A11.

use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::linalg::lu::partial_pivoting::factor as dense_lu;
use faer::linalg::matmul::matmul;
use faer::linalg::triangular_solve::{
    solve_lower_triangular_in_place, solve_unit_lower_triangular_in_place,
};
use faer::{Accum, MatMut, Par};

use crate::simd::{Lanes, multiply_add, multiply_add_lanes};
use crate::sparse::health::Health;

/// From this number of pivots, or this size, faer's blocked kernels are faster than ours.
const BLOCKED_PIVOTS: usize = 40;
const BLOCKED_SIZE: usize = 300;

/// Work space for fronts up to a number of pivots, which grows if it must.
pub(crate) struct Scratch {
    pivots: usize,
    memory: MemBuffer,
}

impl Scratch {
    pub(crate) fn new(pivots: usize) -> Scratch {
        let elimination =
            dense_lu::lu_in_place_scratch::<u32, f64>(pivots, pivots, Par::Seq, Default::default());
        let indices = StackReq::new::<u32>(2 * pivots);
        Scratch {
            pivots,
            memory: MemBuffer::new(StackReq::all_of(&[indices, indices, elimination])),
        }
    }
}

impl Default for Scratch {
    fn default() -> Self {
        Scratch::new(0)
    }
}

impl Clone for Scratch {
    fn clone(&self) -> Self {
        Scratch::new(self.pivots)
    }
}

impl std::fmt::Debug for Scratch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scratch").field("pivots", &self.pivots).finish_non_exhaustive()
    }
}

/// Factors a column-major front in place; `exchanges[k]` is the row exchanged with row `k`.
#[inline(always)]
pub(crate) fn factor<const FUSED: bool>(
    front: &mut [f64],
    size: usize,
    exchanges: &mut [u32],
    health: &mut Health,
    scratch: &mut Scratch,
) {
    let pivots = exchanges.len();
    if pivots >= BLOCKED_PIVOTS || size > BLOCKED_SIZE {
        blocked(front, size, exchanges, scratch);
    } else {
        small::<FUSED>(front, size, exchanges);
    }
    for k in 0..pivots {
        let below = &front[k * size + pivots..(k + 1) * size];
        let growth = below.iter().fold(1.0_f64, |m, v| m.max(v.abs()));
        health.note(front[k * size + k], growth);
    }
}

#[inline(always)]
fn small<const FUSED: bool>(front: &mut [f64], size: usize, exchanges: &mut [u32]) {
    let pivots = exchanges.len();
    for k in 0..pivots {
        let column = &front[k * size..k * size + pivots];
        let mut row = k;
        for i in k + 1..pivots {
            if column[i].abs() > column[row].abs() {
                row = i;
            }
        }
        exchanges[k] = row as u32;
        if row != k {
            for column in front.chunks_exact_mut(size) {
                column.swap(k, row);
            }
        }
        let (left, right) = front.split_at_mut((k + 1) * size);
        let below = &mut left[k * size + k..];
        let inverse = 1.0 / below[0];
        for entry in &mut below[1..] {
            *entry *= inverse;
        }
        for column in right.chunks_exact_mut(size).take(pivots - k - 1) {
            subtract_multiple::<FUSED>(&mut column[k..], below);
        }
    }
    let (left, right) = front.split_at_mut(pivots * size);
    for column in right.chunks_exact_mut(size) {
        for k in 0..pivots {
            subtract_multiple::<FUSED>(
                &mut column[k..pivots],
                &left[k * size + k..k * size + pivots],
            );
        }
    }
    subtract_product::<FUSED>(right, left, size, pivots);
}

/// Subtracts from `column[1..]` the multiple `column[0]` of `factors[1..]`.
#[inline(always)]
fn subtract_multiple<const FUSED: bool>(column: &mut [f64], factors: &[f64]) {
    let (head, rest) = column.split_at_mut(1);
    for (entry, factor) in rest.iter_mut().zip(&factors[1..]) {
        *entry = multiply_add::<FUSED>(-head[0], *factor, *entry);
    }
}

/// `A22 −= L21 U12` in tiles of eight rows and four columns that stay in registers.
#[inline(always)]
fn subtract_product<const FUSED: bool>(
    right: &mut [f64],
    left: &[f64],
    size: usize,
    pivots: usize,
) {
    let border = size - pivots;
    let tiled = border / 8 * 8;
    for columns in right.chunks_mut(4 * size) {
        let (done, count) =
            if columns.len() == 4 * size { (tiled, 4) } else { (0, columns.len() / size) };
        for i in (0..done).step_by(8) {
            let mut sums = [[[0.0; 4]; 2]; 4];
            for k in 0..pivots {
                let factors = &left[k * size + pivots + i..k * size + pivots + i + 8];
                let low: Lanes = factors[..4].try_into().expect("four of eight");
                let high: Lanes = factors[4..].try_into().expect("four of eight");
                for c in 0..4 {
                    let head = columns[c * size + k];
                    sums[c][0] = multiply_add_lanes::<FUSED>(head, low, sums[c][0]);
                    sums[c][1] = multiply_add_lanes::<FUSED>(head, high, sums[c][1]);
                }
            }
            for c in 0..4 {
                let target = &mut columns[c * size + pivots + i..c * size + pivots + i + 8];
                for (entry, sum) in target.iter_mut().zip(sums[c].as_flattened()) {
                    *entry -= sum;
                }
            }
        }
        for c in 0..count {
            let (heads, rest) = columns[c * size..(c + 1) * size].split_at_mut(pivots);
            for k in 0..pivots {
                let factors = &left[k * size + pivots + done..(k + 1) * size];
                for (entry, factor) in rest[done..].iter_mut().zip(factors) {
                    *entry = multiply_add::<FUSED>(-heads[k], *factor, *entry);
                }
            }
        }
    }
}

fn blocked(front: &mut [f64], size: usize, exchanges: &mut [u32], scratch: &mut Scratch) {
    let pivots = exchanges.len();
    let matrix = MatMut::from_column_major_slice_mut(front, size, size);
    let (mut a11, mut a12, mut a21, mut a22) = matrix.split_at_mut(pivots, pivots);
    if pivots > scratch.pivots {
        *scratch = Scratch::new(pivots);
    }
    let stack = MemStack::new(&mut scratch.memory);
    let (mut permutations, stack) = stack.make_with::<u32>(2 * pivots, |_| 0);
    let (mut tracks, stack) = stack.make_with::<u32>(2 * pivots, |k| (k % pivots) as u32);
    let (order, inverse) = permutations.split_at_mut(pivots);
    dense_lu::lu_in_place(a11.as_mut(), order, inverse, Par::Seq, stack, Default::default());
    // As a sequence of exchanges the permutation is applied without a copy.
    let (content, position) = tracks.split_at_mut(pivots);
    for k in 0..pivots {
        let wanted = order[k];
        let row = position[wanted as usize];
        exchanges[k] = row;
        let displaced = content[k];
        content.swap(k, row as usize);
        position[displaced as usize] = row;
        position[wanted as usize] = k as u32;
    }
    for j in 0..size - pivots {
        for k in 0..pivots {
            let row = exchanges[k] as usize;
            if row != k {
                let held = a12[(k, j)];
                a12[(k, j)] = a12[(row, j)];
                a12[(row, j)] = held;
            }
        }
    }
    solve_unit_lower_triangular_in_place(a11.as_ref(), a12.as_mut(), Par::Seq);
    solve_lower_triangular_in_place(
        a11.as_ref().transpose(),
        a21.as_mut().transpose_mut(),
        Par::Seq,
    );
    matmul(a22.as_mut(), Accum::Add, a21.as_ref(), a12.as_ref(), -1.0, Par::Seq);
}
