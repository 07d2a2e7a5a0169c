//! Exact derivatives, partial and along directions.
//!
//! A derivative along directions dₛ of symbols s is Σ ∂e/∂s·dₛ, carried from operands to results by the chain rule in one
//! pass; a partial derivative is the case of one symbol with direction 1. With dₛ = s' it is the time derivative.
//!
//! Piecewise functions are differentiated piece by piece: at a kink the derivative is that of one side, and jumps
//! (`sign`, `floor`, `heaviside`) count as flat.

use crate::graph::{Expression, Graph, Node};
use crate::hash::FastMap;
use crate::operation::{Binary, Unary};
use std::collections::BTreeSet;

impl Graph {
    /// ∂e/∂symbol. Any other expression in place of the symbol is taken as independent of its parts.
    pub fn derivative(&mut self, e: Expression, symbol: Expression) -> Expression {
        let one = self.constant(1.0);
        self.directional(e, &[(symbol, one)])
    }

    /// Σ ∂e/∂s·d over the pairs (s, d); symbols that are not listed are held.
    pub fn directional(
        &mut self,
        e: Expression,
        directions: &[(Expression, Expression)],
    ) -> Expression {
        let (set, directions) = self.intern_directions(directions);
        for x in self.reachable(&[e], |x| self.derivatives.contains_key(&(set, x))) {
            let dx = match directions.binary_search_by_key(&x, |pair| pair.0) {
                Ok(index) => directions[index].1,
                Err(_) => self.chain_rule(x, |graph, operand| graph.derivatives[&(set, operand)]),
            };
            self.derivatives.insert((set, x), dx);
        }
        self.derivatives[&(set, e)]
    }

    /// ∂e/∂s for each of many symbols. Of each only what depends on it is visited, so that the cost of sums and extremes of many
    /// numbers does not grow with the square of their number.
    pub fn gradient(&mut self, e: Expression, symbols: &[Expression]) -> Vec<Expression> {
        let mut users: FastMap<Expression, Vec<Expression>> = FastMap::default();
        for x in self.reachable(&[e], |_| false) {
            for operand in self.node(x).operands() {
                users.entry(operand).or_default().push(x);
            }
        }
        let (zero, one) = (self.constant(0.0), self.constant(1.0));
        let mut gradient = Vec::with_capacity(symbols.len());
        for &symbol in symbols {
            let mut dependent = BTreeSet::from([symbol]);
            let mut stack = vec![symbol];
            while let Some(x) = stack.pop() {
                let above = users.get(&x).into_iter().flatten();
                stack.extend(above.filter(|user| dependent.insert(**user)));
            }
            let mut slopes = FastMap::from_iter([(symbol, one)]);
            // operands come before what they are used in
            for x in dependent.into_iter().filter(|x| *x != symbol) {
                let slope = self.chain_rule(x, |_, operand| *slopes.get(&operand).unwrap_or(&zero));
                slopes.insert(x, slope);
            }
            gradient.push(slopes.get(&e).copied().unwrap_or(zero));
        }
        gradient
    }

    /// The number of a set of directions, and the set sorted with repeated symbols added up.
    fn intern_directions(
        &mut self,
        directions: &[(Expression, Expression)],
    ) -> (u32, Vec<(Expression, Expression)>) {
        let mut sorted = directions.to_vec();
        sorted.sort_by_key(|pair| pair.0);
        let mut merged: Vec<(Expression, Expression)> = Vec::with_capacity(sorted.len());
        for (symbol, direction) in sorted {
            match merged.last_mut() {
                Some(last) if last.0 == symbol => last.1 = self.add(last.1, direction),
                _ => merged.push((symbol, direction)),
            }
        }
        let next = self.directions.len() as u32;
        let set = *self.directions.entry(merged.clone()).or_insert(next);
        (set, merged)
    }

    /// The derivative of an expression, where `d` has those of its operands.
    fn chain_rule(
        &mut self,
        x: Expression,
        d: impl Fn(&Self, Expression) -> Expression,
    ) -> Expression {
        let node = self.node(x);
        if node.operands().all(|operand| self.is_zero(d(self, operand))) {
            return self.constant(0.0);
        }
        match node {
            Node::Constant(_) | Node::Symbol(_) => self.constant(0.0),
            Node::Unary(Unary::Negate, a) => {
                let da = d(self, a);
                self.neg(da)
            }
            Node::Unary(operation, a) => {
                let da = d(self, a);
                self.unary_rule(operation, a, x, da)
            }
            Node::Binary(operation, a, b) => {
                let (da, db) = (d(self, a), d(self, b));
                self.binary_rule(operation, (a, da), (b, db), x)
            }
            Node::Select(condition, a, b) => {
                let (da, db) = (d(self, a), d(self, b));
                self.select(condition, da, db)
            }
            Node::Table(a, table, order) => {
                let da = d(self, a);
                let slope = self.table_value(a, table, order + 1);
                self.mul(slope, da)
            }
            Node::Grid(a, b, table, [i, j]) => {
                let (da, db) = (d(self, a), d(self, b));
                let by_a = self.grid_value([a, b], table, [i + 1, j]);
                let by_b = self.grid_value([a, b], table, [i, j + 1]);
                let (left, right) = (self.mul(by_a, da), self.mul(by_b, db));
                self.add(left, right)
            }
        }
    }

    /// The derivative of y = f(a) where that of a is da.
    fn unary_rule(
        &mut self,
        operation: Unary,
        a: Expression,
        y: Expression,
        da: Expression,
    ) -> Expression {
        use Unary::*;
        let one = self.constant(1.0);
        match operation {
            Negate => self.neg(da),
            Not | Sign | Floor | Ceil | Heaviside => self.constant(0.0),
            Sin => self.times_function(Cos, a, da),
            Cos => {
                let product = self.times_function(Sin, a, da);
                self.neg(product)
            }
            Tan => {
                let square = self.mul(y, y);
                let slope = self.add(one, square);
                self.mul(slope, da)
            }
            Asin | Acos => {
                let inside = self.one_minus_square(a);
                let root = self.sqrt(inside);
                let quotient = self.div(da, root);
                if operation == Asin { quotient } else { self.neg(quotient) }
            }
            Atan => {
                let square = self.mul(a, a);
                let below = self.add(one, square);
                self.div(da, below)
            }
            Sinh => self.times_function(Cosh, a, da),
            Cosh => self.times_function(Sinh, a, da),
            Tanh => {
                let slope = self.one_minus_square(y);
                self.mul(slope, da)
            }
            Asinh => {
                let square = self.mul(a, a);
                let inside = self.add(one, square);
                let root = self.sqrt(inside);
                self.div(da, root)
            }
            Acosh => {
                let (below, above) = (self.sub(a, one), self.add(a, one));
                let inside = self.mul(below, above);
                let root = self.sqrt(inside);
                self.div(da, root)
            }
            Atanh => {
                let below = self.one_minus_square(a);
                self.div(da, below)
            }
            Exp => self.mul(y, da),
            Log => self.div(da, a),
            Log10 => {
                let factor = self.constant(std::f64::consts::LN_10);
                let below = self.mul(factor, a);
                self.div(da, below)
            }
            Sqrt => {
                let two = self.constant(2.0);
                let below = self.mul(two, y);
                self.div(da, below)
            }
            Cbrt => {
                let three = self.constant(3.0);
                let square = self.mul(y, y);
                let below = self.mul(three, square);
                self.div(da, below)
            }
            Abs => self.times_function(Sign, a, da),
        }
    }

    /// The derivative of y = f(a, b).
    fn binary_rule(
        &mut self,
        operation: Binary,
        (a, da): (Expression, Expression),
        (b, db): (Expression, Expression),
        y: Expression,
    ) -> Expression {
        use Binary::*;
        match operation {
            Add => self.add(da, db),
            Subtract => self.sub(da, db),
            Multiply if a == b => {
                let two = self.constant(2.0);
                let slope = self.mul(two, a);
                self.mul(slope, da)
            }
            Multiply => {
                let (left, right) = (self.mul(da, b), self.mul(a, db));
                self.add(left, right)
            }
            Divide => {
                let part = self.mul(y, db);
                let above = self.sub(da, part);
                self.div(above, b)
            }
            Power => self.power_rule((a, da), (b, db), y),
            Atan2 => {
                let (left, right) = (self.mul(b, da), self.mul(a, db));
                let above = self.sub(left, right);
                let (aa, bb) = (self.mul(a, a), self.mul(b, b));
                let below = self.add(aa, bb);
                self.div(above, below)
            }
            Hypot => {
                let (left, right) = (self.mul(a, da), self.mul(b, db));
                let above = self.add(left, right);
                let slope = self.div(above, y);
                // The cone has no slope at its tip; zero keeps friction laws in |λ| finite there.
                let zero = self.constant(0.0);
                let tip = self.binary(Equal, y, zero);
                self.select(tip, zero, slope)
            }
            Minimum => {
                let condition = self.binary(Less, a, b);
                self.select(condition, da, db)
            }
            Maximum => {
                let condition = self.binary(Less, b, a);
                self.select(condition, da, db)
            }
            Modulo => {
                let ratio = self.div(a, b);
                let periods = self.unary(Unary::Floor, ratio);
                let part = self.mul(periods, db);
                self.sub(da, part)
            }
            Less | LessOrEqual | Equal | And | Or => self.constant(0.0),
        }
    }

    /// d(aᵇ) = b·aᵇ⁻¹·da + aᵇ·log(a)·db; no logarithm for an exponent that does not vary, none of a zero base.
    fn power_rule(
        &mut self,
        (a, da): (Expression, Expression),
        (b, db): (Expression, Expression),
        y: Expression,
    ) -> Expression {
        let base_part = if self.is_zero(da) {
            da
        } else {
            let one = self.constant(1.0);
            let reduced = self.sub(b, one);
            let power = self.pow(a, reduced);
            let slope = self.mul(b, power);
            self.mul(slope, da)
        };
        if self.is_zero(db) {
            return base_part;
        }
        let zero = self.constant(0.0);
        let at_zero = self.binary(Binary::Equal, a, zero);
        let log = self.unary(Unary::Log, a);
        let growth = self.mul(y, log);
        let slope = self.select(at_zero, zero, growth);
        let exponent_part = self.mul(slope, db);
        self.add(base_part, exponent_part)
    }

    fn times_function(&mut self, operation: Unary, a: Expression, da: Expression) -> Expression {
        let slope = self.unary(operation, a);
        self.mul(slope, da)
    }

    /// (1 − a)(1 + a), which is accurate near ±1.
    fn one_minus_square(&mut self, a: Expression) -> Expression {
        let one = self.constant(1.0);
        let (below, above) = (self.sub(one, a), self.add(one, a));
        self.mul(below, above)
    }
}
