//! How large the loads are that act on each body: what an error of the equations of motion is measured by.
//!
//! The load of a row is the sum of the sizes of all that it balances, inertia, forces and reactions, so that
//! forces that cancel count. Rows that are components of one vector (the force on a body, the moment on it) share its length:
//! which axis a force happens to have must not matter. Where a body feels hardly any moment, a small part of what
//! its forces could turn decides, and the other way round; the scales of the coordinates tell how they compare,
//! since a force times a length and a moment times an angle are both work. Where a body feels next to nothing, such as
//! a massless end with nothing attached, what acts on the bodies it is joined to decides: a reaction acts on both,
//! and is known no better than rounding lets the larger loads balance.

use crate::system::{Point, System};
use rotula_linear::Pattern;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ops::Range;

/// The least load of a vector, relative to the work of what else acts on the same body.
const LEAST: f64 = 1e-3;

/// The least load of a body, relative to the work of what acts on a body it is joined to.
const LEAST_JOINED: f64 = 1e-5;

/// Loads by row.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Loads {
    /// Vectors, body after body.
    vectors: Vec<Range<usize>>,
    /// The vectors of each body.
    bodies: Vec<Range<usize>>,
    /// The bodies that constraints join, each set once.
    joined: Vec<Vec<usize>>,
    /// The work of what acts on each body, and on those it is joined to.
    work: [Vec<f64>; 2],
    /// Characteristic sizes of the coordinates.
    scales: Vec<f64>,
    /// The load of each row.
    pub sizes: Vec<f64>,
    rows: Vec<f64>,
}

impl Loads {
    pub fn new(system: &dyn System) -> Self {
        let n = system.sizes().motion;
        let scales: Vec<f64> = (0..n).map(|i| system.scale(i)).collect();
        let (mut vectors, mut bodies) = (Vec::new(), Vec::new());
        for part in system.parts() {
            let first = vectors.len();
            let Range { mut start, end } = part.coordinates;
            while start < end {
                let alike = scales[start..end].iter().take_while(|&&s| s == scales[start]).count();
                vectors.push(start..start + alike);
                start += alike;
            }
            bodies.push(first..vectors.len());
        }
        let joined = joined(system);
        let work = [vec![0.0; bodies.len()], vec![0.0; bodies.len()]];
        Loads { vectors, bodies, joined, work, scales, sizes: vec![0.0; n], rows: vec![0.0; n] }
    }

    /// All vectors, body after body.
    pub fn all_vectors(&self) -> &[Range<usize>] {
        &self.vectors
    }

    /// The numbers of the vectors of body `k`.
    pub fn vectors_of(&self, k: usize) -> Range<usize> {
        self.bodies[k].clone()
    }

    /// Characteristic sizes of the coordinates.
    pub fn scales(&self) -> &[f64] {
        &self.scales
    }

    /// Measures the loads at a point.
    pub fn measure(&mut self, system: &mut dyn System, at: &Point) {
        system.loads(at, &mut self.rows, &mut self.sizes);
        self.share();
    }

    /// Adds the sizes of contact forces, one per contact row.
    pub fn add_contacts(&mut self, pattern: &Pattern, gradient: &[f64], forces: &[f64]) {
        for ((row, column), value) in pattern.iter().zip(gradient) {
            self.sizes[column] += (value * forces[row]).abs();
        }
        self.share();
    }

    /// Gives the rows of a vector its length, or what the other vectors of the body or the bodies joined to it ask for.
    fn share(&mut self) {
        let [own, around] = &mut self.work;
        for (body, own) in self.bodies.iter().zip(&mut *own) {
            *own = 0.0;
            for vector in &self.vectors[body.clone()] {
                let rows = &mut self.sizes[vector.clone()];
                let length = rows.iter().map(|x| x * x).sum::<f64>().sqrt();
                rows.fill(length);
                *own = own.max(length * self.scales[vector.start]);
            }
        }
        around.fill(0.0);
        for bodies in &self.joined {
            let largest = bodies.iter().map(|&body| own[body]).fold(0.0, f64::max);
            bodies.iter().for_each(|&body| around[body] = around[body].max(largest));
        }
        for (body, (own, around)) in self.bodies.iter().zip(own.iter().zip(around)) {
            let work = (LEAST * own).max(LEAST_JOINED * *around);
            for vector in &self.vectors[body.clone()] {
                let least = work / self.scales[vector.start];
                self.sizes[vector.clone()].iter_mut().for_each(|size| *size = size.max(least));
            }
        }
    }
}

/// The sets of bodies that constraints join.
fn joined(system: &dyn System) -> Vec<Vec<usize>> {
    let sizes = system.sizes();
    let mut body_of = vec![0; sizes.motion];
    for (k, part) in system.parts().into_iter().enumerate() {
        body_of[part.coordinates].fill(k);
    }
    let mut bodies = vec![BTreeSet::new(); sizes.multipliers()];
    for (row, column) in system.patterns().constraints.iter() {
        bodies[row].insert(body_of[column]);
    }
    let sets: BTreeSet<BTreeSet<usize>> =
        bodies.into_iter().filter(|bodies| bodies.len() > 1).collect();
    sets.into_iter().map(|bodies| bodies.into_iter().collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_has_one_length_and_a_body_one_work() {
        let mut loads = Loads {
            vectors: vec![0..3, 3..6, 6..7, 7..8],
            bodies: vec![0..2, 2..3, 3..4],
            joined: vec![vec![0, 1]],
            work: [vec![0.0; 3], vec![0.0; 3]],
            scales: vec![2.0, 2.0, 2.0, 1.0, 1.0, 1.0, 0.5, 1.0],
            sizes: vec![3.0, 4.0, 0.0, 0.0, 1e-9, 0.0, 0.0, 0.0],
            rows: vec![0.0; 8],
        };
        loads.share();
        assert_eq!(loads.sizes[..3], [5.0; 3]);
        // A force of 5 at a distance of 2 turns with 10.
        assert_eq!(loads.sizes[3..6], [10.0 * LEAST; 3]);
        // The second body feels nothing but is joined to the first; the third is free.
        assert_eq!(loads.sizes[6..], [20.0 * LEAST_JOINED, 0.0]);
    }
}
