//! Linear equations of small motions about a state.
//!
//! About a state that solves the equations, small changes obey
//!
//! ```text
//! δq̇ = δv − C δq
//! M δv̇ + D δv + K δq + R δλ + F δx = 0        D, K: the whole tangent, with curvature and gyroscopic terms
//! G δq = 0                                    holonomic constraints bind positions …
//! [G; K] δv + [ġ_q; k_q] δq = 0               … and, with nonholonomic ones, velocities
//! ```
//!
//! a descriptor system `E ż = A z` in `(δq, δv, δλ, δx, δy)`. Its infinite eigenvalues belong to the
//! constraints and the algebraic variables, and are removed exactly, before any eigenvalue is
//! computed: `δq = N_q a` with `N_q` a kernel of `G` alone, `δv = N_v b + W a` with `N_v` a kernel
//! of `[G; K]`, and `δv̇, δλ, δẋ, δy` solved from the equations of motion, the constraints at
//! acceleration level and the auxiliary equations together. What is left is `ż = S z` with
//! `z = (a, b, δx)`. A rolling wheel keeps more positions than velocities that way, as it must.
//!
//! `C` appears where configurations do not add: the increment `δq` is seen in the axes of a frame
//! that moves with `v`, so `C δq = [v, δq]`, the commutator. It is found from `retract` and
//! `local`, and vanishes at rest. About a steady motion the equations are written in axes in which
//! their coefficients are constant, see [`steady`](super::steady): with `B` of these axes,
//! `δq̇ = δv − (C − B) δq`, and `B δv` is added to `δv̇`.

use super::commutator::{commutator, commutator_noise};
use super::dense::{
    auxiliary, constraint_tangent, eye, is_finite, largest, mass, put, reactions, scaled, tangent,
    times,
};
use super::matrix::Matrix;
use super::noise::{self, Noise, is_symmetric, magnitudes};
use super::space::{Space, Which, no_space, too_large};
use super::steady::{Axes, axes};
use crate::consistency::not_finite;
use crate::diagnosis::{Diagnosis, Failure, Sentence};
use crate::state::State;
use crate::system::{Level, StateWeights, System, Terms, Weights};
use faer::Mat;
use faer::linalg::solvers::Solve;

/// The matrices of small motions about a state.
#[derive(Clone, Debug)]
pub struct Linearisation {
    /// `∂/∂v̇` of the equations of motion.
    pub mass: Matrix,
    /// `∂/∂v`: dampers and gyroscopic terms.
    pub damping: Matrix,
    /// `∂/∂q`, with the curvature of the constraints under their reactions.
    pub stiffness: Matrix,
    /// `[G; K]`.
    pub constraints: Matrix,
    /// `S` of `ż = S z` with `z = (a, b, x)`.
    pub dynamics: Matrix,
    /// `N_q`: positions `δq = N_q a`.
    pub positions: Matrix,
    /// `N_v`: velocities `δv = N_v b`, and more about a moving state.
    pub velocities: Matrix,
    /// Why the state is neither an equilibrium nor a steady motion, if so.
    pub doubts: Vec<String>,
    pub(super) parts: Parts,
}

/// The same for further work.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    pub mass: Mat<f64>,
    pub damping: Mat<f64>,
    pub stiffness: Mat<f64>,
    pub first_order: Mat<f64>,
    /// Bounds of the errors of the matrices, and of `first_order`, entry by entry.
    pub noise: Noise,
    pub first_order_noise: Mat<f64>,
    /// The same of `velocities`.
    pub velocities_noise: Mat<f64>,
    pub positions: Mat<f64>,
    pub velocities: Mat<f64>,
    /// Reactions are `Gᵀλ`, nothing else is in play and the state is at rest.
    pub plain: bool,
    /// Equations for accelerations, multipliers, rates of states and variables, and their solution for `z`.
    pub left: Mat<f64>,
    pub solution: Mat<f64>,
    /// Multipliers `B μ` of independent combinations of the constraints.
    pub basis: Mat<f64>,
    /// `δq` and `δv` by `z`, and `b` by `δv`.
    pub position: Mat<f64>,
    pub velocity: Mat<f64>,
    pub projection: Mat<f64>,
}

/// Linearises at a state, which should solve the equations there: consistent, with its
/// accelerations and multipliers.
pub fn linearise(system: &mut dyn System, state: &State) -> Result<Linearisation, Diagnosis> {
    let Axes { turning, doubts } = axes(system, state);
    let parts = parts(system, state, turning)?;
    let constraints = super::dense::gradient(system, &state.point());
    Ok(Linearisation {
        mass: (&parts.mass).into(),
        damping: (&parts.damping).into(),
        stiffness: (&parts.stiffness).into(),
        constraints: (&constraints).into(),
        dynamics: (&parts.first_order).into(),
        positions: (&parts.positions).into(),
        velocities: (&parts.velocities).into(),
        doubts,
        parts,
    })
}

fn parts(
    system: &mut dyn System,
    state: &State,
    turning: Option<Mat<f64>>,
) -> Result<Parts, Diagnosis> {
    let sizes = system.sizes();
    let at = state.point();
    let (n, nx, na) = (sizes.motion, sizes.states, sizes.auxiliary());
    if too_large(system) {
        return Err(no_space(system, state));
    }
    let mass = tangent(system, &at, Weights::MASS, Terms::ALL);
    let damping = tangent(system, &at, Weights::DAMPING, Terms::ALL);
    let stiffness = tangent(system, &at, Weights::STIFFNESS, Terms::ALL);
    let bad = |m: &Mat<f64>| !is_finite(m);
    if bad(&mass) || bad(&damping) || bad(&stiffness) {
        return Err(not_finite(system, state));
    }
    let holonomic = Space::new(system, &at, Which::Holonomic);
    let all = Space::new(system, &at, Which::All);
    let (Some(holonomic), Some(all)) = (holonomic, all) else {
        return Err(no_space(system, state));
    };
    let (nq, nv) = (holonomic.kernel(), all.kernel());
    let (pq, pv) = (holonomic.coordinates(), all.coordinates());
    let (p, f) = (nq.ncols(), nv.ncols());

    // Independent combinations of the constraints: rows Bᵀ, multipliers B μ.
    let rank = all.svd.rank;
    let basis = Mat::from_fn(sizes.multipliers(), rank, |i, k| {
        if all.norms[i] > 0.0 { all.svd.u[(i, k)] / all.norms[i] } else { 0.0 }
    });
    let rates = StateWeights { rate: 1.0, state: 0.0 };
    let values = StateWeights { rate: 0.0, state: 1.0 };
    let by_rate = auxiliary(system, &at, Weights::MASS, rates);
    let by_position = auxiliary(system, &at, Weights::STIFFNESS, values);
    let by_velocity = auxiliary(system, &at, Weights::DAMPING, values);
    let acceleration = |system: &mut dyn System, weights| {
        basis.transpose() * constraint_tangent(system, Level::Acceleration, &at, weights)
    };

    let total = n + rank + na;
    let mut left = Mat::zeros(total, total);
    put(&mut left, 0, 0, &mass);
    put(&mut left, 0, n, &(reactions(system, &at) * &basis));
    put(&mut left, 0, n + rank, &by_rate.dynamics);
    put(&mut left, n, 0, &acceleration(system, Weights::MASS));
    put(&mut left, n + rank, 0, &by_rate.motion);
    put(&mut left, n + rank, n, &(&by_rate.multipliers * &basis));
    put(&mut left, n + rank, n + rank, &by_rate.own);

    // δv = N_v b + W a
    let slope = constraint_tangent(system, Level::Velocity, &at, Weights::STIFFNESS) * &nq;
    let mut drift = Mat::zeros(n, p);
    for j in 0..p {
        let column: Vec<f64> = (0..slope.nrows()).map(|i| -slope[(i, j)]).collect();
        for (i, value) in all.solve(&column).into_iter().enumerate() {
            drift[(i, j)] = value;
        }
    }
    let mut velocity = Mat::zeros(n, p + f + nx);
    put(&mut velocity, 0, 0, &drift);
    put(&mut velocity, 0, p, &nv);
    let mut position = Mat::zeros(n, p + f + nx);
    put(&mut position, 0, 0, &nq);

    let mut right = Mat::zeros(total, p + f + nx);
    let dynamic = &damping * &velocity + &stiffness * &position;
    put(&mut right, 0, 0, &dynamic);
    let bound = acceleration(system, Weights::DAMPING) * &velocity
        + acceleration(system, Weights::STIFFNESS) * &position;
    put(&mut right, n, 0, &bound);
    put(
        &mut right,
        n + rank,
        0,
        &(&by_velocity.motion * &velocity + &by_position.motion * &position),
    );
    for k in 0..nx {
        for i in 0..n {
            right[(i, p + f + k)] += by_position.dynamics[(i, k)];
        }
        for i in 0..na {
            right[(n + rank + i, p + f + k)] += by_position.own[(i, k)];
        }
    }
    let solution = solve(&left, &right).ok_or_else(|| undetermined(system, state))?;
    let noise = Noise::at(system, state, [&mass, &damping, &stiffness]);

    let mut apparent = commutator(system, state);
    if let Some(turning) = &turning {
        apparent -= turning;
    }
    let kinematics = &pq * (&velocity - &apparent * &position);
    let mut first_order = Mat::zeros(p + f + nx, p + f + nx);
    put(&mut first_order, 0, 0, &kinematics);
    let mut motion = solution.submatrix(0, 0, n, p + f + nx).to_owned();
    if let Some(turning) = &turning {
        motion -= turning * &velocity;
    }
    put(&mut first_order, p, 0, &-(&pv * &motion));
    let states = solution.submatrix(n + rank, 0, nx, p + f + nx).to_owned();
    put(&mut first_order, p + f, 0, &-states);

    // The same again for the errors: every product and solution by the magnitudes of its terms.
    let (abs, tiny) = (magnitudes, faer::Scale(noise.relative));
    let (moves, shifts) = (abs(&velocity), abs(&position));
    let mut uncertain = abs(&right) * tiny;
    let mut dynamic = &noise.damping * &moves + &noise.stiffness * &shifts;
    let at_places = abs(&stiffness) * noise::of_kernel(&holonomic);
    let at_speeds = abs(&damping) * noise::of_kernel(&all);
    for i in 0..n {
        (0..p).for_each(|j| dynamic[(i, j)] += at_places[(i, j)]);
        (0..f).for_each(|j| dynamic[(i, p + j)] += at_speeds[(i, j)]);
    }
    put(&mut uncertain, 0, 0, &dynamic);
    let bound = abs(&acceleration(system, Weights::DAMPING)) * &moves
        + abs(&acceleration(system, Weights::STIFFNESS)) * &shifts;
    put(&mut uncertain, n, 0, &(bound * tiny));
    let auxiliary = abs(&by_velocity.motion) * &moves + abs(&by_position.motion) * &shifts;
    put(&mut uncertain, n + rank, 0, &(auxiliary * tiny));
    let inverse = solve(&left, &eye(total)).ok_or_else(|| undetermined(system, state))?;
    let solved = abs(&inverse) * (uncertain + abs(&left) * abs(&solution) * tiny);
    let mut turned = abs(&apparent) * tiny + commutator_noise(system, state);
    let mut motion_noise = solved.submatrix(0, 0, n, p + f + nx).to_owned();
    if let Some(turning) = &turning {
        turned += abs(turning) * tiny;
        motion_noise += abs(turning) * &moves * tiny;
    }
    let mut first_order_noise = Mat::zeros(p + f + nx, p + f + nx);
    put(&mut first_order_noise, 0, 0, &(abs(&pq) * (&moves * tiny + turned * &shifts)));
    put(&mut first_order_noise, p, 0, &(abs(&pv) * (motion_noise + abs(&motion) * tiny)));
    put(
        &mut first_order_noise,
        p + f,
        0,
        &solved.submatrix(n + rank, 0, nx, p + f + nx).to_owned(),
    );
    let plain = system.patterns().reactions.is_none()
        && na == 0
        && p == f
        && state.v.iter().all(|v| *v == 0.0);
    Ok(Parts {
        mass,
        damping,
        stiffness,
        first_order,
        noise,
        first_order_noise,
        velocities_noise: noise::of_kernel(&all),
        positions: nq,
        velocities: nv,
        plain,
        left,
        solution,
        basis,
        position,
        velocity,
        projection: pv,
    })
}

/// Solves after rows and columns are brought to the same size; `None` if singular.
pub(super) fn solve(left: &Mat<f64>, right: &Mat<f64>) -> Option<Mat<f64>> {
    let n = left.nrows();
    if n == 0 {
        return Some(right.clone());
    }
    let (rows, cols) = equilibrate(left)?;
    let matrix = scaled(left, &rows, &cols);
    let qr = matrix.col_piv_qr();
    let r = qr.thin_R();
    if (0..n).any(|k| r[(k, k)].abs() <= 1e-14 * r[(0, 0)].abs()) {
        return None;
    }
    let ones = vec![1.0; right.ncols()];
    let solution = qr.solve(scaled(right, &rows, &ones));
    Some(scaled(&solution, &cols, &ones))
}

/// Factors for rows and columns that bring their largest entries near one; `None` for a zero one.
fn equilibrate(matrix: &Mat<f64>) -> Option<(Vec<f64>, Vec<f64>)> {
    let n = matrix.nrows();
    let (mut rows, mut cols) = (vec![1.0; n], vec![1.0; n]);
    for _ in 0..5 {
        let entry = |rows: &[f64], cols: &[f64], i: usize, j: usize| {
            (matrix[(i, j)] * rows[i] * cols[j]).abs()
        };
        for i in 0..n {
            let size = (0..n).fold(0.0_f64, |m, j| m.max(entry(&rows, &cols, i, j)));
            rows[i] /= if size > 0.0 { size.sqrt() } else { return None };
        }
        for j in 0..n {
            let size = (0..n).fold(0.0_f64, |m, i| m.max(entry(&rows, &cols, i, j)));
            cols[j] /= if size > 0.0 { size.sqrt() } else { return None };
        }
    }
    Some((rows, cols))
}

/// Names the motions that have no mass and that nothing holds.
pub(super) fn undetermined(system: &mut dyn System, state: &State) -> Diagnosis {
    let massless = super::check::massless_motions(system, state);
    let evidence = massless.iter().map(|motion| {
        let text = format!("a motion without mass: {}", super::words::names(motion));
        Sentence::about(text, super::words::coordinates(motion))
    });
    let what = if massless.is_empty() {
        "the auxiliary equations do not determine their unknowns"
    } else {
        "some motions have no mass and no constraint holds them"
    };
    Diagnosis::new(
        Failure::SingularMass,
        state.t,
        format!("the accelerations of small motions are not determined: {what}"),
    )
    .because(evidence)
    .remedied_by(vec!["give the named motions mass or inertia, or constrain them".into()])
}

impl Parts {
    /// What a vector over `(a, b, x)` means: coordinates and states.
    pub fn shape(&self, vector: &[faer::c64]) -> (Vec<faer::c64>, Vec<faer::c64>) {
        let (p, f) = (self.positions.ncols(), self.velocities.ncols());
        let of = |part: fn(&faer::c64) -> f64| -> Vec<f64> {
            let a: Vec<f64> = vector[..p].iter().map(part).collect();
            times(&self.positions, &a)
        };
        let (re, im) = (of(|c| c.re), of(|c| c.im));
        let shape = re.iter().zip(&im).map(|(r, i)| faer::c64::new(*r, *i)).collect();
        (shape, vector[p + f..].to_vec())
    }

    /// `Nᵀ A N` over the velocities that are left.
    pub fn reduced(&self, matrix: &Mat<f64>) -> Mat<f64> {
        self.velocities.transpose() * matrix * &self.velocities
    }

    /// No damping and a symmetric stiffness: vibrations of the classical kind.
    pub fn conservative(&self) -> bool {
        if !self.plain {
            return false;
        }
        let (m, d, k) =
            (self.reduced(&self.mass), self.reduced(&self.damping), self.reduced(&self.stiffness));
        // compared with what would be damping at a typical frequency
        let typical = (largest(&m) * largest(&k)).sqrt();
        let basis = (&self.velocities, &self.velocities_noise);
        is_symmetric(&k, &noise::reduced(basis, (&self.stiffness, &self.noise.stiffness)))
            && largest(&d) <= 1e-13 * typical
    }
}

/// The mass matrix on a kernel, for reports.
pub(super) fn reduced_mass(system: &mut dyn System, state: &State, kernel: &Mat<f64>) -> Mat<f64> {
    let matrix = mass(system, &state.point());
    if kernel.ncols() == 0 {
        return eye(0);
    }
    kernel.transpose() * matrix * kernel
}
