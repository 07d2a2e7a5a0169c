//! The instructions of a program.

use crate::operation::{Binary, Unary};

/// What an instruction does with its operands a, b, c. The frequent ones have codes of their own.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Code {
    Add,
    Subtract,
    Multiply,
    Divide,
    Negate,
    /// a·b + c
    MultiplyAdd,
    /// a·b − c
    MultiplySubtract,
    /// c − a·b
    SubtractMultiple,
    /// (a·b)·c
    MultiplyTwice,
    /// (a + b) + c
    AddTwice,
    Sqrt,
    Abs,
    Sin,
    Cos,
    /// sin a, and cos a into the register that b names
    SinCos,
    /// a ? b : c
    Select,
    Unary(Unary),
    Binary(Binary),
    /// The derivative of this order of the table that b numbers, at a.
    Table(u8),
    /// The same with two arguments, of the table that c numbers, at a and b.
    Grid([u8; 2]),
}

impl Code {
    /// How many of a, b, c are registers that are read.
    pub(crate) fn operands(self) -> usize {
        use Code::*;
        match self {
            Add | Subtract | Multiply | Divide | Binary(_) | Grid(_) => 2,
            MultiplyAdd | MultiplySubtract | SubtractMultiple | MultiplyTwice | AddTwice
            | Select => 3,
            Negate | Sqrt | Abs | Sin | Cos | SinCos | Unary(_) | Table(_) => 1,
        }
    }
}

/// Where an instruction reads and writes: registers[to] = code(registers[a], registers[b], registers[c])
#[derive(Copy, Clone, Debug)]
pub(crate) struct Instruction {
    pub to: u32,
    pub a: u32,
    pub b: u32,
    pub c: u32,
}

/// Instructions over a register file that begins with the inputs and the constants.
pub(crate) struct Lowered {
    /// Codes with the numbers of instructions in a row that have them.
    pub runs: Vec<(Code, u32)>,
    pub instructions: Vec<Instruction>,
    pub constants: Vec<f64>,
    pub outputs: Vec<u32>,
    pub registers: usize,
}
