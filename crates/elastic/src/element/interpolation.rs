//! Shape functions of the solid elements and their derivatives.

use crate::mesh::Shape;

/// Most nodes of a solid element.
pub(crate) const MOST: usize = 20;

/// Values and natural derivatives of the shape functions at a point; zero beyond the nodes.
pub(crate) struct Interpolation {
    pub(crate) values: [f64; MOST],
    pub(crate) slopes: [[f64; 3]; MOST],
}

/// Corners of the cube, in order.
pub(crate) const CUBE: [[f64; 3]; 8] = [
    [-1.0, -1.0, -1.0],
    [1.0, -1.0, -1.0],
    [1.0, 1.0, -1.0],
    [-1.0, 1.0, -1.0],
    [-1.0, -1.0, 1.0],
    [1.0, -1.0, 1.0],
    [1.0, 1.0, 1.0],
    [-1.0, 1.0, 1.0],
];

/// Middles of the edges of the cube, in order: the edges below, above, and the upright ones.
const CUBE_EDGES: [[f64; 3]; 12] = [
    [0.0, -1.0, -1.0],
    [1.0, 0.0, -1.0],
    [0.0, 1.0, -1.0],
    [-1.0, 0.0, -1.0],
    [0.0, -1.0, 1.0],
    [1.0, 0.0, 1.0],
    [0.0, 1.0, 1.0],
    [-1.0, 0.0, 1.0],
    [-1.0, -1.0, 0.0],
    [1.0, -1.0, 0.0],
    [1.0, 1.0, 0.0],
    [-1.0, 1.0, 0.0],
];

/// Corners at the ends of the edges of the tetrahedron, in order.
const TETRAHEDRON_EDGES: [(usize, usize); 6] = [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)];

impl Interpolation {
    /// The shape functions of a solid element at a point of its reference shape.
    pub(crate) fn at(shape: Shape, x: [f64; 3]) -> Interpolation {
        let mut it = Interpolation { values: [0.0; MOST], slopes: [[0.0; 3]; MOST] };
        match shape {
            Shape::Tetrahedron4 => it.linear_tetrahedron(x),
            Shape::Tetrahedron10 => it.quadratic_tetrahedron(x),
            Shape::Hexahedron8 => it.linear_cube(x),
            Shape::Hexahedron20 => it.quadratic_cube(x),
            _ => unreachable!("beams and shells have shape functions of their own"),
        }
        it
    }

    fn linear_tetrahedron(&mut self, x: [f64; 3]) {
        let (values, slopes) = barycentric(x);
        self.values[..4].copy_from_slice(&values);
        self.slopes[..4].copy_from_slice(&slopes);
    }

    fn quadratic_tetrahedron(&mut self, x: [f64; 3]) {
        let (l, d) = barycentric(x);
        for a in 0..4 {
            self.values[a] = l[a] * (2.0 * l[a] - 1.0);
            self.slopes[a] = d[a].map(|slope| (4.0 * l[a] - 1.0) * slope);
        }
        for (edge, (a, b)) in TETRAHEDRON_EDGES.into_iter().enumerate() {
            self.values[4 + edge] = 4.0 * l[a] * l[b];
            for i in 0..3 {
                self.slopes[4 + edge][i] = 4.0 * (d[a][i] * l[b] + l[a] * d[b][i]);
            }
        }
    }

    fn linear_cube(&mut self, x: [f64; 3]) {
        for (a, corner) in CUBE.iter().enumerate() {
            let f: [f64; 3] = std::array::from_fn(|i| 1.0 + corner[i] * x[i]);
            self.values[a] = f[0] * f[1] * f[2] / 8.0;
            self.slopes[a] = [
                corner[0] * f[1] * f[2] / 8.0,
                corner[1] * f[0] * f[2] / 8.0,
                corner[2] * f[0] * f[1] / 8.0,
            ];
        }
    }

    fn quadratic_cube(&mut self, x: [f64; 3]) {
        for (a, corner) in CUBE.iter().enumerate() {
            let f: [f64; 3] = std::array::from_fn(|i| 1.0 + corner[i] * x[i]);
            let sum = corner[0] * x[0] + corner[1] * x[1] + corner[2] * x[2] - 2.0;
            self.values[a] = f[0] * f[1] * f[2] * sum / 8.0;
            for i in 0..3 {
                let others = f[(i + 1) % 3] * f[(i + 2) % 3];
                self.slopes[a][i] = corner[i] * others * (sum + f[i]) / 8.0;
            }
        }
        for (edge, middle) in CUBE_EDGES.iter().enumerate() {
            // Along the edge the function is a parabola, across it linear.
            let factor = |i: usize| match middle[i] {
                0.0 => (1.0 - x[i] * x[i], -2.0 * x[i]),
                side => (1.0 + side * x[i], side),
            };
            let f: [(f64, f64); 3] = std::array::from_fn(factor);
            self.values[8 + edge] = f[0].0 * f[1].0 * f[2].0 / 4.0;
            for i in 0..3 {
                let others = f[(i + 1) % 3].0 * f[(i + 2) % 3].0;
                self.slopes[8 + edge][i] = f[i].1 * others / 4.0;
            }
        }
    }
}

fn barycentric(x: [f64; 3]) -> ([f64; 4], [[f64; 3]; 4]) {
    (
        [1.0 - x[0] - x[1] - x[2], x[0], x[1], x[2]],
        [[-1.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    )
}

/// Positions of the nodes in the reference shape.
pub(crate) fn reference_nodes(shape: Shape) -> Vec<[f64; 3]> {
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mut nodes = match shape {
        Shape::Tetrahedron4 | Shape::Tetrahedron10 => corners.to_vec(),
        _ => CUBE.to_vec(),
    };
    match shape {
        Shape::Tetrahedron10 => nodes.extend(
            TETRAHEDRON_EDGES
                .map(|(a, b)| std::array::from_fn(|i| 0.5 * (corners[a][i] + corners[b][i]))),
        ),
        Shape::Hexahedron20 => nodes.extend(CUBE_EDGES),
        _ => {}
    }
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOLIDS: [Shape; 4] =
        [Shape::Tetrahedron4, Shape::Tetrahedron10, Shape::Hexahedron8, Shape::Hexahedron20];

    #[test]
    fn functions_are_one_at_their_node_and_zero_at_the_others() {
        for shape in SOLIDS {
            for (a, at) in reference_nodes(shape).into_iter().enumerate() {
                let it = Interpolation::at(shape, at);
                for b in 0..shape.nodes() {
                    let expected = f64::from(u8::from(a == b));
                    assert!((it.values[b] - expected).abs() < 1e-15, "{shape:?} {a} {b}");
                }
            }
        }
    }

    #[test]
    fn slopes_agree_with_differences() {
        let (x, h) = ([0.21, 0.13, 0.34], 1e-6);
        for shape in SOLIDS {
            let slopes = Interpolation::at(shape, x).slopes;
            for i in 0..3 {
                let moved = |by: f64| {
                    let mut y = x;
                    y[i] += by;
                    Interpolation::at(shape, y).values
                };
                let (plus, minus) = (moved(h), moved(-h));
                for a in 0..shape.nodes() {
                    let difference = (plus[a] - minus[a]) / (2.0 * h);
                    assert!((slopes[a][i] - difference).abs() < 1e-9, "{shape:?} {a} {i}");
                }
            }
        }
    }
}
