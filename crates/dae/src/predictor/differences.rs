//! Newton's form of the polynomials through the last values of many series at once.

/// Values that the highest polynomial goes through.
pub(super) const POINTS: usize = 4;

/// Divided differences through the newest values, and how well each degree predicted them.
#[derive(Clone, Debug)]
pub(super) struct Differences {
    /// Times of the values, newest first.
    times: [f64; POINTS],
    /// `orders[k]` is the divided difference of order `k` over the newest `k + 1` values.
    orders: [Vec<f64>; POINTS],
    known: usize,
    /// Running geometric mean of each degree's error; infinite before the first.
    error: [f64; POINTS],
}

impl Differences {
    pub fn new(n: usize) -> Self {
        Differences {
            times: [0.0; POINTS],
            orders: std::array::from_fn(|_| vec![0.0; n]),
            known: 0,
            error: [f64::INFINITY; POINTS],
        }
    }

    pub fn forget(&mut self) {
        self.known = 0;
        self.error = [f64::INFINITY; POINTS];
    }

    /// Learns new values: judges every degree by them, then updates the differences.
    pub fn learn(&mut self, t: f64, values: &[f64]) {
        // Factors of the Newton form, and inverse spans of the new differences.
        let mut factors = [1.0; POINTS];
        let mut inverse = [0.0; POINTS];
        for k in 0..self.known {
            inverse[k] = 1.0 / (t - self.times[k]);
            if k + 1 < POINTS {
                factors[k + 1] = factors[k] * (t - self.times[k]);
            }
        }
        let squares = if self.known == POINTS {
            update(&mut self.orders, values, factors, inverse)
        } else {
            self.update_first(values, factors, inverse)
        };
        for degree in 0..self.known {
            let error = squares[degree].sqrt() + 1e-150;
            self.error[degree] = match self.error[degree] {
                f64::INFINITY => error,
                before => (before * error).sqrt(),
            };
        }
        self.times.rotate_right(1);
        self.times[0] = t;
        self.known = (self.known + 1).min(POINTS);
    }

    /// The same as [`update`] while values are few.
    fn update_first(
        &mut self,
        values: &[f64],
        factors: [f64; POINTS],
        inverse: [f64; POINTS],
    ) -> [f64; POINTS] {
        let mut squares = [0.0; POINTS];
        for (i, &value) in values.iter().enumerate() {
            let mut predicted = 0.0;
            let mut carried = value;
            for k in 0..self.known {
                let old = self.orders[k][i];
                predicted += factors[k] * old;
                squares[k] += (predicted - value) * (predicted - value);
                self.orders[k][i] = carried;
                carried = (carried - old) * inverse[k];
            }
            self.orders[self.known][i] = carried;
        }
        squares
    }

    /// The best degree up to `cap`, and its error so far.
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
    pub fn predict(&self, t: f64, degree: usize, out: &mut [f64]) {
        let span = |k: usize| t - self.times[k];
        let [d0, d1, d2, d3] = &self.orders;
        match degree {
            0 => out.copy_from_slice(d0),
            1 => {
                for (i, out) in out.iter_mut().enumerate() {
                    *out = d0[i] + span(0) * d1[i];
                }
            }
            2 => {
                let (first, second) = (span(0), span(0) * span(1));
                for (i, out) in out.iter_mut().enumerate() {
                    *out = d0[i] + first * d1[i] + second * d2[i];
                }
            }
            _ => {
                let (first, second) = (span(0), span(0) * span(1));
                let third = second * span(2);
                for (i, out) in out.iter_mut().enumerate() {
                    *out = d0[i] + first * d1[i] + second * d2[i] + third * d3[i];
                }
            }
        }
    }
}

/// Moves all differences to the new values; the sums of squares by which each degree missed them.
fn update(
    orders: &mut [Vec<f64>; POINTS],
    values: &[f64],
    factors: [f64; POINTS],
    inverse: [f64; POINTS],
) -> [f64; POINTS] {
    const LANES: usize = 4;
    let [d0, d1, d2, d3] = orders.each_mut().map(|order| order.as_chunks_mut::<LANES>());
    let (values, last_values) = values.as_chunks::<LANES>();
    let mut sums = [[0.0; LANES]; POINTS];
    let mut group = |value: f64, lane: usize, old: [&mut f64; POINTS]| {
        let mut predicted = 0.0;
        let mut carried = value;
        for (k, slot) in old.into_iter().enumerate() {
            predicted += factors[k] * *slot;
            sums[k][lane] += (predicted - value) * (predicted - value);
            carried = (carried - std::mem::replace(slot, carried)) * inverse[k];
        }
    };
    for (g, values) in values.iter().enumerate() {
        let (d0, d1, d2, d3) = (&mut d0.0[g], &mut d1.0[g], &mut d2.0[g], &mut d3.0[g]);
        for l in 0..LANES {
            group(values[l], l, [&mut d0[l], &mut d1[l], &mut d2[l], &mut d3[l]]);
        }
    }
    for (l, &value) in last_values.iter().enumerate() {
        group(value, l, [&mut d0.1[l], &mut d1.1[l], &mut d2.1[l], &mut d3.1[l]]);
    }
    sums.map(|lanes| lanes.iter().sum())
}
