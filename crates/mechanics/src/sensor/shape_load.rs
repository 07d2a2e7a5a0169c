//! What a load on a flexible body does.

use super::{Sensor, Slopes, View, add_angular};
use crate::element::{LaidFlexible, ShapeLoad};
use nalgebra::{Vector3, Vector6};

/// What is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShapeLoadReading {
    /// A component of the resultant force (0 to 2), or of the moment about the centre of mass of the undeformed body
    /// (3 to 5), axes of the world.
    Action(usize),
    /// The power given to the body: to its frame and its shapes.
    Power,
}

/// Reads a load on a flexible body.
#[derive(Clone, Debug)]
pub struct ShapeLoadSensor {
    load: ShapeLoad,
    /// The floating frame, then the amplitudes.
    nodes: Vec<usize>,
    reading: ShapeLoadReading,
}

impl ShapeLoadSensor {
    /// Reads a load of a body.
    pub fn new(load: &ShapeLoad, laid: &LaidFlexible, reading: ShapeLoadReading) -> Self {
        let frame = [laid.body.node()].into_iter();
        let nodes = match reading {
            ShapeLoadReading::Action(_) => frame.collect(),
            ShapeLoadReading::Power => frame.chain(laid.amplitudes.iter().copied()).collect(),
        };
        ShapeLoadSensor { load: load.clone(), nodes, reading }
    }

    /// Force or moment in the axes of the frame, and the axis along which it is read.
    fn part(&self, component: usize, view: View) -> [Vector3<f64>; 2] {
        let wrench = &self.load.wrench;
        let part: Vector3<f64> = match component < 3 {
            true => wrench.fixed_rows::<3>(0).into(),
            false => wrench.fixed_rows::<3>(3).into(),
        };
        let axis = view.scene.motion(0).into_body(&Vector3::ith(component % 3, 1.0));
        [part * self.load.factor.value(view.scene), axis]
    }
}

impl Sensor for ShapeLoadSensor {
    fn nodes(&self) -> &[usize] {
        &self.nodes
    }

    fn value(&mut self, view: View) -> f64 {
        match self.reading {
            ShapeLoadReading::Action(k) => {
                let [part, axis] = self.part(k, view);
                part.dot(&axis)
            }
            ShapeLoadReading::Power => {
                let rate = |k: usize| view.scene.motion(1 + k / 3).velocity[k % 3];
                let shapes = self.load.shapes.iter().enumerate();
                let shapes: f64 = shapes.map(|(k, force)| force * rate(k)).sum();
                let frame = self.load.wrench.dot(&view.scene.motion(0).twist());
                self.load.factor.value(view.scene) * (frame + shapes)
            }
        }
    }

    fn slopes(&mut self, view: View, slopes: &mut Slopes) {
        match self.reading {
            ShapeLoadReading::Action(k) => {
                let [part, axis] = self.part(k, view);
                add_angular(&mut slopes.increment[0], &part.cross(&axis));
            }
            ShapeLoadReading::Power => {
                let factor = self.load.factor.value(view.scene);
                slopes.velocity[0] += self.load.wrench * factor;
                for (k, force) in self.load.shapes.iter().enumerate() {
                    let mut along = Vector6::zeros();
                    along[k % 3] = force * factor;
                    slopes.velocity[1 + k / 3] += along;
                }
            }
        }
    }
}
