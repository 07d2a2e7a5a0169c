//! How a model vibrates while it turns steadily: a case of a Campbell diagram.

use crate::Model;
use rotula_dae::analysis::{LARGE, Mode, ModeKind, lowest_modes, modes, steady_turn};
use rotula_dae::{Diagnosis, System};

/// Frequencies about a steady turn.
pub struct SteadyCase {
    /// Angular speed, rad/s; zero if nothing turns.
    pub speed: f64,
    /// Frequency in hertz and part of critical damping of the oscillations, by rising frequency.
    pub oscillations: Vec<[f64; 2]>,
    /// How many motions grow.
    pub unstable: usize,
    /// What is to be doubted about them.
    pub doubts: Vec<String>,
}

/// Finds the steady turn near the start, and at least `count` of its oscillations if it has so many.
pub fn steady_case(
    model: &Model,
    system: &mut dyn System,
    count: usize,
) -> Result<SteadyCase, Diagnosis> {
    let mut start = model.initial_state();
    start.t = model.analysis_settings().map(|settings| settings.start).unwrap_or_default();
    let turn = steady_turn(system, &start)?;
    // small models tell whether anything grows, whatever its frequency; large ones the lowest alone
    let sizes = system.sizes();
    let found = match sizes.motion + sizes.multipliers() > LARGE {
        true => lowest_modes(system, &turn.state, 2 * count + 4)?,
        false => modes(system, &turn.state)?,
    };
    let oscillates = |mode: &&Mode| mode.kind == ModeKind::Oscillation;
    let oscillations = found.modes.iter().filter(oscillates);
    let mut oscillations: Vec<[f64; 2]> =
        oscillations.map(|mode| [mode.frequency, mode.damping]).collect();
    oscillations.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let unstable = found.modes.iter().filter(|mode| mode.unstable).count();
    Ok(SteadyCase { speed: turn.speed, oscillations, unstable, doubts: found.doubts })
}
