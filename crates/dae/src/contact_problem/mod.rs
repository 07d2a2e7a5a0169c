//! The contact problem: forces λ of the acting contacts, and rows (velocities over the step, or accelerations)
//!
//! ```text
//! u = b + W λ,   W = G S⁻¹ Gᵀ,   0 ≤ u_N ⊥ λ_N ≥ 0,   λ_T in the disc of radius μ λ_N, against u_T where it slips
//! ```
//!
//! with `S` the matrix of the smooth motion and its bilateral constraints, and `b` the rows without contact forces,
//! restitution included. `moreau-jean` solves one such problem for each linearisation of a step; `nonsmooth` solves
//! its equations by Newton's method, which has two more levels, and begins at such a problem where that fails.
//!
//! | file | content |
//! |---|---|
//! | `candidates` | the list of contacts and the layout of their rows |
//! | `law` | open, stick, slip: the equations of one contact |
//! | `subsystems` | what nothing but contacts connects; block inverses, colours |
//! | `delassus` | `W` in its parts, and **the measure of convergence** |
//! | `local_problem` | one contact by itself, solved exactly |
//! | `block_pivoting`, `envelope` | solver: active sets of contacts without friction on a sparse `W` |
//! | `newton` | solver: Alart and Curnier's Newton iteration on a dense `W` |
//! | `gauss_seidel` | solver: block Gauss–Seidel, contact by contact |

mod block_pivoting;
pub(crate) mod candidates;
mod delassus;
mod envelope;
mod gauss_seidel;
pub(crate) mod law;
mod local_problem;
mod newton;
mod subsystems;

use crate::stop::Stop;
use block_pivoting::BlockPivoting;
pub(crate) use candidates::Candidates;
pub(crate) use delassus::Delassus;
use gauss_seidel::{Acceleration, GaussSeidel};
pub(crate) use subsystems::{BlockInverses, Six, Subsystems};

/// More solutions with the matrix of the system than this are not worth their price.
pub(crate) const MOST_COLOURS: usize = 400;
/// Sweeps stop at this part of the bound.
const INNER: f64 = 0.3;

/// A way to solve the problem. Each begins with the forces that the one before left.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Solver {
    BlockPivoting,
    Newton,
    GaussSeidel { acceleration: Acceleration, sweeps: usize },
}

/// **What is tried after what**, by the number of acting rows. Pivoting refuses friction, and a dense `W`. Newton's
/// method is best for few contacts, and for those that sweeps leave: sweeps are cheap where forces act on few
/// neighbours and slow in tall stacks. Neither likes contacts that are wedged, which leaps resolve.
fn sequence(rows: usize) -> &'static [Solver] {
    use Acceleration::{ConjugateDirections, Leaps};
    use Solver::{BlockPivoting, GaussSeidel, Newton};
    const WEDGED: Solver = GaussSeidel { acceleration: Leaps, sweeps: 2_000 };
    const FEW: Solver = GaussSeidel { acceleration: ConjugateDirections, sweeps: 200 };
    const MANY: Solver = GaussSeidel { acceleration: ConjugateDirections, sweeps: 10_000 };
    match rows {
        0..=36 => &[BlockPivoting, Newton, WEDGED],
        37..=newton::MOST_ROWS => &[BlockPivoting, FEW, Newton, WEDGED],
        _ => &[BlockPivoting, MANY],
    }
}

/// How exactly forces are wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bound {
    /// Of the error, for solvers that stop on their way, and for those to which nothing is lost by meeting it finely.
    pub coarse: f64,
    pub fine: f64,
    /// Sweeps need not change less than this part of what the first one changed.
    pub part: f64,
}

/// What a solver did.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Solved {
    pub iterations: usize,
    /// The bound that was met.
    pub bound: f64,
    pub fine: bool,
}

/// The operator with the memory of the solvers.
#[derive(Default)]
pub(crate) struct ContactProblem {
    pub delassus: Delassus,
    pivoting: BlockPivoting,
    gauss_seidel: GaussSeidel,
}

impl ContactProblem {
    /// Finds the forces, beginning with those given, and moves the bodies. None if no solver finds them, or if asked
    /// to stop.
    pub fn solve(&mut self, forces: &mut [f64], bound: Bound, stop: &Stop) -> Option<Solved> {
        let delassus = &mut self.delassus;
        let mut iterations = 0;
        for &solver in sequence(delassus.row_count()) {
            let found = match solver {
                Solver::BlockPivoting => self.pivoting.solve(delassus, forces),
                Solver::Newton => newton::solve(delassus, forces, bound.fine),
                Solver::GaussSeidel { acceleration, sweeps } => {
                    let target = (INNER * bound.coarse, bound.part);
                    let way = (acceleration, sweeps, stop);
                    let found = self.gauss_seidel.solve(delassus, forces, target, way);
                    iterations += if found.is_none() { sweeps } else { 0 };
                    found
                }
            };
            if let Some(more) = found {
                let fine = !matches!(solver, Solver::GaussSeidel { .. });
                let bound = if fine { bound.fine } else { bound.coarse };
                return Some(Solved { iterations: iterations + more, bound, fine });
            }
        }
        None
    }
}
