//! A force and a moment on a marker: constant, a function of time, or commanded by a controller.

use super::{Auxiliary, Force};
use crate::marker::Marker;
use crate::node::stack;
use crate::quantity::Ends;
use crate::scene::Scene;
use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};
use rotula_lie::so3::skew;

/// How large a component is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amplitude {
    /// A number.
    Constant(f64),
    /// One of the model's functions of time.
    Function(usize),
    /// An algebraic variable of the model.
    Variable(usize),
}

impl Amplitude {
    /// Its present value.
    pub fn value(&self, scene: Scene) -> f64 {
        match self {
            Amplitude::Constant(value) => *value,
            Amplitude::Function(k) => scene.world.functions[*k][0],
            Amplitude::Variable(k) => scene.world.variables[*k],
        }
    }

    /// The variable it follows, if it does.
    pub fn auxiliary(&self) -> Option<Auxiliary> {
        match self {
            Amplitude::Variable(k) => Some(Auxiliary::Variable(*k)),
            Amplitude::Constant(_) | Amplitude::Function(_) => None,
        }
    }
}

/// In whose axes a load is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axes {
    /// The world's: the load keeps its direction.
    World,
    /// The marker's: the load follows the body.
    Marker,
}

/// A force at a marker and a moment.
#[derive(Clone, Debug)]
pub struct Load {
    node: [usize; 1],
    marker: Marker,
    axes: Axes,
    force: [Amplitude; 3],
    moment: [Amplitude; 3],
    variables: Vec<Auxiliary>,
}

impl Load {
    /// A force and a moment, by components.
    pub fn new(marker: Marker, axes: Axes, force: [Amplitude; 3], moment: [Amplitude; 3]) -> Self {
        let variables = force.iter().chain(&moment).filter_map(Amplitude::auxiliary).collect();
        Load { node: [marker.node], marker, axes, force, moment, variables }
    }

    /// From the components of the load to the axes of the node.
    fn rotation(&self, scene: Scene) -> Matrix3<f64> {
        match self.axes {
            Axes::World => scene.motion(0).rotation.transpose(),
            Axes::Marker => self.marker.frame.orientation.to_matrix(),
        }
    }

    /// The wrench on the node of a force and a moment in the axes of the node.
    fn wrench_of(&self, force: &Vector3<f64>, moment: &Vector3<f64>) -> Vector6<f64> {
        stack(force, &(moment + self.marker.frame.position.cross(force)))
    }

    /// Force and moment in the axes of the node.
    fn components(&self, scene: Scene) -> (Vector3<f64>, Vector3<f64>) {
        let rotation = self.rotation(scene);
        let value = |a: &[Amplitude; 3]| Vector3::from(a.map(|a| a.value(scene)));
        (rotation * value(&self.force), rotation * value(&self.moment))
    }
}

impl Force for Load {
    fn nodes(&self) -> &[usize] {
        &self.node
    }

    fn wrench(&mut self, scene: Scene, out: &mut [Vector6<f64>]) {
        let (force, moment) = self.components(scene);
        out[0] += self.wrench_of(&force, &moment);
    }

    fn tangent(&mut self, scene: Scene, stiffness: &mut [Matrix6<f64>], _: &mut [Matrix6<f64>]) {
        if self.axes == Axes::Marker {
            return;
        }
        let (force, moment) = self.components(scene);
        let (turn, arm) = (skew(&force), skew(&self.marker.frame.position));
        let mut linear = stiffness[0].fixed_view_mut::<3, 3>(0, 3);
        linear += turn;
        let mut angular = stiffness[0].fixed_view_mut::<3, 3>(3, 3);
        angular += skew(&moment) + arm * turn;
    }

    fn ends(&self) -> Ends {
        Ends { first: None, second: self.marker, axes: None }
    }

    fn auxiliary(&self) -> &[Auxiliary] {
        &self.variables
    }

    fn auxiliary_tangent(&mut self, scene: Scene, out: &mut [Vector6<f64>]) {
        let rotation = self.rotation(scene);
        let mut next = out.iter_mut();
        let components = self.force.iter().chain(&self.moment).enumerate();
        let commanded = components.filter(|(_, a)| matches!(a, Amplitude::Variable(_)));
        for ((k, _), out) in commanded.zip(&mut next) {
            let column = rotation.column(k % 3).into_owned();
            let zero = Vector3::zeros();
            *out +=
                if k < 3 { self.wrench_of(&column, &zero) } else { self.wrench_of(&zero, &column) };
        }
    }
}
