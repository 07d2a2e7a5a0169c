//! Measures: scalar functions of the configuration, with all the derivatives anyone asks for.
//!
//! A joint sets measures to zero, a drive sets one to a function of time, a spring pushes against
//! one, a gear adds two up, a sensor reads one. All of them are made of scalar products of attached
//! vectors ([`Dot`]), so their derivatives are written once, here:
//!
//! * `gradient`: `∂φ/∂Δ`, which is also `∂φ̇/∂v` and `∂φ̈/∂v̇`;
//! * `rate_gradient`: `∂φ̇/∂Δ`;
//! * `acceleration_gradient`, `acceleration_velocity`: `∂φ̈/∂Δ`, `∂φ̈/∂v`;
//! * `curvature`: the second derivative, for the tangent of the reaction `Gᵀλ`.
//!
//! Derivatives with respect to the increment `Δ` are taken at `Δ = 0` here, along body variations;
//! the assembly multiplies by the tangent of the retraction.

mod chain;
mod coordinate;
mod dot;
mod factor;
mod sum;

pub use coordinate::Coordinate;
pub use dot::Dot;
pub use factor::{Attached, Factor};
pub use sum::Sum;

use crate::scene::Scene;
use chain::Chain;
use nalgebra::{Matrix6, Vector6};
use std::f64::consts::TAU;

/// Most nodes that one measure or one constraint may touch.
pub const MAX_NODES: usize = 8;

/// A scalar function of the configuration of a few nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Measure {
    /// A scalar product: the cosine between two axes, or a distance along an axis.
    Dot(Dot),
    /// The length of an offset; not smooth where it is zero.
    Length(Factor),
    /// The angle whose cosine and sine are proportional to two scalar products.
    Angle {
        /// Proportional to the cosine.
        cosine: Dot,
        /// Proportional to the sine.
        sine: Dot,
        /// Where the configuration keeps the angle with all its turns; without it the angle lies
        /// between −π and π.
        turns: Option<usize>,
    },
}

impl Measure {
    /// The angle, with all its turns, whose cosine and sine are proportional to two scalar products.
    pub fn counted_angle(cosine: Dot, sine: Dot) -> Self {
        // a place in the configuration is found by the assembly
        Measure::Angle { cosine, sine, turns: Some(usize::MAX) }
    }

    /// The same measure without counting turns.
    pub fn without_turns(self) -> Self {
        match self {
            Measure::Angle { cosine, sine, .. } => Measure::Angle { cosine, sine, turns: None },
            other => other,
        }
    }

    /// The scalar products inside; the second is missing for a length.
    fn inner(&self) -> (Dot, Option<Dot>) {
        match *self {
            Measure::Dot(dot) => (dot, None),
            Measure::Length(offset) => (Dot(offset, offset), None),
            Measure::Angle { cosine, sine, .. } => (cosine, Some(sine)),
        }
    }

    /// The outer function and its derivatives at the products' values.
    fn chain(&self, scene: Scene) -> Chain {
        match self {
            Measure::Dot(_) => Chain::identity(),
            Measure::Length(offset) => Chain::square_root(offset.value(scene).norm()),
            Measure::Angle { cosine, sine, .. } => {
                Chain::angle(cosine.value(scene), sine.value(scene))
            }
        }
    }

    /// The value.
    pub fn value(&self, scene: Scene) -> f64 {
        match self {
            Measure::Dot(dot) => dot.value(scene),
            Measure::Length(offset) => offset.value(scene).norm(),
            Measure::Angle { cosine, sine, turns } => {
                let angle = sine.value(scene).atan2(cosine.value(scene));
                match turns {
                    Some(k) => nearest_turn(angle, scene.world.angles[*k]),
                    None => angle,
                }
            }
        }
    }

    /// The first time derivative.
    pub fn rate(&self, scene: Scene) -> f64 {
        let (first, second) = self.inner();
        let rate = first.jet(scene).rate();
        match (self, second) {
            (Measure::Dot(_), _) => rate,
            (_, None) => self.chain(scene).first[0] * rate,
            (_, Some(second)) => {
                let f = self.chain(scene).first;
                f[0] * rate + f[1] * second.jet(scene).rate()
            }
        }
    }

    /// The second time derivative.
    pub fn acceleration(&self, scene: Scene) -> f64 {
        let (first, second) = self.inner();
        let jet = first.jet(scene);
        if let Measure::Dot(_) = self {
            return jet.acceleration();
        }
        let chain = self.chain(scene);
        let mut rates = [jet.rate(), 0.0];
        let mut sum = chain.first[0] * jet.acceleration();
        if let Some(second) = second {
            let jet = second.jet(scene);
            rates[1] = jet.rate();
            sum += chain.first[1] * jet.acceleration();
        }
        sum + chain.second_along(&rates, &rates)
    }

    /// Adds the gradient row.
    pub fn gradient(&self, scene: Scene, scale: f64, out: &mut [Vector6<f64>]) {
        let (first, second) = self.inner();
        if let Measure::Dot(_) = self {
            return first.gradient(scene, scale, out);
        }
        let chain = self.chain(scene);
        first.gradient(scene, scale * chain.first[0], out);
        if let Some(second) = second {
            second.gradient(scene, scale * chain.first[1], out);
        }
    }

    /// Adds the row `∂φ̇/∂Δ`.
    pub fn rate_gradient(&self, scene: Scene, scale: f64, out: &mut [Vector6<f64>]) {
        let (first, second) = self.inner();
        let chain = self.chain(scene);
        let dots = [Some(first), second];
        let rates = dots.map(|dot| dot.map_or(0.0, |dot| dot.jet(scene).rate()));
        for (i, dot) in dots.iter().enumerate() {
            let Some(dot) = dot else { continue };
            dot.rate_gradient(scene, &dot.jet(scene), scale * chain.first[i], out);
            let bent = chain.second[i][0] * rates[0] + chain.second[i][1] * rates[1];
            dot.gradient(scene, scale * bent, out);
        }
    }

    /// Adds the row `∂φ̈/∂Δ`.
    pub fn acceleration_gradient(&self, scene: Scene, scale: f64, out: &mut [Vector6<f64>]) {
        let (first, second) = self.inner();
        let chain = self.chain(scene);
        let dots = [Some(first), second];
        let rates = dots.map(|dot| dot.map_or(0.0, |dot| dot.jet(scene).rate()));
        let accelerations = dots.map(|dot| dot.map_or(0.0, |dot| dot.jet(scene).acceleration()));
        for (i, dot) in dots.iter().enumerate() {
            let Some(dot) = dot else { continue };
            let jet = dot.jet(scene);
            dot.acceleration_gradient(scene, &jet, scale * chain.first[i], out);
            let [bend, slope] = chain.row(i, &rates, &accelerations);
            dot.rate_gradient(scene, &jet, 2.0 * scale * bend, out);
            dot.gradient(scene, scale * slope, out);
        }
    }

    /// Adds the row `∂φ̈/∂v`.
    pub fn acceleration_velocity(&self, scene: Scene, scale: f64, out: &mut [Vector6<f64>]) {
        let (first, second) = self.inner();
        let chain = self.chain(scene);
        let dots = [Some(first), second];
        let rates = dots.map(|dot| dot.map_or(0.0, |dot| dot.jet(scene).rate()));
        for (i, dot) in dots.iter().enumerate() {
            let Some(dot) = dot else { continue };
            dot.acceleration_velocity(scene, &dot.jet(scene), scale * chain.first[i], out);
            let bent = chain.second[i][0] * rates[0] + chain.second[i][1] * rates[1];
            dot.gradient(scene, 2.0 * scale * bent, out);
        }
    }

    /// Adds the second derivative to the blocks `i * nodes + j` of all pairs of nodes.
    pub fn curvature(&self, scene: Scene, scale: f64, blocks: &mut [Matrix6<f64>]) {
        let (first, second) = self.inner();
        if let Measure::Dot(_) = self {
            return first.curvature(scene, scale, blocks);
        }
        let chain = self.chain(scene);
        let nodes = scene.nodes.len();
        let mut gradients = [[Vector6::zeros(); MAX_NODES]; 2];
        let dots = [Some(first), second];
        for (i, dot) in dots.iter().enumerate() {
            let Some(dot) = dot else { continue };
            dot.curvature(scene, scale * chain.first[i], blocks);
            dot.gradient(scene, 1.0, &mut gradients[i]);
        }
        for i in 0..2 {
            for j in 0..2 {
                let bend = scale * chain.second[i][j];
                if bend == 0.0 {
                    continue;
                }
                for a in 0..nodes {
                    for b in 0..nodes {
                        blocks[a * nodes + b].ger(bend, &gradients[i][a], &gradients[j][b], 1.0);
                    }
                }
            }
        }
    }

    /// The same measure with its nodes at other slots.
    pub(crate) fn moved(self, slot: impl Fn(usize) -> usize) -> Self {
        let attached = |a: Attached| Attached { slot: slot(a.slot), ..a };
        let factor = |f: Factor| match f {
            Factor::Axis(a) => Factor::Axis(attached(a)),
            Factor::Offset { from, to } => {
                Factor::Offset { from: attached(from), to: attached(to) }
            }
        };
        let dot = |Dot(u, w)| Dot(factor(u), factor(w));
        match self {
            Measure::Dot(d) => Measure::Dot(dot(d)),
            Measure::Length(f) => Measure::Length(factor(f)),
            Measure::Angle { cosine, sine, turns } => {
                Measure::Angle { cosine: dot(cosine), sine: dot(sine), turns }
            }
        }
    }
}

/// The angle that differs from `angle` by full turns and lies nearest to `near`.
pub(crate) fn nearest_turn(angle: f64, near: f64) -> f64 {
    angle + TAU * ((near - angle) / TAU).round()
}
