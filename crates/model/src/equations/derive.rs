//! The rows of the contract and their derivatives, as expressions.

use crate::equations::expressions::Equations;
use rotula_formula::{Expression, Graph};
use std::collections::HashMap;

/// One structurally nonzero entry of a derivative block.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    pub row: usize,
    pub column: usize,
    /// Which weight multiplies it.
    pub weight: usize,
    pub value: Expression,
}

/// All rows of the contract.
pub(crate) struct Rows {
    /// `M v̇`
    pub inertia: Vec<Expression>,
    /// `−f`
    pub forces: Vec<Expression>,
    /// `−Gᵀλ − Kᵀψ`
    pub reactions: Vec<Expression>,
    /// Holonomic constraints, then zeros, so that every level has one row per multiplier.
    pub position: Vec<Expression>,
    pub velocity: Vec<Expression>,
    pub acceleration: Vec<Expression>,
}

impl Rows {
    pub(crate) fn new(graph: &mut Graph, equations: &Equations) -> Self {
        let n = equations.sizes.motion;
        let symbols = &equations.symbols;
        let zero = graph.constant(0.0);
        let mut rows = Rows {
            inertia: vec![zero; n],
            forces: vec![zero; n],
            reactions: vec![zero; n],
            position: Vec::new(),
            velocity: Vec::new(),
            acceleration: Vec::new(),
        };
        for (i, j, entry) in &equations.mass {
            let term = graph.mul(entry.expression, symbols.vdot[*j]);
            rows.inertia[*i] = graph.add(rows.inertia[*i], term);
        }
        for (i, force) in &equations.force {
            rows.forces[*i] = graph.neg(force.expression);
        }

        let one = graph.constant(1.0);
        let mut along: Vec<_> = vec![(symbols.t, one)];
        along.extend(symbols.q.iter().copied().zip(symbols.v.iter().copied()));
        for (index, constraint) in equations.constraints.iter().enumerate() {
            let holonomic = index < equations.sizes.holonomic;
            let formula = constraint.formula.expression;
            rows.position.push(if holonomic { formula } else { zero });
            rows.velocity.push(if holonomic {
                graph.directional(formula, &along)
            } else {
                formula
            });
            if constraint.reaction {
                let moved = if holonomic { &symbols.q } else { &symbols.v };
                for entry in jacobian(graph, &[formula], &[(0, moved)]) {
                    let reaction = graph.mul(entry.value, symbols.multipliers[index]);
                    let row = &mut rows.reactions[entry.column];
                    *row = graph.sub(*row, reaction);
                }
            }
        }
        along.extend(symbols.v.iter().copied().zip(symbols.vdot.iter().copied()));
        rows.acceleration =
            rows.velocity.iter().map(|&row| graph.directional(row, &along)).collect();
        rows
    }

    /// The equations of motion with the terms of a mask: 1 inertia, 2 forces, 4 reactions.
    pub(crate) fn dynamics(&self, graph: &mut Graph, mask: usize) -> Vec<Expression> {
        let zero = graph.constant(0.0);
        let mut sum = vec![zero; self.inertia.len()];
        for (bit, terms) in [&self.inertia, &self.forces, &self.reactions].into_iter().enumerate() {
            if mask >> bit & 1 == 1 {
                for (row, &term) in sum.iter_mut().zip(terms) {
                    *row = graph.add(*row, term);
                }
            }
        }
        sum
    }
}

/// Derivatives of rows with respect to groups of columns. Each group has a weight; groups of the same size share columns,
/// as `v̇`, `v` and `q` do.
pub(crate) fn jacobian(
    graph: &mut Graph,
    rows: &[Expression],
    groups: &[(usize, &Vec<Expression>)],
) -> Vec<Entry> {
    let mut columns: HashMap<Expression, (usize, usize)> = HashMap::new();
    for &(weight, symbols) in groups {
        columns.extend(symbols.iter().enumerate().map(|(j, &symbol)| (symbol, (weight, j))));
    }
    let mut entries = Vec::new();
    for (row, &expression) in rows.iter().enumerate() {
        for symbol in graph.symbols_of(expression) {
            let Some(&(weight, column)) = columns.get(&symbol) else {
                continue;
            };
            let value = graph.derivative(expression, symbol);
            if !graph.is_zero(value) {
                entries.push(Entry { row, column, weight, value });
            }
        }
    }
    entries
}
