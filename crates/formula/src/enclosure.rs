//! Where the values of a formula of time lie during a while: an enclosure, not samples.

use crate::axis::{Beyond, Interpolation};
use crate::graph::{Expression, Graph, Node};
use crate::interval::Interval;
use crate::operation::{Binary, Unary};
use crate::table::Tabulated;
use std::collections::HashMap;
use std::sync::Arc;

/// A formula of one symbol, to be evaluated over intervals.
#[derive(Clone, Debug)]
pub(crate) struct Enclosure {
    steps: Vec<Step>,
}

#[derive(Clone, Debug)]
enum Step {
    Symbol,
    Number(f64),
    Unary(Unary, usize),
    Binary(Binary, usize, usize),
    Select(usize, usize, usize),
    Table(usize, Arc<Tabulated>, u8),
    /// Nothing is known of it but its values.
    Unknown,
}

/// What an enclosure says of a while.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Enclosed {
    pub range: Interval,
    /// It has no jump there.
    pub continuous: bool,
}

impl Enclosure {
    /// Of an expression in which `t` is the only symbol.
    pub fn new(graph: &Graph, e: Expression, t: Expression) -> Self {
        let mut places: HashMap<Expression, usize> = HashMap::new();
        let mut steps = Vec::new();
        for x in graph.reachable(&[e], |_| false) {
            let at = |operand: Expression| places[&operand];
            let step = match graph.node(x) {
                _ if x == t => Step::Symbol,
                Node::Constant(bits) => Step::Number(f64::from_bits(bits)),
                Node::Unary(operation, a) => Step::Unary(operation, at(a)),
                Node::Binary(operation, a, b) => Step::Binary(operation, at(a), at(b)),
                Node::Select(c, a, b) => Step::Select(at(c), at(a), at(b)),
                Node::Table(a, table, order) => {
                    Step::Table(at(a), graph.tables[table as usize].1.clone(), order)
                }
                Node::Symbol(_) | Node::Grid(..) => Step::Unknown,
            };
            places.insert(x, steps.len());
            steps.push(step);
        }
        Enclosure { steps }
    }

    /// The values from one time to another.
    pub fn over(&self, from: f64, to: f64) -> Enclosed {
        let mut ranges: Vec<Interval> = Vec::with_capacity(self.steps.len());
        let mut continuous = true;
        for step in &self.steps {
            let range = match step {
                Step::Symbol => Interval::new(from, to),
                Step::Number(x) => Interval::point(*x),
                Step::Unary(operation, a) => {
                    let range = ranges[*a].unary(*operation);
                    continuous &= match operation {
                        Unary::Sign | Unary::Floor | Unary::Ceil | Unary::Heaviside => {
                            range.is_point()
                        }
                        Unary::Tan => range.width().is_finite(),
                        _ => true,
                    };
                    range
                }
                Step::Binary(operation, a, b) => {
                    let range = ranges[*a].binary(*operation, ranges[*b]);
                    continuous &= match operation {
                        Binary::Modulo => {
                            let ratio = ranges[*a].binary(Binary::Divide, ranges[*b]);
                            ratio.unary(Unary::Floor).is_point()
                        }
                        Binary::Divide | Binary::Power => range.width().is_finite(),
                        Binary::Atan2 => range.is_point(),
                        _ => true,
                    };
                    range
                }
                Step::Select(c, a, b) => {
                    continuous &= ranges[*c].is_point();
                    ranges[*c].select(ranges[*a], ranges[*b])
                }
                Step::Table(a, table, order) => table_range(table, ranges[*a], *order),
                Step::Unknown => Interval::ALL,
            };
            // comparisons and whole parts are exact
            let exact = range.is_point();
            ranges.push(if exact { range } else { range.wider() });
        }
        let range = ranges.last().copied().unwrap_or(Interval::ALL);
        Enclosed { range, continuous }
    }

    /// The value at a time.
    pub fn at(&self, t: f64) -> f64 {
        let range = self.over(t, t).range;
        0.5 * (range.low + range.high)
    }
}

/// Values or derivatives of a curve: from those at the ends and at the points between; between points a cubic stays within
/// its control points, and the derivatives of straight pieces and monotone curves within those at their ends.
fn table_range(table: &Tabulated, x: Interval, order: u8) -> Interval {
    if x.is_point() {
        return Interval::point(table.derivative(x.low, order));
    }
    let [first, last] = table.x().ends();
    let repeats = table.x().beyond() == Beyond::Repeat;
    if !(x.low.is_finite() && x.high.is_finite()) || (repeats && x.width() >= last - first) {
        if order == 0 && (repeats || table.x().beyond() == Beyond::Hold) {
            return table_range(table, Interval::new(first, last), 0);
        }
        return Interval::ALL;
    }
    if repeats
        && ((x.low - first) / (last - first)).floor() != ((x.high - first) / (last - first)).floor()
    {
        return table_range(table, Interval::new(first, last), order);
    }
    let shift = match repeats {
        true => ((x.low - first) / (last - first)).floor() * (last - first),
        false => 0.0,
    };
    let (low, high) = (x.low - shift, x.high - shift);
    let inside = table.x().points().iter().copied().filter(|p| low < *p && *p < high);
    let places: Vec<f64> = std::iter::once(low).chain(inside).chain([high]).collect();
    let mut range = Interval::new(f64::INFINITY, f64::NEG_INFINITY);
    for pair in places.windows(2) {
        // derivatives are those of the piece just inside of its ends
        let inset = if order == 0 { 0.0 } else { 1e-9 * (pair[1] - pair[0]) };
        let (a, b) = (pair[0] + inset, pair[1] - inset);
        let (fa, fb) = (table.derivative(a, order), table.derivative(b, order));
        range = range.hull(Interval::new(fa.min(fb), fa.max(fb)));
        if table.interpolation() == Interpolation::Linear {
            continue;
        }
        let third = (b - a) / 3.0;
        for control in [
            fa + third * table.derivative(a, order + 1),
            fb - third * table.derivative(b, order + 1),
        ] {
            range = range.hull(Interval::point(control));
        }
    }
    range
}

#[cfg(test)]
mod tests {
    use super::*;

    fn enclosure(text: &str) -> (Graph, Enclosure, Expression, Expression) {
        let mut graph = Graph::new();
        let t = graph.symbol("t");
        let e = graph.parse_free(text).unwrap();
        let enclosure = Enclosure::new(&graph, e, t);
        (graph, enclosure, e, t)
    }

    #[test]
    fn everything_between_lies_within() {
        let texts = [
            "sin(3*t)*cos(t) - t^3/(2 + t^2)",
            "1000*exp(-((t - 0.3)/0.01)^2)",
            "max(0, 1 - abs(t - 0.5)/0.1) + min(t, 0.2)",
            "if(mod(t, 0.7) > 0.4, sin(t), -2) + floor(5*t) - ceil(t)",
            "table(t, 0, 0, 0.3, 2, 0.9, -1) + table(sin(9*t), -1, 0, 0, 1, 1, 0)",
            "atan2(t - 0.5, 0.2) + hypot(t, 1 - t) + sqrt(t + 1) + log(t + 2) + t^-2 + cbrt(t - 0.5)",
            "tan(4*t) + sign(t - 0.4)*heaviside(t - 0.6) + (1 + t)^t + tanh(t) + acos(t/3)",
            "step(t, 0.2, 0, 0.5, 4) + pulse(t, 0.3, 0.6)",
        ];
        for text in texts {
            let (graph, enclosure, e, t) = enclosure(text);
            for (from, to) in [(0.0, 1.0), (0.29, 0.31), (-2.0, 5.0), (0.5, 0.5)] {
                let Interval { low, high } = enclosure.over(from, to).range;
                for k in 0..=200 {
                    let at = from + (to - from) * k as f64 / 200.0;
                    let value = graph.evaluate(e, &[(t, at)]);
                    assert!(
                        value.is_nan() || (low <= value && value <= high),
                        "{text} at {at}: {value} {low} {high}"
                    );
                }
            }
        }
    }

    #[test]
    fn short_whiles_have_narrow_ranges() {
        let (_, enclosure, ..) = enclosure("sin(3*t)*cos(t) + t^2");
        let range = enclosure.over(1.0, 1.0 + 1e-6).range;
        assert!(range.width() < 2e-5, "{range:?}");
        assert!(enclosure.over(0.0, 1.0).continuous);
    }
}
