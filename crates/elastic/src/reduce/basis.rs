//! Bases of shapes that a body is reduced to.

use crate::body::Body;
use crate::error::{MeshError, Place};
use crate::factor::Factor;
use crate::modes::{Modes, Wanted};
use crate::reduce::Method;
use nalgebra::{DMatrix, Vector3};

/// Shift of the residual shapes, as a part of the lowest elastic eigenvalue.
const RESIDUAL_SHIFT: f64 = 1e-3;
/// Corrections of the residual shapes; each gains three digits.
const CORRECTIONS: usize = 6;

/// Shapes of the free components as columns, and the cut-off of the modes among them.
pub(super) struct Basis {
    pub(super) shapes: DMatrix<f64>,
    /// Highest frequency in hertz up to which all modes are in the basis; none without modes.
    pub(super) cut_off: Option<f64>,
}

pub(super) fn basis(body: &Body, interface: &[usize], method: Method) -> Result<Basis, MeshError> {
    match method {
        Method::CraigBampton(wanted) => fixed(body, interface, Some(wanted), true),
        Method::PlainCraigBampton(wanted) => fixed(body, interface, Some(wanted), false),
        Method::Guyan => fixed(body, interface, None, false),
        Method::Free(wanted) => free(body, interface, wanted),
    }
}

/// Constraint modes of the interface and modes of the body held there [Craig and Bampton 1968], with
/// the static shapes of the constraint modes' inertia if `dragged`.
fn fixed(
    body: &Body,
    interface: &[usize],
    wanted: Option<Wanted>,
    dragged: bool,
) -> Result<Basis, MeshError> {
    let n = body.freedom.count();
    let mut held = vec![false; n];
    interface.iter().for_each(|&free| held[free] = true);
    let inner: Vec<usize> = (0..n).filter(|&free| !held[free]).collect();
    let matrices = body.matrices.part(&inner);
    let mut position = vec![None; n];
    inner.iter().enumerate().for_each(|(index, &free)| position[free] = Some(index));
    let mut forces = DMatrix::zeros(inner.len(), interface.len());
    for (column, &free) in interface.iter().enumerate() {
        for (row, p) in body.matrices.column(free) {
            if let Some(row) = position[row] {
                forces[(row, column)] = -body.matrices.stiffness[p];
            }
        }
    }
    let mut shapes = DMatrix::zeros(n, interface.len());
    if !inner.is_empty() && !interface.is_empty() {
        let moved = body.solve(&matrices, &forces, |unknown| inner[unknown])?;
        for (index, &free) in inner.iter().enumerate() {
            shapes.set_row(free, &moved.row(index));
        }
    }
    for (column, &free) in interface.iter().enumerate() {
        shapes[(free, column)] = 1.0;
    }
    let wanted = match wanted {
        Some(wanted) if !inner.is_empty() => wanted,
        _ => return Ok(Basis { shapes, cut_off: None }),
    };
    let modes = body.modes_of(&matrices, wanted, |unknown| inner[unknown])?;
    let cut_off = cut_off(wanted, &modes);
    // What the inertia of the constraint modes does in statics, beyond the modes: without it the
    // error at half the cut-off is a sixteenth of the share of the missing modes, with it a 256th.
    let vibrating = match dragged {
        true => {
            let inertia = body.matrices.mass_times(&shapes).select_rows(&inner);
            let dragged = body.solve(&matrices, &inertia, |unknown| inner[unknown])?;
            let seen = modes.shapes.tr_mul(&matrices.mass_times(&dragged));
            beside(&modes.shapes, &(dragged - &modes.shapes * seen))
        }
        false => modes.shapes,
    };
    let mut inside = DMatrix::zeros(n, vibrating.ncols());
    for (index, &free) in inner.iter().enumerate() {
        inside.set_row(free, &vibrating.row(index));
    }
    Ok(Basis { shapes: beside(&shapes, &inside), cut_off })
}

/// Modes of the free body, and what else loads on the interface do in statics.
fn free(body: &Body, interface: &[usize], wanted: Wanted) -> Result<Basis, MeshError> {
    let rigid = rigid_motions(body);
    // the six rigid modes are no vibration: the user does not count them
    let wanted = match wanted {
        Wanted::Lowest(count) => Wanted::Lowest(count + rigid.as_ref().map_or(0, |r| r.ncols())),
        below => below,
    };
    let modes = body.modes(wanted)?;
    let first = rigid.as_ref().map_or(0, |rigid| rigid.ncols());
    let count = modes.values.len().saturating_sub(first);
    if count > 0 {
        body.refuse_loose(rigid.as_ref(), &modes.shapes.columns(first, 1).into_owned())?;
    }
    let cut_off = cut_off(wanted, &modes);
    let mut shapes = modes.shapes.clone();
    if !interface.is_empty() && count > 0 {
        let residual = residual_shapes(body, interface, &modes, rigid.as_ref(), first)?;
        shapes = beside(&shapes, &residual);
    }
    Ok(Basis { shapes, cut_off })
}

/// Highest frequency up to which no mode is missing.
fn cut_off(wanted: Wanted, modes: &Modes) -> Option<f64> {
    match wanted {
        Wanted::Below(frequency) => Some(frequency),
        Wanted::Lowest(_) => modes.frequencies().last().copied(),
    }
}

/// Static displacement under unit loads at the interface, with the inertia of the rigid motion that
/// they cause, less the part that the modes have already.
fn residual_shapes(
    body: &Body,
    interface: &[usize],
    modes: &Modes,
    rigid: Option<&DMatrix<f64>>,
    first: usize,
) -> Result<DMatrix<f64>, MeshError> {
    let matrices = &body.matrices;
    let mut loads = DMatrix::zeros(body.freedom.count(), interface.len());
    for (column, &free) in interface.iter().enumerate() {
        loads[(free, column)] = 1.0;
    }
    // Loads less M φ φᵀ times them excite none of the modes, rigid ones included.
    let known = match rigid {
        Some(rigid) => {
            beside(rigid, &modes.shapes.columns(first, modes.values.len() - first).into())
        }
        None => modes.shapes.clone(),
    };
    let weighted = matrices.mass_times(&known);
    let loads = &loads - &weighted * known.tr_mul(&loads);
    let shift = -RESIDUAL_SHIFT * modes.values[first];
    let factor = Factor::new(matrices, shift).map_err(|_| {
        let message = "the residual shapes cannot be computed: the shifted stiffness is singular";
        body.mesh.fault(Place::NOWHERE, message, "use --method craig-bampton")
    })?;
    let mut shapes = DMatrix::zeros(loads.nrows(), loads.ncols());
    for _ in 0..CORRECTIONS {
        let mut rest = &loads - matrices.stiffness_times(&shapes);
        factor.solve(&mut rest);
        shapes += rest;
        shapes = &shapes - &known * weighted.tr_mul(&shapes);
    }
    Ok(shapes)
}

/// The six rigid motions of a body without supports, orthonormal with respect to the mass; none if
/// supports hold it.
pub(super) fn rigid_motions(body: &Body) -> Option<DMatrix<f64>> {
    let free = body.freedom.count();
    let mut motions = DMatrix::zeros(free, 6);
    for index in 0..free {
        let (node, i) = body.freedom.owner(index);
        let position = body.mesh.nodes[node].position;
        for k in 0..3 {
            if i < 3 {
                motions[(index, k)] = f64::from(u8::from(i == k));
                motions[(index, 3 + k)] = Vector3::ith(k, 1.0).cross(&position)[i];
            } else {
                motions[(index, 3 + k)] = f64::from(u8::from(i - 3 == k));
            }
        }
    }
    // Supports and ties to the ground show in forces that a rigid motion would need.
    let forces = body.matrices.stiffness_times(&motions);
    let diagonal = body.matrices.diagonal(&body.matrices.stiffness);
    for k in 0..6 {
        let size: f64 = motions
            .column(k)
            .iter()
            .zip(&diagonal)
            .map(|(x, d)| (x * d).powi(2))
            .sum::<f64>()
            .sqrt();
        if forces.column(k).norm() > 1e-8 * size {
            return None;
        }
    }
    let gram = motions.tr_mul(&body.matrices.mass_times(&motions));
    let factor = gram.cholesky()?;
    let mut transposed = motions.transpose();
    factor.l().solve_lower_triangular_mut(&mut transposed);
    Some(transposed.transpose())
}

/// Columns of both.
pub(super) fn beside(left: &DMatrix<f64>, right: &DMatrix<f64>) -> DMatrix<f64> {
    let mut both = DMatrix::zeros(left.nrows(), left.ncols() + right.ncols());
    both.columns_mut(0, left.ncols()).copy_from(left);
    both.columns_mut(left.ncols(), right.ncols()).copy_from(right);
    both
}
