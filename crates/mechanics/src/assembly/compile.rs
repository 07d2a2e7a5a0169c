//! From the signals of a model to its auxiliary equations: formulas are compiled, sensors found.

use super::control::{Content, Control, Equation, Instrument, Lead, Reader};
use super::held::{Latch, Sampler};
use crate::control::{Definition, Expression, Input, LatchEntry, Readout, SampledEntry, Signals};
use crate::error::{ModelError, refusal};
use crate::model::Model;
use crate::quantity::Things;
use nalgebra::Vector6;

impl Control {
    /// Compiles all formulas. Sensors that formulas use become variables.
    pub(super) fn compile(model: &Model) -> Result<Self, ModelError> {
        let mut signals = model.signals.clone();
        let mut equations = Vec::new();
        for k in 0..signals.states.len() {
            let entry = signals.states[k].clone();
            let thing = || format!("state `{}`", entry.name);
            let expression = signals.compile(thing, &entry.formula, &[])?;
            let lead = if entry.implicit { Lead::Residual } else { Lead::Rate };
            equations.push(Equation { lead, content: formula(expression), diagonal: 0 });
        }
        let mut samplers = Vec::new();
        for k in 0..signals.sampled.len() {
            let SampledEntry { variable, formula, sampling } = signals.sampled[k].clone();
            let thing = format!("sampled signal `{}`", signals.variables[variable].name);
            let expression = signals.compile(|| thing, &formula, &[])?;
            samplers.push(Sampler::new(variable, expression, sampling));
        }
        let mut latches = Vec::new();
        for k in 0..signals.latches.len() {
            let LatchEntry { variable, set, reset, initial } = signals.latches[k].clone();
            let thing = format!("latch `{}`", signals.variables[variable].name);
            let mut condition = |text: &str| signals.compile(|| thing.clone(), text, &[]);
            let set = condition(&set)?;
            let reset = reset.map(|reset| condition(&reset)).transpose()?;
            latches.push(Latch { variable, set, reset, initial });
        }
        // the list grows while formulas find sensors
        let mut k = 0;
        while k < signals.variables.len() {
            let entry = signals.variables[k].clone();
            let content = match entry.definition {
                Definition::Formula(text) => {
                    formula(signals.compile(|| format!("variable `{}`", entry.name), &text, &[])?)
                }
                Definition::Function { inputs, function } => {
                    let thing = || format!("variable `{}`", entry.name);
                    formula(signals.compile_function(thing, &inputs, function)?)
                }
                Definition::Input(value) => Content::Input(value),
                Definition::Held(value) => Content::Held(value),
                Definition::Sensor(instrument) => Content::Sensor {
                    instrument,
                    strips: Vec::new(),
                    multipliers: Vec::new(),
                    auxiliary: Vec::new(),
                },
            };
            equations.push(Equation { lead: Lead::Value, content, diagonal: 0 });
            k += 1;
        }
        let instruments = instruments(model, &mut signals)?;
        let nodes = |instrument: &Instrument| match instrument {
            Instrument::Sensor(reader) => reader.nodes.len(),
            _ => 0,
        };
        let most = instruments.iter().map(nodes).max().unwrap_or(0);
        Ok(Control {
            initial: signals.states.iter().map(|entry| entry.initial).collect(),
            guesses: signals.variables.iter().map(|entry| entry.guess).collect(),
            states: signals.states.into_iter().map(|entry| entry.name).collect(),
            variables: signals.variables.into_iter().map(|entry| entry.name).collect(),
            equations,
            samplers,
            latches,
            instruments,
            commands: Vec::new(),
            rows: [(); 3].map(|()| vec![Vector6::zeros(); most]),
            multipliers: Vec::new(),
            auxiliary: Vec::new(),
            wrenches: Vec::new(),
        })
    }
}

fn formula(expression: Expression) -> Content {
    Content::Formula { expression: Box::new(expression), places: Vec::new() }
}

/// Everything that can be read; outputs may use what was declared before them.
fn instruments(model: &Model, signals: &mut Signals) -> Result<Vec<Instrument>, ModelError> {
    let list = signals.sensors.clone();
    let things = Things::of(model);
    let mut instruments = Vec::new();
    for (k, (name, readout)) in list.into_iter().enumerate() {
        instruments.push(match readout {
            Readout::Sensor(sensor) => Instrument::Sensor(Reader::new(sensor)),
            Readout::Quantity { acting, thing, quantity } => {
                let thing = things.find(acting, &thing)?;
                let place = things.quantity(thing, quantity)?;
                // only what formulas use needs derivatives
                match signals.carries(k) {
                    true => Instrument::Sensor(Reader::new(things.sensor(thing, place)?)),
                    false => Instrument::Quantity(thing, place),
                }
            }
            Readout::Action { acting, thing, on, direction } => {
                let found = things.find(acting, &thing)?;
                let sensor = things.action((found, &thing), on, direction)?;
                Instrument::Sensor(Reader::new(sensor))
            }
            Readout::Energy(energy) => Instrument::Energy(energy),
            Readout::Formula(text) => {
                let invalid = |what| ModelError::invalid(format!("output `{name}`"), what);
                let tables = signals.tables.clone();
                let expression =
                    Expression::compile(&text, &tables, &mut |n| signals.resolve_output(n))
                        .map_err(invalid)?;
                let later = |input: &Input| matches!(input, Input::Sensor(j) if *j >= k);
                if expression.inputs().iter().any(later) {
                    let what = refusal!(
                        "`{text}` uses a sensor or output that is declared after it";
                        "declare the output last"
                    );
                    return Err(invalid(what));
                }
                Instrument::Formula(Box::new(expression))
            }
        });
    }
    Ok(instruments)
}
