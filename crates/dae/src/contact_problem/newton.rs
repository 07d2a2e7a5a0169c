//! Alart and Curnier's Newton iteration on the assembled operator: the status of all contacts by their augmented
//! forces, then all equations that follow at once.

use super::delassus::{Delassus, root_mean};
use super::law::Status;
use faer::Mat;
use faer::linalg::solvers::Solve;

/// Most rows: `W` is stored whole.
pub(super) const MOST_ROWS: usize = 300;
const MOST_ITERATIONS: usize = 40;
/// Regularisation of closed rows, relative to their own entry: redundant contacts stay solvable, and the residual is
/// unchanged.
const REGULARISATION: f64 = 1e-9;

/// Finds the forces to an error of at most `bound`; the number of corrections, or none, with nothing changed.
pub(super) fn solve(delassus: &mut Delassus, forces: &mut [f64], bound: f64) -> Option<usize> {
    let count = delassus.row_count();
    if count > MOST_ROWS {
        return None;
    }
    let contacts = delassus.contacts.clone();
    let mut places = Vec::with_capacity(contacts.len());
    let (mut found, mut free) = (Vec::with_capacity(count), Vec::with_capacity(count));
    for (k, acting) in contacts.iter().enumerate() {
        places.push(found.len()..found.len() + acting.rows());
        found.extend_from_slice(&delassus.forces(k, forces)[..acting.rows()]);
        free.extend_from_slice(&delassus.rows(k)[..acting.rows()]);
    }
    let mut w = Mat::<f64>::zeros(count, count);
    for (k, rows) in places.iter().enumerate() {
        for (j, columns) in places.iter().enumerate() {
            let block = delassus.block(k, j);
            for (a, row) in rows.clone().enumerate() {
                for (b, column) in columns.clone().enumerate() {
                    w[(row, column)] = block[a][b];
                    free[row] -= block[a][b] * found[column];
                }
            }
        }
    }
    let (mut rows, mut status) = (vec![0.0; count], vec![Status::Open; contacts.len()]);
    for iteration in 0..=MOST_ITERATIONS {
        for (i, row) in rows.iter_mut().enumerate() {
            *row = free[i] + (0..count).map(|j| w[(i, j)] * found[j]).sum::<f64>();
        }
        let (mut matrix, mut residual) = (Mat::<f64>::zeros(count, count), Mat::zeros(count, 1));
        for (k, (acting, place)) in contacts.iter().zip(&places).enumerate() {
            let (rows, forces) = (&rows[place.clone()], &found[place.clone()]);
            let (now, equations) = acting.equations(rows, forces);
            status[k] = now;
            for (a, i) in place.clone().enumerate() {
                residual[(i, 0)] = equations.residual[a];
                for (b, other) in place.clone().enumerate() {
                    matrix[(i, other)] += equations.forces[a][b];
                    let weight = equations.rows[a][b];
                    if weight != 0.0 {
                        (0..count).for_each(|j| matrix[(i, j)] += weight * w[(other, j)]);
                    }
                }
                if equations.rows[a][a] == 1.0 {
                    matrix[(i, i)] += REGULARISATION * acting.own[a][a];
                }
            }
        }
        let error = root_mean(residual.col_as_slice(0).iter().map(|r| r * r).sum(), count);
        if error <= bound {
            for (k, place) in places.into_iter().enumerate() {
                let mut next = [0.0; 3];
                // nothing is left of what is open
                if status[k].closed() {
                    next[..place.len()].copy_from_slice(&found[place]);
                    next[0] = next[0].max(0.0);
                }
                delassus.set(k, &next, forces);
            }
            return Some(iteration);
        }
        if !error.is_finite() {
            return None;
        }
        let correction = matrix.partial_piv_lu().solve(&residual);
        found.iter_mut().enumerate().for_each(|(i, force)| *force -= correction[(i, 0)]);
    }
    None
}
