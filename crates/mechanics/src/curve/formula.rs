//! Curves given by formulas.

use crate::error::{ModelError, refusal};
use nalgebra::Vector3;
use rotula_formula::{Graph, Program};

/// Registers are kept on the stack; longer formulas are refused.
const MOST_REGISTERS: usize = 256;

/// Three formulas of the parameter `s` with their first four derivatives.
#[derive(Clone, Debug)]
pub(super) struct Formulas {
    program: Program,
}

impl Formulas {
    pub(super) fn new(texts: [&str; 3]) -> Result<Self, ModelError> {
        let mut graph = Graph::new();
        let s = graph.symbol("s");
        let mut outputs = Vec::with_capacity(15);
        for text in texts {
            outputs.push(graph.parse(text, &mut |name| (name == "s").then_some(s))?);
        }
        for k in 0..12 {
            outputs.push(graph.derivative(outputs[k], s));
        }
        let program = Program::compile(&graph, &[s], &outputs)?;
        if program.registers() > MOST_REGISTERS {
            return Err(ModelError::invalid(
                format!("curve `{}`", texts.join(", ")),
                refusal!("its formulas are too long"; "give a spline through points of it"),
            ));
        }
        Ok(Formulas { program })
    }

    /// The point and its first four derivatives.
    pub(super) fn derivatives(&self, s: f64) -> [Vector3<f64>; 5] {
        let (mut registers, mut out) = ([0.0; MOST_REGISTERS], [0.0; 15]);
        self.program.evaluate(&[s], &mut registers[..self.program.registers()], &mut out);
        std::array::from_fn(|k| Vector3::from_column_slice(&out[3 * k..3 * k + 3]))
    }
}
