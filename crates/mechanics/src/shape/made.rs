//! Meshes that are made of points: convex hulls and height fields.

use super::Mesh;
use crate::error::{ModelError, Refusal, refusal};
use nalgebra::Vector3;
use parry3d_f64::math::Vector;
use parry3d_f64::transformation::try_convex_hull;

impl Mesh {
    /// The convex hull of points.
    pub fn hull(points: &[Vector3<f64>]) -> Result<Self, ModelError> {
        let fault = |what: Refusal| ModelError::invalid("hull", what);
        if points.iter().flatten().any(|x| !x.is_finite()) {
            return Err(fault("a point is not finite".into()));
        }
        let flat =
            || fault(refusal!("its points lie in one plane"; "give points that enclose a volume"));
        let points: Vec<Vector> = points.iter().map(|p| Vector::new(p.x, p.y, p.z)).collect();
        let (vertices, triangles) = try_convex_hull(&points).map_err(|_| flat())?;
        let vertices: Vec<_> = vertices.iter().map(|v| Vector3::new(v.x, v.y, v.z)).collect();
        let triangles: Vec<_> = triangles.iter().map(|t| t.map(|k| k as usize)).collect();
        let mesh = Mesh::new(&vertices, &triangles)?;
        mesh.check_solid().map_err(|_| flat())?;
        Ok(mesh)
    }

    /// A landscape: heights over a rectangle of the given lengths along x and y about the origin, each
    /// list along x and the lists one after the other along y. Between four heights are two triangles. Below
    /// the lowest height it is solid to the given depth.
    pub fn heights(rows: &[Vec<f64>], lengths: [f64; 2], depth: f64) -> Result<Self, ModelError> {
        let fault = |what: Refusal| Err(ModelError::invalid("height field", what));
        let (across, along) = (rows.first().map_or(0, Vec::len), rows.len());
        if across < 2 || along < 2 {
            return fault("it needs at least two lists of two heights".into());
        }
        if let Some(k) = rows.iter().position(|row| row.len() != across) {
            let (found, line) = (rows[k].len(), k + 1);
            return fault(refusal!(
                "list {line} has {found} heights and the first {across}";
                "make them equally long"
            ));
        }
        if rows.iter().flatten().any(|height| !height.is_finite()) {
            return fault("a height is not finite".into());
        }
        for (what, length) in [("length", lengths[0]), ("length", lengths[1]), ("depth", depth)] {
            if !(length.is_finite() && length > 0.0) {
                return fault(refusal!("its {what} is {length} m"; "give a positive number"));
            }
        }
        let floor = rows.iter().flatten().fold(f64::INFINITY, |low, z| low.min(*z)) - depth;
        let place = |i: usize, j: usize, z: f64| {
            let part = |k: usize, count: usize| k as f64 / (count - 1) as f64 - 0.5;
            Vector3::new(lengths[0] * part(i, across), lengths[1] * part(j, along), z)
        };
        // the top, then the rim of the floor, which is a fan about its middle
        let mut vertices = Vec::with_capacity(across * along);
        for (j, row) in rows.iter().enumerate() {
            vertices.extend(row.iter().enumerate().map(|(i, z)| place(i, j, *z)));
        }
        let top = |i: usize, j: usize| j * across + i;
        let mut triangles = Vec::new();
        for j in 0..along - 1 {
            for i in 0..across - 1 {
                let [a, b] = [top(i, j), top(i + 1, j)];
                let [c, d] = [top(i + 1, j + 1), top(i, j + 1)];
                triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
        let mut rim: Vec<(usize, usize)> = (0..across - 1).map(|i| (i, 0)).collect();
        rim.extend((0..along - 1).map(|j| (across - 1, j)));
        rim.extend((1..across).rev().map(|i| (i, along - 1)));
        rim.extend((1..along).rev().map(|j| (0, j)));
        let first = vertices.len();
        vertices.extend(rim.iter().map(|&(i, j)| place(i, j, floor)));
        let middle = vertices.len();
        vertices.push(Vector3::new(0.0, 0.0, floor));
        for k in 0..rim.len() {
            let next = (k + 1) % rim.len();
            let (a, b) = (top(rim[k].0, rim[k].1), top(rim[next].0, rim[next].1));
            let (below_a, below_b) = (first + k, first + next);
            triangles.extend([[below_a, below_b, b], [below_a, b, a], [below_b, below_a, middle]]);
        }
        Mesh::new(&vertices, &triangles)
    }

    /// Whether no vertex lies outside the plane of any triangle.
    pub fn is_convex(&self) -> bool {
        let size = self.vertices().iter().fold(0.0f64, |size, v| size.max(v.norm()));
        self.corners().all(|[a, b, c]| {
            let normal = (b - a).cross(&(c - a));
            let bound = 1e-9 * size * normal.norm();
            self.vertices().iter().all(|v| normal.dot(&(v - a)) <= bound)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hull_encloses_its_points() {
        let corner = |k: usize| Vector3::new((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2) as f64);
        let mut points: Vec<_> = (0..8).map(corner).collect();
        points.push(Vector3::new(0.4, 0.5, 0.6));
        let hull = Mesh::hull(&points).unwrap();
        assert!((hull.volume() - 1.0).abs() < 1e-12 && hull.vertices().len() == 8);
        assert!(hull.is_convex());
        let error = Mesh::hull(&points[..4]).unwrap_err().to_string();
        assert!(error.contains("lie in one plane"), "{error}");
    }

    #[test]
    fn a_landscape_is_closed_and_has_its_volume() {
        // a slope along x: the mean height over the floor is 0.5 + 1
        let rows = vec![vec![0.0, 0.5, 1.0]; 4];
        let mesh = Mesh::heights(&rows, [2.0, 3.0], 1.0).unwrap();
        mesh.check_solid().unwrap();
        assert!((mesh.volume() - 9.0).abs() < 1e-12, "{}", mesh.volume());
        assert!(mesh.is_convex());
        let bumpy = vec![vec![0.0, 0.5, 0.0, 0.2], vec![0.1, 0.0, 0.3, 0.0]];
        let mesh = Mesh::heights(&bumpy, [2.0, 3.0], 1.0).unwrap();
        mesh.check_solid().unwrap();
        assert!(!mesh.is_convex());
        let faults = [
            (Mesh::heights(&rows[..1], [1.0, 1.0], 1.0), "two lists of two"),
            (Mesh::heights(&[vec![0.0; 3], vec![0.0; 2]], [1.0, 1.0], 1.0), "list 2 has 2"),
            (Mesh::heights(&rows, [1.0, 0.0], 1.0), "length is 0 m"),
            (Mesh::heights(&rows, [1.0, 1.0], -1.0), "depth is -1 m"),
        ];
        for (found, phrase) in faults {
            let error = found.unwrap_err().to_string();
            assert!(error.contains(phrase), "{error}");
        }
    }
}
