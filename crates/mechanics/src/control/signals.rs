//! The signals of a model and their names.

use super::expression::{Expression, Input, Meaning};
use super::function::SignalFunction;
use super::sampled::Sampling;
use crate::error::{ModelError, Refusal, refusal};
use crate::force::{Amplitude, Auxiliary};
use crate::quantity::{Acting, Part, Side};
use crate::sensor::{Direction, EnergySensor, Sensor};
use rotula_formula::{FastMap, Tables, function_names, is_name, is_reserved, nearest};
use std::collections::HashMap;

/// A sensor of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SensorId(pub(crate) usize);

/// A first-order state of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StateId(pub(crate) usize);

/// An algebraic variable of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VariableId(pub(crate) usize);

impl StateId {
    /// Its place among the states of the system.
    pub fn index(&self) -> usize {
        self.0
    }
}

impl VariableId {
    /// Its place among the variables of the system.
    pub fn index(&self) -> usize {
        self.0
    }
}

impl From<StateId> for Auxiliary {
    fn from(id: StateId) -> Self {
        Auxiliary::State(id.0)
    }
}

impl From<VariableId> for Auxiliary {
    fn from(id: VariableId) -> Self {
        Auxiliary::Variable(id.0)
    }
}

impl From<VariableId> for Amplitude {
    fn from(id: VariableId) -> Self {
        Amplitude::Variable(id.0)
    }
}

/// What can be read from a motion.
#[derive(Clone, Debug)]
pub(crate) enum Readout {
    Sensor(Box<dyn Sensor>),
    Energy(EnergySensor),
    Formula(String),
    /// A quantity that a thing offers, by the name of the thing and that of the quantity. The thing may
    /// come later.
    Quantity {
        acting: Acting,
        thing: String,
        quantity: &'static str,
    },
    /// A component of what a thing does to a body. The thing may come later.
    Action {
        acting: Acting,
        thing: String,
        on: (Side, Part),
        direction: Direction,
    },
}

/// What a name stands for, by its place in the list of its kind.
#[derive(Clone, Copy, Debug)]
enum Named {
    Parameter(usize),
    Sensor(usize),
    State(usize),
    Variable(usize),
}

/// What a variable is equal to.
#[derive(Clone, Debug)]
pub(crate) enum Definition {
    Formula(String),
    Function {
        inputs: Vec<String>,
        function: Box<dyn SignalFunction>,
    },
    Sensor(usize),
    /// A number that is set from outside while a run goes on.
    Input(f64),
    /// A number that changes at instants, and what it is at first.
    Held(f64),
}

/// What a held variable is from each of its instants on.
#[derive(Clone, Debug)]
pub(crate) struct SampledEntry {
    /// Its place among the variables.
    pub(crate) variable: usize,
    pub(crate) formula: String,
    pub(crate) sampling: Sampling,
}

/// Where a held variable becomes one and zero.
#[derive(Clone, Debug)]
pub(crate) struct LatchEntry {
    /// Its place among the variables.
    pub(crate) variable: usize,
    pub(crate) set: String,
    pub(crate) reset: Option<String>,
    pub(crate) initial: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct VariableEntry {
    pub(crate) name: String,
    pub(crate) definition: Definition,
    pub(crate) guess: Option<f64>,
}

#[derive(Clone, Debug)]
pub(crate) struct StateEntry {
    pub(crate) name: String,
    pub(crate) initial: f64,
    pub(crate) formula: String,
    /// The formula is a residual, not the rate.
    pub(crate) implicit: bool,
}

/// All signals, in the order in which they were declared.
#[derive(Clone, Debug, Default)]
pub(crate) struct Signals {
    pub(crate) parameters: Vec<(String, f64)>,
    pub(crate) sensors: Vec<(String, Readout)>,
    pub(crate) states: Vec<StateEntry>,
    pub(crate) variables: Vec<VariableEntry>,
    pub(crate) sampled: Vec<SampledEntry>,
    pub(crate) latches: Vec<LatchEntry>,
    named: FastMap<String, Named>,
    /// The variables that carry readings of sensors, by the sensor.
    carriers: HashMap<usize, usize>,
    /// Tables that formulas may call.
    pub(crate) tables: Tables,
}

impl Signals {
    pub(crate) fn add_parameter(&mut self, name: &str, value: f64) {
        self.named.insert(name.into(), Named::Parameter(self.parameters.len()));
        self.parameters.push((name.into(), value));
    }

    pub(crate) fn add_sensor(&mut self, name: &str, readout: Readout) -> usize {
        let place = self.sensors.len();
        self.named.insert(name.into(), Named::Sensor(place));
        self.sensors.push((name.into(), readout));
        place
    }

    pub(crate) fn add_state(&mut self, entry: StateEntry) -> usize {
        let place = self.states.len();
        self.named.insert(entry.name.clone(), Named::State(place));
        self.states.push(entry);
        place
    }

    pub(crate) fn add_variable(&mut self, name: &str, definition: Definition) -> usize {
        let place = self.variables.len();
        self.named.insert(name.into(), Named::Variable(place));
        self.variables.push(VariableEntry { name: name.into(), definition, guess: None });
        place
    }

    pub(crate) fn parameter(&self, name: &str) -> Option<f64> {
        match self.named.get(name)? {
            Named::Parameter(k) => Some(self.parameters[*k].1),
            _ => None,
        }
    }

    pub(crate) fn sensor(&self, name: &str) -> Option<usize> {
        match self.named.get(name)? {
            Named::Sensor(k) => Some(*k),
            _ => None,
        }
    }

    pub(crate) fn state(&self, name: &str) -> Option<usize> {
        match self.named.get(name)? {
            Named::State(k) => Some(*k),
            _ => None,
        }
    }

    /// A variable that is declared as one, not the carrier of a sensor.
    pub(crate) fn variable(&self, name: &str) -> Option<usize> {
        match self.named.get(name)? {
            Named::Variable(k) => Some(*k),
            _ => None,
        }
    }

    /// Whether a variable carries the reading of a sensor.
    pub(crate) fn carries(&self, sensor: usize) -> bool {
        self.carriers.contains_key(&sensor)
    }

    /// All names.
    fn names(&self) -> impl Iterator<Item = &str> {
        // in the order of declaration, so that suggestions are always the same
        let parameters = self.parameters.iter().map(|entry| entry.0.as_str());
        let sensors = self.sensors.iter().map(|entry| entry.0.as_str());
        let states = self.states.iter().map(|entry| entry.name.as_str());
        let variables = self.variables.iter().map(|entry| entry.name.as_str());
        parameters.chain(sensors).chain(states).chain(variables)
    }

    /// Refuses a name that is taken, or that a formula could not use.
    pub(crate) fn check_new(&self, kind: &'static str, name: &str) -> Result<(), ModelError> {
        let refuse = |what: Refusal| Err(ModelError::invalid(format!("{kind} `{name}`"), what));
        if name == "t" {
            return refuse(refusal!("`t` is the time"; "choose another name"));
        }
        let function = || !name.contains('.') && function_names().any(|function| function == name);
        if is_reserved(name) || function() {
            return refuse(refusal!("formulas use this word themselves"; "choose another name"));
        }
        if !is_name(name) || name.contains('\'') {
            return refuse(
                "a name is made of letters, digits, `_` and inner dots, like `motor.speed`".into(),
            );
        }
        if self.named.contains_key(name) {
            return Err(ModelError::Duplicate { kind: "signal", name: name.into() });
        }
        Ok(())
    }

    /// The variable that carries a sensor's reading, which is added if it is new.
    fn carry(&mut self, sensor: usize) -> Result<usize, Refusal> {
        let (name, readout) = &self.sensors[sensor];
        if matches!(readout, Readout::Energy(_) | Readout::Formula(_)) {
            return Err(refusal!(
                "`{name}` is for output only, since it depends on the whole model";
                "use it in an output, or build the formula from sensors of single bodies"
            ));
        }
        let place = self.variables.len();
        if let Some(known) = self.carriers.get(&sensor) {
            return Ok(*known);
        }
        let definition = Definition::Sensor(sensor);
        self.variables.push(VariableEntry { name: name.clone(), definition, guess: None });
        self.carriers.insert(sensor, place);
        Ok(place)
    }

    /// What is wrong with a name that is not a signal.
    fn unknown(&self, name: &str, locals: &[&str]) -> Refusal {
        if let Some(base) = name.strip_suffix('\'')
            && self.names().any(|known| known == base)
        {
            return refusal!(
                "`{name}`: only states have rates in formulas";
                "read the rate of `{base}` with a sensor of its own"
            );
        }
        let names = self.names().chain(["t"]).chain(locals.iter().copied());
        match nearest(name, names) {
            Some(near) => refusal!("there is no signal `{name}`"; "did you mean `{near}`?"),
            None if function_names().any(|function| function == name) => {
                refusal!("`{name}` is a function"; "write `{name}(…)`")
            }
            None => {
                refusal!(
                    "there is no signal `{name}`";
                    "declare it as a parameter, sensor, variable or state"
                )
            }
        }
    }

    /// What a name means in a formula of the model.
    pub(crate) fn resolve(&mut self, name: &str, locals: &[&str]) -> Result<Meaning, Refusal> {
        if let Some(k) = locals.iter().position(|local| *local == name) {
            return Ok(Meaning::Input(Input::Local(k)));
        }
        let input = if name == "t" {
            Input::Time
        } else if let Some(value) = self.parameter(name) {
            return Ok(Meaning::Number(value));
        } else if let Some(k) = self.state(name) {
            Input::State(k)
        } else if let Some(k) = self.variable(name) {
            Input::Variable(k)
        } else if let Some(k) = self.sensor(name) {
            Input::Variable(self.carry(k)?)
        } else if let Some(k) = name.strip_suffix('\'').and_then(|base| self.state(base)) {
            Input::Rate(k)
        } else {
            return Err(self.unknown(name, locals));
        };
        Ok(Meaning::Input(input))
    }

    /// What a name means in an output: sensors are read directly, also those for output only.
    pub(crate) fn resolve_output(&mut self, name: &str) -> Result<Meaning, Refusal> {
        match self.sensor(name) {
            Some(k) => Ok(Meaning::Input(Input::Sensor(k))),
            None => self.resolve(name, &[]),
        }
    }

    /// Compiles a formula of a named thing.
    pub(crate) fn compile(
        &mut self,
        thing: impl FnOnce() -> String,
        text: &str,
        locals: &[&str],
    ) -> Result<Expression, ModelError> {
        let tables = self.tables.clone();
        Expression::compile(text, &tables, &mut |name| self.resolve(name, locals))
            .map_err(|what| ModelError::invalid(thing(), what))
    }

    /// Finds the inputs of a function of a named thing.
    pub(crate) fn compile_function(
        &mut self,
        thing: impl FnOnce() -> String,
        inputs: &[String],
        function: Box<dyn SignalFunction>,
    ) -> Result<Expression, ModelError> {
        let resolved = inputs.iter().map(|name| match self.resolve(name, &[])? {
            Meaning::Input(input) => Ok(input),
            Meaning::Number(_) => Err(refusal!(
                "`{name}` is a parameter and does not change";
                "give its value to the function itself"
            )),
        });
        match resolved.collect::<Result<Vec<Input>, Refusal>>() {
            Ok(resolved) => Ok(Expression::computed(inputs, resolved, function)),
            Err(what) => Err(ModelError::invalid(thing(), what)),
        }
    }
}
