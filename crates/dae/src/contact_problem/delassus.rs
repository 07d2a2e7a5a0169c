//! The Delassus operator `W = G S⁻¹ Gᵀ` of the acting contacts, in its parts.
//!
//! For every block of coordinates that a contact touches there are six numbers of the gradient `G` for each row, and
//! for every block that it reaches through `S` six of the response `S⁻¹Gᵀ`. A contact so reads and moves its bodies
//! in place: with single bodies one contact costs the same however many there are.

use super::candidates::Candidates;
use super::law::{Equations, LocalState, Status};
use super::subsystems::{BlockInverses, Six, Subsystems, WIDTH};
use crate::contact::Contact;
use rotula_linear::{BlockMatrix, Pattern};
use std::ops::Range;

/// One acting contact.
#[derive(Clone, Copy)]
pub(super) struct Acting {
    /// Its first row among those of all candidates, and its rows.
    row: u32,
    rows: u32,
    /// Links to the blocks that its rows see, and to those that its forces move.
    touched: (u32, u32),
    reached: (u32, u32),
    pub friction: f64,
    /// Rows at zero motion.
    constant: [f64; 3],
    /// Its own block of `W`.
    pub own: [[f64; 3]; 3],
}

impl Acting {
    /// Its rows among those of all candidates.
    pub fn range(&self) -> Range<usize> {
        self.row as usize..(self.row + self.rows) as usize
    }

    /// Its number of rows.
    pub fn rows(&self) -> usize {
        self.rows as usize
    }

    /// Effective masses of its rows.
    pub fn masses(&self) -> [f64; 3] {
        std::array::from_fn(|a| {
            let mass = 1.0 / self.own[a][a].max(f64::MIN_POSITIVE);
            if mass.is_finite() { mass } else { 1.0 }
        })
    }

    /// The equations that its law makes of rows and forces, and what they say of the contact.
    pub fn equations(&self, rows: &[f64], forces: &[f64]) -> (Status, Equations) {
        let law = Contact::rough(0.0, self.friction, self.rows() - 1);
        let masses = self.masses();
        let (r, mass) = (&masses, &masses);
        let state = LocalState { law: &law, rows, forces, r, mass, turns: true };
        let status = state.status();
        (status, state.equations(status, forces))
    }
}

/// A block of coordinates, and where the numbers of a contact for it begin.
#[derive(Clone, Copy)]
struct Link {
    block: u32,
    subsystem: u32,
    first: u32,
}

/// All acting contacts, and the motion that their forces change.
#[derive(Default)]
pub(crate) struct Delassus {
    pub(super) contacts: Vec<Acting>,
    links: Vec<Link>,
    gradient: Vec<Six>,
    response: Vec<Six>,
    /// Motion of the blocks.
    pub motion: Vec<Six>,
    kept: Vec<Six>,
}

impl Delassus {
    /// Takes over the gradients of the contacts that may act; of normal rows alone if `frictionless`.
    pub fn assemble(
        &mut self,
        candidates: &Candidates,
        subsystems: &Subsystems,
        acting: impl Fn(usize) -> bool,
        frictionless: bool,
        gradient: &[f64],
    ) {
        self.contacts.clear();
        self.links.clear();
        self.gradient.clear();
        self.response.clear();
        for contact in (0..candidates.len()).filter(|&i| acting(i)) {
            let law = &candidates.laws[contact];
            let (count, from) = (if frictionless { 1 } else { law.rows() }, self.links.len());
            for (column, position) in candidates.columns(contact) {
                let (block, place) = subsystems.place(column);
                let known =
                    self.links[from..].iter().rposition(|link| link.block as usize == block);
                let first = match known {
                    Some(k) => self.links[from + k].first as usize,
                    None => {
                        let (first, subsystem) = (self.gradient.len(), subsystems.owner(block));
                        self.links.push(Link {
                            block: block as u32,
                            subsystem: subsystem as u32,
                            first: first as u32,
                        });
                        self.gradient.resize(first + count, [0.0; WIDTH]);
                        first
                    }
                };
                for a in 0..count {
                    self.gradient[first + a][place] = gradient[position + a];
                }
            }
            let touched = (from as u32, self.links.len() as u32);
            self.contacts.push(Acting {
                row: candidates.first[contact] as u32,
                rows: count as u32,
                touched,
                reached: touched,
                friction: law.friction,
                constant: [0.0; 3],
                own: [[0.0; 3]; 3],
            });
        }
    }

    fn links(&self, (from, to): (u32, u32)) -> &[Link] {
        &self.links[from as usize..to as usize]
    }

    /// Finds the responses where every subsystem is one block.
    pub fn respond_by_blocks(&mut self, inverses: &BlockInverses) {
        self.response.resize(self.gradient.len(), [0.0; WIDTH]);
        for acting in &self.contacts {
            for link in &self.links[acting.touched.0 as usize..acting.touched.1 as usize] {
                let range = link.first as usize..link.first as usize + acting.rows();
                for (response, gradient) in
                    self.response[range.clone()].iter_mut().zip(&self.gradient[range])
                {
                    *response = inverses.respond(link.block as usize, gradient);
                }
            }
        }
        self.find_own_blocks();
    }

    /// Finds the responses with the factors of a whole system, whose motion comes first. Rows of one colour are solved
    /// together.
    pub fn respond_by_solves(
        &mut self,
        (subsystems, colours): (&Subsystems, &[Vec<usize>]),
        (pattern, gradient): (&Pattern, &[f64]),
        matrix: &mut BlockMatrix,
    ) {
        const NOT: u32 = u32::MAX;
        let mut contact_of_row = vec![NOT; pattern.rows()];
        for (k, acting) in self.contacts.iter_mut().enumerate() {
            contact_of_row[acting.range()].fill(k as u32);
            let from = self.links.len();
            for k in acting.touched.0..acting.touched.1 {
                let subsystem = self.links[k as usize].subsystem;
                if self.links[from..].iter().any(|link| link.subsystem == subsystem) {
                    continue;
                }
                for block in subsystems.blocks_of(subsystem as usize) {
                    let first = self.response.len();
                    self.links.push(Link { block: block as u32, subsystem, first: first as u32 });
                    self.response.resize(first + acting.rows(), [0.0; WIDTH]);
                }
            }
            acting.reached = (from as u32, self.links.len() as u32);
        }
        let (mut unit, mut forces) = (vec![0.0; pattern.rows()], vec![0.0; matrix.size()]);
        for rows in colours {
            let acting = rows.iter().filter(|&&row| contact_of_row[row] != NOT);
            if acting.clone().next().is_none() {
                continue;
            }
            unit.fill(0.0);
            acting.clone().for_each(|&row| unit[row] = 1.0);
            forces.fill(0.0);
            pattern.multiply_transposed_add(gradient, 1.0, &unit, &mut forces[..pattern.cols()]);
            matrix.solve(&mut forces);
            for &row in acting {
                let contact = &self.contacts[contact_of_row[row] as usize];
                for link in &self.links[contact.reached.0 as usize..contact.reached.1 as usize] {
                    self.response[link.first as usize + row - contact.row as usize] =
                        subsystems.six(link.block as usize, &forces);
                }
            }
        }
        self.find_own_blocks();
    }

    fn find_own_blocks(&mut self) {
        for k in 0..self.contacts.len() {
            self.contacts[k].own = self.block(k, k);
        }
    }

    /// The block of `W` that says what the forces of one contact do to the rows of another.
    pub(super) fn block(&self, rows: usize, forces: usize) -> [[f64; 3]; 3] {
        let (seen, acting) = (&self.contacts[rows], &self.contacts[forces]);
        let mut block = [[0.0; 3]; 3];
        for link in self.links(seen.touched) {
            let reached = self.links(acting.reached).iter();
            for other in reached.filter(|other| other.block == link.block) {
                for a in 0..seen.rows() {
                    let gradient = &self.gradient[link.first as usize + a];
                    for b in 0..acting.rows() {
                        block[a][b] += dot(gradient, &self.response[other.first as usize + b]);
                    }
                }
            }
        }
        block
    }

    /// Takes over the rows that there are at the present motion.
    pub fn set_rows(&mut self, rows: &[f64]) {
        for k in 0..self.contacts.len() {
            self.contacts[k].constant = [0.0; 3];
            let moved = self.rows(k);
            let acting = &mut self.contacts[k];
            let range = acting.range();
            for (a, row) in rows[range].iter().enumerate() {
                acting.constant[a] = row - moved[a];
            }
        }
    }

    /// The rows of a contact at the present motion.
    #[inline]
    pub(super) fn rows(&self, k: usize) -> [f64; 3] {
        let acting = &self.contacts[k];
        let mut now = acting.constant;
        for link in self.links(acting.touched) {
            let motion = &self.motion[link.block as usize];
            let first = link.first as usize;
            let gradient = &self.gradient[first..first + acting.rows()];
            now.iter_mut().zip(gradient).for_each(|(now, gradient)| *now += dot(gradient, motion));
        }
        now
    }

    /// The forces of a contact change, and its bodies move at once.
    #[inline]
    pub(super) fn push(&mut self, k: usize, change: &[f64; 3]) {
        let Acting { rows, reached: (from, to), .. } = self.contacts[k];
        for link in &self.links[from as usize..to as usize] {
            let motion = &mut self.motion[link.block as usize];
            let first = link.first as usize;
            for (change, response) in
                change.iter().zip(&self.response[first..first + rows as usize])
            {
                motion.iter_mut().zip(response).for_each(|(motion, r)| *motion += change * r);
            }
        }
    }

    /// A contact takes the given forces.
    pub(super) fn set(&mut self, k: usize, next: &[f64; 3], forces: &mut [f64]) {
        let mut change = [0.0; 3];
        for (a, force) in forces[self.contacts[k].range()].iter_mut().enumerate() {
            change[a] = next[a] - *force;
            *force = next[a];
        }
        self.push(k, &change);
    }

    /// The forces of a contact among those of all candidates.
    #[inline]
    pub(super) fn forces(&self, k: usize, forces: &[f64]) -> [f64; 3] {
        let (range, mut own) = (self.contacts[k].range(), [0.0; 3]);
        own[..range.len()].copy_from_slice(&forces[range]);
        own
    }

    /// Subsystems that a contact touches; one may come twice.
    pub(super) fn subsystems_of(&self, k: usize) -> impl Iterator<Item = usize> {
        self.links(self.contacts[k].touched).iter().map(|link| link.subsystem as usize)
    }

    /// Number of rows of the acting contacts.
    pub fn row_count(&self) -> usize {
        self.contacts.iter().map(Acting::rows).sum()
    }

    /// Effective masses, by row of all candidates.
    pub fn effective_masses(&self) -> impl Iterator<Item = (usize, f64)> {
        self.contacts.iter().flat_map(|acting| acting.range().zip(acting.masses()))
    }

    /// **The measure of convergence**: how far the laws of the acting contacts are from being met by rows and forces,
    /// as root mean square of accelerations. Each contact is taken as open, sticking or slipping as its augmented
    /// forces say, which makes this the natural map of the problem.
    pub fn error(&self, rows: &[f64], forces: &[f64]) -> f64 {
        let mut sum = 0.0;
        for acting in &self.contacts {
            let (_, equations) = acting.equations(&rows[acting.range()], &forces[acting.range()]);
            sum += equations.residual.iter().map(|r| r * r).sum::<f64>();
        }
        root_mean(sum, self.row_count())
    }

    /// Root mean square of the rows that there would be without contact forces: the size against which the error is
    /// measured.
    pub fn free_size(&mut self, forces: &[f64]) -> f64 {
        self.kept.clone_from(&self.motion);
        for k in 0..self.contacts.len() {
            let taken = self.forces(k, forces).map(|force| -force);
            self.push(k, &taken);
        }
        let squares = self.contacts.iter().enumerate().map(|(k, acting)| {
            self.rows(k)[..acting.rows()].iter().map(|row| row * row).sum::<f64>()
        });
        let size = root_mean(squares.sum(), self.row_count());
        std::mem::swap(&mut self.motion, &mut self.kept);
        size
    }
}

/// Root of a mean of squares.
pub(super) fn root_mean(sum: f64, count: usize) -> f64 {
    (sum / count.max(1) as f64).sqrt()
}

#[inline]
fn dot(a: &Six, b: &Six) -> f64 {
    let pair = |k: usize| a[k] * b[k];
    (pair(0) + pair(1)) + (pair(2) + pair(3)) + (pair(4) + pair(5))
}
