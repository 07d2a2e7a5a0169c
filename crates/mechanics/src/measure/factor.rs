//! Vectors attached to nodes: an axis of a body, or the way from one point to another.
//!
//! Both are written in the world, with their first and second time derivatives. With `R` the
//! rotation of the node, `ω` its angular and `v` its linear velocity in body axes,
//!
//! ```text
//! axis    w = R c₀           c₀ = a    c₁ = ω × a        c₂ = ω̇ × a + ω × c₁
//! point   p = x + R s        ṗ = R c₁  c₁ = v + ω × s    c₂ = v̇ + ω̇ × s + ω × c₁,  p̈ = R c₂
//! ```
//!
//! A body variation `δ = (δu; δr)` of the node changes them by `R (δr × a)` and `R (δu + δr × s)`,
//! and a vector `R c` by `R (δr × c)`: everything below follows from these two rules.

use crate::node::Motion;
use crate::scene::Scene;
use nalgebra::{Matrix3, Matrix3x6, Matrix6, Vector3, Vector6};
use rotula_lie::so3::skew;

/// A direction or a point, fixed to one of the nodes of an element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attached {
    /// Which of the element's nodes.
    pub slot: usize,
    /// Components in the axes of the node.
    pub vector: Vector3<f64>,
}

/// One of the two vectors of a scalar product.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Factor {
    /// A direction fixed to a node.
    Axis(Attached),
    /// The way from one point to another.
    Offset {
        /// Where it begins.
        from: Attached,
        /// Where it ends.
        to: Attached,
    },
}

/// A world vector and its first two time derivatives.
pub(crate) type Jet = [Vector3<f64>; 3];

impl Attached {
    /// A vector fixed to a node.
    pub fn new(slot: usize, vector: Vector3<f64>) -> Self {
        Attached { slot, vector }
    }

    fn axis_rates(&self, m: &Motion) -> Jet {
        let c1 = m.omega.cross(&self.vector);
        [self.vector, c1, m.omega_rate.cross(&self.vector) + m.omega.cross(&c1)]
    }

    fn point_rates(&self, m: &Motion) -> Jet {
        let c1 = m.velocity + m.omega.cross(&self.vector);
        let c2 = m.velocity_rate + m.omega_rate.cross(&self.vector) + m.omega.cross(&c1);
        [self.vector, c1, c2]
    }

    fn point_jet(&self, m: &Motion) -> Jet {
        let [s, c1, c2] = self.point_rates(m);
        [m.position + m.rotation * s, m.rotation * c1, m.rotation * c2]
    }
}

/// The parts of which a factor is made: axes count once, offsets as end minus beginning.
#[derive(Clone, Copy)]
enum Part {
    Axis(Attached),
    Point(Attached, f64),
}

impl Factor {
    /// The parts; the second is missing for an axis.
    fn parts(&self) -> [Option<Part>; 2] {
        match *self {
            Factor::Axis(axis) => [Some(Part::Axis(axis)), None],
            Factor::Offset { from, to } => {
                [Some(Part::Point(to, 1.0)), Some(Part::Point(from, -1.0))]
            }
        }
    }

    /// The vector alone.
    #[inline]
    pub(crate) fn value(&self, scene: Scene) -> Vector3<f64> {
        let point = |a: &Attached| {
            let m = scene.motion(a.slot);
            m.position + m.rotation * a.vector
        };
        match self {
            Factor::Axis(a) => scene.motion(a.slot).rotation * a.vector,
            Factor::Offset { from, to } => point(to) - point(from),
        }
    }

    /// The vector and its time derivatives.
    pub(crate) fn jet(&self, scene: Scene) -> Jet {
        match self {
            Factor::Axis(a) => {
                let m = scene.motion(a.slot);
                a.axis_rates(m).map(|c| m.rotation * c)
            }
            Factor::Offset { from, to } => {
                let (p, q) =
                    (from.point_jet(scene.motion(from.slot)), to.point_jet(scene.motion(to.slot)));
                [q[0] - p[0], q[1] - p[1], q[2] - p[2]]
            }
        }
    }

    /// Adds the row `∂(u·w)/∂Δ` for a fixed world vector `w`, times `scale`. The same row is
    /// `∂(u̇·w)/∂v` and `∂(ü·w)/∂v̇`.
    #[inline]
    pub(crate) fn pull(
        &self,
        scene: Scene,
        w: &Vector3<f64>,
        scale: f64,
        out: &mut [Vector6<f64>],
    ) {
        for part in self.parts().into_iter().flatten() {
            match part {
                Part::Axis(a) => {
                    let z = scene.motion(a.slot).into_body(w) * scale;
                    add_angular(&mut out[a.slot], &a.vector.cross(&z));
                }
                Part::Point(p, sign) => {
                    let z = scene.motion(p.slot).into_body(w) * (scale * sign);
                    add_linear(&mut out[p.slot], &z);
                    add_angular(&mut out[p.slot], &p.vector.cross(&z));
                }
            }
        }
    }

    /// Adds the row `∂(u⁽ᵏ⁾·w)/∂Δ` for `k` = 1 or 2: velocity or acceleration of the vector.
    pub(crate) fn pull_rate(
        &self,
        scene: Scene,
        k: usize,
        w: &Vector3<f64>,
        scale: f64,
        out: &mut [Vector6<f64>],
    ) {
        for part in self.parts().into_iter().flatten() {
            let (slot, sign, rates) = match part {
                Part::Axis(a) => (a.slot, 1.0, a.axis_rates(scene.motion(a.slot))),
                Part::Point(p, sign) => (p.slot, sign, p.point_rates(scene.motion(p.slot))),
            };
            let z = scene.motion(slot).into_body(w) * (scale * sign);
            add_angular(&mut out[slot], &rates[k].cross(&z));
        }
    }

    /// Adds the row `∂(ü·w)/∂v`.
    pub(crate) fn pull_acceleration_velocity(
        &self,
        scene: Scene,
        w: &Vector3<f64>,
        scale: f64,
        out: &mut [Vector6<f64>],
    ) {
        for part in self.parts().into_iter().flatten() {
            match part {
                Part::Axis(a) => {
                    let m = scene.motion(a.slot);
                    let z = m.into_body(w) * scale;
                    let turned = z.cross(&m.omega);
                    let row = a.axis_rates(m)[1].cross(&z) + a.vector.cross(&turned);
                    add_angular(&mut out[a.slot], &row);
                }
                Part::Point(p, sign) => {
                    let m = scene.motion(p.slot);
                    let z = m.into_body(w) * (scale * sign);
                    let turned = z.cross(&m.omega);
                    add_linear(&mut out[p.slot], &turned);
                    let row = p.point_rates(m)[1].cross(&z) + p.vector.cross(&turned);
                    add_angular(&mut out[p.slot], &row);
                }
            }
        }
    }

    /// The matrices `J` with `δu = Σ J δ`, by slot.
    pub(crate) fn jacobians(&self, scene: Scene) -> [Option<(usize, Matrix3x6<f64>)>; 2] {
        self.parts().map(|part| {
            part.map(|part| {
                let mut jacobian = Matrix3x6::zeros();
                let (slot, vector, sign) = match part {
                    Part::Axis(a) => (a.slot, a.vector, 1.0),
                    Part::Point(p, sign) => (p.slot, p.vector, sign),
                };
                let rotation = scene.motion(slot).rotation * sign;
                if let Part::Point(..) = part {
                    jacobian.fixed_view_mut::<3, 3>(0, 0).copy_from(&rotation);
                }
                let turn = -(rotation * skew(&vector));
                jacobian.fixed_view_mut::<3, 3>(0, 3).copy_from(&turn);
                (slot, jacobian)
            })
        })
    }

    /// Adds the second derivative of `u·w` for a fixed world vector `w`: entry `(δ, η)` of a block is
    /// the derivative along η of the derivative along δ.
    pub(crate) fn bend(
        &self,
        scene: Scene,
        w: &Vector3<f64>,
        scale: f64,
        blocks: &mut [Matrix6<f64>],
    ) {
        let nodes = scene.nodes.len();
        for part in self.parts().into_iter().flatten() {
            let (slot, vector, sign, linear) = match part {
                Part::Axis(a) => (a.slot, a.vector, 1.0, false),
                Part::Point(p, sign) => (p.slot, p.vector, sign, true),
            };
            let turn = skew(&(scene.motion(slot).into_body(w) * (scale * sign)));
            let block = &mut blocks[slot * nodes + slot];
            if linear {
                add_view(block, 0, 3, &turn);
            }
            add_view(block, 3, 3, &(skew(&vector) * turn));
        }
    }
}

fn add_view(block: &mut Matrix6<f64>, row: usize, col: usize, part: &Matrix3<f64>) {
    let mut view = block.fixed_view_mut::<3, 3>(row, col);
    view += part;
}

#[inline]
fn add_linear(out: &mut Vector6<f64>, a: &Vector3<f64>) {
    out[0] += a.x;
    out[1] += a.y;
    out[2] += a.z;
}

#[inline]
fn add_angular(out: &mut Vector6<f64>, a: &Vector3<f64>) {
    out[3] += a.x;
    out[4] += a.y;
    out[5] += a.z;
}
