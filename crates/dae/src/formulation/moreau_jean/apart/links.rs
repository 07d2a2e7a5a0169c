//! What each acting contact knows of the parts it touches: gradients, responses, compliance.
//!
//! A contact is linked with one or more parts. For every link and row there are six numbers of the
//! gradient `G` and six of the response `S⁻¹Gᵀ`, so that a contact reads and moves its parts in place:
//! one contact costs the same however many there are.

use super::parts::{Parts, Six, WIDTH};
use crate::formulation::nonsmooth::Candidates;
use crate::formulation::nonsmooth::local::Problem;
use serde::{Deserialize, Serialize};

/// One acting contact.
#[derive(Clone, Copy, Serialize, Deserialize)]
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
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Link {
    part: u32,
    first: u32,
}

/// All acting contacts.
#[derive(Default, Serialize, Deserialize)]
pub(in super::super) struct Links {
    /// Columns of each contact in the pattern of the rows, each with the position of its first row.
    columns: Vec<(u32, u32)>,
    /// Where the columns of each contact begin.
    begins: Vec<u32>,
    acting: Vec<Acting>,
    links: Vec<Link>,
    gradient: Vec<Six>,
    response: Vec<Six>,
    /// Motion of the parts, and what it would be without contact forces.
    pub motion: Vec<Six>,
    free: Vec<Six>,
    /// Forces before a sweep, and the direction in which sweeps went, by acting contact.
    before: Vec<[f64; 3]>,
    direction: Vec<[f64; 3]>,
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
                    let contact = candidates.owner(rows[k] as usize);
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

    /// Number of rows of the acting contacts.
    pub fn rows(&self) -> usize {
        self.acting.iter().map(|acting| acting.rows as usize).sum()
    }

    /// Root mean square of the rows that there would be without contact forces: the size against which
    /// errors of rows are measured.
    pub fn free_size(&mut self, forces: &[f64]) -> f64 {
        self.free.clear();
        self.free.extend_from_slice(&self.motion);
        for acting in &self.acting {
            for link in &self.links[acting.from as usize..acting.to as usize] {
                let motion = &mut self.free[link.part as usize];
                for a in 0..acting.rows as usize {
                    let force = forces[acting.row as usize + a];
                    let response = &self.response[link.first as usize + a];
                    motion
                        .iter_mut()
                        .zip(response)
                        .for_each(|(x, response)| *x -= force * response);
                }
            }
        }
        let mut sum = 0.0;
        for acting in &self.acting {
            for a in 0..acting.rows as usize {
                let mut row = acting.constant[a];
                for link in &self.links[acting.from as usize..acting.to as usize] {
                    let motion = &self.free[link.part as usize];
                    row += dot(&self.gradient[link.first as usize + a], motion);
                }
                sum += row * row;
            }
        }
        mean(sum, self.rows())
    }

    /// Forgets the direction of earlier sweeps and remembers the forces.
    pub fn begin(&mut self, forces: &[f64]) {
        self.direction.clear();
        self.direction.resize(self.acting.len(), [0.0; 3]);
        self.remember(forces);
    }

    fn remember(&mut self, forces: &[f64]) {
        self.before.clear();
        self.before.extend(self.acting.iter().map(|acting| {
            let mut own = [0.0; 3];
            let (row, rows) = (acting.row as usize, acting.rows as usize);
            own[..rows].copy_from_slice(&forces[row..row + rows]);
            own
        }));
    }

    /// Goes further the way that sweeps went: the nonlinear conjugate gradients of Fletcher and Reeves,
    /// with what sweeps changed as gradient. `last` is the square of this before; returns that of now.
    /// Where it grew, the direction is forgotten.
    pub fn extrapolate(&mut self, last: f64, forces: &mut [f64]) -> f64 {
        let mut now = 0.0;
        for (acting, before) in self.acting.iter().zip(&self.before) {
            for a in 0..acting.rows as usize {
                let step = forces[acting.row as usize + a] - before[a];
                now += step * step * acting.compliance[a][a];
            }
        }
        let factor = if now < last { now / last } else { 0.0 };
        for (k, acting) in self.acting.iter().enumerate() {
            let mut further = [0.0; 3];
            for a in 0..acting.rows as usize {
                let force = &mut forces[acting.row as usize + a];
                further[a] = factor * self.direction[k][a];
                self.direction[k][a] = further[a] + (*force - self.before[k][a]);
                *force += further[a];
            }
            if factor > 0.0 {
                for link in &self.links[acting.from as usize..acting.to as usize] {
                    let motion = &mut self.motion[link.part as usize];
                    for a in 0..acting.rows as usize {
                        let response = &self.response[link.first as usize + a];
                        motion.iter_mut().zip(response).for_each(|(x, r)| *x += further[a] * r);
                    }
                }
            }
        }
        self.remember(forces);
        now
    }

    /// Every acting contact in turn takes the forces that its law asks for, and its parts move at
    /// once. Returns the root mean square of what this changed in its own row.
    pub fn sweep(&mut self, backward: bool, forces: &mut [f64]) -> f64 {
        let mut change = 0.0;
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
                let own = step * compliance[a][a];
                change += own * own;
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
        mean(change, self.rows())
    }
}

/// What the solution of all contacts at once asks.
impl Links {
    /// Number of acting contacts.
    pub fn count(&self) -> usize {
        self.acting.len()
    }

    /// True if no acting contact has friction.
    pub fn all_smooth(&self) -> bool {
        self.acting.iter().all(|acting| acting.rows == 1)
    }

    fn links_of(&self, contact: usize) -> &[Link] {
        let Acting { from, to, .. } = self.acting[contact];
        &self.links[from as usize..to as usize]
    }

    /// The parts that a contact touches.
    pub fn parts_of(&self, contact: usize) -> impl Iterator<Item = usize> {
        self.links_of(contact).iter().map(|link| link.part as usize)
    }

    /// The parts that a smooth contact touches, each with its gradient there.
    pub fn gradients_of(&self, contact: usize) -> impl Iterator<Item = (usize, &Six)> {
        let gradient = |link: &Link| (link.part as usize, &self.gradient[link.first as usize]);
        self.links_of(contact).iter().map(gradient)
    }

    /// What a unit force of a smooth contact does through one part to a row with this gradient.
    pub fn coupling(&self, gradient: &Six, contact: usize, part: usize) -> f64 {
        let links = self.links_of(contact).iter().filter(|link| link.part as usize == part);
        links.map(|link| dot(gradient, &self.response[link.first as usize])).sum()
    }

    /// The force of a smooth contact.
    pub fn force(&self, contact: usize, forces: &[f64]) -> f64 {
        forces[self.acting[contact].row as usize]
    }

    /// The row of a smooth contact at the present motion of the parts.
    pub fn row(&self, contact: usize) -> f64 {
        let rows = self.gradients_of(contact);
        rows.fold(self.acting[contact].constant[0], |row, (part, gradient)| {
            row + dot(gradient, &self.motion[part])
        })
    }

    /// A smooth contact takes a force, and its parts move at once.
    pub fn set_smooth(&mut self, contact: usize, force: f64, forces: &mut [f64]) {
        let Acting { row, from, to, .. } = self.acting[contact];
        let step = force - forces[row as usize];
        forces[row as usize] = force;
        for link in &self.links[from as usize..to as usize] {
            let motion = &mut self.motion[link.part as usize];
            let response = &self.response[link.first as usize];
            motion.iter_mut().zip(response).for_each(|(x, response)| *x += step * response);
        }
    }
}

/// Root of a mean of squares.
fn mean(sum: f64, count: usize) -> f64 {
    (sum / count.max(1) as f64).sqrt()
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
