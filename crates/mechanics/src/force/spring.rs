//! Springs, dampers and actuators on a coordinate: a length, an angle, a displacement.

use super::{Auxiliary, Force};
use crate::measure::{Coordinate, MAX_NODES, Measure};
use crate::scene::Scene;
use dyn_clone::DynClone;
use nalgebra::{Matrix6, Vector6};
use std::fmt::Debug;

/// What a law answers: the force on the coordinate and its slopes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pull {
    /// Force that tends to increase the coordinate.
    pub force: f64,
    /// Its derivative with respect to the coordinate.
    pub by_value: f64,
    /// Its derivative with respect to the rate.
    pub by_rate: f64,
}

/// A force as a function of a coordinate and its rate.
pub trait Law: Debug + DynClone + Send + Sync {
    /// The force at a value and rate of the coordinate.
    fn pull(&mut self, value: f64, rate: f64, scene: Scene) -> Pull;

    /// Energy stored at a value, if the law has a conservative part.
    fn energy(&mut self, _value: f64, _scene: Scene) -> f64 {
        0.0
    }

    /// The conservative part of the force, whose energy is [`energy`](Self::energy).
    fn conservative(&mut self, _value: f64, _scene: Scene) -> f64 {
        0.0
    }

    /// States and variables it depends on.
    fn auxiliary(&self) -> &[Auxiliary] {
        &[]
    }

    /// Derivative with respect to each of them.
    fn auxiliary_slopes(&mut self, _value: f64, _rate: f64, _scene: Scene, _out: &mut [f64]) {}
}

dyn_clone::clone_trait_object!(Law);

/// `f = preload − stiffness (value − free) − damping rate`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Linear {
    /// Force per length, or moment per angle.
    pub stiffness: f64,
    /// Force per speed.
    pub damping: f64,
    /// The value at which the spring is at rest.
    pub free: f64,
    /// Added force.
    pub preload: f64,
}

impl Law for Linear {
    fn pull(&mut self, value: f64, rate: f64, scene: Scene) -> Pull {
        Pull {
            force: self.conservative(value, scene) - self.damping * rate,
            by_value: -self.stiffness,
            by_rate: -self.damping,
        }
    }

    fn energy(&mut self, value: f64, _: Scene) -> f64 {
        let stretch = value - self.free;
        0.5 * self.stiffness * stretch * stretch - self.preload * stretch
    }

    fn conservative(&mut self, value: f64, _: Scene) -> f64 {
        self.preload - self.stiffness * (value - self.free)
    }
}

/// A law that acts on a coordinate: the generalized force is `Gᵀ f`.
#[derive(Clone, Debug)]
pub struct Spring {
    coordinate: Coordinate,
    law: Box<dyn Law>,
}

impl Spring {
    /// A law on a coordinate.
    pub fn new(coordinate: Coordinate, law: impl Law + 'static) -> Self {
        Spring { coordinate, law: Box::new(law) }
    }

    fn pull(&mut self, scene: Scene) -> Pull {
        let (value, rate) = (self.coordinate.sum.value(scene), self.coordinate.sum.rate(scene));
        self.law.pull(value, rate, scene)
    }
}

impl Force for Spring {
    fn nodes(&self) -> &[usize] {
        &self.coordinate.nodes
    }

    fn wrench(&mut self, scene: Scene, out: &mut [Vector6<f64>]) {
        let pull = self.pull(scene);
        self.coordinate.sum.gradient(scene, pull.force, out);
    }

    fn tangent(
        &mut self,
        scene: Scene,
        stiffness: &mut [Matrix6<f64>],
        damping: &mut [Matrix6<f64>],
    ) {
        let pull = self.pull(scene);
        let nodes = scene.nodes.len();
        let mut gradient = [Vector6::zeros(); MAX_NODES];
        let mut rate_gradient = [Vector6::zeros(); MAX_NODES];
        self.coordinate.sum.gradient(scene, 1.0, &mut gradient);
        self.coordinate.sum.rate_gradient(scene, 1.0, &mut rate_gradient);
        self.coordinate.sum.curvature(scene, pull.force, stiffness);
        for i in 0..nodes {
            for j in 0..nodes {
                let slope = gradient[j] * pull.by_value + rate_gradient[j] * pull.by_rate;
                stiffness[i * nodes + j].ger(1.0, &gradient[i], &slope, 1.0);
                damping[i * nodes + j].ger(pull.by_rate, &gradient[i], &gradient[j], 1.0);
            }
        }
    }

    fn auxiliary(&self) -> &[Auxiliary] {
        self.law.auxiliary()
    }

    fn auxiliary_tangent(&mut self, scene: Scene, out: &mut [Vector6<f64>]) {
        let (value, rate) = (self.coordinate.sum.value(scene), self.coordinate.sum.rate(scene));
        let mut slopes = vec![0.0; self.law.auxiliary().len()];
        self.law.auxiliary_slopes(value, rate, scene, &mut slopes);
        for (slope, out) in slopes.iter().zip(out.chunks_exact_mut(scene.nodes.len())) {
            self.coordinate.sum.gradient(scene, *slope, out);
        }
    }

    fn energy(&mut self, scene: Scene) -> f64 {
        let value = self.coordinate.sum.value(scene);
        self.law.energy(value, scene)
    }

    fn power(&mut self, scene: Scene) -> f64 {
        let value = self.coordinate.sum.value(scene);
        let lost = self.pull(scene).force - self.law.conservative(value, scene);
        lost * self.coordinate.sum.rate(scene)
    }

    fn measures_mut(&mut self) -> Box<dyn Iterator<Item = &mut Measure> + '_> {
        Box::new(self.coordinate.sum.measures_mut())
    }
}
