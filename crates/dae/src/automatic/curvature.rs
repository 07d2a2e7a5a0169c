//! How reactions change with the motion.

use std::ops::Range;

use super::equations::Equations;
use super::system::Automatic;
use super::workspace::{Gradient, Hessian, WIDTH, chunks, fill, seeded};
use crate::system::{Point, Weights};

/// A number that moves inside as given, and outside with unit rate in its own direction if `rows`
/// has it.
#[inline]
fn nested(inside: Gradient, index: usize, rows: &Range<usize>) -> Hessian {
    let mut outside = Hessian::constant(inside);
    if rows.contains(&index) {
        outside.dual[index - rows.start].real = 1.0;
    }
    outside
}

/// Second derivatives of one pass: rows, then columns.
type Block = [[f64; WIDTH]; WIDTH];

/// Second derivatives of `multipliers · results`, over the constraints that react.
#[inline]
fn combine(results: &[Hessian], multipliers: &[f64], reaction: &[bool]) -> Block {
    let mut block = Block::default();
    for ((result, &multiplier), &reacts) in results.iter().zip(multipliers).zip(reaction) {
        if reacts {
            for (entries, slopes) in block.iter_mut().zip(&result.dual) {
                for (entry, slope) in entries.iter_mut().zip(&slopes.dual) {
                    *entry += multiplier * slope;
                }
            }
        }
    }
    block
}

/// Subtracts a block from a matrix whose entries `place` finds.
#[inline]
fn subtract(
    block: &Block,
    rows: &Range<usize>,
    columns: &Range<usize>,
    place: impl Fn(usize, usize) -> usize,
    values: &mut [f64],
) {
    for (i, entries) in rows.clone().zip(block) {
        for (j, entry) in columns.clone().zip(entries) {
            values[place(i, j)] -= entry;
        }
    }
}

impl<E: Equations> Automatic<E> {
    /// `values −= stiffness·∂(Gᵀλ + Kᵀψ)/∂q + damping·∂(Kᵀψ)/∂v`.
    ///
    /// The reactions are gradients of the scalars `λ·g` and `ψ·k`, so these are second derivatives.
    pub(super) fn subtract_curvature(&mut self, at: &Point, weights: Weights, values: &mut [f64]) {
        self.hessian.t = at.t.into();
        if self.reaction_seeds.holonomic != 0.0 && weights.stiffness != 0.0 {
            self.subtract_holonomic_curvature(at, weights.stiffness, values);
        }
        let moves = weights.stiffness != 0.0 || weights.damping != 0.0;
        if self.reaction_seeds.nonholonomic != (0.0, 0.0) && moves {
            self.subtract_nonholonomic_curvature(at, weights, values);
        }
    }

    fn subtract_holonomic_curvature(&mut self, at: &Point, stiffness: f64, values: &mut [f64]) {
        let (n, work) = (self.sizes.motion, &mut self.hessian);
        for rows in chunks(n) {
            // The second derivatives of `λ·g` are symmetric: half of the blocks is enough.
            for columns in chunks(n).filter(|columns| columns.start >= rows.start) {
                fill(&mut work.q, |i| nested(seeded(at.q[i], stiffness, i, &columns), i, &rows));
                let results = work.holonomic(&self.equations);
                let block = combine(results, at.multipliers, &self.reaction);
                subtract(&block, &rows, &columns, |i, j| i + n * j, values);
                if columns.start > rows.start {
                    subtract(&block, &rows, &columns, |i, j| j + n * i, values);
                }
            }
        }
    }

    fn subtract_nonholonomic_curvature(
        &mut self,
        at: &Point,
        weights: Weights,
        values: &mut [f64],
    ) {
        let (n, work) = (self.sizes.motion, &mut self.hessian);
        let psi = &at.multipliers[self.sizes.holonomic..];
        let reaction = &self.reaction[self.sizes.holonomic..];
        for columns in chunks(n) {
            fill(&mut work.q, |i| {
                Hessian::constant(seeded(at.q[i], weights.stiffness, i, &columns))
            });
            for rows in chunks(n) {
                fill(&mut work.v, |i| {
                    nested(seeded(at.v[i], weights.damping, i, &columns), i, &rows)
                });
                let block = combine(work.nonholonomic(&self.equations), psi, reaction);
                subtract(&block, &rows, &columns, |i, j| i + n * j, values);
            }
        }
    }
}
