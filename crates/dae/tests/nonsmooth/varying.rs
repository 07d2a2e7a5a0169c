//! Linear bodies whose list of contacts follows their motion.

use crate::linear::Linear;
use rotula_dae::*;

pub struct Varying {
    all: Linear,
    present: Linear,
    keys: Vec<u64>,
    /// How often the list changed.
    pub changes: usize,
}

impl Varying {
    pub fn new(all: Linear) -> Self {
        let present =
            Linear { rows: Vec::new(), offset: Vec::new(), contacts: Vec::new(), ..all.clone() };
        Varying { all, present, keys: Vec::new(), changes: 0 }
    }
}

impl System for Varying {
    fn sizes(&self) -> Sizes {
        self.all.sizes()
    }

    fn patterns(&self) -> Patterns {
        self.all.patterns()
    }

    fn dynamics(&mut self, at: &Point, terms: Terms, out: &mut [f64]) {
        self.all.dynamics(at, terms, out);
    }

    fn tangent(&mut self, at: &Point, weights: Weights, terms: Terms, values: &mut [f64]) {
        self.all.tangent(at, weights, terms, values);
    }

    rotula_dae::hand_out!(Contacts, Energetics);
}

impl Contacts for Varying {
    fn contacts(&self) -> &[Contact] {
        self.present.contacts()
    }

    fn contact_stays(&self, _contact: usize) -> bool {
        false
    }

    fn contact_key(&self, contact: usize) -> u64 {
        self.keys[contact]
    }

    fn renew_contacts(&mut self, at: &Point, horizon: f64) -> bool {
        let mut rows = vec![0.0; self.all.rows.len()];
        self.all.contact(Level::Position, at, &mut rows);
        let speed = at.v.iter().fold(0.0f64, |m, v| m.max(v.abs()));
        let reach = horizon * (2.0 * speed + 10.0 * horizon) + 1e-9;
        // Last first, so that places and keys differ.
        let near: Vec<usize> = (0..rows.len()).rev().filter(|&i| rows[i] < reach).collect();
        let keys: Vec<u64> = near.iter().map(|&i| 100 + i as u64).collect();
        if keys == self.keys {
            return false;
        }
        self.present.rows = near.iter().map(|&i| self.all.rows[i].clone()).collect();
        self.present.offset = near.iter().map(|&i| self.all.offset[i]).collect();
        self.present.contacts = near.iter().map(|&i| self.all.contacts[i]).collect();
        self.keys = keys;
        self.changes += 1;
        true
    }

    fn contact_patterns(&self) -> ContactPatterns {
        self.present.contact_patterns()
    }

    fn contact(&mut self, level: Level, at: &Point, out: &mut [f64]) {
        self.present.contact(level, at, out);
    }

    fn contact_gradient(&mut self, at: &Point, values: &mut [f64]) {
        self.present.contact_gradient(at, values);
    }

    fn contact_tangent(&mut self, level: Level, at: &Point, w: Weights, values: &mut [f64]) {
        self.present.contact_tangent(level, at, w, values);
    }
}

impl Energetics for Varying {
    fn energy(&mut self, at: &Point) -> Option<Energy> {
        self.all.energy(at)
    }
}
