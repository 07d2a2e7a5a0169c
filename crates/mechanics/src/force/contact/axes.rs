//! Contact of spheres, capsules and sides of cylinders: the shortest way between their axes.

use super::Touch;
use crate::force::two_bodies::Bodies;
use crate::force::varying::{Scalar, Vector};
use crate::marker::Marker;
use crate::shape::Shape;
use nalgebra::Vector3;

/// A line with a radius about it; a sphere's has no length.
#[derive(Clone, Copy, Debug)]
struct Axis {
    centre: Vector3<f64>,
    /// From the centre to one end.
    half: Vector3<f64>,
    radius: f64,
    /// A cylinder, which ends where its axis ends.
    cut: bool,
}

/// Two such lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axes([Axis; 2]);

impl Axes {
    /// The axes, if both solids have one.
    pub(super) fn new(solids: [(&Marker, &Shape); 2]) -> Option<Self> {
        let axis = |(marker, shape): (&Marker, &Shape)| {
            let (radius, length, cut) = match shape {
                Shape::Sphere { radius } => (*radius, 0.0, false),
                Shape::Capsule { radius, length } => (*radius, *length, false),
                Shape::Cylinder { radius, length } => (*radius, *length, true),
                Shape::Box { .. } | Shape::Mesh(_) => return None,
            };
            let half = marker.direction(&Vector3::z()) * (0.5 * length);
            Some(Axis { centre: marker.frame.position, half, radius, cut })
        };
        let [first, second] = solids.map(axis);
        Some(Axes([first?, second?]))
    }

    /// The one place of contact. Where the axes cross there is no direction to push in, and none is
    /// given: the radii must be large against the depth.
    pub(super) fn each<const N: usize>(&self, bodies: &Bodies<N>, mut f: impl FnMut(Touch<N>)) {
        if self.apart(bodies) {
            return;
        }
        let centre = [0, 1].map(|k| bodies.point(k, &self.0[k].centre));
        let half = [0, 1].map(|k| bodies.direction(k, &self.0[k].half));
        let [r0, r1] = [0, 1].map(|k| Scalar::constant(self.0[k].radius));
        let [t0, t1] = self.nearest(&centre, &half);
        // the place on an axis is held at its ends
        if self.0[0].cut && t0.value.abs() == 1.0 || self.0[1].cut && t1.value.abs() == 1.0 {
            return;
        }
        let nearest = [centre[0] + half[0] * t0, centre[1] + half[1] * t1];
        let way = nearest[1] - nearest[0];
        let distance = way.length_with(0.0);
        if distance.value == 0.0 {
            return;
        }
        let normal = way * distance.inverse();
        let gap = distance - r0 - r1;
        let place = nearest[0] + normal * (r0 + gap * Scalar::constant(0.5));
        let aside = Some(half[0] * t0 - half[1] * t1);
        f(Touch { gap, normal, place, aside });
    }

    /// Whether the spheres about both do not meet: most pairs do not, and need no derivatives.
    fn apart<const N: usize>(&self, bodies: &Bodies<N>) -> bool {
        let place = |k: usize| {
            let m = bodies.motion(k);
            m.position + m.rotation * self.0[k].centre
        };
        let reach: f64 = self.0.iter().map(|axis| axis.half.norm() + axis.radius).sum();
        (place(1) - place(0)).norm_squared() >= reach * reach
    }

    /// Where on the axes, from −1 to 1, the way between them is shortest. With `w` between the
    /// centres, `|w + u₁t₁ − u₀t₀|²` is least where
    /// `u₀·u₀ t₀ − u₀·u₁ t₁ = u₀·w` and `u₁·u₁ t₁ − u₀·u₁ t₀ = −u₁·w`.
    fn nearest<const N: usize>(
        &self,
        centre: &[Vector<N>; 2],
        half: &[Vector<N>; 2],
    ) -> [Scalar<N>; 2] {
        let way = centre[1] - centre[0];
        let zero = Scalar::constant(0.0);
        let a = half[0].dot(&half[0]);
        let b = half[0].dot(&half[1]);
        let c = half[1].dot(&half[1]);
        let d = half[0].dot(&way);
        let e = half[1].dot(&way);
        let first_at = |t1: Scalar<N>| ((d + b * t1) * a.inverse()).clamped();
        match (a.value > 0.0, c.value > 0.0) {
            (false, false) => [zero, zero],
            (false, true) => [zero, (-e * c.inverse()).clamped()],
            (true, false) => [first_at(zero), zero],
            (true, true) => {
                let determinant = a * c - b * b;
                // parallel axes are nearest everywhere; any place will do
                let parallel = determinant.value <= 1e-14 * a.value * c.value;
                let t0 = if parallel {
                    zero
                } else {
                    ((d * c - b * e) * determinant.inverse()).clamped()
                };
                let t1 = (b * t0 - e) * c.inverse();
                if t1.value.abs() <= 1.0 {
                    [t0, t1]
                } else {
                    [first_at(t1.clamped()), t1.clamped()]
                }
            }
        }
    }
}
