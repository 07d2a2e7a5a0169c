//! Periodic motions and what becomes of small disturbances over a period: Floquet multipliers.
//!
//! A rotor on a tower, a shaft with a flat side, a pendulum whose support is shaken: their small motions have
//! coefficients that repeat after a period `T`, and no frequencies of their own. With `z` the small changes
//! that the constraints leave (positions `δq = N_q a`, velocities `δv = N_v b`, states) and `P` the map over one
//! period, disturbances of a motion that repeats, `P(z₀) = z₀`, obey `z(T) = Φ z(0)`. The eigenvalues `μ` of the
//! monodromy matrix `Φ` tell all: a disturbance grows if some `|μ| > 1`, with the rate `ln|μ|/T`; it swings with
//! the frequency `arg μ / 2πT`, up to multiples of `1/T`.
//!
//! The map is the run itself: fixed steps of the generalized-α method without numerical damping, so that the
//! derivative of the map, by central differences, is that of a smooth function. It is computed with `n` and with
//! `2n` steps: both together give an error of fourth order, and their difference says how far to believe it.
//! The motion that repeats is found from the start by Newton's method with the same matrix.

use super::dense::{Svd, norm, times};
use super::eigen::{Complex, abs};
use super::space::{Space, Which, no_space};
use super::twist::{angular_speed, fastest};
use super::words::{Share, count, motion, names};
use crate::coefficients::Coefficients;
use crate::consistency::{make_consistent, not_finite};
use crate::diagnosis::{Diagnosis, Failure, readable};
use crate::march::simulate;
use crate::settings::{
    Adjustment, Formulation, GglVariant, InitialPolicy, Output, Settings, StepControl,
};
use crate::state::State;
use crate::system::{Component, System};
use faer::Mat;
use serde::Serialize;
use std::f64::consts::TAU;
use std::fmt;

/// Disturbances, as part of the scales: their squares are lost, and the accuracy of the iteration over them.
const DISTURBANCE: f64 = 1e-5;
/// Accuracy of the iteration of a step.
const ITERATION: f64 = 1e-12;
/// A motion repeats if it misses itself by no more than this part of the scales after a period.
const CLOSED: f64 = 1e-8;
/// Directions along which the map is the identity up to this: the motion may begin anywhere along them.
const NEUTRAL: f64 = 1e-6;
const MOST_ROUNDS: usize = 12;

/// How a periodic motion is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FloquetSettings {
    /// The time after which everything repeats.
    pub period: f64,
    /// Steps of a period for the coarser of two looks.
    pub steps: usize,
}

/// What becomes of one kind of disturbance.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Multiplier {
    /// Real and imaginary part; of a conjugate pair the upper one.
    pub value: [f64; 2],
    /// The factor by which it grows in a period.
    pub magnitude: f64,
    /// Rate of growth, per second; negative if it decays.
    pub growth: f64,
    /// Frequency in hertz, from zero to half of one over the period; multiples of one over the period may be added.
    pub frequency: f64,
    /// How far the value is known: smaller differences mean nothing.
    pub accuracy: f64,
    /// Grows by more than that.
    pub unstable: bool,
    /// Coordinates that take part, largest first.
    pub participation: Vec<Share>,
}

/// A periodic motion with its multipliers, largest first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Floquet {
    /// The state in which the period begins.
    #[serde(skip)]
    pub state: State,
    /// The period, in seconds.
    pub period: f64,
    /// Steps of a period.
    pub steps: usize,
    /// Rounds of Newton's method that found the motion; none if the start lay on it.
    pub rounds: usize,
    /// How far the motion misses itself after a period, in the scales.
    pub gap: f64,
    /// The multipliers.
    pub multipliers: Vec<Multiplier>,
}

/// Finds the motion near `start` that repeats after a period, and its multipliers. `redundant` of the settings says
/// what is done with constraints that repeat each other; everything else is chosen here.
pub fn floquet(
    system: &mut dyn System,
    start: &State,
    given: &Settings,
    wanted: &FloquetSettings,
) -> Result<Floquet, Diagnosis> {
    let FloquetSettings { period, steps } = *wanted;
    if !(period.is_finite() && period > 0.0) || steps < 4 {
        return Err(unsupported(
            start.t,
            format!("a period of {period} in {steps} steps is none"),
            "give a positive period and some hundred steps",
        ));
    }
    if !system.contacts().is_empty() {
        return Err(unsupported(
            start.t,
            "contacts that open and close have no multipliers".into(),
            "give the contacts a stiffness, or look at a run",
        ));
    }
    let mut state = start.clone();
    make_consistent(system, &mut state, InitialPolicy::Project)?;
    let coarse = settings(given, state.t, period, steps);
    let fine = settings(given, state.t, period, 2 * steps);
    let (rounds, gap) = closed(system, &mut state, &fine)?;
    let section = Section::at(system, &state)?;
    let one = section.monodromy(system, &coarse)?;
    let two = section.monodromy(system, &fine)?;
    let whole =
        Mat::from_fn(one.nrows(), one.ncols(), |i, j| (4.0 * two[(i, j)] - one[(i, j)]) / 3.0);
    let multipliers = section.multipliers(system, [&two, &whole], period)?;
    Ok(Floquet { state, period, steps: 2 * steps, rounds, gap, multipliers })
}

/// The time of a turn of what turns fastest at a state, if anything does.
pub fn turning_period(system: &mut dyn System, start: &State) -> Option<f64> {
    let mut state = start.clone();
    make_consistent(system, &mut state, InitialPolicy::Project).ok()?;
    let speed = angular_speed(&fastest(system, &state));
    (speed > 0.0).then(|| TAU / speed)
}

/// Fixed steps over one period.
fn settings(given: &Settings, start: f64, period: f64, steps: usize) -> Settings {
    let mut settings = Settings::new(
        Formulation::Ggl(GglVariant::MassWeighted),
        Coefficients::generalized_alpha(1.0).expect("a spectral radius of one is allowed"),
        StepControl::Fixed { h: period / steps as f64 },
    );
    settings.start = start;
    settings.until = start + period;
    settings.output = Output::At(vec![settings.until]);
    settings.newton.tolerance = ITERATION;
    settings.initial = InitialPolicy::Project;
    settings.redundant = given.redundant;
    settings.adjustment = Adjustment::Off;
    settings
}

/// The state after a period.
fn after(system: &mut dyn System, state: &State, settings: &Settings) -> Result<State, Diagnosis> {
    let outcome = simulate(system, state, settings, &mut ())?;
    match outcome.failure {
        Some(diagnosis) => Err(diagnosis),
        None => Ok(outcome.state),
    }
}

/// Moves a state onto the motion that repeats; gives rounds and what is left.
fn closed(
    system: &mut dyn System,
    state: &mut State,
    settings: &Settings,
) -> Result<(usize, f64), Diagnosis> {
    let mut former = f64::INFINITY;
    for round in 0..=MOST_ROUNDS {
        let section = Section::at(system, state)?;
        let end = after(system, state, settings)?;
        let missed = section.coordinates(system, &end);
        let gap = missed.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        // what no longer shrinks is rounding of the run
        if gap <= CLOSED || (gap <= 1e2 * CLOSED && gap > 0.3 * former) {
            return Ok((round, gap));
        }
        if !gap.is_finite() || round == MOST_ROUNDS {
            return Err(open(system, state, &section, &missed, settings));
        }
        former = gap;
        let map = section.monodromy(system, settings)?;
        let size = map.nrows();
        let fixed = Mat::from_fn(size, size, |i, j| map[(i, j)] - f64::from(u8::from(i == j)));
        let svd = Svd::new(&fixed, NEUTRAL).ok_or_else(|| not_finite(system, state))?;
        let step: Vec<f64> = svd.solve(&missed, 0.0).iter().map(|x| -x).collect();
        *state = section.moved(system, &step)?;
    }
    unreachable!("the last round returns")
}

fn open(
    system: &dyn System,
    state: &State,
    section: &Section,
    missed: &[f64],
    settings: &Settings,
) -> Diagnosis {
    let worst = times(&section.positions, &missed[..section.positions.ncols()]);
    let period = settings.until - settings.start;
    Diagnosis {
        failure: Failure::NotConverged,
        t: state.t,
        message: format!(
            "no motion near the start repeats after {} s: it misses itself by {:.3e} in the scales of the coordinates",
            readable(period),
            missed.iter().fold(0.0, |m: f64, x| m.max(x.abs()))
        ),
        evidence: vec![format!("most of all {}", names(&motion(system, &worst)))],
        remedies: vec![
            "give the true period; a rotor must keep its speed, as with a `[motion]`".into(),
            "or start nearer to the motion, such as from the end of a run".into(),
        ],
    }
}

fn unsupported(t: f64, message: String, remedy: &str) -> Diagnosis {
    Diagnosis {
        failure: Failure::Unsupported,
        t,
        message,
        evidence: Vec::new(),
        remedies: vec![remedy.into()],
    }
}

/// The small changes about a state that the constraints leave, in the scales of the coordinates.
struct Section {
    state: State,
    positions: Mat<f64>,
    velocities: Mat<f64>,
    to_positions: Mat<f64>,
    to_velocities: Mat<f64>,
    /// A typical velocity in the scales, so that positions and velocities compare.
    rate: f64,
}

impl Section {
    fn at(system: &mut dyn System, state: &State) -> Result<Self, Diagnosis> {
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

    fn size(&self) -> usize {
        self.positions.ncols() + self.velocities.ncols() + self.state.x.len()
    }

    /// Where another state lies, seen from here.
    fn coordinates(&self, system: &dyn System, other: &State) -> Vec<f64> {
        let mut increment = vec![0.0; self.state.v.len()];
        system.local(&self.state.q, &other.q, &mut increment);
        let faster: Vec<f64> = other.v.iter().zip(&self.state.v).map(|(a, b)| a - b).collect();
        let mut found = times(&self.to_positions, &increment);
        found.extend(times(&self.to_velocities, &faster).iter().map(|v| v / self.rate));
        found.extend(other.x.iter().zip(&self.state.x).map(|(a, b)| a - b));
        found
    }

    /// The state at such coordinates, with its constraints met.
    fn moved(&self, system: &mut dyn System, coordinates: &[f64]) -> Result<State, Diagnosis> {
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

    /// `Φ` by central differences of the map over a period.
    fn monodromy(
        &self,
        system: &mut dyn System,
        settings: &Settings,
    ) -> Result<Mat<f64>, Diagnosis> {
        let size = self.size();
        let mut map = Mat::zeros(size, size);
        for j in 0..size {
            let mut ends = [Vec::new(), Vec::new()];
            let mut begins = [Vec::new(), Vec::new()];
            for (k, sign) in [1.0, -1.0].into_iter().enumerate() {
                let mut along = vec![0.0; size];
                along[j] = sign * DISTURBANCE;
                let start = self.moved(system, &along)?;
                begins[k] = self.coordinates(system, &start);
                let end = after(system, &start, settings)?;
                ends[k] = self.coordinates(system, &end);
            }
            let way = begins[0][j] - begins[1][j];
            for i in 0..size {
                map[(i, j)] = (ends[0][i] - ends[1][i]) / way;
            }
        }
        Ok(map)
    }

    /// Eigenvalues of the better matrix, each with its distance from the nearest one of the other.
    fn multipliers(
        &self,
        system: &dyn System,
        [other, map]: [&Mat<f64>; 2],
        period: f64,
    ) -> Result<Vec<Multiplier>, Diagnosis> {
        let failed = || {
            let remedy = "look for masses or stiffnesses of very different size";
            unsupported(self.state.t, "the multipliers could not be computed".into(), remedy)
        };
        let eigen = map.eigen().map_err(|_| failed())?;
        let near = other.eigen().map_err(|_| failed())?;
        let size = map.nrows();
        let mut found = Vec::new();
        for k in 0..size {
            let value = eigen.S().column_vector()[k];
            if value.im < 0.0 {
                continue;
            }
            let distance = |l: usize| abs(near.S().column_vector()[l] - value);
            let accuracy =
                (0..size).map(distance).fold(f64::INFINITY, f64::min).max(DISTURBANCE.powi(2));
            let magnitude = abs(value);
            let vector: Vec<Complex> = (0..size).map(|i| eigen.U()[(i, k)]).collect();
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
        super::words::prominent(&states, 8, 0.01, |i| system.name(Component::State(i)))
    }
}

impl fmt::Display for Floquet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "A motion that repeats after {} s", readable(self.period))?;
        match self.rounds {
            0 => write!(f, ", on which the start lies")?,
            n => write!(f, ", found by Newton's method, {}", count(n, "round"))?,
        }
        let unstable = self.multipliers.iter().filter(|m| m.unstable).count();
        match unstable {
            0 => write!(f, ": no disturbance grows.")?,
            1 => write!(f, ": one disturbance grows, the motion is unstable.")?,
            n => write!(f, ": {n} disturbances grow, the motion is unstable.")?,
        }
        for (k, m) in self.multipliers.iter().enumerate() {
            write!(
                f,
                "\n  {}. factor {:.6} in a period (known to {:.0e}): {} {:.6} per second, {:.6} Hz: {}",
                k + 1,
                m.magnitude,
                m.accuracy,
                if m.growth > 0.0 { "grows with rate" } else { "decays with rate" },
                m.growth.abs(),
                m.frequency,
                names(&m.participation.iter().take(4).cloned().collect::<Vec<_>>())
            )?;
        }
        let every = 1.0 / self.period;
        write!(f, "\n  Frequencies are known up to multiples of {every:.6} Hz, once per period.")
    }
}
