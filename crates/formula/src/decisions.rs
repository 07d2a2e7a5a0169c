//! What formulas decide by quantities other than time: comparisons in `if`, `sign`, `heaviside`, `floor`, `ceil`, `mod`.
//!
//! ```text
//! live    decided anew at each point
//! held    decided once, until what it is decided by leaves the range for which the decision stands
//! ```
//!
//! Methods of integration hold decisions while they attempt a step, so that formulas are smooth in it. Only those count whose
//! outcomes differ where they change: `if(x > 0, x, 0)` has a kink there and stays live.

use crate::error::FormulaError;
use crate::graph::{Expression, Graph, Node};
use crate::operation::{Binary, Unary};
use crate::program::Program;

/// Points at which outcomes are compared.
const TRIALS: usize = 24;
/// Outcomes that differ by less than this part of what is around them are the same.
const SAME: f64 = 1e-6;
/// How far from a threshold one looks around, as a part of the place.
const AROUND: f64 = 0.1;

/// What a decision stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// 1 above zero, 0 below.
    Truth,
    /// −1, 0 or 1.
    Sign,
    /// The largest whole number below.
    Floor,
    /// The smallest whole number above.
    Ceil,
}

impl Kind {
    /// How far an argument is above and below the range of a decision; negative within.
    fn beyond(self, decided: f64, argument: f64) -> [f64; 2] {
        match self {
            Kind::Truth if decided > 0.5 => [-1.0, -argument],
            Kind::Truth => [argument, -1.0],
            Kind::Sign if decided > 0.0 => [-1.0, -argument],
            Kind::Sign if decided < 0.0 => [argument, -1.0],
            Kind::Sign => [argument, -argument],
            Kind::Floor => [argument - decided - 1.0, decided - argument],
            Kind::Ceil => [argument - decided, decided - 1.0 - argument],
        }
    }

    /// What is decided beyond that range.
    fn next(self, decided: f64, above: bool) -> f64 {
        match (self, above) {
            (Kind::Truth, false) => 0.0,
            (Kind::Sign, false) => -1.0,
            (Kind::Truth | Kind::Sign, true) => 1.0,
            (Kind::Floor | Kind::Ceil, _) => decided + if above { 1.0 } else { -1.0 },
        }
    }

    /// Decisions on both sides of an argument of zero.
    fn around_zero(self) -> [f64; 2] {
        match self {
            Kind::Truth => [0.0, 1.0],
            Kind::Sign => [-1.0, 1.0],
            Kind::Floor => [-1.0, 0.0],
            Kind::Ceil => [0.0, 1.0],
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mode {
    Live,
    Held(f64),
    /// Live for good: it would change without end, as `sign(v)` of a body that friction holds.
    LetGo,
}

#[derive(Clone, Copy, Debug)]
struct Decision {
    kind: Kind,
    /// The expression whose value is decided.
    value: Expression,
    mode: Mode,
}

/// The decisions of some formulas.
#[derive(Clone, Debug)]
pub struct Decisions {
    all: Vec<Decision>,
    /// What is decided, then what by.
    program: Program,
    registers: Vec<f64>,
    outputs: Vec<f64>,
}

impl Decisions {
    /// Those of some formulas of the given inputs, if there are any; `t` is the time, by which nothing is decided here.
    ///
    /// # Errors
    /// [`FormulaError::MissingInput`] if a formula depends on a symbol that is not an input.
    pub fn find(
        graph: &mut Graph,
        roots: &[Expression],
        t: Option<Expression>,
        inputs: &[Expression],
    ) -> Result<Option<Self>, FormulaError> {
        let candidates = candidates(graph, roots, t);
        let values: Vec<Expression> = candidates.iter().map(|candidate| candidate.1).collect();
        let jumps = |(kind, value, argument): &(Kind, Expression, Expression)| {
            let own: Vec<Expression> =
                roots.iter().copied().filter(|root| reaches(graph, *root, *value)).collect();
            own.iter().any(|root| jumps(graph, *root, (*kind, *value, *argument), &values))
        };
        let found: Vec<_> = candidates.into_iter().filter(jumps).collect();
        if found.is_empty() {
            return Ok(None);
        }
        let outputs: Vec<Expression> =
            found.iter().map(|f| f.1).chain(found.iter().map(|f| f.2)).collect();
        let program = Program::compile(graph, inputs, &outputs)?;
        Ok(Some(Decisions {
            all: found
                .into_iter()
                .map(|(kind, value, _)| Decision { kind, value, mode: Mode::Live })
                .collect(),
            registers: vec![0.0; program.registers()],
            outputs: vec![0.0; outputs.len()],
            program,
        }))
    }

    /// The number of decisions.
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// What is decided: further inputs of programs.
    pub fn expressions(&self) -> impl Iterator<Item = Expression> + '_ {
        self.all.iter().map(|decision| decision.value)
    }

    /// Looks at some inputs, and says what is decided there.
    pub fn look(&mut self, inputs: &[f64], decided: &mut [f64]) {
        self.program.evaluate(inputs, &mut self.registers, &mut self.outputs);
        for ((out, decision), live) in decided.iter_mut().zip(&self.all).zip(&self.outputs) {
            *out = match decision.mode {
                Mode::Held(value) => value,
                Mode::Live | Mode::LetGo => *live,
            };
        }
    }

    /// Decides anew at each point from now on.
    pub fn release(&mut self) {
        self.all.iter_mut().for_each(|decision| decision.mode = Mode::Live);
    }

    /// Holds what was decided at the last look.
    pub fn hold(&mut self) {
        for (decision, live) in self.all.iter_mut().zip(&self.outputs) {
            if decision.mode == Mode::Live && !live.is_nan() {
                decision.mode = Mode::Held(*live);
            }
        }
    }

    /// Never holds one again.
    pub fn let_go(&mut self, decision: usize) {
        self.all[decision].mode = Mode::LetGo;
    }

    /// How far above and below the range of each decision the last look was: two conditions for each, in turn.
    pub fn conditions(&self, out: &mut Vec<f64>) {
        for (decision, argument) in self.all.iter().zip(&self.outputs[self.all.len()..]) {
            out.extend(match decision.mode {
                Mode::Held(value) => decision.kind.beyond(value, *argument),
                Mode::Live | Mode::LetGo => [-1.0; 2],
            });
        }
    }

    /// A condition has risen through zero: another decision stands.
    pub fn rise(&mut self, condition: usize) {
        let decision = &mut self.all[condition / 2];
        if let Mode::Held(value) = decision.mode {
            decision.mode = Mode::Held(decision.kind.next(value, condition.is_multiple_of(2)));
        }
    }

    /// What is decided and how, for checkpoints: two numbers for each.
    pub fn held(&self) -> impl Iterator<Item = f64> + '_ {
        self.all.iter().flat_map(|decision| match decision.mode {
            Mode::Live => [0.0, 0.0],
            Mode::Held(value) => [1.0, value],
            Mode::LetGo => [2.0, 0.0],
        })
    }

    /// Takes that back; false if it is none.
    pub fn set_held(&mut self, held: &mut impl Iterator<Item = f64>) -> bool {
        self.all.iter_mut().all(|decision| {
            let Some((kind, value)) = held.next().zip(held.next()) else { return false };
            decision.mode = match kind {
                0.0 => Mode::Live,
                1.0 => Mode::Held(value),
                _ => Mode::LetGo,
            };
            true
        })
    }
}

impl Graph {
    /// The same formula with `mod` of anything but time written by whole parts, which can be held.
    pub fn with_whole_parts(&mut self, root: Expression, t: Option<Expression>) -> Expression {
        let mut replaced = Vec::new();
        for e in self.reachable(&[root], |_| false) {
            if let Node::Binary(Binary::Modulo, a, b) = self.node(e)
                && self.as_constant(b).is_some()
                && !self.is_of_time(a, t)
            {
                let parts = self.div(a, b);
                let whole = self.unary(Unary::Floor, parts);
                let taken = self.mul(b, whole);
                let rest = self.sub(a, taken);
                replaced.push((e, rest));
            }
        }
        if replaced.is_empty() { root } else { self.substitute(root, &replaced) }
    }

    /// Whether an expression depends on time alone, or on nothing.
    fn is_of_time(&self, e: Expression, t: Option<Expression>) -> bool {
        self.symbols_of(e).iter().all(|symbol| Some(*symbol) == t)
    }
}

/// What may be decided: kind, value, and what by.
fn candidates(
    graph: &mut Graph,
    roots: &[Expression],
    t: Option<Expression>,
) -> Vec<(Kind, Expression, Expression)> {
    let mut found: Vec<(Kind, Expression, Expression)> = Vec::new();
    let mut add = |graph: &Graph, kind, value, argument| {
        let known = found.iter().any(|(_, other, _)| *other == value);
        if !known && !graph.is_of_time(argument, t) {
            found.push((kind, value, argument));
        }
    };
    for e in graph.reachable(roots, |_| false) {
        match graph.node(e) {
            Node::Unary(Unary::Sign, a) => add(graph, Kind::Sign, e, a),
            Node::Unary(Unary::Heaviside, a) => add(graph, Kind::Truth, e, a),
            Node::Unary(Unary::Floor, a) => add(graph, Kind::Floor, e, a),
            Node::Unary(Unary::Ceil, a) => add(graph, Kind::Ceil, e, a),
            Node::Binary(Binary::Less | Binary::LessOrEqual, a, b) => {
                let argument = graph.sub(b, a);
                add(graph, Kind::Truth, e, argument);
            }
            _ => {}
        }
    }
    found
}

fn reaches(graph: &Graph, root: Expression, e: Expression) -> bool {
    graph.reachable(&[root], |x| x < e).contains(&e)
}

/// Whether a formula jumps where a decision changes, by what it is on both sides at some points. Where other decisions hide this one
/// from all of them, as in `if(x > 3000 and v < 2, 1, 0)`, these are chosen at random.
fn jumps(
    graph: &Graph,
    root: Expression,
    decision: (Kind, Expression, Expression),
    others: &[Expression],
) -> bool {
    let compared = compare(graph, root, decision, &[]);
    match compared.iter().any(|jumps| jumps.is_some()) {
        true => compared.contains(&Some(true)),
        false => compare(graph, root, decision, others).contains(&Some(true)),
    }
}

/// At some points: whether a formula jumps; none where the decision does not matter. The decisions named are random.
fn compare(
    graph: &Graph,
    root: Expression,
    (kind, value, argument): (Kind, Expression, Expression),
    random_ones: &[Expression],
) -> Vec<Option<bool>> {
    let symbols = graph.symbols_of(root);
    let of_argument = graph.symbols_of(argument);
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut number = || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        4.0 * (random >> 11) as f64 / (1u64 << 53) as f64 - 2.0
    };
    let mut compared = Vec::new();
    for trial in 0..TRIALS {
        let mut at: Vec<(Expression, f64)> = symbols.iter().map(|s| (*s, number())).collect();
        let chosen: Vec<(Expression, f64)> = random_ones
            .iter()
            .filter(|other| **other != value)
            .map(|other| (*other, f64::from(u8::from(number() > 0.0))))
            .collect();
        let moved = of_argument[trial % of_argument.len()];
        let Some(zero) = zero_along(graph, argument, &at, moved) else { continue };
        let mut outcome = |x: f64, decided: f64| {
            at.iter_mut().filter(|(s, _)| *s == moved).for_each(|(_, own)| *own = x);
            let mut given = at.clone();
            given.extend(&chosen);
            given.push((value, decided));
            graph.evaluate(root, &given)
        };
        let sides = kind.around_zero();
        let reach = AROUND * (1.0 + zero.abs());
        let [below, [low, high], above] =
            [zero - reach, zero, zero + reach].map(|x| sides.map(|side| outcome(x, side)));
        let all = [below, [low, high], above];
        if all.iter().all(|[low, high]| low == high) {
            compared.push(None);
            continue;
        }
        let finite = all.iter().flatten().filter(|value| value.is_finite());
        let size = finite.fold(0.0f64, |size, value| size.max(value.abs()));
        compared.push(Some((high - low).abs() > SAME * size));
    }
    compared
}

/// A zero of an expression along one symbol.
fn zero_along(
    graph: &Graph,
    e: Expression,
    at: &[(Expression, f64)],
    symbol: Expression,
) -> Option<f64> {
    let mut at = at.to_vec();
    let mut value = |x: f64| {
        at.iter_mut().filter(|(s, _)| *s == symbol).for_each(|(_, own)| *own = x);
        graph.evaluate(e, &at)
    };
    // secants meet straight lines at once, and most others soon
    let (mut a, mut b) = (0.0, 1.0);
    let (mut of_a, mut of_b) = (value(a), value(b));
    for _ in 0..30 {
        if of_b == 0.0 || (a - b).abs() <= 1e-15 * b.abs() {
            return Some(b).filter(|_| of_b.is_finite());
        }
        let next = b - of_b * (b - a) / (of_b - of_a);
        if !next.is_finite() {
            break;
        }
        (a, of_a, b, of_b) = (b, of_b, next, value(next));
    }
    // else a change of sign
    let places = (-60..=60).map(|k: i32| {
        let size = 10f64.powf(f64::from(k.abs()) / 15.0 - 2.0);
        if k < 0 { -size } else { size }
    });
    let mut before: Option<(f64, f64)> = None;
    for x in places {
        let here = value(x);
        if let Some((low, of_low)) = before.filter(|(_, of_low)| of_low * here < 0.0) {
            let (mut low, mut high) = (low, x);
            for _ in 0..80 {
                let middle = 0.5 * (low + high);
                if value(middle) * of_low > 0.0 { low = middle } else { high = middle }
            }
            return Some(high);
        }
        before = Some((x, here)).filter(|_| here.is_finite());
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decisions(text: &str) -> (Graph, Vec<Expression>, Option<Decisions>) {
        let mut graph = Graph::new();
        let inputs = ["t", "x", "v"].map(|name| graph.symbol(name)).to_vec();
        let root = graph.parse_free(text).unwrap();
        let root = graph.with_whole_parts(root, Some(inputs[0]));
        let found = Decisions::find(&mut graph, &[root], Some(inputs[0]), &inputs).unwrap();
        (graph, inputs, found)
    }

    #[test]
    fn what_jumps_is_decided() {
        for (text, count) in [
            ("if(x > 0, 1, 2)", 1),
            ("sign(v)*3 + x", 1),
            ("if(abs(x - 5) < 0.01, 1000, 0)", 1),
            ("if(x > 3000 and v < 2, 5, 0)", 2),
            ("heaviside(x^2 - 4)", 1),
            ("floor(x/3) + mod(v, 2)", 2),
            ("if(x < sin(t), 0, 1)", 1),
            // continuous, or of time alone
            ("if(x > 0, x^2, 0)", 0),
            ("if(x > 2, 3*(x - 2), 0) + max(x, v) + abs(v)", 0),
            ("sign(v)*v", 0),
            ("step(x, 0, 0, 1, 1)", 0),
            ("if(t > 3, x, 0) + mod(t, 2)", 0),
            ("x + v", 0),
        ] {
            let found = decisions(text).2.map_or(0, |found| found.count());
            assert_eq!(found, count, "{text}");
        }
    }

    #[test]
    fn decisions_are_held_until_they_change() {
        let (_, _, found) = decisions("if(x < 1, 1, 2) + sign(v) + floor(x)");
        let mut found = found.unwrap();
        let mut decided = vec![0.0; 3];
        found.look(&[0.0, 0.5, 0.0], &mut decided);
        found.hold();
        // by the order of the expressions
        let held: Vec<f64> = found.held().skip(1).step_by(2).collect();
        found.look(&[0.0, 2.5, 1.0], &mut decided);
        assert_eq!(held, decided);
        let mut conditions = Vec::new();
        found.conditions(&mut conditions);
        let risen: Vec<usize> = (0..6).filter(|&k| conditions[k] > 0.0).collect();
        assert_eq!(risen.len(), 3, "{conditions:?}");
        risen.into_iter().for_each(|k| found.rise(k));
        found.look(&[0.0, 2.5, 1.0], &mut decided);
        conditions.clear();
        found.conditions(&mut conditions);
        // the whole part goes by one at a time
        assert_eq!(conditions.iter().filter(|value| **value > 0.0).count(), 1, "{conditions:?}");
        found.release();
        found.look(&[0.0, 2.5, 1.0], &mut decided);
        let mut sorted = decided.clone();
        sorted.sort_by(f64::total_cmp);
        assert_eq!(sorted, [0.0, 1.0, 2.0]);
    }
}
