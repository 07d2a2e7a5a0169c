//! The surface of a shape as flat faces, in the frame of the shape.

use crate::force::{Relief, Surface};
use crate::shape::Shape;
use nalgebra::Vector3;
use std::f64::consts::TAU;

/// Sides of a round surface.
const SIDES: usize = 28;
/// Rings of half a sphere.
const RINGS: usize = 4;
/// Sides of a cam, and strips of a landscape along each side.
const CAM_SIDES: usize = 84;
const STRIPS: usize = 60;

/// Faces, each counterclockwise seen from outside, and whether its edges are sharp. A sphere has none.
pub(super) fn of(shape: &Shape) -> Vec<(Vec<Vector3<f64>>, bool)> {
    match shape {
        Shape::Box { size } => of_box(size),
        Shape::Cylinder { radius, length } => of_cylinder(*radius, *length),
        Shape::Capsule { radius, length } => of_capsule(*radius, *length),
        Shape::Mesh(mesh) => {
            let vertices = mesh.vertices();
            mesh.triangles().iter().map(|t| (t.map(|k| vertices[k]).to_vec(), false)).collect()
        }
        Shape::Sphere { .. } => Vec::new(),
    }
}

/// Faces of a surface by a formula; other surfaces have none.
pub(super) fn of_formed(surface: &Surface) -> Vec<(Vec<Vector3<f64>>, bool)> {
    match surface {
        Surface::Landscape { height, seen } => of_landscape(height, seen),
        Surface::Cam { radius, length } => {
            let outline = |z: f64| -> Vec<Vector3<f64>> {
                let point = |k: usize| {
                    let phi = TAU * k as f64 / CAM_SIDES as f64;
                    let (sin, cos) = phi.sin_cos();
                    // formulas are asked between −π and π
                    let r = radius.radius(if phi > TAU / 2.0 { phi - TAU } else { phi });
                    Vector3::new(r * cos, r * sin, z)
                };
                (0..CAM_SIDES).map(point).collect()
            };
            prism(outline(-0.5 * length), outline(0.5 * length))
        }
        _ => Vec::new(),
    }
}

/// Quadrilaterals of a landscape over a rectangle, as wide as nothing bends.
fn of_landscape(height: &Relief, [from, to]: &[[f64; 2]; 2]) -> Vec<(Vec<Vector3<f64>>, bool)> {
    let place = |share: [f64; 2]| {
        let [x, y] = [0, 1].map(|k| from[k] + (to[k] - from[k]) * share[k]);
        Vector3::new(x, y, height.height(x, y))
    };
    let share = |i: usize| i as f64 / STRIPS as f64;
    // where along an axis the height bends, and the two ends
    let bends = |k: usize| -> Vec<f64> {
        let at = |i: usize, j: usize| {
            place(if k == 0 { [share(i), share(j)] } else { [share(j), share(i)] }).z
        };
        let bent = |i: usize| {
            (0..=STRIPS).any(|j| (at(i - 1, j) + at(i + 1, j) - 2.0 * at(i, j)).abs() > 1e-12)
        };
        (0..=STRIPS).filter(|&i| i == 0 || i == STRIPS || bent(i)).map(share).collect()
    };
    let [along, across] = [bends(0), bends(1)];
    let mut faces = Vec::new();
    for x in along.windows(2) {
        for y in across.windows(2) {
            let corners = [[x[0], y[0]], [x[1], y[0]], [x[1], y[1]], [x[0], y[1]]];
            faces.push((corners.map(place).to_vec(), false));
        }
    }
    faces
}

/// The radius of the sphere about the origin that contains the shape.
pub(super) fn reach(shape: &Shape) -> f64 {
    match shape {
        Shape::Box { size } => 0.5 * size.norm(),
        Shape::Cylinder { radius, length } => radius.hypot(0.5 * length),
        Shape::Capsule { radius, length } => radius + 0.5 * length,
        Shape::Sphere { radius } => *radius,
        Shape::Mesh(mesh) => mesh.vertices().iter().map(|v| v.norm()).fold(0.0, f64::max),
    }
}

fn of_box(size: &Vector3<f64>) -> Vec<(Vec<Vector3<f64>>, bool)> {
    let corner = |k: usize| {
        let sign = |bit: usize| if k >> bit & 1 == 1 { 0.5 } else { -0.5 };
        Vector3::new(sign(0) * size.x, sign(1) * size.y, sign(2) * size.z)
    };
    let faces =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    faces.iter().map(|face| (face.map(corner).to_vec(), true)).collect()
}

/// A circle about z, counterclockwise seen from above.
fn circle(radius: f64, z: f64) -> Vec<Vector3<f64>> {
    let point = |k: usize| {
        let angle = TAU * k as f64 / SIDES as f64;
        Vector3::new(radius * angle.cos(), radius * angle.sin(), z)
    };
    (0..SIDES).map(point).collect()
}

/// The band between two outlines, the first of which is lower.
fn band(below: &[Vector3<f64>], above: &[Vector3<f64>]) -> Vec<(Vec<Vector3<f64>>, bool)> {
    let next = |k: usize| (k + 1) % below.len();
    let face = |k: usize| (vec![below[k], below[next(k)], above[next(k)], above[k]], false);
    (0..below.len()).map(face).collect()
}

fn of_cylinder(radius: f64, length: f64) -> Vec<(Vec<Vector3<f64>>, bool)> {
    prism(circle(radius, -0.5 * length), circle(radius, 0.5 * length))
}

/// Two outlines, the first of which is lower, and the band between them.
fn prism(below: Vec<Vector3<f64>>, above: Vec<Vector3<f64>>) -> Vec<(Vec<Vector3<f64>>, bool)> {
    let mut faces = band(&below, &above);
    faces.push((above, true));
    faces.push((below.into_iter().rev().collect(), true));
    faces
}

fn of_capsule(radius: f64, length: f64) -> Vec<(Vec<Vector3<f64>>, bool)> {
    let ring = |k: usize, side: f64| {
        let angle = TAU / 4.0 * k as f64 / RINGS as f64;
        circle(radius * angle.cos(), side * (0.5 * length + radius * angle.sin()))
    };
    let below = (0..RINGS).rev().map(|k| ring(k, -1.0));
    let rings: Vec<_> = below.chain((0..RINGS).map(|k| ring(k, 1.0))).collect();
    let mut faces: Vec<_> = rings.windows(2).flat_map(|pair| band(&pair[0], &pair[1])).collect();
    faces.push((rings[0].iter().rev().copied().collect(), false));
    faces.push((rings[rings.len() - 1].clone(), false));
    faces
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By Gauss's theorem a third of ∫ x·n dA is the volume, which is positive if all normals point
    /// outwards.
    fn volume(shape: &Shape) -> f64 {
        let third = |(corners, _): &(Vec<Vector3<f64>>, bool)| {
            let fan = corners[1..].windows(2);
            fan.map(|pair| corners[0].dot(&pair[0].cross(&pair[1])) / 6.0).sum::<f64>()
        };
        of(shape).iter().map(third).sum()
    }

    #[test]
    fn faces_enclose_the_volume_of_the_solid() {
        let cuboid = Shape::Box { size: Vector3::new(1.0, 2.0, 3.0) };
        assert!((volume(&cuboid) - 6.0).abs() < 1e-12);
        for shape in [
            Shape::Cylinder { radius: 0.5, length: 2.0 },
            Shape::Capsule { radius: 0.5, length: 2.0 },
        ] {
            let exact = shape.mass_properties(1.0).unwrap().mass;
            let ratio = volume(&shape) / exact;
            assert!((0.96..1.0).contains(&ratio), "{shape:?}: {ratio}");
            let farthest =
                of(&shape).iter().flat_map(|(c, _)| c).map(|p| p.norm()).fold(0.0, f64::max);
            assert!(farthest <= reach(&shape) * (1.0 + 1e-12), "{shape:?}");
        }
    }
}
