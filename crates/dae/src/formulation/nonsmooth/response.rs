//! How a system responds to a unit force in each contact row: effective masses, and the vectors
//! `S⁻¹Gᵀ` that a Gauss–Seidel iteration adds to the velocities.
//!
//! Bodies that nothing but contacts connects respond one by one, so that rows which touch different
//! bodies are solved together: the number of solutions is that of the contacts of one body, not of
//! all bodies.

use super::candidates::Candidates;
use rotula_linear::Pattern;
use serde::{Deserialize, Serialize};

/// More solutions than this are not worth their price.
pub(crate) const MOST_COLOURS: usize = 400;

/// Rows that are solved together, and what each of them reaches.
#[derive(Serialize, Deserialize)]
pub(crate) struct Response {
    /// Rows by colour.
    colours: Vec<Vec<usize>>,
    /// Coordinates that a row can move: those connected with its own.
    reach: Vec<Vec<u32>>,
}

impl Response {
    /// Finds the connected parts of the system without contacts.
    pub fn new(candidates: &Candidates, dynamics: &Pattern, constraints: &Pattern) -> Self {
        let n = dynamics.cols();
        let mut parent: Vec<usize> = (0..n).collect();
        for (i, j) in dynamics.iter() {
            join(&mut parent, i, j);
        }
        let mut first_of_row = vec![None; constraints.rows()];
        for (row, column) in constraints.iter() {
            match first_of_row[row] {
                None => first_of_row[row] = Some(column),
                Some(first) => join(&mut parent, first, column),
            }
        }
        let part: Vec<usize> = (0..n).map(|i| root(&mut parent, i)).collect();
        let mut members = vec![Vec::new(); n];
        for (i, &p) in part.iter().enumerate() {
            members[p].push(i as u32);
        }
        let rows = candidates.rows();
        let mut parts = vec![Vec::new(); rows];
        for (row, column) in candidates.patterns.rows.iter() {
            if !parts[row].contains(&part[column]) {
                parts[row].push(part[column]);
            }
        }
        // Greedy colouring: the colours used so far at each part.
        let mut used: Vec<Vec<bool>> = vec![Vec::new(); n];
        let mut colours: Vec<Vec<usize>> = Vec::new();
        for (row, parts) in parts.iter().enumerate() {
            let taken = |c: usize| parts.iter().any(|&p| used[p].get(c) == Some(&true));
            let colour = (0..).find(|&c| !taken(c)).expect("some colour is free");
            for &p in parts {
                if used[p].len() <= colour {
                    used[p].resize(colour + 1, false);
                }
                used[p][colour] = true;
            }
            if colours.len() <= colour {
                colours.push(Vec::new());
            }
            colours[colour].push(row);
        }
        let reach = parts
            .iter()
            .map(|parts| parts.iter().flat_map(|&p| members[p].iter().copied()).collect())
            .collect();
        Response { colours, reach }
    }

    /// Number of solutions needed.
    pub fn colours(&self) -> usize {
        self.colours.len()
    }

    /// Coordinates that a row can move.
    pub fn reach(&self, row: usize) -> &[u32] {
        &self.reach[row]
    }

    /// Solves for all rows; `solve` replaces forces (motion rows first) by the response, and `take`
    /// gets each row with the response to it, which is right within its reach.
    pub fn each(
        &self,
        pattern: &Pattern,
        gradient: &[f64],
        unit: &mut [f64],
        rhs: &mut [f64],
        mut solve: impl FnMut(&mut [f64]),
        mut take: impl FnMut(usize, &[u32], &[f64]),
    ) {
        let n = pattern.cols();
        for rows in &self.colours {
            unit.fill(0.0);
            rows.iter().for_each(|&row| unit[row] = 1.0);
            rhs.fill(0.0);
            pattern.multiply_transposed_add(gradient, 1.0, unit, &mut rhs[..n]);
            solve(rhs);
            for &row in rows {
                take(row, &self.reach[row], rhs);
            }
        }
    }
}

fn root(parent: &mut [usize], mut i: usize) -> usize {
    while parent[i] != i {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    i
}

fn join(parent: &mut [usize], i: usize, j: usize) {
    let (a, b) = (root(parent, i), root(parent, j));
    parent[a.max(b)] = a.min(b);
}
