//! Everything moves with one constant twist of the world: a steady turn.

use super::Assembly;
use super::inertia::in_fixed_axes;
use crate::node::{NodeKind, stack};
use crate::rates::Rates;
use nalgebra::{Matrix6, Vector3, Vector6};
use rotula_lie::se3;

impl Assembly {
    /// Velocity and acceleration of every coordinate under a constant twist of the world. Those of
    /// frames stay in their axes; where axes do not turn, as those of points, they are accelerated.
    pub(super) fn sweep(&self, q: &[f64], twist: &[f64; 6], mut out: impl FnMut(usize, f64, f64)) {
        let [x, y, z, a, b, c] = *twist;
        let (linear, spin) = (Vector3::new(x, y, z), Vector3::new(a, b, c));
        for node in &self.nodes[1..] {
            if let NodeKind::Amplitudes { count, .. } = node.kind {
                // a body that is carried along keeps its shape
                (node.v..node.v + count).for_each(|k| out(k, 0.0, 0.0));
                continue;
            }
            let frame = node.frame(q);
            let velocity = linear + spin.cross(&frame.position);
            let back = |a: &Vector3<f64>| frame.orientation.rotate_back(a);
            let kept = node.kept(&frame.orientation.to_matrix());
            let own = kept.kept_vector(&stack(&back(&velocity), &back(&spin)));
            let turned = stack(&back(&spin.cross(&velocity)), &Vector3::zeros());
            let rate = match node.kind {
                NodeKind::Point => turned,
                _ if kept.as_body() => Vector6::zeros(),
                _ => kept.kept_vector(&turned),
            };
            for (k, &column) in node.kind.columns().iter().enumerate() {
                out(node.v + k, own[column], rate[column]);
            }
        }
    }

    /// How these velocities change with the configuration, and how axes that do not turn seem to.
    pub(super) fn sweep_tangent(
        &self,
        q: &[f64],
        twist: &[f64; 6],
        entry: &mut dyn FnMut(usize, usize, [f64; 2]),
    ) {
        let [x, y, z, a, b, c] = *twist;
        let (linear, spin) = (Vector3::new(x, y, z), Vector3::new(a, b, c));
        for node in &self.nodes[1..] {
            let (velocities, axes) = match node.kind {
                NodeKind::Ground | NodeKind::Amplitudes { .. } => continue,
                NodeKind::Point => {
                    let mut turn = Matrix6::zeros();
                    turn.fixed_view_mut::<3, 3>(0, 0).copy_from(&spin.cross_matrix());
                    (turn, -turn)
                }
                NodeKind::Spatial | NodeKind::Planar(_) if node.rates != Rates::Body => {
                    let turn = in_fixed_axes(node, &spin).cross_matrix();
                    let own = node.frame(q).orientation.rotate_back(&spin).cross_matrix();
                    let (mut velocities, mut axes) = (Matrix6::zeros(), Matrix6::zeros());
                    velocities.fixed_view_mut::<3, 3>(0, 0).copy_from(&turn);
                    axes.fixed_view_mut::<3, 3>(0, 0).copy_from(&-turn);
                    if node.rates == Rates::World {
                        axes.fixed_view_mut::<3, 3>(3, 3).copy_from(&-turn);
                    } else {
                        velocities.fixed_view_mut::<3, 3>(3, 3).copy_from(&own);
                    }
                    (velocities, axes)
                }
                NodeKind::Spatial | NodeKind::Planar(_) => {
                    let frame = node.frame(q);
                    let velocity = linear + spin.cross(&frame.position);
                    let back = |a: &Vector3<f64>| frame.orientation.rotate_back(a);
                    let own = stack(&back(&velocity), &back(&spin));
                    // seen from the body, a constant twist of the world changes by its bracket
                    (se3::adjoint_bracket(&own), Matrix6::zeros())
                }
            };
            let columns = node.kind.columns();
            for (k, &row) in columns.iter().enumerate() {
                for (l, &col) in columns.iter().enumerate() {
                    let values = [velocities[(row, col)], axes[(row, col)]];
                    if values != [0.0; 2] {
                        entry(node.v + k, node.v + l, values);
                    }
                }
            }
        }
    }

    /// The configuration after a while.
    pub(super) fn sweep_on(&self, q: &[f64], twist: &[f64; 6], duration: f64, out: &mut [f64]) {
        out.copy_from_slice(q);
        let motion = se3::exp(&(Vector6::from_row_slice(twist) * duration));
        let spin = Vector3::new(twist[3], twist[4], twist[5]);
        for node in &self.nodes[1..] {
            if matches!(node.kind, NodeKind::Amplitudes { .. }) {
                continue;
            }
            node.store(&(motion * node.frame(q)), out);
            if let NodeKind::Planar(plane) = node.kind {
                // angles keep all their turns
                let turn = plane.orientation.rotate_back(&spin).z * duration;
                out[node.q + 2] = q[node.q + 2] + turn;
            }
        }
        self.carry_turns(q, out);
    }
}
