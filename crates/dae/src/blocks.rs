//! Value buffers of a system's derivative blocks, and the small jobs every formulation shares:
//! placing a system's blocks in an iteration matrix and filling them.

use crate::reaction_matrix::ReactionMatrix;
use crate::system::{Level, Patterns, Point, Sizes, StateWeights, System, Terms, Weights};
use rotula_linear::{Block, BlockBuilder, BlockMatrix};
use serde::{Deserialize, Serialize};

/// Buffers, one per kind of block.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Buffers {
    /// One number per equation of motion.
    pub motion: Vec<f64>,
    pub dynamics: Vec<f64>,
    pub constraints: Vec<f64>,
    /// As it was added to an iteration matrix last.
    pub reactions: ReactionMatrix,
    dynamics_auxiliary: Vec<f64>,
    auxiliary_motion: Vec<f64>,
    auxiliary_multipliers: Vec<f64>,
    auxiliary: Vec<f64>,
}

impl Buffers {
    pub fn new(patterns: &Patterns) -> Self {
        let zeros = |n: usize| vec![0.0; n];
        Buffers {
            motion: zeros(patterns.dynamics.rows()),
            dynamics: zeros(patterns.dynamics.entries()),
            constraints: zeros(patterns.constraints.entries()),
            reactions: ReactionMatrix::new(patterns),
            dynamics_auxiliary: zeros(patterns.dynamics_auxiliary.entries()),
            auxiliary_motion: zeros(patterns.auxiliary_motion.entries()),
            auxiliary_multipliers: zeros(patterns.auxiliary_multipliers.entries()),
            auxiliary: zeros(patterns.auxiliary.entries()),
        }
    }

    /// `matrix[block] += factor · tangent(weights, terms)`.
    pub fn add_tangent(
        &mut self,
        system: &mut dyn System,
        at: &Point,
        (weights, terms): (Weights, Terms),
        matrix: &mut BlockMatrix,
        block: Block,
        factor: f64,
    ) {
        system.tangent(at, weights, terms, &mut self.dynamics);
        matrix.add(block, factor, &self.dynamics);
    }

    /// `matrix[block] += factor · constraint tangent(level, weights)`.
    pub fn add_constraint(
        &mut self,
        system: &mut dyn System,
        at: &Point,
        (level, weights): (Level, Weights),
        matrix: &mut BlockMatrix,
        block: Block,
        factor: f64,
    ) {
        system.constraint_tangent(level, at, weights, &mut self.constraints);
        matrix.add(block, factor, &self.constraints);
    }

    /// `matrix[block] += factor · ∂(dynamics)/∂(multipliers)`.
    pub fn add_reactions(
        &mut self,
        system: &mut dyn System,
        at: &Point,
        matrix: &mut BlockMatrix,
        block: ReactionBlock,
        factor: f64,
    ) {
        self.reactions.evaluate(system, at);
        match block {
            ReactionBlock::Own(block) => matrix.add(block, factor, self.reactions.values()),
            ReactionBlock::TransposedGradient(block) => {
                matrix.add(block, -factor, self.reactions.values());
            }
        }
    }
}

/// Where `∂(dynamics)/∂(multipliers)` sits.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) enum ReactionBlock {
    Own(Block),
    TransposedGradient(Block),
}

/// Places the reaction block at (row, col).
pub(crate) fn place_reactions(
    builder: &mut BlockBuilder,
    patterns: &Patterns,
    row: usize,
    col: usize,
) -> ReactionBlock {
    match &patterns.reactions {
        Some(pattern) => ReactionBlock::Own(builder.place(pattern, row, col)),
        None => ReactionBlock::TransposedGradient(builder.place_transposed(
            &patterns.constraints,
            row,
            col,
        )),
    }
}

/// Rows and columns of states and variables, which every formulation appends in the same way.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct AuxiliaryBlocks {
    motion: Vec<Block>,
    multipliers: Block,
    auxiliary: Block,
    dynamics: Vec<Block>,
}

impl AuxiliaryBlocks {
    /// Places them at `offset` (row and column). `motion` lists the columns of motion-like unknowns
    /// that move the point of evaluation, with their weights; `dynamics` the rows of the equations
    /// of motion that feel states and variables.
    pub fn place(
        builder: &mut BlockBuilder,
        patterns: &Patterns,
        offset: usize,
        motion: &[usize],
        multipliers: usize,
        dynamics: &[usize],
    ) -> Self {
        AuxiliaryBlocks {
            motion: motion
                .iter()
                .map(|&col| builder.place(&patterns.auxiliary_motion, offset, col))
                .collect(),
            multipliers: builder.place(&patterns.auxiliary_multipliers, offset, multipliers),
            auxiliary: builder.place(&patterns.auxiliary, offset, offset),
            dynamics: dynamics
                .iter()
                .map(|&row| builder.place(&patterns.dynamics_auxiliary, row, offset))
                .collect(),
        }
    }

    /// Adds all blocks; `weights` belong to the motion columns in their order, `rows` scale the
    /// rows of the equations of motion, `column` the multiplier column.
    #[allow(clippy::too_many_arguments)]
    pub fn add(
        &mut self,
        system: &mut dyn System,
        at: &Point,
        weights: &[Weights],
        states: StateWeights,
        rows: &[f64],
        column: f64,
        matrix: &mut BlockMatrix,
        buffers: &mut Buffers,
    ) {
        let Buffers {
            dynamics_auxiliary, auxiliary_motion, auxiliary_multipliers, auxiliary, ..
        } = buffers;
        if auxiliary.is_empty() {
            return;
        }
        for (index, (block, &weights)) in self.motion.iter().zip(weights).enumerate() {
            system.auxiliary_tangent(
                at,
                weights,
                states,
                auxiliary_motion,
                auxiliary_multipliers,
                auxiliary,
            );
            matrix.add(*block, 1.0, auxiliary_motion);
            if index == 0 {
                matrix.add(self.multipliers, column, auxiliary_multipliers);
                matrix.add(self.auxiliary, 1.0, auxiliary);
            }
        }
        system.dynamics_auxiliary(at, states, dynamics_auxiliary);
        for (&block, &factor) in self.dynamics.iter().zip(rows) {
            matrix.add(block, factor, dynamics_auxiliary);
        }
    }
}

/// Marks the unknowns that are multipliers, given their ranges.
pub(crate) fn mark_multipliers(n: usize, ranges: &[std::ops::Range<usize>]) -> Vec<bool> {
    let mut marks = vec![false; n];
    for range in ranges {
        marks[range.clone()].fill(true);
    }
    marks
}

/// Constraint residuals at velocity or acceleration level occupy one row per multiplier; at position
/// level the holonomic rows only, and nonholonomic rows are met at velocity level.
pub(crate) fn constraint_rows(
    system: &mut dyn System,
    sizes: Sizes,
    level: Level,
    at: &Point,
    scratch: &mut [f64],
    out: &mut [f64],
) {
    match level {
        Level::Position => {
            if sizes.nonholonomic > 0 {
                system.constraint(Level::Velocity, at, scratch);
                out[sizes.holonomic..].copy_from_slice(&scratch[sizes.holonomic..]);
            }
            system.constraint(Level::Position, at, &mut out[..sizes.holonomic]);
        }
        Level::Velocity | Level::Acceleration => system.constraint(level, at, out),
    }
}
