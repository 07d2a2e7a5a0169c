//! Central differences.

use rotula_dae::{Sizes, State, StateWeights, Weights};

/// A state without special values.
pub fn ordinary(sizes: Sizes) -> State {
    let mut state = State::zeros(sizes);
    let mut seed = 0.37_f64;
    let State { q, v, vdot, multipliers, x, xdot, y, .. } = &mut state;
    for value in [q, v, vdot, multipliers, x, xdot, y].into_iter().flatten() {
        seed = (seed * 997.0 + 0.1234).fract();
        *value = 0.3 + 1.1 * seed;
    }
    state.t = 0.83;
    state
}

/// Moves a state in the direction of one unknown.
pub type Move = Box<dyn Fn(&mut State, f64)>;

pub fn motion(w: Weights, j: usize) -> Move {
    Box::new(move |state, h| {
        state.q[j] += h * w.stiffness;
        state.v[j] += h * w.damping;
        state.vdot[j] += h * w.mass;
    })
}

pub fn multiplier(j: usize) -> Move {
    Box::new(move |state, h| state.multipliers[j] += h)
}

pub fn auxiliary(sizes: Sizes, w: StateWeights, j: usize) -> Move {
    Box::new(move |state, h| match j.checked_sub(sizes.states) {
        Some(j) => state.y[j] += h,
        None => {
            state.x[j] += h * w.state;
            state.xdot[j] += h * w.rate;
        }
    })
}

/// Compares a column-major matrix with central differences of fourth order.
pub fn compare<F>(
    what: &str,
    values: &[f64],
    rows: usize,
    state: &State,
    moves: Vec<Move>,
    mut f: F,
) where
    F: FnMut(&State, &mut [f64]),
{
    assert_eq!(values.len(), rows * moves.len(), "{what}");
    let scale = values.iter().fold(1.0_f64, |a, b| a.max(b.abs()));
    for (j, moving) in moves.iter().enumerate() {
        let mut at = |h: f64| {
            let (mut moved, mut out) = (state.clone(), vec![0.0; rows]);
            moving(&mut moved, h);
            f(&moved, &mut out);
            out
        };
        let h = 1e-3;
        let [a, b, c, d] = [at(-2.0 * h), at(-h), at(h), at(2.0 * h)];
        for i in 0..rows {
            let slope = (8.0 * (c[i] - b[i]) - (d[i] - a[i])) / (12.0 * h);
            let value = values[i + rows * j];
            assert!(
                (slope - value).abs() < 1e-9 * scale,
                "{what} ({i}, {j}): {value}, not {slope}"
            );
        }
    }
}
