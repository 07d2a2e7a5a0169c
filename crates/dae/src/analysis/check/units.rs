//! Numbers so odd that units are probably mixed. Hints, never errors.

use super::super::dense::scales;
use super::super::sparse::Block;
use crate::state::State;
use crate::system::{Component, System, Terms, Weights};
use std::collections::HashMap;

/// Accelerations of gravity in other units than metres per second squared.
const FOREIGN: [(f64, &str); 3] = [
    (9806.65, "millimetres per second squared"),
    (980.665, "centimetres per second squared"),
    (386.09, "inches per second squared"),
];
/// A radius of gyration or lever arm this many times the extent of the model is odd.
const FAR: f64 = 100.0;
/// Masses of one model seldom differ by more.
const SPREAD: f64 = 1e12;

/// Looks at masses, accelerations and lever arms.
pub(super) fn hints(system: &mut dyn System, state: &State) -> Vec<String> {
    let at = state.point();
    let masses = Block::tangent(system, &at, Weights::MASS, Terms::INERTIA).diagonal();
    let scale = scales(system);
    let name = |i: usize| system.name(Component::Coordinate(i));
    let names: Vec<String> = (0..scale.len()).map(name).collect();
    let mut hints = Vec::new();
    hints.extend(spread(&masses, &scale, &names));
    hints.extend(inertias(&masses, &scale, &names));
    hints.extend(gravity(system, state, &masses, &names));
    hints.extend(arms(system, state, &scale, &names));
    hints
}

/// The thing a coordinate belongs to: what stands before the colon of its name.
pub(super) fn owner(name: &str) -> &str {
    name.split_once(": ").map_or(name, |(owner, _)| owner)
}

fn is_rotation(name: &str) -> bool {
    name.contains("rotation") || name.contains("angle")
}

/// Masses, or inertias measured by the scales, that differ beyond reason.
fn spread(masses: &[f64], scale: &[f64], names: &[String]) -> Option<String> {
    let measured = |i: &usize| masses[*i] * scale[*i] * scale[*i];
    let with_mass = || (0..masses.len()).filter(|i| masses[*i] > 0.0);
    let large = with_mass().max_by(|a, b| measured(a).total_cmp(&measured(b)))?;
    let small = with_mass().min_by(|a, b| measured(a).total_cmp(&measured(b)))?;
    (measured(&large) > SPREAD * measured(&small)).then(|| {
        format!(
            "the inertia of `{}` is {:.1e} times that of `{}`: are their units the same?",
            names[large],
            measured(&large) / measured(&small),
            names[small]
        )
    })
}

/// Moments of inertia that need a body far larger than the model.
fn inertias(masses: &[f64], scale: &[f64], names: &[String]) -> Vec<String> {
    let mut hints = Vec::new();
    // the first displacement of each thing
    let mut places: HashMap<&str, usize> = HashMap::new();
    for j in (0..masses.len()).filter(|j| !is_rotation(&names[*j])) {
        places.entry(owner(&names[j])).or_insert(j);
    }
    for i in (0..masses.len()).filter(|i| is_rotation(&names[*i])) {
        let Some(&j) = places.get(owner(&names[i])) else { continue };
        let (own, extent) = (masses[j], scale[j]);
        if own > 0.0 && masses[i] > own * (FAR * extent).powi(2) {
            hints.push(format!(
                "the inertia {:.3e} of `{}` belongs to a radius of gyration of {:.3e}, while the \
                 model extends over {extent:.3e}: is it in kg m²?",
                masses[i],
                names[i],
                (masses[i] / own).sqrt()
            ));
        }
    }
    hints
}

/// Accelerations at rest that look like gravity in other units.
fn gravity(
    system: &mut dyn System,
    state: &State,
    masses: &[f64],
    names: &[String],
) -> Option<String> {
    let mut rest = state.clone();
    rest.v.fill(0.0);
    rest.vdot.fill(0.0);
    rest.multipliers.fill(0.0);
    let mut force = vec![0.0; masses.len()];
    system.dynamics(&rest.point(), Terms::WITHOUT_REACTIONS, &mut force);
    let mut first = 0;
    while first < masses.len() {
        let mine = |i: &usize| owner(&names[*i]) == owner(&names[first]);
        let end = (first..masses.len()).find(|i| !mine(i)).unwrap_or(masses.len());
        let linear = (first..end).filter(|i| masses[*i] > 0.0 && !is_rotation(&names[*i]));
        let size = linear.map(|i| (force[i] / masses[i]).powi(2)).sum::<f64>().sqrt();
        for (value, unit) in FOREIGN {
            if (size - value).abs() < 2e-3 * value {
                return Some(format!(
                    "`{}` falls with {size:.2}: gravity in {unit}? Rotula uses SI units, 9.81",
                    owner(&names[first])
                ));
            }
        }
        first = end;
    }
    None
}

/// Constraints whose lever arms are far longer than the model.
fn arms(system: &mut dyn System, state: &State, scale: &[f64], names: &[String]) -> Vec<String> {
    let matrix = Block::gradient(system, &state.point());
    let turns: Vec<bool> = names.iter().map(|name| is_rotation(name)).collect();
    let extent = scale.iter().zip(&turns).filter(|(_, turns)| !**turns).map(|(s, _)| *s);
    let extent = extent.fold(0.0, f64::max);
    // the largest entries of each row: of displacements and of rotations
    let mut largest = vec![[0.0_f64; 2]; matrix.pattern.rows()];
    for ((row, j), value) in matrix.pattern.iter().zip(&matrix.values) {
        let entry = &mut largest[row][usize::from(turns[j])];
        *entry = entry.max(value.abs());
    }
    let mut hints = Vec::new();
    for (row, [linear, angular]) in largest.into_iter().enumerate() {
        if linear > 0.0 && extent > 0.0 && angular > FAR * extent * linear {
            hints.push(format!(
                "constraint `{}` has a lever arm of {:.3e}, while the model extends over \
                 {extent:.3e}: are lengths in one unit?",
                system.name(Component::Constraint(row)),
                angular / linear
            ));
        }
    }
    hints
}
