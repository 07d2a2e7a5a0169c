//! Alart and Curnier's Newton iteration on the assembled operator: the status of all contacts by their augmented
//! forces, then all equations that follow at once.

use super::delassus::{Delassus, root_mean};
use super::law::{LocalState, Status};
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
    let contacts = delassus.contacts.len();
    let mut first = vec![0; contacts];
    let (mut found, mut free) = (vec![0.0; count], vec![0.0; count]);
    let mut next = 0;
    for k in 0..contacts {
        first[k] = next;
        next += delassus.contacts[k].law.rows();
        found[first[k]..next].copy_from_slice(&delassus.forces(k, forces)[..next - first[k]]);
        free[first[k]..next].copy_from_slice(&delassus.rows(k)[..next - first[k]]);
    }
    let mut w = Mat::<f64>::zeros(count, count);
    for k in 0..contacts {
        for j in 0..contacts {
            let block = delassus.block(k, j);
            for a in 0..delassus.contacts[k].law.rows() {
                for b in 0..delassus.contacts[j].law.rows() {
                    w[(first[k] + a, first[j] + b)] = block[a][b];
                    free[first[k] + a] -= block[a][b] * found[first[j] + b];
                }
            }
        }
    }
    let (mut rows, mut status) = (vec![0.0; count], vec![Status::Open; contacts]);
    for iteration in 0..=MOST_ITERATIONS {
        for (i, row) in rows.iter_mut().enumerate() {
            *row = free[i] + (0..count).map(|j| w[(i, j)] * found[j]).sum::<f64>();
        }
        let (mut matrix, mut residual) = (Mat::<f64>::zeros(count, count), Mat::zeros(count, 1));
        for (k, acting) in delassus.contacts.iter().enumerate() {
            let own = first[k]..first[k] + acting.law.rows();
            let (law, mass) = (&acting.law, &acting.mass);
            let (rows, forces) = (&rows[own.clone()], &found[own]);
            let state = LocalState { law, rows, forces, r: mass, mass, turns: true };
            status[k] = state.status();
            let equations = state.equations(status[k], forces);
            for a in 0..law.rows() {
                let i = first[k] + a;
                residual[(i, 0)] = equations.residual[a];
                for b in 0..law.rows() {
                    matrix[(i, first[k] + b)] += equations.forces[a][b];
                    let weight = equations.rows[a][b];
                    if weight != 0.0 {
                        (0..count).for_each(|j| matrix[(i, j)] += weight * w[(first[k] + b, j)]);
                    }
                }
                if equations.rows[a][a] == 1.0 {
                    matrix[(i, i)] += REGULARISATION * acting.own[a][a];
                }
            }
        }
        let error = root_mean(residual.col_as_slice(0).iter().map(|r| r * r).sum(), count);
        if error <= bound {
            for k in 0..contacts {
                let mut next = [0.0; 3];
                let count = delassus.contacts[k].law.rows();
                // nothing is left of what is open
                if status[k].closed() {
                    next[..count].copy_from_slice(&found[first[k]..first[k] + count]);
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
