//! Bushings: elastic mounts between two markers, in all six directions.

use super::Force;
use super::two_bodies::{Bodies, VARIATIONS, Wrenches, add_slopes, set, wrench_and_tangent};
use super::varying::Vector;
use crate::error::{ModelError, Refusal, refusal};
use crate::marker::Marker;
use crate::node::stack;
use crate::quantity::{Ends, FX, FY, FZ, MX, MY, MZ, POWER, Quantity};
use crate::scene::Scene;
use crate::sensor::Slopes;
use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};
use rotula_lie::so3;

/// Deformations, then their rates, in the axes of the first marker; and the action on the second body.
static QUANTITIES: [Quantity; 19] = [
    Quantity::own("x", "m", 0),
    Quantity::own("y", "m", 1),
    Quantity::own("z", "m", 2),
    Quantity::own("rx", "rad", 3),
    Quantity::own("ry", "rad", 4),
    Quantity::own("rz", "rad", 5),
    Quantity::own("x_velocity", "m/s", 6),
    Quantity::own("y_velocity", "m/s", 7),
    Quantity::own("z_velocity", "m/s", 8),
    Quantity::own("rx_velocity", "rad/s", 9),
    Quantity::own("ry_velocity", "rad/s", 10),
    Quantity::own("rz_velocity", "rad/s", 11),
    FX,
    FY,
    FZ,
    MX,
    MY,
    MZ,
    POWER,
];

/// A mount with full matrices of stiffness and damping.
///
/// The deformation `e = (d; r)` of marker b against marker a, in the axes of a, is the way `d` from
/// the origin of a to that of b and the rotation vector `r = log(R_aᵀ R_b)`, which must stay below
/// half a turn. The generalized force is
///
/// ```text
/// w = w₀ − K e − C ė,        δe = (δd; T⁻¹(r) δθ_b − T⁻ᵀ(r) δθ_a)
/// ```
///
/// with `δθ` in the axes of each marker, so that `w·δe` is the virtual work and the elastic force is
/// the exact gradient of `½ eᵀKe − w₀·e`. The force acts **at the origin of marker b**, on both
/// bodies; the moment on b is `T⁻¹(r) w_r` in the axes of a, and its opposite on a.
#[derive(Clone, Debug)]
pub struct Bushing {
    nodes: [usize; 2],
    a: Marker,
    b: Marker,
    axes: [Matrix3<f64>; 2],
    stiffness: Matrix6<f64>,
    damping: Matrix6<f64>,
    preload: Vector6<f64>,
}

/// Deformation, its rate and the generalized force, translation first.
struct Response<const N: usize> {
    deformation: [Vector<N>; 2],
    rate: [Vector<N>; 2],
    force: [Vector<N>; 2],
}

impl Bushing {
    /// A bushing between two markers. Translations come first in the matrices, then rotations.
    pub fn new(
        a: Marker,
        b: Marker,
        stiffness: Matrix6<f64>,
        damping: Matrix6<f64>,
    ) -> Result<Self, ModelError> {
        let fault = |what: Refusal| Err(ModelError::invalid("bushing", what));
        if stiffness.iter().chain(damping.iter()).any(|x| !x.is_finite()) {
            return fault("stiffness and damping must be finite numbers".into());
        }
        if a.node == b.node {
            return fault(refusal!("it connects a body with itself"; "name two different bodies"));
        }
        let axes = [a, b].map(|marker| marker.frame.orientation.to_matrix());
        let preload = Vector6::zeros();
        Ok(Bushing { nodes: [a.node, b.node], a, b, axes, stiffness, damping, preload })
    }

    /// Adds a constant force and moment on b, in the axes of a.
    pub fn with_preload(mut self, preload: Vector6<f64>) -> Self {
        self.preload = preload;
        self
    }

    /// What a bushing offers.
    pub fn all_quantities() -> &'static [Quantity] {
        &QUANTITIES
    }

    /// `r = log(R_aᵀ R_b)`, which changes by `T⁻¹(r) (δθ_b − R_bᵀ R_a δθ_a)`.
    fn rotation<const N: usize>(&self, bodies: &Bodies<N>) -> Vector<N> {
        let world = |slot: usize| bodies.motion(slot).rotation * self.axes[slot];
        let relative = world(0).tr_mul(&world(1));
        let mut r = Vector::constant(so3::log(&relative));
        let inverse = so3::tangent_inverse(&r.value);
        set(&mut r, 3, &(-inverse * relative.transpose() * self.axes[0].transpose()));
        set(&mut r, 9, &(inverse * self.axes[1].transpose()));
        r
    }

    /// From the world to the axes of a marker.
    fn inside_marker<const N: usize>(
        &self,
        bodies: &Bodies<N>,
        slot: usize,
        w: &Vector<N>,
    ) -> Vector<N> {
        bodies.inside_body(slot, w).transformed(&self.axes[slot].transpose())
    }

    fn respond<const N: usize>(&self, bodies: &Bodies<N>) -> Response<N> {
        let place = bodies.point(1, &self.b.frame.position);
        let way = place - bodies.point(0, &self.a.frame.position);
        let spin = bodies.angular_velocity(1) - bodies.angular_velocity(0);
        let r = self.rotation(bodies);
        let deformation = [self.inside_marker(bodies, 0, &way), r];
        let rate = [
            self.inside_marker(bodies, 0, &bodies.relative_velocity(&place)),
            r.tangent_inverse(&self.inside_marker(bodies, 1, &spin)),
        ];
        let block = |m: &Matrix6<f64>, i: usize, j: usize| -> Matrix3<f64> {
            m.fixed_view::<3, 3>(3 * i, 3 * j).into_owned()
        };
        let force = [0, 1].map(|i| {
            let preload: Vector3<f64> = self.preload.fixed_rows::<3>(3 * i).into();
            (0..2).fold(Vector::constant(preload), |sum, j| {
                sum - deformation[j].transformed(&block(&self.stiffness, i, j))
                    - rate[j].transformed(&block(&self.damping, i, j))
            })
        });
        Response { deformation, rate, force }
    }

    fn act<const N: usize>(&self, scene: Scene) -> Wrenches<N> {
        let bodies = Bodies::new(scene);
        let Response { deformation, force, .. } = self.respond(&bodies);
        let outside = |v: &Vector<N>| bodies.outside_body(0, &v.transformed(&self.axes[0]));
        let mut wrenches = Wrenches::zero();
        let place = bodies.point(1, &self.b.frame.position);
        wrenches.push(&bodies, &outside(&force[0]), &place);
        wrenches.turn(&bodies, &outside(&deformation[1].tangent_inverse(&force[1])));
        wrenches
    }

    /// Deformation, rate and force by value.
    fn numbers(&self, scene: Scene) -> [Vector6<f64>; 3] {
        let Response { deformation, rate, force } = self.respond(&Bodies::<0>::new(scene));
        [deformation, rate, force].map(|[d, r]| stack(&d.value, &r.value))
    }

    /// The part of the stiffness that has a potential.
    fn symmetric(&self) -> Matrix6<f64> {
        (self.stiffness + self.stiffness.transpose()) * 0.5
    }
}

impl Force for Bushing {
    fn nodes(&self) -> &[usize] {
        &self.nodes
    }

    fn holds(&self) -> bool {
        true
    }

    wrench_and_tangent!();

    fn energy(&mut self, scene: Scene) -> f64 {
        let [e, ..] = self.numbers(scene);
        0.5 * e.dot(&(self.symmetric() * e)) - self.preload.dot(&e)
    }

    fn power(&mut self, scene: Scene) -> f64 {
        let [e, rate, force] = self.numbers(scene);
        (force - self.preload + self.symmetric() * e).dot(&rate)
    }

    fn quantities(&self) -> &'static [Quantity] {
        Bushing::all_quantities()
    }

    fn ends(&self) -> Ends {
        Ends { axes: Some(self.a), ..Ends::between(self.a, self.b) }
    }

    fn own(&mut self, scene: Scene, out: &mut [f64]) {
        let [deformation, rate, _] = self.numbers(scene);
        out[..6].copy_from_slice(deformation.as_slice());
        out[6..12].copy_from_slice(rate.as_slice());
    }

    fn own_slopes(&mut self, place: usize, scene: Scene, slopes: &mut Slopes) {
        let response = self.respond(&Bodies::<VARIATIONS>::new(scene));
        let vectors = if place < 6 { response.deformation } else { response.rate };
        add_slopes(&vectors[place % 6 / 3].by.row(place % 3).into_owned(), slopes);
    }
}
