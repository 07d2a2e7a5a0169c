//! Expressions to operations in evaluation order: powers become products, products and sums join.

use crate::allocate::allocate;
use crate::error::FormulaError;
use crate::graph::{Expression, Graph, Node};
use crate::hash::FastMap;
use crate::instruction::{Code, Lowered};
use crate::operation::{Binary, FixedExponent, Unary};
use crate::schedule::group;

#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Value {
    Input(u32),
    Constant(u64),
    /// Operands are earlier values; unused ones repeat the first.
    Operation(Code, [u32; 3]),
}

pub(crate) fn lower(
    graph: &Graph,
    inputs: &[Expression],
    outputs: &[Expression],
) -> Result<Lowered, FormulaError> {
    let mut build = Build::default();
    let mut value_of: FastMap<Expression, u32> = FastMap::default();
    for (index, &input) in inputs.iter().enumerate() {
        let value = build.value(Value::Input(index as u32));
        value_of.insert(input, value);
    }
    for e in graph.reachable(outputs, |e| value_of.contains_key(&e)) {
        let value = build.expression(graph, e, &value_of)?;
        value_of.insert(e, value);
    }
    let outputs: Vec<u32> = outputs.iter().map(|e| value_of[e]).collect();
    build.join(&outputs);
    let order = group(&build.values, &build.order(&outputs));
    Ok(allocate(&build.values, inputs.len(), &order, &outputs))
}

#[derive(Default)]
struct Build {
    values: Vec<Value>,
    known: FastMap<Value, u32>,
}

impl Build {
    fn value(&mut self, value: Value) -> u32 {
        let next = self.values.len() as u32;
        *self.known.entry(value).or_insert_with(|| {
            self.values.push(value);
            next
        })
    }

    fn operation(&mut self, code: Code, operands: &[u32]) -> u32 {
        let mut all = [operands[0]; 3];
        all[..operands.len()].copy_from_slice(operands);
        self.value(Value::Operation(code, all))
    }

    fn constant(&mut self, value: f64) -> u32 {
        self.value(Value::Constant(value.to_bits()))
    }

    fn expression(
        &mut self,
        graph: &Graph,
        e: Expression,
        value_of: &FastMap<Expression, u32>,
    ) -> Result<u32, FormulaError> {
        let get = |operand: Expression| value_of[&operand];
        Ok(match graph.node(e) {
            Node::Constant(bits) => self.value(Value::Constant(bits)),
            Node::Symbol(_) => {
                let name = graph.name(e).unwrap_or_default().to_owned();
                return Err(FormulaError::MissingInput { name });
            }
            Node::Unary(operation, a) => {
                let code = match operation {
                    Unary::Negate => Code::Negate,
                    Unary::Sqrt => Code::Sqrt,
                    Unary::Abs => Code::Abs,
                    Unary::Sin => Code::Sin,
                    Unary::Cos => Code::Cos,
                    other => Code::Unary(other),
                };
                self.operation(code, &[get(a)])
            }
            Node::Binary(operation, a, b) => {
                if let Some(exponent) = graph.fixed_exponent(operation, b) {
                    return Ok(self.fixed_power(get(a), exponent));
                }
                if let Some(inverse) = exact_inverse(graph, operation, b) {
                    let inverse = self.constant(inverse);
                    return Ok(self.operation(Code::Multiply, &[inverse, get(a)]));
                }
                let code = match operation {
                    Binary::Add => Code::Add,
                    Binary::Subtract => Code::Subtract,
                    Binary::Multiply => Code::Multiply,
                    Binary::Divide => Code::Divide,
                    other => Code::Binary(other),
                };
                self.operation(code, &[get(a), get(b)])
            }
            Node::Select(c, a, b) => self.operation(Code::Select, &[get(c), get(a), get(b)]),
            Node::Table(a, table, order) => self.operation(Code::Table(order), &[get(a), table]),
            Node::Grid(a, b, table, orders) => {
                self.operation(Code::Grid(orders), &[get(a), get(b), table])
            }
        })
    }

    fn fixed_power(&mut self, x: u32, exponent: FixedExponent) -> u32 {
        let mut power = if exponent.whole > 0 { self.whole_power(x, exponent.whole) } else { x };
        if exponent.half {
            let root = self.operation(Code::Sqrt, &[x]);
            power = if exponent.whole > 0 {
                self.operation(Code::Multiply, &[power, root])
            } else {
                root
            };
        }
        if exponent.reciprocal {
            let one = self.constant(1.0);
            power = self.operation(Code::Divide, &[one, power]);
        }
        power
    }

    fn whole_power(&mut self, x: u32, n: u32) -> u32 {
        if n <= 1 {
            return x;
        }
        let root = self.whole_power(x, n / 2);
        let square = self.operation(Code::Multiply, &[root, root]);
        if n % 2 == 1 { self.operation(Code::Multiply, &[square, x]) } else { square }
    }

    /// Joins a product or sum that is used once with the operation that uses it; rounding stays the same.
    fn join(&mut self, outputs: &[u32]) {
        let mut uses = vec![0u32; self.values.len()];
        for &output in outputs {
            uses[output as usize] += 1;
        }
        for &value in &self.values {
            if let Value::Operation(code, operands) = value {
                for &operand in &operands[..code.operands()] {
                    uses[operand as usize] += 1;
                }
            }
        }
        for k in 0..self.values.len() {
            let Value::Operation(code, [a, b, _]) = self.values[k] else {
                continue;
            };
            let part = |operand: u32, wanted: Code| match self.values[operand as usize] {
                Value::Operation(found, [x, y, _])
                    if found == wanted && uses[operand as usize] == 1 =>
                {
                    Some((x, y))
                }
                _ => None,
            };
            let product = |operand: u32| part(operand, Code::Multiply);
            let sum = |operand: u32| part(operand, Code::Add);
            // the joined code, its first two operands, and the third
            let joined = match code {
                Code::Add => None
                    .or(product(a).map(|pair| (Code::MultiplyAdd, pair, b)))
                    .or(product(b).map(|pair| (Code::MultiplyAdd, pair, a)))
                    .or(sum(a).map(|pair| (Code::AddTwice, pair, b)))
                    .or(sum(b).map(|pair| (Code::AddTwice, pair, a))),
                Code::Subtract => None
                    .or(product(a).map(|pair| (Code::MultiplySubtract, pair, b)))
                    .or(product(b).map(|pair| (Code::SubtractMultiple, pair, a))),
                Code::Multiply => None
                    .or(product(a).map(|pair| (Code::MultiplyTwice, pair, b)))
                    .or(product(b).map(|pair| (Code::MultiplyTwice, pair, a))),
                _ => None,
            };
            if let Some((code, (x, y), z)) = joined {
                self.values[k] = Value::Operation(code, [x, y, z]);
            }
        }
    }

    /// The operations the outputs need, each right after what it is made of.
    fn order(&self, outputs: &[u32]) -> Vec<u32> {
        let mut done = vec![false; self.values.len()];
        let mut order = Vec::new();
        let mut stack: Vec<(u32, bool)> =
            outputs.iter().rev().map(|&output| (output, false)).collect();
        while let Some((value, operands_done)) = stack.pop() {
            let Value::Operation(code, operands) = self.values[value as usize] else {
                continue;
            };
            if done[value as usize] {
                continue;
            }
            if operands_done {
                done[value as usize] = true;
                order.push(value);
            } else {
                stack.push((value, true));
                stack.extend(
                    operands[..code.operands()].iter().rev().map(|&operand| (operand, false)),
                );
            }
        }
        order
    }
}

/// 1/b for a division by a power of two, which is the same as multiplying.
fn exact_inverse(graph: &Graph, operation: Binary, b: Expression) -> Option<f64> {
    let divisor = graph.as_constant(b).filter(|_| operation == Binary::Divide)?;
    let inverse = 1.0 / divisor;
    let power_of_two = divisor.is_normal() && divisor.to_bits() & ((1 << 52) - 1) == 0;
    (power_of_two && inverse.is_normal()).then_some(inverse)
}
