//! Expressions as readable text, which parses back to the same value.

use crate::graph::{Expression, Graph, Node};
use crate::operation::{Binary, Unary};
use crate::tables::call_name;

/// How tightly a text binds, loosest first.
mod tightness {
    pub const ANY: u8 = 0;
    pub const OR: u8 = 1;
    pub const AND: u8 = 2;
    pub const NOT: u8 = 3;
    pub const COMPARISON: u8 = 4;
    pub const SUM: u8 = 5;
    pub const PRODUCT: u8 = 6;
    pub const MINUS: u8 = 7;
    pub const POWER: u8 = 8;
    pub const ATOM: u8 = 9;
}
use tightness::*;

/// Text is cut beyond this many bytes: shared subexpressions can make it grow exponentially.
const LIMIT: usize = 100_000;

enum Piece {
    Text(&'static str),
    Owned(String),
    /// An expression that must bind at least this tightly, or be put in parentheses.
    Part(Expression, u8),
}

impl Graph {
    /// Infix text with few parentheses. Parsing it gives an expression of the same value; a text beyond 100 000 bytes is cut
    /// and ends with `…`.
    pub fn display(&self, e: Expression) -> String {
        self.display_up_to(e, LIMIT)
    }

    /// Like [`display`](Self::display), cut after about `limit` bytes.
    pub fn display_up_to(&self, e: Expression, limit: usize) -> String {
        let mut text = String::new();
        let mut stack = vec![Piece::Part(e, ANY)];
        while let Some(piece) = stack.pop() {
            match piece {
                Piece::Text(part) => text.push_str(part),
                Piece::Owned(part) => text.push_str(&part),
                Piece::Part(e, needed) => {
                    let (own, pieces) = self.pieces(e);
                    if own < needed {
                        stack.push(Piece::Text(")"));
                        stack.extend(pieces.into_iter().rev());
                        stack.push(Piece::Text("("));
                    } else {
                        stack.extend(pieces.into_iter().rev());
                    }
                }
            }
            if text.len() > limit {
                text.push('…');
                break;
            }
        }
        text
    }

    /// The parts of the text of `e`, and how tightly it binds.
    fn pieces(&self, e: Expression) -> (u8, Vec<Piece>) {
        use Piece::{Owned, Part, Text};
        match self.node(e) {
            Node::Constant(bits) => {
                let value = f64::from_bits(bits);
                (if value < 0.0 { MINUS } else { ATOM }, vec![Owned(number(value))])
            }
            Node::Symbol(_) => (ATOM, vec![Owned(self.name(e).unwrap_or_default().to_owned())]),
            Node::Unary(Unary::Negate, a) => (SUM, vec![Text("-"), Part(a, PRODUCT)]),
            Node::Unary(Unary::Not, a) => match self.node(a) {
                Node::Binary(Binary::Equal, x, y) => {
                    (COMPARISON, vec![Part(x, SUM), Text(" != "), Part(y, SUM)])
                }
                _ => (NOT, vec![Text("not "), Part(a, NOT)]),
            },
            Node::Binary(Binary::Multiply, a, b) if a == b => {
                (POWER, vec![Part(a, ATOM), Text("^2")])
            }
            Node::Binary(operation, a, b) => {
                // tightness of the whole, of its left and of its right side
                let infix = |own: u8, left: u8, right: u8| {
                    (own, vec![Part(a, left), Text(operation.name()), Part(b, right)])
                };
                match operation {
                    Binary::Add | Binary::Subtract => infix(SUM, SUM, PRODUCT),
                    Binary::Multiply | Binary::Divide => infix(PRODUCT, PRODUCT, MINUS),
                    Binary::Power => infix(POWER, ATOM, MINUS),
                    Binary::Less | Binary::LessOrEqual | Binary::Equal => {
                        infix(COMPARISON, SUM, SUM)
                    }
                    Binary::And => infix(AND, AND, NOT),
                    Binary::Or => infix(OR, OR, AND),
                    _ => call_text(operation.name(), &[a, b]),
                }
            }
            Node::Unary(operation, a) => call_text(operation.name(), &[a]),
            Node::Select(condition, a, b) => call_text("if", &[condition, a, b]),
            Node::Table(a, table, order) => self.table_call(&[a], table, [order, 0]),
            Node::Grid(a, b, table, orders) => self.table_call(&[a, b], table, orders),
        }
    }

    /// A table by its name, or written with its points.
    fn table_call(
        &self,
        arguments: &[Expression],
        table: u32,
        orders: [u8; 2],
    ) -> (u8, Vec<Piece>) {
        let (name, table) = &self.tables[table as usize];
        if let Some(name) = name {
            let (own, mut pieces) = call_text("", arguments);
            pieces[0] = Piece::Owned(call_name(name, table.arguments(), orders));
            return (own, pieces);
        }
        let word = if orders[0] == 0 { "table" } else { "table_slope" };
        let (own, mut pieces) = call_text(word, arguments);
        pieces.pop();
        for value in table.numbers() {
            pieces.push(Piece::Owned(format!(", {}", number(value))));
        }
        pieces.push(Piece::Text(")"));
        (own, pieces)
    }
}

/// `name(a, b, …)`
fn call_text(name: &'static str, arguments: &[Expression]) -> (u8, Vec<Piece>) {
    let mut pieces = vec![Piece::Text(name), Piece::Text("(")];
    for (k, &argument) in arguments.iter().enumerate() {
        if k > 0 {
            pieces.push(Piece::Text(", "));
        }
        pieces.push(Piece::Part(argument, ANY));
    }
    pieces.push(Piece::Text(")"));
    (ATOM, pieces)
}

/// The shortest text that reads back as the same number.
pub(crate) fn number(value: f64) -> String {
    use std::f64::consts::{PI, TAU};
    let size = value.abs();
    let text = if size == PI {
        "pi".to_owned()
    } else if size == TAU {
        "tau".to_owned()
    } else if size.is_nan() {
        "(0/0)".to_owned()
    } else if size.is_infinite() {
        "(1/0)".to_owned()
    } else if size != 0.0 && !(1e-4..1e16).contains(&size) {
        format!("{size:e}")
    } else {
        format!("{size}")
    };
    if value < 0.0 { format!("-{text}") } else { text }
}
