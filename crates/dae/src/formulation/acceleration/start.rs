//! Where steps with constraints at position level start from. Their velocities settle to a residual proportional to h²,
//! and their accelerations to values beside the true ones: both are moved when h changes, and sought at a clean start.

use super::AccelerationScheme;
use crate::formulation::Core;
use crate::saddle::Rows;
use crate::settings::Adjustment;
use crate::state::State;
use crate::system::{Level, System};
use crate::vector::add_scaled;
use rotula_linear::FactorError;

impl AccelerationScheme {
    /// The velocity that a step of size `h` starts from.
    pub(super) fn set_start_velocity(
        &mut self,
        system: &mut dyn System,
        state: &State,
        h: f64,
    ) -> Result<(), FactorError> {
        self.v_start.copy_from_slice(&state.v);
        let ratio = match self.alpha.adjustment {
            Adjustment::Rescaled => self.alpha.step_ratio(h),
            _ => None,
        };
        if let (Some(saddle), true) =
            (&mut self.saddle, ratio.is_some() || self.start_residual.is_some())
        {
            // An index-3 step settles to a velocity residual proportional to h²: move it to the new h,
            // or put it there at a clean start. [Negrut et al. 2005, sheet §2.2, §2.3] Nonholonomic constraints hold at velocity
            // level and must not feel it: what they lost the step would have to give back, which is an error
            // of first order in its accelerations and multipliers.
            let at = state.point();
            let n = self.core.sizes.motion;
            let shift = ratio.map_or(-1.0, |ratio| ratio * ratio - 1.0);
            saddle.set_constraint_rhs(system, &at, Level::Velocity, shift);
            if let Some(residual) = &self.start_residual {
                add_scaled(&mut saddle.rhs[n..], 1.0, residual);
            }
            saddle.rhs[n + self.core.sizes.holonomic..].fill(0.0);
            match self.start_residual {
                // the start acceleration asks for the factors of this very point
                Some(_) => {
                    saddle.factorise(system, &at, Rows::All)?;
                    saddle.solve();
                }
                None => saddle.solve_near(system, &at)?,
            }
            add_scaled(&mut self.v_start, 1.0, saddle.motion());
        }
        Ok(())
    }

    /// Makes a clean start of a plain one, after a step that led to `next`.
    pub(super) fn clean_start(&mut self, system: &mut dyn System, next: &State, out: &mut [f64]) {
        self.keep_directions_of_constraints(system, out);
        // Of a velocity error e a step leaves e (1 − h c7/c8), because its acceleration makes up for h e: the residual
        // that stays as it is differs from that of the start by c8/(h c7) of its change.
        let c = self.alpha.c;
        let mut start = vec![0.0; self.core.sizes.multipliers()];
        let mut at = self.core.base.point();
        at.v = &self.v_start;
        system.constraint(Level::Velocity, &at, &mut start);
        system.constraint(Level::Velocity, &next.point(), &mut self.rows);
        for (start, end) in start.iter_mut().zip(&self.rows) {
            *start += c.c8 / (c.h * c.c7) * (end - *start);
        }
        self.start_residual = Some(start);
    }

    /// Takes out of a start acceleration all that constraints do not feel: along the free motion the true acceleration is as
    /// good a start, and steps longer than its vibrations have no other.
    fn keep_directions_of_constraints(&mut self, system: &mut dyn System, start: &mut [f64]) {
        let Core { base, buffers, sizes, .. } = &mut self.core;
        let shift: Vec<f64> = start.iter().zip(&base.vdot).map(|(a, b)| a - b).collect();
        start.copy_from_slice(&base.vdot);
        let Some(saddle) = &mut self.saddle else { return };
        // With a residual to start from, the step has begun with this matrix.
        let made = self.start_residual.is_some();
        if !made && saddle.factorise(system, &base.point(), Rows::All).is_err() {
            return;
        }
        system.constraint_gradient(&base.point(), &mut buffers.constraints);
        saddle.rhs.fill(0.0);
        let rows = &mut saddle.rhs[sizes.motion..];
        self.constraint_pattern.multiply_add(&buffers.constraints, 1.0, &shift, rows);
        saddle.solve();
        add_scaled(start, 1.0, saddle.motion());
    }
}
