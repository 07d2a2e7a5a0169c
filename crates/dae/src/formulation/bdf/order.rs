//! Error estimates of all orders, and the choice among them.

use super::BdfScheme;
use super::history::Quantity;
use crate::state::State;
use crate::step::LocalError;

impl BdfScheme {
    /// Raises or lowers the order if that allows a clearly larger step; returns the factor by which
    /// the next step may grow.
    pub(super) fn choose_order(&mut self, next: &State, weights: &[f64], tolerance: f64) -> f64 {
        self.settled += 1;
        let factor = |order: usize, scheme: &Self| {
            let error = scheme.error_of_order(next, order, weights);
            let ratio = error.position.max(error.state) / tolerance;
            0.85 * ratio.max(1e-10).powf(-1.0 / (order as f64 + 1.0))
        };
        let mut best = (factor(self.order, self), self.order);
        // The past must have been made with the present order before it can be judged.
        if self.settled > self.order {
            let higher = self.order + 1;
            if higher <= self.max_order && self.history.known > higher {
                let candidate = factor(higher, self);
                if candidate > 1.1 * best.0 {
                    best = (candidate, higher);
                }
            }
        }
        if self.order > 1 {
            let candidate = factor(self.order - 1, self);
            // Differences that grow with their order tell of a mode that high orders excite.
            if candidate > 1.1 * best.0 || self.differences_grow(next, weights) {
                best = (candidate, self.order - 1);
            }
        }
        if best.1 != self.order {
            self.order = best.1;
            self.settled = 0;
        }
        best.0
    }

    /// True if the difference of the order in use is not smaller than the two before it: then the
    /// formula amplifies an oscillation, and a lower order is safer.
    fn differences_grow(&self, next: &State, weights: &[f64]) -> bool {
        let size = |order: usize| {
            let error = self.error_of_order(next, order, weights);
            error.position.max(error.state) * (order as f64 + 1.0)
        };
        let k = self.order;
        k > 2 && size(k - 1).max(size(k - 2)) <= size(k)
    }

    /// `h^{j+1} j! ‖divided difference of order j+1‖`: the error of order `j`.
    pub(super) fn error_of_order(&self, next: &State, order: usize, weights: &[f64]) -> LocalError {
        let factor = self.core.h.powi(order as i32 + 1) * (1..=order).product::<usize>() as f64;
        let size = |quantity, values: &[f64], weights: &[f64]| {
            let new = (next.t, values);
            factor * self.history.divided_difference(quantity, new, order + 1, weights)
        };
        let trial = &self.core.trial;
        let mut position = size(Quantity::Position, &trial.increment, weights);
        if self.stabilised.is_some() {
            position = position.max(size(Quantity::Velocity, &trial.v, &self.speeds));
        }
        let state = size(Quantity::States, &trial.x, &self.core.state_weights);
        LocalError { position, state, state_order: order }
    }
}
