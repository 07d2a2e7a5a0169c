//! Functions of a program as parts of a model of equations.
//!
//! Formulas need derivatives, and a function gives only values. So it stands in formulas as the start of its Taylor
//! series about the present point, `F + s·(x − X) + ½ (x − X)·H (x − X)`, whose coefficients are further inputs of the
//! compiled programs. With `X = x` it is exact, and so are its first and second derivatives as far as the
//! coefficients are: slopes come from the program or from differences, the second derivatives `H`, which only constraints
//! need, from differences.

use crate::equations::differences::{self, Work};
use rotula_formula::{Expression, Graph};
use std::sync::Arc;

/// Numbers that a program computes from some of the unknowns. The same arguments must give the same numbers.
pub trait EquationFunction: Send + Sync {
    /// Writes the numbers at these inputs.
    fn values(&self, inputs: &[f64], out: &mut [f64]);

    /// Writes the partial derivatives of the first number, or nothing and returns false: then differences are taken.
    fn slopes(&self, _inputs: &[f64], _out: &mut [f64]) -> bool {
        false
    }
}

/// What a function is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// Formulas may use it by its name, and it is recorded.
    Variable,
    /// It is added to the forces of these coordinates, one number each.
    Force(Vec<String>),
    /// It is held at zero.
    Constraint,
}

/// A function, its name and what it is computed from.
#[derive(Clone)]
pub struct Function {
    /// Its name; of several numbers `name_1`, `name_2`, …
    pub name: String,
    /// The time `t`, coordinates `x`, velocities `x'`, accelerations `x''`, states, rates, variables, multipliers.
    pub of: Vec<String>,
    /// How many numbers it gives.
    pub rows: usize,
    /// What it is for.
    pub role: Role,
    /// The function itself.
    pub function: Arc<dyn EquationFunction>,
}

impl Function {
    /// The names of its numbers.
    pub(crate) fn row_names(&self) -> Vec<String> {
        match self.rows {
            1 => vec![self.name.clone()],
            rows => (1..=rows).map(|row| format!("{}_{row}", self.name)).collect(),
        }
    }
}

/// A function with the places of its arguments and coefficients among the inputs of programs.
pub(crate) struct Installed {
    pub function: Arc<dyn EquationFunction>,
    /// Places of the arguments.
    pub arguments: Vec<usize>,
    /// Sizes over which the function changes little by little.
    pub sizes: Vec<f64>,
    pub rows: usize,
    /// Place of the first coefficient.
    pub first: usize,
    /// Second derivatives are needed.
    pub curved: bool,
}

/// Coefficients of one number: its value, slopes and second derivatives.
fn width(arguments: usize) -> usize {
    1 + arguments + arguments * (arguments + 1) / 2
}

/// Symbols of all coefficients, and the series of each number.
pub(crate) fn series(
    graph: &mut Graph,
    name: &str,
    arguments: &[Expression],
    rows: usize,
) -> (Vec<Expression>, Vec<Expression>) {
    let n = arguments.len();
    let mut coefficients: Vec<Expression> =
        (0..n).map(|k| graph.symbol(&format!("argument {} of {name}", k + 1))).collect();
    let half = graph.constant(0.5);
    let steps: Vec<Expression> = (0..n).map(|k| graph.sub(arguments[k], coefficients[k])).collect();
    let mut series = Vec::new();
    for row in 0..rows {
        let number = if rows == 1 { String::new() } else { format!(", number {}", row + 1) };
        let mut sum = graph.symbol(&format!("the function {name}{number}"));
        coefficients.push(sum);
        for (i, step) in steps.iter().enumerate() {
            let slope = graph.symbol(&format!("slope {} of {name}{number}", i + 1));
            coefficients.push(slope);
            let term = graph.mul(slope, *step);
            sum = graph.add(sum, term);
        }
        for i in 0..n {
            for j in i..n {
                let bend = graph.symbol(&format!("bend {} {} of {name}{number}", i + 1, j + 1));
                coefficients.push(bend);
                let square = graph.mul(steps[i], steps[j]);
                let mut term = graph.mul(bend, square);
                if i == j {
                    term = graph.mul(half, term);
                }
                sum = graph.add(sum, term);
            }
        }
        series.push(sum);
    }
    (coefficients, series)
}

impl Installed {
    /// How many coefficients it has.
    pub(crate) fn coefficients(&self) -> usize {
        let n = self.arguments.len();
        n + self.rows * width(n)
    }

    /// Brings the coefficients among the inputs up to date with the other inputs; slopes only if they are wanted.
    pub(crate) fn refresh(&self, inputs: &mut [f64], memory: &mut Memory, wanted: bool) {
        let n = self.arguments.len();
        let place = |k: usize| self.first + k;
        let same = |k: usize| inputs[place(k)] == inputs[self.arguments[k]];
        let function = &*self.function;
        memory.work.fit(n, self.rows);
        if !(0..n).all(same) || !memory.valued {
            for k in 0..n {
                inputs[place(k)] = inputs[self.arguments[k]];
            }
            memory.valued = true;
            memory.sloped = false;
            let values = memory.work.values(function, &inputs[place(0)..place(n)]);
            for (row, value) in values.iter().enumerate() {
                inputs[place(n) + row * width(n)] = *value;
            }
        }
        if memory.sloped || !(wanted || self.curved) {
            return;
        }
        memory.sloped = true;
        let (here, coefficients) = inputs[place(0)..].split_at_mut(n);
        let given = self.rows == 1 && function.slopes(here, &mut coefficients[1..1 + n]);
        match (self.curved, given) {
            (true, _) => {
                differences::slopes_and_bends(function, here, &self.sizes, &mut memory.work);
            }
            (false, true) => return,
            (false, false) => differences::slopes(function, here, &mut memory.work),
        }
        for row in 0..self.rows {
            let own = &mut coefficients[row * width(n) + 1..(row + 1) * width(n)];
            if !given {
                own[..n].copy_from_slice(&memory.work.slopes[row * n..(row + 1) * n]);
            }
            if self.curved {
                let bends = n * (n + 1) / 2;
                own[n..].copy_from_slice(&memory.work.bends[row * bends..(row + 1) * bends]);
            }
        }
    }
}

/// What is known of a function at the present point, and memory to find out more.
#[derive(Clone, Default)]
pub(crate) struct Memory {
    valued: bool,
    sloped: bool,
    work: Work,
}
