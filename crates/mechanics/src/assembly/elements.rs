//! Evaluation of elements with elasticity and inertia.

use super::balance::add;
use super::{Assembly, Moment, Part, Scratch, together};
use crate::element::Blocks;
use crate::node::Node;
use crate::scene::{Scene, World};
use nalgebra::{Matrix6, Vector6};
use rotula_dae::{Sentence, Subject, Terms, Weights};

/// Adds the residuals of all elements, but for those that sheets look after.
pub(super) fn residuals(
    parts: &mut [Part],
    world: &World,
    terms: Terms,
    nodes: &[Node],
    scratch: &mut [Vector6<f64>],
    out: &mut [f64],
) {
    if !(terms.inertia || terms.forces) {
        return;
    }
    let gathered = together(terms);
    for part in parts.iter_mut().filter(|part| !(gathered && part.gathered)) {
        let wrenches = &mut scratch[..part.nodes.len()];
        wrenches.fill(Vector6::zeros());
        part.element.residual(Scene { world, nodes: &part.nodes }, terms, wrenches);
        for (node, wrench) in part.nodes.iter().zip(wrenches.iter()) {
            add(&nodes[*node], wrench, 1.0, out);
        }
    }
}

/// Adds the tangents of all elements, but for those that sheets look after.
pub(super) fn tangents(
    parts: &mut [Part],
    world: &World,
    (weights, terms): (Weights, Terms),
    moment: &Moment,
    scratch: &mut Scratch,
    values: &mut [f64],
) {
    if !(terms.inertia || terms.forces) {
        return;
    }
    let gathered = together(terms);
    for part in parts.iter_mut().filter(|part| !(gathered && part.gathered)) {
        let count = part.nodes.len();
        let by_variation = &mut scratch.blocks[..count * count];
        let plain = &mut scratch.more_blocks[..count * count];
        by_variation.fill(Matrix6::zeros());
        plain.fill(Matrix6::zeros());
        let scene = Scene { world, nodes: &part.nodes };
        let blocks = Blocks { by_variation: &mut *by_variation, plain: &mut *plain };
        part.element.tangent(scene, weights, terms, blocks);
        for (k, place) in part.blocks.iter().enumerate() {
            let turned = moment.columns_along_increment(&by_variation[k], part.nodes[k % count]);
            place.add(&(turned + plain[k]), 1.0, values);
        }
    }
}

/// The first element whose residual is not finite, in words.
pub(super) fn not_finite(
    parts: &mut [Part],
    world: &World,
    scratch: &mut [Vector6<f64>],
) -> Option<Sentence> {
    parts.iter_mut().find_map(|part| {
        let wrenches = &mut scratch[..part.nodes.len()];
        wrenches.fill(Vector6::zeros());
        part.element.residual(Scene { world, nodes: &part.nodes }, Terms::ALL, wrenches);
        let bad = wrenches.iter().any(|w| w.iter().any(|x| !x.is_finite()));
        let text = format!("the element `{}`", part.name);
        bad.then(|| Sentence::about(text, [Subject::Thing(part.name.clone())]))
    })
}

impl Assembly {
    /// Inertia that elements give to a node in a direction, at the motions placed last: what moves if the
    /// node alone does.
    pub(super) fn carried_inertia(&self, node: usize, column: usize) -> f64 {
        let world = self.moment.world(&self.start.point(), &[]);
        let mut sum = 0.0;
        for part in self.parts.iter().filter(|part| part.nodes.contains(&node)) {
            let count = part.nodes.len();
            let mut blocks = vec![Matrix6::zeros(); 2 * count * count];
            let (by_variation, plain) = blocks.split_at_mut(count * count);
            let out = Blocks { by_variation, plain: &mut *plain };
            let scene = Scene { world: &world, nodes: &part.nodes };
            part.element.clone().tangent(scene, Weights::MASS, Terms::INERTIA, out);
            for slot in (0..count).filter(|slot| part.nodes[*slot] == node) {
                sum += plain[slot * count + slot][(column, column)];
            }
        }
        sum
    }
}
