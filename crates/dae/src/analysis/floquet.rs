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
//! The motion that repeats is found from the start by Newton's method. Of large systems not the whole matrix is made, but what
//! it does to the disturbances that live long ([`Arnoldi`](arnoldi::Arnoldi)).

mod arnoldi;
mod section;

use super::dense::times;
use super::twist::{angular_speed, fastest};
use super::words::{Share, coordinates, count, motion, names};
use crate::coefficients::Coefficients;
use crate::consistency::make_consistent;
use crate::diagnosis::{Diagnosis, Failure, Sentence, readable};
use crate::integrator::simulate;
use crate::settings::{
    Adjustment, Formulation, GglVariant, InitialPolicy, Output, Settings, StepControl,
};
use crate::state::State;
use crate::system::{Component, Level, System, Terms};
use section::{FADED, Section};
use serde::Serialize;
use std::f64::consts::TAU;
use std::fmt;

/// Accuracy of the iteration of a step.
const ITERATION: f64 = 1e-12;
/// A motion repeats if it misses itself by no more than this part of the scales after a period.
const CLOSED: f64 = 1e-8;
const MOST_ROUNDS: usize = 12;
/// A round that leaves more than this part of the gap, after the first few, leads nowhere.
const USELESS: f64 = 0.5;
/// Changes of what acts from one period to the next, as part of the largest, that are rounding.
const SAME: f64 = 1e-6;

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
    /// Of a large system only multipliers above this are given; all others are below.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub others_below: Option<f64>,
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
    refuse_growing(system, &state, period)?;
    let coarse = settings(given, state.t, period, steps);
    let fine = settings(given, state.t, period, 2 * steps);
    let (rounds, gap) = closed(system, &mut state, &fine)?;
    let section = Section::at(system, &state)?;
    let one = section.dominant(system, &coarse)?;
    let two = section.dominant(system, &fine)?;
    let multipliers = section.multipliers(system, [&one, &two], period)?;
    let others_below = (!two.is_complete()).then_some(FADED);
    Ok(Floquet { state, period, steps: 2 * steps, rounds, gap, multipliers, others_below })
}

/// Complains if what acts at a state, or what motions demand, is another after a period: then nothing repeats.
fn refuse_growing(system: &mut dyn System, state: &State, period: f64) -> Result<(), Diagnosis> {
    let later = State { t: state.t + period, ..state.clone() };
    let sizes = system.sizes();
    let mut forces = |at: &State| {
        let mut out = vec![0.0; sizes.motion];
        system.dynamics(
            &at.point(),
            Terms { inertia: false, forces: true, reactions: false },
            &mut out,
        );
        out
    };
    let (now, then) = (forces(state), forces(&later));
    let most = |list: &[f64], scale: &dyn Fn(usize) -> f64| {
        list.iter().enumerate().fold((0, 0.0), |(place, most): (usize, f64), (i, x)| {
            let size = (x * scale(i)).abs();
            if size > most { (i, size) } else { (place, most) }
        })
    };
    let change: Vec<f64> = now.iter().zip(&then).map(|(a, b)| b - a).collect();
    // forces times the scales of the coordinates are energies
    let scale = |i: usize| system.scale(i);
    let (row, largest) = most(&change, &scale);
    let all = most(&now, &scale).1.max(most(&then, &scale).1);
    if largest > SAME * all {
        let coordinate = system.subject(Component::Coordinate(row));
        let text = format!("what acts on `{coordinate}` changes most");
        return Err(grows(state.t, period, Sentence::about(text, [coordinate])));
    }
    let mut rates = |at: &State| {
        let mut out = vec![0.0; sizes.multipliers()];
        system.constraint(Level::Velocity, &at.point(), &mut out);
        out
    };
    let (now, then) = (rates(state), rates(&later));
    let change: Vec<f64> = now.iter().zip(&then).map(|(a, b)| b - a).collect();
    let (row, largest) = most(&change, &|_| 1.0);
    let fastest = state.v.iter().fold(1.0, |most: f64, v| most.max(v.abs()));
    if largest > SAME * fastest {
        let constraint = system.subject(Component::Constraint(row));
        let text = format!("the speed that `{constraint}` demands changes");
        return Err(grows(state.t, period, Sentence::about(text, [constraint])));
    }
    Ok(())
}

fn grows(t: f64, period: f64, evidence: Sentence) -> Diagnosis {
    Diagnosis::new(Failure::Unsupported, t, format!(
            "no motion repeats after {}: the loads or motions of the model are others at t = {} s than a period later",
            seconds(period),
            readable(t)
        )).because([evidence]).remedied_by(vec![
            "begin when all loads have been raised, with `start` in `[solve]`, or give them without a ramp".into(),
            "or give the true period with `--period`".into(),
        ])
}

fn seconds(period: f64) -> String {
    format!("{} s", readable(period))
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
        Formulation::Ggl { variant: GglVariant::MassWeighted },
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
        let useless = round > 3 && gap > USELESS * former;
        if useless {
            return Err(open(system, state, &section, &missed, settings));
        }
        former = gap;
        let step = section.step_to_closed(system, settings, &missed)?;
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
    let worst = motion(system, &worst);
    let most = Sentence::about(format!("most of all {}", names(&worst)), coordinates(&worst));
    let period = settings.until - settings.start;
    Diagnosis::new(Failure::NotConverged, state.t, format!(
            "no motion near the start repeats after {}: it misses itself by {:.3e} in the scales of the coordinates",
            seconds(period),
            missed.iter().fold(0.0, |m: f64, x| m.max(x.abs()))
        )).because([most]).remedied_by(vec![
            "give the true period; a rotor must keep its speed, as with a `[motion]`".into(),
            "or start nearer to the motion, such as from the end of a run".into(),
        ])
}

fn unsupported(t: f64, message: String, remedy: &str) -> Diagnosis {
    Diagnosis::new(Failure::Unsupported, t, message).remedied_by(vec![remedy.into()])
}

impl fmt::Display for Floquet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "A motion that repeats after {}", seconds(self.period))?;
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
        if let Some(below) = self.others_below {
            write!(f, "\n  Of all other disturbances less than {below} is left after a period.")?;
        }
        let every = 1.0 / self.period;
        write!(f, "\n  Frequencies are known up to multiples of {every:.6} Hz, once per period.")
    }
}
