//! Accelerations by articulated bodies, without a matrix of the whole. [Featherstone 2008, 7.3]
//!
//! What the bodies miss where joints do not accelerate, `F`, is taken up from the leaves to the ground. With the inertia `I` of all
//! that is above a link if the joints there give way, both in world axes at the link's own point,
//!
//! ```text
//! U = I S,   d = Sᵀ U,   u = −Sᵀ F,     I_p += I − U d⁻¹ Uᵀ,     F_p += F + U d⁻¹ u      (moved to the parent's point)
//! v̇ = d⁻¹ (u − Uᵀ a_p),    a = a_p + S v̇                                                 back to the leaves
//! ```
//!
//! Points of their own keep the digits of long chains.

use super::TreeSystem;
use super::layout::Layout;
use super::link::{Freedom, GROUND};
use crate::assembly::Assembly;
use nalgebra::{Matrix3, Vector3};
use rotula_dae::{ForwardDynamics, Point, Terms};
use rotula_lie::so3::skew;

/// Inertia along linear and angular velocity: `[A B; Bᵀ C]`.
#[derive(Clone, Copy, Debug)]
struct Spatial {
    a: Matrix3<f64>,
    b: Matrix3<f64>,
    c: Matrix3<f64>,
}

impl Spatial {
    const NONE: Spatial = Spatial { a: ZERO, b: ZERO, c: ZERO };

    fn times(&self, linear: &Vector3<f64>, angular: &Vector3<f64>) -> [Vector3<f64>; 2] {
        [self.a * linear + self.b * angular, self.b.tr_mul(linear) + self.c * angular]
    }

    /// The same at a point from which this one lies at `arm`.
    fn moved(&self, arm: &Vector3<f64>) -> Spatial {
        let arm = skew(arm);
        let b = self.b - self.a * arm;
        let c = self.c - self.b.tr_mul(&arm) + arm * b;
        Spatial { a: self.a, b, c }
    }

    fn add(&mut self, other: &Spatial) {
        self.a += other.a;
        self.b += other.b;
        self.c += other.c;
    }

    /// Takes `factor · u uᵀ` away.
    fn less(&mut self, [linear, angular]: &[Vector3<f64>; 2], factor: f64) {
        self.a -= linear * linear.transpose() * factor;
        self.b -= linear * angular.transpose() * factor;
        self.c -= angular * angular.transpose() * factor;
    }
}

const ZERO: Matrix3<f64> = Matrix3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);

/// Scratch of the recursion.
#[derive(Clone, Debug)]
pub(super) struct Articulated {
    /// Mass and moments of every rider.
    bodies: Vec<(f64, Matrix3<f64>)>,
    inertias: Vec<Spatial>,
    /// Force and moment.
    missed: Vec<[Vector3<f64>; 2]>,
    /// By velocity: the screw at the link's own point, `U`, and `1/d`, `u`.
    screws: Vec<[Vector3<f64>; 2]>,
    pushes: Vec<[Vector3<f64>; 2]>,
    pivots: Vec<[f64; 2]>,
    /// Accelerations of links.
    gained: Vec<[Vector3<f64>; 2]>,
}

impl Articulated {
    pub fn new(assembly: &Assembly, layout: &Layout) -> Self {
        let inertias = assembly.inertias();
        let body = |rider: &super::layout::Rider| inertias[rider.node];
        let none = [Vector3::zeros(); 2];
        Articulated {
            bodies: layout.riders.iter().map(body).collect(),
            inertias: vec![Spatial::NONE; layout.links.len()],
            missed: vec![none; layout.links.len()],
            gained: vec![none; layout.links.len()],
            screws: vec![none; layout.count],
            pushes: vec![none; layout.count],
            pivots: vec![[0.0; 2]; layout.count],
        }
    }
}

impl TreeSystem {
    /// Inertias and missed wrenches of the bodies at the points of their links.
    fn lay_out(&mut self) {
        let TreeSystem { articulated, layout, stations, inner, residual, .. } = self;
        articulated.inertias.fill(Spatial::NONE);
        articulated.missed.fill([Vector3::zeros(); 2]);
        for (rider, (mass, moments)) in layout.riders.iter().zip(&articulated.bodies) {
            let rotation = &stations.links[rider.link].rotation;
            let arm = rotation * rider.arm;
            let own = inner.nodes()[rider.node].embed(residual);
            let force = rotation * own.fixed_rows::<3>(0);
            let moment = rotation * own.fixed_rows::<3>(3) + arm.cross(&force);
            let [forces, turning] = &mut articulated.missed[rider.link];
            *forces += force;
            *turning += moment;
            let centred = Spatial {
                a: Matrix3::from_diagonal_element(*mass),
                b: ZERO,
                c: rotation * moments * rotation.transpose(),
            };
            articulated.inertias[rider.link].add(&centred.moved(&arm));
        }
    }
}

impl ForwardDynamics for TreeSystem {
    fn accelerations(&mut self, at: &Point, out: &mut [f64]) -> bool {
        let zeros = std::mem::take(&mut self.zeros);
        self.hand_over(&Point { vdot: &zeros, ..*at });
        self.zeros = zeros;
        let terms = Terms::WITHOUT_REACTIONS;
        self.inner.handed_dynamics(&self.state.point(), terms, &mut self.residual);
        self.lay_out();
        let TreeSystem { articulated, layout, stations, .. } = self;
        let Articulated { inertias, missed, screws, pushes, pivots, gained, .. } = articulated;
        for l in (0..layout.links.len()).rev() {
            let link = &layout.links[l];
            let rotation = &stations.links[l].rotation;
            let (mut inertia, mut wrench) = (inertias[l], missed[l]);
            // one motion after the other: each sees those before it as given way already
            for k in layout.columns(l) {
                let screw = match link.freedom {
                    Freedom::Slide(axis) => [rotation * axis, Vector3::zeros()],
                    Freedom::Turn(axis) => [Vector3::zeros(), rotation * axis],
                    _ => [Vector3::zeros(), rotation.column(k - link.v).into()],
                };
                let push = inertia.times(&screw[0], &screw[1]);
                let pivot = screw[0].dot(&push[0]) + screw[1].dot(&push[1]);
                let u = -(screw[0].dot(&wrench[0]) + screw[1].dot(&wrench[1]));
                if !(pivot > 0.0 && u.is_finite()) {
                    return false;
                }
                inertia.less(&push, 1.0 / pivot);
                let share = u / pivot;
                wrench[0] += push[0] * share;
                wrench[1] += push[1] * share;
                (screws[k], pushes[k], pivots[k]) = (screw, push, [1.0 / pivot, u]);
            }
            if link.parent != GROUND {
                let arm = stations.links[l].position - stations.links[link.parent].position;
                inertias[link.parent].add(&inertia.moved(&arm));
                let [force, moment] = wrench;
                let below = &mut missed[link.parent];
                below[0] += force;
                below[1] += moment + arm.cross(&force);
            }
        }
        for (l, link) in layout.links.iter().enumerate() {
            let mut own = match link.parent {
                GROUND => [Vector3::zeros(); 2],
                parent => {
                    let arm = stations.links[l].position - stations.links[parent].position;
                    let [linear, angular] = gained[parent];
                    [linear + angular.cross(&arm), angular]
                }
            };
            for k in layout.columns(l).rev() {
                let [inverse, u] = pivots[k];
                let push = &pushes[k];
                out[k] = inverse * (u - push[0].dot(&own[0]) - push[1].dot(&own[1]));
                own[0] += screws[k][0] * out[k];
                own[1] += screws[k][1] * out[k];
            }
            gained[l] = own;
        }
        true
    }
}
