//! Conditions on what moves, as modes: numbers that a run holds while nothing switches.
//!
//! A comparison `a < b` is the sign of `a − b`, and `mod(a, b)` is `a − b·floor(a/b)`. Written so, everything at which a
//! formula can jump is a sign or a whole part, a *mode*. A program that takes the modes as given is smooth; whoever
//! evaluates it keeps them until the function that a mode is taken of leaves its room:
//!
//! ```text
//! mode m = sign(f)     room m·f                         what is crossed changes the sign
//! mode n = floor(f)    room f − n, and n + 1 − f        what is crossed counts down, or up
//! ```

use crate::error::FormulaError;
use crate::graph::{Expression, Graph, Node};
use crate::hash::FastMap;
use crate::operation::{Binary, Unary};
use crate::program::Program;

/// Expressions whose jumps are modes.
#[derive(Clone, Debug, Default)]
pub struct Switched {
    /// The expressions, in terms of modes.
    pub roots: Vec<Expression>,
    /// Every mode: a sign or a whole part.
    pub modes: Vec<Expression>,
    /// Where slopes jump: what `abs` is taken of, and the differences of what `min` and `max` choose from.
    pub kinks: Vec<Expression>,
}

impl Graph {
    /// Writes conditions, signs and whole parts that depend on more than the time `t` in terms of modes.
    pub fn switched(&mut self, roots: &[Expression], t: Option<Expression>) -> Switched {
        let mut found = Switched::default();
        let mut new: FastMap<Expression, Expression> = FastMap::default();
        let mut moves: FastMap<Expression, bool> = FastMap::default();
        for e in self.reachable(roots, |_| false) {
            let node = self.node(e);
            let any = node.operands().any(|operand| moves[&operand]);
            moves.insert(e, any || (self.is_symbol(e) && Some(e) != t));
            let operands: Vec<(Expression, Expression)> =
                node.operands().map(|operand| (operand, new[&operand])).collect();
            let written = match node {
                Node::Unary(operation, a) if any => {
                    self.switched_unary(operation, new[&a], &mut found)
                }
                Node::Binary(operation, a, b) if any => {
                    self.switched_binary(operation, [new[&a], new[&b]], &mut found)
                }
                _ => None,
            };
            let written = match written {
                Some(written) => written,
                None if operands.iter().all(|(old, new)| old == new) => e,
                None => self.substitute(e, &operands),
            };
            new.insert(e, written);
        }
        found.roots = roots.iter().map(|root| new[root]).collect();
        found
    }

    fn switched_unary(
        &mut self,
        operation: Unary,
        a: Expression,
        found: &mut Switched,
    ) -> Option<Expression> {
        match operation {
            Unary::Sign => Some(self.sign_of(a, found)),
            Unary::Heaviside => {
                let sign = self.sign_of(a, found);
                Some(self.unary(Unary::Heaviside, sign))
            }
            Unary::Floor => Some(self.whole_part_of(a, found)),
            Unary::Ceil => {
                let negative = self.neg(a);
                let whole = self.whole_part_of(negative, found);
                Some(self.neg(whole))
            }
            Unary::Abs => {
                note(&mut found.kinks, a);
                None
            }
            _ => None,
        }
    }

    fn switched_binary(
        &mut self,
        operation: Binary,
        [a, b]: [Expression; 2],
        found: &mut Switched,
    ) -> Option<Expression> {
        match operation {
            Binary::Less | Binary::LessOrEqual => {
                let zero = self.constant(0.0);
                // a condition and its opposite are one mode
                let opposite = self.sub(b, a);
                let opposite = self.unary(Unary::Sign, opposite);
                if found.modes.contains(&opposite) {
                    return Some(self.binary(operation, zero, opposite));
                }
                let difference = self.sub(a, b);
                let sign = self.sign_of(difference, found);
                Some(self.binary(operation, sign, zero))
            }
            Binary::Modulo => {
                let ratio = self.div(a, b);
                let whole = self.whole_part_of(ratio, found);
                let periods = self.mul(b, whole);
                Some(self.sub(a, periods))
            }
            Binary::Minimum | Binary::Maximum => {
                let difference = self.sub(a, b);
                note(&mut found.kinks, difference);
                None
            }
            _ => None,
        }
    }

    /// `sign(a)`, noted as a mode.
    fn sign_of(&mut self, a: Expression, found: &mut Switched) -> Expression {
        let sign = self.unary(Unary::Sign, a);
        self.note_modes(sign, found);
        sign
    }

    fn whole_part_of(&mut self, a: Expression, found: &mut Switched) -> Expression {
        let whole = self.unary(Unary::Floor, a);
        self.note_modes(whole, found);
        whole
    }

    /// Simplification may have written a sign as the negative of another.
    fn note_modes(&mut self, e: Expression, found: &mut Switched) {
        let mode = match self.node(e) {
            Node::Unary(Unary::Negate, inner) => inner,
            _ => e,
        };
        if let Node::Unary(Unary::Sign | Unary::Floor, _) = self.node(mode) {
            note(&mut found.modes, mode);
        }
    }
}

fn note(list: &mut Vec<Expression>, e: Expression) {
    if !list.contains(&e) {
        list.push(e);
    }
}

/// The modes of a set of formulas, held or free. Evaluating does not allocate.
#[derive(Clone, Debug)]
pub struct Modes {
    names: Vec<String>,
    /// Whether each is a whole part, not a sign.
    whole: Vec<bool>,
    /// The present values of the modes, then the signs of the kinks.
    values: Vec<f64>,
    held: bool,
    /// Modes from the inputs alone.
    free: Program,
    /// What modes and kinks are taken of, from inputs and modes.
    functions: Program,
    registers: Vec<f64>,
    out: Vec<f64>,
}

impl Modes {
    /// Compiles the modes of formulas in these inputs.
    ///
    /// # Errors
    /// [`FormulaError::MissingInput`] if a mode depends on a symbol that is not an input.
    pub fn new(
        graph: &Graph,
        inputs: &[Expression],
        switched: &Switched,
    ) -> Result<Self, FormulaError> {
        let Switched { modes, kinks, .. } = switched;
        let taken_of = |mode: &Expression| match graph.node(*mode) {
            Node::Unary(Unary::Sign, a) => (a, false),
            Node::Unary(Unary::Floor, a) => (a, true),
            _ => (*mode, false),
        };
        let (mut functions, whole): (Vec<Expression>, Vec<bool>) =
            modes.iter().map(taken_of).unzip();
        functions.extend(kinks);
        let free = Program::compile(graph, inputs, modes)?;
        let given: Vec<Expression> = inputs.iter().chain(modes).copied().collect();
        let functions_of = Program::compile(graph, &given, &functions)?;
        Ok(Modes {
            names: functions.iter().map(|e| graph.display_up_to(*e, 60)).collect(),
            whole,
            values: vec![0.0; functions.len()],
            held: false,
            registers: vec![0.0; free.registers().max(functions_of.registers())],
            out: vec![0.0; functions.len()],
            free,
            functions: functions_of,
        })
    }

    /// How many modes there are: as many numbers stand behind the inputs of programs that take them as given.
    pub fn count(&self) -> usize {
        self.whole.len()
    }

    /// Puts the modes behind the inputs: those that are held, or those of the inputs.
    pub fn put(&mut self, inputs: &mut [f64]) {
        let count = self.count();
        let (given, modes) = inputs.split_at_mut(inputs.len() - count);
        match self.held {
            true => modes.copy_from_slice(&self.values[..count]),
            false => self.free.evaluate(given, &mut self.registers, modes),
        }
    }

    /// Holds the modes of the inputs from now on.
    pub fn hold(&mut self, inputs: &mut [f64]) {
        self.held = false;
        self.put(inputs);
        self.held = true;
        let count = self.count();
        self.values[..count].copy_from_slice(&inputs[inputs.len() - count..]);
        self.functions.evaluate(inputs, &mut self.registers, &mut self.out);
        for (value, f) in self.values[count..].iter_mut().zip(&self.out[count..]) {
            *value = Unary::Sign.apply(*f);
        }
    }

    /// Lets the modes follow the inputs again.
    pub fn release(&mut self) {
        self.held = false;
    }

    /// The modes that are held, and the signs of kinks.
    pub fn held(&self) -> &[f64] {
        &self.values
    }

    /// Takes back modes that were held.
    pub fn hold_as(&mut self, values: &[f64]) {
        self.values.copy_from_slice(values);
        self.held = true;
    }

    /// How many rooms there are: one for a sign, two for a whole part, one for a kink.
    pub fn rooms(&self) -> usize {
        self.values.len() + self.whole.iter().filter(|whole| **whole).count()
    }

    /// Whether what formulas say may jump where a room is left; otherwise only its slope does.
    pub fn jumps(&self, room: usize) -> bool {
        self.place(room).0 < self.count()
    }

    /// What a room is about.
    pub fn name(&self, room: usize) -> &str {
        &self.names[self.place(room).0]
    }

    /// How much is left of every room at inputs that modes were put behind; negative where one was left.
    pub fn room(&mut self, inputs: &[f64], out: &mut [f64]) {
        self.functions.evaluate(inputs, &mut self.registers, &mut self.out);
        let mut room = 0;
        for (k, (&value, &f)) in self.values.iter().zip(&self.out).enumerate() {
            if self.whole.get(k).copied().unwrap_or(false) {
                out[room] = f - value;
                // the next whole number belongs to the next mode
                out[room + 1] = value + 1.0 - f;
                room += 2;
                continue;
            }
            // a sign of zero is left in either direction
            out[room] = if value == 0.0 { -f.abs() } else { value * f };
            room += 1;
        }
    }

    /// Crosses into the mode beyond a room that is left; `beyond` are inputs there, with the modes put behind.
    pub fn cross(&mut self, room: usize, beyond: &[f64]) {
        let (k, up) = self.place(room);
        if self.whole.get(k).copied().unwrap_or(false) {
            self.values[k] += if up { 1.0 } else { -1.0 };
        } else if self.values[k] != 0.0 {
            self.values[k] = -self.values[k];
        } else {
            self.functions.evaluate(beyond, &mut self.registers, &mut self.out);
            self.values[k] = Unary::Sign.apply(self.out[k]);
        }
    }

    /// The mode or kink that a room belongs to, and whether it is the upper one of a whole part.
    fn place(&self, room: usize) -> (usize, bool) {
        let mut first = 0;
        for k in 0..self.values.len() {
            let rooms = if self.whole.get(k).copied().unwrap_or(false) { 2 } else { 1 };
            if room < first + rooms {
                return (k, room > first);
            }
            first += rooms;
        }
        (self.values.len() - 1, false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values with modes held from one x to another, and the rooms there.
    fn held(text: &str, from: f64, to: f64) -> (f64, Vec<f64>, Vec<f64>) {
        let mut graph = Graph::new();
        let (t, x) = (graph.symbol("t"), graph.symbol("x"));
        let root = graph.parse_free(text).unwrap();
        let switched = graph.switched(&[root], Some(t));
        let mut modes = Modes::new(&graph, &[t, x], &switched).unwrap();
        let mut inputs = vec![t, x];
        inputs.extend(&switched.modes);
        let program = Program::compile(&graph, &inputs, &switched.roots).unwrap();
        let mut numbers = vec![0.0; inputs.len()];
        let mut registers = vec![0.0; program.registers()];
        let mut out = [0.0];
        // free, it is what it was
        for at in [from, to, 0.0, -3.7] {
            numbers[1] = at;
            modes.put(&mut numbers);
            program.evaluate(&numbers, &mut registers, &mut out);
            assert_eq!(out[0], graph.evaluate(root, &[(t, 0.0), (x, at)]), "{text} at {at}");
        }
        numbers[1] = from;
        modes.hold(&mut numbers);
        let mut rooms = [vec![0.0; modes.rooms()], vec![0.0; modes.rooms()]];
        for (at, rooms) in [from, to].into_iter().zip(&mut rooms) {
            numbers[1] = at;
            modes.put(&mut numbers);
            modes.room(&numbers, rooms);
        }
        program.evaluate(&numbers, &mut registers, &mut out);
        let [before, after] = rooms;
        (out[0], before, after)
    }

    #[test]
    fn held_modes_go_on_smoothly() {
        let (value, before, after) = held("if(x > 1, 7*x, x)", 0.5, 2.0);
        assert_eq!((value, before, after), (2.0, vec![0.5], vec![-1.0]));
        let (value, _, after) = held("sign(x - 1)*x", 0.5, 2.0);
        assert_eq!((value, after), (-2.0, vec![-1.0]));
        let (value, before, after) = held("mod(x, 10)", 9.0, 12.0);
        assert_eq!(value, 12.0);
        assert!((before[1] - 0.1).abs() < 1e-15 && (after[1] + 0.2).abs() < 1e-15);
        let (value, _, after) = held("ceil(x)", 0.5, 1.5);
        assert_eq!((value, after[0] < 0.0 || after[1] < 0.0), (1.0, true));
        // a kink is watched but not held
        let (value, before, after) = held("abs(x - 1)", 0.5, 2.0);
        assert_eq!((value, before, after), (1.0, vec![0.5], vec![-1.0]));
    }

    #[test]
    fn conditions_within_others_and_on_time() {
        // both the distance and the kink in it are seen
        let (_, before, after) = held("if(abs(x - 5) < 0.5, 9, 0)", 4.0, 6.5);
        assert_eq!((before.len(), before[0]), (2, 0.5));
        assert_eq!(after, [1.0, -1.5]);
        let (value, ..) = held("if(mod(x, 10) > 9, 5, 0)", 8.0, 19.5);
        assert_eq!(value, 0.0);
        // one mode for a condition and its opposite
        let (_, before, _) = held("if(x < 1, 2, 0) + if(x >= 1, 3, 0) + if(1 > x, 4, 0)", 0.0, 3.0);
        assert_eq!(before.len(), 1, "{before:?}");
        // conditions of time alone are nobody's mode
        let (_, before, _) = held("x*if(t < 1, 2, 0)*mod(t, 3)", 0.5, 3.0);
        assert!(before.is_empty());
    }

    #[test]
    fn crossings_lead_to_the_next_mode() {
        let mut graph = Graph::new();
        let x = graph.symbol("x");
        let root = graph.parse_free("floor(x) + sign(x)").unwrap();
        let switched = graph.switched(&[root], None);
        let mut modes = Modes::new(&graph, &[x], &switched).unwrap();
        let mut numbers = [0.0; 3];
        modes.hold(&mut numbers);
        assert_eq!(modes.held(), [0.0, 0.0]);
        let up = (0..modes.rooms()).find(|&k| modes.place(k) == (0, true)).unwrap();
        numbers[0] = 1.5;
        modes.cross(up, &numbers);
        let sign = (0..modes.rooms()).find(|&k| modes.place(k).0 == 1).unwrap();
        modes.cross(sign, &numbers);
        assert_eq!(modes.held(), [1.0, 1.0]);
        modes.cross(sign, &numbers);
        assert_eq!(modes.held(), [1.0, -1.0]);
    }
}
