//! Which formula is not finite, and why. Slow: it is asked for only when a run has failed.

use crate::equations::derive::Rows;
use crate::equations::expressions::Equations;
use rotula_dae::{Sentence, Subject};
use rotula_formula::{Expression, Graph, Program};

/// A formula, or what follows from one, in words.
type Formula = (Sentence, Expression);

/// Looks at the formulas themselves first, then at their derivatives, then at the rates of constraints.
pub(crate) fn not_finite(equations: &Equations, inputs: &[f64]) -> Option<Sentence> {
    let mut graph = equations.graph.clone();
    let symbols = equations.symbols.inputs();
    let mut formulas: Vec<Formula> = Vec::new();
    for formula in equations.formulas() {
        let subject = Subject::Formula(formula.path.clone());
        let what = Sentence::about(formula.path.clone(), [subject]);
        formulas.push((what, formula.expression));
    }
    for formula in equations.formulas() {
        for symbol in graph.symbols_of(formula.expression) {
            let derivative = graph.derivative(formula.expression, symbol);
            let name = graph.name(symbol).unwrap_or_default();
            let subject = Subject::Formula(formula.path.clone());
            let what = format!("derivative of {subject} by {name}");
            formulas.push((Sentence::about(what, [subject]), derivative));
        }
    }
    let rows = Rows::new(&mut graph, equations);
    for (constraint, (velocity, acceleration)) in
        equations.constraints.iter().zip(rows.velocity.into_iter().zip(rows.acceleration))
    {
        let path = &constraint.formula.path;
        for (level, rate) in [("velocity", velocity), ("acceleration", acceleration)] {
            let subject = Subject::Formula(path.clone());
            let what = Sentence::about(format!("{level} level of {path}"), [subject]);
            formulas.push((what, rate));
        }
    }
    explain(&graph, &symbols, &formulas, inputs)
}

fn explain(
    graph: &Graph,
    symbols: &[Expression],
    formulas: &[Formula],
    inputs: &[f64],
) -> Option<Sentence> {
    let outputs: Vec<Expression> = formulas.iter().map(|(_, expression)| *expression).collect();
    let program = Program::compile(graph, symbols, &outputs).ok()?;
    let fault = program.explain_not_finite(graph, inputs)?;
    Some(formulas[fault.output].0.clone().within(|what| format!("{what}: {fault}")))
}
