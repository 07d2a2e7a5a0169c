//! Modes as a film: one after the other, a unit of time each, in which it swings once.

use rotula_dae::analysis::Mode;
use rotula_dae::{State, Trajectory};
use rotula_mechanics::picture::Film;
use rotula_model::Mechanism;
use rotula_report::picture::{extent, size};
use std::f64::consts::TAU;

/// Pictures of a swing.
const PICTURES: usize = 40;
/// How long a mode is shown. The rest of its unit of time parts it from the next.
pub const SHOWN: f64 = 0.999;
/// Largest way, as a part of the size of the mechanism.
const WAY: f64 = 0.08;
/// Largest rotation in rad, where bodies turn more than they move.
const TURN: f64 = 0.35;
/// Small enough for ways to be proportional to it, large enough to be far from rounding.
const SMALL: f64 = 1e-5;

/// The mechanism swinging about a state in each of its modes, larger than life. Without forces, and without stresses, which
/// only the amplitude would tell.
pub fn mode_film(model: &Mechanism, state: &State, modes: &[Mode]) -> Film {
    let mut system = model.system();
    let size = size(&extent(&model.parts(state)));
    let still =
        State { v: vec![0.0; state.v.len()], vdot: vec![0.0; state.vdot.len()], ..state.clone() };
    let mut states = Vec::new();
    for (k, mode) in modes.iter().enumerate() {
        let moved = |amplitude: f64, phase: f64, t: f64| {
            let (sine, cosine) = phase.sin_cos();
            let part = |[re, im]: &[f64; 2]| amplitude * (re * cosine - im * sine);
            let increment: Vec<f64> = mode.shape.iter().map(part).collect();
            let mut moved = State { t, ..still.clone() };
            rotula_dae::System::retract(&model.system(), &state.q, &increment, &mut moved.q);
            moved
        };
        // the two halves of a swing may have different largest ways: the larger counts
        let trials = [0.0, 0.25].map(|part| moved(SMALL, part * TAU, state.t));
        let ways: Vec<_> = trials.iter().flat_map(|to| model.displacements(state, to)).collect();
        let way = ways.iter().map(|d| d.moved.iter().map(|x| x * x).sum::<f64>().sqrt());
        let turn = ways.iter().filter_map(|d| d.turned).map(|turned| turned.angle.abs());
        let (way, turn) = (way.fold(0.0, f64::max), turn.fold(0.0, f64::max));
        // what neither moves nor turns, such as a controller, is shown at rest
        let amplitude = SMALL * (WAY * size / way).min(TURN / turn);
        let amplitude = if amplitude.is_finite() { amplitude } else { 0.0 };
        states.extend((0..=PICTURES).map(|picture| {
            let part = picture as f64 / PICTURES as f64;
            moved(amplitude, part * TAU, k as f64 + SHOWN * part)
        }));
    }
    let trajectory = Trajectory::of_states(&mut system, &states);
    let mut film = model.film(&trajectory, usize::MAX);
    film.arrows.clear();
    film.traced.clear();
    film.contacts = Default::default();
    film.tubes.iter_mut().for_each(|tube| tube.fields.clear());
    film.skins.iter_mut().for_each(|skin| skin.fields.clear());
    film
}
