//! Sums, products, quotients and powers, simplified as they are built (see `simplify`).

use crate::graph::{Expression, Graph, Node};
use crate::operation::{Binary, Unary};

impl Graph {
    /// a + b
    pub fn add(&mut self, a: Expression, b: Expression) -> Expression {
        if let Some(folded) = self.fold(Binary::Add, a, b) {
            return folded;
        }
        if self.is_zero(a) {
            return b;
        }
        if self.is_zero(b) {
            return a;
        }
        if a == b {
            let two = self.constant(2.0);
            return self.mul(two, a);
        }
        if let Some(minus_b) = self.negated(b) {
            return self.sub(a, minus_b);
        }
        if let Some(minus_a) = self.negated(a) {
            return self.sub(b, minus_a);
        }
        self.intern(Node::Binary(Binary::Add, a, b))
    }

    /// a − b
    pub fn sub(&mut self, a: Expression, b: Expression) -> Expression {
        if let Some(folded) = self.fold(Binary::Subtract, a, b) {
            return folded;
        }
        if a == b {
            return self.constant(0.0);
        }
        if self.is_zero(b) {
            return a;
        }
        if self.is_zero(a) {
            return self.neg(b);
        }
        if let Some(minus_b) = self.negated(b) {
            return self.add(a, minus_b);
        }
        self.intern(Node::Binary(Binary::Subtract, a, b))
    }

    /// a·b
    pub fn mul(&mut self, a: Expression, b: Expression) -> Expression {
        if let Some(folded) = self.fold(Binary::Multiply, a, b) {
            return folded;
        }
        // a constant factor stands first
        let (a, b) = if self.as_constant(b).is_some() { (b, a) } else { (a, b) };
        if let Some(factor) = self.as_constant(a) {
            if factor == 0.0 {
                return a;
            }
            if factor == 1.0 {
                return b;
            }
            if factor == -1.0 {
                return self.neg(b);
            }
            match self.node(b) {
                Node::Unary(Unary::Negate, inner) => {
                    let factor = self.constant(-factor);
                    return self.mul(factor, inner);
                }
                Node::Binary(Binary::Multiply, c, inner) => {
                    if let Some(product) = self.fold(Binary::Multiply, a, c) {
                        return self.mul(product, inner);
                    }
                }
                Node::Binary(Binary::Divide, c, inner) => {
                    if let Some(product) = self.fold(Binary::Multiply, a, c) {
                        return self.div(product, inner);
                    }
                }
                _ => {}
            }
            // constants whose product is not finite stay side by side
            return self.intern(Node::Binary(Binary::Multiply, a, b));
        }
        match (self.node(a), self.node(b)) {
            (Node::Unary(Unary::Negate, x), Node::Unary(Unary::Negate, y)) => {
                return self.mul(x, y);
            }
            (Node::Unary(Unary::Negate, x), _) => {
                let product = self.mul(x, b);
                return self.neg(product);
            }
            (_, Node::Unary(Unary::Negate, y)) => {
                let product = self.mul(a, y);
                return self.neg(product);
            }
            (Node::Binary(Binary::Divide, one, x), _) if self.as_constant(one) == Some(1.0) => {
                return self.div(b, x);
            }
            (_, Node::Binary(Binary::Divide, one, x)) if self.as_constant(one) == Some(1.0) => {
                return self.div(a, x);
            }
            // constants gather in front: (c·x)·y = c·(x·y)
            (Node::Binary(Binary::Multiply, c, x), _) if self.as_constant(c).is_some() => {
                let product = self.mul(x, b);
                return self.mul(c, product);
            }
            (_, Node::Binary(Binary::Multiply, c, y)) if self.as_constant(c).is_some() => {
                let product = self.mul(a, y);
                return self.mul(c, product);
            }
            _ => {}
        }
        self.intern(Node::Binary(Binary::Multiply, a, b))
    }

    /// a/b
    pub fn div(&mut self, a: Expression, b: Expression) -> Expression {
        if let Some(folded) = self.fold(Binary::Divide, a, b) {
            return folded;
        }
        let by_zero = self.is_zero(b);
        if self.is_zero(a) && !by_zero {
            return a;
        }
        if a == b && !by_zero {
            return self.constant(1.0);
        }
        if let Some(divisor) = self.as_constant(b) {
            if divisor == 1.0 {
                return a;
            }
            // (c·x)/d = (c/d)·x where that quotient is exact
            if let Node::Binary(Binary::Multiply, c, x) = self.node(a)
                && let Some(factor) = self.as_constant(c)
                && (factor / divisor).mul_add(divisor, -factor) == 0.0
            {
                let factor = self.constant(factor / divisor);
                return self.mul(factor, x);
            }
        }
        if let Some(minus_b) = self.negated(b) {
            let quotient = self.div(a, minus_b);
            return self.neg(quotient);
        }
        if let Node::Unary(Unary::Negate, x) = self.node(a) {
            let quotient = self.div(x, b);
            return self.neg(quotient);
        }
        self.intern(Node::Binary(Binary::Divide, a, b))
    }

    /// −a
    pub fn neg(&mut self, a: Expression) -> Expression {
        if let Some(value) = self.as_constant(a) {
            return self.constant(-value);
        }
        match self.node(a) {
            Node::Unary(Unary::Negate, x) => x,
            Node::Binary(Binary::Subtract, x, y) => self.sub(y, x),
            Node::Binary(operation @ (Binary::Multiply | Binary::Divide), c, x) => {
                match self.as_constant(c) {
                    Some(factor) => {
                        let factor = self.constant(-factor);
                        match operation {
                            Binary::Multiply => self.mul(factor, x),
                            _ => self.intern(Node::Binary(operation, factor, x)),
                        }
                    }
                    None => self.intern(Node::Unary(Unary::Negate, a)),
                }
            }
            _ => self.intern(Node::Unary(Unary::Negate, a)),
        }
    }

    /// a^b
    pub fn pow(&mut self, a: Expression, b: Expression) -> Expression {
        if let Some(folded) = self.fold(Binary::Power, a, b) {
            return folded;
        }
        if self.as_constant(a) == Some(1.0) {
            return a;
        }
        match self.as_constant(b) {
            Some(0.0) => self.constant(1.0),
            Some(1.0) => a,
            Some(2.0) => self.mul(a, a),
            Some(0.5) => self.unary(Unary::Sqrt, a),
            Some(-1.0) => {
                let one = self.constant(1.0);
                self.div(one, a)
            }
            Some(-0.5) => {
                let one = self.constant(1.0);
                let root = self.unary(Unary::Sqrt, a);
                self.div(one, root)
            }
            _ => self.intern(Node::Binary(Binary::Power, a, b)),
        }
    }
}
