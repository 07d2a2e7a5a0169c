//! Consistent starts: project positions, then velocities, then solve accelerations and multipliers.

use crate::contradiction::refuse_contradictions;
use crate::dependence::{settle_all, settle_variables};
use crate::diagnosis::{Diagnosis, Failure, Sentence, Subject, quoted, readable};
use crate::equilibrium_start::EquilibriumStart;
use crate::projection::{Miss, Projector};
use crate::settings::InitialPolicy;
use crate::state::State;
use crate::system::{Component, Level, System};
use crate::underlying::{Underlying, UnderlyingFailure};
use crate::vector::max_abs;
use rotula_linear::FactorError;
use serde::{Deserialize, Serialize};

/// Relative violations below this are rounding of the input and are polished without asking.
const NEGLIGIBLE: f64 = 1e-7;
/// More constraints than this are not examined for redundancy, since the analysis is dense.
pub(crate) const MOST_ROWS: usize = 3000;

/// What the initial state was like and what was done about it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct InitialReport {
    /// Largest `|g|` as given, and the constraint it belongs to.
    pub position_residual: f64,
    /// Name of the worst constraint at position level.
    pub worst_position: Option<String>,
    /// Largest `|ġ|`, `|k|` as given.
    pub velocity_residual: f64,
    /// Name of the worst constraint at velocity level.
    pub worst_velocity: Option<String>,
    /// Coordinates that were changed.
    pub moved: Vec<Change>,
    /// Velocities that were changed.
    pub accelerated: Vec<Change>,
    /// The equilibrium in which the run started, if it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equilibrium: Option<EquilibriumStart>,
}

/// A coordinate or velocity changed by projection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// Which one.
    pub name: String,
    /// By how much.
    pub change: f64,
}

/// Makes `state` consistent at its time, in place.
pub fn make_consistent(
    system: &mut dyn System,
    state: &mut State,
    policy: InitialPolicy,
) -> Result<InitialReport, Diagnosis> {
    let mut underlying = Underlying::new(system.sizes(), &system.patterns());
    make_consistent_with(system, state, policy, &mut underlying)
}

/// The same with what solves the accelerations.
pub(crate) fn make_consistent_with(
    system: &mut dyn System,
    state: &mut State,
    policy: InitialPolicy,
    underlying: &mut Underlying,
) -> Result<InitialReport, Diagnosis> {
    let report = make_motion_consistent(system, state, policy)?;
    if policy != InitialPolicy::Trust {
        settle_all(system, state);
        solve_accelerations(system, state, underlying)?;
    }
    Ok(report)
}

/// Makes positions and velocities consistent and leaves accelerations and multipliers alone.
pub fn make_motion_consistent(
    system: &mut dyn System,
    state: &mut State,
    policy: InitialPolicy,
) -> Result<InitialReport, Diagnosis> {
    state.increment.fill(0.0);
    let mut report = InitialReport::default();
    examine(system, state, &mut report);
    if policy == InitialPolicy::Trust {
        check_finite(system, state)?;
        return Ok(report);
    }
    settle_variables(system, state);
    check_finite(system, state)?;
    if refuse_contradictions(system, state)? {
        refuse_redundant(system, state)?;
    }
    let sizes = system.sizes();
    let given = state.clone();
    let (scale, speed) = (1.0 + max_abs(&given.q), 1.0 + max_abs(&given.v));
    let exact = report.position_residual <= 4.0 * f64::EPSILON * scale
        && report.velocity_residual <= 4.0 * f64::EPSILON * speed;
    if sizes.multipliers() > 0 && !exact {
        project(system, state)?;
        report_changes(system, &given, state, &mut report);
        let wrong_position = report.position_residual > NEGLIGIBLE * scale;
        let wrong_velocity = report.velocity_residual > NEGLIGIBLE * speed;
        let refused = match policy {
            InitialPolicy::Refuse => wrong_position || wrong_velocity,
            InitialPolicy::ProjectVelocities | InitialPolicy::Equilibrium => wrong_position,
            InitialPolicy::Project | InitialPolicy::Trust => false,
        };
        if refused {
            return Err(refusal(state.t, &report, wrong_position));
        }
    }
    Ok(report)
}

/// Solves `v̇`, multipliers, `ẋ`, `y` at a state, with a diagnosis if that is impossible.
pub(crate) fn solve_accelerations(
    system: &mut dyn System,
    state: &mut State,
    underlying: &mut Underlying,
) -> Result<(), Diagnosis> {
    let t = state.t;
    underlying.solve(system, state).map_err(|failure| match failure {
        UnderlyingFailure::Matrix(error) => explain_matrix(system, state, error),
        UnderlyingFailure::NotFinite => not_finite(system, state),
        UnderlyingFailure::NotConverged => Diagnosis::new(
            Failure::NotConverged,
            t,
            format!(
                "at t = {} the accelerations, multipliers and variables have no common solution \
                 that the iteration could find",
                readable(t)
            ),
        )
        .remedied_by(vec![
            "give better guesses for the variables and multipliers".into(),
            "look for an algebraic loop without a solution among the variables".into(),
        ]),
    })
}

fn examine(system: &mut dyn System, state: &State, report: &mut InitialReport) {
    let sizes = system.sizes();
    let mut residual = vec![0.0; sizes.multipliers()];
    let at = state.point();
    system.constraint(Level::Position, &at, &mut residual[..sizes.holonomic]);
    (report.position_residual, report.worst_position) = worst(system, &residual[..sizes.holonomic]);
    system.constraint(Level::Velocity, &at, &mut residual);
    (report.velocity_residual, report.worst_velocity) = worst(system, &residual);
}

fn worst(system: &dyn System, residual: &[f64]) -> (f64, Option<String>) {
    let largest = residual.iter().enumerate().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
    match largest {
        Some((i, value)) => (value.abs(), Some(system.name(Component::Constraint(i)))),
        None => (0.0, None),
    }
}

fn check_finite(system: &mut dyn System, state: &State) -> Result<(), Diagnosis> {
    let sizes = system.sizes();
    let mut out = vec![0.0; sizes.motion.max(sizes.multipliers())];
    let at = state.point();
    system.dynamics(&at, crate::system::Terms::ALL, &mut out[..sizes.motion]);
    let mut finite = out[..sizes.motion].iter().all(|v| v.is_finite());
    system.constraint(Level::Position, &at, &mut out[..sizes.holonomic]);
    finite &= out[..sizes.holonomic].iter().all(|v| v.is_finite());
    if finite { Ok(()) } else { Err(not_finite(system, state)) }
}

/// Projects positions and velocities, with a diagnosis if nothing near meets the constraints.
fn project(system: &mut dyn System, state: &mut State) -> Result<(), Diagnosis> {
    let mut projector = Projector::new(system);
    let remedies = [
        "start nearer to an assembled position",
        "look for constraints that contradict each other",
    ];
    let projected = projector.positions(system, state);
    projected.map_err(|miss| explain_miss(system, state, miss, "position", &remedies))?;
    let remedies = ["look for nonholonomic constraints that contradict each other"];
    let projected = projector.velocities(system, state);
    projected.map_err(|miss| explain_miss(system, state, miss, "velocity", &remedies))
}

fn explain_miss(
    system: &mut dyn System,
    state: &State,
    miss: Miss,
    what: &str,
    remedies: &[&str],
) -> Diagnosis {
    match miss {
        Miss::NotFinite => not_finite(system, state),
        Miss::Matrix(error) => explain_matrix(system, state, error),
        Miss::Off(row, size) => {
            let constraint = system.subject(Component::Constraint(row));
            let message = format!(
                "no {what} near the given one meets the constraints: `{constraint}` still misses by {size:.3e}"
            );
            let message = Sentence::about(message, [constraint]);
            Diagnosis::new(Failure::InconsistentStart, state.t, message)
                .remedied_by(remedies.iter().map(|remedy| (*remedy).into()).collect())
        }
    }
}

fn report_changes(system: &dyn System, given: &State, now: &State, report: &mut InitialReport) {
    let mut increment = vec![0.0; now.v.len()];
    system.displacement(&given.q, &now.q, &mut increment);
    let list = |changes: Vec<f64>, scale: f64, mark: &str| {
        let named = changes.into_iter().enumerate().filter(|(_, d)| d.abs() > 1e-13 * scale);
        let name = |i| format!("{}{mark}", system.name(Component::Coordinate(i)));
        named.map(|(i, change)| Change { name: name(i), change }).collect()
    };
    report.moved = list(increment, 1.0 + max_abs(&given.q), "");
    let difference = now.v.iter().zip(&given.v).map(|(a, b)| a - b).collect();
    report.accelerated = list(difference, 1.0 + max_abs(&given.v), "'");
}

fn refusal(t: f64, report: &InitialReport, position: bool) -> Diagnosis {
    let (what, name, size, changes) = if position {
        ("position", &report.worst_position, report.position_residual, &report.moved)
    } else {
        ("velocity", &report.worst_velocity, report.velocity_residual, &report.accelerated)
    };
    let constraint = Subject::Constraint(name.clone().unwrap_or_default());
    let fact = |change: &Change| {
        let text = format!("projection would change {} by {:+.6e}", change.name, change.change);
        Sentence::about(text, [Subject::Coordinate(change.name.clone())])
    };
    let message = format!(
        "the initial {what} violates constraint `{constraint}` by {size:.3e} (at t = {})",
        readable(t)
    );
    let message = Sentence::about(message, [constraint]);
    Diagnosis::new(Failure::InconsistentStart, t, message)
        .because(changes.iter().map(fact))
        .remedied_by(vec![
            format!("correct the initial {what}"),
            "or set `initial = \"project\"` under [solve] to accept the projected values".into(),
        ])
}

fn refuse_redundant(system: &mut dyn System, state: &State) -> Result<(), Diagnosis> {
    let redundant = redundant_constraints(system, state);
    if redundant.is_empty() {
        return Ok(());
    }
    Err(Diagnosis::new(
        Failure::RedundantConstraints,
        state.t,
        format!(
            "{} of the constraints follow{} from the others, so that reactions are not determined",
            redundant.len(),
            if redundant.len() == 1 { "s" } else { "" }
        ),
    )
    .because(redundant)
    .remedied_by(vec![
        "remove the named constraints: the motion does not change".into(),
        "or set `redundant = \"solve\"` under [solve] to get the least reactions".into(),
    ]))
}

/// One sentence per constraint that depends on others at this state.
pub fn redundant_constraints(system: &mut dyn System, state: &State) -> Vec<Sentence> {
    let pattern = system.patterns().constraints;
    if pattern.rows() == 0 || pattern.rows() > MOST_ROWS {
        return Vec::new();
    }
    let mut values = vec![0.0; pattern.entries()];
    system.constraint_gradient(&state.point(), &mut values);
    if values.iter().any(|v| !v.is_finite()) {
        return Vec::new();
    }
    let named = |i: usize| system.subject(Component::Constraint(i));
    let report = rotula_linear::dependent_rows(&pattern, &values, 1e-10);
    let sentence = |row: &rotula_linear::DependentRow| {
        let own = named(row.row);
        let others: Vec<Subject> = row.combination.iter().map(|(i, _)| named(*i)).collect();
        let text = match others.is_empty() {
            true => format!("constraint `{own}` has a vanishing gradient here"),
            false => format!("constraint `{own}` depends on {}", quoted(&others)),
        };
        Sentence::about(text, std::iter::once(own).chain(others))
    };
    report.dependent.iter().map(sentence).collect()
}

fn explain_matrix(system: &mut dyn System, state: &State, error: FactorError) -> Diagnosis {
    let sizes = system.sizes();
    let FactorError::Singular { unknown } = error else {
        return not_finite(system, state);
    };
    let t = state.t;
    let redundant = redundant_constraints(system, state);
    if !redundant.is_empty() {
        return Diagnosis::new(
            Failure::RedundantConstraints,
            t,
            format!("at t = {} constraints depend on each other", readable(t)),
        )
        .because(redundant)
        .remedied_by(vec!["remove the named constraints, or leave this configuration".into()]);
    }
    let culprit = match unknown {
        i if i < sizes.motion => {
            let coordinate = system.subject(Component::Coordinate(i));
            Sentence::about(format!("coordinate `{coordinate}`"), [coordinate])
        }
        i if i < sizes.motion + sizes.multipliers() => {
            let constraint = system.subject(Component::Constraint(i - sizes.motion));
            Sentence::about(format!("constraint `{constraint}`"), [constraint])
        }
        i => format!("auxiliary equation {}", i - sizes.motion - sizes.multipliers() + 1).into(),
    };
    let remedies = vec![
        format!("give {culprit} a mass or inertia"),
        "or constrain the massless direction".into(),
    ];
    let message = culprit.within(|culprit| {
        format!(
            "at t = {} the accelerations are not determined: the mass matrix is singular in a \
             direction that no constraint holds, seen at {culprit}",
            readable(t)
        )
    });
    Diagnosis::new(Failure::SingularMass, t, message).remedied_by(remedies)
}

/// A diagnosis of numbers that are not finite.
pub(crate) fn not_finite(system: &mut dyn System, state: &State) -> Diagnosis {
    let what = format!("near t = {} a formula is not finite", readable(state.t));
    let message = match system.explain_not_finite(&state.point()) {
        Some(explanation) => explanation.within(|which| format!("{what}: {which}")),
        None => what.into(),
    };
    Diagnosis::new(Failure::NotFinite, state.t, message).remedied_by(vec![
        "look for a division by zero, or a root or logarithm of a negative number, and keep its \
             argument in range, for example `sqrt(max(0, x))`"
            .into(),
        "or end the motion before it leaves the range of the formula".into(),
    ])
}
