//! Matrices of the stages: derivatives of their residuals with the present status of the contacts.

use super::blocks::{Blocks, Own, Pair};
use super::stages::{LEVELS, Stages, stage_point, stage_weights};
use crate::blocks::Buffers;
use crate::settings::{NonsmoothVariant, Strategy};
use crate::state::State;
use crate::system::{Level, Point, StateWeights, System, Terms, Weights};
use rotula_linear::{BlockMatrix, FactorError};

/// Regularisation of closed contact rows, relative to their effective mass: redundant contacts stay
/// solvable, and the residual is unchanged. [sheet 002 §6]
const REGULARISATION: f64 = 1e-9;

impl Stages {
    /// Assembles and factorises a matrix of one or all stages at the trial point, with the present
    /// status of the contacts.
    pub fn factorise(
        &mut self,
        system: &mut dyn System,
        at: (&State, &mut Buffers, f64, f64),
        blocks: &mut Blocks,
        matrix: &mut BlockMatrix,
    ) -> Result<(), FactorError> {
        matrix.clear();
        self.assemble(system, at, blocks, matrix);
        matrix.factor()
    }

    /// Adds all blocks of one or all stages to a cleared matrix.
    pub fn assemble(
        &mut self,
        system: &mut dyn System,
        (trial, buffers, c7, c8): (&State, &mut Buffers, f64, f64),
        blocks: &mut Blocks,
        matrix: &mut BlockMatrix,
    ) {
        let weights = stage_weights(c7, c8);
        for pair in &blocks.pairs {
            self.add_pair(system, (trial, buffers, c7, c8), *pair, weights[pair.column], matrix);
        }
        for own in &blocks.owns {
            self.add_own(system, (trial, buffers), *own, matrix);
        }
        if let Some(auxiliary) = &mut blocks.auxiliary {
            // The smooth stage alone, or all stages: in both cases the first ones.
            let chosen = &weights[..blocks.stages.len()];
            let states = StateWeights { rate: 1.0, state: c7 };
            let at = trial.point();
            auxiliary.add(system, &at, chosen, states, &[1.0], 1.0, matrix, buffers);
        }
    }

    fn add_pair(
        &mut self,
        system: &mut dyn System,
        (trial, buffers, c7, c8): (&State, &mut Buffers, f64, f64),
        pair: Pair,
        weights: Weights,
        matrix: &mut BlockMatrix,
    ) {
        let Pair { row, column, .. } = pair;
        let at = stage_point(trial, &self.x, self.sizes, row);
        let factor = [1.0, 1.0 / c8, 1.0 / c7][row];
        // Corrections take the place of the acceleration in their own rows only.
        let motion = match row {
            0 => weights,
            _ => Weights { mass: if row == column { 1.0 } else { 0.0 }, ..weights },
        };
        let terms = if row == 0 { Terms::ALL } else { Terms::WITHOUT_FORCES };
        buffers.add_tangent(system, &at, (motion, terms), matrix, pair.dynamics, 1.0);
        if self.sizes.multipliers() > 0 {
            match (row, self.strategy) {
                (0, Strategy::Free) => {}
                (0, Strategy::Pvv) => {
                    let at = Point { v: &self.smooth_v, ..at };
                    // The velocity jump is not part of the smooth velocity.
                    let damping = if column == 0 { c7 } else { 0.0 };
                    let rows = (Level::Velocity, Weights { mass: 0.0, damping, ..weights });
                    buffers.add_constraint(system, &at, rows, matrix, pair.constraints, 1.0 / c7);
                }
                _ => {
                    let rows = (LEVELS[row], weights);
                    buffers.add_constraint(system, &at, rows, matrix, pair.constraints, factor);
                }
            }
        }
        if self.candidates.len() == 0 {
            return;
        }
        let offset = self.contact_offset();
        if weights.stiffness != 0.0 {
            let forces = &self.x[row][offset..offset + self.candidates.rows()];
            if forces.iter().any(|&force| force != 0.0) {
                system.contact_curvature(&at, forces, &mut self.curvature);
                matrix.add(pair.curvature, weights.stiffness, &self.curvature);
            }
        }
        self.set_equations(row);
        let Stages { wanted, equations, gradient, x, sizes, .. } = self;
        let at = stage_point(trial, x, *sizes, row);
        wanted.clear();
        wanted.extend(equations.iter().map(|e| e.rows != [[0.0; 3]; 3]));
        system.contact_tangent_of(LEVELS[row], &at, weights, wanted, gradient);
        self.combine_rows();
        matrix.add(pair.contacts, factor, &self.gradient);
    }

    fn add_own(
        &mut self,
        system: &mut dyn System,
        (trial, buffers): (&State, &mut Buffers),
        own: Own,
        matrix: &mut BlockMatrix,
    ) {
        let stage = own.stage;
        let at = stage_point(trial, &self.x, self.sizes, stage);
        if self.sizes.multipliers() > 0 {
            let free = stage == 0 && self.strategy == Strategy::Free;
            self.idle.fill(if free { 1.0 } else { 0.0 });
            if stage == 1 {
                self.idle[self.sizes.holonomic..].fill(1.0);
            }
            matrix.add(own.idle, 1.0, &self.idle);
            buffers.add_reactions(system, &at, matrix, own.reactions, 1.0);
        }
        if self.candidates.len() == 0 {
            return;
        }
        system.contact_gradient(&at, &mut self.gradient);
        matrix.add(own.contact_column, -1.0, &self.gradient);
        self.set_equations(stage);
        self.set_own_values();
        if let Some(block) = own.smooth {
            // Rows on total multipliers feel the smooth forces in the same way.
            let printed = self.variant == NonsmoothVariant::Printed;
            let mut values = self.own.clone();
            let mut k = 0;
            for (law, status) in self.candidates.laws.iter().zip(&self.status[stage]) {
                for entry in 0..law.rows() * law.rows() {
                    let tangential = entry % law.rows() > 0;
                    if (!status.closed() && printed) || (stage == 1 && tangential) {
                        values[k + entry] = 0.0;
                    }
                }
                k += law.rows() * law.rows();
            }
            matrix.add(block, 1.0, &values);
        }
        let mut k = 0;
        for (i, law) in self.candidates.laws.iter().enumerate() {
            for a in 0..law.rows() {
                if self.equations[i].rows[a][a] == 1.0 && self.status[stage][i].closed() {
                    let mass = self.mass[self.candidates.first[i] + a];
                    self.own[k + a * (law.rows() + 1)] += REGULARISATION / mass;
                }
            }
            k += law.rows() * law.rows();
        }
        matrix.add(own.contacts, 1.0, &self.own);
    }

    /// Replaces the tangents of the rows of each contact by what its equations make of them.
    fn combine_rows(&mut self) {
        for (contact, equations) in self.equations.iter().enumerate() {
            let count = self.candidates.laws[contact].rows();
            for (_, start) in self.candidates.columns(contact) {
                let values = &mut self.gradient[start..start + count];
                let mut old = [0.0; 3];
                old[..count].copy_from_slice(values);
                for (value, rows) in values.iter_mut().zip(&equations.rows) {
                    // A row that is switched off may have derivatives that are not finite.
                    let off = *rows == [0.0; 3];
                    *value = if off { 0.0 } else { rows.iter().zip(old).map(|(a, b)| a * b).sum() };
                }
            }
        }
    }

    /// The blocks among the rows of each contact, column by column.
    fn set_own_values(&mut self) {
        let blocks = self.candidates.laws.iter().zip(&self.equations);
        let values = blocks.flat_map(|(law, equations)| {
            let count = law.rows();
            (0..count * count).map(move |k| equations.forces[k % count][k / count])
        });
        self.own.iter_mut().zip(values).for_each(|(own, value)| *own = value);
    }
}
