//! Derivatives of the auxiliary equations.

use std::ops::Range;

use super::equations::Equations;
use super::system::Automatic;
use super::workspace::{Gradient, chunks, fill, seeded};
use crate::system::{Point, StateWeights, Weights};

/// Writes the derivatives of one pass into their columns.
fn write_columns(rows: &[Gradient], chunk: &Range<usize>, values: &mut [f64]) {
    let columns = &mut values[chunk.start * rows.len()..chunk.end * rows.len()];
    for (k, column) in columns.chunks_exact_mut(rows.len()).enumerate() {
        fill(column, |i| rows[i].dual[k]);
    }
}

impl<E: Equations> Automatic<E> {
    /// With respect to the motion.
    pub(super) fn auxiliary_by_motion(&mut self, at: &Point, weights: Weights, values: &mut [f64]) {
        if self.sizes.auxiliary() == 0 {
            return;
        }
        let work = &mut self.gradient;
        work.load(at);
        for chunk in chunks(self.sizes.motion) {
            work.set_motion(
                |i| seeded(at.q[i], weights.stiffness, i, &chunk),
                |i| seeded(at.v[i], weights.damping, i, &chunk),
            );
            fill(&mut work.vdot, |i| seeded(at.vdot[i], weights.mass, i, &chunk));
            write_columns(work.auxiliary(&self.equations), &chunk, values);
        }
    }

    /// With respect to the multipliers.
    pub(super) fn auxiliary_by_multipliers(&mut self, at: &Point, values: &mut [f64]) {
        if self.sizes.auxiliary() == 0 {
            return;
        }
        let work = &mut self.gradient;
        work.load(at);
        for chunk in chunks(self.sizes.multipliers()) {
            fill(&mut work.multipliers, |i| seeded(at.multipliers[i], 1.0, i, &chunk));
            write_columns(work.auxiliary(&self.equations), &chunk, values);
        }
    }

    /// With respect to states and variables.
    pub(super) fn auxiliary_by_itself(
        &mut self,
        at: &Point,
        states: StateWeights,
        values: &mut [f64],
    ) {
        let rows = self.sizes.auxiliary();
        if rows == 0 {
            return;
        }
        let (by_states, by_variables) = values.split_at_mut(rows * self.sizes.states);
        let work = &mut self.gradient;
        work.load(at);
        for chunk in chunks(self.sizes.states) {
            fill(&mut work.x, |i| seeded(at.x[i], states.state, i, &chunk));
            fill(&mut work.xdot, |i| seeded(at.xdot[i], states.rate, i, &chunk));
            write_columns(work.auxiliary(&self.equations), &chunk, by_states);
        }
        fill(&mut work.x, |i| at.x[i].into());
        fill(&mut work.xdot, |i| at.xdot[i].into());
        for chunk in chunks(self.sizes.variables) {
            fill(&mut work.y, |i| seeded(at.y[i], 1.0, i, &chunk));
            write_columns(work.auxiliary(&self.equations), &chunk, by_variables);
        }
    }
}
