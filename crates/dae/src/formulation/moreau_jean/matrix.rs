//! Matrices of the θ method: the smooth motion alone, and together with the contacts.

use super::MoreauJeanScheme;
use super::step::FORCES;
use crate::blocks::Buffers;
use crate::formulation::Core;
use crate::formulation::nonsmooth::{Blocks, Equations, Own, Pair};
use crate::newton::Trouble;
use crate::state::State;
use crate::statistics::Statistics;
use crate::system::{Level, System, Terms, Weights};
use rotula_linear::BlockMatrix;

/// Regularisation of closed rows, relative to their effective mass.
const REGULARISATION: f64 = 1e-9;
impl MoreauJeanScheme {
    /// Fills the cleared matrix of the smooth motion, the contact forces given.
    pub(super) fn fill_smooth(&mut self, system: &mut dyn System) {
        let h = self.core.h;
        let (pair, own) = (self.blocks.pairs[0], self.blocks.owns[0]);
        let Core { trial, buffers, matrix, .. } = &mut self.core;
        add_smooth(system, (trial, buffers), (h, self.theta), (pair, own), matrix);
    }

    /// Assembles and factorises the smooth motion.
    pub(super) fn factorise_smooth(
        &mut self,
        system: &mut dyn System,
        statistics: &mut Statistics,
    ) -> Result<(), Trouble> {
        self.core.matrix.clear();
        self.fill_smooth(system);
        statistics.factorisations += 1;
        self.core.matrix.factor().map_err(Trouble::Matrix)
    }

    /// Assembles, factorises and solves motion and contacts together, with the present status.
    pub(super) fn correct_whole(
        &mut self,
        system: &mut dyn System,
        statistics: &mut Statistics,
    ) -> Result<(), Trouble> {
        let offset = self.core.sizes.motion + self.core.sizes.multipliers();
        let sizes = self.core.sizes;
        let (blocks, mut matrix) = self
            .whole
            .take()
            .unwrap_or_else(|| Blocks::build(&[2], sizes, &system.patterns(), &self.candidates));
        matrix.clear();
        let h = self.core.h;
        let (pair, own) = (blocks.pairs[0], blocks.owns[0]);
        let Core { trial, buffers, .. } = &mut self.core;
        add_smooth(system, (trial, buffers), (h, self.theta), (pair, own), &mut matrix);
        if self.candidates.len() > 0 {
            let at = trial.point();
            let stiffness = self.theta * h * h;
            let reactions = &self.x[offset..];
            if reactions.iter().any(|&force| force != 0.0) {
                system.contact_curvature(&at, reactions, &mut self.curvature);
                matrix.add(pair.curvature, stiffness, &self.curvature);
            }
            system.contact_gradient(&at, &mut self.gradient);
            matrix.add(own.contact_column, -1.0, &self.gradient);
            let rates = Weights { mass: 0.0, damping: h, stiffness };
            let wanted = &mut self.wanted;
            wanted.clear();
            wanted.extend(self.equations.iter().map(Equations::sees_rows));
            system.contact_tangent_of(Level::Velocity, &at, rates, wanted, &mut self.gradient);
            self.candidates.mix(&self.equations, &mut self.gradient);
            matrix.add(pair.contacts, 1.0 / h, &self.gradient);
            let (first, masses, equations) =
                (&self.candidates.first, &self.masses, &self.equations);
            let regular = |i: usize, a: usize| match equations[i].mix[a][a] == 1.0 {
                true => REGULARISATION / masses[first[i] + a],
                false => 0.0,
            };
            self.candidates.own_values(equations, regular, &mut self.own);
            matrix.add(own.contacts, 1.0, &self.own);
        }
        statistics.factorisations += 1;
        let factored = matrix.factor();
        if factored.is_ok() {
            matrix.solve(&mut self.residual);
            for (x, d) in self.x.iter_mut().zip(&self.residual) {
                *x -= d;
            }
        }
        self.whole = Some((blocks, matrix));
        factored.map_err(Trouble::Matrix)
    }
}

/// Adds the derivative of the smooth motion to a matrix: inertia, forces and bilateral constraints.
fn add_smooth(
    system: &mut dyn System,
    (trial, buffers): (&State, &mut Buffers),
    (h, theta): (f64, f64),
    (pair, own): (Pair, Own),
    matrix: &mut BlockMatrix,
) {
    let at = trial.point();
    let stiffness = theta * h * h;
    let inertia = Weights { mass: 1.0, damping: h, stiffness };
    let forces = Weights { mass: 0.0, damping: h, stiffness };
    let terms = (inertia, Terms::WITHOUT_FORCES);
    buffers.add_tangent(system, &at, terms, matrix, pair.dynamics, 1.0);
    buffers.add_tangent(system, &at, (forces, FORCES), matrix, pair.dynamics, theta);
    if !trial.multipliers.is_empty() {
        let rows = (Level::Velocity, forces);
        buffers.add_constraint(system, &at, rows, matrix, pair.constraints, 1.0 / h);
        buffers.add_reactions(system, &at, matrix, own.reactions, 1.0);
    }
}
