//! Constructors: constants are folded and algebraic identities applied while expressions are built.
//!
//! The identities keep the value wherever the original is finite; they may define it where the original is not
//! (`0*x → 0`, `x - x → 0`, `x/x → 1`). Constants are folded only to finite numbers, so that `1/0` survives for diagnosis.

use crate::graph::{Expression, Graph, Node};
use crate::operation::{Binary, Parity, Unary};

impl Graph {
    /// sin a
    pub fn sin(&mut self, a: Expression) -> Expression {
        self.unary(Unary::Sin, a)
    }

    /// cos a
    pub fn cos(&mut self, a: Expression) -> Expression {
        self.unary(Unary::Cos, a)
    }

    /// √a
    pub fn sqrt(&mut self, a: Expression) -> Expression {
        self.unary(Unary::Sqrt, a)
    }

    /// A function of one operand.
    pub fn unary(&mut self, operation: Unary, a: Expression) -> Expression {
        if operation == Unary::Negate {
            return self.neg(a);
        }
        if let Some(value) =
            self.as_constant(a).map(|x| operation.apply(x)).filter(|y| y.is_finite())
        {
            return self.constant(value);
        }
        match (operation, self.node(a)) {
            (Unary::Not, Node::Unary(Unary::Not, x)) => return x,
            (Unary::Abs, Node::Unary(Unary::Abs | Unary::Sqrt, _)) => return a,
            (Unary::Floor | Unary::Ceil, Node::Unary(Unary::Floor | Unary::Ceil, _)) => return a,
            _ => {}
        }
        if let Node::Unary(Unary::Negate, x) = self.node(a) {
            match operation.parity() {
                Parity::Even => return self.unary(operation, x),
                Parity::Odd => {
                    let value = self.unary(operation, x);
                    return self.neg(value);
                }
                Parity::None => {}
            }
        }
        self.intern(Node::Unary(operation, a))
    }

    /// A function of two operands.
    pub fn binary(&mut self, operation: Binary, a: Expression, b: Expression) -> Expression {
        match operation {
            Binary::Add => return self.add(a, b),
            Binary::Subtract => return self.sub(a, b),
            Binary::Multiply => return self.mul(a, b),
            Binary::Divide => return self.div(a, b),
            Binary::Power => return self.pow(a, b),
            _ => {}
        }
        if let Some(folded) = self.fold(operation, a, b) {
            return folded;
        }
        match operation {
            Binary::Minimum | Binary::Maximum | Binary::And | Binary::Or if a == b => return a,
            Binary::Less if a == b => return self.constant(0.0),
            Binary::LessOrEqual | Binary::Equal if a == b => return self.constant(1.0),
            Binary::And | Binary::Or => {
                for (this, other) in [(a, b), (b, a)] {
                    match (operation, self.as_constant(this)) {
                        (Binary::And, Some(1.0)) | (Binary::Or, Some(0.0)) => return other,
                        (Binary::And, Some(0.0)) | (Binary::Or, Some(1.0)) => return this,
                        _ => {}
                    }
                }
            }
            _ => {}
        }
        self.intern(Node::Binary(operation, a, b))
    }

    /// `then` where the condition holds (is 1), `otherwise` where it does not (is 0).
    pub fn select(
        &mut self,
        condition: Expression,
        then: Expression,
        otherwise: Expression,
    ) -> Expression {
        if then == otherwise {
            return then;
        }
        match self.as_constant(condition) {
            Some(1.0) => return then,
            Some(0.0) => return otherwise,
            _ => {}
        }
        if let Node::Unary(Unary::Not, opposite) = self.node(condition) {
            return self.select(opposite, otherwise, then);
        }
        self.intern(Node::Select(condition, then, otherwise))
    }

    /// The derivative of this order of a table.
    pub(crate) fn table_value(&mut self, x: Expression, table: u32, order: u8) -> Expression {
        let curve = &self.tables[table as usize].1;
        if curve.vanishes(order) {
            return self.constant(0.0);
        }
        let known = self.as_constant(x).map(|x| curve.derivative(x, order));
        match known.filter(|value| value.is_finite()) {
            Some(value) => self.constant(value),
            None => self.intern(Node::Table(x, table, order)),
        }
    }

    /// The derivative of these orders of a table with two arguments.
    pub(crate) fn grid_value(
        &mut self,
        [x, y]: [Expression; 2],
        table: u32,
        orders: [u8; 2],
    ) -> Expression {
        let grid = &self.tables[table as usize].1;
        if orders.iter().any(|order| grid.vanishes(*order)) {
            return self.constant(0.0);
        }
        let known = self.as_constant(x).zip(self.as_constant(y));
        let known = known.map(|(x, y)| grid.partial([x, y], orders));
        match known.filter(|value| value.is_finite()) {
            Some(value) => self.constant(value),
            None => self.intern(Node::Grid(x, y, table, orders)),
        }
    }

    /// The value of an operation on two numbers, if it is finite.
    pub(crate) fn fold(
        &mut self,
        operation: Binary,
        a: Expression,
        b: Expression,
    ) -> Option<Expression> {
        let (x, y) = (self.as_constant(a)?, self.as_constant(b)?);
        let value = match self.fixed_exponent(operation, b) {
            Some(exponent) => exponent.apply(x),
            None => operation.apply(x, y),
        };
        value.is_finite().then(|| self.constant(value))
    }

    /// −a, if a carries a minus sign that can be taken away.
    pub(crate) fn negated(&mut self, a: Expression) -> Option<Expression> {
        let minus = |graph: &Self, c: Expression| graph.as_constant(c).is_some_and(|c| c < 0.0);
        match self.node(a) {
            Node::Unary(Unary::Negate, x) => Some(x),
            Node::Constant(_) if minus(self, a) => Some(self.neg(a)),
            Node::Binary(Binary::Multiply | Binary::Divide, c, _) if minus(self, c) => {
                Some(self.neg(a))
            }
            _ => None,
        }
    }
}
