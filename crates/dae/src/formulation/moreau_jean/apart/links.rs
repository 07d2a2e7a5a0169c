//! What each acting contact knows of the parts it touches: gradients, responses, compliance.
//!
//! A contact is linked with one or more parts. For every link and row there are six numbers of the
//! gradient `G` and six of the response `S⁻¹Gᵀ`, so that a contact reads and moves its parts in place:
//! one contact costs the same however many there are.

use super::local::Problem;
use super::parts::{Parts, Six, WIDTH};
use crate::formulation::nonsmooth::Candidates;

/// One acting contact.
#[derive(Clone, Copy)]
struct Acting {
    /// Its first row and its rows.
    row: u32,
    rows: u32,
    /// Its links.
    from: u32,
    to: u32,
    friction: f64,
    /// Rows at zero motion.
    constant: [f64; 3],
    compliance: [[f64; 3]; 3],
}

/// A part that a contact touches, and where its numbers begin.
#[derive(Clone, Copy)]
struct Link {
    part: u32,
    first: u32,
}

/// All acting contacts.
#[derive(Default)]
pub(in super::super) struct Links {
    /// Columns of each contact in the pattern of the rows, each with the position of its first row.
    columns: Vec<(u32, u32)>,
    /// Where the columns of each contact begin.
    begins: Vec<u32>,
    acting: Vec<Acting>,
    links: Vec<Link>,
    gradient: Vec<Six>,
    response: Vec<Six>,
    /// Motion of the parts.
    pub motion: Vec<Six>,
}

/// What a sweep changed at most, and the largest of its forces; both as accelerations.
#[derive(Clone, Copy, Default)]
pub(super) struct Change {
    pub most: f64,
    pub size: f64,
}

impl Links {
    /// Finds the columns of every contact of a new list.
    pub fn renew(&mut self, candidates: &Candidates, parts: &Parts) {
        let pattern = &candidates.patterns.rows;
        let contacts = candidates.len();
        self.motion.resize(parts.count(), [0.0; WIDTH]);
        self.begins.clear();
        self.begins.resize(contacts + 2, 0);
        let each = |f: &mut dyn FnMut(usize, usize, usize)| {
            for column in 0..pattern.cols() {
                let rows = pattern.column(column);
                let mut k = 0;
                while k < rows.len() {
                    let contact = candidates.owner(rows[k]);
                    f(contact, column, pattern.column_start(column) + k);
                    k += candidates.laws[contact].rows();
                }
            }
        };
        each(&mut |contact, _, _| self.begins[contact + 2] += 1);
        for i in 0..contacts {
            self.begins[i + 2] += self.begins[i + 1];
        }
        self.columns.clear();
        self.columns.resize(self.begins[contacts + 1] as usize, (0, 0));
        each(&mut |contact, column, position| {
            let next = &mut self.begins[contact + 1];
            self.columns[*next as usize] = (column as u32, position as u32);
            *next += 1;
        });
    }

    /// Takes over gradients and compliance of the contacts that may act. `rows` are theirs at the
    /// present motion of the parts.
    pub fn prepare(
        &mut self,
        candidates: &Candidates,
        parts: &Parts,
        active: &[bool],
        (gradient, rows): (&[f64], &[f64]),
        masses: &mut [f64],
    ) {
        self.acting.clear();
        self.links.clear();
        self.gradient.clear();
        self.response.clear();
        for contact in (0..candidates.len()).filter(|&i| active[i]) {
            let (row, count) = (candidates.first[contact], candidates.laws[contact].rows());
            let from = self.links.len() as u32;
            let columns = self.begins[contact] as usize..self.begins[contact + 1] as usize;
            for &(column, position) in &self.columns[columns] {
                let (part, place) = parts.place(column as usize);
                if self.links.len() == from as usize
                    || self.links[self.links.len() - 1].part != part as u32
                {
                    self.links.push(Link { part: part as u32, first: self.gradient.len() as u32 });
                    self.gradient.resize(self.gradient.len() + count, [0.0; WIDTH]);
                }
                let first = self.gradient.len() - count;
                for a in 0..count {
                    self.gradient[first + a][place] = gradient[position as usize + a];
                }
            }
            let mut acting = Acting {
                row: row as u32,
                rows: count as u32,
                from,
                to: self.links.len() as u32,
                friction: candidates.laws[contact].friction,
                constant: [0.0; 3],
                compliance: [[0.0; 3]; 3],
            };
            acting.constant[..count].copy_from_slice(&rows[row..row + count]);
            for link in &self.links[from as usize..] {
                let first = link.first as usize;
                for a in 0..count {
                    let own = self.gradient[first + a];
                    acting.constant[a] -= dot(&own, &self.motion[link.part as usize]);
                    let response = parts.respond(link.part as usize, &own);
                    self.response.push(response);
                    for b in 0..count {
                        acting.compliance[b][a] += dot(&self.gradient[first + b], &response);
                    }
                }
            }
            for a in 0..count {
                let found = 1.0 / acting.compliance[a][a].max(f64::MIN_POSITIVE);
                masses[row + a] = if found.is_finite() { found } else { 1.0 };
            }
            self.acting.push(acting);
        }
    }

    /// Every acting contact in turn takes the forces that its law asks for, and its parts move at
    /// once.
    pub fn sweep(&mut self, backward: bool, forces: &mut [f64]) -> Change {
        let mut change = Change::default();
        for k in 0..self.acting.len() {
            let k = if backward { self.acting.len() - 1 - k } else { k };
            let Acting { row, rows, from, to, friction, constant, ref compliance, .. } =
                self.acting[k];
            let links = &self.links[from as usize..to as usize];
            let (row, rows) = (row as usize, rows as usize);
            let mut now = constant;
            for link in links {
                let motion = &self.motion[link.part as usize];
                let gradient = &self.gradient[link.first as usize..link.first as usize + rows];
                for (now, gradient) in now.iter_mut().zip(gradient) {
                    *now += dot(gradient, motion);
                }
            }
            let mut before = [0.0; 3];
            before[..rows].copy_from_slice(&forces[row..row + rows]);
            let mut free = now;
            for a in 0..rows {
                for b in 0..rows {
                    free[a] -= compliance[a][b] * before[b];
                }
            }
            let problem = Problem { compliance, free, rows, friction };
            let next = problem.solve(before).unwrap_or_else(|| relaxed(&problem, now, before));
            let mut moved = false;
            for a in 0..rows {
                let step = next[a] - before[a];
                moved |= step != 0.0;
                change.most = change.most.max(step.abs() * compliance[a][a]);
                change.size = change.size.max(next[a].abs() * compliance[a][a]);
            }
            if !moved {
                continue;
            }
            forces[row..row + rows].copy_from_slice(&next[..rows]);
            for link in links {
                let motion = &mut self.motion[link.part as usize];
                let response = &self.response[link.first as usize..link.first as usize + rows];
                for a in 0..rows {
                    let step = next[a] - before[a];
                    for (motion, response) in motion.iter_mut().zip(&response[a]) {
                        *motion += step * response;
                    }
                }
            }
        }
        change
    }
}

/// One projection of each row where the law of a contact by itself has no solution.
fn relaxed(problem: &Problem, rows: [f64; 3], before: [f64; 3]) -> [f64; 3] {
    let mut out = [0.0; 3];
    let step = |a: usize| before[a] - rows[a] / problem.compliance[a][a].max(f64::MIN_POSITIVE);
    out[0] = step(0).max(0.0);
    let mut size = 0.0f64;
    for a in 1..problem.rows {
        out[a] = step(a);
        size = size.hypot(out[a]);
    }
    let limit = problem.friction * out[0];
    if size > limit {
        (1..problem.rows).for_each(|a| out[a] *= limit / size);
    }
    out
}

#[inline]
fn dot(a: &Six, b: &Six) -> f64 {
    let pair = |k: usize| a[k] * b[k];
    (pair(0) + pair(1)) + (pair(2) + pair(3)) + (pair(4) + pair(5))
}
