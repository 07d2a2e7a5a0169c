//! Matrices of the stages: derivatives of their residuals with the present status of the contacts.

use super::blocks::{Blocks, Own, Pair};
use super::candidates::Equations;
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
        wanted.extend(equations.iter().map(Equations::sees_rows));
        system.contact_tangent_of(LEVELS[row], &at, weights, wanted, gradient);
        self.candidates.mix(&self.equations, &mut self.gradient);
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
        let Stages { candidates, equations, own: values, mass, status, .. } = self;
        let first = &candidates.first;
        let regular = |i: usize, a: usize| {
            let held = equations[i].mix[a][a] == 1.0 && status[stage][i].closed();
            if held { REGULARISATION / mass[first[i] + a] } else { 0.0 }
        };
        candidates.own_values(equations, regular, values);
        matrix.add(own.contacts, 1.0, values);
        if let Some(block) = own.smooth {
            // Rows on total multipliers feel the smooth forces in the same way.
            let Stages { candidates, equations, own: values, status, variant, .. } = self;
            candidates.own_values(equations, |_, _| 0.0, values);
            let mut k = 0;
            for (i, law) in candidates.laws.iter().enumerate() {
                let count = law.rows() * law.rows();
                let printed = *variant == NonsmoothVariant::Printed;
                let open = !status[stage][i].closed();
                for entry in 0..count {
                    let tangential = entry % law.rows() > 0;
                    if (open && printed) || (stage == 1 && tangential) {
                        values[k + entry] = 0.0;
                    }
                }
                k += count;
            }
            matrix.add(block, 1.0, values);
        }
    }
}
