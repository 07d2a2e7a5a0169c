//! Contact with surfaces by formulas: spheres, and vertices as spheres without radius, on a landscape or a cam.

use super::Touch;
use super::plane::support_points;
use crate::force::relief::{Near, Relief};
use crate::force::two_bodies::Bodies;
use crate::force::varying::{Scalar, Vector};
use crate::marker::Marker;
use crate::shape::Shape;
use nalgebra::{Matrix3, Vector3};

/// Points of one body, with a radius, outside the relief of the other.
#[derive(Clone, Debug)]
pub(super) struct PointsOnRelief {
    /// Which of the bodies has the relief.
    slot: usize,
    relief: Relief,
    origin: Vector3<f64>,
    axes: Matrix3<f64>,
    /// Half the length of a cam along its axis, beyond which nothing touches.
    half: f64,
    points: Vec<Vector3<f64>>,
    radius: f64,
}

impl PointsOnRelief {
    pub(super) fn new(
        (marker, slot): (&Marker, usize),
        (relief, half): (&Relief, f64),
        other: &Marker,
        solid: &Shape,
    ) -> Self {
        let (points, radius) = support_points(solid);
        PointsOnRelief {
            slot,
            relief: relief.clone(),
            origin: marker.frame.position,
            axes: marker.frame.orientation.to_matrix(),
            half,
            points: points.iter().map(|p| other.frame.transform_point(p)).collect(),
            radius,
        }
    }

    /// Whether a point of the other body touches: most do not, and need no derivatives.
    fn touches<const N: usize>(&self, bodies: &Bodies<N>, point: &Vector3<f64>) -> bool {
        let [own, other] = [self.slot, 1 - self.slot].map(|slot| bodies.motion(slot));
        let way = other.position + other.rotation * point - own.position;
        let local = self.axes.tr_mul(&(own.rotation.tr_mul(&way) - self.origin));
        let near = |point: Vector3<f64>| self.relief.near(&Vector::<0>::constant(point));
        let above = |near: Near<0>| near.distance.value >= self.radius;
        local.z.abs() <= self.half && !near(local).is_none_or(above)
    }

    pub(super) fn each<const N: usize>(&self, bodies: &Bodies<N>, mut f: impl FnMut(Touch<N>)) {
        let origin = bodies.point(self.slot, &self.origin);
        let radius = Scalar::constant(self.radius);
        for point in &self.points {
            if !self.touches(bodies, point) {
                continue;
            }
            let centre = bodies.point(1 - self.slot, point);
            let inside = bodies.inside_body(self.slot, &(centre - origin));
            let Some(near) = self.relief.near(&inside.transformed(&self.axes.transpose())) else {
                continue;
            };
            let normal = bodies.outside_body(self.slot, &near.normal.transformed(&self.axes));
            let gap = near.distance - radius;
            let place = centre - normal * (radius + gap * 0.5);
            let outwards = if self.slot == 0 { normal } else { -normal };
            f(Touch { gap, normal: outwards, place, aside: None });
        }
    }
}
