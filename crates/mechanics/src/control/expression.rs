//! A formula of time and signals, compiled together with its partial derivatives.

use super::function::SignalFunction;
use crate::error::{Refusal, refusal};
use rotula_formula::{Decisions, Graph, Program, Tables, Timetable};
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

/// What a name in a formula stands for when it is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Input {
    /// The time.
    Time,
    /// A value that belongs to the element, such as the stretch of a spring.
    Local(usize),
    /// First-order state `i`.
    State(usize),
    /// The rate of first-order state `i`.
    Rate(usize),
    /// Algebraic variable `i`.
    Variable(usize),
    /// Sensor `i`, read directly; only in outputs.
    Sensor(usize),
}

/// A name in a formula, resolved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Meaning {
    Number(f64),
    Input(Input),
}

/// Values of everything that a formula may depend on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given<'a> {
    /// The time.
    pub t: f64,
    /// Values of the element.
    pub locals: &'a [f64],
    /// First-order states.
    pub states: &'a [f64],
    /// Their rates.
    pub rates: &'a [f64],
    /// Algebraic variables.
    pub variables: &'a [f64],
}

/// A formula or a function, its inputs and its partial derivatives. Evaluating a formula does not
/// allocate.
#[derive(Clone)]
pub struct Expression {
    text: String,
    inputs: Vec<Input>,
    origin: Origin,
    /// What a formula decides by other quantities than time.
    decisions: Option<Box<Decisions>>,
    /// Those of the inputs, then what is decided by them.
    values: Vec<f64>,
    /// The value, then one slope per input.
    outputs: Vec<f64>,
}

/// Where the value comes from.
#[derive(Clone)]
enum Origin {
    Formula {
        graph: Arc<Graph>,
        value: rotula_formula::Expression,
        program: Program,
        registers: Vec<f64>,
    },
    Function(Box<dyn SignalFunction>),
}

impl fmt::Debug for Expression {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Expression {
    /// Compiles a formula whose names `resolve` knows; it answers with what is wrong with a name. It may call `tables`.
    pub(crate) fn compile(
        text: &str,
        tables: &Tables,
        resolve: &mut dyn FnMut(&str) -> Result<Meaning, Refusal>,
    ) -> Result<Self, Refusal> {
        let mut graph = Graph::with_tables(tables);
        let mut names = HashMap::new();
        let mut symbols = Vec::new();
        let mut inputs: Vec<Input> = Vec::new();
        let mut seen = HashSet::new();
        let say = |error: rotula_formula::FormulaError| match error.help() {
            Some(help) => refusal!("in `{text}`: {error}"; "{help}"),
            None => format!("in `{text}`: {error}").into(),
        };
        for (name, _) in rotula_formula::names_in(text).map_err(say)? {
            let meaning = resolve(&name).map_err(|refusal| Refusal {
                what: format!("in `{text}`: {}", refusal.what),
                ..refusal
            })?;
            let expression = match meaning {
                Meaning::Number(value) => graph.constant(value),
                Meaning::Input(input) => {
                    let symbol = graph.symbol(&name);
                    if seen.insert(input) {
                        inputs.push(input);
                        symbols.push(symbol);
                    }
                    symbol
                }
            };
            names.insert(name, expression);
        }
        let value = graph.parse(text, &mut |name| names.get(name).copied()).map_err(say)?;
        let t = graph.find_symbol("t").filter(|_| inputs.contains(&Input::Time));
        let value = graph.with_whole_parts(value, t);
        let decisions = Decisions::find(&mut graph, &[value], t, &symbols).map_err(say)?;
        let mut outputs = vec![value];
        outputs.extend(graph.gradient(value, &symbols));
        symbols.extend(decisions.iter().flat_map(Decisions::expressions));
        let program = Program::compile(&graph, &symbols, &outputs).map_err(say)?;
        Ok(Expression {
            text: text.into(),
            values: vec![0.0; symbols.len()],
            outputs: vec![0.0; 1 + inputs.len()],
            inputs,
            origin: Origin::Formula {
                registers: vec![0.0; program.registers()],
                graph: Arc::new(graph),
                value,
                program,
            },
            decisions: decisions.map(Box::new),
        })
    }

    /// A function of inputs whose names are known.
    pub(crate) fn computed(
        names: &[String],
        inputs: Vec<Input>,
        function: Box<dyn SignalFunction>,
    ) -> Self {
        Expression {
            text: format!("a function of {}", names.join(", ")),
            values: vec![0.0; inputs.len()],
            outputs: vec![0.0; 1 + inputs.len()],
            inputs,
            origin: Origin::Function(function),
            decisions: None,
        }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What it depends on.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// The value; the slopes of a formula are worked out with it. An input that was not given counts
    /// as undefined.
    pub fn evaluate(&mut self, given: &Given) -> f64 {
        let of = |values: &[f64], i: usize| values.get(i).copied().unwrap_or(f64::NAN);
        for (value, input) in self.values.iter_mut().zip(&self.inputs) {
            *value = match *input {
                Input::Time => given.t,
                Input::Local(i) => of(given.locals, i),
                Input::State(i) => of(given.states, i),
                Input::Rate(i) => of(given.rates, i),
                Input::Variable(i) => of(given.variables, i),
                Input::Sensor(_) => *value,
            };
        }
        if let Some(decisions) = &mut self.decisions {
            let (inputs, decided) = self.values.split_at_mut(self.inputs.len());
            decisions.look(inputs, decided);
        }
        match &mut self.origin {
            Origin::Formula { program, registers, .. } => {
                program.evaluate(&self.values, registers, &mut self.outputs);
            }
            Origin::Function(function) => self.outputs[0] = function.value(&self.values),
        }
        self.outputs[0]
    }

    /// What it decides by other quantities than time.
    pub(crate) fn decisions(&self) -> Option<&Decisions> {
        self.decisions.as_deref()
    }

    /// The same, to be changed.
    pub(crate) fn decisions_mut(&mut self) -> Option<&mut Decisions> {
        self.decisions.as_deref_mut()
    }

    /// Evaluates together with the slopes, of functions too.
    pub(crate) fn differentiate(&mut self, given: &Given) {
        self.evaluate(given);
        if let Origin::Function(function) = &mut self.origin {
            function.slopes(&mut self.values, &mut self.outputs[1..]);
        }
    }

    /// The value at the last evaluation.
    pub fn value(&self) -> f64 {
        self.outputs[0]
    }

    /// Partial derivatives at the last evaluation, one per input.
    pub fn slopes(&self) -> &[f64] {
        &self.outputs[1..]
    }

    /// Known times at which it jumps.
    pub(crate) fn jumps(&self) -> Vec<f64> {
        let Origin::Formula { graph, value, .. } = &self.origin else { return Vec::new() };
        let symbol = graph.find_symbol("t").filter(|_| self.inputs.contains(&Input::Time));
        symbol.map_or(Vec::new(), |t| graph.jump_times(&[*value], t))
    }

    /// What else can be known of times.
    pub(crate) fn timetable(&self) -> Option<Timetable> {
        let Origin::Formula { graph, value, .. } = &self.origin else { return None };
        let t = graph.find_symbol("t").filter(|_| self.inputs.contains(&Input::Time))?;
        Timetable::new(&mut Graph::clone(graph), &[*value], t)
    }

    /// Gives input `k`, a sensor, its reading.
    pub(crate) fn set(&mut self, k: usize, reading: f64) {
        self.values[k] = reading;
    }

    /// Which operation made the last value or one of its slopes infinite or undefined.
    pub fn explain_not_finite(&self) -> Option<String> {
        match &self.origin {
            Origin::Formula { graph, program, .. } => {
                let found = program.explain_not_finite(graph, &self.values)?;
                Some(format!("`{}`: {found}", self.text))
            }
            Origin::Function(_) => {
                let wrong = self.outputs.iter().any(|number| !number.is_finite());
                wrong.then(|| format!("{}, is {} at {:?}", self.text, self.outputs[0], self.values))
            }
        }
    }
}
