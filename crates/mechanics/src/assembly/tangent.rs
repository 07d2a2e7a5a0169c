//! Derivatives of the equations of motion: inertia, weight, forces, elements, reactions.

use super::{Assembly, elements, equations, together};
use crate::scene::Scene;
use nalgebra::{Matrix6, Vector6};
use rotula_dae::{Point, Terms, Weights};

impl Assembly {
    /// The derivative of the chosen terms with the given weights.
    pub(super) fn fill_tangent(
        &mut self,
        at: &Point,
        weights: Weights,
        terms: Terms,
        values: &mut [f64],
    ) {
        values.fill(0.0);
        self.place(at);
        self.place_tangents(at);
        let angles = self.angles(at.q);
        let Assembly { bodies, groups, pushes, parts, sheets, moment, scratch, .. } = self;
        for body in bodies.iter() {
            let (mut block, weight) = body.tangent(&moment.motions[body.node], weights, terms);
            if let Some(change) = weight {
                block += moment.columns_along_increment(&change, body.node);
            }
            body.block.add(&block, 1.0, values);
        }
        let world = moment.world(at, angles);
        if terms.forces {
            for push in pushes.iter_mut() {
                let scene = Scene { world: &world, nodes: &push.nodes };
                let count = push.nodes.len();
                let stiffness = &mut scratch.blocks[..count * count];
                let damping = &mut scratch.more_blocks[..count * count];
                stiffness.fill(Matrix6::zeros());
                damping.fill(Matrix6::zeros());
                push.force.tangent(scene, stiffness, damping);
                let wrenches = &mut scratch.rows[..count];
                wrenches.fill(Vector6::zeros());
                if moment.any_fixed(&push.nodes) {
                    push.force.wrench(scene, wrenches);
                    moment.chain_damping(stiffness, damping, &push.nodes);
                    moment.keep_damping(damping, &push.nodes);
                }
                moment.keep_stiffness(stiffness, wrenches, &push.nodes);
                for (k, place) in push.blocks.iter().enumerate() {
                    place.add(&stiffness[k], -weights.stiffness, values);
                    place.add(&damping[k], -weights.damping, values);
                }
            }
        }
        elements::tangents(parts, &world, (weights, terms), moment, scratch, values);
        if together(terms) {
            for sheet in sheets.iter_mut() {
                sheet.add_tangent(at, weights, moment, values);
            }
        }
        if terms.reactions && weights.stiffness != 0.0 {
            let weight = -weights.stiffness;
            equations::curvatures(
                groups,
                at.multipliers,
                weight,
                (&*moment, at, angles),
                scratch,
                values,
            );
        }
    }
}
