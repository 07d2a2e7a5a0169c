//! Direct evaluation of an expression: slow, for single values, diagnosis and as the oracle of programs.

use crate::graph::{Expression, Graph, Node};
use crate::hash::FastMap;
use crate::operation::{self, Binary, FixedExponent};

impl Graph {
    /// The value of `e` with the given values of symbols; NaN if a symbol that matters has none. For repeated evaluation
    /// compile a [`Program`](crate::Program).
    pub fn evaluate(&self, e: Expression, values: &[(Expression, f64)]) -> f64 {
        self.values(e, values)[&e]
    }

    /// The values of everything `e` is built of.
    pub(crate) fn values(
        &self,
        e: Expression,
        given: &[(Expression, f64)],
    ) -> FastMap<Expression, f64> {
        let mut values: FastMap<Expression, f64> = given.iter().copied().collect();
        for x in self.reachable(&[e], |x| values.contains_key(&x)) {
            let value = match self.node(x) {
                Node::Constant(bits) => f64::from_bits(bits),
                Node::Symbol(_) => f64::NAN,
                Node::Unary(operation, a) => operation.apply(values[&a]),
                Node::Binary(operation, a, b) => match self.fixed_exponent(operation, b) {
                    Some(exponent) => exponent.apply(values[&a]),
                    None => operation.apply(values[&a], values[&b]),
                },
                Node::Select(c, a, b) => operation::select(values[&c], values[&a], values[&b]),
                Node::Table(a, table, order) => {
                    self.tables[table as usize].1.derivative(values[&a], order)
                }
                Node::Grid(a, b, table, orders) => {
                    self.tables[table as usize].1.partial([values[&a], values[&b]], orders)
                }
            };
            values.insert(x, value);
        }
        values
    }

    /// The exponent of a power that is evaluated by multiplication.
    pub(crate) fn fixed_exponent(
        &self,
        operation: Binary,
        exponent: Expression,
    ) -> Option<FixedExponent> {
        match operation {
            Binary::Power => FixedExponent::of(self.as_constant(exponent)?),
            _ => None,
        }
    }
}
