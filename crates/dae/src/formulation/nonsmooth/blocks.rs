//! Matrices of the sub-problems, and of all of them together.
//!
//! A step has three stages with unknowns of the same kind: smooth motion (accelerations `w`, forces
//! `λ̃`), position correction (`U/c8`, `ν/c8`) and velocity jump (`W/c7`, `Λ/c7`). In these units every
//! unknown is an acceleration or a force, and every row an acceleration, for any step size.

use super::candidates::Candidates;
use crate::blocks::{AuxiliaryBlocks, ReactionBlock, mark_multipliers, place_reactions};
use crate::newton::ITERATION;
use crate::system::{Patterns, Sizes};
use rotula_linear::{Block, BlockBuilder, BlockMatrix, Options};
use serde::{Deserialize, Serialize};

/// Rows of one stage, columns of motion of another one.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Pair {
    pub row: usize,
    pub column: usize,
    pub dynamics: Block,
    pub curvature: Block,
    pub constraints: Block,
    pub contacts: Block,
}

/// Columns of the multipliers of a stage in its own rows.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Own {
    pub stage: usize,
    pub reactions: ReactionBlock,
    pub contact_column: Block,
    /// Diagonal of bilateral rows that are switched off.
    pub idle: Block,
    /// Square blocks among the rows of each contact.
    pub contacts: Block,
    /// The same in the columns of the smooth forces, which are part of a total multiplier.
    pub smooth: Option<Block>,
}

/// Where everything sits in one matrix.
#[derive(Serialize, Deserialize)]
pub(crate) struct Blocks {
    pub pairs: Vec<Pair>,
    pub owns: Vec<Own>,
    pub auxiliary: Option<AuxiliaryBlocks>,
    /// Stages in the matrix.
    pub stages: Vec<usize>,
}

impl Blocks {
    /// Places the given stages one after the other, then the auxiliary unknowns.
    pub fn build(
        stages: &[usize],
        sizes: Sizes,
        patterns: &Patterns,
        candidates: &Candidates,
    ) -> (Self, BlockMatrix) {
        let (n, m, c) = (sizes.motion, sizes.multipliers(), candidates.rows());
        let width = n + m + c;
        let smooth = stages.contains(&0);
        let auxiliary = if smooth { sizes.auxiliary() } else { 0 };
        let total = stages.len() * width + auxiliary;
        let mut builder = BlockBuilder::new(total);
        let (mut pairs, mut owns, mut ranges) = (Vec::new(), Vec::new(), Vec::new());
        for (i, &stage) in stages.iter().enumerate() {
            let row = i * width;
            for (j, &column) in stages.iter().enumerate() {
                let col = j * width;
                pairs.push(Pair {
                    row: stage,
                    column,
                    dynamics: builder.place(&patterns.dynamics, row, col),
                    curvature: builder.place(&candidates.patterns.curvature, row, col),
                    constraints: builder.place(&patterns.constraints, row + n, col),
                    contacts: builder.place(&candidates.patterns.rows, row + n + m, col),
                });
            }
            let reactions = match stage {
                0 => place_reactions(&mut builder, patterns, row, row + n),
                _ => ReactionBlock::TransposedGradient(builder.place_transposed(
                    &patterns.constraints,
                    row,
                    row + n,
                )),
            };
            owns.push(Own {
                stage,
                reactions,
                contact_column: builder.place_transposed(
                    &candidates.patterns.rows,
                    row,
                    row + n + m,
                ),
                idle: builder.place_diagonal(m, row + n, row + n),
                contacts: builder.place(&candidates.own, row + n + m, row + n + m),
                smooth: (smooth && stage > 0)
                    .then(|| builder.place(&candidates.own, row + n + m, n + m)),
            });
            ranges.push(row + n..row + width);
        }
        let motion: Vec<usize> = (0..stages.len()).map(|i| i * width).collect();
        let offset = stages.len() * width;
        let auxiliary = (auxiliary > 0)
            .then(|| AuxiliaryBlocks::place(&mut builder, patterns, offset, &motion, n, &[0]));
        // All stages together are the last resort: nothing is saved on their accuracy.
        let options = if stages.len() > 1 { Options::default() } else { ITERATION };
        let matrix = builder.build(&mark_multipliers(total, &ranges), options);
        (Blocks { pairs, owns, auxiliary, stages: stages.to_vec() }, matrix)
    }
}
