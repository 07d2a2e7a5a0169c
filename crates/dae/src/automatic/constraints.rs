//! Constraints at every level and their derivatives.

use super::equations::Equations;
use super::system::Automatic;
use super::workspace::{Gradient, Workspace, chunks, fill, moving, seeded};
use crate::system::{Level, Point, Weights};

/// How fast the unknowns move in the first derivatives of constraints. Rows that nothing moves are
/// not visited.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seeds {
    /// Rate of `q` in the holonomic constraints.
    pub holonomic: f64,
    /// Rates of `q` and `v` in the nonholonomic constraints.
    pub nonholonomic: (f64, f64),
}

impl Seeds {
    /// Seeds of `[G; K]`, times a factor.
    pub fn gradient(factor: f64) -> Self {
        Seeds { holonomic: factor, nonholonomic: (0.0, factor) }
    }
}

/// Visits the first derivatives of the constraints `g` and `k`: row, column, derivative.
#[inline]
pub(super) fn slopes<E: Equations>(
    equations: &E,
    work: &mut Workspace<Gradient>,
    at: &Point,
    seeds: Seeds,
    mut visit: impl FnMut(usize, usize, f64),
) {
    let holonomic = work.sizes().holonomic;
    work.t = at.t.into();
    if holonomic > 0 && seeds.holonomic != 0.0 {
        for chunk in chunks(at.q.len()) {
            fill(&mut work.q, |i| seeded(at.q[i], seeds.holonomic, i, &chunk));
            for (row, value) in work.holonomic(equations).iter().enumerate() {
                for (k, column) in chunk.clone().enumerate() {
                    visit(row, column, value.dual[k]);
                }
            }
        }
    }
    if work.sizes().nonholonomic > 0 && seeds.nonholonomic != (0.0, 0.0) {
        let (position, velocity) = seeds.nonholonomic;
        for chunk in chunks(at.q.len()) {
            work.set_motion(
                |i| seeded(at.q[i], position, i, &chunk),
                |i| seeded(at.v[i], velocity, i, &chunk),
            );
            for (row, value) in work.nonholonomic(equations).iter().enumerate() {
                for (k, column) in chunk.clone().enumerate() {
                    visit(holonomic + row, column, value.dual[k]);
                }
            }
        }
    }
}

impl<E: Equations> Automatic<E> {
    /// Residuals: rates are derivatives along the motion `q̇ = v`, `v̇`, `ṫ = 1`.
    pub(super) fn constraint_residual(&mut self, level: Level, at: &Point, out: &mut [f64]) {
        let holonomic = self.sizes.holonomic;
        if level == Level::Position {
            let work = &mut self.plain;
            work.t = at.t;
            work.q.copy_from_slice(at.q);
            out.copy_from_slice(work.holonomic(&self.equations));
            return;
        }
        let (out, out_nonholonomic) = out.split_at_mut(holonomic);
        let rate = &mut self.rate;
        rate.t = moving(at.t, 1.0);
        rate.set_motion(|i| moving(at.q[i], at.v[i]), |i| moving(at.v[i], at.vdot[i]));
        if level == Level::Velocity {
            let rows = rate.holonomic(&self.equations);
            fill(out, |i| rows[i].dual[0]);
            let rows = rate.nonholonomic(&self.equations);
            fill(out_nonholonomic, |i| rows[i].real);
        } else {
            let rows = rate.nonholonomic(&self.equations);
            fill(out_nonholonomic, |i| rows[i].dual[0]);
            let work = &mut self.second_rate;
            work.t = moving(moving(at.t, 1.0), moving(1.0, 0.0));
            fill(&mut work.q, |i| moving(moving(at.q[i], at.v[i]), moving(at.v[i], at.vdot[i])));
            let rows = work.holonomic(&self.equations);
            fill(out, |i| rows[i].dual[0].dual[0]);
        }
    }

    /// First derivatives of `g` and `k` as a matrix.
    pub(super) fn constraint_slopes(&mut self, at: &Point, seeds: Seeds, values: &mut [f64]) {
        let rows = self.sizes.multipliers();
        values.fill(0.0);
        slopes(&self.equations, &mut self.gradient, at, seeds, |row, column, slope| {
            values[row + rows * column] = slope;
        });
    }

    /// Derivative of [`constraint_residual`](Self::constraint_residual). Where a cheaper way gives
    /// the same — `G` is the derivative of `g`, of `ġ` and of `g̈` — it is taken.
    pub(super) fn constraint_derivative(
        &mut self,
        level: Level,
        at: &Point,
        weights: Weights,
        values: &mut [f64],
    ) {
        let Weights { mass, damping, stiffness } = weights;
        match level {
            Level::Position => {
                let seeds = Seeds { holonomic: stiffness, ..Seeds::default() };
                self.constraint_slopes(at, seeds, values);
            }
            Level::Velocity => {
                let through_rate = stiffness != 0.0;
                let holonomic = if through_rate { 0.0 } else { damping };
                let seeds = Seeds { holonomic, nonholonomic: (stiffness, damping) };
                self.constraint_slopes(at, seeds, values);
                if through_rate {
                    self.holonomic_rate_derivative(at, weights, values);
                }
            }
            Level::Acceleration if stiffness == 0.0 && damping == 0.0 => {
                self.constraint_slopes(at, Seeds::gradient(mass), values);
            }
            Level::Acceleration => {
                self.holonomic_second_rate_derivative(at, weights, values);
                self.nonholonomic_rate_derivative(at, weights, values);
            }
        }
    }

    /// Derivatives of `ġ`.
    fn holonomic_rate_derivative(&mut self, at: &Point, weights: Weights, values: &mut [f64]) {
        let (count, work) = (self.sizes.multipliers(), &mut self.rate_gradient);
        if self.sizes.holonomic == 0 {
            return;
        }
        work.t = moving(at.t.into(), 1.0.into());
        for chunk in chunks(self.sizes.motion) {
            fill(&mut work.q, |i| {
                let q = seeded(at.q[i], weights.stiffness, i, &chunk);
                moving(q, seeded(at.v[i], weights.damping, i, &chunk))
            });
            for (row, value) in work.holonomic(&self.equations).iter().enumerate() {
                for (k, column) in chunk.clone().enumerate() {
                    values[row + count * column] = value.dual[0].dual[k];
                }
            }
        }
    }

    /// Derivatives of `g̈`.
    fn holonomic_second_rate_derivative(
        &mut self,
        at: &Point,
        weights: Weights,
        values: &mut [f64],
    ) {
        let (count, work) = (self.sizes.multipliers(), &mut self.second_rate_gradient);
        if self.sizes.holonomic == 0 {
            return;
        }
        let one = Gradient::constant(1.0);
        work.t = moving(moving(at.t.into(), one), moving(one, 0.0.into()));
        for chunk in chunks(self.sizes.motion) {
            fill(&mut work.q, |i| {
                let q = seeded(at.q[i], weights.stiffness, i, &chunk);
                let v = seeded(at.v[i], weights.damping, i, &chunk);
                let vdot = seeded(at.vdot[i], weights.mass, i, &chunk);
                moving(moving(q, v), moving(v, vdot))
            });
            for (row, value) in work.holonomic(&self.equations).iter().enumerate() {
                for (k, column) in chunk.clone().enumerate() {
                    values[row + count * column] = value.dual[0].dual[0].dual[k];
                }
            }
        }
    }

    /// Derivatives of `k̇`.
    fn nonholonomic_rate_derivative(&mut self, at: &Point, weights: Weights, values: &mut [f64]) {
        let (count, work) = (self.sizes.multipliers(), &mut self.rate_gradient);
        if self.sizes.nonholonomic == 0 {
            return;
        }
        work.t = moving(at.t.into(), 1.0.into());
        for chunk in chunks(self.sizes.motion) {
            let q = |i: usize| seeded(at.q[i], weights.stiffness, i, &chunk);
            let v = |i: usize| seeded(at.v[i], weights.damping, i, &chunk);
            let vdot = |i: usize| seeded(at.vdot[i], weights.mass, i, &chunk);
            work.set_motion(|i| moving(q(i), v(i)), |i| moving(v(i), vdot(i)));
            for (row, value) in work.nonholonomic(&self.equations).iter().enumerate() {
                for (k, column) in chunk.clone().enumerate() {
                    values[self.sizes.holonomic + row + count * column] = value.dual[0].dual[k];
                }
            }
        }
    }
}
