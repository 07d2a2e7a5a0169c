//! Why a result is infinite or undefined.

use crate::display::number;
use crate::graph::{Expression, Graph, Node};
use crate::program::Program;
use crate::tables::call_name;
use std::fmt;

/// Longer formulas are cut in messages.
const LONGEST: usize = 120;

/// The operation that first made an output infinite or undefined.
#[derive(Clone, PartialEq, Debug)]
pub struct NotFinite {
    /// The index of the output.
    pub output: usize,
    /// What failed, with its numbers, and the formula it stands in: `sqrt(-0.31) in sqrt(1 - x^2)`.
    pub operation: String,
    /// The part that failed.
    pub expression: Expression,
    /// What it came to: NaN or an infinity.
    pub value: f64,
    /// The symbols in the part that failed, with their values.
    pub symbols: Vec<(String, f64)>,
}

impl fmt::Display for NotFinite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let outcome = if self.value.is_nan() { "undefined" } else { "infinite" };
        write!(f, "{} is {outcome}", self.operation)?;
        let mut joint = " at";
        for (name, value) in &self.symbols {
            write!(f, "{joint} {name} = {}", short(*value))?;
            joint = ",";
        }
        Ok(())
    }
}

impl Program {
    /// Finds, for the first output that is not finite, the operation that made it so although its operands are finite, or
    /// the input that is not finite itself. `graph` is the one the program was compiled from. None if all outputs are finite.
    pub fn explain_not_finite(&self, graph: &Graph, inputs: &[f64]) -> Option<NotFinite> {
        let given: Vec<(Expression, f64)> =
            self.inputs.iter().copied().zip(inputs.iter().copied()).collect();
        self.outputs.iter().enumerate().find_map(|(output, &e)| {
            let values = graph.values(e, &given);
            let value = |e: Expression| values[&e];
            if value(e).is_finite() {
                return None;
            }
            // descend into operands as long as one is to blame
            let mut culprit = e;
            while !self.inputs.contains(&culprit) {
                let blamed = match graph.node(culprit) {
                    // the branch that is not taken is innocent
                    Node::Select(condition, a, b) => match value(condition) {
                        1.0 => Some(a),
                        0.0 => Some(b),
                        _ => Some(condition),
                    },
                    node => node.operands().find(|&operand| !value(operand).is_finite()),
                };
                match blamed {
                    Some(operand) => culprit = operand,
                    None => break,
                }
            }
            Some(NotFinite {
                output,
                operation: graph.failure(culprit, &value),
                expression: culprit,
                value: value(culprit),
                symbols: graph
                    .symbols_of(culprit)
                    .into_iter()
                    .filter_map(|symbol| {
                        Some((graph.name(symbol)?.to_owned(), values.get(&symbol).copied()?))
                    })
                    .collect(),
            })
        })
    }
}

impl Graph {
    /// The operation of `e` written with the values of its operands, and the formula.
    fn failure(&self, e: Expression, value: &dyn Fn(Expression) -> f64) -> String {
        let formula = self.display_up_to(e, LONGEST);
        let show = |operand: Expression| short(value(operand));
        let signed = |operand: Expression| {
            let text = show(operand);
            if text.starts_with('-') { format!("({text})") } else { text }
        };
        let operation = match self.node(e) {
            Node::Constant(_) | Node::Symbol(_) => return formula,
            Node::Unary(operation, a) => format!("{}({})", operation.name(), show(a)),
            Node::Binary(operation, a, b) => {
                let name = operation.name();
                if name.starts_with(char::is_alphabetic) {
                    format!("{name}({}, {})", show(a), show(b))
                } else {
                    format!("{}{name}{}", signed(a), signed(b))
                }
            }
            Node::Select(..) => "if".to_owned(),
            Node::Table(a, table, order) => {
                let (name, curve) = &self.tables[table as usize];
                let [first, last] = curve.x().ends().map(short);
                match name {
                    Some(name) => format!(
                        "{}({}), of a table from {first} to {last},",
                        call_name(name, 1, [order, 0]),
                        show(a)
                    ),
                    None => format!("table({}, …)", show(a)),
                }
            }
            Node::Grid(a, b, table, orders) => {
                let (name, grid) = &self.tables[table as usize];
                let ends = grid.y().map(|y| [grid.x(), y].map(|axis| axis.ends().map(short)));
                let [[x0, x1], [y0, y1]] = ends.unwrap_or_default();
                let name = call_name(name.as_deref().unwrap_or_default(), 2, orders);
                let (a, b) = (show(a), show(b));
                format!("{name}({a}, {b}), of a table from {x0} to {x1} and from {y0} to {y1},")
            }
        };
        if operation == formula { formula } else { format!("{operation} in {formula}") }
    }
}

/// A number to six significant digits.
fn short(value: f64) -> String {
    if value.is_nan() {
        return "undefined".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "infinity" } else { "-infinity" }.to_owned();
    }
    let rounded: f64 = format!("{value:.5e}").parse().unwrap_or(value);
    number(rounded)
}
