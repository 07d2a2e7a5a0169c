//! Paths of equilibria past limit points: time is the load factor, and a step is measured by the length
//! of the path in motion and load together (arc length).
//!
//! With `F(z, τ) = 0` the scaled equations of equilibrium and `τ` the share of the way from the first
//! time to the last, the path has a direction `(ż, τ̇)` with
//!
//! ```text
//! F_z ż + F_τ τ̇ = 0,    |ż_q|² + ψ² τ̇² = 1
//! ```
//!
//! and `ψτ` is the unknown, so that all of them are of one size.
//!
//! A step goes along it and is corrected by Newton's method at right angles to it. The matrix with this
//! row below is regular at limit points, where the load turns back and `F_z` is singular. `ψ` makes
//! both parts equal where the path begins.

mod special;

use super::super::dense::norm;
use super::super::words::{Share, count, names};
use super::equations::{Equations, Extra};
use super::newton::{Factor, balanced, newton, settled};
use super::stability::{Index, Stability, judge};
use super::{Relaxation, estimate_multipliers, statics};
use crate::diagnosis::{Diagnosis, Failure};
use crate::state::State;
use crate::system::System;
use serde::Serialize;
use special::Seen;
use std::fmt;

/// Corrections of one step.
const MOST_CORRECTIONS: usize = 12;
/// Corrections up to which steps grow.
const FEW: usize = 4;
/// The cosine between directions of neighbouring points, at least: else the path might be left.
const STRAIGHT: f64 = 0.9;
/// No coordinate moves by more than this many scales in one step.
const LONGEST: f64 = 0.5;
/// Shortest step, as part of the first one.
const SHORTEST: f64 = 1e-6;
/// The load changes by no more than this many first steps in one step.
const FASTEST: f64 = 2.0;
/// Halvings of a step in which something special is looked for.
const MOST_HALVINGS: usize = 24;
/// Step of the difference in load, as part of its range.
const DIFFERENCE: f64 = 1e-5;

/// How far a path is followed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PathSettings {
    /// The time at which the path ends: loads are functions of time.
    pub until: f64,
    /// The first step, as part of the way to there.
    pub step: f64,
    /// Most points.
    pub most_points: usize,
}

impl PathSettings {
    /// Up to a time, with a first step of a twentieth of the way.
    pub fn until(until: f64) -> Self {
        PathSettings { until, step: 0.05, most_points: 400 }
    }
}

/// An equilibrium on a path.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PathPoint {
    /// The time that stands for the load.
    pub t: f64,
    /// Length of the path up to here.
    pub length: f64,
    /// Whether the system stays there.
    pub stability: Stability,
    /// Number of motions that depart.
    pub unstable_motions: usize,
    /// Of a limit point or branch, the motion that nothing holds there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub along: Vec<Share>,
    /// Signs of the stiffness.
    #[serde(skip)]
    pub(super) index: Index,
    /// Rounding would hide the growth of some vibration.
    #[serde(skip)]
    vague: bool,
    /// The equilibrium.
    #[serde(skip)]
    pub state: State,
}

/// What is special about a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Turn {
    /// The load has an extreme value: beyond it there is no equilibrium nearby.
    Limit,
    /// Another path crosses: the system may leave this one, as a column does that buckles.
    Branch,
    /// Vibrations begin to grow, or cease to, though the stiffness is regular: forces without potential, such as
    /// loads that follow a beam, may feed them. No other path of equilibria is there.
    Flutter,
}

/// A path of equilibria.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EquilibriumPath {
    /// Equilibria in the order of the path.
    pub points: Vec<PathPoint>,
    /// Limit points and branches, between the points.
    pub turns: Vec<(Turn, PathPoint)>,
    /// Whether the last time was reached.
    pub complete: bool,
    /// Equilibria at which the stiffness is too badly conditioned to tell all its signs, or growth from rounding.
    pub undecided: usize,
}

/// A point with the direction of the path there.
#[derive(Clone)]
struct Place {
    state: State,
    length: f64,
    /// `(ż, ψ τ̇)`.
    direction: Vec<f64>,
}

struct Tracer<'a> {
    system: &'a mut dyn System,
    equations: Equations,
    start: f64,
    range: f64,
    /// `ψ`.
    weight: f64,
}

/// Follows equilibria from one near `start` while time goes from that of `start` to `until`, past
/// limit points, where time turns back.
pub fn equilibrium_path(
    system: &mut dyn System,
    start: &State,
    settings: &PathSettings,
) -> Result<EquilibriumPath, Diagnosis> {
    let range = settings.until - start.t;
    if !(range.is_finite() && range != 0.0) {
        let message = format!("the path has no way to go: from {} to {}", start.t, settings.until);
        return Err(stuck(start.t, message, "let it end at another time than it begins"));
    }
    if !(settings.step.is_finite() && settings.step > 0.0) {
        let message = format!("the first step along the path is {}", settings.step);
        return Err(stuck(start.t, message, "take a positive part of the way, such as 0.05"));
    }
    let rest = statics(system, start, Relaxation::Never)?;
    let equations = Equations::new(system, &rest.state);
    let mut tracer = Tracer { system, equations, start: start.t, range, weight: 1.0 };
    tracer.follow(rest.state, settings)
}

fn stuck(t: f64, message: String, remedy: &str) -> Diagnosis {
    Diagnosis::new(Failure::NotConverged, t, message).remedied_by(vec![remedy.into()])
}

impl Tracer<'_> {
    fn follow(
        &mut self,
        state: State,
        settings: &PathSettings,
    ) -> Result<EquilibriumPath, Diagnosis> {
        let lost = |t: f64| {
            stuck(
                t,
                format!("the path of equilibria could not be followed beyond t = {t}"),
                "take a smaller first step; or the loads jump there, or nothing holds the system",
            )
        };
        let mut place = self.first(state).ok_or_else(|| lost(self.start))?;
        let mut point = self.point(&place).ok_or_else(|| lost(self.start))?;
        let mut path = EquilibriumPath {
            points: vec![point.clone()],
            turns: Vec::new(),
            complete: false,
            undecided: 0,
        };
        let mut certain = point.index;
        // places from the last certain one on
        let mut doubtful = vec![(place.clone(), point.clone())];
        // the first direction is one half load: ψ τ̇ = 1/√2
        let first = settings.step * self.weight * 2.0_f64.sqrt();
        let mut step = first;
        while path.points.len() < settings.most_points {
            let Some((next, corrections)) = self.step(&place, step) else {
                step *= 0.5;
                if step < SHORTEST * first {
                    return Err(lost(place.state.t));
                }
                continue;
            };
            path.complete = self.share(&next.state) >= 1.0;
            let beyond = match path.complete {
                true => self.last(&place, &next),
                false => self.point(&next),
            };
            let beyond = beyond.ok_or_else(|| lost(next.state.t))?;
            let whole = beyond.length - place.length;
            let mut ends = [
                Seen { at: 0.0, load: place.load(), point: point.clone() },
                Seen { at: whole, load: next.load(), point: beyond.clone() },
            ];
            if path.complete {
                // the last point lies before the next one, and the load grows there
                ends[1].load = place.load();
            }
            self.turns(&place, &ends, MOST_HALVINGS, &mut path.turns);
            // signs that could not be told for a while: the change lies where they could not
            if certain.crossings(&beyond.index) > 0 && point.index.crossings(&beyond.index) == 0 {
                path.turns.extend(self.passed(&doubtful, certain, &beyond));
            }
            if beyond.index.undecided == 0 {
                certain = beyond.index;
                doubtful.clear();
            }
            doubtful.push((next.clone(), beyond.clone()));
            path.points.push(beyond.clone());
            if path.complete {
                break;
            }
            (place, point) = (next, beyond);
            if corrections <= FEW {
                step *= 1.5;
            }
            // where the path is nearly straight the load alone would be stepped over
            let load = place.direction.last().map_or(0.0, |d| d.abs()) / self.weight;
            step = step.min(FASTEST * settings.step / load.max(f64::MIN_POSITIVE));
        }
        // motions that nothing ever holds are no matter of conditioning
        let always = path.points.iter().map(|point| point.index.undecided).min().unwrap_or(0);
        let doubtful = |point: &&PathPoint| point.index.undecided > always || point.vague;
        path.undecided = path.points.iter().filter(doubtful).count();
        Ok(path)
    }

    /// The share of the way in time.
    fn share(&self, state: &State) -> f64 {
        (state.t - self.start) / self.range
    }

    /// Where the path begins, with its units.
    fn first(&mut self, state: State) -> Option<Place> {
        let plain = self.direction(&state, None)?;
        let n = self.equations.sizes.motion;
        let load = plain.last()?.abs();
        let motion = norm(&plain[..n]);
        // motion per load; without motion the load alone measures the way
        let weight = if motion > 0.0 { motion / load } else { 1.0 };
        self.weight = weight.clamp(1e-9, 1e9);
        let direction = self.direction(&state, None)?;
        Some(Place { state, length: 0.0, direction })
    }

    /// The matrix of a step with a row for its length.
    fn factor(&mut self, state: &State, row: &[f64]) -> Option<Factor> {
        let mut bordered = self.equations.matrix(self.system, state, &Extra::default());
        let (rows, cols) = self.equations.shape();
        for (i, slope) in self.load_slope(state).into_iter().enumerate() {
            bordered.push(i, cols, slope / self.weight);
        }
        for (j, value) in row[..self.equations.sizes.motion].iter().enumerate() {
            bordered.push(rows, j, *value);
        }
        bordered.push(rows, cols, row[cols]);
        Factor::new((rows + 1, cols + 1), &bordered)
    }

    /// `F_τ`.
    fn load_slope(&mut self, state: &State) -> Vec<f64> {
        let mut at = |by: f64| {
            let moved = State { t: state.t + by * self.range, ..state.clone() };
            self.equations.residual(self.system, &moved, &Extra::default())
        };
        let (plus, minus) = (at(DIFFERENCE), at(-DIFFERENCE));
        plus.iter().zip(minus).map(|(a, b)| (a - b) / (2.0 * DIFFERENCE)).collect()
    }

    /// The direction of the path, onwards from a former one.
    fn direction(&mut self, state: &State, former: Option<&[f64]>) -> Option<Vec<f64>> {
        let sizes = self.equations.sizes;
        let n = sizes.motion;
        let cols = n + sizes.multipliers() + sizes.auxiliary();
        let onwards: Vec<f64> = match former {
            Some(former) => former.to_vec(),
            None => (0..=cols).map(|j| if j == cols { 1.0 } else { 0.0 }).collect(),
        };
        let factor = self.factor(state, &onwards)?;
        let mut right = vec![0.0; n + sizes.holonomic + sizes.auxiliary() + 1];
        *right.last_mut()? = 1.0;
        let mut direction = factor.solve(&right);
        let size = norm(&direction[..n]).hypot(direction[cols]);
        if !(size.is_finite() && size > 0.0) {
            return None;
        }
        direction.iter_mut().for_each(|d| *d /= size);
        Some(direction)
    }

    /// Moves a state along a scaled step, the load last.
    fn moved(&self, state: &State, step: &[f64], by: f64) -> State {
        let last = step.len() - 1;
        let mut next = self.equations.moved(self.system, state, &step[..last], by);
        next.t += by * step[last] / self.weight * self.range;
        next
    }

    /// One step, with the number of corrections.
    fn step(&mut self, place: &Place, length: f64) -> Option<(Place, usize)> {
        let n = self.equations.sizes.motion;
        let most = place.direction[..n].iter().fold(0.0_f64, |m, d| m.max(d.abs()));
        let length = if most * length > LONGEST { LONGEST / most } else { length };
        let mut now = self.moved(&place.state, &place.direction, length);
        let mut previous = f64::INFINITY;
        for correction in 1..=MOST_CORRECTIONS {
            let mut residual = self.equations.residual(self.system, &now, &Extra::default());
            residual.push(0.0);
            if residual.iter().any(|r| !r.is_finite()) {
                return None;
            }
            let factor = self.factor(&now, &place.direction)?;
            let step = factor.solve(&residual);
            let size = norm(&step);
            // a correction as long as the step itself is none
            if !size.is_finite() || (correction > 3 && size > 2.0 * previous) {
                return None;
            }
            now = self.moved(&now, &step, -1.0);
            if settled(size, previous, &residual) {
                if !balanced(self.system, &self.equations, &now, &Extra::default()) {
                    return None;
                }
                let direction = self.direction(&now, Some(&place.direction))?;
                let along: f64 = (0..n).map(|i| direction[i] * place.direction[i]).sum();
                let loads = direction.last()? * place.direction.last()?;
                if along + loads < STRAIGHT {
                    return None;
                }
                let length = place.length + length;
                return Some((Place { state: now, length, direction }, correction));
            }
            previous = size;
        }
        None
    }

    fn point(&mut self, place: &Place) -> Option<PathPoint> {
        let mut state = place.state.clone();
        // those of the iteration are known in units of the largest stiffness, which may be far above the loads
        estimate_multipliers(self.system, &mut state).ok()?;
        let verdict = judge(self.system, &state)?;
        Some(PathPoint {
            t: place.state.t,
            length: place.length,
            stability: verdict.stability,
            unstable_motions: verdict.unstable.len(),
            along: Vec::new(),
            index: verdict.index,
            vague: verdict.vague,
            state,
        })
    }

    /// The equilibrium at the last time, between two points.
    fn last(&mut self, before: &Place, after: &Place) -> Option<PathPoint> {
        let (a, b) = (self.share(&before.state), self.share(&after.state));
        let part = (1.0 - a) / (b - a);
        let length = (after.length - before.length) * part;
        let mut state = match self.step(before, length) {
            Some((near, _)) => near.state,
            None => after.state.clone(),
        };
        state.t = self.start + self.range;
        newton(self.system, &self.equations, &mut state, &Extra::default(), 30)?;
        let place =
            Place { state, length: before.length + length, direction: before.direction.clone() };
        self.point(&place)
    }
}

impl Place {
    /// The rate of the load along the path.
    fn load(&self) -> f64 {
        self.direction.last().copied().unwrap_or_default()
    }
}

impl fmt::Display for EquilibriumPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, last) = (&self.points[0], &self.points[self.points.len() - 1]);
        write!(f, "{} equilibria from t = {} to t = {}", self.points.len(), first.t, last.t)?;
        if !self.complete {
            write!(f, ", where the number of points ended")?;
        }
        write!(f, ".")?;
        for (kind, point) in &self.turns {
            match kind {
                Turn::Limit => write!(f, "\n  a limit point at t = {:.9}", point.t)?,
                Turn::Branch => write!(f, "\n  another path branches off at t = {:.9}", point.t)?,
                Turn::Flutter => write!(
                    f,
                    "\n  vibrations begin to grow or cease to at t = {:.9} (flutter)",
                    point.t
                )?,
            }
            if !point.along.is_empty() {
                write!(f, ", along {}", names(&point.along))?;
            }
        }
        if self.undecided > 0 {
            write!(
                f,
                "\n  Beware: at {} the equations are too badly conditioned to tell all signs of the stiffness or \
                 growth from rounding; what is special there may have been missed",
                count(self.undecided, "point")
            )?;
        }
        match last.stability {
            Stability::Stable => write!(f, "\n  The last is stable."),
            Stability::Neutral => write!(f, "\n  The last is neutral."),
            Stability::Unstable => write!(f, "\n  The last is unstable."),
        }
    }
}
