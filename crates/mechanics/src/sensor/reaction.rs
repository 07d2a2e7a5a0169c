//! Reads the reaction of a joint.
//!
//! The reaction on the second body is the wrench `W = Gᵀλ` about its node, in its axes. Along a
//! direction `n`, with `p` the place of the second marker, the readings are
//!
//! ```text
//! force   n·F                     h = (n; 0)
//! moment  n·(M − p × F)           h = (p × n; n)          reading = h·W
//! ```
//!
//! so that `∂/∂λ = G h`, and `∂/∂Δ` is the curvature of the constraint times `h` plus the turning of
//! the direction.

use super::{Direction, Sensor, Slopes, View, add_angular};
use crate::constraint::Constraint;
use crate::error::ModelError;
use crate::measure::MAX_NODES;
use crate::model::{JointId, Model};
use crate::node::stack;
use crate::scene::Scene;
use nalgebra::{Matrix6, Vector3, Vector6};

/// Force or moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Force,
    Moment,
}

/// One of the joint's constraints.
#[derive(Clone, Debug)]
struct Held {
    constraint: Box<dyn Constraint>,
    /// The slot of the second body among the constraint's nodes.
    second: usize,
    /// The slots of the constraint's nodes among the sensor's.
    slots: Vec<usize>,
}

/// The force of a joint on its second body, or the moment about the origin of the second marker,
/// along a direction.
#[derive(Clone, Debug)]
pub struct ReactionSensor {
    part: Part,
    /// The second body, the direction's node, and all others.
    nodes: Vec<usize>,
    axis: Vector3<f64>,
    place: Vector3<f64>,
    constraints: Vec<usize>,
    held: Vec<Held>,
    rows: Vec<Vector6<f64>>,
    blocks: Vec<Matrix6<f64>>,
}

const SECOND: usize = 0;
const DIRECTION: usize = 1;

impl ReactionSensor {
    /// The force along a direction.
    pub fn force(
        model: &Model,
        joint: JointId,
        direction: Direction,
    ) -> Result<ReactionSensor, ModelError> {
        ReactionSensor::new(model, joint, Part::Force, direction)
    }

    /// The moment about the origin of the second marker, along a direction.
    pub fn moment(
        model: &Model,
        joint: JointId,
        direction: Direction,
    ) -> Result<ReactionSensor, ModelError> {
        ReactionSensor::new(model, joint, Part::Moment, direction)
    }

    fn new(
        model: &Model,
        joint: JointId,
        part: Part,
        direction: Direction,
    ) -> Result<ReactionSensor, ModelError> {
        let entry = &model.joints()[joint.0];
        let marker = entry.pair.b;
        let mut nodes = vec![marker.node, direction.node];
        let mut slot = |node: usize| {
            // the direction keeps its own slot, even on the second body
            let known = nodes.iter().enumerate().find(|(k, n)| *k != DIRECTION && **n == node);
            known.map(|(k, _)| k).unwrap_or_else(|| {
                nodes.push(node);
                nodes.len() - 1
            })
        };
        let mut held = Vec::new();
        let mut constraints = Vec::new();
        for k in entry.constraints.clone() {
            let constraint = model.constraints()[k].constraint.clone();
            let list = constraint.nodes();
            let Some(second) = list.iter().position(|n| *n == marker.node) else { continue };
            let slots = list.iter().map(|n| slot(*n)).collect();
            held.push(Held { constraint, second, slots });
            constraints.push(k);
        }
        if nodes.len() > MAX_NODES {
            return Err(ModelError::TooManyNodes { limit: MAX_NODES });
        }
        let most = held.iter().map(|h| h.constraint.rows() * h.slots.len()).max().unwrap_or(0);
        Ok(ReactionSensor {
            part,
            nodes,
            axis: direction.vector,
            place: marker.frame.position,
            constraints,
            held,
            rows: vec![Vector6::zeros(); most.max(MAX_NODES)],
            blocks: vec![Matrix6::zeros(); MAX_NODES * MAX_NODES],
        })
    }

    /// The direction in the axes of the second body.
    fn direction(&self, view: View) -> Vector3<f64> {
        let world = view.scene.motion(DIRECTION).rotation * self.axis;
        view.scene.motion(SECOND).into_body(&world)
    }

    /// What is multiplied with the wrench.
    fn probe(&self, view: View) -> Vector6<f64> {
        let n = self.direction(view);
        match self.part {
            Part::Force => stack(&n, &Vector3::zeros()),
            Part::Moment => stack(&self.place.cross(&n), &n),
        }
    }

    /// The wrench on the second body, about its node.
    fn wrench(&mut self, view: View) -> Vector6<f64> {
        let mut wrench = Vector6::zeros();
        for (k, held) in self.held.iter().enumerate() {
            let scene = Scene { world: view.scene.world, nodes: held.constraint.nodes() };
            let out = &mut self.rows[..held.slots.len()];
            out.fill(Vector6::zeros());
            held.constraint.reaction(scene, view.multipliers(k), out);
            wrench += out[held.second];
        }
        wrench
    }
}

impl Sensor for ReactionSensor {
    fn nodes(&self) -> &[usize] {
        &self.nodes
    }

    fn constraints(&self) -> &[usize] {
        &self.constraints
    }

    fn value(&mut self, view: View) -> f64 {
        self.probe(view).dot(&self.wrench(view))
    }

    fn slopes(&mut self, view: View, slopes: &mut Slopes) {
        let (probe, wrench) = (self.probe(view), self.wrench(view));
        let mut first = 0;
        for (k, held) in self.held.iter().enumerate() {
            let scene = Scene { world: view.scene.world, nodes: held.constraint.nodes() };
            let (rows, count) = (held.constraint.rows(), held.slots.len());
            let gradient = &mut self.rows[..rows * count];
            gradient.fill(Vector6::zeros());
            held.constraint.gradient(scene, gradient);
            for row in 0..rows {
                slopes.multipliers[first + row] += gradient[row * count + held.second].dot(&probe);
            }
            first += rows;
            let blocks = &mut self.blocks[..count * count];
            blocks.fill(Matrix6::zeros());
            held.constraint.curvature(scene, view.multipliers(k), blocks);
            for (j, slot) in held.slots.iter().enumerate() {
                slopes.increment[*slot] += blocks[held.second * count + j].tr_mul(&probe);
            }
        }
        // the direction in the axes of the second body turns against both
        let force: Vector3<f64> = wrench.fixed_rows::<3>(0).into();
        let moment: Vector3<f64> = wrench.fixed_rows::<3>(3).into();
        let read = match self.part {
            Part::Force => force,
            Part::Moment => moment - self.place.cross(&force),
        };
        let (second, turning) = (view.scene.motion(SECOND), view.scene.motion(DIRECTION));
        let seen = turning.into_body(&(second.rotation * read));
        add_angular(&mut slopes.increment[SECOND], &read.cross(&self.direction(view)));
        add_angular(&mut slopes.increment[DIRECTION], &self.axis.cross(&seen));
    }
}
