//! Small motions between inputs and outputs: `ż = A z + B u`, `y = C z + D u`.
//!
//! To the linear equations of [`linearise`](super::linearise) come the inputs, which stand in the equations of motion, in the
//! constraints at acceleration level and in the auxiliary equations. What is solved from these together,
//! `w = (δv̇, δμ, δẋ, δy)`, is then a linear function of the state `z = (a, b, δx)` and of the inputs:
//!
//! ```text
//! L w + R z + S δu = 0        S: the change of these rows with the inputs, by differences
//! ```
//!
//! An output may be anything that can be read at a state: a place, a reaction, an acceleration. Its derivative along each of
//! these directions is a central difference of fourth order.

use super::linearise::{Parts, linearise, solve, undetermined};
use super::matrix::Matrix;
use crate::diagnosis::{Diagnosis, Failure, Sentence, Subject};
use crate::state::State;
use crate::system::{Level, System, Terms};
use faer::Mat;

/// How far an output is read to both sides, as a part of the scale of what moves.
const REACH: f64 = 1e-3;
/// Times after the present one at which no constraint may depend on an input.
const LATER: [f64; 4] = [0.0, 1e-3, 1.0, 1e3];

/// Linear equations between inputs and outputs.
#[derive(Clone, Debug)]
pub struct StateSpace {
    /// `A`.
    pub dynamics: Matrix,
    /// `B`: a column for each input.
    pub inputs: Matrix,
    /// `C`: a row for each output.
    pub outputs: Matrix,
    /// `D`: what of an input is in an output at once.
    pub direct: Matrix,
    /// Why the state is neither an equilibrium nor a steady motion, if so.
    pub doubts: Vec<String>,
}

/// The change of everything at a state with one number.
struct Direction {
    q: Vec<f64>,
    v: Vec<f64>,
    vdot: Vec<f64>,
    multipliers: Vec<f64>,
    x: Vec<f64>,
    xdot: Vec<f64>,
    y: Vec<f64>,
}

/// Linearises between inputs, by their places among the names of the system, and what is read at a state. The state should
/// solve the equations: consistent, with its accelerations and multipliers.
pub fn state_space(
    system: &mut dyn System,
    state: &State,
    inputs: &[usize],
    outputs: usize,
    read: &mut dyn FnMut(&State, &mut [f64]),
) -> Result<StateSpace, Diagnosis> {
    let small = linearise(system, state)?;
    let parts = &small.parts;
    let sources = sources(system, state, &parts.basis, inputs)?;
    let forced = solve(&parts.left, &sources).ok_or_else(|| undetermined(system, state))?;
    let (p, f) = (parts.positions.ncols(), parts.velocities.ncols());
    let (n, rank) = (system.sizes().motion, parts.basis.ncols());
    let (nx, rows) = (system.sizes().states, parts.first_order.nrows());

    let mut b = Mat::zeros(rows, inputs.len());
    let accelerations = -(&parts.projection * forced.submatrix(0, 0, n, inputs.len()));
    for j in 0..inputs.len() {
        (0..f).for_each(|i| b[(p + i, j)] = accelerations[(i, j)]);
        (0..nx).for_each(|i| b[(p + f + i, j)] = -forced[(n + rank + i, j)]);
    }
    let directions = directions(system, parts, &forced);
    let mut slopes = Mat::zeros(outputs, directions.len());
    for (j, direction) in directions.iter().enumerate() {
        for (i, slope) in slope(system, state, direction, outputs, read).into_iter().enumerate() {
            slopes[(i, j)] = slope;
        }
    }
    Ok(StateSpace {
        dynamics: small.dynamics.clone(),
        inputs: (&b).into(),
        outputs: (&slopes.submatrix(0, 0, outputs, rows).to_owned()).into(),
        direct: (&slopes.submatrix(0, rows, outputs, inputs.len()).to_owned()).into(),
        doubts: small.doubts,
    })
}

/// `S`: how the equations change with each input.
fn sources(
    system: &mut dyn System,
    state: &State,
    basis: &Mat<f64>,
    inputs: &[usize],
) -> Result<Mat<f64>, Diagnosis> {
    let sizes = system.sizes();
    let (n, m, na) = (sizes.motion, sizes.multipliers(), sizes.auxiliary());
    let rank = basis.ncols();
    let mut sources = Mat::zeros(n + rank + na, inputs.len());
    for (column, &input) in inputs.iter().enumerate() {
        let value = known(system).value(input);
        let reach = REACH * value.abs().max(1.0);
        let mut evaluate = |value: f64| -> Vec<f64> {
            known(system).set(input, value, state.t);
            let at = state.point();
            let mut rows = vec![0.0; n + m + na];
            let (dynamics, rest) = rows.split_at_mut(n);
            let (constraints, auxiliary) = rest.split_at_mut(m);
            system.dynamics(&at, Terms::ALL, dynamics);
            if m > 0 {
                system.constraint(Level::Acceleration, &at, constraints);
            }
            if na > 0 {
                system.auxiliary(&at, auxiliary);
            }
            rows
        };
        let (more, less) = (evaluate(value + reach), evaluate(value - reach));
        let slope: Vec<f64> =
            more.iter().zip(&less).map(|(a, b)| (a - b) / (2.0 * reach)).collect();
        let moved = prescribes(system, state, input, value, reach);
        known(system).set(input, value, state.t);
        if moved {
            return Err(prescribed(system, state, input));
        }
        (0..n).for_each(|i| sources[(i, column)] = slope[i]);
        for k in 0..rank {
            sources[(n + k, column)] = (0..m).map(|i| basis[(i, k)] * slope[n + i]).sum();
        }
        (0..na).for_each(|i| sources[(n + rank + i, column)] = slope[n + m + i]);
    }
    Ok(sources)
}

/// Whether constraints follow an input in their places, now or later: it then is no input of linear equations.
fn prescribes(
    system: &mut dyn System,
    state: &State,
    input: usize,
    value: f64,
    reach: f64,
) -> bool {
    let sizes = system.sizes();
    if sizes.multipliers() == 0 {
        return false;
    }
    let mut places = |value: f64| -> Vec<f64> {
        known(system).set(input, value, state.t);
        let mut all = Vec::new();
        for later in LATER {
            let at = crate::system::Point { t: state.t + later, ..state.point() };
            for level in [Level::Position, Level::Velocity] {
                let count = match level {
                    Level::Position => sizes.holonomic,
                    _ => sizes.multipliers(),
                };
                let mut rows = vec![0.0; count];
                system.constraint(level, &at, &mut rows);
                all.extend(rows);
            }
        }
        all
    };
    let (more, less) = (places(value + reach), places(value - reach));
    more.iter().zip(&less).any(|(a, b)| (a - b).abs() > 1e-9 * reach)
}

/// The inputs of a system that has such.
fn known(system: &mut dyn System) -> &mut dyn crate::system::Inputs {
    system.inputs().expect("an input that is asked for by its place")
}

fn prescribed(system: &mut dyn System, state: &State, input: usize) -> Diagnosis {
    let name = known(system).names().swap_remove(input);
    let message =
        format!("the input `{name}` prescribes a motion: it would have to act by its acceleration");
    let message = Sentence::about(message, [Subject::Variable(name)]);
    Diagnosis::new(Failure::Unsupported, state.t, message).remedied_by(vec![
        "let the input be a force or a torque, with a controller that follows a wish".into(),
    ])
}

/// What moves with each number of `z`, then with each input.
fn directions(system: &dyn System, parts: &Parts, forced: &Mat<f64>) -> Vec<Direction> {
    let sizes = system.sizes();
    let (n, nx, rank) = (sizes.motion, sizes.states, parts.basis.ncols());
    let (p, f) = (parts.positions.ncols(), parts.velocities.ncols());
    let of = |solved: &Mat<f64>, column: usize, state: Option<usize>| {
        let solved = |from: usize, count: usize| -> Vec<f64> {
            (0..count).map(|i| -solved[(from + i, column)]).collect()
        };
        let reactions = solved(n, rank);
        let multipliers = (0..sizes.multipliers())
            .map(|i| (0..rank).map(|k| parts.basis[(i, k)] * reactions[k]).sum());
        let part = |matrix: &Mat<f64>| -> Vec<f64> {
            (0..n).map(|i| state.map_or(0.0, |k| matrix[(i, k)])).collect()
        };
        Direction {
            q: part(&parts.position),
            v: part(&parts.velocity),
            vdot: solved(0, n),
            multipliers: multipliers.collect(),
            x: (0..nx).map(|i| f64::from(u8::from(state == Some(p + f + i)))).collect(),
            xdot: solved(n + rank, nx),
            y: solved(n + rank + nx, sizes.variables),
        }
    };
    let states = (0..parts.first_order.nrows()).map(|k| of(&parts.solution, k, Some(k)));
    states.chain((0..forced.ncols()).map(|k| of(forced, k, None))).collect()
}

/// The derivative of all outputs along a direction.
fn slope(
    system: &dyn System,
    state: &State,
    direction: &Direction,
    outputs: usize,
    read: &mut dyn FnMut(&State, &mut [f64]),
) -> Vec<f64> {
    let scaled = |values: &[f64]| {
        let sizes = values.iter().enumerate().map(|(i, value)| value.abs() / system.scale(i));
        sizes.fold(0.0_f64, f64::max)
    };
    let own = |change: &[f64], values: &[f64]| {
        let sizes = change.iter().zip(values).map(|(d, value)| d.abs() / value.abs().max(1.0));
        sizes.fold(0.0_f64, f64::max)
    };
    let size = scaled(&direction.q)
        .max(scaled(&direction.v))
        .max(own(&direction.x, &state.x))
        .max(own(&direction.y, &state.y))
        .max(own(&direction.multipliers, &state.multipliers));
    let step = if size > 0.0 { REACH / size } else { REACH };
    let mut values = |part: f64| -> Vec<f64> {
        let moved = moved(system, state, direction, part * step);
        let mut values = vec![0.0; outputs];
        read(&moved, &mut values);
        values
    };
    let [far, more, less, back] = [2.0, 1.0, -1.0, -2.0].map(&mut values);
    (0..outputs).map(|i| (8.0 * (more[i] - less[i]) - (far[i] - back[i])) / (12.0 * step)).collect()
}

fn moved(system: &dyn System, state: &State, direction: &Direction, part: f64) -> State {
    let mut moved = state.clone();
    let increment: Vec<f64> = direction.q.iter().map(|d| part * d).collect();
    super::dense::move_by(system, &mut moved, &increment);
    for (values, change) in [
        (&mut moved.v, &direction.v),
        (&mut moved.vdot, &direction.vdot),
        (&mut moved.multipliers, &direction.multipliers),
        (&mut moved.x, &direction.x),
        (&mut moved.xdot, &direction.xdot),
        (&mut moved.y, &direction.y),
    ] {
        values.iter_mut().zip(change).for_each(|(value, d)| *value += part * d);
    }
    moved
}
