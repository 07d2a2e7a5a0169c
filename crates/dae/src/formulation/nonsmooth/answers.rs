//! The one problem of contacts: rows that follow forces as `u = b + W λ`, `W = G S⁻¹Gᵀ`, with the laws of the contacts in between.
//!
//! `S` is the matrix that a motion has without its contacts, with bilateral constraints. The forces of all contacts are found at once
//! (`cones`).

use super::cones::Cones;
use crate::contact::Contact;
use crate::stop::Stop;
use rotula_linear::Pattern;

/// Part of the bound of the rows to which forces are found.
const INNER: f64 = 0.1;

/// What a unit force in each contact row does to the unknowns of a motion, `S⁻¹Gᵀ`, found when asked for.
pub(crate) struct Answers {
    entries: Vec<Vec<(u32, u32)>>,
    by_row: Vec<Option<Vec<f64>>>,
}

/// The contacts of a problem, and their rows one after the other.
#[derive(Default)]
pub(crate) struct Acting {
    laws: Vec<Contact>,
    pub rows: Vec<usize>,
}

impl Acting {
    /// A contact more, from its first row.
    pub fn add(&mut self, first: usize, law: &Contact) {
        self.laws.push(*law);
        self.rows.extend(first..first + law.rows());
    }
}

impl Answers {
    /// Nothing is known yet.
    pub fn new(pattern: &Pattern) -> Self {
        let mut entries = vec![Vec::new(); pattern.rows()];
        for (place, (row, column)) in pattern.iter().enumerate() {
            entries[row].push((column as u32, place as u32));
        }
        Answers { by_row: vec![None; pattern.rows()], entries }
    }

    /// The matrix is another one.
    pub fn forget(&mut self) {
        self.by_row.fill(None);
    }

    /// By how much a motion changes a row.
    pub fn dot(&self, row: usize, gradient: &[f64], motion: &[f64]) -> f64 {
        self.entries[row].iter().map(|&(j, p)| gradient[p as usize] * motion[j as usize]).sum()
    }

    /// Finds what is not yet known of these rows; `solve` turns forces on the motion into its answer.
    pub fn find(
        &mut self,
        rows: &[usize],
        gradient: &[f64],
        unknowns: usize,
        mut solve: impl FnMut(&mut [f64]),
    ) {
        for &row in rows {
            if self.by_row[row].is_none() {
                let mut answer = vec![0.0; unknowns];
                for &(column, place) in &self.entries[row] {
                    answer[column as usize] = gradient[place as usize];
                }
                solve(&mut answer);
                self.by_row[row] = Some(answer);
            }
        }
    }

    /// By how much a unit force in one row moves another.
    pub fn coupling(&self, row: usize, by: usize, gradient: &[f64]) -> f64 {
        self.by_row[by].as_deref().map_or(0.0, |answer| self.dot(row, gradient, answer))
    }

    /// Finds the forces of all contacts, from the rates that their rows have under the present forces, to a part of a bound of the rows, and
    /// adds what they change to the unknowns, in which the forces begin at `offset`. Returns the iterations.
    pub fn solve(
        &self,
        contacts: &Acting,
        (gradient, rates): (&[f64], &[f64]),
        (x, offset): (&mut [f64], usize),
        bound: f64,
        stop: &Stop,
    ) -> usize {
        let rows = &contacts.rows;
        let count = rows.len();
        let before: Vec<f64> = rows.iter().map(|row| x[offset + row]).collect();
        let (mut compliance, mut free) = (vec![0.0; count * count], vec![0.0; count]);
        for (a, &row) in rows.iter().enumerate() {
            let line = &mut compliance[a * count..(a + 1) * count];
            for (entry, &by) in line.iter_mut().zip(rows) {
                *entry = self.coupling(row, by, gradient);
            }
            free[a] = rates[row] - line.iter().zip(&before).map(|(w, f)| w * f).sum::<f64>();
        }
        let order: Vec<usize> = (0..contacts.laws.len()).collect();
        let problem = Cones {
            laws: &contacts.laws,
            contacts: &order,
            compliance: &compliance,
            free: &free,
            bound: INNER * bound,
            stop,
        };
        let mut found = before.clone();
        let iterations = problem.approach(&mut found);
        for (&row, (after, before)) in rows.iter().zip(found.iter().zip(&before)) {
            let change = after - before;
            let answer = self.by_row[row].as_deref().unwrap_or(&[]);
            x.iter_mut().zip(answer).for_each(|(x, answer)| *x += change * answer);
            x[offset + row] += change;
        }
        iterations
    }
}
