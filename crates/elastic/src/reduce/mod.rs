//! Reduction of a body to a few shapes, orthonormal with respect to its mass.
//!
//! | file | content |
//! |---|---|
//! | `basis` | Craig–Bampton, Guyan, free modes with residual shapes |
//! | `interface` | frames at which a body is attached |

mod basis;
mod interface;

use crate::body::Body;
use crate::error::{MeshError, Place};
use crate::mesh::Mesh;
use crate::modes::Wanted;
use basis::{Basis, basis, rigid_motions};
use nalgebra::{DMatrix, SymmetricEigen};

pub use interface::{Attachment, Interface, attach};

/// Part of the largest mass of combined shapes below which one depends on the others.
const DEPENDENT: f64 = 1e-11;
/// Part of a shape below which nothing of it is left besides rigid motions.
const RIGID: f64 = 1e-6;

/// How a body is reduced.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// Constraint modes of the interfaces, modes of the body held there, and static shapes of the inertia of the first.
    CraigBampton(Wanted),
    /// Constraint modes and modes of the body held there, and nothing besides [Craig and Bampton 1968].
    PlainCraigBampton(Wanted),
    /// Constraint modes only: exact in statics, poor in dynamics.
    Guyan,
    /// Modes of the free body, and residual attachment modes of the interfaces.
    Free(Wanted),
}

impl Method {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Method::CraigBampton(_) => "craig-bampton",
            Method::PlainCraigBampton(_) => "plain-craig-bampton",
            Method::Guyan => "guyan",
            Method::Free(_) => "free",
        }
    }
}

/// Ratios of critical damping of the modes.
#[derive(Clone, Debug, PartialEq)]
pub enum Damping {
    /// One ratio for all modes.
    Ratio(f64),
    /// Proportional to mass and stiffness: ζ = (α/ω + βω)/2.
    Rayleigh {
        /// α, in 1/s.
        mass: f64,
        /// β, in s.
        stiffness: f64,
    },
    /// A ratio for low modes, and others from frequencies in hertz on.
    Bands {
        /// The ratio below all of these frequencies.
        first: f64,
        /// Frequencies, rising, and the ratio above each.
        above: Vec<(f64, f64)>,
    },
}

impl Damping {
    /// The ratio at an angular frequency.
    pub fn ratio(&self, omega: f64) -> f64 {
        match self {
            Damping::Ratio(ratio) => *ratio,
            Damping::Rayleigh { mass, stiffness } => 0.5 * (mass / omega + stiffness * omega),
            Damping::Bands { first, above } => {
                let hertz = omega / std::f64::consts::TAU;
                let passed = above.iter().take_while(|(frequency, _)| hertz >= *frequency);
                passed.last().map_or(*first, |(_, ratio)| *ratio)
            }
        }
    }
}

/// A body with the shapes that it is reduced to.
pub struct Reduction {
    /// The body, with ties for its interfaces.
    pub body: Body,
    /// Frames at which it is attached.
    pub interfaces: Vec<Interface>,
    /// The method.
    pub method: Method,
    /// Squares of the angular frequencies of the shapes.
    pub values: Vec<f64>,
    /// Shapes of the free components as columns: orthonormal with respect to the mass, orthogonal
    /// with respect to the stiffness, without rigid motions.
    pub shapes: DMatrix<f64>,
    /// Highest frequency in hertz up to which all modes are in the basis.
    pub cut_off: Option<f64>,
    /// True if no supports hold the body: the rigid motions were taken out of the shapes.
    pub floats: bool,
}

/// Reduces a mesh.
pub fn reduce(
    mesh: Mesh,
    attachments: &[Attachment],
    method: Method,
) -> Result<Reduction, MeshError> {
    let mut mesh = mesh;
    let interfaces = attach(&mut mesh, attachments)?;
    let kept: Vec<usize> = interfaces.iter().map(|interface| interface.node).collect();
    let body = Body::new(mesh, &kept)?;
    let free: Vec<usize> = kept
        .iter()
        .flat_map(|&node| (0..6).map(move |i| (node, i)))
        .map(|(node, i)| body.freedom.free_of(node, i).expect("interfaces are free"))
        .collect();
    if free.is_empty() && method == Method::Guyan {
        let message = "Guyan's method has no shapes without interfaces";
        let help = "name interfaces with --interface, or use another method";
        return Err(body.mesh.fault(Place::NOWHERE, message, help));
    }
    if free.is_empty()
        && matches!(method, Method::CraigBampton(_) | Method::PlainCraigBampton(_))
        && let Some(_) = rigid_motions(&body)
    {
        let message = "the body has neither interfaces nor supports";
        let help = "name interfaces with --interface, or use --method free";
        return Err(body.mesh.fault(Place::NOWHERE, message, help));
    }
    let Basis { shapes, cut_off } = basis(&body, &free, method)?;
    let rigid = rigid_motions(&body);
    let floats = rigid.is_some();
    let (values, shapes) = orthonormal(&body, shapes, rigid.as_ref());
    if values.is_empty() {
        let message = "no shape is left besides the rigid motions";
        let help = "ask for modes, and name interfaces that leave some of the nodes free";
        return Err(body.mesh.fault(Place::NOWHERE, message, help));
    }
    Ok(Reduction { body, interfaces, method, values, shapes, cut_off, floats })
}

/// Takes the rigid motions out of some shapes and makes the rest orthogonal with respect to mass
/// and stiffness; shapes that depend on the others are dropped.
fn orthonormal(
    body: &Body,
    shapes: DMatrix<f64>,
    rigid: Option<&DMatrix<f64>>,
) -> (Vec<f64>, DMatrix<f64>) {
    let matrices = &body.matrices;
    let shapes = independent(body, shapes, rigid);
    if shapes.ncols() == 0 {
        return (Vec::new(), shapes);
    }
    // Shapes of unit strain energy are ordered by their mass: low frequencies keep their digits.
    let stiffness = shapes.tr_mul(&matrices.stiffness_times(&shapes));
    let shapes = combined(&shapes, &stiffness, 0.0);
    if shapes.ncols() == 0 {
        return (Vec::new(), shapes);
    }
    let mass = symmetric(&shapes.tr_mul(&matrices.mass_times(&shapes)));
    let eigen = SymmetricEigen::new(mass);
    let mut order: Vec<usize> =
        (0..shapes.ncols()).filter(|&i| eigen.eigenvalues[i] > 0.0).collect();
    order.sort_by(|a, b| eigen.eigenvalues[*b].total_cmp(&eigen.eigenvalues[*a]));
    let mut orthonormal = &shapes * eigen.eigenvectors.select_columns(&order);
    for (column, &i) in order.iter().enumerate() {
        orthonormal.column_mut(column).scale_mut(1.0 / eigen.eigenvalues[i].sqrt());
    }
    // High modes carry the rounding of low ones: one more orthogonalisation takes it out.
    let gram = symmetric(&orthonormal.tr_mul(&matrices.mass_times(&orthonormal)));
    if let Some(factor) = gram.cholesky() {
        let mut transposed = orthonormal.transpose();
        factor.l().solve_lower_triangular_mut(&mut transposed);
        orthonormal = transposed.transpose();
    }
    let forces = matrices.stiffness_times(&orthonormal);
    let value = |column: usize| orthonormal.column(column).dot(&forces.column(column));
    ((0..orthonormal.ncols()).map(value).collect(), orthonormal)
}

/// Combinations of the shapes without rigid motions, orthonormal with respect to the mass.
fn independent(
    body: &Body,
    mut shapes: DMatrix<f64>,
    rigid: Option<&DMatrix<f64>>,
) -> DMatrix<f64> {
    let matrices = &body.matrices;
    let weight = |shapes: &DMatrix<f64>| shapes.tr_mul(&matrices.mass_times(shapes));
    for _ in 0..2 {
        if shapes.ncols() == 0 {
            break;
        }
        let whole = weight(&shapes).diagonal();
        if let Some(rigid) = rigid {
            let weighted = matrices.mass_times(rigid);
            shapes = &shapes - rigid * weighted.tr_mul(&shapes);
        }
        let gram = weight(&shapes);
        let left = |&i: &usize| gram[(i, i)] > RIGID * RIGID * whole[i];
        let keep: Vec<usize> = (0..shapes.ncols()).filter(left).collect();
        let gram = gram.select_columns(&keep).select_rows(&keep);
        shapes = combined(&shapes.select_columns(&keep), &gram, DEPENDENT);
    }
    shapes
}

/// Combinations of the shapes for which a quadratic form is the unit matrix. Those for which it is
/// below a part of its largest value are dropped.
fn combined(shapes: &DMatrix<f64>, form: &DMatrix<f64>, smallest: f64) -> DMatrix<f64> {
    if shapes.ncols() == 0 {
        return shapes.clone();
    }
    // Rows and columns of very different units, metres and radians, are brought to one size.
    let sizes: Vec<f64> = (0..form.nrows()).map(|i| 1.0 / form[(i, i)].sqrt()).collect();
    let even =
        DMatrix::from_fn(form.nrows(), form.ncols(), |i, j| form[(i, j)] * sizes[i] * sizes[j]);
    let eigen = SymmetricEigen::new(symmetric(&even));
    let largest = eigen.eigenvalues.amax();
    let keep: Vec<usize> =
        (0..shapes.ncols()).filter(|&i| eigen.eigenvalues[i] > smallest * largest).collect();
    let mut combination = eigen.eigenvectors.select_columns(&keep);
    for (column, &i) in keep.iter().enumerate() {
        let scale = 1.0 / eigen.eigenvalues[i].sqrt();
        for row in 0..combination.nrows() {
            combination[(row, column)] *= scale * sizes[row];
        }
    }
    shapes * combination
}

fn symmetric(matrix: &DMatrix<f64>) -> DMatrix<f64> {
    (matrix + matrix.transpose()) * 0.5
}
