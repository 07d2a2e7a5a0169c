//! Sums of the rates of stages, and sizes of vectors that consist of increments, velocities and states.

use super::tableau::Row;

/// `out += h Σ aᵢ kᵢ`, four stages in one pass.
pub(super) fn add_combination(out: &mut [f64], h: f64, row: Row, rates: &[Vec<f64>]) {
    let count = out.len();
    let (fours, rest) = row.as_chunks::<4>();
    for four in fours {
        let [a, b, c, d] = four.map(|(stage, _)| &rates[stage][..count]);
        let [wa, wb, wc, wd] = four.map(|(_, weight)| h * weight);
        for i in 0..count {
            out[i] += (wa * a[i] + wb * b[i]) + (wc * c[i] + wd * d[i]);
        }
    }
    for &(stage, weight) in rest {
        let (weight, rates) = (h * weight, &rates[stage][..count]);
        for i in 0..count {
            out[i] += weight * rates[i];
        }
    }
}

/// Sum of the squares of values relative to weights, which come in pieces one after the other.
pub(super) fn weighted_square(values: &[f64], weights: [&[f64]; 3]) -> f64 {
    let (mut sum, mut rest) = (0.0, values);
    for weights in weights {
        let (own, other) = rest.split_at(weights.len());
        sum += own.iter().zip(weights).map(|(value, weight)| (value / weight).powi(2)).sum::<f64>();
        rest = other;
    }
    sum
}
