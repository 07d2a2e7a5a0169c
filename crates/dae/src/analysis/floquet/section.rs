//! The small changes about a state, and the map of them over a period.

use super::super::dense::{norm, times};
use super::super::eigen::{Complex, abs};
use super::super::space::{Space, Which, no_space};
use super::super::words::{Share, motion, prominent};
use super::arnoldi::{Arnoldi, Ritz, scattered};
use super::{Multiplier, after, unsupported};
use crate::consistency::{make_consistent, not_finite};
use crate::diagnosis::Diagnosis;
use crate::settings::{InitialPolicy, Settings};
use crate::state::State;
use crate::system::{Component, System};
use faer::Mat;
use std::f64::consts::TAU;

/// Disturbances, as part of the scales: their squares are lost, and the accuracy of the iteration over them.
const DISTURBANCE: f64 = 1e-5;
/// Directions along which the map is the identity up to this: the motion may begin anywhere along them.
const NEUTRAL: f64 = 1e-6;
/// What Newton's method leaves of the gap in a round: its own error is larger at first, and smaller in the end.
const INEXACT: f64 = 1e-4;
/// Maps of no more directions than this are looked at as a whole; so many are always taken of larger ones.
const LEAST: usize = 24;
/// Directions after which it is looked whether they are enough.
const LOOK: usize = 4;
/// Multipliers below this are of no interest in large maps: so much is left of a disturbance after a period.
pub(super) const FADED: f64 = 0.1;
/// Accuracy of those above.
const SETTLED: f64 = 1e-6;

/// The small changes about a state that the constraints leave, in the scales of the coordinates.
pub(super) struct Section {
    state: State,
    pub(super) positions: Mat<f64>,
    velocities: Mat<f64>,
    to_positions: Mat<f64>,
    to_velocities: Mat<f64>,
    /// A typical velocity in the scales, so that positions and velocities compare.
    rate: f64,
}

impl Section {
    pub(super) fn at(system: &mut dyn System, state: &State) -> Result<Self, Diagnosis> {
        let holonomic = Space::new(system, &state.point(), Which::Holonomic);
        let all = Space::new(system, &state.point(), Which::All);
        let (Some(holonomic), Some(all)) = (holonomic, all) else {
            return Err(no_space(system, state));
        };
        let each = state.v.iter().enumerate().map(|(i, v)| (v / system.scale(i)).abs());
        Ok(Section {
            state: state.clone(),
            positions: holonomic.kernel(),
            velocities: all.kernel(),
            to_positions: holonomic.coordinates(),
            to_velocities: all.coordinates(),
            rate: each.fold(1.0, f64::max),
        })
    }

    /// How many there are.
    fn size(&self) -> usize {
        self.positions.ncols() + self.velocities.ncols() + self.state.x.len()
    }

    /// Where another state lies, seen from here.
    pub(super) fn coordinates(&self, system: &dyn System, other: &State) -> Vec<f64> {
        let mut increment = vec![0.0; self.state.v.len()];
        system.local(&self.state.q, &other.q, &mut increment);
        let faster: Vec<f64> = other.v.iter().zip(&self.state.v).map(|(a, b)| a - b).collect();
        let mut found = times(&self.to_positions, &increment);
        found.extend(times(&self.to_velocities, &faster).iter().map(|v| v / self.rate));
        found.extend(other.x.iter().zip(&self.state.x).map(|(a, b)| a - b));
        found
    }

    /// The state at such coordinates, with its constraints met.
    pub(super) fn moved(
        &self,
        system: &mut dyn System,
        coordinates: &[f64],
    ) -> Result<State, Diagnosis> {
        let (p, f) = (self.positions.ncols(), self.velocities.ncols());
        let mut state = self.state.clone();
        let increment = times(&self.positions, &coordinates[..p]);
        system.retract(&self.state.q, &increment, &mut state.q);
        let faster = times(&self.velocities, &coordinates[p..p + f]);
        state.v.iter_mut().zip(&faster).for_each(|(v, d)| *v += d * self.rate);
        state.x.iter_mut().zip(&coordinates[p + f..]).for_each(|(x, d)| *x += d);
        make_consistent(system, &mut state, InitialPolicy::Project)?;
        Ok(state)
    }

    /// `Φ` times a direction of length one, by central differences of the map over a period.
    fn image(
        &self,
        system: &mut dyn System,
        settings: &Settings,
        direction: &[f64],
    ) -> Result<Vec<f64>, Diagnosis> {
        let mut side = |sign: f64| {
            let along: Vec<f64> = direction.iter().map(|d| sign * DISTURBANCE * d).collect();
            let start = self.moved(system, &along)?;
            let begin = self.coordinates(system, &start);
            let end = after(system, &start, settings)?;
            Ok([begin, self.coordinates(system, &end)])
        };
        let ([begin, end], [other_begin, other_end]) = (side(1.0)?, side(-1.0)?);
        let way: f64 = direction
            .iter()
            .zip(begin.iter().zip(&other_begin))
            .map(|(d, (a, b))| d * (a - b))
            .sum();
        Ok(end.iter().zip(&other_end).map(|(a, b)| (a - b) / way).collect())
    }

    /// The step to the motion that repeats: where `missed + (Φ − 1) step` is as small as it can be.
    pub(super) fn step_to_closed(
        &self,
        system: &mut dyn System,
        settings: &Settings,
        missed: &[f64],
    ) -> Result<Vec<f64>, Diagnosis> {
        let mut arnoldi = Arnoldi::new(missed);
        let whole = norm(missed);
        let mut lefts: Vec<f64> = Vec::new();
        loop {
            let image = self.image(system, settings, arnoldi.direction())?;
            arnoldi.add(image);
            if !arnoldi.is_complete() && !arnoldi.len().is_multiple_of(LOOK) {
                continue;
            }
            let (step, left) =
                arnoldi.closing(missed, NEUTRAL).ok_or_else(|| not_finite(system, &self.state))?;
            lefts.push(left);
            let stuck =
                lefts.len() > LEAST / LOOK && left > 0.9 * lefts[lefts.len() - LEAST / LOOK];
            if arnoldi.is_complete() || left <= INEXACT * whole || stuck {
                return Ok(step);
            }
        }
    }

    /// The part of the map whose multipliers matter, or all of it if it is small.
    pub(super) fn dominant(
        &self,
        system: &mut dyn System,
        settings: &Settings,
    ) -> Result<Arnoldi, Diagnosis> {
        let mut arnoldi = Arnoldi::new(&scattered(self.size()));
        loop {
            let image = self.image(system, settings, arnoldi.direction())?;
            arnoldi.add(image);
            let look = arnoldi.len() >= LEAST && arnoldi.len().is_multiple_of(LOOK);
            if arnoldi.is_complete() || (look && arnoldi.has_settled(FADED, SETTLED)) {
                return Ok(arnoldi);
            }
        }
    }

    /// Multipliers of the map with steps of half the length and without the error of second order of both; each with
    /// its distance from that of the shorter steps alone.
    pub(super) fn multipliers(
        &self,
        system: &dyn System,
        [coarse, fine]: [&Arnoldi; 2],
        period: f64,
    ) -> Result<Vec<Multiplier>, Diagnosis> {
        let failed = || {
            let remedy = "look for masses or stiffnesses of very different size";
            unsupported(self.state.t, "the multipliers could not be computed".into(), remedy)
        };
        let better = |fine: Complex, coarse: Complex| Complex {
            re: (4.0 * fine.re - coarse.re) / 3.0,
            im: (4.0 * fine.im - coarse.im) / 3.0,
        };
        let nearest = |among: &[Ritz], value: Complex| {
            let distance = |ritz: &&Ritz| abs(ritz.value - value);
            among.iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).map(|ritz| ritz.value)
        };
        let near = fine.pairs().ok_or_else(failed)?;
        let mut pairs = match (coarse.map(), fine.map()) {
            // where multipliers meet, the map is smooth and they are not
            (Some(one), Some(two)) => {
                let size = two.nrows();
                let whole =
                    Mat::from_fn(size, size, |i, j| (4.0 * two[(i, j)] - one[(i, j)]) / 3.0);
                Arnoldi::of(&whole).pairs().ok_or_else(failed)?
            }
            _ => {
                let other = coarse.pairs().ok_or_else(failed)?;
                let extrapolated = |ritz: &Ritz| {
                    let value = better(ritz.value, nearest(&other, ritz.value)?);
                    Some(Ritz { value, ..ritz.clone() })
                };
                near.iter().filter_map(extrapolated).collect()
            }
        };
        if !fine.is_complete() {
            pairs.retain(|ritz| abs(ritz.value) >= FADED);
        }
        let mut found = Vec::new();
        for Ritz { value, left, vector } in pairs.into_iter().filter(|ritz| ritz.value.im >= 0.0) {
            let distance = nearest(&near, value).map_or(f64::INFINITY, |other| abs(other - value));
            let accuracy = distance.max(left).max(DISTURBANCE.powi(2));
            let magnitude = abs(value);
            found.push(Multiplier {
                value: [value.re, value.im],
                magnitude,
                growth: magnitude.ln() / period,
                frequency: value.im.atan2(value.re).abs() / (TAU * period),
                accuracy,
                unstable: magnitude > 1.0 + accuracy,
                participation: self.participation(system, &vector),
            });
        }
        found.sort_by(|a, b| b.magnitude.total_cmp(&a.magnitude));
        Ok(found)
    }

    /// The coordinates that move most, or the states if none does.
    fn participation(&self, system: &dyn System, vector: &[Complex]) -> Vec<Share> {
        let (p, f) = (self.positions.ncols(), self.velocities.ncols());
        let part = |of: fn(&Complex) -> f64| -> Vec<f64> {
            let a: Vec<f64> = vector[..p].iter().map(of).collect();
            times(&self.positions, &a)
        };
        let (re, im) = (part(|c| c.re), part(|c| c.im));
        let sizes: Vec<f64> = re.iter().zip(&im).map(|(re, im)| re.hypot(*im)).collect();
        let states: Vec<f64> = vector[p + f..].iter().map(|x| abs(*x)).collect();
        if norm(&sizes) > 1e-9 * norm(&states) {
            return motion(system, &sizes);
        }
        prominent(&states, 8, 0.01, |i| system.name(Component::State(i)))
    }
}
