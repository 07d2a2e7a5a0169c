//! Where a wheel meets the road, and how it moves there.
//!
//! The road is taken as its tangent plane straight below the centre of the wheel, with normal `n`. With the axle
//! `s` to the left, the patch points forward along `x = s × n/|s × n|` and the wheel reaches the plane along its
//! own `z = x × s` at the loaded radius `l = d/(z·n)`, where `d` is the distance of the centre from the plane. The
//! velocity of the patch is that of the wheel there without its rotation about the axle.

use super::road::Road;
use crate::force::two_bodies::Bodies;
use crate::force::varying::{Scalar, Vector};
use crate::marker::Marker;
use nalgebra::{Matrix3, Vector3};

/// The patch of contact, in the world unless said otherwise.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patch<const N: usize> {
    pub(super) place: Vector<N>,
    pub(super) forward: Vector<N>,
    pub(super) left: Vector<N>,
    pub(super) up: Vector<N>,
    /// Distance of the centre from the road, in the plane of the wheel.
    pub(super) radius: Scalar<N>,
    pub(super) camber: Scalar<N>,
    /// Rate at which the loaded radius shrinks.
    pub(super) sinking: Scalar<N>,
    /// Velocity of the patch along `forward` and `left`.
    pub(super) speed: Scalar<N>,
    pub(super) drift: Scalar<N>,
    /// Rate of rotation about the axle.
    pub(super) spin: Scalar<N>,
}

/// A wheel that lies on its side has no patch: the least sine between axle and normal.
const LYING: f64 = 0.05;

impl<const N: usize> Patch<N> {
    /// The patch of a wheel (second node) with an axle on a road (first node); none if the wheel lies down or is below.
    pub(super) fn new(
        bodies: &Bodies<N>,
        road: &Road,
        axes: &Matrix3<f64>,
        wheel: &Marker,
        axle: &Vector3<f64>,
    ) -> Option<Self> {
        let inside = |w: &Vector<N>| bodies.inside_body(0, w).transformed(&axes.transpose());
        let outside = |v: &Vector<N>| bodies.outside_body(0, &v.transformed(axes));
        let centre = bodies.point(1, &wheel.frame.position);
        let way = inside(&(centre - bodies.point(0, &road.marker.frame.position)));
        let below = road.below(&way);
        let axle = bodies.direction(1, axle);
        let (s, n) = (inside(&axle), below.normal);
        let across = s.cross(&n);
        if across.value.norm() < LYING {
            return None;
        }
        let forward = across * across.length_with(0.0).inverse();
        let (left, up) = (n.cross(&forward), forward.cross(&s));
        let upright = up.dot(&n);
        let radius = below.distance / upright;
        let tilt = s.dot(&n) / upright;
        let [forward, left, normal, up] = [forward, left, n, up].map(|v| outside(&v));
        let arm = -(up * radius);
        let place = centre + arm;
        let turning = bodies.angular_velocity(1) - bodies.angular_velocity(0);
        let spin = turning.dot(&axle);
        let velocity = bodies.relative_velocity(&place) - axle.cross(&arm) * spin;
        Some(Patch {
            place,
            forward,
            left,
            up: normal,
            radius,
            camber: tilt.atan(),
            sinking: -(velocity.dot(&normal) / upright),
            speed: velocity.dot(&forward),
            drift: velocity.dot(&left),
            spin,
        })
    }
}
