//! Functions of time with two derivatives: drives, loads and everything prescribed.

mod integral;
mod quadrature;

pub use integral::Integral;

use crate::error::ModelError;
use rotula_formula::{Graph, Program};
use std::fmt;
use std::sync::Arc;

/// A function of time and its first two derivatives.
#[derive(Clone)]
pub enum TimeFunction {
    /// A number.
    Constant(f64),
    /// A formula in `t`, differentiated exactly.
    Formula(Box<Formula>),
    /// The integral of another function, once or twice.
    Integral(Box<Integral>),
    /// A Rust function that returns value, first and second derivative.
    Function(Arc<dyn Fn(f64) -> [f64; 3] + Send + Sync>),
}

/// A compiled formula of time.
#[derive(Clone, Debug)]
pub struct Formula {
    text: String,
    program: Program,
    registers: Vec<f64>,
}

impl fmt::Debug for TimeFunction {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            TimeFunction::Constant(value) => write!(f, "{value}"),
            TimeFunction::Formula(formula) => write!(f, "{}", formula.text),
            TimeFunction::Integral(integral) => {
                write!(f, "the integral of {:?}", integral.function())
            }
            TimeFunction::Function(_) => write!(f, "a function of time"),
        }
    }
}

impl TimeFunction {
    /// A formula in `t`, such as `"6*t"` or `"step(t, 0, 0, 1, pi)"`.
    pub fn formula(text: &str) -> Result<Self, ModelError> {
        let mut graph = Graph::new();
        let t = graph.symbol("t");
        let value = graph.parse(text, &mut |name| (name == "t").then_some(t))?;
        if let Some(value) = graph.as_constant(value) {
            return Ok(TimeFunction::Constant(value));
        }
        let first = graph.derivative(value, t);
        let second = graph.derivative(first, t);
        let program = Program::compile(&graph, &[t], &[value, first, second])?;
        let registers = vec![0.0; program.registers()];
        let formula = Formula { text: text.to_string(), program, registers };
        Ok(TimeFunction::Formula(Box::new(formula)))
    }

    /// Value, first and second derivative.
    pub fn evaluate(&mut self, t: f64) -> [f64; 3] {
        match self {
            TimeFunction::Constant(value) => [*value, 0.0, 0.0],
            TimeFunction::Formula(formula) => {
                let Formula { program, registers, .. } = formula.as_mut();
                let mut out = [0.0; 3];
                program.evaluate(&[t], registers, &mut out);
                out
            }
            TimeFunction::Integral(integral) => integral.evaluate(t),
            TimeFunction::Function(f) => f(t),
        }
    }
}
