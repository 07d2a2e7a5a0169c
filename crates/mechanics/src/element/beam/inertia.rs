//! The inertia of a section that moves with its element.
//!
//! A section at `x` from the reference (`H = H_r exp x`) has the velocity
//! `V = A v_r + T(x) ẋ` with `A = Ad(exp −x)`, exactly that of the interpolated shape. Its inertia
//! wrench `F = M V̇ − ad(V)ᵀ M V` does work on both, so the forces conjugate to `v_r` and `ẋ` are
//! `Aᵀ F` and `Tᵀ F`. Gravity is an acceleration of the reference the other way.

use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};
use rotula_lie::se3;
use rotula_lie::so3::skew;

/// How a section moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moving {
    /// Where it is, seen from the reference; rates of that.
    pub x: Vector6<f64>,
    pub rate: Vector6<f64>,
    pub rate_rate: Vector6<f64>,
    /// Velocity of the reference.
    pub v: Vector6<f64>,
    /// Acceleration of the reference, less that of gravity.
    pub a: Vector6<f64>,
}

/// What acts on a section, per length.
#[derive(Clone, Copy, Debug)]
pub(super) struct Carried<'a> {
    /// The section's 6 × 6 mass.
    pub mass: &'a Matrix6<f64>,
    /// Acceleration of gravity in the axes of the reference.
    pub gravity: Vector3<f64>,
    /// A load that keeps its direction, in the axes of the reference.
    pub dead: Vector6<f64>,
    /// A load that follows the section.
    pub follower: Vector6<f64>,
}

/// A wrench of a section as felt by the reference and by the shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct Felt {
    pub reference: Vector6<f64>,
    pub shape: Vector6<f64>,
    /// The wrench itself.
    pub wrench: Vector6<f64>,
}

/// Derivatives of the two forces of [`Felt`], reference first.
#[derive(Clone, Copy, Debug)]
pub(super) struct FeltSlopes {
    pub x: [Matrix6<f64>; 2],
    pub rate: [Matrix6<f64>; 2],
    pub rate_rate: [Matrix6<f64>; 2],
    pub v: [Matrix6<f64>; 2],
    pub a: [Matrix6<f64>; 2],
    /// Along a turn of the reference, by gravity and dead loads.
    pub turn: [Matrix6<f64>; 2],
}

/// The same, halves apart.
fn halves(w: &Vector6<f64>) -> [Vector3<f64>; 2] {
    [w.fixed_rows::<3>(0).into(), w.fixed_rows::<3>(3).into()]
}

/// Inertia wrench `M V̇ − ad(V)ᵀ M V`.
pub(super) fn wrench(mass: &Matrix6<f64>, v: &Vector6<f64>, a: &Vector6<f64>) -> Vector6<f64> {
    let [velocity, omega] = halves(v);
    let [p, l] = halves(&(mass * v));
    let gyroscopic = crate::node::stack(&omega.cross(&p), &(velocity.cross(&p) + omega.cross(&l)));
    mass * a + gyroscopic
}

/// The derivative of [`wrench`] with respect to the velocity.
pub(super) fn wrench_by_velocity(mass: &Matrix6<f64>, v: &Vector6<f64>) -> Matrix6<f64> {
    -se3::adjoint_bracket(v).tr_mul(mass) - se3::coadjoint_bracket(&(mass * v))
}

impl Moving {
    /// The velocity of the section.
    pub fn velocity(&self) -> Vector6<f64> {
        let frame = se3::exp(&self.x);
        let rotation = frame.orientation.to_matrix();
        carried_back(&rotation, &frame.position, &self.v) + se3::tangent(&self.x) * self.rate
    }

    /// Inertia less loads.
    pub fn felt(&self, carried: &Carried) -> Felt {
        let frame = se3::exp(&self.x);
        let rotation = frame.orientation.to_matrix();
        let t = se3::tangent(&self.x);
        let u = carried_back(&rotation, &frame.position, &self.v);
        let w = t * self.rate;
        let acceleration = carried_back(&rotation, &frame.position, &self.a) - se3::bracket(&w, &u)
            + t * self.rate_rate
            + se3::tangent_variation_times(&self.x, &self.rate, &self.rate);
        let mut force = wrench(carried.mass, &(u + w), &acceleration) - carried.follower;
        if carried.dead != Vector6::zeros() {
            force -= turned_back(&rotation, &carried.dead);
        }
        let [f, m] = halves(&force);
        let push = rotation * f;
        let reference = crate::node::stack(&push, &(rotation * m + frame.position.cross(&push)));
        Felt { reference, shape: t.tr_mul(&force), wrench: force }
    }

    /// The derivatives, given the wrench.
    pub fn slopes(&self, carried: &Carried, wrench: &Vector6<f64>) -> FeltSlopes {
        let t = &se3::tangent(&self.x);
        let frame = se3::exp(&self.x);
        let rotation = &frame.orientation.to_matrix();
        let a = &frame.inverse().adjoint();
        // ∂(T(x) ẋ)/∂x; velocity of the reference carried here, and the velocity beside that
        let t_x = se3::tangent_derivative(&self.x, &self.rate);
        let (u, w) = (a * self.v, t * self.rate);
        let mass = carried.mass;
        let ad_u = se3::adjoint_bracket(&u);
        let ad_u_t = ad_u * t;
        let by_v = wrench_by_velocity(mass, &(u + w));
        let variation = se3::tangent_variation(&self.x, &self.rate);
        let acceleration_x = se3::adjoint_bracket(&(a * self.a)) * t + ad_u * t_x
            - se3::adjoint_bracket(&w) * ad_u_t
            + se3::tangent_derivative(&self.x, &self.rate_rate)
            + se3::tangent_second_derivative(&self.x, &self.rate, &self.rate);
        let mut x = mass * acceleration_x + by_v * (ad_u_t + t_x);
        // a dead load turns against the section, and against the reference
        let dead = turned_back(rotation, &carried.dead);
        x -= turn_of(&dead) * t;
        let mass_a = mass * a;
        let mut turn = mass_a * -turn_of(&crate::node::stack(&carried.gravity, &Vector3::zeros()));
        let mut carried_turn = turn_of(&carried.dead);
        for k in 0..6 {
            let column: Vector6<f64> = carried_turn.column(k).into();
            carried_turn.set_column(k, &turned_back(rotation, &column));
        }
        turn -= carried_turn;
        let both = |f: &Matrix6<f64>| [a.tr_mul(f), t.tr_mul(f)];
        let mut by_x = both(&x);
        by_x[0] -= a.tr_mul(&(se3::coadjoint_bracket(wrench) * t));
        by_x[1] += se3::tangent_transposed_derivative(&self.x, wrench);
        FeltSlopes {
            x: by_x,
            rate: both(&(mass * (ad_u_t + variation + t_x) + by_v * t)),
            rate_rate: both(&(mass * t)),
            v: both(&((by_v - mass * se3::adjoint_bracket(&w)) * a)),
            a: both(&mass_a),
            turn: both(&turn),
        }
    }
}

/// A twist of the reference as that of a section moving with it: `Ad(H⁻¹) v`.
fn carried_back(
    rotation: &Matrix3<f64>,
    position: &Vector3<f64>,
    twist: &Vector6<f64>,
) -> Vector6<f64> {
    let [linear, angular] = halves(twist);
    let there = linear + angular.cross(position);
    crate::node::stack(&rotation.tr_mul(&there), &rotation.tr_mul(&angular))
}

/// Force and moment in the axes of the section.
pub(super) fn turned_back(rotation: &Matrix3<f64>, w: &Vector6<f64>) -> Vector6<f64> {
    let [f, m] = halves(w);
    crate::node::stack(&rotation.tr_mul(&f), &rotation.tr_mul(&m))
}

/// How components of a fixed force and moment change along a turn of their axes:
/// `δ(Rᵀf) = (Rᵀf) × δr`.
pub(super) fn turn_of(w: &Vector6<f64>) -> Matrix6<f64> {
    let [f, m] = halves(w);
    let mut matrix = Matrix6::zeros();
    matrix.fixed_view_mut::<3, 3>(0, 3).copy_from(&skew(&f));
    matrix.fixed_view_mut::<3, 3>(3, 3).copy_from(&skew(&m));
    matrix
}
