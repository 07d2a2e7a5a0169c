//! Volume, centre and inertia of what a mesh encloses, exactly.
//!
//! Every triangle spans a tetrahedron with a fixed point; volumes are signed, so that what lies
//! outside the solid cancels. With `D = a·(b × c)` and `s = a + b + c`,
//!
//! ```text
//! ∫ dV = D/6      ∫ x dV = D s/24      ∫ x xᵀ dV = D (s sᵀ + a aᵀ + b bᵀ + c cᵀ)/120
//! ```

use super::Mesh;
use crate::body::MassProperties;
use nalgebra::{Matrix3, Vector3};

/// Mass properties of the homogeneous solid that a closed mesh encloses.
pub(super) fn mass_properties(mesh: &Mesh, density: f64) -> MassProperties {
    // a point amid the vertices keeps the digits of a mesh far from its origin
    let count = mesh.vertices().len() as f64;
    let origin = mesh.vertices().iter().sum::<Vector3<f64>>() / count;
    let mut volume = 0.0;
    let mut first = Vector3::zeros();
    let mut second = Matrix3::zeros();
    for corners in mesh.corners() {
        let [a, b, c] = corners.map(|v| v - origin);
        let product = a.dot(&b.cross(&c));
        let sum = a + b + c;
        volume += product / 6.0;
        first += sum * (product / 24.0);
        let squares = [sum, a, b, c].iter().map(|x| x * x.transpose()).sum::<Matrix3<f64>>();
        second += squares * (product / 120.0);
    }
    let centre = first / volume;
    let central = second - centre * centre.transpose() * volume;
    let inertia = (Matrix3::identity() * central.trace() - central) * density;
    MassProperties::new(density * volume, origin + centre, inertia)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Shape;
    use std::collections::HashMap;

    fn box_mesh(size: Vector3<f64>) -> Mesh {
        let vertices: Vec<_> = (0..8)
            .map(|k| Vector3::new((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2) as f64))
            .map(|v| (v - Vector3::repeat(0.5)).component_mul(&size))
            .collect();
        let faces =
            [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let triangles: Vec<_> =
            faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        Mesh::new(&vertices, &triangles).unwrap()
    }

    /// An octahedron refined by halving edges and pushing the new vertices to the sphere.
    fn sphere_mesh(radius: f64, levels: usize) -> Mesh {
        let axes = [Vector3::x(), Vector3::y(), Vector3::z()];
        let mut vertices: Vec<Vector3<f64>> = axes.iter().flat_map(|a| [*a, -a]).collect();
        let mut triangles = Vec::new();
        for signs in 0..8 {
            let corner = |k: usize| 2 * k + (signs >> k & 1);
            let [a, b, c] = [corner(0), corner(1), corner(2)];
            let odd = (signs as u32).count_ones() % 2 == 1;
            triangles.push(if odd { [a, c, b] } else { [a, b, c] });
        }
        for _ in 0..levels {
            let mut middles: HashMap<(usize, usize), usize> = HashMap::new();
            let mut finer = Vec::new();
            for [a, b, c] in triangles {
                let mut middle = |i: usize, j: usize| {
                    *middles.entry((i.min(j), i.max(j))).or_insert_with(|| {
                        vertices.push((vertices[i] + vertices[j]).normalize());
                        vertices.len() - 1
                    })
                };
                let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
                finer.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
            }
            triangles = finer;
        }
        vertices.iter_mut().for_each(|v| *v *= radius);
        Mesh::new(&vertices, &triangles).unwrap()
    }

    #[test]
    fn the_mesh_of_a_box_has_the_mass_of_the_box() {
        let size = Vector3::new(0.3, 1.1, 0.7);
        let exact = Shape::Box { size }.mass_properties(7800.0).unwrap();
        let far = Vector3::new(20.0, -30.0, 10.0);
        let mesh = box_mesh(size);
        let moved: Vec<_> = mesh.vertices().iter().map(|v| v + far).collect();
        let mesh = Mesh::new(&moved, mesh.triangles()).unwrap();
        let found = Shape::Mesh(mesh.into()).mass_properties(7800.0).unwrap();
        assert!((found.mass - exact.mass).abs() < 1e-10 * exact.mass);
        assert!((found.centre - far).amax() < 1e-12);
        assert!((found.inertia - exact.inertia).amax() < 1e-10 * exact.inertia.amax());
    }

    #[test]
    fn meshes_of_a_sphere_converge_with_second_order() {
        let exact = Shape::Sphere { radius: 0.6 }.mass_properties(1.5).unwrap();
        let error = |levels| {
            let mesh = Shape::Mesh(sphere_mesh(0.6, levels).into());
            let found = mesh.mass_properties(1.5).unwrap();
            let mass = (found.mass - exact.mass).abs() / exact.mass;
            (mass, (found.inertia - exact.inertia).amax() / exact.inertia.amax())
        };
        let (coarse, fine) = (error(4), error(5));
        assert!(fine.0 < 3e-3 && fine.1 < 5e-3, "{fine:?}");
        for ratio in [coarse.0 / fine.0, coarse.1 / fine.1] {
            assert!((ratio - 4.0).abs() < 0.1, "halving edges divides the error by {ratio}");
        }
    }

    #[test]
    fn surfaces_that_enclose_nothing_are_refused() {
        let whole = box_mesh(Vector3::repeat(1.0));
        let without = |mesh: &Mesh, change: &dyn Fn(&mut Vec<[usize; 3]>)| {
            let mut triangles = mesh.triangles().to_vec();
            change(&mut triangles);
            let mesh = Mesh::new(mesh.vertices(), &triangles).unwrap();
            Shape::Mesh(mesh.into()).mass_properties(1.0).unwrap_err().to_string()
        };
        assert!(without(&whole, &|t| t.truncate(11)).contains("it is open"));
        assert!(without(&whole, &|t| t[3].swap(0, 1)).contains("do not all run the same way"));
        let inside_out = whole.clone().reversed();
        assert!(without(&inside_out, &|_| ()).contains("inside out"));
        assert!(Mesh::new(&[Vector3::zeros()], &[[0, 0, 1]]).is_err());
    }
}
