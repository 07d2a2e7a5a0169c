//! Impacts that would make energy: with friction Newton's restitution can do that [Kane & Levinson 1985]. Then every contact gives back
//! less of its approach in that step, by the largest of some parts with which no energy is made.
//!
//! ```text
//! energy made by contacts   ½ Pᵀ(u⁺ + u⁻),   u = G v after and before
//! ```

use super::MoreauJeanScheme;
use crate::newton::Trouble;
use crate::statistics::Statistics;
use crate::system::System;

/// Parts of the restitution that are tried.
const PARTS: [f64; 4] = [0.75, 0.5, 0.25, 0.0];
/// Energy below this part of what contacts exchange is rounding, or that of an iteration.
const NOTHING: f64 = 1e-7;

impl MoreauJeanScheme {
    /// Solves a step; where its impacts make energy, again with less restitution.
    pub(super) fn solve_without_gain(
        &mut self,
        system: &mut dyn System,
        statistics: &mut Statistics,
    ) -> Result<usize, Trouble> {
        let mut iterations = self.solve_step(system, statistics)?;
        if !self.may_gain() || !self.gains(system) {
            return Ok(iterations);
        }
        let whole = self.rebound.clone();
        for part in PARTS {
            self.rebound.iter_mut().zip(&whole).for_each(|(own, whole)| *own = part * whole);
            iterations += self.solve_step(system, statistics)?;
            if !self.gains(system) {
                break;
            }
        }
        Ok(iterations)
    }

    /// Some contact with friction gives back.
    fn may_gain(&self) -> bool {
        let laws = self.candidates.laws.iter().enumerate();
        self.active.contains(&true)
            && laws.into_iter().any(|(i, law)| {
                let first = self.candidates.first[i];
                self.active[i] && law.friction > 0.0 && self.rebound[first] < 0.0
            })
    }

    /// Whether contacts made energy in the step that was solved.
    fn gains(&mut self, system: &mut dyn System) -> bool {
        self.evaluate_rows(system);
        let offset = self.core.sizes.motion + self.core.sizes.multipliers();
        let (h, rows) = (self.core.h, self.rows.len());
        let mut before = vec![0.0; rows];
        let pattern = &self.candidates.patterns.rows;
        pattern.multiply_add(&self.gradient, 1.0, &self.core.base.v, &mut before);
        let (mut made, mut exchanged) = (0.0, 0.0);
        for (row, before) in before.iter().enumerate() {
            let after = h * self.rows[row] - self.rebound[row];
            let impulse = h * self.x[offset + row];
            made += 0.5 * impulse * (after + before);
            exchanged += (impulse * before).abs() + (impulse * after).abs();
        }
        made > NOTHING * exchanged
    }
}
