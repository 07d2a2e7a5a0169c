//! Rates of states and algebraic variables in the order of their dependence.
//!
//! At a start nobody has computed them yet, and a formula must not be evaluated with values that
//! mean nothing: `c = 1/b` fails at the guess `b = 0`, though `b` follows from the positions. So
//! each is computed after everything it uses. Those that use each other (algebraic loops) are solved
//! together; those that use accelerations or multipliers wait until these are known.

use crate::state::State;
use crate::system::{Patterns, Sizes, System};
use crate::underlying::Underlying;
use crate::vector::max_abs;
use rotula_linear::{BlockBuilder, Options, Pattern};

const MOST_ITERATIONS: usize = 50;
const MOST_HALVINGS: usize = 20;
/// A loop is solved when its residual is this small against its values; the iteration for
/// accelerations and multipliers goes on from there.
const SETTLED: f64 = 1e-10;

/// Who uses whom among rates and variables (rates first), and who is known by now.
pub(crate) struct Dependence {
    states: usize,
    /// Variables that a row uses, other than its own.
    variables: Vec<Vec<usize>>,
    /// States that a row uses: their values, which are known, or their rates.
    rates: Vec<Vec<usize>>,
    /// Rows that use multipliers.
    multipliers: Vec<bool>,
    /// Rows that use the motion: positions and velocities, which are known, or accelerations.
    motion: Vec<bool>,
    known: Vec<bool>,
}

/// Computes rates and variables, as far as they follow from time, positions, velocities and states.
pub fn settle_variables(system: &mut dyn System, state: &mut State) {
    Dependence::new(&system.patterns(), system.sizes().states).settle(system, state, false);
}

/// Computes all rates and variables, those that use accelerations and multipliers with values of
/// these that meet the equations of motion: a guess from which all can be solved together.
pub(crate) fn settle_all(system: &mut dyn System, state: &mut State) {
    let (sizes, patterns) = (system.sizes(), system.patterns());
    let mut dependence = Dependence::new(&patterns, sizes.states);
    dependence.settle(system, state, false);
    if dependence.known.iter().all(|known| *known) {
        return;
    }
    let sizes = Sizes { states: 0, variables: 0, ..sizes };
    let patterns = Patterns {
        auxiliary: Pattern::empty(0, 0),
        auxiliary_motion: Pattern::empty(0, sizes.motion),
        auxiliary_multipliers: Pattern::empty(0, sizes.multipliers()),
        dynamics_auxiliary: Pattern::empty(sizes.motion, 0),
        ..patterns
    };
    let mut moved = state.clone();
    // where this fails, solving all together fails too, and says why
    if Underlying::new(sizes, &patterns).solve(system, &mut moved).is_ok() {
        *state = moved;
        dependence.settle(system, state, true);
    }
}

impl Dependence {
    pub fn new(patterns: &Patterns, states: usize) -> Self {
        let count = patterns.auxiliary.rows();
        let (mut variables, mut rates) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        for (row, column) in patterns.auxiliary.iter().filter(|(row, column)| row != column) {
            let list = if column < states { &mut rates } else { &mut variables };
            list[row].push(column);
        }
        let touched = |pattern: &Pattern| {
            let mut rows = vec![false; count];
            pattern.iter().for_each(|(row, _)| rows[row] = true);
            rows
        };
        Dependence {
            states,
            variables,
            rates,
            multipliers: touched(&patterns.auxiliary_multipliers),
            motion: touched(&patterns.auxiliary_motion),
            known: vec![false; count],
        }
    }

    /// Computes what follows from what is known; `motion` says whether accelerations and multipliers
    /// are.
    pub fn settle(&mut self, system: &mut dyn System, state: &mut State, motion: bool) {
        loop {
            let known = &self.known;
            let open = (0..known.len()).filter(|&row| {
                !known[row] && self.variables[row].iter().all(|&column| known[column])
            });
            let mut ready: Vec<usize> = open.collect();
            let waiting = self.waiting_for(system, state, &ready, motion);
            ready.retain(|row| waiting[*row].is_empty());
            if ready.is_empty() {
                let Some(ring) = self.loop_without(system, state, motion) else { return };
                ready = ring;
                if !solve_loop(system, state, self.states, &ready) {
                    return;
                }
            } else {
                let mut failed = compute(system, state, self.states, &ready);
                // a row that is not settled by its own formula uses itself
                failed.retain(|row| !solve_loop(system, state, self.states, &[*row]));
                ready.retain(|row| !failed.contains(row));
                if ready.is_empty() {
                    return;
                }
            }
            ready.iter().for_each(|row| self.known[*row] = true);
        }
    }

    /// What each of some rows still waits for besides variables: rows of unknown rates, and its own
    /// number if that is accelerations or multipliers. Whether it uses a rate or only the state, an
    /// acceleration or only the velocity, is seen by changing it.
    fn waiting_for(
        &self,
        system: &mut dyn System,
        state: &State,
        rows: &[usize],
        motion: bool,
    ) -> Vec<Vec<usize>> {
        let mut waiting = vec![Vec::new(); self.known.len()];
        let mut changed = state.clone();
        if !motion {
            let touched: Vec<usize> =
                rows.iter().copied().filter(|row| self.motion[*row]).collect();
            change(&mut changed.vdot);
            for row in differing(system, [state, &changed], &touched) {
                waiting[row].push(row);
            }
            changed.vdot.copy_from_slice(&state.vdot);
            for &row in rows.iter().filter(|row| self.multipliers[**row]) {
                waiting[row].push(row);
            }
        }
        let mut unknown: Vec<usize> =
            rows.iter().flat_map(|row| &self.rates[*row]).copied().collect();
        unknown.retain(|rate| !self.known[*rate]);
        unknown.sort_unstable();
        unknown.dedup();
        for rate in unknown {
            let users = rows.iter().copied().filter(|row| self.rates[*row].contains(&rate));
            change(&mut changed.xdot[rate..=rate]);
            for row in differing(system, [state, &changed], &users.collect::<Vec<_>>()) {
                waiting[row].push(rate);
            }
            changed.xdot[rate] = state.xdot[rate];
        }
        waiting
    }

    /// The smallest set of unknown rows that use each other, nothing else unknown, and neither
    /// accelerations nor multipliers unless these are known.
    fn loop_without(
        &self,
        system: &mut dyn System,
        state: &State,
        motion: bool,
    ) -> Option<Vec<usize>> {
        let open: Vec<usize> = (0..self.known.len()).filter(|row| !self.known[*row]).collect();
        let waiting = self.waiting_for(system, state, &open, motion);
        let reach = |start: usize| {
            let (mut found, mut stack) = (Vec::new(), vec![start]);
            while let Some(row) = stack.pop() {
                if waiting[row].contains(&row) {
                    return None;
                }
                if !found.contains(&row) {
                    found.push(row);
                    let used = self.variables[row].iter().chain(&waiting[row]);
                    stack.extend(used.filter(|used| !self.known[**used]));
                }
            }
            Some(found)
        };
        open.iter().filter_map(|row| reach(*row)).min_by_key(Vec::len)
    }
}

/// Changes numbers, each by another amount, so that whatever depends on them differs.
fn change(numbers: &mut [f64]) {
    for (k, number) in numbers.iter_mut().enumerate() {
        *number += 1.0 + (k as f64 * 0.618_033_988_749_894_9).fract();
    }
}

/// The rows whose residuals differ at two states. One that is no number tells nothing, and counts.
fn differing(system: &mut dyn System, states: [&State; 2], rows: &[usize]) -> Vec<usize> {
    if rows.is_empty() {
        return Vec::new();
    }
    let [one, other] = states.map(|state| {
        let mut residual = vec![0.0; rows.len()];
        system.auxiliary_rows(&state.point(), rows, &mut residual);
        residual
    });
    let pairs = one.into_iter().zip(other);
    rows.iter().zip(pairs).filter(|(_, (one, other))| one != other).map(|(row, _)| *row).collect()
}

/// The unknown that a row determines.
fn unknown(state: &mut State, states: usize, row: usize) -> &mut f64 {
    if row < states { &mut state.xdot[row] } else { &mut state.y[row - states] }
}

/// Gives each row's unknown the value of its formula; those that do not settle by that are returned
/// as they were.
fn compute(
    system: &mut dyn System,
    state: &mut State,
    states: usize,
    rows: &[usize],
) -> Vec<usize> {
    let mut residual = vec![0.0; rows.len()];
    system.auxiliary_rows(&state.point(), rows, &mut residual);
    let given: Vec<f64> = rows.iter().map(|&row| *unknown(state, states, row)).collect();
    for (&row, r) in rows.iter().zip(&residual) {
        *unknown(state, states, row) -= r;
    }
    system.auxiliary_rows(&state.point(), rows, &mut residual);
    let mut failed = Vec::new();
    for ((&row, r), given) in rows.iter().zip(&residual).zip(given) {
        let value = unknown(state, states, row);
        if r.is_nan() || r.abs() > SETTLED * value.abs().max(1.0) {
            *value = given;
            failed.push(row);
        }
    }
    failed
}

/// Solves the rows of a loop together from their present values; restores these if that fails.
fn solve_loop(system: &mut dyn System, state: &mut State, states: usize, rows: &[usize]) -> bool {
    let n = rows.len();
    let given = state.clone();
    let mut builder = BlockBuilder::new(n);
    let block = builder.place(&Pattern::dense(n, n), 0, 0);
    let mut matrix = builder.build(&vec![false; n], Options::default());
    let mut residual = vec![0.0; n];
    system.auxiliary_rows(&state.point(), rows, &mut residual);
    for _ in 0..MOST_ITERATIONS {
        let values = rows.iter().map(|&row| *unknown(state, states, row));
        let size = values.fold(1.0, |size: f64, value| size.max(value.abs()));
        let miss = max_abs(&residual);
        if miss <= SETTLED * size {
            return true;
        }
        let mut slopes = vec![0.0; n * n];
        let mut beside = vec![0.0; n];
        for (j, &row) in rows.iter().enumerate() {
            let value = *unknown(state, states, row);
            let by = f64::EPSILON.sqrt() * value.abs().max(1.0);
            *unknown(state, states, row) = value + by;
            system.auxiliary_rows(&state.point(), rows, &mut beside);
            *unknown(state, states, row) = value;
            for i in 0..n {
                slopes[j * n + i] = (beside[i] - residual[i]) / by;
            }
        }
        matrix.clear();
        matrix.add(block, 1.0, &slopes);
        if matrix.factor().is_err() {
            break;
        }
        let mut correction = residual.clone();
        matrix.solve(&mut correction);
        let from: Vec<f64> = rows.iter().map(|&row| *unknown(state, states, row)).collect();
        let mut shortened = 1.0;
        let mut nearer = false;
        for _ in 0..MOST_HALVINGS {
            for ((&row, d), value) in rows.iter().zip(&correction).zip(&from) {
                *unknown(state, states, row) = value - shortened * d;
            }
            system.auxiliary_rows(&state.point(), rows, &mut residual);
            nearer = max_abs(&residual) < miss;
            if nearer {
                break;
            }
            shortened *= 0.5;
        }
        if !nearer {
            break;
        }
    }
    *state = given;
    false
}
