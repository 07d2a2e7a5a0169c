//! Derivatives of the equations of motion: inertia, weight, forces, elements, reactions.

use super::{Assembly, elements, equations, together};
use crate::scene::Scene;
use nalgebra::{Matrix3, Matrix6};
use rotula_dae::{Point, Terms, Weights};
use rotula_lie::so3::skew;

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
            let m = &moment.motions[body.node];
            let mut block = Matrix6::zeros();
            if terms.inertia {
                set(&mut block, 0, 0, Matrix3::from_diagonal_element(weights.mass * body.mass));
                set(&mut block, 3, 3, body.moments * weights.mass);
            }
            if terms.forces {
                let w = weights.damping;
                let spin = skew(&m.omega) * body.moments - skew(&(body.moments * m.omega));
                add(&mut block, 0, 0, skew(&m.omega) * (body.mass * w));
                add(&mut block, 0, 3, skew(&m.velocity) * (-body.mass * w));
                add(&mut block, 3, 3, spin * w);
            }
            if terms.forces && body.heavy {
                // δ(Rᵀw) = (Rᵀw) × δr
                let turn = skew(&m.into_body(&body.weight));
                let mut change = Matrix6::zeros();
                set(&mut change, 0, 3, turn * -weights.stiffness);
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
                for (k, place) in push.blocks.iter().enumerate() {
                    let turned =
                        moment.columns_along_increment(&stiffness[k], push.nodes[k % count]);
                    place.add(&turned, -weights.stiffness, values);
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

fn set(block: &mut Matrix6<f64>, row: usize, col: usize, part: Matrix3<f64>) {
    block.fixed_view_mut::<3, 3>(row, col).copy_from(&part);
}

fn add(block: &mut Matrix6<f64>, row: usize, col: usize, part: Matrix3<f64>) {
    let mut view = block.fixed_view_mut::<3, 3>(row, col);
    view += part;
}
