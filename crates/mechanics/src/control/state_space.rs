//! Linear state spaces: `ẋ = A x + B u`, `y = C x + D u`.

use super::block::weighted;
use super::declare::finite;
use super::signals::VariableId;
use crate::error::{ModelError, refusal};
use crate::model::Model;

/// The matrices of a linear state space, row by row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StateSpace {
    /// `A`: states by states.
    pub dynamics: Vec<Vec<f64>>,
    /// `B`: states by inputs.
    pub input: Vec<Vec<f64>>,
    /// `C`: outputs by states.
    pub output: Vec<Vec<f64>>,
    /// `D`: outputs by inputs; may be left empty for no feedthrough.
    pub feedthrough: Vec<Vec<f64>>,
}

impl Model {
    /// A linear state space. Its inputs are formulas, its outputs the variables `name.1`, `name.2`, …
    /// (just `name` if there is only one). Inputs become variables `name.input1`, …, states
    /// `name.state1`, …; all states start at zero.
    pub fn state_space(
        &mut self,
        name: &str,
        matrices: &StateSpace,
        inputs: &[&str],
    ) -> Result<Vec<VariableId>, ModelError> {
        check(name, matrices, inputs.len())?;
        let mut inner = Vec::new();
        for (k, input) in inputs.iter().enumerate() {
            let input_name = format!("{name}.input{}", k + 1);
            self.variable(&input_name, input)?;
            inner.push(input_name);
        }
        let states: Vec<String> =
            (1..=matrices.dynamics.len()).map(|k| format!("{name}.state{k}")).collect();
        let row = |states_row: &[f64], inputs_row: &[f64]| {
            let own = states_row.iter().copied().zip(states.iter().map(String::as_str));
            let given = inputs_row.iter().copied().zip(inner.iter().map(String::as_str));
            weighted(own.chain(given))
        };
        for (k, state) in states.iter().enumerate() {
            self.state(state, 0.0, &row(&matrices.dynamics[k], &matrices.input[k]))?;
        }
        let single = matrices.output.len() == 1;
        let mut outputs = Vec::new();
        for (k, output) in matrices.output.iter().enumerate() {
            let through = matrices.feedthrough.get(k).map_or(&[][..], Vec::as_slice);
            let output_name = if single { name.to_string() } else { format!("{name}.{}", k + 1) };
            outputs.push(self.variable(&output_name, &row(output, through))?);
        }
        Ok(outputs)
    }
}

/// Refuses matrices whose sizes do not fit.
fn check(name: &str, matrices: &StateSpace, inputs: usize) -> Result<(), ModelError> {
    let states = matrices.dynamics.len();
    let outputs = matrices.output.len();
    let through = if matrices.feedthrough.is_empty() { 0 } else { outputs };
    let expected = [
        ("dynamics", &matrices.dynamics, states, states),
        ("input", &matrices.input, states, inputs),
        ("output", &matrices.output, outputs, states),
        ("feedthrough", &matrices.feedthrough, through, inputs),
    ];
    for (matrix, values, rows, columns) in expected {
        if values.len() != rows || values.iter().any(|row| row.len() != columns) {
            return Err(ModelError::invalid(
                format!("state space `{name}`"),
                format!(
                    "with {states} states, {inputs} inputs and {outputs} outputs its {matrix} matrix \
                     must have {rows} rows of {columns} numbers"
                ),
            ));
        }
        for value in values.iter().flatten() {
            finite("state space", name, &format!("every number of the {matrix} matrix"), *value)?;
        }
    }
    if outputs == 0 {
        let what = refusal!("it has no output"; "give its output matrix at least one row");
        return Err(ModelError::invalid(format!("state space `{name}`"), what));
    }
    Ok(())
}
