//! Block pivoting. Contacts without friction, all at once: `0 ≤ b + W λ ⊥ λ ≥ 0` with `W = G S⁻¹ Gᵀ`.
//!
//! Sweeps carry news by one contact at a time, so that long chains of contacts take very many of
//! them. Where `W` is sparse, its factors are cheaper. The set of closed contacts is found by exchanging
//! all that have the wrong sign, and one by one if that leads nowhere: the method of Júdice and Pires,
//! which ends for every positive definite `W`.

use super::delassus::Delassus;
use super::envelope::Envelope;

/// Exchanges of all wrong signs that may pass without fewer wrong signs.
const PATIENCE: usize = 10;
const MOST_EXCHANGES: usize = 200;
/// Multiplications of one factorisation, by contact, beyond which sweeps are cheaper.
const MOST_WORK: usize = 4000;

/// Memory of the exchanges, by place in the order of elimination.
#[derive(Default)]
pub(super) struct BlockPivoting {
    /// Acting contact in each place, and the place of each acting contact.
    order: Vec<usize>,
    places: Vec<usize>,
    /// Acting contacts by subsystem, and where those of each subsystem begin.
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

impl BlockPivoting {
    /// Finds all forces and moves the bodies; the number of exchanges, or none, with nothing changed, if the contacts
    /// have friction, depend on each other, or hang together too densely.
    pub fn solve(&mut self, delassus: &mut Delassus, forces: &mut [f64]) -> Option<usize> {
        if delassus.contacts.iter().any(|acting| acting.rows() > 1) {
            return None;
        }
        self.find_members(delassus);
        self.find_order(delassus);
        if !self.find_envelope(delassus) {
            return None;
        }
        self.assemble(delassus, forces);
        let exchanges = self.exchange()?;
        for (place, &contact) in self.order.iter().enumerate() {
            delassus.set(contact, &[self.forces[place], 0.0, 0.0], forces);
        }
        Some(exchanges)
    }

    /// Lists the acting contacts of every subsystem.
    fn find_members(&mut self, delassus: &Delassus) {
        let (count, subsystems) = (delassus.contacts.len(), delassus.motion.len());
        self.begins.clear();
        self.begins.resize(subsystems + 2, 0);
        for contact in 0..count {
            delassus.subsystems_of(contact).for_each(|of| self.begins[of + 2] += 1);
        }
        for k in 0..subsystems {
            self.begins[k + 2] += self.begins[k + 1];
        }
        self.members.clear();
        self.members.resize(self.begins[subsystems + 1], 0);
        for contact in 0..count {
            for of in delassus.subsystems_of(contact) {
                let next = &mut self.begins[of + 1];
                self.members[*next] = contact;
                *next += 1;
            }
        }
    }

    fn members(&self, subsystem: usize) -> &[usize] {
        &self.members[self.begins[subsystem]..self.begins[subsystem + 1]]
    }

    /// Contacts that share a subsystem with one, itself among them; some may come twice.
    fn neighbours<'a>(
        &'a self,
        delassus: &'a Delassus,
        contact: usize,
    ) -> impl Iterator<Item = usize> + 'a {
        delassus.subsystems_of(contact).flat_map(|of| self.members(of).iter().copied())
    }

    /// Cuthill and McKee's order: neighbours of what has a place come next, so that rows stay short.
    fn find_order(&mut self, delassus: &Delassus) {
        const NONE: usize = usize::MAX;
        let count = delassus.contacts.len();
        let mut order = std::mem::take(&mut self.order);
        let mut places = std::mem::take(&mut self.places);
        order.clear();
        places.clear();
        places.resize(count, NONE);
        // contacts at the end of a chain first
        for narrow in [true, false] {
            for contact in 0..count {
                let alone = delassus.subsystems_of(contact).count();
                let ends = self.neighbours(delassus, contact).nth(alone + 1).is_none();
                if places[contact] != NONE || ends != narrow {
                    continue;
                }
                let mut next = order.len();
                places[contact] = next;
                order.push(contact);
                while next < order.len() {
                    for other in self.neighbours(delassus, order[next]) {
                        if places[other] == NONE {
                            places[other] = order.len();
                            order.push(other);
                        }
                    }
                    next += 1;
                }
            }
        }
        (self.order, self.places) = (order, places);
    }

    /// Lays the matrix out; false if its factor would be dear.
    fn find_envelope(&mut self, delassus: &Delassus) -> bool {
        let mut first = std::mem::take(&mut self.first);
        first.clear();
        let mut work = 0;
        for (place, &contact) in self.order.iter().enumerate() {
            let others = self.neighbours(delassus, contact).map(|other| self.places[other]);
            let begin = others.min().unwrap_or(place).min(place);
            work += (place - begin) * (place - begin);
            first.push(begin);
        }
        self.first = first;
        if work > MOST_WORK * self.order.len() {
            return false;
        }
        self.matrix.lay_out(self.first.iter().copied());
        true
    }

    /// Fills matrix and free rows, and guesses what is closed from the present forces.
    fn assemble(&mut self, delassus: &Delassus, forces: &[f64]) {
        let count = self.order.len();
        let mut matrix = std::mem::take(&mut self.matrix);
        for (place, &contact) in self.order.iter().enumerate() {
            for other in self.neighbours(delassus, contact) {
                if self.places[other] <= place {
                    matrix.set(place, self.places[other], delassus.block(contact, other)[0][0]);
                }
            }
        }
        self.matrix = matrix;
        self.forces.clear();
        self.forces.extend(self.order.iter().map(|&contact| delassus.forces(contact, forces)[0]));
        self.rows.resize(count, 0.0);
        self.matrix.multiply(&self.forces, &mut self.rows);
        self.free.clear();
        self.closed.clear();
        for place in 0..count {
            let now = delassus.rows(self.order[place])[0];
            self.free.push(now - self.rows[place]);
            self.closed.push(self.forces[place] * self.matrix.diagonal(place) > now);
        }
    }

    /// The set of closed contacts and their forces; the number of factorisations.
    fn exchange(&mut self) -> Option<usize> {
        // what rounding leaves of a row
        let scale = self.free.iter().fold(0.0f64, |size, b| size.max(b.abs()));
        let rounding = 64.0 * f64::EPSILON * scale;
        let (mut fewest, mut patience) = (usize::MAX, PATIENCE);
        for exchange in 1..=MOST_EXCHANGES {
            if !self.matrix.factorise(&self.closed) {
                return None;
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
                return Some(exchange);
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
        None
    }
}
