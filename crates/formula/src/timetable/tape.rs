//! The parts of formulas that depend on time alone, one after the other.

use super::interval::Interval;
use crate::axis::{Beyond, Interpolation};
use crate::graph::{Expression, Graph, Node};
use crate::operation::FixedExponent;
use crate::table::Tabulated;
use std::collections::HashMap;
use std::sync::Arc;

/// More points of a table than this in an interval are not looked at one by one.
const MOST_POINTS: usize = 64;

/// Expressions of time, operands first.
#[derive(Clone, Debug)]
pub(super) struct Tape {
    steps: Vec<(Node, [usize; 3])>,
    fixed: Vec<Option<FixedExponent>>,
    tables: Vec<Arc<Tabulated>>,
}

impl Tape {
    /// What one expression is made of, which depends on time alone; its value is the last one.
    pub(super) fn new(graph: &Graph, e: Expression) -> Self {
        let order = graph.reachable(&[e], |_| false);
        let place: HashMap<Expression, usize> =
            order.iter().enumerate().map(|(k, e)| (*e, k)).collect();
        let mut tape = Tape { steps: Vec::new(), fixed: Vec::new(), tables: Vec::new() };
        for &e in &order {
            let mut node = graph.node(e);
            let mut operands = [0; 3];
            for (operand, place) in node.operands().map(|e| place[&e]).zip(&mut operands) {
                *place = operand;
            }
            let fixed = match node {
                Node::Binary(operation, _, b) => graph.fixed_exponent(operation, b),
                _ => None,
            };
            if let Node::Table(_, table, _) = &mut node {
                tape.tables.push(graph.tables[*table as usize].1.clone());
                *table = tape.tables.len() as u32 - 1;
            }
            tape.steps.push((node, operands));
            tape.fixed.push(fixed);
        }
        tape
    }

    /// Bounds of the expression between two times.
    pub(super) fn bounds(&self, time: Interval, scratch: &mut Vec<Interval>) -> Interval {
        scratch.clear();
        for ((node, operands), fixed) in self.steps.iter().zip(&self.fixed) {
            let [a, b, c] = operands.map(|k| scratch.get(k).copied().unwrap_or(Interval::ANY));
            let value = match (*node, fixed) {
                (Node::Constant(bits), _) => Interval::point(f64::from_bits(bits)),
                (Node::Symbol(_), _) => time,
                (Node::Unary(operation, _), _) => a.unary(operation),
                (Node::Binary(..), Some(exponent)) => a.power(*exponent),
                (Node::Binary(operation, ..), None) => a.binary(operation, b),
                (Node::Select(..), _) if a == Interval::point(1.0) => b,
                (Node::Select(..), _) if a == Interval::point(0.0) => c,
                (Node::Select(..), _) => b.join(c),
                (Node::Table(_, table, order), _) => {
                    table_bounds(&self.tables[table as usize], a, order)
                }
                (Node::Grid(..), _) => Interval::ANY,
            };
            scratch.push(value);
        }
        *scratch.last().expect("there is an expression")
    }
}

/// Bounds of a curve; those of curved ones between their points are estimated.
fn table_bounds(table: &Tabulated, x: Interval, order: u8) -> Interval {
    let ends = [x.low, x.high].map(|x| table.derivative(x, order));
    if x.low == x.high {
        return Interval::point(ends[0]);
    }
    let inside = table.x().points().iter().copied().filter(|p| x.contains(*p));
    if order > 1 || inside.clone().count() > MOST_POINTS || table.x().beyond() == Beyond::Repeat {
        return match order {
            0 if x.low >= table.x().ends()[0] && x.high <= table.x().ends()[1] => {
                Interval::hull(table.values())
            }
            _ => Interval::ANY,
        };
    }
    let hull = Interval::hull(inside.map(|x| table.derivative(x, order)).chain(ends));
    let beyond =
        if order == 0 && table.interpolation() == Interpolation::Linear { 0.0 } else { 0.25 };
    let more = beyond * hull.width();
    Interval::new(hull.low - more, hull.high + more)
}
