//! Instants at which formulas of time alone jump, found as they come near, and how fast such formulas change.
//!
//! Where a condition changes is a question about all times of a while, which samples do not answer: enclosures do. A while
//! in which a function keeps its sign, or one in which it grows or falls throughout, is settled; any other is halved.
//! [Moore 1966]

use crate::enclosure::Enclosure;
use crate::graph::{Expression, Graph, Node};
use crate::operation::{Binary, Unary};

/// Whiles that are looked at in one search: a formula that swings faster than that is nobody's.
const MOST_WHILES: usize = 20_000;
/// Parts of a step in which a formula of time is compared with the curve through five of its values.
const FIT: usize = 4;
/// How far it may be from that curve, as a part of its range in the step, and as a part of the largest value it has had.
const FITS: f64 = 0.1;
const SMALL: f64 = 1e-3;
/// Whiles of a step that are looked at to find where a formula departs.
const MOST_LOOKS: usize = 400;

/// What makes formulas of time jump at times that no list can name.
#[derive(Clone, Debug, Default)]
pub struct Instants {
    changes: Vec<Change>,
    terms: Vec<Term>,
}

/// Something that jumps where a function of time changes its sign, or passes a whole number.
#[derive(Clone, Debug)]
struct Change {
    value: Enclosure,
    slope: Enclosure,
    whole: bool,
    /// `a + b t`, if it is that.
    line: Option<(f64, f64)>,
}

/// A formula of time alone that forces are made of.
#[derive(Clone, Debug)]
struct Term {
    value: Enclosure,
    /// The largest size it has had.
    largest: f64,
}

impl Graph {
    /// What makes the roots jump at times that [`jump_times`](Self::jump_times) does not list: conditions and signs of curved
    /// functions of time, and whole parts.
    pub fn instants(&mut self, roots: &[Expression], t: Expression) -> Instants {
        let everything = self.reachable(roots, |_| false);
        let lines = self.lines(&everything, t);
        let mut alone: Vec<bool> = Vec::new();
        let place = |e: Expression, all: &[Expression]| all.binary_search(&e).unwrap_or(usize::MAX);
        for &e in &everything {
            let node = self.node(e);
            let operands = node.operands().all(|x| alone[place(x, &everything)]);
            alone.push(operands && (!self.is_symbol(e) || e == t));
        }
        let of_time = |e: Expression| alone[place(e, &everything)];
        let mut functions: Vec<(Expression, bool)> = Vec::new();
        for &e in everything.iter().filter(|&&e| of_time(e)) {
            let found = match self.node(e) {
                Node::Unary(Unary::Sign | Unary::Heaviside, a) => Some((a, false)),
                Node::Unary(Unary::Floor | Unary::Ceil, a) => Some((a, true)),
                Node::Binary(Binary::Modulo, a, b) => Some((self.div(a, b), true)),
                Node::Binary(Binary::Less | Binary::LessOrEqual, a, b) => {
                    // those of lines are in the list
                    let listed = lines.contains_key(&a) && lines.contains_key(&b);
                    (!listed).then(|| (self.sub(a, b), false))
                }
                _ => None,
            };
            functions.extend(found);
        }
        let own = |graph: &Self, e: Expression| {
            let all = graph.reachable(&[e], |_| false);
            graph.lines(&all, t).get(&e).copied()
        };
        let mut changes = Vec::new();
        for (function, whole) in functions {
            let line = own(self, function);
            // a constant never changes, and the zeros of lines are in the list
            if line.is_some_and(|(_, rate)| rate == 0.0 || !whole) {
                continue;
            }
            let slope = self.derivative(function, t);
            changes.push(Change {
                value: Enclosure::new(self, function, t),
                slope: Enclosure::new(self, slope, t),
                whole,
                line,
            });
        }
        let terms = self.terms_of_time(&everything, &alone, roots);
        let terms = terms.into_iter().filter(|e| !lines.contains_key(e));
        let term = |e| Term { value: Enclosure::new(self, e, t), largest: 0.0 };
        Instants { changes, terms: terms.map(term).collect() }
    }

    /// The largest parts that depend on time alone.
    fn terms_of_time(
        &self,
        everything: &[Expression],
        alone: &[bool],
        roots: &[Expression],
    ) -> Vec<Expression> {
        let mut tops = vec![false; everything.len()];
        let mut mark = |e: Expression| {
            if let Ok(k) = everything.binary_search(&e) {
                tops[k] = alone[k];
            }
        };
        roots.iter().for_each(|&root| mark(root));
        for (k, &e) in everything.iter().enumerate() {
            if !alone[k] {
                self.node(e).operands().for_each(&mut mark);
            }
        }
        let chosen = everything.iter().zip(tops).filter(|(_, top)| *top);
        chosen.map(|(e, _)| *e).collect()
    }
}

impl Instants {
    /// Whether there is nothing of that kind.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.terms.is_empty()
    }

    /// Takes those of other formulas in.
    pub fn add(&mut self, other: Instants) {
        self.changes.extend(other.changes);
        self.terms.extend(other.terms);
    }

    /// The first instant after one time, up to another, at which something jumps.
    pub fn next(&self, after: f64, until: f64) -> Option<f64> {
        let mut until = until;
        let mut first = None;
        for change in &self.changes {
            if let Some(found) = change.first(after, until) {
                first = Some(found);
                until = found;
            }
        }
        first
    }

    /// How far a step from one time towards another may go, so that its ends and what lies between them show what formulas
    /// of time do within it.
    pub fn resolved(&mut self, from: f64, to: f64) -> f64 {
        let mut end = to;
        for term in &mut self.terms {
            while let Some(departs) = term.departs(from, end) {
                // at the departure itself nothing is seen yet: a little beyond
                let shorter = from + 1.05 * (departs - from);
                end =
                    if shorter < from + 0.5 * (end - from) { shorter } else { 0.5 * (from + end) };
                if !(end - from > 1e-12 * (to - from)) || end <= from {
                    return to;
                }
            }
        }
        end
    }
}

impl Change {
    fn first(&self, after: f64, until: f64) -> Option<f64> {
        if let Some((start, rate)) = self.line {
            // whole numbers that a line passes
            let at = start + rate * after;
            let next = if rate > 0.0 { at.floor() + 1.0 } else { at.ceil() - 1.0 };
            let mut t = (next - start) / rate;
            if t <= after {
                t = (next + rate.signum() - start) / rate;
            }
            return (t <= until).then_some(t);
        }
        let mut left = MOST_WHILES;
        self.search(after, until, &mut left)
    }

    /// What stays the same until something jumps.
    fn cell(&self, x: f64) -> f64 {
        match self.whole {
            true => x.floor(),
            false => f64::from(u8::from(x > 0.0)),
        }
    }

    fn search(&self, from: f64, to: f64, left: &mut usize) -> Option<f64> {
        *left = left.checked_sub(1)?;
        let seen = self.value.over(from, to);
        if self.cell(seen.range.low) == self.cell(seen.range.high) {
            return None;
        }
        let same = || self.cell(self.value.at(from)) == self.cell(self.value.at(to));
        let middle = 0.5 * (from + to);
        if middle <= from || middle >= to {
            return (!same()).then_some(to);
        }
        if seen.continuous {
            let slope = self.slope.over(from, to).range;
            if (slope.low > 0.0 || slope.high < 0.0) && same() {
                return None;
            }
        }
        self.search(from, middle, left).or_else(|| self.search(middle, to, left))
    }
}

impl Term {
    /// The time at which it leaves the curve through five of its values in a while.
    fn departs(&mut self, from: f64, to: f64) -> Option<f64> {
        let h = to - from;
        let node = |k: usize| k as f64 / FIT as f64;
        let values: Vec<f64> = (0..=FIT).map(|k| self.value.at(from + h * node(k))).collect();
        let mut low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let mut high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // what is undefined is for others to report
        if !(low.is_finite() && high.is_finite()) {
            return None;
        }
        self.largest = self.largest.max(low.abs()).max(high.abs());
        // parts in which it may be anywhere are halved until their values are known to lie among those seen
        let mut open: Vec<(f64, f64)> = vec![(0.0, 1.0)];
        let mut samples: Vec<(f64, f64)> = Vec::new();
        let mut looks = 0;
        while let Some((a, b)) = open.pop() {
            looks += 1;
            if looks > MOST_LOOKS {
                break;
            }
            let range = self.value.over(from + h * a, from + h * b).range;
            let margin = FITS * (high - low) + SMALL * self.largest;
            if range.low >= low - margin && range.high <= high + margin {
                continue;
            }
            let s = 0.5 * (a + b);
            let value = self.value.at(from + h * s);
            if !value.is_finite() {
                return None;
            }
            self.largest = self.largest.max(value.abs());
            (low, high) = (low.min(value), high.max(value));
            samples.push((s, value));
            if b - a > 1e-9 {
                open.push((s, b));
                open.push((a, s));
            }
        }
        let margin = FITS * (high - low) + SMALL * self.largest;
        let off = |&&(s, value): &&(f64, f64)| (value - quartic(&values, s)).abs() > margin;
        let first = samples.iter().filter(off).map(|(s, _)| *s).fold(f64::INFINITY, f64::min);
        first.is_finite().then_some(from + h * first)
    }
}

/// The curve through equally spaced values at `s` from 0 to 1 (Lagrange).
fn quartic(values: &[f64], s: f64) -> f64 {
    let at = |k: usize| k as f64 / (values.len() - 1) as f64;
    let weight = |k: usize| {
        let others = (0..values.len()).filter(|&j| j != k);
        others.map(|j| (s - at(j)) / (at(k) - at(j))).product::<f64>()
    };
    values.iter().enumerate().map(|(k, value)| weight(k) * value).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn instants(text: &str) -> Instants {
        let mut graph = Graph::new();
        let t = graph.symbol("t");
        let root = graph.parse_free(text).unwrap();
        graph.instants(&[root], t)
    }

    fn all(text: &str, until: f64) -> Vec<f64> {
        let instants = instants(text);
        let (mut t, mut times) = (0.0, Vec::new());
        while let Some(next) = instants.next(t, until) {
            assert!(next > t, "{text}: {next} follows {t}");
            times.push(next);
            t = next;
        }
        times
    }

    #[test]
    fn jumps_of_curved_conditions_are_found() {
        assert_eq!(all("floor(t)", 3.5), [1.0, 2.0, 3.0]);
        assert_eq!(all("x*mod(t, 0.5)", 1.2), [0.5, 1.0]);
        let times = all("if(mod(t, 10) > 9.99, 1000, 0)", 30.0);
        let expected = [9.99, 10.0, 19.99, 20.0, 29.99, 30.0];
        assert_eq!(times.len(), 6, "{times:?}");
        assert!(times.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-13), "{times:?}");
        let half = 0.9999_f64.acos() / std::f64::consts::TAU;
        let times = all("if(sin(2*pi*t) > 0.9999, 1000, 0)", 3.0);
        let expected: Vec<f64> =
            (0..3).flat_map(|k| [-half, half].map(|d| k as f64 + 0.25 + d)).collect();
        assert_eq!(times.len(), 6, "{times:?}");
        assert!(times.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{times:?}");
        assert_eq!(all("sign(t^2 - 4)", 9.0).len(), 1);
        // never, though it comes near; and what is listed elsewhere
        assert_eq!(all("if(sin(t) > 1.0000001, 1, 0)", 50.0), []);
        assert_eq!(all("if(t > 2, 1, 0) + sign(t - 3) + sign(x - t)", 50.0), []);
    }

    #[test]
    fn pulses_shorten_the_step_that_would_miss_them() {
        for text in ["1000*exp(-((t - 50.3)/0.01)^2)", "1000*max(0, 1 - abs(t - 50.3)/0.01) + 3"] {
            let mut pulse = instants(text);
            let (mut t, mut seen) = (0.0, 0);
            while t < 100.0 {
                t = pulse.resolved(t, t + 2.0);
                seen += usize::from((t - 50.3).abs() < 0.015);
            }
            assert!((4..40).contains(&seen), "{text}: {seen} steps end in the pulse");
            assert_eq!(pulse.resolved(10.0, 30.0), 30.0, "{text}");
        }
        // what steps follow anyway is left alone
        let mut wave = instants("3*sin(2*t) + cos(t)*exp(-t) + x");
        for k in 0..50 {
            let from = 0.37 * k as f64;
            assert_eq!(wave.resolved(from, from + 0.5), from + 0.5);
        }
    }
}
