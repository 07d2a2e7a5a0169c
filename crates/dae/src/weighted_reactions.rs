//! What multipliers do to the equations of motion, each relative to a size of its own: the largest of them.
//!
//! It is asked for in every iteration. Motions that the same multipliers touch, as those of a body, stand side by side, so
//! that vector instructions take them at once.

use crate::reaction_matrix::{Entry, ReactionMatrix};
use serde::{Deserialize, Serialize};

/// Motions of a group.
const LANES: usize = 4;

/// `diag(1/s) Gᵀ` in groups of rows.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct WeightedReactions {
    /// Where the terms of each group end.
    ends: Vec<usize>,
    /// The multiplier of each term.
    multipliers: Vec<usize>,
    /// What it does to the motions of its group.
    values: Vec<[f64; LANES]>,
    rows: Vec<Row>,
    /// Where the values of the rows stand in the matrix of reactions, row after row.
    places: Vec<u32>,
}

/// A motion and its place in a group.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Row {
    motion: usize,
    first_term: usize,
    terms: usize,
    lane: usize,
}

impl WeightedReactions {
    pub fn new(reactions: &ReactionMatrix) -> Self {
        let entries = reactions.entries();
        let places = entries.iter().map(|entry| entry.place as u32).collect();
        let mut new = WeightedReactions { places, ..Default::default() };
        let mut last: Option<&[Entry]> = None;
        let mut lane = 0;
        for row in entries.chunk_by(|a, b| a.motion == b.motion) {
            let joins = last.is_some_and(|last| multipliers(row).eq(multipliers(last)));
            lane = if joins { (lane + 1) % LANES } else { 0 };
            if lane == 0 {
                new.multipliers.extend(multipliers(row));
                new.ends.push(new.multipliers.len());
            }
            let first_term = new.multipliers.len() - row.len();
            new.rows.push(Row { motion: row[0].motion, first_term, terms: row.len(), lane });
            last = Some(row);
        }
        new.values = vec![[0.0; LANES]; new.multipliers.len()];
        new
    }

    /// Takes the values of the matrix, each row times its weight.
    pub fn set(&mut self, reactions: &ReactionMatrix, weights: &[f64]) {
        let source = reactions.values();
        let mut places = self.places.iter();
        for &Row { motion, first_term, terms, lane } in &self.rows {
            let values = &mut self.values[first_term..first_term + terms];
            for (value, &place) in values.iter_mut().zip(&mut places) {
                value[lane] = weights[motion] * source[place as usize];
            }
        }
    }

    /// The largest product with multipliers; no number if one of them is none.
    pub fn largest(&self, multipliers: &[f64]) -> f64 {
        let (mut worst, mut finite) = ([0.0; LANES], [0.0; LANES]);
        let mut start = 0;
        for &end in &self.ends {
            let mut sums = [0.0; LANES];
            for (&i, values) in self.multipliers[start..end].iter().zip(&self.values[start..end]) {
                let multiplier = multipliers[i];
                sums = std::array::from_fn(|lane| sums[lane] + values[lane] * multiplier);
            }
            let sizes = sums.map(f64::abs);
            worst = std::array::from_fn(|lane| {
                if sizes[lane] > worst[lane] { sizes[lane] } else { worst[lane] }
            });
            finite = std::array::from_fn(|lane| finite[lane] + sizes[lane] * 0.0);
            start = end;
        }
        // zero, or no number where one of them was not finite
        worst.into_iter().fold(0.0, f64::max) + finite.iter().sum::<f64>()
    }
}

fn multipliers(row: &[Entry]) -> impl Iterator<Item = usize> {
    row.iter().map(|entry| entry.multiplier)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::{Patterns, Sizes};
    use rotula_linear::Pattern;

    #[test]
    fn the_largest_of_the_weighted_products_is_found() {
        // seven motions that two multipliers touch, one that a third touches alone, one free
        let entries = (0..7).flat_map(|j| [(0, j), (2, j)]).chain([(1, 8)]);
        let constraints = Pattern::from_entries(3, 9, &entries.collect::<Vec<_>>());
        let patterns = Patterns { constraints, ..Patterns::dense(Sizes::default()) };
        let mut reactions = ReactionMatrix::new(&patterns);
        reactions.set_values((0..15).map(|k| (1.3 * k as f64).sin()));
        let weights: Vec<f64> = (0..9).map(|i| 1.0 / (1.0 + i as f64)).collect();
        let mut weighted = WeightedReactions::new(&reactions);
        weighted.set(&reactions, &weights);
        for multipliers in [[1.0, 2.0, 3.0], [0.0, 9.0, 0.1], [0.0; 3]] {
            let mut products = vec![0.0; 9];
            reactions.add_product(&multipliers, &mut products);
            let sizes = products.iter().zip(&weights).map(|(p, w)| (p * w).abs());
            let expected = sizes.fold(0.0, f64::max);
            assert!((weighted.largest(&multipliers) - expected).abs() < 1e-15);
        }
        assert!(weighted.largest(&[0.0, f64::NAN, 0.0]).is_nan());
        assert_eq!(WeightedReactions::default().largest(&[]), 0.0);
    }
}
