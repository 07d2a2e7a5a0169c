//! Volume and inertia of simple solids in closed form.

use super::Shape;
use crate::body::MassProperties;
use nalgebra::Vector3;
use std::f64::consts::PI;

/// Mass properties of a solid about its centre. A mesh is none of the simple solids and has no mass
/// here.
pub(super) fn mass_properties(shape: &Shape, density: f64) -> MassProperties {
    match *shape {
        Shape::Box { size } => {
            let mass = density * size.product();
            let square = size.component_mul(&size);
            let sums = Vector3::new(square.y + square.z, square.z + square.x, square.x + square.y);
            MassProperties::principal(mass, sums * (mass / 12.0))
        }
        Shape::Cylinder { radius, length } => {
            let mass = density * PI * radius * radius * length;
            let across = mass * (3.0 * radius * radius + length * length) / 12.0;
            let along = 0.5 * mass * radius * radius;
            MassProperties::principal(mass, Vector3::new(across, across, along))
        }
        Shape::Sphere { radius } => {
            let mass = density * 4.0 / 3.0 * PI * radius.powi(3);
            MassProperties::principal(mass, Vector3::repeat(0.4 * mass * radius * radius))
        }
        Shape::Capsule { radius, length } => capsule(density, radius, length),
        Shape::Mesh(_) => MassProperties::principal(0.0, Vector3::zeros()),
    }
}

/// A cylinder and two half spheres. The centre of a half sphere lies 3r/8 beyond its flat side, and
/// its inertia across its axis about the middle of the flat side is that of a sphere, 2mr²/5.
fn capsule(density: f64, radius: f64, length: f64) -> MassProperties {
    let middle = density * PI * radius * radius * length;
    let caps = density * 4.0 / 3.0 * PI * radius.powi(3);
    let square = radius * radius;
    let along = 0.5 * middle * square + 0.4 * caps * square;
    // with the way h to the flat side: J = 2/5 r² + h² + 2 h (3r/8), per mass
    let half = 0.5 * length;
    let across = middle * (3.0 * square + length * length) / 12.0
        + caps * (0.4 * square + half * half + 0.75 * half * radius);
    MassProperties::principal(middle + caps, Vector3::new(across, across, along))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mass and moments by summing thin discs along z: `dJ_across = (A ρ²/4 + A z²) dz`.
    fn by_discs(radius_at: impl Fn(f64) -> f64, half_height: f64) -> (f64, f64, f64) {
        let count = 200_000;
        let dz = 2.0 * half_height / count as f64;
        let (mut mass, mut across, mut along) = (0.0, 0.0, 0.0);
        for k in 0..count {
            let z = -half_height + (k as f64 + 0.5) * dz;
            let square = radius_at(z).powi(2);
            let slice = PI * square * dz;
            mass += slice;
            across += slice * (0.25 * square + z * z);
            along += slice * 0.5 * square;
        }
        (mass, across, along)
    }

    #[test]
    fn round_solids_agree_with_a_sum_of_discs() {
        let (radius, length) = (0.7, 1.3);
        let sphere = |z: f64| (radius * radius - z * z).max(0.0).sqrt();
        let cases = [
            (Shape::Sphere { radius }, by_discs(sphere, radius)),
            (Shape::Cylinder { radius, length }, by_discs(|_| radius, 0.5 * length)),
            (
                Shape::Capsule { radius, length },
                by_discs(|z| sphere((z.abs() - 0.5 * length).max(0.0)), 0.5 * length + radius),
            ),
        ];
        for (shape, (mass, across, along)) in cases {
            let found = mass_properties(&shape, 2.0);
            assert!((found.mass - 2.0 * mass).abs() < 1e-8, "{shape:?}");
            assert!((found.inertia[(0, 0)] - 2.0 * across).abs() < 1e-8, "{shape:?}");
            assert!((found.inertia[(2, 2)] - 2.0 * along).abs() < 1e-8, "{shape:?}");
        }
    }

    #[test]
    fn a_capsule_without_length_is_a_sphere() {
        let sphere = mass_properties(&Shape::Sphere { radius: 0.4 }, 3.0);
        let capsule = mass_properties(&Shape::Capsule { radius: 0.4, length: 0.0 }, 3.0);
        assert!((sphere.mass - capsule.mass).abs() < 1e-14);
        assert!((sphere.inertia - capsule.inertia).amax() < 1e-14);
    }
}
