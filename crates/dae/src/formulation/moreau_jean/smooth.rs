//! The matrix `S` of the smooth motion: inertia, forces and bilateral constraints of the θ method.

use super::step::FORCES;
use crate::blocks::{Buffers, ReactionBlock};
use crate::contact_problem::{BlockInverses, Candidates, Delassus, Six, Subsystems};
use crate::newton::{ITERATION, Trouble};
use crate::state::State;
use crate::system::{Level, Patterns, Sizes, System, Terms, Weights};
use rotula_linear::{Block, BlockBuilder, BlockMatrix, Pattern};
use serde::{Deserialize, Serialize};

/// Rounds after which the inverses of single bodies are made anew.
const OLD: usize = 4;

/// How the matrix is made and solved: by the inverses of its blocks if every subsystem is one, else by the factors of
/// the whole.
#[derive(Serialize, Deserialize)]
pub(super) struct Smooth {
    pub subsystems: Subsystems,
    inverses: Option<BlockInverses>,
    /// Rows of the contacts that are solved together.
    colours: Vec<Vec<usize>>,
    dynamics: Block,
    constraints: Block,
    reactions: ReactionBlock,
    /// Values of the dynamics, and those of its forces.
    values: Vec<f64>,
    of_forces: Vec<f64>,
}

impl Smooth {
    pub fn new(sizes: Sizes, patterns: &Patterns) -> (Self, BlockMatrix) {
        let (n, m) = (sizes.motion, sizes.multipliers());
        let mut builder = BlockBuilder::new(n + m);
        let subsystems = Subsystems::find(&patterns.dynamics, &patterns.constraints);
        let single = m == 0 && subsystems.all_single();
        let smooth = Smooth {
            inverses: single.then(|| BlockInverses::new(&subsystems, &patterns.dynamics)),
            subsystems,
            colours: Vec::new(),
            dynamics: builder.place(&patterns.dynamics, 0, 0),
            constraints: builder.place(&patterns.constraints, n, 0),
            reactions: ReactionBlock::TransposedGradient(builder.place_transposed(
                &patterns.constraints,
                0,
                n,
            )),
            values: vec![0.0; patterns.dynamics.entries()],
            of_forces: vec![0.0; patterns.dynamics.entries()],
        };
        builder.place_diagonal(m, n, n);
        let marks: Vec<bool> = (0..n + m).map(|i| i >= n).collect();
        (smooth, builder.build(&marks, ITERATION))
    }

    /// Takes over a new list of contacts.
    pub fn renew(&mut self, candidates: &Candidates) {
        if !self.by_blocks() {
            self.colours = self.subsystems.colour(candidates);
        }
    }

    /// True if the matrix is solved block by block.
    pub fn by_blocks(&self) -> bool {
        self.inverses.is_some()
    }

    /// True if a round needs new factors.
    pub fn is_old(&self, round: usize) -> bool {
        !self.by_blocks() || round.is_multiple_of(OLD)
    }

    /// Adds everything to a cleared matrix.
    pub fn assemble(
        &mut self,
        system: &mut dyn System,
        (trial, buffers): (&State, &mut Buffers),
        weights: (f64, f64),
        matrix: &mut BlockMatrix,
    ) {
        self.find_values(system, trial, weights);
        matrix.add(self.dynamics, 1.0, &self.values);
        if !trial.multipliers.is_empty() {
            let (at, (h, theta)) = (trial.point(), weights);
            let rates = Weights { mass: 0.0, damping: h, stiffness: theta * h * h };
            let rows = (Level::Velocity, rates);
            buffers.add_constraint(system, &at, rows, matrix, self.constraints, 1.0 / h);
            buffers.add_reactions(system, &at, matrix, self.reactions, 1.0);
        }
    }

    fn find_values(&mut self, system: &mut dyn System, trial: &State, (h, theta): (f64, f64)) {
        let at = trial.point();
        let rates = Weights { mass: 0.0, damping: h, stiffness: theta * h * h };
        let inertia = Weights { mass: 1.0, ..rates };
        system.tangent(&at, inertia, Terms::WITHOUT_FORCES, &mut self.values);
        system.tangent(&at, rates, FORCES, &mut self.of_forces);
        let forces = self.values.iter_mut().zip(&self.of_forces);
        forces.for_each(|(value, force)| *value += theta * force);
    }

    /// Assembles and factorises.
    pub fn factorise(
        &mut self,
        system: &mut dyn System,
        (trial, buffers): (&State, &mut Buffers),
        weights: (f64, f64),
        matrix: &mut BlockMatrix,
    ) -> Result<(), Trouble> {
        let made = match &mut self.inverses {
            None => {
                matrix.clear();
                self.assemble(system, (trial, buffers), weights, matrix);
                matrix.factor()
            }
            Some(_) => {
                self.find_values(system, trial, weights);
                let Smooth { inverses: Some(inverses), subsystems, values, .. } = self else {
                    return Ok(());
                };
                inverses.invert(subsystems, values)
            }
        };
        made.map_err(Trouble::Matrix)
    }

    /// Corrects the motion by what a residual asks for: in the blocks alone where there are inverses, else in all
    /// unknowns as well.
    pub fn correct(
        &self,
        residual: &mut [f64],
        matrix: &mut BlockMatrix,
        x: &mut [f64],
        motion: &mut Vec<Six>,
    ) {
        let Some(inverses) = &self.inverses else {
            matrix.solve(residual);
            x.iter_mut().zip(residual).for_each(|(x, step)| *x -= *step);
            return self.subsystems.gather(x, motion);
        };
        for (block, motion) in motion.iter_mut().enumerate() {
            let step = inverses.respond(block, &self.subsystems.six(block, residual));
            motion.iter_mut().zip(step).for_each(|(motion, step)| *motion -= step);
        }
    }

    /// Gives the operator its responses.
    pub fn respond(
        &self,
        delassus: &mut Delassus,
        gradient: (&Pattern, &[f64]),
        matrix: &mut BlockMatrix,
    ) {
        match &self.inverses {
            Some(inverses) => delassus.respond_by_blocks(inverses),
            None => {
                let apart = (&self.subsystems, &self.colours[..]);
                delassus.respond_by_solves(apart, gradient, matrix);
            }
        }
    }
}
