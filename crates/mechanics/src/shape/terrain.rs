//! A surface of triangles as a height over a plane: for roads.

use super::Mesh;
use crate::error::Refusal;
use rotula_formula::{Axis, Beyond, Interpolation, Tabulated};

/// Points along the longer side, unless their distance is given.
const USUAL: f64 = 100.0;
/// Grids with more points than this take too long.
const MOST: f64 = 4e6;
/// How far beyond an edge of a triangle a point still counts as on it, in parts of the triangle: edges of neighbours leave no gap.
const EDGE: f64 = 1e-9;

impl Mesh {
    /// The top of the surface over a grid of x and y, as a table of two arguments joined by a spline, so that its slope turns smoothly. Says what
    /// is wrong if the surface does not cover the rectangle about it.
    pub fn heights_over_a_grid(&self, distance: Option<f64>) -> Result<Tabulated, Refusal> {
        let ends = |k: usize| {
            let all = self.vertices().iter().map(|v| v[k]);
            all.fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(x), high.max(x)))
        };
        let (x, y) = (ends(0), ends(1));
        let longer = (x.1 - x.0).max(y.1 - y.0);
        let distance = distance.unwrap_or(longer / USUAL);
        let [x, y] = [x, y].map(|(from, to)| {
            let parts = ((to - from) / distance).ceil();
            (from, to, parts)
        });
        if longer <= 0.0 || x.2 < 1.0 || y.2 < 1.0 {
            return Err("its surface stands upright and covers nothing".into());
        }
        if (x.2 + 1.0) * (y.2 + 1.0) > MOST {
            return Err(format!("a grid of {distance} m has more than {MOST:.0e} points").into());
        }
        let points = |(from, to, parts): (f64, f64, f64)| -> Vec<f64> {
            (0..=parts as usize).map(|k| from + (to - from) * k as f64 / parts).collect()
        };
        let (x, y) = (points(x), points(y));
        let mut rows = vec![vec![f64::NEG_INFINITY; y.len()]; x.len()];
        for [a, b, c] in self.corners() {
            let double = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
            if double == 0.0 {
                continue;
            }
            let within = |points: &[f64], k: usize| {
                let low = a[k].min(b[k]).min(c[k]);
                let high = a[k].max(b[k]).max(c[k]);
                let slack = EDGE * (high - low);
                points.partition_point(|p| *p < low - slack)
                    ..points.partition_point(|p| *p <= high + slack)
            };
            for i in within(&x, 0) {
                for j in within(&y, 1) {
                    let (px, py) = (x[i] - a.x, y[j] - a.y);
                    let v = (px * (c.y - a.y) - (c.x - a.x) * py) / double;
                    let w = ((b.x - a.x) * py - px * (b.y - a.y)) / double;
                    if v >= -EDGE && w >= -EDGE && v + w <= 1.0 + EDGE {
                        let height = a.z + v * (b.z - a.z) + w * (c.z - a.z);
                        rows[i][j] = rows[i][j].max(height);
                    }
                }
            }
        }
        for (row, x) in rows.iter().zip(&x) {
            if let Some(j) = row.iter().position(|height| height.is_infinite()) {
                return Err(format!("its surface has a gap at x = {x:.4}, y = {:.4}", y[j]).into());
            }
        }
        let axis = |points| {
            Axis::new(points, Beyond::Refuse).map_err(|error| Refusal::from(error.to_string()))
        };
        let made = Tabulated::grid(axis(x)?, axis(y)?, &rows, Interpolation::Spline);
        made.map_err(|error| error.to_string().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Vector3;

    /// A ramp with a fold, of four triangles.
    fn ramp(height: f64) -> Mesh {
        let corner = |x: f64, y: f64, z: f64| Vector3::new(x, y, z);
        let vertices = [
            corner(0.0, 0.0, 0.0),
            corner(2.0, 0.0, 1.0),
            corner(4.0, 0.0, 2.0),
            corner(0.0, 3.0, 0.0),
            corner(2.0, 3.0, height),
            corner(4.0, 3.0, 2.0),
        ];
        Mesh::new(&vertices, &[[0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4]]).unwrap()
    }

    #[test]
    fn heights_are_those_of_the_triangles() {
        let table = ramp(1.0).heights_over_a_grid(Some(0.5)).unwrap();
        assert_eq!((table.x().points().len(), table.arguments()), (9, 2));
        let mut graph = rotula_formula::Graph::new();
        graph.add_table("top", table);
        for (x, y) in [(0.0, 0.0), (1.3, 2.9), (3.7, 0.2), (4.0, 3.0)] {
            let at = graph.parse(&format!("top({x}, {y})"), &mut |_| None).unwrap();
            let height = graph.as_constant(at).unwrap();
            assert!((height - 0.5 * x).abs() < 1e-12, "{height} at {x}, {y}");
        }
    }

    #[test]
    fn gaps_and_fine_grids_are_refused() {
        let mesh = ramp(1.0);
        let holed = Mesh::new(mesh.vertices(), &mesh.triangles()[1..]).unwrap();
        assert!(holed.heights_over_a_grid(Some(0.5)).unwrap_err().what.contains("gap at x ="));
        assert!(mesh.heights_over_a_grid(Some(1e-4)).unwrap_err().what.contains("points"));
        let upright =
            Mesh::new(&[Vector3::zeros(), Vector3::x(), Vector3::z()], &[[0, 1, 2]]).unwrap();
        assert!(upright.heights_over_a_grid(None).unwrap_err().what.contains("upright"));
    }
}
