//! Steady motions: axes in which the small motions about them have constant coefficients.
//!
//! A wheel that rolls turns in its own axes, and everything moves on. Seen from the frame of the
//! vehicle nothing changes: with `s` the velocity relative to what everything moves with, small changes
//! written as `δ̃ = T δ`, `Ṫ = T B`, `B δ = [s, δ]`, obey equations with constant coefficients if the
//! motion is steady. Which thing everything moves with is found by trying: each thing that the system
//! names, nothing at all (`s = v`: axes that stand still), and the things themselves (`s = 0`). Before that
//! it is seen whether one twist [carries](super::sweep) everything.

use super::commutator::commutator;
use super::dense::{RANK_TOLERANCE, constraint_tangent, eye, gradient, largest, tangent, times};
use super::space::{Space, Which};
use super::twist::Steady;
use crate::state::State;
use crate::system::{Component, Level, System, Terms, Weights};
use faer::Mat;

/// Coefficients and velocities that change by less than this, relative, are constant: the commutator
/// is found by differences.
const CONSTANT: f64 = 1e-6;
/// How far the motion is followed to see whether anything changes, in units of `1/speed`.
const AHEAD: f64 = 0.3;
/// Most things that are tried.
const MOST_TRIED: usize = 50;
/// Accelerations below this part of the scale, per second squared, are none.
const AT_REST: f64 = 1e-6;

/// The axes of a steady motion.
pub(super) struct Axes {
    /// `B`, or `None` for zero.
    pub turning: Option<Mat<f64>>,
    /// Why the motion is not steady, if it is not.
    pub doubts: Vec<String>,
}

/// Finds axes in which the motion at a state is steady, or says why there are none.
pub(super) fn axes(system: &mut dyn System, state: &State) -> Axes {
    let speed = speed(system, &state.v);
    if speed == 0.0 {
        return Axes { turning: None, doubts: accelerating(system, state) };
    }
    if let Some(steady) = Steady::at(system, state) {
        let axes = steady.axes();
        return Axes { turning: (largest(&axes) > 0.0).then_some(axes), doubts: Vec::new() };
    }
    let mut relative = vec![vec![0.0; state.v.len()], state.v.clone()];
    for reference in 0..MOST_TRIED {
        let mut carried = vec![0.0; state.v.len()];
        if !system.carried(&state.point(), reference, &mut carried) {
            break;
        }
        relative.push(state.v.iter().zip(&carried).map(|(v, c)| v - c).collect());
    }
    for s in relative {
        let moving = State { v: s, ..state.clone() };
        let turning = commutator(system, &moving);
        if is_steady(system, state, (&moving.v, &turning), speed) {
            let turning = (largest(&turning) > 0.0).then_some(turning);
            return Axes { turning, doubts: Vec::new() };
        }
    }
    let fastest = |values: &[f64]| prominent(system, values);
    let doubts = vec![format!(
        "the state is no steady motion: `{}` moves with {:.3e} and `{}` accelerates by {:.3e}, and \
         no body was found in whose axes nothing changes; the eigenvalues are those of the equations \
         frozen at this instant, which say little about stability",
        fastest(&state.v).0,
        fastest(&state.v).1,
        fastest(&state.vdot).0,
        fastest(&state.vdot).1,
    )];
    Axes { turning: None, doubts }
}

fn speed(system: &dyn System, v: &[f64]) -> f64 {
    v.iter().enumerate().fold(0.0, |m: f64, (i, v)| m.max((v / system.scale(i)).abs()))
}

/// The component that is largest when measured by its scale, and its value.
fn prominent(system: &dyn System, values: &[f64]) -> (String, f64) {
    let size = |i: usize| (values[i] / system.scale(i)).abs();
    let most = (0..values.len()).max_by(|a, b| size(*a).total_cmp(&size(*b)));
    most.map_or((String::new(), 0.0), |i| (system.name(Component::Coordinate(i)), values[i]))
}

/// A state at rest that does not stay there.
fn accelerating(system: &dyn System, state: &State) -> Vec<String> {
    if speed(system, &state.vdot) <= AT_REST {
        return Vec::new();
    }
    let (name, value) = prominent(system, &state.vdot);
    vec![format!(
        "the state is at rest but not in equilibrium: `{name}` accelerates by {value:.3e}; find an \
         equilibrium first"
    )]
}

/// Whether velocities and coefficients stay what they are in the turned axes, given `s` and `B`.
fn is_steady(
    system: &mut dyn System,
    state: &State,
    (s, turning): (&[f64], &Mat<f64>),
    speed: f64,
) -> bool {
    let n = state.v.len();
    // d(T v)/dt = T (v̇ + B v)
    let turned = times(turning, &state.v);
    let scale = |i: usize| system.scale(i);
    let change =
        (0..n).fold(0.0, |m: f64, i| m.max(((state.vdot[i] + turned[i]) / scale(i)).abs()));
    if change > CONSTANT * speed * speed.max(1.0) {
        return false;
    }
    let dt = AHEAD / speed;
    // T⁻¹ = exp(−B dt)
    let back = exponential(turning, -dt);
    // everything moves on with one thing, and then relative to it
    let carried: Vec<f64> = state.v.iter().zip(s).map(|(v, s)| (v - s) * dt).collect();
    let relative: Vec<f64> = s.iter().map(|s| s * dt).collect();
    let (mut moved, mut later) = (state.q.clone(), state.clone());
    system.retract(&state.q, &carried, &mut moved);
    system.retract(&moved, &relative, &mut later.q);
    later.t += dt;
    later.v = times(&back, &state.v);
    later.vdot = times(&back, &state.vdot);
    let same = |a: &Mat<f64>, b: &Mat<f64>| {
        let size = largest(a).max(largest(b));
        largest(&(a - b)) <= CONSTANT * size.max(1e-12)
    };
    if state.multipliers.is_empty() {
        return tangents_stay(system, (state, &later), &back, same);
    }
    let holonomic = Space::new(system, &state.point(), Which::Holonomic);
    let all = Space::new(system, &state.point(), Which::All);
    let (Some(holonomic), Some(all)) = (holonomic, all) else { return false };
    // The gradients span the same rows, which may be mixed when they are written in other axes: G̃ = Q G.
    let then = gradient(system, &later.point()) * &back;
    let rows = then.nrows();
    let mut mixing = Mat::zeros(rows, rows);
    for i in 0..rows {
        let row: Vec<f64> = (0..n).map(|j| then[(i, j)]).collect();
        for (j, share) in all.multipliers(&row).into_iter().enumerate() {
            mixing[(i, j)] = share;
        }
    }
    if !same(&then, &(&mixing * &all.gradient)) {
        return false;
    }
    // Velocities of the constraints depend on positions alike, where the positions hold.
    let slope = |system: &mut dyn System, state: &State| {
        constraint_tangent(system, Level::Velocity, &state.point(), Weights::STIFFNESS)
    };
    let kernel = holonomic.kernel();
    let (now, later_slope) = (slope(system, state), slope(system, &later));
    if !same(&(later_slope * &back * &kernel), &(&mixing * now * &kernel)) {
        return false;
    }
    // The reactions stay, seen in the turned axes.
    let reaction = times(&all.gradient.transpose().to_owned(), &state.multipliers);
    let Some(space) = Space::of(then, all.scale, RANK_TOLERANCE) else { return false };
    later.multipliers = space.multipliers(&reaction);
    tangents_stay(system, (state, &later), &back, same)
}

/// Whether the derivatives of the equations of motion stay what they are.
fn tangents_stay(
    system: &mut dyn System,
    (state, later): (&State, &State),
    back: &Mat<f64>,
    same: impl Fn(&Mat<f64>, &Mat<f64>) -> bool,
) -> bool {
    [Weights::MASS, Weights::DAMPING, Weights::STIFFNESS].into_iter().all(|weights| {
        let now = tangent(system, &state.point(), weights, Terms::ALL);
        let then = tangent(system, &later.point(), weights, Terms::ALL);
        same(&now, &(back.transpose() * then * back))
    })
}

/// `exp(factor · A)` by scaling, a series and squaring.
fn exponential(matrix: &Mat<f64>, factor: f64) -> Mat<f64> {
    let n = matrix.nrows();
    let size = largest(matrix) * factor.abs() * n as f64;
    let halvings = size.max(1.0).log2().ceil() as i32 + 2;
    let small = Mat::from_fn(n, n, |i, j| matrix[(i, j)] * factor / 2f64.powi(halvings));
    let mut sum = eye(n);
    let mut term = eye(n);
    for k in 1..=14 {
        let next = &term * &small;
        term = Mat::from_fn(n, n, |i, j| next[(i, j)] / f64::from(k));
        sum += &term;
    }
    for _ in 0..halvings {
        sum = &sum * &sum;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponential_of_a_rotation() {
        let mut matrix = Mat::zeros(2, 2);
        (matrix[(0, 1)], matrix[(1, 0)]) = (-3.0, 3.0);
        let found = exponential(&matrix, 0.7);
        assert!((found[(0, 0)] - 2.1f64.cos()).abs() < 1e-14);
        assert!((found[(1, 0)] - 2.1f64.sin()).abs() < 1e-14);
    }
}
