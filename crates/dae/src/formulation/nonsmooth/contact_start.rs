//! Where Newton's method does not find the sets of a step: the impulses of contact problems at position and velocity
//! level, from which it begins again. What it accepts is judged as ever.
//!
//! The smooth motion of the step is that without contacts. The contacts whose gaps it closes, by a problem of their
//! normals alone, take part in a problem of impulses with friction. [002 §7]

use super::NonsmoothScheme;
use crate::contact_problem::Bound;
use crate::contact_problem::law::Status;
use crate::newton::Trouble;
use crate::statistics::Statistics;
use crate::system::System;

/// Most rows of contacts.
const MOST_ROWS: usize = 600;
/// Corrections of the free motion.
const FREE_CORRECTIONS: usize = 3;
/// Error of the contact problems, relative to their rows without forces.
const EXACT: f64 = 1e-11;

impl NonsmoothScheme {
    /// Puts the unknowns of a step where contact problems lead; false if there are no contacts or too many.
    pub(super) fn start_from_contact_problem(
        &mut self,
        system: &mut dyn System,
        statistics: &mut Statistics,
    ) -> Result<bool, Trouble> {
        let rows = self.stages.candidates.rows();
        if rows == 0 || rows > MOST_ROWS {
            return Ok(false);
        }
        self.begin_totals(self.core.alpha.c.h);
        self.move_freely(system, statistics)?;
        system.contact_gradient(&self.core.trial.point(), &mut self.stages.gradient);
        // positions tell which contacts are closed, velocities what impulses they take
        let mut acting = vec![true; self.stages.candidates.len()];
        let gaps = self.solve_level(1, &acting, statistics);
        let closed = self.stages.candidates.first.iter().map(|&row| gaps.get(row) > Some(&0.0));
        acting.iter_mut().zip(closed).for_each(|(acting, closed)| *acting = closed);
        self.solve_level(2, &acting, statistics);
        self.memory.forget();
        Ok(true)
    }

    /// The motion with all contacts open.
    fn move_freely(
        &mut self,
        system: &mut dyn System,
        statistics: &mut Statistics,
    ) -> Result<(), Trouble> {
        self.memory.forget();
        self.stages.status.iter_mut().for_each(|status| status.fill(Status::Open));
        let (offset, width) = (self.stages.contact_offset(), self.stages.width());
        self.stages.x[0][offset..width].fill(0.0);
        (1..3).for_each(|stage| self.stages.clean(stage));
        for (stage, most) in [(0, FREE_CORRECTIONS), (1, 1), (2, 1)] {
            for _ in 0..most {
                self.stages.set_trial(system, &mut self.core);
                if self.evaluate(system, stage)? <= 1.0 && stage == 0 {
                    break;
                }
                self.prepare(system, stage, statistics)?;
                self.apply_stage(stage);
            }
        }
        self.stages.set_trial(system, &mut self.core);
        (1..3).for_each(|stage| self.stages.look(system, &self.core, stage));
        Ok(())
    }

    /// Total forces of one stage from the contact problem of `acting`, and the motion they lead to; the smooth forces
    /// are Newton's to find. Positions know no friction.
    fn solve_level(
        &mut self,
        stage: usize,
        acting: &[bool],
        statistics: &mut Statistics,
    ) -> Vec<f64> {
        let n = self.core.sizes.motion;
        let offset = self.stages.contact_offset();
        let stages = &mut self.stages;
        let (candidates, gradient) = (&stages.candidates, &stages.gradient[..]);
        let delassus = &mut self.problem.delassus;
        delassus.assemble(candidates, &self.subsystems, |i| acting[i], stage == 1, gradient);
        let apart = (&self.subsystems, &self.colours[..]);
        let rows = &candidates.patterns.rows;
        delassus.respond_by_solves(apart, (rows, gradient), &mut self.corrections[1]);
        self.subsystems.gather(&stages.x[stage][..n], &mut delassus.motion);
        delassus.set_rows(&stages.rows[stage]);
        let mut forces = stages.total[stage].clone();
        let bound = EXACT * delassus.free_size(&forces);
        let bound = Bound { coarse: bound, fine: bound, part: 0.0 };
        // A start only: what no solver finds exactly is still near.
        let solved = self.problem.solve(&mut forces, bound, &self.core.stop);
        statistics.iterations += solved.map_or(0, |solved| solved.iterations);
        for (row, force) in forces.iter().enumerate() {
            stages.x[stage][offset + row] += force - stages.total[stage][row];
        }
        self.subsystems.scatter(&self.problem.delassus.motion, &mut stages.x[stage][..n]);
        forces
    }
}
