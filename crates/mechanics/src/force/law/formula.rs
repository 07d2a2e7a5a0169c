//! A force given by a formula.

use super::{Law, Pull};
use crate::error::{ModelError, refusal};
use crate::force::Auxiliary;
use crate::scene::Scene;
use rotula_formula::{Decisions, Graph, Program, Tables, Timetable};
use std::sync::Arc;

/// A formula in `value`, `rate`, `t` and named states and variables of controllers, differentiated
/// exactly. It stores no energy: all it does counts as power.
#[derive(Clone, Debug)]
pub struct Formula {
    text: String,
    graph: Arc<Graph>,
    jumps: Vec<f64>,
    timetable: Option<Timetable>,
    auxiliary: Vec<Auxiliary>,
    /// The force and its derivatives by value, rate and every state or variable.
    program: Program,
    registers: Vec<f64>,
    /// Value, rate, time, states and variables, then what is decided by them.
    inputs: Vec<f64>,
    decisions: Option<Decisions>,
    outputs: Vec<f64>,
}

impl Formula {
    /// Reads a formula; `named` are the states and variables it may speak of.
    ///
    /// ```
    /// use rotula_mechanics::force::Formula;
    ///
    /// let spring = Formula::new("-200*value*abs(value) - 3*rate*exp(-t)", &[])?;
    /// # Ok::<(), rotula_mechanics::ModelError>(())
    /// ```
    pub fn new(text: &str, named: &[(&str, Auxiliary)]) -> Result<Self, ModelError> {
        Self::with_tables(text, named, &Tables::default())
    }

    /// Reads a formula that may also call tables by name.
    pub fn with_tables(
        text: &str,
        named: &[(&str, Auxiliary)],
        tables: &Tables,
    ) -> Result<Self, ModelError> {
        for (k, (name, _)) in named.iter().enumerate() {
            let own = ["value", "rate", "t"].contains(name);
            if own || named[..k].iter().any(|(other, _)| other == name) {
                return Err(ModelError::invalid(
                    format!("formula `{text}`"),
                    refusal!(
                        "the name `{name}` has two meanings";
                        "give the variable another name"
                    ),
                ));
            }
        }
        let mut graph = Graph::with_tables(tables);
        let names = ["value", "rate", "t"].into_iter().chain(named.iter().map(|(name, _)| *name));
        let symbols: Vec<_> = names.map(|name| (name, graph.symbol(name))).collect();
        let force = graph.parse(text, &mut |name| {
            symbols.iter().find(|(known, _)| *known == name).map(|(_, symbol)| *symbol)
        })?;
        let mut inputs: Vec<_> = symbols.iter().map(|(_, symbol)| *symbol).collect();
        let force = graph.with_whole_parts(force, Some(inputs[2]));
        let decisions = Decisions::find(&mut graph, &[force], Some(inputs[2]), &inputs)?;
        let mut outputs = vec![force];
        for (name, symbol) in &symbols {
            if *name != "t" {
                outputs.push(graph.derivative(force, *symbol));
            }
        }
        inputs.extend(decisions.iter().flat_map(Decisions::expressions));
        let program = Program::compile(&graph, &inputs, &outputs)?;
        Ok(Formula {
            text: text.to_owned(),
            jumps: graph.jump_times(&[force], inputs[2]),
            timetable: Timetable::new(&mut graph, &[force], inputs[2]),
            graph: Arc::new(graph),
            auxiliary: named.iter().map(|(_, auxiliary)| *auxiliary).collect(),
            registers: vec![0.0; program.registers()],
            inputs: vec![0.0; program.inputs()],
            outputs: vec![0.0; program.outputs()],
            program,
            decisions,
        })
    }

    fn evaluate(&mut self, value: f64, rate: f64, scene: Scene) {
        self.inputs[..3].copy_from_slice(&[value, rate, scene.world.t]);
        for (input, auxiliary) in self.inputs[3..].iter_mut().zip(&self.auxiliary) {
            *input = match auxiliary {
                Auxiliary::State(k) => scene.world.states[*k],
                Auxiliary::Variable(k) => scene.world.variables[*k],
            };
        }
        if let Some(decisions) = &mut self.decisions {
            let (inputs, decided) = self.inputs.split_at_mut(3 + self.auxiliary.len());
            decisions.look(inputs, decided);
        }
        self.program.evaluate(&self.inputs, &mut self.registers, &mut self.outputs);
    }
}

impl Law for Formula {
    fn pull(&mut self, value: f64, rate: f64, scene: Scene) -> Pull {
        self.evaluate(value, rate, scene);
        Pull { force: self.outputs[0], by_value: self.outputs[1], by_rate: self.outputs[2] }
    }

    fn jumps(&self) -> Vec<f64> {
        self.jumps.clone()
    }

    fn timetable(&self) -> Option<&Timetable> {
        self.timetable.as_ref()
    }

    fn decisions(&self) -> Option<&Decisions> {
        self.decisions.as_ref()
    }

    fn decisions_mut(&mut self) -> Option<&mut Decisions> {
        self.decisions.as_mut()
    }

    fn explain_not_finite(&mut self, value: f64, rate: f64, scene: Scene) -> Option<String> {
        self.evaluate(value, rate, scene);
        let found = self.program.explain_not_finite(&self.graph, &self.inputs)?;
        Some(format!("`{}`: {found}", self.text))
    }

    fn auxiliary(&self) -> &[Auxiliary] {
        &self.auxiliary
    }

    fn auxiliary_slopes(&mut self, value: f64, rate: f64, scene: Scene, out: &mut [f64]) {
        self.evaluate(value, rate, scene);
        out.copy_from_slice(&self.outputs[3..]);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, in_scene};
    use super::*;

    #[test]
    fn slopes() {
        let named = [("command", Auxiliary::Variable(1)), ("x", Auxiliary::State(0))];
        let text = "-3*value^3 - rate*exp(value) + command^2*t + x*command";
        let mut law = Formula::new(text, &named).unwrap();
        check(&mut law, &[-0.7, 0.4], &[-1.0, 0.5]);
        // by hand at value 1, rate 2, t 0.3, command −0.6, x 0.4
        let pull = in_scene(0.3, &[0.0, -0.6], |scene| law.pull(1.0, 2.0, scene));
        let exact = -3.0 - 2.0 * 1f64.exp() + 0.36 * 0.3 - 0.24;
        assert!((pull.force - exact).abs() < 1e-14);
        let mut slopes = [0.0; 2];
        in_scene(0.3, &[0.0, -0.6], |scene| law.auxiliary_slopes(1.0, 2.0, scene, &mut slopes));
        assert!((slopes[1] + 0.6).abs() < 1e-14, "by the state: {}", slopes[1]);
    }

    #[test]
    fn unknown_names_are_refused() {
        let error = Formula::new("-3*valu", &[]).unwrap_err().to_string();
        assert!(error.contains("valu"), "{error}");
        let error = Formula::new("rate", &[("rate", Auxiliary::State(0))]).unwrap_err().to_string();
        assert!(error.contains("two meanings"), "{error}");
    }
}
