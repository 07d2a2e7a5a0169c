//! Is a model sound? Freedoms, redundant constraints, singular positions, massless motions, units,
//! and initial values that do not fit.

mod display;
mod initial;
mod redundancy;
mod singular;
mod units;

pub use initial::{InitialCheck, Violation};
pub use redundancy::Redundancy;
pub(in crate::analysis) use singular::find as singularity;
pub use singular::{NearSingular, Singularity};

use super::dense::{scaled, scales};
use super::linearise::reduced_mass;
use super::space::{Space, Which, no_space, too_large};
use super::sparse::{Independent, LARGE, all_have_mass};
use super::words::{Share, motion};
use crate::diagnosis::Diagnosis;
use crate::state::State;
use crate::system::System;
use faer::Side;
use serde::Serialize;

/// What was found out about a model.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CheckReport {
    /// Velocities of the system.
    pub motion: usize,
    /// Constraint equations.
    pub constraints: usize,
    /// Independent velocities: motions minus the rank of all constraints.
    pub freedoms: usize,
    /// Independent positions: motions minus the rank of the holonomic constraints. It exceeds
    /// `freedoms` for rolling and the like.
    pub mobility: usize,
    /// The free motions, when they are few: the largest components of each.
    pub free_motions: Vec<Vec<Share>>,
    /// Constraints that follow from others.
    pub redundant: Vec<Redundancy>,
    /// Reactions that are not determined, by constraint.
    pub indeterminate: Vec<String>,
    /// A position whose rank is lower than nearby, or whose extra motion is blocked.
    pub singularity: Option<Singularity>,
    /// Constraints that are nearly dependent.
    pub near_singular: Vec<NearSingular>,
    /// Motions without mass that nothing holds.
    pub massless: Vec<Vec<Share>>,
    /// The model is too large to be looked at in every respect: singular positions, reactions that are not
    /// determined and motions without mass were not looked for.
    pub in_part: bool,
    /// Numbers so odd that units may be mixed.
    pub hints: Vec<String>,
    /// The initial values.
    pub initial: InitialCheck,
}

impl CheckReport {
    /// Nothing was found that keeps the model from running.
    pub fn is_sound(&self) -> bool {
        self.redundant.is_empty()
            && self.massless.is_empty()
            && self.singularity.is_none()
            && self.initial.violations.is_empty()
    }
}

/// More free motions than this are not listed.
const FEW: usize = 6;

/// Examines a system at a state; fails only where numbers are not finite.
pub fn check(system: &mut dyn System, state: &State) -> Result<CheckReport, Diagnosis> {
    let mut state = state.clone();
    state.increment.fill(0.0);
    let sizes = system.sizes();
    let initial = initial::examine(system, &state)?;
    // Rank is a property of assembled positions.
    let assembled = initial.assembled.clone().unwrap_or_else(|| state.clone());
    let hints = units::hints(system, &assembled);
    if sizes.motion + sizes.multipliers() > LARGE
        && let Some(report) = sound(system, &assembled, (&initial, &hints))
    {
        return Ok(report);
    }
    if too_large(system) {
        return Ok(counted(system, &assembled, initial, hints));
    }
    let at = assembled.point();
    let (Some(all), Some(holonomic)) =
        (Space::new(system, &at, Which::All), Space::new(system, &at, Which::Holonomic))
    else {
        return Err(no_space(system, &assembled));
    };
    let kernel = all.kernel();
    let free_motions = if all.freedoms() <= FEW {
        (0..kernel.ncols()).map(|k| motion(system, &super::dense::column(&kernel, k))).collect()
    } else {
        Vec::new()
    };
    let (redundant, indeterminate) = redundancy::find(system, &assembled, &all);
    Ok(CheckReport {
        motion: sizes.motion,
        constraints: sizes.multipliers(),
        freedoms: all.freedoms(),
        mobility: holonomic.freedoms(),
        free_motions,
        redundant,
        indeterminate,
        singularity: singular::find(system, &assembled, &holonomic),
        near_singular: singular::near(system, &all),
        massless: massless_motions(system, &assembled),
        in_part: false,
        hints,
        initial,
    })
}

/// The report on a large system whose constraints are far from dependent and whose motions all have
/// mass; `None` if that is not so, or not sure.
fn sound(
    system: &mut dyn System,
    state: &State,
    (initial, hints): (&InitialCheck, &[String]),
) -> Option<CheckReport> {
    let sizes = system.sizes();
    let independent = Independent::new(system, state)?;
    if !(independent.exceeds(singular::NEARLY) && all_have_mass(system, state)) {
        return None;
    }
    let freedoms = sizes.motion - sizes.multipliers();
    let kernel = if freedoms <= FEW { independent.kernel() } else { Vec::new() };
    Some(CheckReport {
        motion: sizes.motion,
        constraints: sizes.multipliers(),
        freedoms,
        mobility: sizes.motion - sizes.holonomic,
        free_motions: kernel.iter().map(|k| motion(system, k)).collect(),
        redundant: Vec::new(),
        indeterminate: Vec::new(),
        singularity: None,
        near_singular: Vec::new(),
        massless: Vec::new(),
        in_part: false,
        hints: hints.to_vec(),
        initial: initial.clone(),
    })
}

/// The report on a system that is too large for more than counting.
fn counted(
    system: &mut dyn System,
    state: &State,
    initial: InitialCheck,
    hints: Vec<String>,
) -> CheckReport {
    let sizes = system.sizes();
    let scale = scales(system);
    let (redundant, rank) = redundancy::dependent(system, state, &scale);
    let freedoms = sizes.motion - rank;
    CheckReport {
        motion: sizes.motion,
        constraints: sizes.multipliers(),
        freedoms,
        // rolling and the like bind no positions
        mobility: freedoms + sizes.nonholonomic,
        free_motions: Vec::new(),
        redundant,
        indeterminate: Vec::new(),
        singularity: None,
        near_singular: Vec::new(),
        massless: Vec::new(),
        in_part: true,
        hints,
        initial,
    }
}

/// Motions that constraints leave and that have no mass.
pub(super) fn massless_motions(system: &mut dyn System, state: &State) -> Vec<Vec<Share>> {
    let Some(space) = Space::new(system, &state.point(), Which::All) else { return Vec::new() };
    let kernel = space.kernel();
    let mass = reduced_mass(system, state, &kernel);
    let size = mass.nrows();
    if size == 0 {
        return Vec::new();
    }
    let symmetric = scaled(&(&mass + mass.transpose()), &vec![0.5; size], &vec![1.0; size]);
    let Ok(eigen) = symmetric.self_adjoint_eigen(Side::Lower) else { return Vec::new() };
    let value = |k: usize| eigen.S().column_vector()[k];
    let largest = (0..size).fold(0.0_f64, |m, k| m.max(value(k).abs()));
    (0..size)
        .filter(|k| value(*k) <= 1e-13 * largest || largest == 0.0)
        .map(|k| {
            let coordinates: Vec<f64> = (0..size).map(|i| eigen.U()[(i, k)]).collect();
            motion(system, &super::dense::times(&kernel, &coordinates))
        })
        .collect()
}
