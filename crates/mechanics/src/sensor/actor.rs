//! What acts: the constraints of a joint, a force, or an element of a beam or cable.

use super::{Slopes, View};
use crate::constraint::Constraint;
use crate::element::{Blocks, Element};
use crate::force::{Auxiliary, Force};
use crate::measure::Measure;
use crate::model::{JointId, Model};
use crate::scene::Scene;
use nalgebra::{Matrix6, Vector3, Vector6};
use rotula_dae::{Terms, Weights};
use std::ops::Range;

/// One of a joint's constraints.
#[derive(Clone, Debug)]
struct Held {
    constraint: Box<dyn Constraint>,
    /// The slots of its nodes among those of the actor.
    slots: Vec<usize>,
}

#[derive(Clone, Debug)]
enum Kind {
    Constraints { held: Vec<Held>, numbers: Vec<usize> },
    Force(Box<dyn Force>),
    Element(Box<dyn Element>),
}

/// Something that acts on a few nodes, with the derivatives of its wrenches.
#[derive(Clone, Debug)]
pub(crate) struct Actor {
    kind: Kind,
    nodes: Vec<usize>,
    rows: Vec<Vector6<f64>>,
    blocks: Vec<Matrix6<f64>>,
    more_blocks: Vec<Matrix6<f64>>,
}

impl Actor {
    fn new(kind: Kind, nodes: Vec<usize>, rows: usize) -> Self {
        let square = nodes.len() * nodes.len();
        Actor {
            kind,
            rows: vec![Vector6::zeros(); rows.max(nodes.len())],
            blocks: vec![Matrix6::zeros(); square],
            more_blocks: vec![Matrix6::zeros(); square],
            nodes,
        }
    }

    /// The constraints of a joint.
    pub(crate) fn joint(model: &Model, joint: JointId) -> Self {
        Actor::constraints_of(model, model.joints()[joint.index()].constraints.clone())
    }

    /// Some constraints of a model.
    pub(crate) fn constraints_of(model: &Model, numbers: Range<usize>) -> Self {
        let mut nodes = Vec::new();
        let mut slot = |node: usize| {
            nodes.iter().position(|known| *known == node).unwrap_or_else(|| {
                nodes.push(node);
                nodes.len() - 1
            })
        };
        let numbers: Vec<usize> = numbers.collect();
        let held: Vec<Held> = numbers
            .iter()
            .map(|k| {
                let constraint = model.constraints()[*k].constraint.clone();
                let slots = constraint.nodes().iter().map(|node| slot(*node)).collect();
                Held { constraint, slots }
            })
            .collect();
        let most = held.iter().map(|h| h.constraint.rows() * h.slots.len()).max().unwrap_or(0);
        Actor::new(Kind::Constraints { held, numbers }, nodes, most)
    }

    /// A force.
    pub(crate) fn force(force: Box<dyn Force>) -> Self {
        let nodes = force.nodes().to_vec();
        let rows = nodes.len() * force.auxiliary().len();
        Actor::new(Kind::Force(force), nodes, rows)
    }

    /// An element of a beam, cable or bar, with its inertia and weight.
    pub(crate) fn element(mut element: Box<dyn Element>, gravity: &Vector3<f64>) -> Self {
        element.set_gravity(gravity);
        let nodes = element.nodes().to_vec();
        Actor::new(Kind::Element(element), nodes, 0)
    }

    /// The nodes it acts on.
    pub(crate) fn nodes(&self) -> &[usize] {
        &self.nodes
    }

    /// The constraints whose multipliers it needs.
    pub(crate) fn constraints(&self) -> &[usize] {
        match &self.kind {
            Kind::Constraints { numbers, .. } => numbers,
            _ => &[],
        }
    }

    /// The states and variables it depends on.
    pub(crate) fn auxiliary(&self) -> &[Auxiliary] {
        match &self.kind {
            Kind::Force(force) => force.auxiliary(),
            _ => &[],
        }
    }

    /// Measures of angles in it.
    pub(crate) fn measures_mut(&mut self) -> Box<dyn Iterator<Item = &mut Measure> + '_> {
        match &mut self.kind {
            Kind::Force(force) => force.measures_mut(),
            _ => Box::new(std::iter::empty()),
        }
    }

    /// Calls `f` with the wrench on each node, about it and in its axes.
    pub(crate) fn each_wrench(&mut self, view: View, mut f: impl FnMut(usize, &Vector6<f64>)) {
        let world = view.scene.world;
        match &mut self.kind {
            Kind::Constraints { held, .. } => {
                for (k, held) in held.iter().enumerate() {
                    let scene = Scene { world, nodes: held.constraint.nodes() };
                    let out = &mut self.rows[..held.slots.len()];
                    out.fill(Vector6::zeros());
                    held.constraint.reaction(scene, view.multipliers(k), out);
                    scene.nodes.iter().zip(out.iter()).for_each(|(node, wrench)| f(*node, wrench));
                }
            }
            Kind::Force(force) => {
                let out = &mut self.rows[..self.nodes.len()];
                out.fill(Vector6::zeros());
                force.wrench(Scene { world, nodes: &self.nodes }, out);
                self.nodes.iter().zip(out.iter()).for_each(|(node, wrench)| f(*node, wrench));
            }
            Kind::Element(element) => {
                let out = &mut self.rows[..self.nodes.len()];
                out.fill(Vector6::zeros());
                element.residual(Scene { world, nodes: &self.nodes }, Terms::ALL, out);
                // what the residual takes from the node, the element gives to the body
                self.nodes.iter().zip(out.iter()).for_each(|(node, wrench)| f(*node, &-wrench));
            }
        }
    }

    /// The wrench on a node.
    pub(crate) fn wrench(&mut self, view: View, node: usize) -> Vector6<f64> {
        let mut sum = Vector6::zeros();
        self.each_wrench(view, |own, wrench| {
            if own == node {
                sum += wrench;
            }
        });
        sum
    }

    /// Adds the derivatives of the sum of the wrenches, each times a probe that belongs to its node (by
    /// number and slot) and is held fixed.
    pub(crate) fn slopes(
        &mut self,
        view: View,
        probe: &dyn Fn(usize, usize) -> Vector6<f64>,
        slopes: &mut Slopes,
    ) {
        let world = view.scene.world;
        let count = self.nodes.len();
        let Actor { kind, nodes, rows, blocks, more_blocks } = self;
        match kind {
            Kind::Constraints { held, .. } => {
                let mut first = 0;
                for (k, held) in held.iter().enumerate() {
                    let scene = Scene { world, nodes: held.constraint.nodes() };
                    let (equations, count) = (held.constraint.rows(), held.slots.len());
                    let gradient = &mut rows[..equations * count];
                    gradient.fill(Vector6::zeros());
                    held.constraint.gradient(scene, gradient);
                    let blocks = &mut blocks[..count * count];
                    blocks.fill(Matrix6::zeros());
                    held.constraint.curvature(scene, view.multipliers(k), blocks);
                    for (i, slot) in held.slots.iter().enumerate() {
                        let probe = probe(scene.nodes[i], *slot);
                        for row in 0..equations {
                            slopes.multipliers[first + row] +=
                                gradient[row * count + i].dot(&probe);
                        }
                        for (j, slot) in held.slots.iter().enumerate() {
                            slopes.increment[*slot] += blocks[i * count + j].tr_mul(&probe);
                        }
                    }
                    first += equations;
                }
            }
            Kind::Force(force) => {
                let scene = Scene { world, nodes };
                blocks.fill(Matrix6::zeros());
                more_blocks.fill(Matrix6::zeros());
                force.tangent(scene, blocks, more_blocks);
                let unknowns = force.auxiliary().len();
                let commanded = &mut rows[..unknowns * count];
                commanded.fill(Vector6::zeros());
                force.auxiliary_tangent(scene, commanded);
                for i in 0..count {
                    let probe = probe(nodes[i], i);
                    for j in 0..count {
                        slopes.increment[j] += blocks[i * count + j].tr_mul(&probe);
                        slopes.velocity[j] += more_blocks[i * count + j].tr_mul(&probe);
                    }
                    for (k, out) in slopes.auxiliary.iter_mut().enumerate().take(unknowns) {
                        *out += commanded[k * count + i].dot(&probe);
                    }
                }
            }
            Kind::Element(element) => {
                let scene = Scene { world, nodes };
                for (weights, out) in [
                    (Weights { mass: 0.0, damping: 0.0, stiffness: 1.0 }, &mut *slopes.increment),
                    (Weights { mass: 0.0, damping: 1.0, stiffness: 0.0 }, &mut *slopes.velocity),
                    (
                        Weights { mass: 1.0, damping: 0.0, stiffness: 0.0 },
                        &mut *slopes.acceleration,
                    ),
                ] {
                    blocks.fill(Matrix6::zeros());
                    more_blocks.fill(Matrix6::zeros());
                    let both = Blocks { by_variation: &mut *blocks, plain: &mut *more_blocks };
                    element.tangent(scene, weights, Terms::ALL, both);
                    for i in 0..count {
                        let probe = probe(nodes[i], i);
                        for j in 0..count {
                            let k = i * count + j;
                            out[j] -= (blocks[k] + more_blocks[k]).tr_mul(&probe);
                        }
                    }
                }
            }
        }
    }
}
