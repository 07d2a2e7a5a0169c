//! Compiled programs, and derivative blocks: one program, and where its outputs go.

use crate::equations::derive::Entry;
use rotula_formula::{Expression, Graph, Program};
use rotula_linear::Pattern;
use std::ops::Range;
use std::sync::OnceLock;

/// What programs are compiled from.
pub(crate) struct Context {
    pub graph: Graph,
    pub inputs: Vec<Expression>,
}

/// A program that is compiled when it is first needed: an integrator uses few of the many combinations of terms, levels
/// and weights.
pub(crate) struct Lazy {
    outputs: Vec<Expression>,
    program: OnceLock<Program>,
}

impl Lazy {
    pub(crate) fn new(outputs: &[Expression]) -> Self {
        Lazy { outputs: outputs.to_vec(), program: OnceLock::new() }
    }

    #[inline]
    fn get(&self, context: &Context) -> &Program {
        self.program.get_or_init(|| {
            // every name a formula may use is one of the inputs, so compilation cannot fail
            Program::compile(&context.graph, &context.inputs, &self.outputs)
                .expect("formulas use declared symbols only")
        })
    }
}

/// Memory for evaluation, which grows until every program in use has run once.
#[derive(Clone, Default)]
pub(crate) struct Scratch {
    pub inputs: Vec<f64>,
    registers: Vec<f64>,
    outputs: Vec<f64>,
}

impl Scratch {
    pub(crate) fn new(inputs: usize) -> Self {
        Scratch { inputs: vec![0.0; inputs], ..Scratch::default() }
    }

    /// Evaluates a program at the loaded inputs.
    #[inline]
    pub(crate) fn run(&mut self, context: &Context, program: &Lazy, out: &mut [f64]) {
        let program = program.get(context);
        grow(&mut self.registers, program.registers());
        program.evaluate(&self.inputs, &mut self.registers, out);
    }
}

#[inline]
fn grow(memory: &mut Vec<f64>, size: usize) {
    if memory.len() < size {
        memory.resize(size, 0.0);
    }
}

/// A derivative block: values that are added, weighted, to entries of a pattern.
pub(crate) struct Block {
    program: Lazy,
    /// Entry of the value array for each output.
    positions: Vec<u32>,
    /// Outputs of each weight.
    groups: Vec<(usize, Range<usize>)>,
}

impl Block {
    pub(crate) fn new(entries: &[Entry], pattern: &Pattern) -> Self {
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
        Block { program: Lazy::new(&outputs), positions, groups }
    }

    /// Overwrites `values` with the weighted sum.
    pub(crate) fn evaluate(
        &self,
        context: &Context,
        scratch: &mut Scratch,
        weights: &[f64],
        values: &mut [f64],
    ) {
        let program = self.program.get(context);
        grow(&mut scratch.registers, program.registers());
        grow(&mut scratch.outputs, program.outputs());
        let outputs = &mut scratch.outputs[..self.positions.len()];
        program.evaluate(&scratch.inputs, &mut scratch.registers, outputs);
        values.fill(0.0);
        for (weight, range) in &self.groups {
            let weight = weights[*weight];
            // a derivative that is not asked for may be infinite
            if weight == 0.0 {
                continue;
            }
            for (&position, &value) in
                self.positions[range.clone()].iter().zip(&outputs[range.clone()])
            {
                values[position as usize] += weight * value;
            }
        }
    }
}

/// A block with the weights mass, damping, stiffness, and its parts for the common case that only one is asked for.
pub(crate) struct MotionBlock {
    whole: Block,
    parts: [Block; 3],
}

impl MotionBlock {
    pub(crate) fn new(entries: &[Entry], pattern: &Pattern) -> Self {
        let part = |weight: usize| {
            let chosen: Vec<Entry> =
                entries.iter().copied().filter(|entry| entry.weight == weight).collect();
            Block::new(&chosen, pattern)
        };
        MotionBlock { whole: Block::new(entries, pattern), parts: [part(0), part(1), part(2)] }
    }

    pub(crate) fn evaluate(
        &self,
        context: &Context,
        scratch: &mut Scratch,
        weights: [f64; 3],
        values: &mut [f64],
    ) {
        let mut asked = (0..3).filter(|&k| weights[k] != 0.0);
        match (asked.next(), asked.next()) {
            (None, _) => values.fill(0.0),
            (Some(only), None) => self.parts[only].evaluate(context, scratch, &weights, values),
            _ => self.whole.evaluate(context, scratch, &weights, values),
        }
    }
}
