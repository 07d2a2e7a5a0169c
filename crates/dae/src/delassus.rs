//! What impulses along some contact rows do to the rates of these rows, bilateral constraints kept.

use crate::saddle::{Rows, Saddle};
use crate::system::{Point, System};
use rotula_linear::FactorError;

/// The matrix `W = G A Gᵀ`, where `A Gᵀ` is the change of velocity that unit impulses bring about.
#[derive(Default)]
pub(crate) struct Delassus {
    /// Row by row.
    pub matrix: Vec<f64>,
    /// Changes of velocity, then impulses of the bilateral constraints, for a unit impulse in each row.
    pub responses: Vec<Vec<f64>>,
}

impl Delassus {
    /// For contact rows, in increasing order, at a point.
    pub fn new(
        system: &mut dyn System,
        at: &Point,
        saddle: &mut Saddle,
        rows: &[usize],
    ) -> Result<Self, FactorError> {
        saddle.factorise(system, at, Rows::All)?;
        let pattern = system.contact_row_pattern();
        let mut gradient = vec![0.0; pattern.entries()];
        system.contact_gradient(at, &mut gradient);
        let mut entries = vec![Vec::new(); rows.len()];
        for ((row, column), &value) in pattern.iter().zip(&gradient) {
            if let Ok(k) = rows.binary_search(&row) {
                entries[k].push((column, value));
            }
        }
        let n = rows.len();
        let mut delassus = Delassus { matrix: vec![0.0; n * n], responses: Vec::with_capacity(n) };
        for i in 0..n {
            saddle.rhs.fill(0.0);
            entries[i].iter().for_each(|&(column, value)| saddle.rhs[column] += value);
            saddle.solve();
            for j in 0..n {
                let product =
                    entries[j].iter().map(|&(column, value)| value * saddle.motion()[column]);
                delassus.matrix[j * n + i] = product.sum();
            }
            delassus.responses.push(saddle.rhs.clone());
        }
        Ok(delassus)
    }
}
