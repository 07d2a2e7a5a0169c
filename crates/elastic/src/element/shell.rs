//! Flat shells with three or four nodes: membrane, plate with shear, drilling rotation.
//!
//! The plate takes its transverse shear from the middles of the edges (MITC4 of Bathe and Dvorkin,
//! MITC3 of Lee and Bathe), so that thin shells do not lock. The membrane of four nodes has
//! incompatible modes as the hexahedron. The rotation about the normal follows that of the membrane
//! with a weak stiffness [Hughes and Brezzi 1989]: rigid motions have no energy. Nodes of a warped
//! element are joined to its mean plane by rigid levers.

mod stress;

use crate::element::quadrature::gauss;
use crate::mesh::Material;
use nalgebra::{DMatrix, Matrix2, Matrix3, RowDVector, Vector3};

/// Stiffness of the drilling rotation, as a part of the shear modulus.
const DRILLING: f64 = 1e-2;
/// Part of the section that carries shear.
const SHEAR: f64 = 5.0 / 6.0;
/// Unknowns of a node in the local frame: u, v, w and rotations about x, y, z.
const PER_NODE: usize = 6;

/// A flat shell in its own frame.
pub(crate) struct Shell {
    /// Columns are the local axes; the third is the normal.
    axes: Matrix3<f64>,
    /// Local positions in the plane.
    plane: Vec<[f64; 2]>,
    /// Heights of the nodes above the plane.
    heights: Vec<f64>,
    thickness: f64,
    young: f64,
    poisson: f64,
}

/// Shape functions of the plane and their natural slopes.
struct Functions {
    values: Vec<f64>,
    slopes: Vec<[f64; 2]>,
}

/// Shape functions and their slopes in the plane at a point of the quadrature.
struct Point {
    at: [f64; 2],
    functions: Functions,
    jacobian: Matrix2<f64>,
    slopes: Vec<[f64; 2]>,
    area: f64,
}

fn functions(count: usize, [r, s]: [f64; 2]) -> Functions {
    if count == 3 {
        return Functions {
            values: vec![1.0 - r - s, r, s],
            slopes: vec![[-1.0, -1.0], [1.0, 0.0], [0.0, 1.0]],
        };
    }
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    Functions {
        values: corners.iter().map(|[a, b]| (1.0 + a * r) * (1.0 + b * s) / 4.0).collect(),
        slopes: corners
            .iter()
            .map(|[a, b]| [a * (1.0 + b * s) / 4.0, b * (1.0 + a * r) / 4.0])
            .collect(),
    }
}

/// Points and weights in the reference shape.
fn rule(count: usize) -> Vec<([f64; 2], f64)> {
    if count == 3 {
        let (a, b) = (1.0 / 6.0, 2.0 / 3.0);
        return [[a, a], [b, a], [a, b]].map(|at| (at, 1.0 / 6.0)).to_vec();
    }
    let line = gauss(2);
    line.iter().flat_map(|(s, b)| line.iter().map(move |(r, a)| ([*r, *s], a * b))).collect()
}

/// A point of a shell that carries mass: its shape functions, mass and rotary inertia.
pub(crate) struct ShellMass {
    pub(crate) mass: f64,
    pub(crate) values: Vec<f64>,
    pub(crate) inertia: Matrix3<f64>,
}

impl Shell {
    /// None if the nodes span no area, or the element is folded.
    pub(crate) fn new(
        corners: &[Vector3<f64>],
        material: &Material,
        thickness: f64,
    ) -> Option<Shell> {
        let count = corners.len();
        let (first, second) = match count {
            3 => (corners[1] - corners[0], corners[2] - corners[0]),
            _ => (corners[2] - corners[0], corners[3] - corners[1]),
        };
        let normal = first.cross(&second);
        let size = first.norm() * second.norm();
        if normal.norm() <= 1e-9 * size {
            return None;
        }
        let normal = normal.normalize();
        let along = corners[1] - corners[0];
        let x = (along - normal * along.dot(&normal)).normalize();
        let axes = Matrix3::from_columns(&[x, normal.cross(&x), normal]);
        let centre: Vector3<f64> = corners.iter().sum::<Vector3<f64>>() / count as f64;
        let local: Vec<Vector3<f64>> =
            corners.iter().map(|corner| axes.transpose() * (corner - centre)).collect();
        let shell = Shell {
            axes,
            plane: local.iter().map(|p| [p[0], p[1]]).collect(),
            heights: local.iter().map(|p| p[2]).collect(),
            thickness,
            young: material.young,
            poisson: material.poisson,
        };
        shell.points().iter().all(|point| point.area > 0.0).then_some(shell)
    }

    fn count(&self) -> usize {
        self.plane.len()
    }

    /// Rows are the natural directions: derivatives of x and y.
    fn jacobian(&self, functions: &Functions) -> Matrix2<f64> {
        let mut jacobian = Matrix2::zeros();
        for (slopes, place) in functions.slopes.iter().zip(&self.plane) {
            for i in 0..2 {
                for j in 0..2 {
                    jacobian[(i, j)] += slopes[i] * place[j];
                }
            }
        }
        jacobian
    }

    fn points(&self) -> Vec<Point> {
        let point = |(at, weight): ([f64; 2], f64)| {
            let functions = functions(self.count(), at);
            let jacobian = self.jacobian(&functions);
            let inverse = jacobian.try_inverse().unwrap_or_else(Matrix2::zeros);
            let slopes = functions
                .slopes
                .iter()
                .map(|s| [0, 1].map(|i| inverse[(i, 0)] * s[0] + inverse[(i, 1)] * s[1]))
                .collect();
            Point { at, functions, jacobian, slopes, area: weight * jacobian.determinant() }
        };
        rule(self.count()).into_iter().map(point).collect()
    }

    /// Plane stress.
    fn elasticity(&self) -> Matrix3<f64> {
        let (e, v) = (self.young, self.poisson);
        Matrix3::new(1.0, v, 0.0, v, 1.0, 0.0, 0.0, 0.0, 0.5 * (1.0 - v)) * (e / (1.0 - v * v))
    }

    /// Membrane strains; the incompatible modes of four nodes stand behind the nodes.
    fn membrane(&self, point: &Point) -> DMatrix<f64> {
        let count = self.count();
        let extra = if count == 4 { 4 } else { 0 };
        let mut rows = DMatrix::zeros(3, PER_NODE * count + extra);
        let mut put = |u: usize, v: usize, [x, y]: [f64; 2]| {
            rows[(0, u)] = x;
            rows[(1, v)] = y;
            rows[(2, u)] = y;
            rows[(2, v)] = x;
        };
        for (a, slopes) in point.slopes.iter().enumerate() {
            put(PER_NODE * a, PER_NODE * a + 1, *slopes);
        }
        if count == 4 {
            let centre = self.jacobian(&functions(4, [0.0, 0.0]));
            let inverse = centre.try_inverse().unwrap_or_else(Matrix2::zeros);
            let scale = centre.determinant() / point.jacobian.determinant();
            for i in 0..2 {
                let factor = -2.0 * point.at[i] * scale;
                let slopes = [inverse[(0, i)] * factor, inverse[(1, i)] * factor];
                put(PER_NODE * count + 2 * i, PER_NODE * count + 2 * i + 1, slopes);
            }
        }
        rows
    }

    /// Curvatures: a point at height z moves by z θ_y along x and by −z θ_x along y.
    fn bending(&self, point: &Point) -> DMatrix<f64> {
        let mut rows = DMatrix::zeros(3, PER_NODE * self.count());
        for (a, [x, y]) in point.slopes.iter().enumerate() {
            let (turn_x, turn_y) = (PER_NODE * a + 3, PER_NODE * a + 4);
            rows[(0, turn_y)] = *x;
            rows[(1, turn_x)] = -y;
            rows[(2, turn_y)] = *y;
            rows[(2, turn_x)] = -x;
        }
        rows
    }

    /// Shear along a natural direction: w,ξ + θ_y x,ξ − θ_x y,ξ.
    fn natural_shear(&self, at: [f64; 2], direction: usize) -> RowDVector<f64> {
        let functions = functions(self.count(), at);
        let jacobian = self.jacobian(&functions);
        let mut row = RowDVector::zeros(PER_NODE * self.count());
        for (a, value) in functions.values.iter().enumerate() {
            row[PER_NODE * a + 2] = functions.slopes[a][direction];
            row[PER_NODE * a + 3] = -value * jacobian[(direction, 1)];
            row[PER_NODE * a + 4] = value * jacobian[(direction, 0)];
        }
        row
    }

    /// Transverse shear xz, yz, interpolated between the middles of the edges.
    fn shear(&self, point: &Point) -> DMatrix<f64> {
        let [r, s] = point.at;
        let natural = if self.count() == 4 {
            let edge = |at, direction| self.natural_shear(at, direction);
            [
                edge([0.0, -1.0], 0) * (0.5 * (1.0 - s)) + edge([0.0, 1.0], 0) * (0.5 * (1.0 + s)),
                edge([-1.0, 0.0], 1) * (0.5 * (1.0 - r)) + edge([1.0, 0.0], 1) * (0.5 * (1.0 + r)),
            ]
        } else {
            let bottom = self.natural_shear([0.5, 0.0], 0);
            let left = self.natural_shear([0.0, 0.5], 1);
            let slant = [0, 1].map(|direction| self.natural_shear([0.5, 0.5], direction));
            let twist = &left - &bottom - &slant[1] + &slant[0];
            [bottom + &twist * s, left - &twist * r]
        };
        let inverse = point.jacobian.try_inverse().unwrap_or_else(Matrix2::zeros);
        let mut rows = DMatrix::zeros(2, PER_NODE * self.count());
        for i in 0..2 {
            rows.set_row(i, &(&natural[0] * inverse[(i, 0)] + &natural[1] * inverse[(i, 1)]));
        }
        rows
    }

    /// Rotation about the normal less that of the membrane.
    fn drilling(&self, point: &Point) -> RowDVector<f64> {
        let mut row = RowDVector::zeros(PER_NODE * self.count());
        for (a, [x, y]) in point.slopes.iter().enumerate() {
            row[PER_NODE * a] = 0.5 * y;
            row[PER_NODE * a + 1] = -0.5 * x;
            row[PER_NODE * a + 5] = point.functions.values[a];
        }
        row
    }

    /// Membrane stiffness with the incompatible modes, and what these do for unit displacements.
    fn whole_membrane(&self) -> (DMatrix<f64>, Option<DMatrix<f64>>) {
        let size = PER_NODE * self.count();
        let elasticity = self.elasticity() * self.thickness;
        let extra = if self.count() == 4 { 4 } else { 0 };
        let mut whole = DMatrix::zeros(size + extra, size + extra);
        for point in self.points() {
            let rows = self.membrane(&point);
            whole += rows.tr_mul(&(elasticity * &rows)) * point.area;
        }
        let nodes = whole.view((0, 0), (size, size)).into_owned();
        if extra == 0 {
            return (nodes, None);
        }
        let own = whole.view((size, size), (extra, extra)).into_owned();
        let coupling = whole.view((size, 0), (extra, size)).into_owned();
        let modes = own.cholesky().map(|factor| -factor.solve(&coupling));
        let condensed = match &modes {
            Some(modes) => nodes + coupling.tr_mul(modes),
            None => nodes,
        };
        (condensed, modes)
    }

    /// Maps displacements of the nodes in the axes of the mesh to those of the plane.
    fn levers(&self) -> DMatrix<f64> {
        let size = PER_NODE * self.count();
        let mut map = DMatrix::zeros(size, size);
        let turn = self.axes.transpose();
        for (a, height) in self.heights.iter().enumerate() {
            let start = PER_NODE * a;
            // the foot of a node at height h moves by u − θ × h e_z
            let lever = Vector3::new(0.0, 0.0, *height).cross_matrix();
            map.view_mut((start, start), (3, 3)).copy_from(&turn);
            map.view_mut((start, start + 3), (3, 3)).copy_from(&(lever * turn));
            map.view_mut((start + 3, start + 3), (3, 3)).copy_from(&turn);
        }
        map
    }

    /// Stiffness in the axes of the mesh.
    pub(crate) fn stiffness(&self) -> DMatrix<f64> {
        let t = self.thickness;
        let shear_modulus = self.young / (2.0 * (1.0 + self.poisson));
        let bending = self.elasticity() * (t.powi(3) / 12.0);
        let (mut local, _) = self.whole_membrane();
        for point in self.points() {
            let curvature = self.bending(&point);
            local += curvature.tr_mul(&(bending * &curvature)) * point.area;
            let shear = self.shear(&point);
            local += shear.tr_mul(&shear) * (SHEAR * shear_modulus * t * point.area);
            let drilling = self.drilling(&point);
            local += drilling.tr_mul(&drilling) * (DRILLING * shear_modulus * t * point.area);
        }
        let levers = self.levers();
        let mut stiffness = levers.tr_mul(&(local * &levers));
        stiffness.fill_lower_triangle_with_upper_triangle();
        stiffness
    }

    /// The points of the quadrature of the consistent mass.
    pub(crate) fn mass_points(&self, density: f64) -> Vec<ShellMass> {
        let normal = self.axes.column(2).into_owned();
        let turning = Matrix3::identity() - normal * normal.transpose();
        let point = |point: Point| {
            let mass = density * self.thickness * point.area;
            let inertia = turning * (mass * self.thickness * self.thickness / 12.0);
            ShellMass { mass, values: point.functions.values, inertia }
        };
        self.points().into_iter().map(point).collect()
    }
}
