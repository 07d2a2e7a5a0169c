//! Reads what a joint, a force or the end of a beam does to a body.
//!
//! The action on a body is the wrench `W` about its node, in its axes. Along a direction `n`, with `p`
//! the place of the marker on the body, the readings are
//!
//! ```text
//! force   n·F                     h = (n; 0)
//! moment  n·(M − p × F)           h = (p × n; n)          reading = h·W
//! ```
//!
//! so that the derivatives are those of the wrench times `h` (for a joint `∂W/∂λ = Gᵀ`), plus the
//! turning of the direction.

use super::actor::Actor;
use super::{Direction, Sensor, Slopes, View, add_angular};
use crate::error::ModelError;
use crate::force::Auxiliary;
use crate::marker::Marker;
use crate::measure::{MAX_NODES, Measure};
use crate::model::{JointId, Model};
use crate::node::stack;
use crate::quantity::{Part, Side};
use nalgebra::{Vector3, Vector6};

/// The force on a body, or the moment about a marker of it, along a direction.
#[derive(Clone, Debug)]
pub struct ActionSensor {
    actor: Actor,
    part: Part,
    /// Those of the actor, then the direction's.
    nodes: Vec<usize>,
    /// The slot of the body.
    body: usize,
    axis: Vector3<f64>,
    place: Vector3<f64>,
}

impl ActionSensor {
    /// The reaction of a joint on its first or second body, about the marker there.
    pub fn reaction(
        model: &Model,
        joint: JointId,
        (side, part): (Side, Part),
        direction: Direction,
    ) -> Result<Self, ModelError> {
        let entry = &model.joints()[joint.index()];
        let marker = match side {
            Side::First => entry.pair.a,
            Side::Second => entry.pair.b,
        };
        ActionSensor::new(Actor::joint(model, joint), marker, part, direction)
    }

    /// What an actor does to the body of a marker.
    pub(crate) fn new(
        actor: Actor,
        marker: Marker,
        part: Part,
        direction: Direction,
    ) -> Result<Self, ModelError> {
        let mut nodes = actor.nodes().to_vec();
        let body = nodes.iter().position(|node| *node == marker.node).unwrap_or_else(|| {
            nodes.push(marker.node);
            nodes.len() - 1
        });
        // the direction keeps its own slot, even on the same body
        nodes.push(direction.node);
        if nodes.len() > MAX_NODES {
            return Err(ModelError::TooManyNodes { limit: MAX_NODES });
        }
        let (axis, place) = (direction.vector, marker.frame.position);
        Ok(ActionSensor { actor, part, nodes, body, axis, place })
    }

    fn turning(&self) -> usize {
        self.nodes.len() - 1
    }

    /// The direction in the axes of the body.
    fn direction(&self, view: View) -> Vector3<f64> {
        let world = view.scene.motion(self.turning()).rotation * self.axis;
        view.scene.motion(self.body).into_body(&world)
    }

    /// What is multiplied with the wrench.
    fn probe(&self, view: View) -> Vector6<f64> {
        let n = self.direction(view);
        match self.part {
            Part::Force => stack(&n, &Vector3::zeros()),
            Part::Moment => stack(&self.place.cross(&n), &n),
        }
    }
}

impl Sensor for ActionSensor {
    fn nodes(&self) -> &[usize] {
        &self.nodes
    }

    fn constraints(&self) -> &[usize] {
        self.actor.constraints()
    }

    fn auxiliary(&self) -> &[Auxiliary] {
        self.actor.auxiliary()
    }

    fn value(&mut self, view: View) -> f64 {
        let probe = self.probe(view);
        probe.dot(&self.actor.wrench(view, self.nodes[self.body]))
    }

    fn slopes(&mut self, view: View, slopes: &mut Slopes) {
        let (probe, body) = (self.probe(view), self.nodes[self.body]);
        let wrench = self.actor.wrench(view, body);
        self.actor.slopes(
            view,
            &|node, _| if node == body { probe } else { Vector6::zeros() },
            slopes,
        );
        // the direction in the axes of the body turns against both
        let force: Vector3<f64> = wrench.fixed_rows::<3>(0).into();
        let moment: Vector3<f64> = wrench.fixed_rows::<3>(3).into();
        let read = match self.part {
            Part::Force => force,
            Part::Moment => moment - self.place.cross(&force),
        };
        let (motion, turning) = (view.scene.motion(self.body), view.scene.motion(self.turning()));
        let seen = turning.into_body(&(motion.rotation * read));
        let direction = self.direction(view);
        add_angular(&mut slopes.increment[self.body], &read.cross(&direction));
        add_angular(&mut slopes.increment[self.turning()], &self.axis.cross(&seen));
    }

    fn measures_mut(&mut self) -> Box<dyn Iterator<Item = &mut Measure> + '_> {
        self.actor.measures_mut()
    }
}
