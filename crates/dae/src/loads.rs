//! How large the loads are that act on each body: what an error of the equations of motion is measured by.
//!
//! The load of a row is the sum of the sizes of all that it balances, inertia, forces and reactions, so that
//! forces that cancel count. Rows that are components of one vector (the force on a body, the moment on it) share its length:
//! which axis a force happens to have must not matter. Where a body feels hardly any moment, a small part of what
//! its forces could turn decides, and the other way round; the scales of the coordinates tell how they compare,
//! since a force times a length and a moment times an angle are both work.

use crate::system::{Point, System};
use rotula_linear::Pattern;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The least load of a vector, relative to the work of what else acts on the same body.
const LEAST: f64 = 1e-3;

/// Loads by row.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Loads {
    /// Vectors, body after body.
    vectors: Vec<Range<usize>>,
    /// The vectors of each body.
    bodies: Vec<Range<usize>>,
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
        Loads { vectors, bodies, scales, sizes: vec![0.0; n], rows: vec![0.0; n] }
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

    /// Gives the rows of a vector its length, or what the other vectors of the body ask for.
    fn share(&mut self) {
        for body in &self.bodies {
            let mut work = 0.0f64;
            for vector in &self.vectors[body.clone()] {
                let rows = &mut self.sizes[vector.clone()];
                let length = rows.iter().map(|x| x * x).sum::<f64>().sqrt();
                rows.fill(length);
                work = work.max(length * self.scales[vector.start]);
            }
            for vector in &self.vectors[body.clone()] {
                let least = LEAST * work / self.scales[vector.start];
                self.sizes[vector.clone()].iter_mut().for_each(|size| *size = size.max(least));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_has_one_length_and_a_body_one_work() {
        let mut loads = Loads {
            vectors: vec![0..3, 3..6],
            bodies: std::iter::once(0..2).collect(),
            scales: vec![2.0, 2.0, 2.0, 1.0, 1.0, 1.0],
            sizes: vec![3.0, 4.0, 0.0, 0.0, 1e-9, 0.0],
            rows: vec![0.0; 6],
        };
        loads.share();
        assert_eq!(loads.sizes[..3], [5.0; 3]);
        // A force of 5 at a distance of 2 turns with 10.
        assert_eq!(loads.sizes[3..], [10.0 * LEAST; 3]);
    }
}
