//! How signals are declared in a model.

use super::expression::Expression;
use super::function::SignalFunction;
use super::signals::{Definition, Readout, SensorId, StateEntry, StateId, VariableId};
use crate::error::{ModelError, refusal};
use crate::force::{Amplitude, Auxiliary};
use crate::function::TimeFunction;
use crate::model::Model;
use crate::quantity::{Acting, Part, Quantity, Side};
use crate::sensor::{Direction, EnergySensor, Sensor};
use rotula_formula::Tables;

impl Model {
    /// A number that formulas can use by name.
    pub fn parameter(&mut self, name: &str, value: f64) -> Result<(), ModelError> {
        self.signals.check_new("parameter", name)?;
        finite("parameter", name, "the value", value)?;
        self.signals.add_parameter(name, value);
        Ok(())
    }

    /// Makes tables known, for formulas that follow.
    pub fn add_tables(&mut self, tables: &Tables) {
        self.signals.tables = tables.clone();
    }

    /// Adds a sensor. It can be read from any state of the assembled model, and stand in formulas.
    pub fn sensor(
        &mut self,
        name: &str,
        sensor: impl Sensor + 'static,
    ) -> Result<SensorId, ModelError> {
        let (bodies, constraints) = (self.bodies().len(), self.constraints().len());
        let own = sensor.nodes().iter().all(|node| *node < bodies)
            && sensor.constraints().iter().all(|k| *k < constraints);
        if !own {
            return Err(ModelError::invalid(
                format!("sensor `{name}`"),
                refusal!(
                    "it reads a body or constraint that this model does not have";
                    "make its markers and joints with the same model"
                ),
            ));
        }
        self.readout(name, Readout::Sensor(Box::new(sensor)))
    }

    /// Adds an energy of the whole model, for output only.
    pub fn energy_sensor(
        &mut self,
        name: &str,
        energy: EnergySensor,
    ) -> Result<SensorId, ModelError> {
        self.readout(name, Readout::Energy(energy))
    }

    /// A formula of signals for output only: it may use energies and other outputs declared before
    /// it, and adds no unknown to the system.
    pub fn output(&mut self, name: &str, formula: &str) -> Result<SensorId, ModelError> {
        self.readout(name, Readout::Formula(formula.into()))
    }

    fn readout(&mut self, name: &str, readout: Readout) -> Result<SensorId, ModelError> {
        self.signals.check_new("sensor", name)?;
        Ok(SensorId(self.signals.add_sensor(name, readout)))
    }

    /// A variable that equals a formula at all times.
    pub fn variable(&mut self, name: &str, formula: &str) -> Result<VariableId, ModelError> {
        self.signals.check_new("variable", name)?;
        Ok(VariableId(self.signals.add_variable(name, Definition::Formula(formula.into()))))
    }

    /// A variable that a function computes from the time `t` and signals, given by name.
    pub fn computed_variable(
        &mut self,
        name: &str,
        inputs: &[String],
        function: impl SignalFunction + 'static,
    ) -> Result<VariableId, ModelError> {
        self.signals.check_new("variable", name)?;
        let definition =
            Definition::Function { inputs: inputs.to_vec(), function: Box::new(function) };
        Ok(VariableId(self.signals.add_variable(name, definition)))
    }

    /// A variable that is set from outside while a run goes on, such as the command of a controller of another
    /// program; it has this value until then.
    pub fn input(&mut self, name: &str, value: f64) -> Result<VariableId, ModelError> {
        self.signals.check_new("input", name)?;
        finite("input", name, "its value", value)?;
        Ok(VariableId(self.signals.add_variable(name, Definition::Input(value))))
    }

    /// A first guess for a variable in an algebraic loop, where the iteration at the start begins.
    pub fn guess(&mut self, variable: VariableId, value: f64) -> Result<(), ModelError> {
        let entry = &mut self.signals.variables[variable.0];
        finite("variable", &entry.name, "the guess", value)?;
        entry.guess = Some(value);
        Ok(())
    }

    /// A first-order state whose rate is a formula.
    pub fn state(&mut self, name: &str, initial: f64, rate: &str) -> Result<StateId, ModelError> {
        self.add_state(name, initial, rate, false)
    }

    /// A first-order state given by a residual in `name` and `name'`, which is held at zero.
    pub fn implicit_state(
        &mut self,
        name: &str,
        initial: f64,
        residual: &str,
    ) -> Result<StateId, ModelError> {
        let rate = format!("{name}'");
        let names = rotula_formula::names_in(residual).unwrap_or_default();
        if !names.iter().any(|(used, _)| *used == rate) {
            return Err(ModelError::invalid(
                format!("state `{name}`"),
                refusal!(
                    "its residual `{residual}` must contain the rate `{rate}`";
                    "without a rate it is a variable"
                ),
            ));
        }
        self.add_state(name, initial, residual, true)
    }

    fn add_state(
        &mut self,
        name: &str,
        initial: f64,
        formula: &str,
        implicit: bool,
    ) -> Result<StateId, ModelError> {
        self.signals.check_new("state", name)?;
        finite("state", name, "the initial value", initial)?;
        let (name, formula) = (name.into(), formula.into());
        Ok(StateId(self.signals.add_state(StateEntry { name, initial, formula, implicit })))
    }

    /// The unknown that carries a state, a variable or the reading of a sensor, for forces.
    pub fn signal(&mut self, name: &str) -> Result<Auxiliary, ModelError> {
        use super::expression::{Input, Meaning};
        let invalid = |what| ModelError::invalid(format!("signal `{name}`"), what);
        match self.signals.resolve(name, &[]).map_err(invalid)? {
            Meaning::Input(Input::State(k)) => Ok(Auxiliary::State(k)),
            Meaning::Input(Input::Variable(k)) => Ok(Auxiliary::Variable(k)),
            _ => Err(invalid(refusal!(
                "it is not a state, variable or sensor";
                "declare a variable that equals it"
            ))),
        }
    }

    /// A formula of time, signals declared so far and values of an element (`locals`), for forces and
    /// laws. `thing` is what messages call it.
    pub fn expression(
        &mut self,
        thing: &str,
        formula: &str,
        locals: &[&str],
    ) -> Result<Expression, ModelError> {
        self.signals.compile(|| thing.into(), formula, locals)
    }

    /// How large a load is, as a formula: a number and a function of time stay what they are; a
    /// formula of other signals becomes the variable `name`.
    pub fn amplitude(&mut self, name: &str, formula: &str) -> Result<Amplitude, ModelError> {
        let mut of_time = formula.to_string();
        for (used, span) in rotula_formula::names_in(formula)?.into_iter().rev() {
            if let Some(value) = self.signals.parameter(&used) {
                of_time.replace_range(span, &format!("({value:?})"));
            } else if used != "t" {
                return Ok(self.variable(name, formula)?.into());
            }
        }
        Ok(match TimeFunction::formula_with(&of_time, &self.signals.tables)? {
            TimeFunction::Constant(value) => Amplitude::Constant(value),
            function => Amplitude::Function(self.function(function).0),
        })
    }

    /// A sensor, energy or output by name.
    pub fn find_sensor(&self, name: &str) -> Option<SensorId> {
        self.signals.sensor(name).map(SensorId)
    }

    /// A state by name.
    pub fn find_state(&self, name: &str) -> Option<StateId> {
        self.signals.state(name).map(StateId)
    }

    /// A variable by name.
    pub fn find_variable(&self, name: &str) -> Option<VariableId> {
        self.signals.variable(name).map(VariableId)
    }

    /// Names of all sensors, energies and outputs, without the quantities that things offer by
    /// themselves.
    pub fn sensor_names(&self) -> impl Iterator<Item = &str> {
        let declared = |entry: &&(String, Readout)| !matches!(entry.1, Readout::Quantity { .. });
        self.signals.sensors.iter().filter(declared).map(|entry| entry.0.as_str())
    }

    /// Makes a quantity known that a thing offers, unless it is known already. A thing whose name
    /// formulas could not use offers nothing.
    pub(crate) fn offer(&mut self, acting: Acting, thing: &str, quantity: &Quantity) {
        let name = format!("{thing}.{}", quantity.name);
        if self.signals.sensor(&name).is_none() && self.signals.check_new("signal", &name).is_ok() {
            let (thing, quantity) = (thing.into(), quantity.name);
            self.signals.add_sensor(&name, Readout::Quantity { acting, thing, quantity });
        }
    }

    /// Adds a sensor of what a thing does to one of its bodies, along a direction: the force, or the
    /// moment about its marker there. The thing may be added later.
    pub fn action_sensor(
        &mut self,
        name: &str,
        (acting, thing): (Acting, &str),
        on: (Side, Part),
        direction: Direction,
    ) -> Result<SensorId, ModelError> {
        let thing = thing.into();
        self.readout(name, Readout::Action { acting, thing, on, direction })
    }
}

/// Refuses a number that is not finite.
pub(super) fn finite(kind: &str, name: &str, what: &str, value: f64) -> Result<(), ModelError> {
    if value.is_finite() {
        return Ok(());
    }
    let what = format!("{what} must be a finite number, not {value}");
    Err(ModelError::invalid(format!("{kind} `{name}`"), what))
}
