//! Solid elements: stiffness, consistent mass and stress.
//!
//! The hexahedron with eight nodes has nine incompatible modes (Wilson; with Taylor's correction, so
//! that it passes the patch test), condensed in the element: it bends without locking.

use crate::element::interpolation::{Interpolation, MOST, reference_nodes};
use crate::element::quadrature::{Sample, cube, tetrahedron};
use crate::mesh::{Material, Shape};
use nalgebra::{DMatrix, Matrix3, Vector3};

/// Lamé's constants of a material.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lame {
    pub(crate) lambda: f64,
    pub(crate) mu: f64,
}

impl Lame {
    pub(crate) fn of(material: &Material) -> Lame {
        let (young, poisson) = (material.young, material.poisson);
        Lame {
            lambda: young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)),
            mu: young / (2.0 * (1.0 + poisson)),
        }
    }

    /// Stress xx, yy, zz, xy, yz, zx that a displacement `u` times a gradient `g` causes.
    fn stress(self, u: usize, g: Vector3<f64>) -> [f64; 6] {
        let mut gradient = Matrix3::zeros();
        gradient.set_row(u, &g.transpose());
        let strain = gradient + gradient.transpose();
        let volume = self.lambda * g[u];
        [
            volume + self.mu * strain[(0, 0)],
            volume + self.mu * strain[(1, 1)],
            volume + self.mu * strain[(2, 2)],
            self.mu * strain[(0, 1)],
            self.mu * strain[(1, 2)],
            self.mu * strain[(0, 2)],
        ]
    }
}

/// Number of incompatible modes, each with three components.
const BUBBLES: usize = 3;

/// Gradients of the shape functions at a point, followed by those of the incompatible modes.
struct Slopes {
    gradients: [Vector3<f64>; MOST + BUBBLES],
    count: usize,
    volume: f64,
}

fn jacobian(corners: &[Vector3<f64>], it: &Interpolation) -> Matrix3<f64> {
    let mut jacobian = Matrix3::zeros();
    for (a, corner) in corners.iter().enumerate() {
        jacobian += corner * Vector3::from(it.slopes[a]).transpose();
    }
    jacobian
}

/// Ratio of volumes at a point: negative where an element is turned inside out.
fn distortion(shape: Shape, corners: &[Vector3<f64>], at: [f64; 3]) -> f64 {
    jacobian(corners, &Interpolation::at(shape, at)).determinant()
}

/// Smallest ratio of volumes over the element, as a part of the largest one.
pub(crate) fn quality(shape: Shape, corners: &[Vector3<f64>]) -> f64 {
    let nodes = reference_nodes(shape);
    let samples = stiffness_rule(shape).into_iter().map(|sample| sample.at);
    let ratios: Vec<f64> = samples.chain(nodes).map(|at| distortion(shape, corners, at)).collect();
    let largest = ratios.iter().fold(0.0_f64, |largest, ratio| largest.max(ratio.abs()));
    let smallest = ratios.iter().fold(f64::INFINITY, |smallest, ratio| smallest.min(*ratio));
    if largest > 0.0 { smallest / largest } else { 0.0 }
}

/// True if the element is sound but its nodes are listed in the order of its mirror image.
pub(crate) fn is_mirrored(shape: Shape, corners: &[Vector3<f64>]) -> bool {
    stiffness_rule(shape).iter().all(|sample| distortion(shape, corners, sample.at) < 0.0)
}

fn slopes(shape: Shape, corners: &[Vector3<f64>], sample: &Sample) -> Slopes {
    let it = Interpolation::at(shape, sample.at);
    let jacobian_here = jacobian(corners, &it);
    let determinant = jacobian_here.determinant();
    // checked when the mesh is: no element of a checked mesh is flat
    let inverse = jacobian_here.try_inverse().unwrap_or_else(Matrix3::zeros).transpose();
    let mut gradients = [Vector3::zeros(); MOST + BUBBLES];
    for a in 0..shape.nodes() {
        gradients[a] = inverse * Vector3::from(it.slopes[a]);
    }
    let mut count = shape.nodes();
    if shape == Shape::Hexahedron8 {
        // Gradients about the centre, scaled so that their integrals vanish [Taylor et al. 1976].
        let centre = jacobian(corners, &Interpolation::at(shape, [0.0; 3]));
        let scale = centre.determinant() / determinant;
        let inverse = centre.try_inverse().unwrap_or_else(Matrix3::zeros).transpose();
        for i in 0..BUBBLES {
            gradients[count] = inverse.column(i) * (-2.0 * sample.at[i] * scale);
            count += 1;
        }
    }
    Slopes { gradients, count, volume: sample.weight * determinant }
}

fn stiffness_rule(shape: Shape) -> Vec<Sample> {
    match shape {
        Shape::Tetrahedron4 => tetrahedron(1),
        Shape::Tetrahedron10 => tetrahedron(4),
        Shape::Hexahedron8 => cube(2),
        _ => cube(3),
    }
}

fn mass_rule(shape: Shape) -> Vec<Sample> {
    match shape {
        Shape::Tetrahedron4 => tetrahedron(4),
        Shape::Tetrahedron10 => tetrahedron(14),
        _ => cube(3),
    }
}

/// Stiffness with the incompatible modes still in it, behind the nodes.
fn whole_stiffness(shape: Shape, corners: &[Vector3<f64>], lame: Lame) -> DMatrix<f64> {
    let extra = if shape == Shape::Hexahedron8 { BUBBLES } else { 0 };
    let size = 3 * (shape.nodes() + extra);
    let mut stiffness = DMatrix::zeros(size, size);
    for sample in stiffness_rule(shape) {
        let Slopes { gradients, count, volume } = slopes(shape, corners, &sample);
        let (lambda, mu) = (lame.lambda * volume, lame.mu * volume);
        for b in 0..count {
            for a in 0..=b {
                let (ga, gb) = (gradients[a], gradients[b]);
                let dot = mu * ga.dot(&gb);
                for j in 0..3 {
                    for i in 0..3 {
                        stiffness[(3 * a + i, 3 * b + j)] += lambda * ga[i] * gb[j]
                            + mu * ga[j] * gb[i]
                            + if i == j { dot } else { 0.0 };
                    }
                }
            }
        }
    }
    stiffness.fill_lower_triangle_with_upper_triangle();
    stiffness
}

/// What the incompatible modes do for unit displacements of the nodes.
fn bubbles(shape: Shape, whole: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    let nodes = 3 * shape.nodes();
    let extra = whole.nrows() - nodes;
    if extra == 0 {
        return None;
    }
    let own = whole.view((nodes, nodes), (extra, extra)).into_owned();
    let coupling = whole.view((nodes, 0), (extra, nodes)).into_owned();
    // positive definite for every element that is not flat
    own.cholesky().map(|factor| -factor.solve(&coupling))
}

/// Stiffness of an element; three components per node.
pub(crate) fn stiffness(shape: Shape, corners: &[Vector3<f64>], lame: Lame) -> DMatrix<f64> {
    let whole = whole_stiffness(shape, corners, lame);
    let nodes = 3 * shape.nodes();
    let mut condensed = whole.view((0, 0), (nodes, nodes)).into_owned();
    if let Some(bubbles) = bubbles(shape, &whole) {
        condensed += whole.view((0, nodes), (nodes, whole.ncols() - nodes)) * bubbles;
        // rounding must not make the matrix unsymmetric
        condensed.fill_lower_triangle_with_upper_triangle();
    }
    condensed
}

/// A point that carries mass, with the shape functions there.
pub(crate) struct SolidMass {
    pub(crate) mass: f64,
    pub(crate) values: [f64; MOST],
}

/// The points of the quadrature of the consistent mass.
pub(crate) fn mass_points(shape: Shape, corners: &[Vector3<f64>], density: f64) -> Vec<SolidMass> {
    let point = |sample: Sample| {
        let it = Interpolation::at(shape, sample.at);
        let mass = density * sample.weight * jacobian(corners, &it).determinant();
        SolidMass { mass, values: it.values }
    };
    mass_rule(shape).into_iter().map(point).collect()
}

/// Consistent mass of an element; three components per node.
pub(crate) fn mass(shape: Shape, corners: &[Vector3<f64>], density: f64) -> DMatrix<f64> {
    let count = shape.nodes();
    let mut mass = DMatrix::zeros(3 * count, 3 * count);
    for point in mass_points(shape, corners, density) {
        for b in 0..count {
            for a in 0..count {
                let value = point.mass * point.values[a] * point.values[b];
                for i in 0..3 {
                    mass[(3 * a + i, 3 * b + i)] += value;
                }
            }
        }
    }
    mass
}

/// Stress at each node (six rows per node: xx, yy, zz, xy, yz, zx) for unit displacements of the
/// nodes: sampled at the points where stress is best and carried to the nodes from there.
pub(crate) fn nodal_stress(shape: Shape, corners: &[Vector3<f64>], lame: Lame) -> DMatrix<f64> {
    let count = shape.nodes();
    let bubbles = match shape {
        Shape::Hexahedron8 => bubbles(shape, &whole_stiffness(shape, corners, lame)),
        _ => None,
    };
    let samples = match shape {
        Shape::Tetrahedron4 => tetrahedron(1),
        Shape::Tetrahedron10 => tetrahedron(4),
        _ => cube(2),
    };
    let mut at_samples = DMatrix::zeros(6 * samples.len(), 3 * count);
    for (s, sample) in samples.iter().enumerate() {
        let Slopes { gradients, count: all, .. } = slopes(shape, corners, sample);
        let mut stress = DMatrix::zeros(6, 3 * all);
        for a in 0..all {
            for i in 0..3 {
                stress.set_column(3 * a + i, &lame.stress(i, gradients[a]).into());
            }
        }
        let mut of_nodes = stress.columns(0, 3 * count).into_owned();
        if let Some(bubbles) = &bubbles {
            of_nodes += stress.columns(3 * count, 3 * (all - count)) * bubbles;
        }
        at_samples.rows_mut(6 * s, 6).copy_from(&of_nodes);
    }
    carried_to_nodes(shape, &at_samples)
}

fn carried_to_nodes(shape: Shape, at_samples: &DMatrix<f64>) -> DMatrix<f64> {
    let nodes = reference_nodes(shape);
    let mut stress = DMatrix::zeros(6 * nodes.len(), at_samples.ncols());
    for (a, node) in nodes.iter().enumerate() {
        let weights = sample_weights(shape, *node);
        for (s, weight) in weights.into_iter().enumerate() {
            let mut rows = stress.rows_mut(6 * a, 6);
            rows += at_samples.rows(6 * s, 6) * weight;
        }
    }
    stress
}

/// The linear function through the samples, at a node.
fn sample_weights(shape: Shape, node: [f64; 3]) -> Vec<f64> {
    match shape {
        Shape::Tetrahedron4 => vec![1.0],
        Shape::Tetrahedron10 => {
            // The samples are the corners of a smaller tetrahedron of the same centre.
            let a = 0.138_196_601_125_010_5;
            let inner: [f64; 3] = std::array::from_fn(|i| (node[i] - a) / (1.0 - 4.0 * a));
            let values = Interpolation::at(Shape::Tetrahedron4, inner).values;
            values[..4].to_vec()
        }
        _ => {
            // The samples of cube(2) count x fastest, the corners of the element go round.
            let inner = node.map(|x| x * 3.0_f64.sqrt());
            let values = Interpolation::at(Shape::Hexahedron8, inner).values;
            [0, 1, 3, 2, 4, 5, 7, 6].iter().map(|&corner| values[corner]).collect()
        }
    }
}
