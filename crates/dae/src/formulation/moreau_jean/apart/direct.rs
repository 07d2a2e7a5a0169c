//! Contacts without friction, all at once: `0 ≤ b + W λ ⊥ λ ≥ 0` with `W = G S⁻¹ Gᵀ`.
//!
//! Sweeps carry news by one contact at a time, so that long chains of contacts take very many of
//! them. Where `W` is sparse, its factors are cheaper. The set of closed contacts is found by exchanging
//! all that have the wrong sign, and one by one if that leads nowhere: the method of Júdice and Pires,
//! which ends for every positive definite `W`.

use super::envelope::Envelope;
use super::links::Links;
use serde::{Deserialize, Serialize};

/// Exchanges of all wrong signs that may pass without fewer wrong signs.
const PATIENCE: usize = 10;
const MOST_EXCHANGES: usize = 200;
/// Multiplications of one factorisation, by contact, beyond which sweeps are cheaper.
const MOST_WORK: usize = 4000;

/// Memory of the exchanges, by place in the order of elimination.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Direct {
    /// Acting contact in each place, and the place of each acting contact.
    order: Vec<usize>,
    places: Vec<usize>,
    /// Acting contacts by part, and where those of each part begin.
    members: Vec<usize>,
    begins: Vec<usize>,
    first: Vec<usize>,
    matrix: Envelope,
    closed: Vec<bool>,
    free: Vec<f64>,
    forces: Vec<f64>,
    rows: Vec<f64>,
    wrong: Vec<usize>,
}

impl Direct {
    /// Finds all forces and moves the parts; false, with nothing changed, if the contacts have friction,
    /// depend on each other, or hang together too densely.
    pub fn solve(&mut self, links: &mut Links, forces: &mut [f64]) -> bool {
        if !links.all_smooth() {
            return false;
        }
        self.find_members(links);
        self.find_order(links);
        if !self.find_envelope(links) {
            return false;
        }
        self.assemble(links, forces);
        if !self.exchange() {
            return false;
        }
        for (place, &contact) in self.order.iter().enumerate() {
            links.set_smooth(contact, self.forces[place], forces);
        }
        true
    }

    /// Lists the acting contacts of every part.
    fn find_members(&mut self, links: &Links) {
        let parts = links.motion.len();
        self.begins.clear();
        self.begins.resize(parts + 2, 0);
        for contact in 0..links.count() {
            links.parts_of(contact).for_each(|part| self.begins[part + 2] += 1);
        }
        for part in 0..parts {
            self.begins[part + 2] += self.begins[part + 1];
        }
        self.members.clear();
        self.members.resize(self.begins[parts + 1], 0);
        for contact in 0..links.count() {
            for part in links.parts_of(contact) {
                let next = &mut self.begins[part + 1];
                self.members[*next] = contact;
                *next += 1;
            }
        }
    }

    fn members(&self, part: usize) -> &[usize] {
        &self.members[self.begins[part]..self.begins[part + 1]]
    }

    /// Cuthill and McKee's order: neighbours of what has a place come next, so that rows stay short.
    fn find_order(&mut self, links: &Links) {
        const NONE: usize = usize::MAX;
        let count = links.count();
        let mut order = std::mem::take(&mut self.order);
        let mut places = std::mem::take(&mut self.places);
        order.clear();
        places.clear();
        places.resize(count, NONE);
        let reach = |contact: usize| -> usize {
            links.parts_of(contact).map(|part| self.members(part).len()).sum()
        };
        // contacts at the end of a chain first
        for narrow in [true, false] {
            for contact in 0..count {
                let ends = reach(contact) <= links.parts_of(contact).count() + 1;
                if places[contact] != NONE || ends != narrow {
                    continue;
                }
                let mut next = order.len();
                places[contact] = next;
                order.push(contact);
                while next < order.len() {
                    for part in links.parts_of(order[next]) {
                        for &other in self.members(part) {
                            if places[other] == NONE {
                                places[other] = order.len();
                                order.push(other);
                            }
                        }
                    }
                    next += 1;
                }
            }
        }
        (self.order, self.places) = (order, places);
    }

    /// Lays the matrix out; false if its factor would be dear.
    fn find_envelope(&mut self, links: &Links) -> bool {
        self.first.clear();
        let mut work = 0;
        for place in 0..self.order.len() {
            let others = links.parts_of(self.order[place]).flat_map(|part| self.members(part));
            let first = others.map(|&other| self.places[other]).min().unwrap_or(place).min(place);
            work += (place - first) * (place - first);
            self.first.push(first);
        }
        if work > MOST_WORK * self.order.len() {
            return false;
        }
        self.matrix.lay_out(self.first.iter().copied());
        true
    }

    /// Fills matrix and free rows, and guesses what is closed from the present forces.
    fn assemble(&mut self, links: &Links, forces: &[f64]) {
        let count = self.order.len();
        for place in 0..count {
            let contact = self.order[place];
            for (part, gradient) in links.gradients_of(contact) {
                for &other in &self.members[self.begins[part]..self.begins[part + 1]] {
                    if self.places[other] <= place {
                        let value = links.coupling(gradient, other, part);
                        self.matrix.add(place, self.places[other], value);
                    }
                }
            }
        }
        let forces = self.order.iter().map(|&contact| links.force(contact, forces));
        self.forces.clear();
        self.forces.extend(forces);
        self.rows.resize(count, 0.0);
        self.matrix.multiply(&self.forces, &mut self.rows);
        self.free.clear();
        self.closed.clear();
        for place in 0..count {
            let now = links.row(self.order[place]);
            self.free.push(now - self.rows[place]);
            self.closed.push(self.forces[place] * self.matrix.diagonal(place) > now);
        }
    }

    fn exchange(&mut self) -> bool {
        // what rounding leaves of a row
        let scale = self.free.iter().fold(0.0f64, |size, b| size.max(b.abs()));
        let rounding = 64.0 * f64::EPSILON * scale;
        let (mut fewest, mut patience) = (usize::MAX, PATIENCE);
        for _ in 0..MOST_EXCHANGES {
            if !self.matrix.factorise(&self.closed) {
                return false;
            }
            for (place, force) in self.forces.iter_mut().enumerate() {
                *force = if self.closed[place] { -self.free[place] } else { 0.0 };
            }
            self.matrix.solve(&self.closed, &mut self.forces);
            self.matrix.multiply(&self.forces, &mut self.rows);
            self.wrong.clear();
            for place in 0..self.forces.len() {
                let sign = match self.closed[place] {
                    true => self.forces[place] * self.matrix.diagonal(place),
                    false => self.rows[place] + self.free[place],
                };
                if sign.is_nan() || sign < -rounding {
                    self.wrong.push(place);
                }
            }
            let Some(&last) = self.wrong.last() else {
                self.forces.iter_mut().for_each(|force| *force = force.max(0.0));
                return true;
            };
            if self.wrong.len() < fewest {
                (fewest, patience) = (self.wrong.len(), PATIENCE);
            } else if patience > 0 {
                patience -= 1;
            } else {
                self.closed[last] = !self.closed[last];
                continue;
            }
            self.wrong.iter().for_each(|&place| self.closed[place] = !self.closed[place]);
        }
        false
    }
}
