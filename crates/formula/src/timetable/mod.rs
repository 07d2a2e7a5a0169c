//! What happens in formulas at times that can be known in advance: jumps, and pulses that are short beside what goes on around
//! them.
//!
//! ```text
//! a jump is where the argument of a condition, of `sign`, `floor`, `mod`, … crosses zero or a whole number
//! bounds of the argument between two times that hold no such number: no jump; else both halves are looked at
//! a pulse is where bounds of a term exceed what is seen of it at a few times: halves are looked at until nothing is unseen
//! ```
//!
//! Bounds come from arithmetic of intervals, so that nothing is missed, however short it is.
//!
//! | file | content |
//! |---|---|
//! | `interval` | bounds of operations |
//! | `tape` | expressions of time |

mod interval;
mod tape;

use crate::graph::{Expression, Graph, Node};
use crate::operation::{Binary, Unary};
use interval::Interval;
use std::collections::HashMap;
use tape::Tape;

/// Most bounds that are worked out for one term.
const MOST_BOUNDS: usize = 4_000_000;
/// Most jumps of one term.
const MOST_JUMPS: usize = 50_000;
/// Times nearer to each other than this part of the span are told apart by the numbers themselves.
const NARROW: f64 = 1e-10;
/// Rounding of arguments, relative to the largest number that they are made of.
const ROUNDING: f64 = 1e-14;
/// A short pulse varies so many times faster than the mean over the run.
const STEEP: f64 = 10.0;
/// It is looked for within so many of its parts.
const AHEAD: f64 = 4.0;
/// Of the range of a term in the whole span, what may stay unseen in a part of it.
const UNSEEN: f64 = 0.05;
/// Looks at a term in each part of the span.
const LOOKS: usize = 5;
/// Parts into which the span is not divided further.
const FINEST: f64 = 1e-7;

/// From a time on a term varies within a time that is much shorter than before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Feature {
    /// When it begins.
    pub at: f64,
    /// The time within which it can be seen to vary.
    pub within: f64,
}

/// What happens in some formulas at times that can be known.
#[derive(Clone, Debug)]
pub struct Timetable {
    switches: Vec<Switch>,
    terms: Vec<Tape>,
}

/// An argument whose value decides.
#[derive(Clone, Debug)]
struct Switch {
    argument: Tape,
    /// It decides by its whole part, else by its sign.
    whole: bool,
    /// Between these it decides: none if it always counts.
    between: Option<[Tape; 2]>,
}

impl Timetable {
    /// What can be known of some formulas; none if nothing.
    pub fn new(graph: &mut Graph, roots: &[Expression], t: Expression) -> Option<Self> {
        let everything = graph.reachable(roots, |_| false);
        let mut of_time: HashMap<Expression, bool> = HashMap::new();
        for &e in &everything {
            let own = match graph.node(e) {
                Node::Symbol(_) => e == t,
                node => node.operands().all(|operand| of_time[&operand]),
            };
            of_time.insert(e, own);
        }
        let varies = |graph: &Graph, e: Expression| of_time[&e] && graph.depends_on(e, t);
        let mut arguments: Vec<(Expression, bool, Option<[Expression; 2]>)> = Vec::new();
        for &e in &everything {
            match graph.node(e) {
                Node::Unary(Unary::Sign | Unary::Heaviside, a) if varies(graph, a) => {
                    arguments.push((a, false, None));
                }
                Node::Unary(Unary::Floor | Unary::Ceil, a) if varies(graph, a) => {
                    arguments.push((a, true, None));
                }
                Node::Binary(Binary::Modulo, a, b)
                    if varies(graph, a) && graph.as_constant(b).is_some() =>
                {
                    arguments.push((graph.div(a, b), true, None));
                }
                Node::Select(condition, a, b) => {
                    let mut open = vec![condition];
                    while let Some(e) = open.pop() {
                        match graph.node(e) {
                            Node::Binary(Binary::Less | Binary::LessOrEqual, x, y)
                                if of_time[&x] && of_time[&y] =>
                            {
                                let known = (of_time[&a] && of_time[&b]).then_some([a, b]);
                                arguments.push((graph.sub(x, y), false, known));
                            }
                            node => open.extend(node.operands()),
                        }
                    }
                }
                _ => {}
            }
        }
        // jumps along straight lines are known for all times
        let lines = graph.lines(&graph.reachable(&all_of(&arguments), |_| false), t);
        arguments
            .retain(|(e, whole, _)| graph.depends_on(*e, t) && (*whole || !lines.contains_key(e)));
        let switch = |(e, whole, between): &(Expression, bool, Option<[Expression; 2]>)| Switch {
            argument: Tape::new(graph, *e),
            whole: *whole,
            between: between.map(|both| both.map(|e| Tape::new(graph, e))),
        };
        let switches: Vec<Switch> = arguments.iter().map(switch).collect();
        let terms: Vec<Tape> = largest_terms(graph, roots, &of_time)
            .into_iter()
            .filter(|e| graph.depends_on(*e, t) && !graph.is_line(*e, t))
            .map(|e| Tape::new(graph, e))
            .collect();
        (!switches.is_empty() || !terms.is_empty()).then_some(Timetable { switches, terms })
    }

    /// The jumps between two times, besides those along straight lines of time, in their order: each as a time just before and one
    /// just after it, which rounding in the formula does not confuse. Of what jumps without end only the first ones.
    pub fn jumps(&self, [from, to]: [f64; 2]) -> Vec<[f64; 2]> {
        let mut times = Vec::new();
        for switch in &self.switches {
            switch.jumps(Interval::new(from, to), &mut times);
        }
        times.sort_by(|a, b| a[0].total_cmp(&b[0]));
        times.dedup();
        times
    }

    /// Where, between two times, terms begin to vary within much shorter times than before.
    pub fn features(&self, [from, to]: [f64; 2]) -> Vec<Feature> {
        let mut features = Vec::new();
        for term in &self.terms {
            features.extend(features_of(term, Interval::new(from, to)));
        }
        features.sort_by(|a, b| a.at.total_cmp(&b.at));
        features
    }
}

fn all_of(arguments: &[(Expression, bool, Option<[Expression; 2]>)]) -> Vec<Expression> {
    arguments.iter().map(|(e, ..)| *e).collect()
}

/// The largest expressions that depend on time alone.
fn largest_terms(
    graph: &Graph,
    roots: &[Expression],
    of_time: &HashMap<Expression, bool>,
) -> Vec<Expression> {
    let mut found = Vec::new();
    let mut open = roots.to_vec();
    let mut seen = std::collections::HashSet::new();
    while let Some(e) = open.pop() {
        if !seen.insert(e) {
            continue;
        }
        match of_time[&e] {
            true => found.push(e),
            false => open.extend(graph.node(e).operands()),
        }
    }
    found
}

impl Switch {
    /// Adds the times at which it decides anew.
    fn jumps(&self, span: Interval, times: &mut Vec<[f64; 2]>) {
        let (mut scratch, most) = (Vec::new(), times.len() + MOST_JUMPS);
        let narrow = NARROW * span.width();
        let mut open = vec![span];
        for _ in 0..MOST_BOUNDS {
            let Some(part) = open.pop() else { return };
            let bounds = self.argument.bounds(part, &mut scratch);
            let decided = match self.whole {
                true => bounds.low.floor() == bounds.high.floor(),
                false => !bounds.contains(0.0) || bounds == Interval::point(0.0),
            };
            if decided || times.len() >= most {
                continue;
            }
            let middle = 0.5 * (part.low + part.high);
            if part.width() > narrow && middle > part.low && middle < part.high {
                open.extend([Interval::new(middle, part.high), Interval::new(part.low, middle)]);
            } else if self.side(part.low, &mut scratch) != self.side(part.high, &mut scratch) {
                let time = self.first_on_other_side(part, &mut scratch);
                if self.counts(time, &mut scratch) {
                    times.push(self.certain(time, narrow, &mut scratch));
                }
            }
        }
    }

    fn side(&self, t: f64, scratch: &mut Vec<Interval>) -> i64 {
        let value = self.argument.bounds(Interval::point(t), scratch).low;
        if self.whole { value.floor() as i64 } else { i64::from(value > 0.0) }
    }

    /// The first number at which the side is no longer that of the start.
    fn first_on_other_side(&self, part: Interval, scratch: &mut Vec<Interval>) -> f64 {
        let (mut low, mut high) = (part.low, part.high);
        let side = self.side(low, scratch);
        loop {
            let middle = 0.5 * (low + high);
            if !(middle > low && middle < high) {
                return high;
            }
            if self.side(middle, scratch) == side { low = middle } else { high = middle }
        }
    }

    /// Times before and after a jump at which the argument is farther from it than rounding.
    fn certain(&self, time: f64, narrow: f64, scratch: &mut Vec<Interval>) -> [f64; 2] {
        let mut clear = |t: f64| {
            let value = self.argument.bounds(Interval::point(t), scratch).low;
            let sizes = scratch.iter().map(|value| value.low.abs()).filter(|size| size.is_finite());
            let off = if self.whole { (value - value.round()).abs() } else { value.abs() };
            off > ROUNDING * sizes.fold(0.0, f64::max)
        };
        [-1.0, 1.0].map(|side| {
            let mut away = 4.0 * (time.next_up() - time);
            while away < narrow && !clear(time + side * away) {
                away *= 2.0;
            }
            time + side * away
        })
    }

    /// Whether branches differ at a time.
    fn counts(&self, t: f64, scratch: &mut Vec<Interval>) -> bool {
        let Some(between) = &self.between else { return true };
        let [a, b] = between.each_ref().map(|tape| tape.bounds(Interval::point(t), scratch).low);
        (a - b).abs() > 1e-9 * a.abs().max(b.abs())
    }
}

/// Where a term begins to vary within shorter times.
fn features_of(term: &Tape, span: Interval) -> Vec<Feature> {
    let mut scratch = Vec::new();
    let mut look = |part: Interval| {
        let bounds = term.bounds(part, &mut scratch);
        let at = |k: usize| part.low + part.width() * k as f64 / (LOOKS - 1) as f64;
        let seen = (0..LOOKS).map(|k| term.bounds(Interval::point(at(k)), &mut scratch).low);
        (bounds, Interval::hull(seen.collect::<Vec<f64>>()))
    };
    // what the term does in the whole span, by what is seen on the way
    let (_, mut range) = look(span);
    // parts, and what is seen in them
    let mut leaves: Vec<(Interval, Interval)> = Vec::new();
    let mut open = vec![span];
    for _ in 0..MOST_BOUNDS / 100 {
        let Some(part) = open.pop() else { break };
        let (bounds, seen) = look(part);
        range = if seen.width().is_finite() { range.join(seen) } else { range };
        let unseen = (bounds.high - seen.high).max(seen.low - bounds.low);
        // bounds are wider than what happens: those of a part that is seen to vary need not be met
        let hidden = unseen > UNSEEN * range.width() && unseen > 0.5 * seen.width();
        if hidden && part.width() > FINEST * span.width() {
            let middle = 0.5 * (part.low + part.high);
            open.extend([Interval::new(middle, part.high), Interval::new(part.low, middle)]);
        } else {
            leaves.push((part, seen));
        }
    }
    if !open.is_empty() || !range.width().is_finite() {
        // too much happens to be listed: errors of steps must see it
        return Vec::new();
    }
    // Bounds of a smooth motion may be wide too: what counts is what is seen to vary.
    let steep = |k: usize| {
        let first = leaves[k].0;
        let end = first.low + AHEAD * first.width();
        let near: Vec<_> = leaves[k..].iter().take_while(|(part, _)| part.low < end).collect();
        let seen = near.iter().fold(leaves[k].1, |all, (_, seen)| all.join(*seen));
        let width = near.last().map_or(first, |(part, _)| *part).high - first.low;
        seen.width() * span.width() > STEEP * range.width() * width
    };
    let shorter = |k: usize| k == 0 || leaves[k].0.width() < 0.6 * leaves[k - 1].0.width();
    let begins = (0..leaves.len()).filter(|&k| shorter(k) && steep(k));
    begins.map(|k| Feature { at: leaves[k].0.low, within: leaves[k].0.width() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timetable(text: &str) -> Option<Timetable> {
        let mut graph = Graph::new();
        let t = graph.symbol("t");
        let root = graph.parse_free(text).unwrap();
        Timetable::new(&mut graph, &[root], t)
    }

    #[test]
    fn jumps_of_periodic_conditions_are_found() {
        let found = timetable("if(mod(t, 10) > 9.99, 1000, 0)").unwrap().jumps([0.0, 100.0]);
        let mut expected = Vec::new();
        for k in 0..10 {
            expected.extend([10.0 * k as f64 + 9.99, 10.0 * k as f64 + 10.0]);
        }
        let found_at =
            |b: &f64| found.iter().any(|[low, high]| low < b && b < high && high - low < 1e-11);
        assert!(expected.iter().all(found_at), "{found:?}");
        let found = timetable("x*if(sin(2*pi*t) > 0.9999, 1000, 0)").unwrap().jumps([0.0, 100.0]);
        assert_eq!(found.len(), 200);
        let half = 0.9999f64.acos() / std::f64::consts::TAU;
        for (k, pair) in found.chunks(2).enumerate() {
            let middle = k as f64 + 0.25;
            for ([low, high], exact) in pair.iter().zip([middle - half, middle + half]) {
                assert!(low - 1e-12 < exact && exact < high + 1e-12 && high - low < 1e-9);
            }
        }
        // what is continuous, or known for all times, or not known
        for text in ["if(t^2 > 4, 2, t^2/2)", "sign(t - 3)", "if(x < sin(t), 0, 1)"] {
            assert!(
                timetable(text).is_none_or(|table| table.jumps([0.0, 10.0]).is_empty()),
                "{text}"
            );
        }
        assert!(timetable("if(t^2 > 4, 2, t)").unwrap().jumps([0.0, 10.0]).is_empty());
        let whole = timetable("floor(t/3)").unwrap().jumps([0.0, 10.0]);
        assert!(
            whole.len() == 3
                && whole.iter().zip([3.0, 6.0, 9.0]).all(|(j, t)| j[0] < t && t < j[1])
        );
    }

    #[test]
    fn short_pulses_are_found_however_short() {
        for (text, width) in [
            ("1000*exp(-((t-50.3)/0.01)^2)", 0.01),
            ("x + 1000*max(0, 1 - abs(t-50.3)/0.01)", 0.01),
            ("1000*exp(-((t-50.3)/0.0001)^2)", 0.0001),
        ] {
            let found = timetable(text).unwrap().features([0.0, 100.0]);
            let near = |f: &Feature| (f.at - 50.3).abs() < 4.0 * width && f.within < 4.0 * width;
            assert!(found.iter().any(near), "{text}: {found:?}");
            assert!(found.len() < 60, "{text}: {}", found.len());
        }
        // what goes on all the time is seen by anyone
        assert!(timetable("100*sin(2*pi*t)").unwrap().features([0.0, 100.0]).len() < 3);
        assert!(timetable("2*t - 4").is_none());
        // a smooth motion of parts that cancel has wide bounds, and nothing short in it
        let smooth = "t^2/30 + 15/(4*pi^2)*(cos(2*pi*t/15) - 1)";
        assert_eq!(timetable(smooth).unwrap().features([0.0, 1.0]), []);
    }
}
