//! Round shapes of size one as triangles.

use nalgebra::Vector3;
use std::f64::consts::{PI, TAU};

/// Corners with normals, and triangles as numbers of corners.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Solid {
    pub corners: Vec<Vector3<f64>>,
    pub normals: Vec<Vector3<f64>>,
    pub triangles: Vec<[usize; 3]>,
}

/// The sphere of radius one about the origin.
pub(crate) fn sphere(sides: usize) -> Solid {
    let rings = sides / 2;
    let ring = |k: usize| {
        let (s, c) = (PI * (k as f64 / rings as f64 - 0.5)).sin_cos();
        [c, s, c, s]
    };
    turned(&(0..=rings).map(ring).collect::<Vec<_>>(), sides)
}

/// The closed cylinder of radius one about z, from 0 to 1.
pub(crate) fn cylinder(sides: usize) -> Solid {
    let profile = [
        [0.0, 0.0, 0.0, -1.0],
        [1.0, 0.0, 0.0, -1.0],
        [1.0, 0.0, 1.0, 0.0],
        [1.0, 1.0, 1.0, 0.0],
        [1.0, 1.0, 0.0, 1.0],
        [0.0, 1.0, 0.0, 1.0],
    ];
    turned(&profile, sides)
}

/// A surface of revolution about z: radius, height, and the normal outwards and upwards.
pub(crate) fn turned(profile: &[[f64; 4]], sides: usize) -> Solid {
    let mut solid = Solid::default();
    for side in 0..=sides {
        let (s, c) = (TAU * side as f64 / sides as f64).sin_cos();
        for [radius, height, out, up] in profile {
            solid.corners.push(Vector3::new(radius * c, radius * s, *height));
            solid.normals.push(Vector3::new(out * c, out * s, *up));
        }
    }
    let count = profile.len();
    for side in 0..sides {
        for k in 0..count - 1 {
            let (a, b) = (side * count + k, (side + 1) * count + k);
            solid.triangles.extend([[a, b, b + 1], [a, b + 1, a + 1]]);
        }
    }
    solid
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By Gauss's theorem; positive if all triangles run anticlockwise seen from outside.
    fn volume(solid: &Solid) -> f64 {
        let corner = |k: usize| solid.corners[k];
        let part = |[a, b, c]: &[usize; 3]| corner(*a).dot(&corner(*b).cross(&corner(*c))) / 6.0;
        solid.triangles.iter().map(part).sum()
    }

    #[test]
    fn triangles_enclose_the_volume() {
        assert!((volume(&sphere(24)) / (4.0 / 3.0 * PI) - 0.97).abs() < 0.02);
        assert!((volume(&cylinder(24)) / PI - 0.99).abs() < 0.01);
    }
}
