//! Past points of a backward differentiation formula, seen from a chart around the predicted point.

use crate::state::State;
use crate::step::PastPoint;
use crate::system::{Sizes, System};
use serde::{Deserialize, Serialize};

/// Points kept: enough to try order 6 error terms at order 5.
pub(super) const POINTS: usize = 7;

/// Newest first. Each point holds configuration, velocity and states at its time.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct History {
    pub times: [f64; POINTS],
    q: [Vec<f64>; POINTS],
    v: [Vec<f64>; POINTS],
    x: [Vec<f64>; POINTS],
    pub known: usize,
    /// Local coordinates of the points in the chart of the present step.
    local: [Vec<f64>; POINTS],
}

/// Which quantity of the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quantity {
    Position,
    Velocity,
    States,
}

impl History {
    pub fn new(sizes: Sizes) -> Self {
        let make = |n: usize| std::array::from_fn(|_| vec![0.0; n]);
        History {
            times: [0.0; POINTS],
            q: make(sizes.configuration),
            v: make(sizes.motion),
            x: make(sizes.states),
            known: 0,
            local: make(sizes.motion),
        }
    }

    pub fn clear(&mut self) {
        self.known = 0;
    }

    pub fn push(&mut self, state: &State) {
        self.times.rotate_right(1);
        self.q.rotate_right(1);
        self.v.rotate_right(1);
        self.x.rotate_right(1);
        self.times[0] = state.t;
        self.q[0].copy_from_slice(&state.q);
        self.v[0].copy_from_slice(&state.v);
        self.x[0].copy_from_slice(&state.x);
        self.known = (self.known + 1).min(POINTS);
    }

    /// A second point on the tangent, so that order one can start.
    pub fn extend_backwards(&mut self, system: &dyn System, state: &State, h: f64) {
        let increment = &mut self.local[1];
        for (step, v) in increment.iter_mut().zip(&state.v) {
            *step = -h * v;
        }
        system.retract(&state.q, increment, &mut self.q[1]);
        for i in 0..state.v.len() {
            self.v[1][i] = state.v[i] - h * state.vdot[i];
        }
        for i in 0..state.x.len() {
            self.x[1][i] = state.x[i] - h * state.xdot[i];
        }
        self.times[1] = state.t - h;
        self.known = 2;
    }

    /// Expresses the configurations in the chart around `centre`.
    pub fn localise(&mut self, system: &dyn System, centre: &[f64]) {
        for j in 0..self.known {
            system.local(centre, &self.q[j], &mut self.local[j]);
        }
    }

    /// Newest configuration.
    pub fn newest(&self) -> &[f64] {
        &self.q[0]
    }

    /// A point, counted from the newest.
    pub fn point(&self, k: usize) -> PastPoint<'_> {
        PastPoint { t: self.times[k], q: &self.q[k], v: &self.v[k], x: &self.x[k] }
    }

    fn values(&self, quantity: Quantity, j: usize) -> &[f64] {
        match quantity {
            Quantity::Position => &self.local[j],
            Quantity::Velocity => &self.v[j],
            Quantity::States => &self.x[j],
        }
    }

    /// Value and slope at `t` of the polynomial of a degree through the newest points.
    pub fn extrapolate(
        &self,
        quantity: Quantity,
        t: f64,
        degree: usize,
        (value, slope): (&mut [f64], &mut [f64]),
    ) {
        let points = degree + 1;
        value.fill(0.0);
        slope.fill(0.0);
        for i in 0..points {
            let mut weight = 1.0;
            let mut derivative = 0.0;
            for j in (0..points).filter(|&j| j != i) {
                let span = self.times[i] - self.times[j];
                derivative = derivative * (t - self.times[j]) / span + weight / span;
                weight *= (t - self.times[j]) / span;
            }
            for (k, point) in self.values(quantity, i).iter().enumerate() {
                value[k] += weight * point;
                slope[k] += derivative * point;
            }
        }
    }

    /// Size of the divided difference over `new` at time `t` and the newest `order` points, relative
    /// to weights: `‖[y₊, y₀, …]‖`.
    pub fn divided_difference(
        &self,
        quantity: Quantity,
        (t, new): (f64, &[f64]),
        order: usize,
        weights: &[f64],
    ) -> f64 {
        // Coefficients of the divided difference: 1/Π(tᵢ − tⱼ).
        let time = |i: usize| if i == 0 { t } else { self.times[i - 1] };
        let mut coefficients = [0.0; POINTS + 1];
        for (i, coefficient) in coefficients.iter_mut().enumerate().take(order + 1) {
            let product: f64 = (0..=order).filter(|&j| j != i).map(|j| time(i) - time(j)).product();
            *coefficient = 1.0 / product;
        }
        let mut sum = 0.0;
        for k in 0..new.len() {
            let mut difference = coefficients[0] * new[k];
            for i in 1..=order {
                difference += coefficients[i] * self.values(quantity, i - 1)[k];
            }
            sum += (difference / weights[k]).powi(2);
        }
        (sum / new.len().max(1) as f64).sqrt()
    }
}
