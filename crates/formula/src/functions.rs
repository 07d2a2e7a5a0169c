//! The functions of the language: names, numbers of arguments, meaning.

use crate::error::FormulaError;
use crate::graph::{Expression, Graph};
use crate::operation::{Binary, Unary};
use std::ops::Range;

/// How a call becomes an expression.
#[derive(Copy, Clone)]
pub(crate) enum Function {
    Unary(Unary),
    Binary(Binary),
    /// Two operands at a time, halves of the list first: so that many operands nest few levels deep, and
    /// sums of many round little.
    Fold(Binary),
    If,
    Clamp,
    Step,
    Pulse,
    Table,
    TableSlope,
    /// A table by its number, with one argument, and the order of its derivative.
    Named(u32, u8),
    /// The same with two arguments.
    NamedGrid(u32, [u8; 2]),
}

const FUNCTIONS: [(&str, Function); 35] = {
    use Function::{Clamp, Fold, If, Pulse, Step, Table, TableSlope};
    [
        ("sin", Function::Unary(Unary::Sin)),
        ("cos", Function::Unary(Unary::Cos)),
        ("tan", Function::Unary(Unary::Tan)),
        ("asin", Function::Unary(Unary::Asin)),
        ("acos", Function::Unary(Unary::Acos)),
        ("atan", Function::Unary(Unary::Atan)),
        ("sinh", Function::Unary(Unary::Sinh)),
        ("cosh", Function::Unary(Unary::Cosh)),
        ("tanh", Function::Unary(Unary::Tanh)),
        ("asinh", Function::Unary(Unary::Asinh)),
        ("acosh", Function::Unary(Unary::Acosh)),
        ("atanh", Function::Unary(Unary::Atanh)),
        ("exp", Function::Unary(Unary::Exp)),
        ("log", Function::Unary(Unary::Log)),
        ("log10", Function::Unary(Unary::Log10)),
        ("sqrt", Function::Unary(Unary::Sqrt)),
        ("cbrt", Function::Unary(Unary::Cbrt)),
        ("abs", Function::Unary(Unary::Abs)),
        ("sign", Function::Unary(Unary::Sign)),
        ("floor", Function::Unary(Unary::Floor)),
        ("ceil", Function::Unary(Unary::Ceil)),
        ("heaviside", Function::Unary(Unary::Heaviside)),
        ("atan2", Function::Binary(Binary::Atan2)),
        ("hypot", Function::Binary(Binary::Hypot)),
        ("mod", Function::Binary(Binary::Modulo)),
        ("pow", Function::Binary(Binary::Power)),
        ("min", Fold(Binary::Minimum)),
        ("max", Fold(Binary::Maximum)),
        ("sum", Fold(Binary::Add)),
        ("if", If),
        ("clamp", Clamp),
        ("step", Step),
        ("pulse", Pulse),
        ("table", Table),
        ("table_slope", TableSlope),
    ]
};

/// The names of all functions.
pub fn function_names() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|entry| entry.0)
}

/// Whether the language keeps this word for itself, so that it can name nothing in a model: `pi tau and or not if`.
/// Function names are not reserved, since only a parenthesis after them makes a call.
pub fn is_reserved(name: &str) -> bool {
    matches!(name, "pi" | "tau" | "and" | "or" | "not" | "if")
}

/// What to write instead of a function of other languages.
pub(crate) fn hint(name: &str) -> Option<String> {
    let ours = match name.to_lowercase().as_str() {
        "ln" => "log(x), the natural logarithm",
        "arcsin" => "asin(x)",
        "arccos" => "acos(x)",
        "arctan" => "atan(x)",
        "arctan2" => "atan2(y, x)",
        "fmod" => "mod(x, y)",
        "sq" | "square" => "x^2",
        _ => return None,
    };
    Some(format!("write {ours}"))
}

/// All operands, of which there is one at least, combined by an operation in which order does not matter.
fn fold(graph: &mut Graph, operation: Binary, operands: &[Expression]) -> Expression {
    if let [one] = operands {
        return *one;
    }
    let (first, second) = operands.split_at(operands.len() / 2);
    let (a, b) = (fold(graph, operation, first), fold(graph, operation, second));
    graph.binary(operation, a, b)
}

impl Function {
    pub(crate) fn find(name: &str) -> Option<Self> {
        FUNCTIONS.iter().find(|entry| entry.0 == name).map(|entry| entry.1)
    }

    /// Checks the number of arguments; the fault is what was expected, in words.
    pub(crate) fn check_count(self, count: usize) -> Result<(), &'static str> {
        let (fits, expected) = match self {
            Self::Unary(_) => (count == 1, "one argument"),
            Self::Binary(_) => (count == 2, "two arguments"),
            Self::Fold(_) => (count >= 1, "one argument or more"),
            Self::If => (count == 3, "three arguments (condition, then, otherwise)"),
            Self::Clamp => (count == 3, "three arguments (x, low, high)"),
            Self::Step => (count == 5, "five arguments (t, t0, f0, t1, f1)"),
            Self::Pulse => (count == 3, "three arguments (t, start, end)"),
            Self::Table | Self::TableSlope => (
                count >= 5 && count % 2 == 1,
                "an argument and two points or more (x, x1, y1, x2, y2, …)",
            ),
            Self::Named(..) => (count == 1, "one argument, the x of the table"),
            Self::NamedGrid(..) => (count == 2, "two arguments, the x and y of the table"),
        };
        if fits { Ok(()) } else { Err(expected) }
    }

    /// The value of a call whose number of arguments has been checked.
    pub(crate) fn build(
        self,
        graph: &mut Graph,
        arguments: &[Expression],
        spans: &[Range<usize>],
    ) -> Result<Expression, FormulaError> {
        let a = arguments;
        Ok(match self {
            Self::Unary(operation) => graph.unary(operation, a[0]),
            Self::Binary(operation) => graph.binary(operation, a[0], a[1]),
            Self::Fold(operation) => fold(graph, operation, a),
            Self::If => graph.select(a[0], a[1], a[2]),
            Self::Clamp => {
                let raised = graph.binary(Binary::Maximum, a[0], a[1]);
                graph.binary(Binary::Minimum, raised, a[2])
            }
            Self::Step => {
                if let (Some(t0), Some(t1)) = (graph.as_constant(a[1]), graph.as_constant(a[3]))
                    && t0 >= t1
                {
                    let message =
                        format!("a step must end after it begins, but {t1} is not after {t0}");
                    return Err(FormulaError::syntax(message, spans[3].clone()));
                }
                graph.step(a[0], (a[1], a[2]), (a[3], a[4]))
            }
            Self::Pulse => {
                let begun = graph.binary(Binary::LessOrEqual, a[1], a[0]);
                let going = graph.binary(Binary::Less, a[0], a[2]);
                let inside = graph.binary(Binary::And, begun, going);
                let (one, zero) = (graph.constant(1.0), graph.constant(0.0));
                graph.select(inside, one, zero)
            }
            Self::Table | Self::TableSlope => {
                let table = table_points(graph, a, spans)?;
                match self {
                    Self::Table => graph.table_value(a[0], table, 0),
                    _ => graph.table_value(a[0], table, 1),
                }
            }
            Self::Named(table, order) => graph.table_value(a[0], table, order),
            Self::NamedGrid(table, orders) => graph.grid_value([a[0], a[1]], table, orders),
        })
    }
}

fn table_points(
    graph: &mut Graph,
    arguments: &[Expression],
    spans: &[Range<usize>],
) -> Result<u32, FormulaError> {
    let mut numbers = Vec::with_capacity(arguments.len());
    for (&argument, span) in arguments.iter().zip(spans).skip(1) {
        match graph.as_constant(argument) {
            Some(value) => numbers.push(value),
            None => {
                let message = "the points of a table must be constant";
                return Err(FormulaError::syntax(message, span.clone()));
            }
        }
    }
    let points: Vec<(f64, f64)> = numbers.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
    graph.intern_table(&points).map_err(|error| match error {
        FormulaError::Table { message, point, .. } => FormulaError::Table {
            message,
            remedy: "write `table(x, x1, y1, x2, y2, …)` with constant points and increasing x",
            point,
            span: spans.get(2 * point + 1).cloned(),
        },
        other => other,
    })
}

impl Graph {
    /// The function or table of this name.
    pub(crate) fn function(&mut self, name: &str) -> Option<Function> {
        if let Some(function) = Function::find(name) {
            return Some(function);
        }
        let tables = self.named_tables.clone();
        let (own, table, orders) = tables.called(name)?;
        let number = self.intern_named_table(own, table);
        Some(match table.arguments() {
            1 => Function::Named(number, orders[0]),
            _ => Function::NamedGrid(number, orders),
        })
    }

    /// The smooth step of the language: f0 up to t0, f1 from t1 on, and f0 + (f1 − f0)·u²(3 − 2u) with
    /// u = (t − t0)/(t1 − t0) between; each end is (time, value).
    pub fn step(
        &mut self,
        t: Expression,
        (t0, f0): (Expression, Expression),
        (t1, f1): (Expression, Expression),
    ) -> Expression {
        let (elapsed, duration) = (self.sub(t, t0), self.sub(t1, t0));
        let u = self.div(elapsed, duration);
        let (two, three) = (self.constant(2.0), self.constant(3.0));
        let square = self.mul(u, u);
        let twice = self.mul(two, u);
        let factor = self.sub(three, twice);
        let part = self.mul(square, factor);
        let height = self.sub(f1, f0);
        let risen = self.mul(height, part);
        let between = self.add(f0, risen);
        let before = self.binary(Binary::LessOrEqual, t, t0);
        let after = self.binary(Binary::LessOrEqual, t1, t);
        let rest = self.select(after, f1, between);
        self.select(before, f0, rest)
    }

    /// The value of a function of the language by its name, such as `call("atan2", &[y, x])`.
    ///
    /// # Errors
    /// As for the same call in a formula; spans count arguments instead of bytes.
    pub fn call(
        &mut self,
        name: &str,
        arguments: &[Expression],
    ) -> Result<Expression, FormulaError> {
        let spans: Vec<Range<usize>> = (0..arguments.len()).map(|k| k..k + 1).collect();
        let function = self
            .function(name)
            .ok_or_else(|| FormulaError::UnknownFunction { name: name.to_owned(), span: 0..0 })?;
        function.check_count(arguments.len()).map_err(|expected| FormulaError::ArgumentCount {
            function: name.to_owned(),
            expected: expected.to_owned(),
            found: arguments.len(),
            span: 0..arguments.len(),
        })?;
        function.build(self, arguments, &spans)
    }
}
