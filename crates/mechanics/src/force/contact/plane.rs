//! Contact with a plane: spheres, and vertices as spheres without radius.

use super::Touch;
use crate::force::two_bodies::Bodies;
use crate::force::varying::Scalar;
use crate::marker::Marker;
use crate::shape::Shape;
use nalgebra::Vector3;

/// Points of one body, with a radius, above the plane of the other.
#[derive(Clone, Debug)]
pub(super) struct PointsOnPlane {
    /// Which of the bodies has the plane.
    slot: usize,
    origin: Vector3<f64>,
    normal: Vector3<f64>,
    points: Vec<Vector3<f64>>,
    radius: f64,
}

impl PointsOnPlane {
    pub(super) fn new(plane: &Marker, slot: usize, other: &Marker, solid: &Shape) -> Self {
        let (points, radius) = support_points(solid);
        PointsOnPlane {
            slot,
            origin: plane.frame.position,
            normal: plane.direction(&Vector3::z()),
            points: points.iter().map(|p| other.frame.transform_point(p)).collect(),
            radius,
        }
    }

    pub(super) fn each<const N: usize>(&self, bodies: &Bodies<N>, mut f: impl FnMut(Touch<N>)) {
        let origin = bodies.point(self.slot, &self.origin);
        let normal = bodies.direction(self.slot, &self.normal);
        let outwards = if self.slot == 0 { normal } else { -normal };
        let half = Scalar::constant(0.5);
        let radius = Scalar::constant(self.radius);
        for point in &self.points {
            // most vertices of a mesh are above the plane: look before working out derivatives
            let m = bodies.motion(1 - self.slot);
            let height = normal.value.dot(&(m.position + m.rotation * point - origin.value));
            if height >= self.radius {
                continue;
            }
            let centre = bodies.point(1 - self.slot, point);
            let gap = normal.dot(&(centre - origin)) - radius;
            let place = centre - normal * (radius + gap * half);
            f(Touch { gap, normal: outwards, place, aside: None });
        }
    }
}

/// The points of a solid of which one is always nearest to any plane, and the radius about them.
pub(crate) fn support_points(solid: &Shape) -> (Vec<Vector3<f64>>, f64) {
    match solid {
        Shape::Sphere { radius } => (vec![Vector3::zeros()], *radius),
        Shape::Capsule { radius, length } => {
            let end = Vector3::new(0.0, 0.0, 0.5 * length);
            (vec![end, -end], *radius)
        }
        Shape::Box { size } => (box_corners(size), 0.0),
        Shape::Mesh(mesh) => (mesh.vertices().to_vec(), 0.0),
        // refused before
        Shape::Cylinder { .. } => (Vec::new(), 0.0),
    }
}

fn box_corners(size: &Vector3<f64>) -> Vec<Vector3<f64>> {
    let sign = |bit: usize| if bit & 1 == 0 { -0.5 } else { 0.5 };
    let corner = |k: usize| Vector3::new(sign(k), sign(k >> 1), sign(k >> 2)).component_mul(size);
    (0..8).map(corner).collect()
}
