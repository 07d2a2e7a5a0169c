//! Elastic structures: a lattice of beams and a solid of eight-node bricks.

use nalgebra::{Matrix3, SMatrix, Vector3, Vector6};

use super::{Problem, Random, Triplets};

/// Lattice of beams with six unknowns per node, clamped along one edge by multipliers.
pub fn frame(nx: usize, ny: usize, times: &[f64]) -> Problem {
    let nodes = nx * ny;
    let at = |t: f64| {
        let mut random = Random::new(11);
        let mut triplets = Triplets::default();
        let weight = 0.3e-6;
        let positions: Vec<Vector3<f64>> = (0..nodes)
            .map(|k| {
                let height = 0.05 * random.signed() + 0.1 * t * random.signed();
                Vector3::new((k / ny) as f64 * 0.2, (k % ny) as f64 * 0.2, height)
            })
            .collect();
        for k in 0..nodes {
            for a in 0..6 {
                triplets.add(6 * k + a, 6 * k + a, if a < 3 { 0.3 } else { 1e-3 });
            }
            let along = (k + ny < nodes).then_some(k + ny);
            let across = ((k + 1) % ny != 0).then_some(k + 1);
            for m in along.into_iter().chain(across) {
                let stiffness = beam(positions[m] - positions[k]);
                let place = |a: usize| if a < 6 { 6 * k + a } else { 6 * m + a - 6 };
                for a in 0..12 {
                    for b in 0..12 {
                        let rotational = a % 6 >= 3 && b % 6 >= 3;
                        let skew = if rotational { 30.0 * random.signed() } else { 0.0 };
                        triplets.add(place(a), place(b), weight * (stiffness[(a, b)] + skew));
                    }
                }
            }
        }
        for a in 0..6 * ny {
            triplets.add_pair(6 * nodes + a, a, 1.0);
        }
        triplets
    };
    let sets: Vec<Triplets> = times.iter().map(|&t| at(t)).collect();
    Problem::new((0..6 * (nodes + ny)).map(|i| i >= 6 * nodes).collect(), &sets)
}

/// Stiffness of a one-point shear-flexible steel beam along `d`, one centimetre square.
fn beam(d: Vector3<f64>) -> SMatrix<f64, 12, 12> {
    let length = d.norm();
    let e1 = d / length;
    let e2 = Vector3::z().cross(&e1).normalize();
    let frame = Matrix3::from_columns(&[e1, e2, e1.cross(&e2)]).transpose();
    let turn = 0.5 * frame * e1.cross_matrix();
    let mut strain = SMatrix::<f64, 6, 12>::zeros();
    strain.fixed_view_mut::<3, 3>(0, 0).copy_from(&(-frame / length));
    strain.fixed_view_mut::<3, 3>(0, 3).copy_from(&turn);
    strain.fixed_view_mut::<3, 3>(0, 6).copy_from(&(frame / length));
    strain.fixed_view_mut::<3, 3>(0, 9).copy_from(&turn);
    strain.fixed_view_mut::<3, 3>(3, 3).copy_from(&(-frame / length));
    strain.fixed_view_mut::<3, 3>(3, 9).copy_from(&(frame / length));
    let section = Vector6::new(2.1e7, 6.8e6, 6.8e6, 1.3e2, 1.75e2, 1.75e2);
    strain.transpose() * SMatrix::<f64, 6, 6>::from_diagonal(&section) * strain * length
}

/// Cube of bricks with `side` nodes per edge; one face tied to a rigid body by multipliers, the
/// body held at a point.
pub fn solid(side: usize, times: &[f64]) -> Problem {
    let nodes = side * side * side;
    let body = 3 * nodes;
    let first_row = body + 6;
    let n = first_row + 3 * side * side + 3;
    let stiffness = brick(2.1e9, 0.3, 0.05);
    let node = |x: usize, y: usize, z: usize| (x * side + y) * side + z;
    let at = |t: f64| {
        let mut random = Random::new(5);
        let mut triplets = Triplets::default();
        let weight = 0.3e-8;
        for i in 0..3 * nodes {
            triplets.add(i, i, 0.2);
        }
        for cell in 0..(side - 1).pow(3) {
            let (x, y, z) =
                (cell / (side - 1).pow(2), cell / (side - 1) % (side - 1), cell % (side - 1));
            let corners = CORNERS.map(|c| node(x + c[0], y + c[1], z + c[2]));
            let size = weight * (1.0 + 0.1 * random.signed() + t);
            for a in 0..24 {
                for b in 0..24 {
                    let skew = if a / 3 == b / 3 { 1e-2 * random.signed() } else { 0.0 };
                    let value = size * stiffness[(a, b)] * (1.0 + skew);
                    triplets.add(3 * corners[a / 3] + a % 3, 3 * corners[b / 3] + b % 3, value);
                }
            }
        }
        for a in 0..6 {
            triplets.add(body + a, body + a, if a < 3 { 5.0 } else { 0.4 });
        }
        let middle = side as f64 / 2.0;
        for k in 0..side * side {
            let row = first_row + 3 * k;
            let (y, z) = ((k / side) as f64, (k % side) as f64);
            let arm = 0.05 * Vector3::new(-1.0, y - middle, z - middle);
            let cross = arm.cross_matrix();
            for a in 0..3 {
                triplets.add_pair(row + a, 3 * k + a, 1.0);
                triplets.add_pair(row + a, body + a, -1.0);
                for b in (0..3).filter(|&b| b != a) {
                    triplets.add_pair(row + a, body + 3 + b, cross[(a, b)]);
                }
            }
        }
        for a in 0..3 {
            triplets.add_pair(n - 3 + a, body + a, 1.0);
        }
        triplets
    };
    let sets: Vec<Triplets> = times.iter().map(|&t| at(t)).collect();
    Problem::new((0..n).map(|i| i >= first_row).collect(), &sets)
}

const CORNERS: [[usize; 3]; 8] =
    [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]];

/// Stiffness of an eight-node brick with edge `edge`, two Gauss points per direction.
fn brick(young: f64, poisson: f64, edge: f64) -> SMatrix<f64, 24, 24> {
    let lambda = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson));
    let mu = young / (2.0 * (1.0 + poisson));
    let signs = CORNERS.map(|c| c.map(|x| 2.0 * x as f64 - 1.0));
    let volume = (edge / 2.0).powi(3);
    let mut stiffness = SMatrix::zeros();
    for point in signs {
        let [x, y, z] = point.map(|s| s / 3.0_f64.sqrt());
        let gradients = signs.map(|[a, b, c]| {
            let (fx, fy, fz) = (1.0 + x * a, 1.0 + y * b, 1.0 + z * c);
            Vector3::new(a * fy * fz, b * fx * fz, c * fx * fy) / (4.0 * edge)
        });
        for i in 0..8 {
            for j in 0..8 {
                let (p, q) = (gradients[i], gradients[j]);
                let identity = Matrix3::identity() * (mu * p.dot(&q));
                let block = lambda * p * q.transpose() + mu * q * p.transpose() + identity;
                for c in 0..3 {
                    for d in 0..3 {
                        stiffness[(3 * i + c, 3 * j + d)] += volume * block[(c, d)];
                    }
                }
            }
        }
    }
    stiffness
}
