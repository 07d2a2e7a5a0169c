//! The signals of a model and their names.

use super::expression::{Expression, Input, Meaning};
use super::function::SignalFunction;
use crate::error::ModelError;
use crate::force::{Amplitude, Auxiliary};
use crate::sensor::{EnergySensor, Sensor};
use rotula_formula::{function_names, is_reserved, names_in, nearest};

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
}

/// What a variable is equal to.
#[derive(Clone, Debug)]
pub(crate) enum Definition {
    Formula(String),
    Function { inputs: Vec<String>, function: Box<dyn SignalFunction> },
    Sensor(usize),
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
}

impl Signals {
    pub(crate) fn parameter(&self, name: &str) -> Option<f64> {
        self.parameters.iter().find(|entry| entry.0 == name).map(|entry| entry.1)
    }

    fn sensor(&self, name: &str) -> Option<usize> {
        self.sensors.iter().position(|entry| entry.0 == name)
    }

    pub(crate) fn state(&self, name: &str) -> Option<usize> {
        self.states.iter().position(|entry| entry.name == name)
    }

    /// A variable that is declared as one, not the carrier of a sensor.
    pub(crate) fn variable(&self, name: &str) -> Option<usize> {
        let own = |entry: &VariableEntry| {
            entry.name == name && !matches!(entry.definition, Definition::Sensor(_))
        };
        self.variables.iter().position(own)
    }

    /// All names.
    fn names(&self) -> impl Iterator<Item = &str> {
        let parameters = self.parameters.iter().map(|entry| entry.0.as_str());
        let sensors = self.sensors.iter().map(|entry| entry.0.as_str());
        let states = self.states.iter().map(|entry| entry.name.as_str());
        let variables = self.variables.iter().map(|entry| entry.name.as_str());
        parameters.chain(sensors).chain(states).chain(variables)
    }

    /// Refuses a name that is taken, or that a formula could not use.
    pub(crate) fn check_new(&self, kind: &'static str, name: &str) -> Result<(), ModelError> {
        let refuse = |what: &str| Err(ModelError::invalid(format!("{kind} `{name}`"), what));
        if name == "t" {
            return refuse("`t` is the time; choose another name");
        }
        if is_reserved(name) || function_names().any(|function| function == name) {
            return refuse("formulas use this word themselves; choose another name");
        }
        let word = names_in(name).is_ok_and(|names| names.len() == 1 && names[0].0 == name);
        if !word || name.contains('\'') {
            return refuse(
                "a name is made of letters, digits, `_` and inner dots, like `motor.speed`",
            );
        }
        if self.names().any(|known| known == name) {
            return Err(ModelError::Duplicate { kind: "signal", name: name.into() });
        }
        Ok(())
    }

    /// The variable that carries a sensor's reading, which is added if it is new.
    fn carry(&mut self, sensor: usize) -> Result<usize, String> {
        let (name, readout) = &self.sensors[sensor];
        if !matches!(readout, Readout::Sensor(_)) {
            return Err(format!(
                "`{name}` is for output only, since it depends on the whole model; use it in an \
                 output, or build the formula from sensors of single bodies"
            ));
        }
        let carries =
            |definition: &Definition| matches!(definition, Definition::Sensor(k) if *k == sensor);
        let found = self.variables.iter().position(|entry| carries(&entry.definition));
        Ok(found.unwrap_or_else(|| {
            let definition = Definition::Sensor(sensor);
            self.variables.push(VariableEntry { name: name.clone(), definition, guess: None });
            self.variables.len() - 1
        }))
    }

    /// What is wrong with a name that is not a signal.
    fn unknown(&self, name: &str, locals: &[&str]) -> String {
        if let Some(base) = name.strip_suffix('\'')
            && self.names().any(|known| known == base)
        {
            return format!(
                "`{name}`: only states have rates in formulas; read the rate of `{base}` with a \
                 sensor of its own"
            );
        }
        let names = self.names().chain(["t"]).chain(locals.iter().copied());
        match nearest(name, names) {
            Some(near) => format!("there is no signal `{name}`; did you mean `{near}`?"),
            None if function_names().any(|function| function == name) => {
                format!("`{name}` is a function: write `{name}(…)`")
            }
            None => format!(
                "there is no signal `{name}`; declare it as a parameter, sensor, variable or state"
            ),
        }
    }

    /// What a name means in a formula of the model.
    pub(crate) fn resolve(&mut self, name: &str, locals: &[&str]) -> Result<Meaning, String> {
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
    pub(crate) fn resolve_output(&mut self, name: &str) -> Result<Meaning, String> {
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
        Expression::compile(text, &mut |name| self.resolve(name, locals))
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
            Meaning::Number(_) => Err(format!(
                "`{name}` is a parameter and does not change; give its value to the function itself"
            )),
        });
        match resolved.collect::<Result<Vec<Input>, String>>() {
            Ok(resolved) => Ok(Expression::computed(inputs, resolved, function)),
            Err(what) => Err(ModelError::invalid(thing(), what)),
        }
    }
}
