//! Faces of elements: what a pressure on them does to their nodes.

use nalgebra::Vector3;

/// Points and weights of Gauss's rule with three points on the unit interval.
const LINE: [(f64, f64); 3] = [
    (0.112_701_665_379_258_31, 5.0 / 18.0),
    (0.5, 4.0 / 9.0),
    (0.887_298_334_620_741_7, 5.0 / 18.0),
];

const TETRAHEDRON: [&[usize]; 4] = [&[0, 1, 2], &[0, 1, 3], &[1, 2, 3], &[0, 2, 3]];
const TETRAHEDRON_EDGES: [(usize, usize); 6] = [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)];
const CUBE: [&[usize]; 6] =
    [&[0, 1, 2, 3], &[4, 5, 6, 7], &[0, 1, 5, 4], &[1, 2, 6, 5], &[2, 3, 7, 6], &[3, 0, 4, 7]];
#[rustfmt::skip]
const CUBE_EDGES: [(usize, usize); 12] = [
    (0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7),
];

/// Corners of a face in order round it, then the nodes in the middle of its edges, if there are.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Face {
    pub(crate) nodes: Vec<usize>,
    corners: usize,
}

impl Face {
    /// The faces of an element with the number of its cell in VTK; shells are a face themselves.
    pub(crate) fn of(cell: u8, nodes: &[usize]) -> Vec<Face> {
        let face = |corners: &&[usize], edges: &[(usize, usize)], count: usize| {
            let mut list: Vec<usize> = corners.iter().map(|corner| nodes[*corner]).collect();
            if nodes.len() > count {
                for (i, &a) in corners.iter().enumerate() {
                    let b = corners[(i + 1) % corners.len()];
                    let joins = |edge: &(usize, usize)| *edge == (a, b) || *edge == (b, a);
                    let edge =
                        edges.iter().position(joins).expect("faces have edges of their cell");
                    list.push(nodes[count + edge]);
                }
            }
            Face { corners: corners.len(), nodes: list }
        };
        match cell {
            5 | 9 => vec![Face { corners: nodes.len(), nodes: nodes.to_vec() }],
            10 | 24 => TETRAHEDRON.iter().map(|f| face(f, &TETRAHEDRON_EDGES, 4)).collect(),
            12 | 25 => CUBE.iter().map(|f| face(f, &CUBE_EDGES, 8)).collect(),
            _ => Vec::new(),
        }
    }

    /// ∫ N_i n dA of each of its nodes, with the normal of the turn of its corners.
    pub(crate) fn areas(&self, at: impl Fn(usize) -> Vector3<f64>) -> Vec<Vector3<f64>> {
        let mut areas = vec![Vector3::zeros(); self.nodes.len()];
        for (u, first) in LINE {
            for (v, second) in LINE {
                let (s, t, weight) = match self.corners {
                    // a square folded to a triangle
                    3 => (u, v * (1.0 - u), first * second * (1.0 - u)),
                    _ => (2.0 * u - 1.0, 2.0 * v - 1.0, 4.0 * first * second),
                };
                let factors = self.factors(s, t);
                let (mut along, mut across) = (Vector3::zeros(), Vector3::zeros());
                for (&node, [_, by_s, by_t]) in self.nodes.iter().zip(&factors) {
                    along += at(node) * *by_s;
                    across += at(node) * *by_t;
                }
                let normal = along.cross(&across) * weight;
                for (area, [value, ..]) in areas.iter_mut().zip(&factors) {
                    *area += normal * *value;
                }
            }
        }
        areas
    }

    /// Value and derivatives of the shape function of each node.
    fn factors(&self, s: f64, t: f64) -> Vec<[f64; 3]> {
        let quadratic = self.nodes.len() > self.corners;
        match (self.corners, quadratic) {
            (3, _) => {
                let flat = [[1.0 - s - t, -1.0, -1.0], [s, 1.0, 0.0], [t, 0.0, 1.0]];
                if !quadratic {
                    return flat.to_vec();
                }
                let corner = |[l, a, b]: [f64; 3]| {
                    [l * (2.0 * l - 1.0), (4.0 * l - 1.0) * a, (4.0 * l - 1.0) * b]
                };
                let middle = |i: usize| {
                    let ([l, a, b], [m, c, d]) = (flat[i], flat[(i + 1) % 3]);
                    [4.0 * l * m, 4.0 * (a * m + l * c), 4.0 * (b * m + l * d)]
                };
                flat.into_iter().map(corner).chain((0..3).map(middle)).collect()
            }
            _ => {
                let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
                let linear = |(a, b): (f64, f64)| {
                    let (x, y) = (1.0 + a * s, 1.0 + b * t);
                    [x * y / 4.0, a * y / 4.0, b * x / 4.0]
                };
                if !quadratic {
                    return corners.into_iter().map(linear).collect();
                }
                // corners of the square less half of the middles beside them
                let middles = [(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)].map(|(a, b)| {
                    if a == 0.0 {
                        let y = 1.0 + b * t;
                        [(1.0 - s * s) * y / 2.0, -s * y, b * (1.0 - s * s) / 2.0]
                    } else {
                        let x = 1.0 + a * s;
                        [(1.0 - t * t) * x / 2.0, a * (1.0 - t * t) / 2.0, -t * x]
                    }
                });
                let less = |(i, corner): (usize, (f64, f64))| {
                    let (value, before, after) = (linear(corner), middles[(i + 3) % 4], middles[i]);
                    std::array::from_fn(|k| value[k] - (before[k] + after[k]) / 2.0)
                };
                corners.into_iter().enumerate().map(less).chain(middles).collect()
            }
        }
    }
}
