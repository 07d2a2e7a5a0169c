//! Compiled derivative blocks: one program, and where its outputs go.

use crate::derive::Entry;
use rotula_formula::{Expression, Graph, Program};
use rotula_linear::Pattern;
use std::ops::Range;

/// Memory for evaluation, so that no method allocates.
#[derive(Clone, Default)]
pub(crate) struct Scratch {
    pub inputs: Vec<f64>,
    registers: Vec<f64>,
    outputs: Vec<f64>,
}

impl Scratch {
    pub(crate) fn new(inputs: usize) -> Self {
        Scratch {
            inputs: vec![0.0; inputs],
            ..Scratch::default()
        }
    }

    /// Makes room for a program.
    pub(crate) fn fit(&mut self, program: &Program) {
        let registers = self.registers.len().max(program.registers());
        self.registers.resize(registers, 0.0);
        let outputs = self.outputs.len().max(program.outputs());
        self.outputs.resize(outputs, 0.0);
    }

    /// Evaluates a program at the loaded inputs.
    #[inline]
    pub(crate) fn run(&mut self, program: &Program, out: &mut [f64]) {
        program.evaluate(&self.inputs, &mut self.registers, out);
    }
}

/// Compiles expressions of the inputs.
pub(crate) fn program(graph: &Graph, inputs: &[Expression], outputs: &[Expression]) -> Program {
    // every name a formula may use is one of the inputs, so compilation cannot fail
    Program::compile(graph, inputs, outputs).expect("formulas use declared symbols only")
}

/// A derivative block: values that are added, weighted, to entries of a pattern.
#[derive(Clone)]
pub(crate) struct Block {
    program: Program,
    /// Entry of the value array for each output.
    positions: Vec<u32>,
    /// Outputs of each weight.
    groups: Vec<(usize, Range<usize>)>,
}

impl Block {
    pub(crate) fn new(
        graph: &Graph,
        inputs: &[Expression],
        entries: &[Entry],
        pattern: &Pattern,
    ) -> Self {
        let mut sorted = entries.to_vec();
        sorted.sort_by_key(|entry| (entry.weight, entry.column, entry.row));
        let position = |entry: &Entry| pattern.position(entry.row, entry.column);
        let positions = sorted
            .iter()
            .map(|entry| position(entry).expect("the pattern holds all entries") as u32)
            .collect();
        let mut groups: Vec<(usize, Range<usize>)> = Vec::new();
        for (index, entry) in sorted.iter().enumerate() {
            match groups.last_mut() {
                Some((weight, range)) if *weight == entry.weight => range.end = index + 1,
                _ => groups.push((entry.weight, index..index + 1)),
            }
        }
        let outputs: Vec<Expression> = sorted.iter().map(|entry| entry.value).collect();
        Block {
            program: program(graph, inputs, &outputs),
            positions,
            groups,
        }
    }

    pub(crate) fn program(&self) -> &Program {
        &self.program
    }

    /// Overwrites `values` with the weighted sum.
    pub(crate) fn evaluate(&self, scratch: &mut Scratch, weights: &[f64], values: &mut [f64]) {
        let outputs = &mut scratch.outputs[..self.positions.len()];
        self.program
            .evaluate(&scratch.inputs, &mut scratch.registers, outputs);
        values.fill(0.0);
        for (weight, range) in &self.groups {
            let weight = weights[*weight];
            // a derivative that is not asked for may be infinite
            if weight == 0.0 {
                continue;
            }
            for (&position, &value) in self.positions[range.clone()]
                .iter()
                .zip(&outputs[range.clone()])
            {
                values[position as usize] += weight * value;
            }
        }
    }
}

/// A block with the weights mass, damping, stiffness, and its parts for the common case that only one is asked for.
#[derive(Clone)]
pub(crate) struct MotionBlock {
    whole: Block,
    parts: [Block; 3],
}

impl MotionBlock {
    pub(crate) fn new(
        graph: &Graph,
        inputs: &[Expression],
        entries: &[Entry],
        pattern: &Pattern,
    ) -> Self {
        let part = |weight: usize| {
            let chosen: Vec<Entry> = entries
                .iter()
                .copied()
                .filter(|entry| entry.weight == weight)
                .collect();
            Block::new(graph, inputs, &chosen, pattern)
        };
        MotionBlock {
            whole: Block::new(graph, inputs, entries, pattern),
            parts: [part(0), part(1), part(2)],
        }
    }

    pub(crate) fn programs(&self) -> impl Iterator<Item = &Program> {
        self.parts
            .iter()
            .chain([&self.whole])
            .map(|block| &block.program)
    }

    pub(crate) fn evaluate(&self, scratch: &mut Scratch, weights: [f64; 3], values: &mut [f64]) {
        let mut asked = (0..3).filter(|&k| weights[k] != 0.0);
        match (asked.next(), asked.next()) {
            (None, _) => values.fill(0.0),
            (Some(only), None) => self.parts[only].evaluate(scratch, &weights, values),
            _ => self.whole.evaluate(scratch, &weights, values),
        }
    }
}
