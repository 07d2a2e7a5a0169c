//! Equations of motion and their derivatives.

use super::constraints::slopes;
use super::equations::Equations;
use super::system::Automatic;
use super::workspace::{WIDTH, chunks, fill, seeded};
use crate::system::{Point, StateWeights, Terms, Weights};

impl<E: Equations> Automatic<E> {
    /// The chosen terms of `M v̇ − f − Gᵀλ − Kᵀψ`.
    pub(super) fn motion_residual(&mut self, at: &Point, terms: Terms, out: &mut [f64]) {
        out.fill(0.0);
        if terms.inertia || terms.forces {
            self.plain.load(at);
        }
        if terms.inertia {
            let mass = self.plain.mass(&self.equations);
            for (j, &vdot) in at.vdot.iter().enumerate() {
                for (out, m) in out.iter_mut().zip(mass.column(j)) {
                    *out += m * vdot;
                }
            }
        }
        if terms.forces {
            let force = self.plain.force(&self.equations, self.multiplier_forces);
            for (out, f) in out.iter_mut().zip(force) {
                *out -= f;
            }
        }
        if terms.reactions {
            self.subtract_reactions(at, out);
        }
    }

    /// `out −= Gᵀλ + Kᵀψ`.
    fn subtract_reactions(&mut self, at: &Point, out: &mut [f64]) {
        let reaction = &self.reaction;
        let (work, seeds) = (&mut self.gradient, self.reaction_seeds);
        slopes(&self.equations, work, at, seeds, |row, column, slope| {
            if reaction[row] {
                out[column] -= at.multipliers[row] * slope;
            }
        });
    }

    /// Derivative of [`motion_residual`](Self::motion_residual) with respect to the motion.
    pub(super) fn motion_tangent(
        &mut self,
        at: &Point,
        weights: Weights,
        terms: Terms,
        values: &mut [f64],
    ) {
        values.fill(0.0);
        let moves = weights.stiffness != 0.0;
        let force = terms.forces && (moves || weights.damping != 0.0);
        if terms.inertia && !moves && weights.mass != 0.0 {
            self.plain.load(at);
            let mass = self.plain.mass(&self.equations);
            for (j, column) in values.chunks_exact_mut(self.sizes.motion).enumerate() {
                for (value, m) in column.iter_mut().zip(mass.column(j)) {
                    *value = weights.mass * m;
                }
            }
        }
        if force || (terms.inertia && moves) {
            self.gradient.load(at);
            self.add_chunks(at, weights, terms.inertia && moves, force, values);
        }
        if terms.reactions {
            self.subtract_curvature(at, weights, values);
        }
    }

    /// Adds the derivatives of `M v̇` and of `−f`: mass and force share the seeds of a pass.
    fn add_chunks(
        &mut self,
        at: &Point,
        weights: Weights,
        inertia: bool,
        force: bool,
        values: &mut [f64],
    ) {
        let (n, work) = (self.sizes.motion, &mut self.gradient);
        for chunk in chunks(n) {
            work.set_motion(
                |i| seeded(at.q[i], weights.stiffness, i, &chunk),
                |i| seeded(at.v[i], weights.damping, i, &chunk),
            );
            let columns = &mut values[chunk.start * n..chunk.end * n];
            if inertia {
                let mass = work.mass(&self.equations);
                for (k, column) in columns.chunks_exact_mut(n).enumerate() {
                    for (value, m) in column.iter_mut().zip(mass.column(chunk.start + k)) {
                        *value += weights.mass * m.real;
                    }
                }
                // Entry by entry, so that the derivatives of an entry are used while at hand.
                for i in 0..n {
                    let mut sum = [0.0; WIDTH];
                    for (j, vdot) in at.vdot.iter().enumerate() {
                        let slopes = mass.column(j)[i].dual;
                        for (sum, slope) in sum.iter_mut().zip(slopes) {
                            *sum += slope * vdot;
                        }
                    }
                    for (column, sum) in columns.chunks_exact_mut(n).zip(sum) {
                        column[i] += sum;
                    }
                }
            }
            if force {
                let force = work.force(&self.equations, self.multiplier_forces);
                for (k, column) in columns.chunks_exact_mut(n).enumerate() {
                    for (value, f) in column.iter_mut().zip(force) {
                        *value -= f.dual[k];
                    }
                }
            }
        }
    }

    /// `∂(dynamics)/∂(λ,ψ)`: explicit dependence of the forces, and the automatic reactions.
    pub(super) fn multiplier_tangent(&mut self, at: &Point, values: &mut [f64]) {
        values.fill(0.0);
        let n = self.sizes.motion;
        if self.multiplier_forces {
            self.gradient.load(at);
            for chunk in chunks(self.sizes.multipliers()) {
                let work = &mut self.gradient;
                fill(&mut work.multipliers, |i| seeded(at.multipliers[i], 1.0, i, &chunk));
                let force = work.force(&self.equations, true);
                let columns = &mut values[chunk.start * n..chunk.end * n];
                for (k, column) in columns.chunks_exact_mut(n).enumerate() {
                    for (value, f) in column.iter_mut().zip(force) {
                        *value = -f.dual[k];
                    }
                }
            }
        }
        let reaction = &self.reaction;
        let (work, seeds) = (&mut self.gradient, self.reaction_seeds);
        slopes(&self.equations, work, at, seeds, |row, column, slope| {
            if reaction[row] {
                values[column + n * row] -= slope;
            }
        });
    }

    /// Derivative of the equations of motion with respect to states and variables.
    pub(super) fn motion_by_auxiliary(
        &mut self,
        at: &Point,
        states: StateWeights,
        values: &mut [f64],
    ) {
        let (n, work) = (self.sizes.motion, &mut self.gradient);
        let (by_states, by_variables) = values.split_at_mut(n * self.sizes.states);
        work.load(at);
        for chunk in chunks(self.sizes.states) {
            fill(&mut work.x, |i| seeded(at.x[i], states.state, i, &chunk));
            let force = work.force(&self.equations, self.multiplier_forces);
            let columns = &mut by_states[chunk.start * n..chunk.end * n];
            for (k, column) in columns.chunks_exact_mut(n).enumerate() {
                fill(column, |i| -force[i].dual[k]);
            }
        }
        fill(&mut work.x, |i| at.x[i].into());
        for chunk in chunks(self.sizes.variables) {
            fill(&mut work.y, |i| seeded(at.y[i], 1.0, i, &chunk));
            let force = work.force(&self.equations, self.multiplier_forces);
            let columns = &mut by_variables[chunk.start * n..chunk.end * n];
            for (k, column) in columns.chunks_exact_mut(n).enumerate() {
                fill(column, |i| -force[i].dual[k]);
            }
        }
    }
}
