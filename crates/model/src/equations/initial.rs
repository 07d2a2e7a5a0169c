//! The initial state, and first guesses of what only the equations determine.

use crate::equations::expressions::Equations;
use crate::equations::function::Function;
use crate::equations::install;
use crate::reading::{Entry, ModelError, Scope, Table};
use rotula_dae::State;
use rotula_formula::Expression;

/// Given values, and formulas for those that follow.
#[derive(Clone)]
pub(crate) struct Start {
    given: State,
    /// Rates and variables without a guess: position among rates, then variables, and formula.
    follow: Vec<(usize, Expression)>,
}

/// Reads all initial values.
pub(crate) fn start(
    document: &Table,
    scope: &mut Scope,
    equations: &Equations,
    functions: &[Function],
) -> Result<Start, ModelError> {
    let mut given = State::zeros(equations.sizes);
    let mut constant = |entry: &Entry, section: &str, key: &str| match entry.item.field(key, None) {
        Some(item) => scope.constant(item, &format!("{section}.{}.{key}", entry.key)).map(Some),
        None => Ok(None),
    };
    for (i, entry) in document.section("coordinates").iter().enumerate() {
        given.q[i] = constant(entry, "coordinates", "at")?.unwrap_or(0.0);
        given.v[i] = constant(entry, "coordinates", "velocity")?.unwrap_or(0.0);
        given.vdot[i] = constant(entry, "coordinates", "acceleration")?.unwrap_or(0.0);
    }
    let rows = ["constraint", "nonholonomic"]
        .into_iter()
        .flat_map(|section| document.section(section).iter().map(move |entry| (section, entry)));
    // constraints of functions stand between the two
    let [first, between] =
        [document.section("constraint").len(), install::constraint_rows(functions)];
    for (i, (section, entry)) in rows.enumerate() {
        let i = if i < first { i } else { i + between };
        given.multipliers[i] = constant(entry, section, "multiplier")?.unwrap_or(0.0);
    }
    let mut follow = Vec::new();
    let states = document.section("state").len();
    for (i, entry) in document.section("state").iter().enumerate() {
        given.x[i] = constant(entry, "state", "at")?.unwrap_or(0.0);
        if entry.item.field("residual", None).is_some() {
            given.xdot[i] = constant(entry, "state", "rate")?.unwrap_or(0.0);
        } else if let Some(rate) = equations.explicit[i] {
            follow.push((i, rate));
        }
    }
    for (i, entry) in document.section("variable").iter().enumerate() {
        match constant(entry, "variable", "guess")? {
            Some(guess) => given.y[i] = guess,
            None => follow.extend(equations.explicit[states + i].map(|value| (states + i, value))),
        }
    }
    let variables = document.section("variable").len();
    for (i, (_, value)) in equations.inputs.iter().enumerate() {
        given.y[variables + i] = *value;
    }
    Ok(Start { given, follow })
}

impl Start {
    /// The state at time `t`. Values that follow from formulas are evaluated in turn; those that do not settle, because
    /// they depend on themselves, start at zero.
    pub(crate) fn state(&self, equations: &Equations, t: f64) -> State {
        let mut state = self.given.clone();
        state.t = t;
        let mut settled = vec![false; self.follow.len()];
        for _ in 0..=self.follow.len() {
            for (k, &(index, formula)) in self.follow.iter().enumerate() {
                let value = evaluate(equations, formula, &state);
                let target = slot(&mut state, index);
                settled[k] = *target == value;
                *target = if value.is_finite() { value } else { 0.0 };
            }
            if settled.iter().all(|&settled| settled) {
                return state;
            }
        }
        for (&(index, _), settled) in self.follow.iter().zip(settled) {
            if !settled {
                *slot(&mut state, index) = 0.0;
            }
        }
        state
    }
}

fn slot(state: &mut State, index: usize) -> &mut f64 {
    let states = state.xdot.len();
    if index < states { &mut state.xdot[index] } else { &mut state.y[index - states] }
}

fn evaluate(equations: &Equations, formula: Expression, state: &State) -> f64 {
    let inputs = equations.symbols.inputs();
    let mut values = vec![0.0; inputs.len()];
    equations.load(&state.point(), &mut values, &mut equations.memories(), false);
    let pairs: Vec<_> = inputs.into_iter().zip(values).collect();
    equations.graph.evaluate(formula, &pairs)
}
