//! Springs, dampers and actuators on a coordinate: a length, an angle, a displacement.

use super::{Auxiliary, Force, Law, Pull};
use crate::marker::Marker;
use crate::measure::{Coordinate, MAX_NODES, Measure};
use crate::scene::Scene;
use nalgebra::{Matrix6, Vector6};

/// A law that acts on a coordinate: the generalized force is `Gᵀ f`.
#[derive(Clone, Debug)]
pub struct Spring {
    coordinate: Coordinate,
    law: Box<dyn Law>,
    /// Derivatives by states and variables, worked out anew at every call.
    slopes: Vec<f64>,
}

impl Spring {
    /// A law on a coordinate.
    pub fn new(coordinate: Coordinate, law: impl Law + 'static) -> Self {
        let slopes = vec![0.0; law.auxiliary().len()];
        Spring { coordinate, law: Box::new(law), slopes }
    }

    /// A law on the distance between the origins of two markers, which must not be zero.
    pub fn between(a: &Marker, b: &Marker, law: impl Law + 'static) -> Self {
        Spring::new(Coordinate::length(a, b), law)
    }

    /// A law on the angle by which the x axis of one marker is turned about the z axis of another.
    pub fn rotational(a: &Marker, b: &Marker, law: impl Law + 'static) -> Self {
        Spring::new(Coordinate::angle(a, b), law)
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
        self.law.auxiliary_slopes(value, rate, scene, &mut self.slopes);
        for (slope, out) in self.slopes.iter().zip(out.chunks_exact_mut(scene.nodes.len())) {
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

    fn jumps(&self) -> Vec<f64> {
        self.law.jumps()
    }

    fn explain_not_finite(&mut self, scene: Scene) -> Option<String> {
        let (value, rate) = (self.coordinate.sum.value(scene), self.coordinate.sum.rate(scene));
        self.law.explain_not_finite(value, rate, scene)
    }

    fn measures_mut(&mut self) -> Box<dyn Iterator<Item = &mut Measure> + '_> {
        Box::new(self.coordinate.sum.measures_mut())
    }
}
