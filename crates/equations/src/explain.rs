//! Which formula is not finite, and why. Slow: it is asked for only when a run has failed.

use crate::derive::Rows;
use crate::equations::Equations;
use rotula_formula::{Expression, Graph, Program};

/// Looks at the formulas themselves first, then at their derivatives, then at the rates of constraints.
pub(crate) fn not_finite(equations: &Equations, inputs: &[f64]) -> Option<String> {
    let mut graph = equations.graph.clone();
    let symbols = equations.symbols.inputs();
    // conditions are what the point makes of them
    let inputs = &inputs[..symbols.len()];
    let mut formulas: Vec<(String, Expression)> = Vec::new();
    for formula in equations.formulas() {
        formulas.push((formula.path.clone(), formula.expression));
    }
    for formula in equations.formulas() {
        for symbol in graph.symbols_of(formula.expression) {
            let derivative = graph.derivative(formula.expression, symbol);
            let name = graph.name(symbol).unwrap_or_default();
            formulas.push((format!("derivative of {} by {name}", formula.path), derivative));
        }
    }
    let rows = Rows::new(&mut graph, equations);
    for (constraint, (velocity, acceleration)) in
        equations.constraints.iter().zip(rows.velocity.into_iter().zip(rows.acceleration))
    {
        let path = &constraint.formula.path;
        formulas.push((format!("velocity level of {path}"), velocity));
        formulas.push((format!("acceleration level of {path}"), acceleration));
    }
    explain(&graph, &symbols, &formulas, inputs)
}

fn explain(
    graph: &Graph,
    symbols: &[Expression],
    formulas: &[(String, Expression)],
    inputs: &[f64],
) -> Option<String> {
    let outputs: Vec<Expression> = formulas.iter().map(|&(_, expression)| expression).collect();
    let program = Program::compile(graph, symbols, &outputs).ok()?;
    let fault = program.explain_not_finite(graph, inputs)?;
    Some(format!("{}: {fault}", formulas[fault.output].0))
}
