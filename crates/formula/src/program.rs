//! Flat programs: many expressions of the same inputs, evaluated together.

use crate::error::FormulaError;
use crate::graph::{Expression, Graph};
use crate::instruction::{Code, Instruction};
use crate::lower::lower;
use crate::operation::select;
use crate::table::Tabulated;
use std::sync::Arc;

/// A compiled list of expressions. Common subexpressions are computed once; both branches of an `if` are computed and one is
/// chosen. Immutable, so threads can share it with a register file each.
#[derive(Clone, Debug)]
pub struct Program {
    pub(crate) inputs: Vec<Expression>,
    pub(crate) outputs: Vec<Expression>,
    /// Codes with the numbers of instructions in a row that have them: one decision serves a whole run.
    runs: Vec<(Code, u32)>,
    instructions: Vec<Instruction>,
    constants: Vec<f64>,
    tables: Vec<Arc<Tabulated>>,
    output_registers: Vec<u32>,
    registers: usize,
}

impl Program {
    /// Compiles `outputs` as functions of `inputs` (symbols, or any expressions to be taken as given).
    ///
    /// # Errors
    /// [`FormulaError::MissingInput`] if an output depends on a symbol that is not an input.
    pub fn compile(
        graph: &Graph,
        inputs: &[Expression],
        outputs: &[Expression],
    ) -> Result<Self, FormulaError> {
        let lowered = lower(graph, inputs, outputs)?;
        let tabulated = |code: Code| matches!(code, Code::Table(_) | Code::Grid(_));
        let tables = if lowered.runs.iter().any(|run| tabulated(run.0)) {
            graph.tables.iter().map(|(_, table)| table.clone()).collect()
        } else {
            Vec::new()
        };
        let program = Self {
            inputs: inputs.to_vec(),
            outputs: outputs.to_vec(),
            runs: lowered.runs,
            instructions: lowered.instructions,
            constants: lowered.constants,
            tables,
            output_registers: lowered.outputs,
            registers: lowered.registers,
        };
        program.check();
        Ok(program)
    }

    /// Establishes what `evaluate` relies on: every index lies within the register file or the tables.
    fn check(&self) {
        let within = |register: u32| (register as usize) < self.registers;
        let codes = self.runs.iter().flat_map(|&(code, count)| (0..count).map(move |_| code));
        assert!(codes.clone().count() == self.instructions.len());
        for (i, code) in self.instructions.iter().zip(codes) {
            let table = |number: u32| (number as usize) < self.tables.len();
            let (b, c) = match code {
                Code::Table(_) => (table(i.b), within(i.c)),
                Code::Grid(_) => (within(i.b), table(i.c)),
                _ => (within(i.b), within(i.c)),
            };
            assert!(within(i.to) && within(i.a) && b && c, "bad instruction {code:?} {i:?}");
        }
        assert!(self.output_registers.iter().all(|&register| within(register)));
    }

    /// The number of inputs.
    pub fn inputs(&self) -> usize {
        self.inputs.len()
    }

    /// The number of outputs.
    pub fn outputs(&self) -> usize {
        self.outputs.len()
    }

    /// The number of registers that [`evaluate`](Self::evaluate) needs.
    pub fn registers(&self) -> usize {
        self.registers
    }

    /// The number of instructions, a measure of the cost of one evaluation.
    pub fn instructions(&self) -> usize {
        self.instructions.len()
    }

    /// Computes the outputs. Nothing is allocated; undefined and infinite values propagate. The registers are scratch: their
    /// content before the call does not matter.
    ///
    /// # Panics
    /// If a slice has the wrong length: `inputs` and `outputs` as compiled, `registers` at least
    /// [`registers()`](Self::registers).
    #[inline]
    pub fn evaluate(&self, inputs: &[f64], registers: &mut [f64], outputs: &mut [f64]) {
        let given = self.inputs.len();
        assert!(inputs.len() == given, "{} inputs for {given}", inputs.len());
        assert!(outputs.len() == self.outputs.len(), "wrong number of outputs");
        assert!(registers.len() >= self.registers, "too few registers");
        registers[..given].copy_from_slice(inputs);
        registers[given..given + self.constants.len()].copy_from_slice(&self.constants);
        self.run(registers);
        for (output, &register) in outputs.iter_mut().zip(&self.output_registers) {
            *output = registers[register as usize];
        }
    }

    fn run(&self, registers: &mut [f64]) {
        assert!(registers.len() >= self.registers);
        let file = registers.as_mut_ptr();
        let mut rest = &self.instructions[..];
        for &(code, count) in &self.runs {
            let (run, later) = rest.split_at(count as usize);
            rest = later;
            // SAFETY: `check` has shown every register index of every instruction to be below `self.registers`, and the
            // file is at least that long.
            #[allow(unsafe_code)]
            let read = |register: u32| unsafe { *file.add(register as usize) };
            #[allow(unsafe_code)]
            let write = |register: u32, value: f64| unsafe { *file.add(register as usize) = value };
            macro_rules! each {
                ($i:ident => $result:expr) => {
                    for $i in run {
                        write($i.to, $result);
                    }
                };
            }
            match code {
                Code::Add => each!(i => read(i.a) + read(i.b)),
                Code::Subtract => each!(i => read(i.a) - read(i.b)),
                Code::Multiply => each!(i => read(i.a) * read(i.b)),
                Code::Divide => each!(i => read(i.a) / read(i.b)),
                Code::Negate => each!(i => -read(i.a)),
                Code::MultiplyAdd => each!(i => read(i.a) * read(i.b) + read(i.c)),
                Code::MultiplySubtract => each!(i => read(i.a) * read(i.b) - read(i.c)),
                Code::SubtractMultiple => each!(i => read(i.c) - read(i.a) * read(i.b)),
                Code::MultiplyTwice => each!(i => read(i.a) * read(i.b) * read(i.c)),
                Code::AddTwice => each!(i => read(i.a) + read(i.b) + read(i.c)),
                Code::Sqrt => each!(i => read(i.a).sqrt()),
                Code::Abs => each!(i => read(i.a).abs()),
                Code::Sin => each!(i => read(i.a).sin()),
                Code::Cos => each!(i => read(i.a).cos()),
                Code::SinCos => each!(i => {
                    let (sine, cosine) = read(i.a).sin_cos();
                    write(i.b, cosine);
                    sine
                }),
                Code::Select => each!(i => select(read(i.a), read(i.b), read(i.c))),
                Code::Unary(operation) => each!(i => operation.apply(read(i.a))),
                Code::Binary(operation) => each!(i => operation.apply(read(i.a), read(i.b))),
                Code::Table(order) => {
                    each!(i => self.tables[i.b as usize].derivative(read(i.a), order))
                }
                Code::Grid(orders) => {
                    each!(i => self.tables[i.c as usize].partial([read(i.a), read(i.b)], orders))
                }
            }
        }
    }
}
