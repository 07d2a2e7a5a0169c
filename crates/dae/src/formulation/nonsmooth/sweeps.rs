//! Where Newton's method does not find the sets of a step: impulses at velocity level by Gauss–Seidel
//! sweeps, or where these are slow by solving all contacts at once, from which Newton's method begins again. What it accepts is judged
//! as ever.
//!
//! With the smooth motion of the step free of contacts, the rows at its end are `b + W (Λ − past)`:
//! `W` is what impulses do to rows, and `past` what earlier reactions still add to the totals `Λ`. The
//! contacts whose gap that motion closes take turns, each solved exactly. [Brüls et al. 2018, sheet §7]

use super::NonsmoothScheme;
use super::law::Status;
use super::turns::{Turns, dot};
use crate::newton::Trouble;
use crate::statistics::Statistics;
use crate::system::System;

/// Most rows of contacts: `W` is stored whole.
const MOST_ROWS: usize = 600;
/// Sweeps end when they change impulses by less than this part.
const STILL: f64 = 1e-11;
/// Sweeps after which all contacts are solved at once, and how exactly, as a part of the largest rate.
const FEW_SWEEPS: usize = 300;
const INNER: f64 = 1e-9;
/// Corrections of the free motion.
const FREE_CORRECTIONS: usize = 3;

impl NonsmoothScheme {
    /// Puts the unknowns of a step where sweeps over its contacts lead; false if there are no contacts
    /// or too many.
    pub(super) fn start_from_sweeps(
        &mut self,
        system: &mut dyn System,
        statistics: &mut Statistics,
    ) -> Result<bool, Trouble> {
        let rows = self.stages.candidates.rows();
        if rows == 0 || rows > MOST_ROWS {
            return Ok(false);
        }
        self.begin_totals(self.alpha.c.h);
        self.move_freely(system, statistics)?;
        let (compliance, response) = self.responses(system, statistics)?;
        // positions tell which contacts are closed, velocities what impulses they take
        let mut total = vec![0.0; rows];
        let all: Vec<usize> = (0..self.stages.candidates.len()).collect();
        self.sweep(1, &all, &compliance, &response, &mut total, statistics);
        let closed = |&i: &usize| total[self.stages.candidates.first[i]] > 0.0;
        let acting: Vec<usize> = all.into_iter().filter(closed).collect();
        total.fill(0.0);
        self.sweep(2, &acting, &compliance, &response, &mut total, statistics);
        self.memory.forget();
        Ok(true)
    }

    /// The smooth motion with all contacts open.
    fn move_freely(
        &mut self,
        system: &mut dyn System,
        statistics: &mut Statistics,
    ) -> Result<(), Trouble> {
        self.memory.forget();
        self.stages.status.iter_mut().for_each(|status| status.fill(Status::Open));
        let offset = self.stages.contact_offset();
        let rows = self.stages.candidates.rows();
        self.stages.x[0][offset..offset + rows].fill(0.0);
        (1..3).for_each(|stage| self.stages.clean(stage));
        for _ in 0..FREE_CORRECTIONS {
            self.stages.set_trial(system, (&mut self.core, &self.alpha));
            if self.evaluate(system, 0)? <= 1.0 {
                break;
            }
            self.prepare(system, 0, statistics)?;
            self.apply_stage(0);
        }
        self.stages.set_trial(system, (&mut self.core, &self.alpha));
        (1..3).for_each(|stage| self.stages.look(system, (&self.core, &self.alpha), stage));
        Ok(())
    }

    /// What a unit force in each row does to all rows and to the motion, bilateral constraints kept.
    fn responses(
        &mut self,
        system: &mut dyn System,
        statistics: &mut Statistics,
    ) -> Result<(Vec<f64>, Vec<f64>), Trouble> {
        self.prepare(system, 2, statistics)?;
        let n = self.core.sizes.motion;
        let rows = self.stages.candidates.rows();
        system.contact_gradient(&self.core.trial.point(), &mut self.stages.gradient);
        let (pattern, gradient) = (&self.stages.candidates.patterns.rows, &self.stages.gradient);
        let matrix = &mut self.corrections[1];
        let mut compliance = vec![0.0; rows * rows];
        let mut response = vec![0.0; rows * n];
        let (mut unit, mut forces) = (vec![0.0; rows], vec![0.0; matrix.size()]);
        let mut column = vec![0.0; rows];
        for row in 0..rows {
            if self.core.stop.asked() {
                return Err(Trouble::NotConverged);
            }
            unit.fill(0.0);
            unit[row] = 1.0;
            forces.fill(0.0);
            pattern.multiply_transposed_add(gradient, 1.0, &unit, &mut forces[..n]);
            matrix.solve(&mut forces);
            response[row * n..(row + 1) * n].copy_from_slice(&forces[..n]);
            column.fill(0.0);
            pattern.multiply_add(gradient, 1.0, &forces[..n], &mut column);
            (0..rows).for_each(|i| compliance[i * rows + row] = column[i]);
        }
        Ok((compliance, response))
    }

    /// Total forces of one stage, found by sweeps over `acting`, and the motion they lead to; the smooth
    /// forces are Newton's to find.
    fn sweep(
        &mut self,
        stage: usize,
        acting: &[usize],
        compliance: &[f64],
        response: &[f64],
        total: &mut [f64],
        statistics: &mut Statistics,
    ) {
        let (n, m) = (self.core.sizes.motion, self.core.sizes.multipliers());
        let rows = total.len();
        let candidates = &self.stages.candidates;
        let mut past = self.stages.history[stage - 1][m..].to_vec();
        if stage == 1 {
            // positions know no friction
            let tangents = (0..candidates.len())
                .flat_map(|i| candidates.first[i] + 1..candidates.first[i + 1]);
            tangents.for_each(|row| past[row] = 0.0);
        }
        let mut free = self.stages.rows[stage].clone();
        for (i, free) in free.iter_mut().enumerate() {
            *free -= dot(&compliance[i * rows..(i + 1) * rows], &past);
        }
        let (friction, stop) = (stage == 2, &self.core.stop);
        let (laws, first) = (&candidates.laws, &candidates.first);
        let turns = Turns {
            laws,
            first,
            acting,
            compliance,
            free: &free,
            friction,
            rows,
            least: None,
            still: STILL,
            stop,
        };
        let found = turns.take_some(total, FEW_SWEEPS);
        statistics.iterations += found.unwrap_or(FEW_SWEEPS);
        if found.is_none() {
            statistics.iterations += turns.take_together(total, INNER);
        }
        let offset = self.stages.contact_offset();
        for row in 0..rows {
            let jump = total[row] - past[row];
            self.stages.x[stage][offset + row] = jump;
            let moved = self.stages.x[stage][..n].iter_mut().zip(&response[row * n..]);
            moved.for_each(|(x, response)| *x += jump * response);
        }
    }
}
