//! Newton's form of the polynomials through the last values of many series at once.

use serde::{Deserialize, Serialize};

/// Values that the highest polynomial goes through.
pub(super) const POINTS: usize = 4;

/// Series are padded with zeros to whole groups, which vector instructions take at once.
pub(super) const LANES: usize = 4;
pub(super) type Lanes = [f64; LANES];

/// Divided differences through the newest values, and how well each degree predicted them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Differences {
    /// Times of the values, newest first.
    times: [f64; POINTS],
    /// `orders[k]` is the divided difference of order `k` over the newest `k + 1` values.
    orders: [Vec<Lanes>; POINTS],
    known: usize,
    /// Running geometric mean of the square of each degree's error; infinite before the first.
    error: [f64; POINTS],
}

impl Differences {
    pub fn new(groups: usize) -> Self {
        Differences {
            times: [0.0; POINTS],
            orders: std::array::from_fn(|_| vec![[0.0; LANES]; groups]),
            known: 0,
            error: [f64::INFINITY; POINTS],
        }
    }

    pub fn forget(&mut self) {
        self.known = 0;
        self.error = [f64::INFINITY; POINTS];
    }

    /// Learns new values: judges every degree by them, then updates the differences.
    pub fn learn(&mut self, t: f64, values: &[Lanes]) {
        // Factors of the Newton form, and inverse spans of the new differences; all at once, also those not needed yet.
        let spans = self.times.map(|earlier| t - earlier);
        let inverse = spans.map(f64::recip);
        let mut factors = [1.0; POINTS];
        for k in 1..POINTS {
            factors[k] = factors[k - 1] * spans[k - 1];
        }
        let squares = if self.known == POINTS {
            update(&mut self.orders, values, factors, inverse)
        } else {
            self.update_first(values, factors, inverse)
        };
        self.error = std::array::from_fn(|k| {
            let (old, new) = (self.error[k], squares[k] + 1e-300);
            let mean = if old == f64::INFINITY { new } else { (old * new).sqrt() };
            if k < self.known { mean } else { old }
        });
        self.times.rotate_right(1);
        self.times[0] = t;
        self.known = (self.known + 1).min(POINTS);
    }

    /// The same as [`update`] while values are few.
    fn update_first(
        &mut self,
        values: &[Lanes],
        factors: [f64; POINTS],
        inverse: [f64; POINTS],
    ) -> [f64; POINTS] {
        let mut squares = [0.0; POINTS];
        for (i, &value) in values.as_flattened().iter().enumerate() {
            let mut predicted = 0.0;
            let mut carried = value;
            for k in 0..self.known {
                let slot = &mut self.orders[k].as_flattened_mut()[i];
                let old = std::mem::replace(slot, carried);
                predicted += factors[k] * old;
                squares[k] += (predicted - value) * (predicted - value);
                carried = (carried - old) * inverse[k];
            }
            self.orders[self.known].as_flattened_mut()[i] = carried;
        }
        squares
    }

    /// The best degree up to `cap`, and the square of its error so far.
    pub fn best(&self, cap: usize) -> (usize, f64) {
        let mut best = (0, self.error[0]);
        for degree in 1..self.known.min(cap + 1) {
            if self.error[degree] < best.1 {
                best = (degree, self.error[degree]);
            }
        }
        best
    }

    /// Predicts at time `t` with a degree.
    pub fn predict(&self, t: f64, degree: usize, out: &mut [Lanes]) {
        out.copy_from_slice(&self.orders[0]);
        let mut factor = 1.0;
        for k in 1..=degree {
            factor *= t - self.times[k - 1];
            let (out, order) = (out.as_flattened_mut(), self.orders[k].as_flattened());
            crate::vector::add_scaled(out, factor, order);
        }
    }
}

#[inline]
fn lanes(value: impl FnMut(usize) -> f64) -> Lanes {
    std::array::from_fn(value)
}

/// Moves all differences to the new values; the sums of squares by which each degree missed them.
fn update(
    orders: &mut [Vec<Lanes>; POINTS],
    values: &[Lanes],
    factors: [f64; POINTS],
    inverse: [f64; POINTS],
) -> [f64; POINTS] {
    let n = values.len();
    let [d0, d1, d2, d3] = orders.each_mut().map(|order| &mut order[..n]);
    let mut sums = [[0.0; LANES]; POINTS];
    // Whole groups at a time, never one number of a group: only then do vector instructions take them.
    for (g, &value) in values.iter().enumerate() {
        let old = [d0[g], d1[g], d2[g], d3[g]];
        let mut miss = value.map(|value| -value);
        let mut carried = [value; POINTS];
        for k in 0..POINTS {
            miss = lanes(|l| miss[l] + factors[k] * old[k][l]);
            sums[k] = lanes(|l| sums[k][l] + miss[l] * miss[l]);
            if k + 1 < POINTS {
                carried[k + 1] = lanes(|l| (carried[k][l] - old[k][l]) * inverse[k]);
            }
        }
        [d0[g], d1[g], d2[g], d3[g]] = carried;
    }
    sums.map(|lanes| lanes.iter().sum())
}
