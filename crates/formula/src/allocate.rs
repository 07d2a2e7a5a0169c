//! Operations to instructions: sine and cosine pair up, registers are given and reused.

use crate::hash::FastMap;
use crate::instruction::{Code, Instruction, Lowered};
use crate::lower::Value;

const NONE: u32 = u32::MAX;
const FOREVER: usize = usize::MAX;

/// Gives registers to the operations in `order`: first come the inputs, then the constants, then temporaries, which are
/// reused after their last use.
pub(crate) fn allocate(values: &[Value], inputs: usize, order: &[u32], outputs: &[u32]) -> Lowered {
    let last_use = last_uses(values, order, outputs);
    let pairs = sine_cosine_pairs(values, order);
    let (mut register, constants) = fixed_registers(values, inputs, &last_use);
    let first = (inputs + constants.len()) as u32;
    let mut pool = Pool { next: first, free: Vec::new() };
    let mut runs: Vec<(Code, u32)> = Vec::new();
    let mut instructions = Vec::with_capacity(order.len());
    for (position, &value) in order.iter().enumerate() {
        let Value::Operation(code, operands) = values[value as usize] else {
            continue;
        };
        let reads = &operands[..code.operands()];
        let read = |k: usize| register[reads[k.min(reads.len() - 1)] as usize];
        let (a, b, c) = (read(0), read(1), read(2));
        for (k, &operand) in reads.iter().enumerate() {
            let own = register[operand as usize];
            if last_use[operand as usize] == Some(position)
                && own >= first
                && !reads[..k].contains(&operand)
            {
                pool.free.push(own);
            }
        }
        // a sine or cosine may have come along with its partner
        if register[value as usize] != NONE {
            continue;
        }
        let pair = pairs.get(&operands[0]).filter(|_| matches!(code, Code::Sin | Code::Cos));
        let performed = if pair.is_some() { Code::SinCos } else { code };
        match runs.last_mut() {
            Some((same, count)) if *same == performed => *count += 1,
            _ => runs.push((performed, 1)),
        }
        instructions.push(match (code, pair) {
            (_, Some(&(sine, cosine))) => {
                let (to, b) = (pool.take(), pool.take());
                register[sine as usize] = to;
                register[cosine as usize] = b;
                Instruction { to, a, b, c }
            }
            _ => {
                let to = pool.take();
                register[value as usize] = to;
                // the last operand of a table is its number
                let (b, c) = match code {
                    Code::Table(_) => (operands[1], c),
                    Code::Grid(_) => (b, operands[2]),
                    _ => (b, c),
                };
                Instruction { to, a, b, c }
            }
        });
    }
    Lowered {
        runs,
        instructions,
        constants,
        outputs: outputs.iter().map(|&output| register[output as usize]).collect(),
        registers: pool.next as usize,
    }
}

struct Pool {
    next: u32,
    free: Vec<u32>,
}

impl Pool {
    fn take(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.next += 1;
            self.next - 1
        })
    }
}

/// The position at which each value is read last; none for values that nothing needs.
fn last_uses(values: &[Value], order: &[u32], outputs: &[u32]) -> Vec<Option<usize>> {
    let mut last = vec![None; values.len()];
    for (position, &value) in order.iter().enumerate() {
        if let Value::Operation(code, operands) = values[value as usize] {
            for &operand in &operands[..code.operands()] {
                last[operand as usize] = Some(position);
            }
        }
    }
    for &output in outputs {
        last[output as usize] = Some(FOREVER);
    }
    last
}

/// Argument → (sine, cosine) where both are needed.
fn sine_cosine_pairs(values: &[Value], order: &[u32]) -> FastMap<u32, (u32, u32)> {
    let mut pairs: FastMap<u32, (u32, u32)> = FastMap::default();
    for &value in order {
        match values[value as usize] {
            Value::Operation(Code::Sin, [a, ..]) => {
                pairs.entry(a).or_insert((NONE, NONE)).0 = value
            }
            Value::Operation(Code::Cos, [a, ..]) => {
                pairs.entry(a).or_insert((NONE, NONE)).1 = value
            }
            _ => {}
        }
    }
    pairs.retain(|_, pair| pair.0 != NONE && pair.1 != NONE);
    pairs
}

/// The registers of inputs and constants, the rest still without; and the constants.
fn fixed_registers(
    values: &[Value],
    inputs: usize,
    last_use: &[Option<usize>],
) -> (Vec<u32>, Vec<f64>) {
    let mut register = vec![NONE; values.len()];
    let mut constants = Vec::new();
    for (k, value) in values.iter().enumerate() {
        match *value {
            Value::Input(index) => register[k] = index,
            Value::Constant(bits) if last_use[k].is_some() => {
                register[k] = (inputs + constants.len()) as u32;
                constants.push(f64::from_bits(bits));
            }
            _ => {}
        }
    }
    (register, constants)
}
