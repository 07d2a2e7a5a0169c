//! Contact forces in the world over time.

use serde::{Deserialize, Serialize};

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
}
