//! Times at which formulas jump.

use crate::graph::{Expression, Graph, Node};
use crate::operation::{Binary, Unary};
use std::collections::HashMap;

/// Two branches that agree to this part of their size do not jump.
const SAME: f64 = 1e-12;

impl Graph {
    /// The times at which the values of the roots jump because of a condition, `sign`, `heaviside` or a derivative of a
    /// table whose argument is `a + b t` with numbers a and b; increasing. Jumps at times that depend on anything else are not
    /// found, nor are the endlessly many of `floor`, `ceil` and `mod`: those of time alone are in the
    /// [`Timetable`](crate::Timetable).
    pub fn jump_times(&self, roots: &[Expression], t: Expression) -> Vec<f64> {
        let everything = self.reachable(roots, |_| false);
        let lines = self.lines(&everything, t);
        let crossing = |e: Expression| zero(lines.get(&e).copied());
        let mut times = Vec::new();
        for &e in &everything {
            match self.node(e) {
                Node::Unary(Unary::Sign | Unary::Heaviside, a) => times.extend(crossing(a)),
                Node::Table(a, table, order) => {
                    if let Some((start, rate)) = lines.get(&a).copied() {
                        let jumps = self.tables[table as usize].1.jumps(order);
                        times.extend(jumps.iter().filter_map(|x| zero(Some((start - x, rate)))));
                    }
                }
                Node::Select(condition, a, b) => {
                    let changes = self.changes(condition, &lines);
                    times.extend(changes.into_iter().filter(|&time| self.differ(a, b, t, time)));
                }
                _ => {}
            }
        }
        times.retain(|time| time.is_finite());
        times.sort_by(f64::total_cmp);
        times.dedup();
        times
    }

    /// Whether an expression is `a + b t`.
    pub(crate) fn is_line(&self, e: Expression, t: Expression) -> bool {
        self.lines(&self.reachable(&[e], |_| false), t).contains_key(&e)
    }

    /// Every expression that is `a + b t`, as (a, b).
    pub(crate) fn lines(
        &self,
        everything: &[Expression],
        t: Expression,
    ) -> HashMap<Expression, (f64, f64)> {
        let mut lines: HashMap<Expression, (f64, f64)> = HashMap::new();
        for &e in everything {
            let of = |operand: Expression| lines.get(&operand).copied();
            let line = match self.node(e) {
                _ if e == t => Some((0.0, 1.0)),
                Node::Constant(bits) => Some((f64::from_bits(bits), 0.0)),
                Node::Unary(Unary::Negate, a) => of(a).map(|(a, b)| (-a, -b)),
                Node::Binary(operation, x, y) => of(x).zip(of(y)).and_then(|(x, y)| {
                    Some(match operation {
                        Binary::Add => (x.0 + y.0, x.1 + y.1),
                        Binary::Subtract => (x.0 - y.0, x.1 - y.1),
                        Binary::Multiply if y.1 == 0.0 => (x.0 * y.0, x.1 * y.0),
                        Binary::Multiply if x.1 == 0.0 => (x.0 * y.0, x.0 * y.1),
                        Binary::Divide if y.1 == 0.0 => (x.0 / y.0, x.1 / y.0),
                        _ => return None,
                    })
                }),
                _ => None,
            };
            if let Some(line) = line {
                lines.insert(e, line);
            }
        }
        lines
    }

    /// Times at which a condition may change.
    fn changes(&self, condition: Expression, lines: &HashMap<Expression, (f64, f64)>) -> Vec<f64> {
        let mut times = Vec::new();
        let mut open = vec![condition];
        while let Some(e) = open.pop() {
            match self.node(e) {
                Node::Binary(Binary::Less | Binary::LessOrEqual, a, b) => {
                    let pair = lines.get(&a).zip(lines.get(&b));
                    times.extend(zero(pair.map(|(a, b)| (a.0 - b.0, a.1 - b.1))));
                }
                Node::Binary(Binary::And | Binary::Or, a, b) => open.extend([a, b]),
                Node::Unary(Unary::Not, a) => open.push(a),
                _ => {}
            }
        }
        times
    }

    /// Whether two branches differ at a time; those that depend on more than time may always differ.
    fn differ(&self, a: Expression, b: Expression, t: Expression, time: f64) -> bool {
        let values = [a, b].map(|branch| {
            let alone = self.symbols_of(branch).iter().all(|&symbol| symbol == t);
            alone.then(|| self.evaluate(branch, &[(t, time)]))
        });
        match values {
            [Some(a), Some(b)] => (a - b).abs() > SAME * a.abs().max(b.abs()),
            _ => a != b,
        }
    }
}

/// Where `a + b t` vanishes.
fn zero(line: Option<(f64, f64)>) -> Option<f64> {
    line.filter(|(_, rate)| *rate != 0.0).map(|(start, rate)| -start / rate)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Jump times of a formula and its first `order` derivatives.
    fn jumps(text: &str, order: usize) -> Vec<f64> {
        let mut graph = Graph::new();
        let t = graph.symbol("t");
        let mut roots = vec![graph.parse_free(text).unwrap()];
        for k in 0..order {
            let next = graph.derivative(roots[k], t);
            roots.push(next);
        }
        graph.jump_times(&roots, t)
    }

    #[test]
    fn jumps_of_the_value() {
        let table: [(&str, &[f64]); 10] = [
            ("if(t < 0.3, 0, 5)", &[0.3]),
            ("heaviside(2*t - 1)*x", &[0.5]),
            ("sign(1 - t/4)", &[4.0]),
            ("pulse(t, 1, 2)", &[1.0, 2.0]),
            ("if(t > 1 and not t >= 3, x, 0)", &[1.0, 3.0]),
            // continuous ones
            ("step(t, 1, 0, 2, 5)", &[]),
            ("abs(t - 1) + max(t, 2)", &[]),
            ("table(t, 0, 0, 1, 1, 2, 0)", &[]),
            // at times that are not known
            ("if(x < t, 0, 1) + sign(x - t)", &[]),
            ("sign(t^2 - 4)", &[]),
        ];
        for (text, expected) in table {
            assert_eq!(jumps(text, 0), expected, "{text}");
        }
    }

    #[test]
    fn jumps_of_derivatives() {
        assert_eq!(jumps("abs(t - 1) + max(t, 2)", 1), [1.0, 2.0]);
        assert_eq!(jumps("table(2*t, 0, 0, 1, 1, 2, 0, 3, -1)", 1), [0.5]);
        // the smooth step has a continuous slope, its curvature jumps
        assert_eq!(jumps("step(t, 1, 0, 2, 5)", 1), [] as [f64; 0]);
        assert_eq!(jumps("step(t, 1, 0, 2, 5)", 2), [1.0, 2.0]);
    }
}
