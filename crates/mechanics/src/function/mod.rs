//! Functions of time with two derivatives: drives, loads and everything prescribed.

mod followed;
mod integral;
mod quadrature;

use crate::error::ModelError;
pub use followed::{Followed, Given};
pub use integral::Integral;

use rotula_dae::checkpoint::{Reader, Unreadable, Writer};
use rotula_formula::{Graph, Program, Tables, Timetable};
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
    /// The way to what an input was set to.
    Followed(Box<Followed>),
    /// A Rust function that returns value, first and second derivative.
    Function(Arc<dyn Fn(f64) -> [f64; 3] + Send + Sync>),
}

/// A compiled formula of time.
#[derive(Clone, Debug)]
pub struct Formula {
    text: String,
    tables: Tables,
    program: Program,
    registers: Vec<f64>,
    /// Times at which the value jumps, the value or its slope, and one of them or the curvature.
    jumps: [Vec<f64>; 3],
    /// What else can be known of times.
    timetable: Option<Timetable>,
}

impl fmt::Debug for TimeFunction {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            TimeFunction::Constant(value) => write!(f, "{value}"),
            TimeFunction::Formula(formula) => write!(f, "{}", formula.text),
            TimeFunction::Integral(integral) => {
                write!(f, "the integral of {:?}", integral.function())
            }
            TimeFunction::Followed(followed) => write!(f, "the input {}", followed.input),
            TimeFunction::Function(_) => write!(f, "a function of time"),
        }
    }
}

impl TimeFunction {
    /// A formula in `t`, such as `"6*t"` or `"step(t, 0, 0, 1, pi)"`.
    pub fn formula(text: &str) -> Result<Self, ModelError> {
        Self::formula_with(text, &Tables::default())
    }

    /// A formula in `t` that may call tables by name.
    pub fn formula_with(text: &str, tables: &Tables) -> Result<Self, ModelError> {
        let mut graph = Graph::with_tables(tables);
        let t = graph.symbol("t");
        let value = graph.parse(text, &mut |name| (name == "t").then_some(t))?;
        if let Some(value) = graph.as_constant(value) {
            return Ok(TimeFunction::Constant(value));
        }
        let first = graph.derivative(value, t);
        let second = graph.derivative(first, t);
        let program = Program::compile(&graph, &[t], &[value, first, second])?;
        let registers = vec![0.0; program.registers()];
        let derivatives = [value, first, second];
        let jumps = [1, 2, 3].map(|count| graph.jump_times(&derivatives[..count], t));
        let (text, tables) = (text.to_string(), tables.clone());
        let timetable = Timetable::new(&mut graph, &[value], t);
        let formula = Formula { text, tables, program, registers, jumps, timetable };
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
            TimeFunction::Followed(followed) => followed.evaluate(t),
            TimeFunction::Function(f) => f(t),
        }
    }

    /// Which operation makes its value or one of its derivatives infinite or undefined at a time, if it is a formula.
    pub fn explain_not_finite(&self, time: f64) -> Option<String> {
        let TimeFunction::Formula(formula) = self else { return None };
        let mut graph = Graph::with_tables(&formula.tables);
        let t = graph.symbol("t");
        let value = graph.parse(&formula.text, &mut |name| (name == "t").then_some(t)).ok()?;
        let first = graph.derivative(value, t);
        let program = Program::compile(&graph, &[t], &[value, first]).ok()?;
        let found = program.explain_not_finite(&graph, &[time])?;
        Some(format!("`{}`: {found}", formula.text))
    }

    /// Puts what the function remembers into a checkpoint.
    pub(crate) fn save(&self, out: &mut Writer) {
        match self {
            TimeFunction::Integral(integral) => integral.save(out),
            TimeFunction::Followed(followed) => followed.save(out),
            TimeFunction::Constant(_) | TimeFunction::Formula(_) | TimeFunction::Function(_) => {}
        }
    }

    /// Takes it back.
    pub(crate) fn load(&mut self, from: &mut Reader) -> Result<(), Unreadable> {
        match self {
            TimeFunction::Integral(integral) => integral.load(from),
            TimeFunction::Followed(followed) => followed.load(from),
            TimeFunction::Constant(_) | TimeFunction::Formula(_) | TimeFunction::Function(_) => {
                Ok(())
            }
        }
    }

    /// What can be known of times besides its jumps.
    pub(crate) fn timetable(&self) -> Option<&Timetable> {
        match self {
            TimeFunction::Formula(formula) => formula.timetable.as_ref(),
            _ => None,
        }
    }

    /// Known times at which the function or one of its first `order` derivatives jumps. Those of a Rust
    /// function are not known.
    pub fn jumps(&self, order: usize) -> &[f64] {
        match self {
            TimeFunction::Formula(formula) => &formula.jumps[order.min(2)],
            TimeFunction::Integral(integral) => integral.jumps(order),
            TimeFunction::Constant(_) | TimeFunction::Followed(_) | TimeFunction::Function(_) => {
                &[]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jumps_by_order_and_through_integrals() {
        let jumps = |text: &str, order| TimeFunction::formula(text).unwrap().jumps(order).to_vec();
        assert_eq!(jumps("if(t < 1, 0, 3)", 0), [1.0]);
        assert_eq!(jumps("abs(t - 2)", 0), [] as [f64; 0]);
        assert_eq!(jumps("abs(t - 2)", 1), [2.0]);
        assert_eq!(jumps("step(t, 1, 0, 2, 5)", 2), [1.0, 2.0]);
        // a kink of a velocity is a jump of the acceleration
        let velocity = TimeFunction::formula("max(0, t - 3)").unwrap();
        let position = TimeFunction::Integral(Box::new(Integral::of_velocity(velocity, 0.0)));
        assert!(position.jumps(0).is_empty());
        assert_eq!(position.jumps(2), [3.0]);
    }
}
