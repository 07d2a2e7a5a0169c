//! Contact forces in the world over time, for pictures of systems whose list of contacts changes.

use serde::{Deserialize, Serialize};

/// Most forces that are kept of one time: the strongest. More of them cannot be told apart in a picture.
const MOST: usize = 500;

/// The force of a contact, in the world.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContactForce {
    /// The body it acts on, as the system counts them.
    pub body: usize,
    /// Where it acts.
    pub place: [f64; 3],
    /// The force.
    pub force: [f64; 3],
}

impl ContactForce {
    /// How strong it is.
    pub fn size(&self) -> f64 {
        self.force.iter().map(|part| part * part).sum::<f64>().sqrt()
    }
}

/// The contact forces of several times, the strongest of each time first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ContactForces {
    /// Where the forces of each time end in the list.
    pub(crate) ends: Vec<usize>,
    pub(crate) forces: Vec<ContactForce>,
}

impl ContactForces {
    /// True if no force ever acted.
    pub fn is_empty(&self) -> bool {
        self.forces.is_empty()
    }

    /// Number of times.
    pub fn times(&self) -> usize {
        self.ends.len()
    }

    /// The forces of all times, one time after the other.
    pub fn all(&self) -> &[ContactForce] {
        &self.forces
    }

    /// The forces at a time, by its number.
    pub fn at(&self, time: usize) -> &[ContactForce] {
        let start = time.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.forces[start..self.ends[time]]
    }

    /// Adds the forces of the next time; they are already in order.
    pub fn push(&mut self, forces: &[ContactForce]) {
        self.forces.extend_from_slice(forces);
        self.ends.push(self.forces.len());
    }

    /// Adds the strongest of the forces of the next time, in order.
    pub(crate) fn push_strongest(&mut self, forces: &mut [ContactForce]) {
        forces.sort_unstable_by(|a, b| b.size().total_cmp(&a.size()));
        self.push(&forces[..forces.len().min(MOST)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strongest_are_kept_in_order() {
        let force = |size: f64| ContactForce { body: 1, place: [0.0; 3], force: [0.0, -size, 0.0] };
        let mut record = ContactForces::default();
        record.push_strongest(&mut []);
        record.push_strongest(&mut [force(1.0), force(3.0), force(2.0)]);
        let many = (0..MOST + 7).map(|k| force(k as f64));
        record.push_strongest(&mut many.collect::<Vec<_>>());
        assert_eq!((record.times(), record.at(0).len()), (3, 0));
        assert_eq!(record.at(1), [force(3.0), force(2.0), force(1.0)]);
        assert_eq!(record.at(2).len(), MOST);
        assert_eq!(record.at(2)[0].size(), (MOST + 6) as f64);
        assert_eq!(record.at(2)[MOST - 1].size(), 7.0);
    }
}
