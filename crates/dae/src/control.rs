//! Step sizes: a grid for fixed steps, a controller for a local-error tolerance.

use crate::settings::{StepControl, ToleranceControl};
use serde::{Deserialize, Serialize};

/// Steps are never halved more often than this within a fixed grid.
const MOST_HALVINGS: i32 = 12;
/// Nor are they shortened more often than by two to this power for what meets in them.
const MOST_SHORTENED: i32 = 30;
/// The farthest turn of a body within a step, in radians: beyond half a turn nothing between the ends is known. A
/// body that spins freely has no error that would shorten its steps.
const FARTHEST_TURN: f64 = 1.5;
/// Sizes that follow from errors have so many binary digits. An error estimate is a small difference of large numbers: rounding, which
/// differs from processor to processor, moves it by 1e-8 of itself. Coarse sizes do not feel that, so that all machines take
/// the same steps and find the same motion; exact ones would drift apart until the runs agree no better than their tolerance.
const DIGITS: u32 = 7;

/// Decides the size of every attempt within one segment of smooth forces.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Control {
    Grid(Grid),
    Error(ErrorControl),
}

impl Control {
    /// `first` is the size of the first step in error-controlled runs.
    pub fn new(settings: &StepControl, first: f64) -> Self {
        match settings {
            StepControl::Fixed { h } => Control::Grid(Grid::new(*h, vec![1.0])),
            StepControl::Repeated { h, fractions } => {
                Control::Grid(Grid::new(*h, fractions.clone()))
            }
            StepControl::Tolerance(control) => Control::Error(ErrorControl::new(*control, first)),
        }
    }

    /// A segment of smooth forces begins.
    pub fn begin_segment(&mut self, from: f64, to: f64) {
        match self {
            Control::Grid(grid) => grid.begin(from, to),
            Control::Error(control) => control.end = to,
        }
    }

    /// Where the segment ends; no number before the first one.
    pub fn end(&self) -> f64 {
        match self {
            Control::Grid(grid) => grid.to,
            Control::Error(control) => control.end,
        }
    }

    /// Time at which the next attempt shall end.
    pub fn target(&self, t: f64) -> f64 {
        match self {
            Control::Grid(grid) => grid.target(t),
            Control::Error(control) => control.target(t),
        }
    }

    /// The size that steps have at present, if nothing cuts them; at least `h`.
    pub fn usual(&self, h: f64) -> f64 {
        match self {
            Control::Grid(grid) => grid.h.max(h),
            Control::Error(control) => control.h.max(h),
        }
    }

    /// The smallest size that steps may have.
    pub fn smallest(&self) -> f64 {
        match self {
            Control::Grid(grid) => grid.h / 2f64.powi(MOST_SHORTENED),
            Control::Error(control) => control.settings.min,
        }
    }

    /// The attempt failed to converge; false if no smaller step is allowed.
    pub fn shrink_after_trouble(&mut self, t: f64, h: f64) -> bool {
        match self {
            Control::Grid(grid) => grid.halve(t),
            Control::Error(control) => control.shrink(h, 0.25),
        }
    }
}

/// Equal or repeated steps that divide a segment exactly; halved only when the iteration fails. A grid point that cannot
/// be reached though the way to it can be walked, such as a singular position, is leapt over: smaller steps would
/// only come nearer to it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Grid {
    h: f64,
    fractions: Vec<f64>,
    from: f64,
    to: f64,
    cycles: usize,
    reached: usize,
    /// How often the current grid step is halved.
    parts: i32,
    /// The next attempt ends in the middle of the grid step after the current one.
    leaps: bool,
}

impl Grid {
    fn new(h: f64, fractions: Vec<f64>) -> Self {
        Grid {
            h,
            fractions,
            from: 0.0,
            to: f64::NAN,
            cycles: 1,
            reached: 0,
            parts: 0,
            leaps: false,
        }
    }

    fn begin(&mut self, from: f64, to: f64) {
        let count = ((to - from) / self.h - 1e-6).ceil();
        self.cycles = (count as usize).max(1);
        self.from = from;
        self.to = to;
        self.reached = 0;
        self.parts = 0;
        self.leaps = false;
    }

    /// Time of grid point `k`.
    fn point(&self, k: usize) -> f64 {
        let per_cycle = self.fractions.len();
        if k >= self.cycles * per_cycle {
            return self.to;
        }
        let (cycle, part) = if per_cycle == 1 { (k, 0) } else { (k / per_cycle, k % per_cycle) };
        let share = cycle as f64 + self.fractions[..part].iter().sum::<f64>();
        self.from + (self.to - self.from) * share / self.cycles as f64
    }

    fn target(&self, t: f64) -> f64 {
        let next = self.point(self.reached + 1);
        if self.leaps {
            return 0.5 * (next + self.point(self.reached + 2));
        }
        if self.parts == 0 {
            return next;
        }
        let step = (next - self.point(self.reached)) / 2f64.powi(self.parts);
        // The last part ends on the grid, however the parts were rounded.
        if t + 1.5 * step > next { next } else { t + step }
    }

    fn halve(&mut self, t: f64) -> bool {
        let next = self.point(self.reached + 1);
        let under_way = t > self.point(self.reached) && self.target(t) == next;
        self.leaps = !self.leaps && under_way && next < self.to;
        if !self.leaps {
            self.parts += 1;
        }
        self.parts <= MOST_HALVINGS
    }

    /// A step that ended at `t` was accepted.
    pub fn accept(&mut self, t: f64) {
        if t >= self.point(self.reached + 1) {
            self.reached += 1;
            // After a leap half of a grid step is left.
            let least = if std::mem::take(&mut self.leaps) { 1 } else { 0 };
            self.parts = (self.parts - 1).max(least);
        }
    }
}

/// Keeps the local error at the tolerance. [Negrut et al. 2005, sheet §3]
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ErrorControl {
    pub settings: ToleranceControl,
    pub h: f64,
    end: f64,
    last: Option<(f64, f64)>,
    rejections: usize,
    accepted: usize,
    /// The size that the first step after the last start could have had.
    opening: Option<f64>,
}

/// The next smaller size of few digits.
fn coarse(h: f64) -> f64 {
    // the first digit is not stored
    let dropped = f64::MANTISSA_DIGITS - DIGITS;
    f64::from_bits(h.to_bits() >> dropped << dropped)
}

impl ErrorControl {
    fn new(settings: ToleranceControl, first: f64) -> Self {
        let first = settings.first.unwrap_or_else(|| coarse(first));
        let h = first.clamp(settings.min, settings.max);
        ErrorControl {
            settings,
            h,
            end: f64::NAN,
            last: None,
            rejections: 0,
            accepted: 0,
            opening: None,
        }
    }

    fn target(&self, t: f64) -> f64 {
        let rest = self.end - t;
        // Two equal steps instead of a long and a tiny one.
        match rest / self.h {
            r if r <= 1.0 + 1e-10 => self.end,
            r if r < 2.0 => t + rest / 2.0,
            _ => t + self.h,
        }
    }

    fn shrink(&mut self, h: f64, factor: f64) -> bool {
        self.rejections += 1;
        self.h = coarse(h * factor);
        self.h >= self.settings.min
    }

    /// Judges a converged attempt: `ratio` is its error over the tolerance. True means accepted.
    pub fn judge(&mut self, h: f64, ratio: f64, order: usize) -> Verdict {
        let exponent = 1.0 / (order as f64 + 1.0);
        if ratio > 1.0 {
            let mut factor = (0.9 * ratio.powf(-exponent)).clamp(0.2, 0.9);
            if self.rejections >= 2 {
                factor = factor.min(0.25);
            }
            return if self.shrink(h, factor) { Verdict::Rejected } else { Verdict::TooSmall };
        }
        // The last step's error, carried to this size, damps oscillation of the step size.
        let carried = match self.last {
            Some((last_h, last_ratio)) => last_ratio * (h / last_h).powf(order as f64 + 1.0),
            None => 0.0,
        };
        let worst = ratio.max(carried).max(1e-12);
        let most = if self.accepted < 3 { 10.0 } else { 2.0 };
        let mut factor = (0.9 * worst.powf(-exponent)).clamp(0.2, most);
        if self.rejections > 0 {
            factor = factor.min(1.0);
        }
        if (1.0..1.2).contains(&factor) {
            factor = 1.0;
        }
        // A step cut short by the end of the segment does not lower the proposal.
        let base = if h < self.h && factor >= 1.0 { self.h } else { h };
        self.h = coarse(base * factor).min(self.settings.max);
        if self.accepted == 0 {
            let factor = (0.9 * ratio.max(1e-12).powf(-exponent)).clamp(0.2, 10.0);
            self.opening = Some(coarse(h * factor));
        }
        self.last = Some((h, ratio));
        self.rejections = 0;
        self.accepted += 1;
        Verdict::Accepted
    }

    /// Shortens the next step if a body that turns at this rate would turn too far.
    pub fn limit_turn(&mut self, rate: f64) {
        if rate * self.h > FARTHEST_TURN {
            self.h = coarse(FARTHEST_TURN / rate).max(self.settings.min);
        }
    }

    /// Shortens the next step if it is longer.
    pub fn limit(&mut self, h: f64) {
        self.h = self.h.min(coarse(h).max(self.settings.min));
    }

    /// Replaces the proposal for the next step by the scheme's own.
    pub fn follow(&mut self, h: f64, factor: f64) {
        let factor = if (1.0..1.2).contains(&factor) { 1.0 } else { factor.clamp(0.2, 2.0) };
        self.h = coarse(h * factor).min(self.settings.max);
    }

    /// Forces jump as they did at the last start: the first step then tells how long the next one may be.
    pub fn restart_again(&mut self) {
        self.restart();
        self.h = self.opening.map_or(self.h, |opening| opening.min(self.h));
    }

    /// Forces jump: the past says nothing about the next step.
    pub fn restart(&mut self) {
        self.last = None;
        self.accepted = 0;
    }
}

/// What becomes of a converged attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Accepted,
    Rejected,
    TooSmall,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(mut control: Grid, from: f64, to: f64) -> Vec<f64> {
        control.begin(from, to);
        let mut t = from;
        let mut times = Vec::new();
        while t < to {
            t = control.target(t);
            control.accept(t);
            times.push(t);
        }
        times
    }

    #[test]
    fn a_grid_divides_the_interval_without_a_tiny_last_step() {
        let times = walk(Grid::new(0.3, vec![1.0]), 0.0, 1.0);
        assert_eq!(times, vec![0.25, 0.5, 0.75, 1.0]);
        let times = walk(Grid::new(0.1, vec![1.0]), 0.0, 1.0);
        assert_eq!(times.len(), 10);
    }

    #[test]
    fn repeated_steps_follow_their_fractions() {
        let times = walk(Grid::new(0.3, vec![1.0 / 3.0, 2.0 / 3.0]), 0.0, 0.6);
        let expected = [0.1, 0.3, 0.4, 0.6];
        assert!(times.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{times:?}");
    }

    #[test]
    fn a_halved_grid_step_still_ends_on_the_grid() {
        let mut grid = Grid::new(1.0, vec![1.0]);
        grid.begin(0.0, 2.0);
        assert!(grid.halve(0.0) && grid.halve(0.0));
        let mut t = 0.0;
        let mut times = Vec::new();
        while t < 2.0 {
            t = grid.target(t);
            grid.accept(t);
            times.push(t);
        }
        assert_eq!(times, vec![0.25, 0.5, 0.75, 1.0, 1.5, 2.0]);
    }

    #[test]
    fn a_grid_point_that_cannot_be_reached_is_leapt_over() {
        let mut grid = Grid::new(1.0, vec![1.0]);
        grid.begin(0.0, 4.0);
        let mut t = 0.0;
        let mut times = Vec::new();
        while t < 4.0 {
            let target = grid.target(t);
            if (target - 2.0).abs() < 0.1 {
                assert!(grid.halve(t));
                continue;
            }
            t = target;
            grid.accept(t);
            times.push(t);
        }
        assert_eq!(times, vec![1.0, 1.5, 2.5, 3.0, 4.0]);
        // the end itself cannot be leapt over
        let mut grid = Grid::new(1.0, vec![1.0]);
        grid.begin(0.0, 1.0);
        let (mut t, mut halvings) = (0.0, 0);
        while grid.target(t) < 1.0 || grid.halve(t) {
            halvings += 1;
            if grid.target(t) < 1.0 {
                t = grid.target(t);
                grid.accept(t);
            }
            assert!(t < 1.0 && halvings < 100);
        }
    }

    #[test]
    fn the_error_controller_ends_with_two_equal_steps() {
        let settings = ToleranceControl { tolerance: 1e-6, first: Some(0.4), min: 1e-9, max: 1.0 };
        let mut control = ErrorControl::new(settings, 0.4);
        control.end = 1.0;
        assert_eq!(control.target(0.0), 0.4);
        assert_eq!(control.target(0.4), 0.7);
        assert_eq!(control.judge(0.4, 8.0, 2), Verdict::Rejected);
        assert_eq!(control.h, coarse(0.4 * 0.45));
    }

    #[test]
    fn sizes_do_not_feel_how_a_machine_rounds() {
        let settings = ToleranceControl { tolerance: 1e-6, first: None, min: 1e-9, max: 1.0 };
        let sizes = |rounding: f64| {
            let mut control = ErrorControl::new(settings, 0.01 * (1.0 + rounding));
            (0..1000)
                .map(|k| {
                    let ratio = 0.5 + 0.499 * (0.1 * k as f64).sin();
                    control.judge(control.h, ratio * (1.0 + rounding), 2);
                    control.h
                })
                .collect::<Vec<_>>()
        };
        assert_eq!(sizes(0.0), sizes(1e-9));
        for h in [1.0, 0.3, 1e-9, 123.4] {
            let size = coarse(h);
            assert!(size <= h && size > h * (1.0 - 1.0 / 64.0), "{h}: {size}");
        }
    }

    #[test]
    fn nothing_turns_too_far_in_a_step() {
        let settings = ToleranceControl { tolerance: 1e-6, first: Some(0.4), min: 1e-3, max: 1.0 };
        let mut control = ErrorControl::new(settings, 0.4);
        control.limit_turn(3.0);
        assert_eq!(control.h, 0.4);
        control.limit_turn(20.0);
        assert_eq!(control.h, coarse(0.075));
        control.limit_turn(1e9);
        assert_eq!(control.h, 1e-3);
    }
}
