//! The state of a system at an instant.

use crate::system::{Point, Sizes};
use serde::{Deserialize, Serialize};

/// Everything known at one time. States are values: copied, compared, stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Time.
    pub t: f64,
    /// Configuration.
    pub q: Vec<f64>,
    /// Increment by which `q` was reached within a step; zero in an accepted state.
    pub increment: Vec<f64>,
    /// Velocity.
    pub v: Vec<f64>,
    /// Acceleration that satisfies the equations of motion.
    pub vdot: Vec<f64>,
    /// Algorithmic acceleration of the generalized-α recursion; it lives at `t + αh`.
    pub a: Vec<f64>,
    /// Multipliers: holonomic λ, then nonholonomic ψ.
    pub multipliers: Vec<f64>,
    /// First-order states.
    pub x: Vec<f64>,
    /// Their rates.
    pub xdot: Vec<f64>,
    /// Algebraic variables.
    pub y: Vec<f64>,
}

impl State {
    /// A state of zeros.
    pub fn zeros(sizes: Sizes) -> Self {
        State {
            t: 0.0,
            q: vec![0.0; sizes.configuration],
            increment: vec![0.0; sizes.motion],
            v: vec![0.0; sizes.motion],
            vdot: vec![0.0; sizes.motion],
            a: vec![0.0; sizes.motion],
            multipliers: vec![0.0; sizes.multipliers()],
            x: vec![0.0; sizes.states],
            xdot: vec![0.0; sizes.states],
            y: vec![0.0; sizes.variables],
        }
    }

    /// A state without content, as a placeholder.
    pub(crate) fn empty() -> Self {
        State::zeros(Sizes::default())
    }

    /// The point of evaluation that this state is.
    #[inline]
    pub fn point(&self) -> Point<'_> {
        Point {
            t: self.t,
            q: &self.q,
            increment: &self.increment,
            v: &self.v,
            vdot: &self.vdot,
            multipliers: &self.multipliers,
            x: &self.x,
            xdot: &self.xdot,
            y: &self.y,
        }
    }

    /// Takes over another state without allocating.
    pub fn copy_from(&mut self, other: &State) {
        self.t = other.t;
        self.q.copy_from_slice(&other.q);
        self.increment.copy_from_slice(&other.increment);
        self.v.copy_from_slice(&other.v);
        self.vdot.copy_from_slice(&other.vdot);
        self.a.copy_from_slice(&other.a);
        self.multipliers.copy_from_slice(&other.multipliers);
        self.x.copy_from_slice(&other.x);
        self.xdot.copy_from_slice(&other.xdot);
        self.y.copy_from_slice(&other.y);
    }

    /// True if every number is finite.
    pub fn is_finite(&self) -> bool {
        let arrays =
            [&self.q, &self.v, &self.vdot, &self.multipliers, &self.x, &self.xdot, &self.y];
        arrays.iter().all(|array| array.iter().all(|value| value.is_finite()))
    }
}
