//! Constraints that depend on each other and ask for different things: two rods of different lengths
//! between the same points, two drives with different speeds on one joint.

use crate::consistency::MOST_ROWS;
use crate::diagnosis::{Diagnosis, Failure, Sentence, Subject, quoted, readable};
use crate::state::State;
use crate::system::{Component, Level, System};
use crate::vector::max_abs;
use rotula_linear::{DependentRow, dependent_rows};

/// Share of a constraint gradient below which it depends on the others.
const DEPENDENT: f64 = 1e-7;
/// Relative differences below this are rounding of the input.
const NEGLIGIBLE: f64 = 1e-7;

/// Refuses constraints whose gradients depend on each other while their values contradict; says whether
/// any depend.
///
/// With `g_row = Σ c_i g_i` to first order, `g_row − Σ c_i g_i` cannot be moved away. The rest of the
/// constraints must nearly be met for that to be said: far from an assembled position the first order
/// is not enough.
pub(crate) fn refuse_contradictions(
    system: &mut dyn System,
    state: &State,
) -> Result<bool, Diagnosis> {
    let pattern = system.patterns().constraints;
    if pattern.rows() == 0 || pattern.rows() > MOST_ROWS {
        return Ok(false);
    }
    let mut values = vec![0.0; pattern.entries()];
    system.constraint_gradient(&state.point(), &mut values);
    if values.iter().any(|v| !v.is_finite()) {
        return Ok(false);
    }
    let report = dependent_rows(&pattern, &values, DEPENDENT);
    if report.dependent.is_empty() {
        return Ok(false);
    }
    let holonomic = system.sizes().holonomic;
    let mut residual = vec![0.0; pattern.rows()];
    for level in [Level::Position, Level::Velocity] {
        let rows = if level == Level::Position { holonomic } else { pattern.rows() };
        system.constraint(level, &state.point(), &mut residual[..rows]);
        let size = if level == Level::Position { max_abs(&state.q) } else { max_abs(&state.v) };
        let others = (0..rows).filter(|i| report.dependent.iter().all(|d| d.row != *i));
        let unmet = others.fold(0.0, |unmet: f64, i| unmet.max(residual[i].abs()));
        // the velocity level is linear: nothing is neglected there
        let unmet = if level == Level::Position { unmet } else { 0.0 };
        let limit = (NEGLIGIBLE * (1.0 + size)).max(unmet);
        let differs = |entry: &DependentRow| {
            let inside = |i: usize| i < rows;
            let known = inside(entry.row) && entry.combination.iter().all(|(i, _)| inside(*i));
            let sum: f64 = entry
                .combination
                .iter()
                .filter(|c| inside(c.0))
                .map(|(i, c)| c * residual[*i])
                .sum();
            known.then(|| residual[entry.row] - sum).filter(|gap| gap.abs() > limit)
        };
        let found = report.dependent.iter().filter_map(|entry| Some((entry, differs(entry)?)));
        if let Some((entry, gap)) = found.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs())) {
            return Err(contradiction(system, state.t, entry, gap, level));
        }
    }
    Ok(true)
}

fn contradiction(
    system: &dyn System,
    t: f64,
    entry: &DependentRow,
    gap: f64,
    level: Level,
) -> Diagnosis {
    let named = |i: usize| system.subject(Component::Constraint(i));
    let own = named(entry.row);
    let others: Vec<Subject> = entry.combination.iter().map(|(i, _)| named(*i)).collect();
    let (what, correct) = match level {
        Level::Position => ("positions", "lengths, places or drives at the start"),
        _ => ("velocities", "speeds or drives"),
    };
    let met = match others.is_empty() {
        true => format!("no motion changes `{own}` here, and it misses by {:.3e}", gap.abs()),
        false => {
            let hold = if others.len() == 1 { "holds" } else { "hold" };
            format!("where {} {hold}, `{own}` misses by {:.3e}", quoted(&others), gap.abs())
        }
    };
    let all = [vec![own.clone()], others].concat();
    let mut remedies =
        vec![format!("correct the {correct} in {}, so that they agree", quoted(&all))];
    if level == Level::Velocity {
        remedies.push(
            "or start in another position: a joint bent to a right angle or a stretched linkage \
             holds what it leaves free elsewhere"
                .into(),
        );
    }
    remedies.push("or remove all but one of the named constraints".into());
    let message = format!(
        "constraint `{own}` contradicts the others: they cannot be met together at t = {}",
        readable(t)
    );
    Diagnosis::new(Failure::ContradictoryConstraints, t, Sentence::about(message, all))
        .because(vec![met, format!("they fix the same {what}, but not to the same values")])
        .remedied_by(remedies)
}
