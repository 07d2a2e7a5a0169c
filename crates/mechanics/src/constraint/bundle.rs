//! Rows that share a vector: `aᵢ·w` with several axes `aᵢ` of one node and one other vector `w`.
//!
//! Most joints are made of such rows: the offset along three axes of a marker, one axis normal to two
//! others. Because they are linear in the axis, the reaction and its curvature need one evaluation
//! with the axis `Σ λᵢ aᵢ`, and the residuals need `w` once. With `z = Rᵀw` in the axes of the node,
//!
//! ```text
//! g = a·z,   ġ = a·(ż + z × ω),   g̈ = a·(z̈ + 2 ż × ω + z × ω̇ + (z × ω) × ω)
//! ```
//!
//! where `ż`, `z̈` are the world derivatives of `w` in the axes of the node.

use super::Row;
use crate::measure::{Attached, Dot, Factor, Measure};
use crate::scene::Scene;
use nalgebra::{Matrix6, Vector3, Vector6};
use rotula_dae::Level;

/// Rows of one group that share a vector.
#[derive(Clone, Debug)]
pub(super) struct Bundle {
    slot: usize,
    /// Row and axis of each member, so many of them.
    axes: [(usize, Vector3<f64>); MOST],
    members: usize,
    other: Factor,
}

/// More axes than a node has would say nothing new.
const MOST: usize = 3;

impl Bundle {
    /// Sorts rows into bundles of at least two, and the others.
    pub(super) fn sort(rows: &[Row]) -> (Vec<Bundle>, Vec<usize>) {
        let mut bundles: Vec<Bundle> = Vec::new();
        let mut single = Vec::new();
        for (row, entry) in rows.iter().enumerate() {
            match entry.sum.0.as_slice() {
                [(1.0, Measure::Dot(Dot(Factor::Axis(axis), other)))] => {
                    let member = (row, axis.vector);
                    let shared = bundles
                        .iter_mut()
                        .find(|b| b.slot == axis.slot && b.other == *other && b.members < MOST);
                    match shared {
                        Some(bundle) => {
                            bundle.axes[bundle.members] = member;
                            bundle.members += 1;
                        }
                        None => bundles.push(Bundle {
                            slot: axis.slot,
                            axes: [member; MOST],
                            members: 1,
                            other: *other,
                        }),
                    }
                }
                _ => single.push(row),
            }
        }
        (bundles, single)
    }

    /// Adds the residuals without their targets.
    pub(super) fn residual(&self, level: Level, scene: Scene, out: &mut [f64]) {
        let m = scene.motion(self.slot);
        let z = if level == Level::Position {
            m.into_body(&self.other.value(scene))
        } else {
            let [z, rate, acceleration] = self.other.jet(scene).map(|w| m.into_body(&w));
            let turned = z.cross(&m.omega);
            match level {
                Level::Velocity => rate + turned,
                _ => {
                    acceleration
                        + rate.cross(&m.omega) * 2.0
                        + z.cross(&m.omega_rate)
                        + turned.cross(&m.omega)
                }
            }
        };
        for (row, axis) in &self.axes[..self.members] {
            out[*row] += axis.dot(&z);
        }
    }

    /// The rows as one scalar product with the axis `Σ λᵢ aᵢ`.
    fn combined(&self, multipliers: &[f64]) -> Dot {
        let members = &self.axes[..self.members];
        let axis = members.iter().map(|(row, axis)| axis * multipliers[*row]).sum();
        Dot(Factor::Axis(Attached::new(self.slot, axis)), self.other)
    }

    /// Adds the wrenches on the nodes.
    #[inline]
    pub(super) fn reaction(&self, scene: Scene, multipliers: &[f64], out: &mut [Vector6<f64>]) {
        self.combined(multipliers).gradient(scene, 1.0, out);
    }

    /// Adds the residuals of positions and the wrenches: what both need is worked out once.
    #[inline]
    pub(super) fn balance(
        &self,
        scene: Scene,
        multipliers: &[f64],
        out: &mut [f64],
        wrenches: &mut [Vector6<f64>],
    ) {
        let m = scene.motion(self.slot);
        let z;
        let mut force = Vector3::zeros();
        for (row, axis) in &self.axes[..self.members] {
            force += axis * multipliers[*row];
        }
        match &self.other {
            Factor::Axis(other) => {
                let n = scene.motion(other.slot);
                z = m.into_body(&(n.rotation * other.vector));
                add(&mut wrenches[self.slot], 3, &force.cross(&z));
                let back = n.into_body(&(m.rotation * force));
                add(&mut wrenches[other.slot], 3, &other.vector.cross(&back));
            }
            Factor::Offset { from, to } if from.slot == self.slot => {
                let n = scene.motion(to.slot);
                let end = m.into_body(&(n.position + n.rotation * to.vector - m.position));
                z = end - from.vector;
                add(&mut wrenches[self.slot], 0, &-force);
                add(&mut wrenches[self.slot], 3, &force.cross(&end));
                let back = n.into_body(&(m.rotation * force));
                add(&mut wrenches[to.slot], 0, &back);
                add(&mut wrenches[to.slot], 3, &to.vector.cross(&back));
            }
            Factor::Offset { .. } => {
                self.residual(Level::Position, scene, out);
                self.reaction(scene, multipliers, wrenches);
                return;
            }
        }
        for (row, axis) in &self.axes[..self.members] {
            out[*row] += axis.dot(&z);
        }
    }

    /// Adds the derivative of the wrenches.
    pub(super) fn curvature(&self, scene: Scene, multipliers: &[f64], blocks: &mut [Matrix6<f64>]) {
        self.combined(multipliers).curvature(scene, 1.0, blocks);
    }
}

/// Adds a vector to the linear part of a wrench, from 0 on, or to the angular one, from 3 on.
#[inline]
fn add(wrench: &mut Vector6<f64>, first: usize, part: &Vector3<f64>) {
    for k in 0..3 {
        wrench[first + k] += part[k];
    }
}
