//! How a step is solved: the three sub-problems in turn [Brüls et al. 2018, Algorithm 1], or all equations together.

use super::NonsmoothScheme;
use super::blocks::Blocks;
use super::law::Status;
use super::stages::Stages;
use crate::formulation::Core;
use crate::newton::Trouble;
use crate::settings::{NonsmoothIteration, Strategy};
use crate::statistics::Statistics;
use crate::system::System;
use serde::{Deserialize, Serialize};

/// Most corrections of one kind of iteration.
pub(super) const MOST_ITERATIONS: usize = 60;
/// Most split corrections before all equations are taken together, unless asked for otherwise.
const MOST_SPLIT: usize = 15;
/// A slower contraction is worth new matrices, but not more often than this in one attempt: the split
/// iteration may be slow by itself. [sheet 002 §3]
const SLOW: f64 = 0.1;
const MOST_RENEWALS: usize = 3;
/// After so many corrections in a row with a contraction slower than this, all equations together are
/// cheaper.
const HOPELESS: f64 = 0.3;
const PATIENCE: usize = 4;

/// Velocities below so many times their accuracy do not rebound.
const LEFT_OVER: f64 = 100.0;
/// The same where nothing else was found: still far below what a step changes.
const NEGLIGIBLE: f64 = 1e4;

/// What the last factorisations were made for, and the residuals of an attempt.
#[derive(Serialize, Deserialize)]
pub(super) struct Memory {
    made: [Option<(f64, Vec<Status>)>; 3],
    residuals: [Vec<f64>; 3],
    /// Worst residual of each iteration of the last attempt, over its bound.
    pub history: Vec<f64>,
    /// Worst residual of each stage in the last iteration.
    pub last: [f64; 3],
    /// Every matrix has been factorised once.
    warm: bool,
}

impl Memory {
    pub fn new(stages: &Stages) -> Self {
        Memory {
            made: [None, None, None],
            residuals: [0, 1, 2].map(|k: usize| vec![0.0; stages.x[k].len()]),
            history: Vec::with_capacity(4 * MOST_ITERATIONS),
            last: [0.0; 3],
            warm: false,
        }
    }

    /// The matrices no longer fit.
    pub fn forget(&mut self) {
        self.made = [None, None, None];
    }

    /// Residual of a stage in the last iteration.
    pub fn residual(&self, stage: usize) -> &[f64] {
        &self.residuals[stage]
    }
}

impl NonsmoothScheme {
    /// Solves the step that was begun. Returns the number of corrections.
    pub(super) fn iterate(
        &mut self,
        system: &mut dyn System,
        weights: &[f64],
        statistics: &mut Statistics,
    ) -> Result<usize, Trouble> {
        self.accuracy.begin(system, (&mut self.core, &self.alpha), &mut self.stages, weights);
        self.forget_rebounds(LEFT_OVER, f64::max);
        self.memory.history.clear();
        if !self.memory.warm {
            // All memory is taken in the first step, though not all matrices are needed there.
            self.stages.set_trial(system, (&mut self.core, &self.alpha));
            for stage in 0..3 {
                self.prepare(system, stage, statistics)?;
                self.memory.residuals[stage].fill(0.0);
                self.solve_stage(stage);
            }
            self.memory.warm = true;
        }
        let most = match self.iteration {
            NonsmoothIteration::Auto if self.prefers_whole => 0,
            NonsmoothIteration::Auto => MOST_SPLIT,
            NonsmoothIteration::Split => MOST_ITERATIONS,
            NonsmoothIteration::Monolithic | NonsmoothIteration::Sweeps => 0,
        };
        let mut spent = 0;
        if most > 0 {
            match self.split(system, most, statistics) {
                Ok(corrections) => return Ok(corrections),
                Err(_) => spent = self.memory.history.len().saturating_sub(1),
            }
            self.memory.forget();
            let h = self.alpha.c.h;
            self.begin_totals(h);
        }
        let swept = self.iteration == NonsmoothIteration::Sweeps
            && self.start_from_sweeps(system, statistics)?;
        let mut found = self.monolithic(system, statistics);
        // Another start may lead further, also where this one left the range of numbers. Where a force is
        // not a number at all, the next iteration says so again.
        if found.is_err() && !swept {
            spent += self.memory.history.len();
            found = self.rescue(system, statistics);
        }
        if found.is_err() && self.stages.strategy == Strategy::Pva {
            // Friction can leave the smooth motion without any reaction that fits: with a given
            // direction of slip the accelerations may have no solution. The jump of velocities has one.
            self.forget_rebounds(NEGLIGIBLE, f64::min);
            self.stages.strategy = Strategy::Bilateral;
            found = self.rescue(system, statistics);
            self.stages.strategy = Strategy::Pva;
            self.memory.forget();
            statistics.impulsive += usize::from(found.is_ok());
        }
        let corrections = found?;
        // What was slow in this step will be so until its contacts open.
        let closed = self.stages.status[1].iter().any(|status| status.closed());
        self.prefers_whole = closed;
        Ok(spent + corrections)
    }

    /// What the last step left of a velocity is no impact: more contacts than freedoms could not give it
    /// back.
    fn forget_rebounds(&mut self, below: f64, either: fn(f64, f64) -> f64) {
        let m = self.core.sizes.multipliers();
        let now = self.accuracy.velocity_bounds(self.alpha.c.c7).skip(m);
        let bounds = now.zip(&self.left_over).map(|(now, before)| below * either(now, *before));
        for (rebound, bound) in self.stages.rebound.iter_mut().zip(bounds) {
            if rebound.abs() <= bound {
                *rebound = 0.0;
            }
        }
    }

    /// Begins again where sweeps lead.
    fn rescue(
        &mut self,
        system: &mut dyn System,
        statistics: &mut Statistics,
    ) -> Result<usize, Trouble> {
        if !self.start_from_sweeps(system, statistics)? {
            return Err(Trouble::NotConverged);
        }
        let corrections = self.monolithic(system, statistics)?;
        statistics.rescued_by_sweeps += 1;
        Ok(corrections)
    }

    fn split(
        &mut self,
        system: &mut dyn System,
        most: usize,
        statistics: &mut Statistics,
    ) -> Result<usize, Trouble> {
        self.sets.begin();
        let mut before = f64::INFINITY;
        let (mut renewals, mut slow) = (0, 0);
        for corrections in 0..=most {
            let worst = self.examine(system, statistics)?;
            if worst <= 1.0 {
                return Ok(corrections);
            }
            if self.renews || (worst > SLOW * before && renewals < MOST_RENEWALS) {
                self.memory.forget();
                renewals += 1;
            }
            slow = if worst > HOPELESS * before { slow + 1 } else { 0 };
            before = worst;
            let split_only = self.iteration == NonsmoothIteration::Split;
            if corrections == most || (slow >= PATIENCE && !split_only) {
                break;
            }
            statistics.iterations += 1;
            for stage in 0..3 {
                self.correct(system, stage, statistics)?;
            }
        }
        self.memory.forget();
        Err(Trouble::NotConverged)
    }

    /// Updates the sets and evaluates all residuals; the worst one over its bound.
    fn examine(
        &mut self,
        system: &mut dyn System,
        statistics: &mut Statistics,
    ) -> Result<f64, Trouble> {
        if self.core.stop.asked() {
            return Err(Trouble::NotConverged);
        }
        self.stages.set_trial(system, (&mut self.core, &self.alpha));
        if self.stages.candidates.len() > 0 {
            for stage in 0..3 {
                self.stages.look(system, (&self.core, &self.alpha), stage);
            }
            self.sets.update(&mut self.stages, &self.waiting.open);
        }
        statistics.residuals += 1;
        let mut worst = self.evaluate_all(system)?;
        if worst <= 1.0 && self.sets.pending(&self.stages) {
            // Sets that change one by one are solved, but are they those of the contacts?
            self.sets.exchange(&mut self.stages);
            if self.evaluate_all(system)? > 1.0 {
                self.sets.exchange(&mut self.stages);
                self.evaluate_all(system)?;
                worst = f64::INFINITY;
            }
        }
        self.memory.history.push(worst);
        Ok(worst)
    }

    fn evaluate_all(&mut self, system: &mut dyn System) -> Result<f64, Trouble> {
        let mut worst = 0.0f64;
        for stage in 0..3 {
            worst = worst.max(self.evaluate(system, stage)?);
        }
        Ok(worst)
    }

    pub(super) fn evaluate(
        &mut self,
        system: &mut dyn System,
        stage: usize,
    ) -> Result<f64, Trouble> {
        let out = &mut self.memory.residuals[stage];
        self.stages.residual(system, (&self.core, &self.alpha), stage, out);
        let measure = self.accuracy.measure(stage, out, &self.core.trial);
        if measure.is_nan() {
            let equation = out.iter().position(|r| !r.is_finite()).unwrap_or(0);
            return Err(Trouble::NotFinite { equation });
        }
        self.memory.last[stage] = measure;
        Ok(measure)
    }

    /// Solves one sub-problem with the present sets.
    fn correct(
        &mut self,
        system: &mut dyn System,
        stage: usize,
        statistics: &mut Statistics,
    ) -> Result<(), Trouble> {
        if stage > 0 {
            self.stages.set_trial(system, (&mut self.core, &self.alpha));
            self.evaluate(system, stage)?;
        }
        // A sub-problem that is solved is left alone.
        if self.memory.last[stage] <= 1e-2 {
            return Ok(());
        }
        self.prepare(system, stage, statistics)?;
        self.apply_stage(stage);
        Ok(())
    }

    /// Solves one sub-problem with its matrix and takes the correction over.
    pub(super) fn apply_stage(&mut self, stage: usize) {
        self.solve_stage(stage);
        for (x, d) in self.stages.x[stage].iter_mut().zip(&self.memory.residuals[stage]) {
            *x -= d;
        }
        self.stages.clean(stage);
    }

    /// Turns the residual of a stage into its correction.
    fn solve_stage(&mut self, stage: usize) {
        let matrix = match stage {
            0 => &mut self.core.matrix,
            _ => &mut self.corrections[stage - 1],
        };
        matrix.solve(&mut self.memory.residuals[stage]);
    }

    /// Factorises the matrix of a sub-problem, unless the last one still fits.
    pub(super) fn prepare(
        &mut self,
        system: &mut dyn System,
        stage: usize,
        statistics: &mut Statistics,
    ) -> Result<(), Trouble> {
        let h = self.alpha.c.h;
        let status = &self.stages.status[stage];
        let turning = status.iter().any(|s| matches!(s, Status::Slip(_)));
        if let Some((made_h, made)) = &self.memory.made[stage]
            && !turning
            && (h / made_h - 1.0).abs() < 1e-6
            && made == status
        {
            return Ok(());
        }
        let NonsmoothScheme { core, alpha, stages, corrections, blocks, accuracy, memory, .. } =
            self;
        let Core { trial, buffers, matrix, .. } = core;
        let (c7, c8) = (alpha.c.c7, alpha.c.c8);
        let matrix = match stage {
            0 => matrix,
            _ => &mut corrections[stage - 1],
        };
        let made = memory.made[stage].take();
        stages
            .factorise(system, (trial, buffers, c7, c8), &mut blocks[stage], matrix)
            .map_err(Trouble::Matrix)?;
        statistics.factorisations += 1;
        if stage == 0 {
            accuracy.see_matrix(|i| matrix.diagonal(i), c8);
        }
        let mut kept = made.map_or_else(Vec::new, |(_, kept)| kept);
        kept.clear();
        kept.extend_from_slice(&stages.status[stage]);
        memory.made[stage] = Some((h, kept));
        Ok(())
    }

    fn monolithic(
        &mut self,
        system: &mut dyn System,
        statistics: &mut Statistics,
    ) -> Result<usize, Trouble> {
        self.sets.begin();
        if self.whole.is_none() {
            let sizes = self.core.sizes;
            let patterns = system.patterns();
            let (blocks, matrix) =
                Blocks::build(&[0, 1, 2], sizes, &patterns, &self.stages.candidates);
            let rhs = vec![0.0; matrix.size()];
            self.whole = Some((blocks, matrix, rhs));
        }
        for corrections in 0..=MOST_ITERATIONS {
            if self.examine(system, statistics)? <= 1.0 {
                return Ok(corrections);
            }
            if corrections == MOST_ITERATIONS {
                break;
            }
            statistics.iterations += 1;
            statistics.factorisations += 1;
            let NonsmoothScheme { core, alpha, stages, whole, memory, .. } = self;
            let Some((blocks, matrix, rhs)) = whole else { break };
            let Core { trial, buffers, .. } = core;
            let at = (&*trial, buffers, alpha.c.c7, alpha.c.c8);
            stages.factorise(system, at, blocks, matrix).map_err(Trouble::Matrix)?;
            stages.gather(&memory.residuals, rhs);
            matrix.solve(rhs);
            stages.apply(rhs);
            (0..3).for_each(|stage| stages.clean(stage));
        }
        Err(Trouble::NotConverged)
    }
}
