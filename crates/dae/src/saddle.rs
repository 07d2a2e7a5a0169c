//! The saddle-point system `[M −Jᵀ; J 0]` that projects onto the constraints in the metric of the
//! mass: used for consistent starts, velocity rescaling and projection.

use crate::blocks::Buffers;
use crate::system::{Level, Patterns, Point, Sizes, System, Terms, Weights};
use crate::vector::add_scaled;
use rotula_linear::{Block, BlockBuilder, BlockMatrix, FactorError, Options, Pattern};
use serde::{Deserialize, Serialize};

/// Factors of an earlier point serve as long as the motion that they give misses the constraints by no more than this part.
const SERVES: f64 = 1e-2;

/// Which constraint rows take part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rows {
    /// Holonomic rows; multipliers of the others are zero.
    Holonomic,
    /// All rows.
    All,
}

/// The matrix, its blocks and a right-hand side.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Saddle {
    sizes: Sizes,
    matrix: BlockMatrix,
    mass: Block,
    column: Block,
    row: Block,
    diagonal: Block,
    /// 1 for rows that are switched off.
    off: Vec<f64>,
    nonholonomic_entries: Vec<usize>,
    buffers: Buffers,
    constraints: Pattern,
    /// There are factors, of some point.
    factored: bool,
    /// How a motion is to change the constraints, and what it misses.
    wanted: Vec<f64>,
    missed: Vec<f64>,
    /// A motion to be corrected.
    corrected: Vec<f64>,
    /// Right-hand side, then solution: motion, then multipliers.
    pub rhs: Vec<f64>,
}

impl Saddle {
    pub fn new(sizes: Sizes, patterns: &Patterns) -> Self {
        let (n, m) = (sizes.motion, sizes.multipliers());
        let mut builder = BlockBuilder::new(n + m);
        let mass = builder.place(&patterns.dynamics, 0, 0);
        let column = builder.place_transposed(&patterns.constraints, 0, n);
        let row = builder.place(&patterns.constraints, n, 0);
        let diagonal = builder.place_diagonal(m, n, n);
        let marks: Vec<bool> = (0..n + m).map(|i| i >= n).collect();
        Saddle {
            sizes,
            matrix: builder.build(&marks, Options::default()),
            mass,
            column,
            row,
            diagonal,
            off: vec![0.0; m],
            nonholonomic_entries: nonholonomic_entries(sizes, patterns),
            buffers: Buffers::new(patterns),
            constraints: patterns.constraints.clone(),
            factored: false,
            wanted: vec![0.0; m],
            missed: vec![0.0; m],
            corrected: vec![0.0; n],
            rhs: vec![0.0; n + m],
        }
    }

    /// Takes over the analysis of another matrix where that has the same pattern.
    pub fn follow(&mut self, analysed: &BlockMatrix) {
        self.matrix.follow(analysed);
    }

    /// Assembles and factorises at a point.
    pub fn factorise(
        &mut self,
        system: &mut dyn System,
        at: &Point,
        rows: Rows,
    ) -> Result<(), FactorError> {
        let Saddle { matrix, buffers, .. } = self;
        matrix.clear();
        buffers.add_tangent(system, at, (Weights::MASS, Terms::INERTIA), matrix, self.mass, 1.0);
        system.constraint_gradient(at, &mut buffers.constraints);
        if rows == Rows::Holonomic {
            for &entry in &self.nonholonomic_entries {
                buffers.constraints[entry] = 0.0;
            }
        }
        let off = if rows == Rows::Holonomic { 1.0 } else { 0.0 };
        self.off[self.sizes.holonomic..].fill(off);
        matrix.add(self.column, -1.0, &buffers.constraints);
        matrix.add(self.row, 1.0, &buffers.constraints);
        matrix.add(self.diagonal, 1.0, &self.off);
        let done = matrix.factor();
        self.factored = done.is_ok();
        done
    }

    /// Solves for the right-hand side in `rhs`; the solution replaces it.
    pub fn solve(&mut self) {
        self.matrix.solve(&mut self.rhs);
    }

    /// Solves for a right-hand side without motion, all rows taking part, with the factors of an earlier point where these serve: what their
    /// motion misses, they correct. Its part in free motions is as small as theirs.
    pub fn solve_near(&mut self, system: &mut dyn System, at: &Point) -> Result<(), FactorError> {
        let n = self.sizes.motion;
        self.wanted.copy_from_slice(&self.rhs[n..]);
        if self.factored {
            self.solve();
            self.corrected.copy_from_slice(&self.rhs[..n]);
            system.constraint_gradient(at, &mut self.buffers.constraints);
            self.missed.copy_from_slice(&self.wanted);
            let (gradient, missed) = (&self.buffers.constraints, &mut self.missed);
            self.constraints.multiply_add(gradient, -1.0, &self.corrected, missed);
            if norm(&self.missed) <= SERVES * norm(&self.wanted) {
                self.rhs[..n].fill(0.0);
                self.rhs[n..].copy_from_slice(&self.missed);
                self.solve();
                add_scaled(&mut self.rhs[..n], 1.0, &self.corrected);
                return Ok(());
            }
        }
        self.factorise(system, at, Rows::All)?;
        self.rhs[..n].fill(0.0);
        self.rhs[n..].copy_from_slice(&self.wanted);
        self.solve();
        Ok(())
    }

    /// Motion part of the solution.
    pub fn motion(&self) -> &[f64] {
        &self.rhs[..self.sizes.motion]
    }

    /// Fills the right-hand side with zero motion and `factor` times the constraint residual.
    pub fn set_constraint_rhs(
        &mut self,
        system: &mut dyn System,
        at: &Point,
        level: Level,
        factor: f64,
    ) {
        let n = self.sizes.motion;
        self.rhs.fill(0.0);
        let end = match level {
            Level::Position => n + self.sizes.holonomic,
            _ => n + self.sizes.multipliers(),
        };
        system.constraint(level, at, &mut self.rhs[n..end]);
        for value in &mut self.rhs[n..] {
            *value *= factor;
        }
    }
}

fn norm(values: &[f64]) -> f64 {
    values.iter().map(|value| value * value).sum::<f64>().sqrt()
}

/// Entries of the constraint pattern that belong to nonholonomic rows.
pub(crate) fn nonholonomic_entries(sizes: Sizes, patterns: &Patterns) -> Vec<usize> {
    let rows = patterns.constraints.iter().map(|(row, _)| row);
    rows.enumerate().filter(|(_, row)| *row >= sizes.holonomic).map(|(entry, _)| entry).collect()
}
