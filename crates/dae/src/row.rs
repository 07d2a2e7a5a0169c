//! Rows of a result: each is one consistent instant, in which accelerations, multipliers and forces belong together.
//!
//! A row at the end of a step is what the formulation found. A row between two steps is interpolated, and then solved
//! once more, with the interpolated state as its prediction:
//!
//! ```text
//! q = q_I ∘ c8 (v̇ − v̇_I),   v = v_I + c7 (v̇ − v̇_I),   x = x_I + c7 (ẋ − ẋ_I)
//! M v̇ = f + Gᵀλ,   G v̇ + γ = 0,   auxiliary equations
//! ```
//!
//! With `q` fixed, a small error of the interpolated positions would become a large force of a stiff spring; as in a
//! step, it is the motion that gives way here. Where forces act over a step (impulses) or are averages of
//! two times, the multipliers of the step stay and the acceleration follows from all forces; but in steps of a
//! formulation with impulses in which nothing hits, rows are solved, at the ends of steps with `c7 = c8 = 0`.

use crate::blocks::{AuxiliaryBlocks, Buffers, ReactionBlock, mark_multipliers, place_reactions};
use crate::force_audit::ContactLoads;
use crate::loads::Loads;
use crate::newton::ITERATION;
use crate::state::State;
use crate::system::{Level, StateWeights, System, Terms, Weights};
use crate::vector::{all_finite, scaled_sum};
use rotula_linear::{Block, BlockBuilder, BlockMatrix};
use serde::{Deserialize, Serialize};

/// A row is solved when forces and acceleration constraints hold to this part of loads and accelerations.
const SOLVED: f64 = 1e-9;

/// Corrections of one row, halved ones among them.
const MOST_CORRECTIONS: usize = 30;

/// A matrix is renewed where corrections by it leave more than this part of the residual.
const SLOW: f64 = 0.3;

/// Least part of a correction by a matrix of its own point.
const LEAST_PART: f64 = 1.0 / 64.0;

/// Solves rows.
#[derive(Serialize, Deserialize)]
pub(crate) struct RowSolver {
    matrix: BlockMatrix,
    dynamics: Block,
    reactions: ReactionBlock,
    constraints: Block,
    auxiliary: AuxiliaryBlocks,
    /// The mass alone, for accelerations of given forces.
    mass: BlockMatrix,
    mass_block: Block,
    buffers: Buffers,
    residual: Vec<f64>,
    correction: Vec<f64>,
    /// The interpolated state, and what was added to its configuration.
    guess: State,
    moved: Vec<f64>,
    /// `c7`, `c8` of the matrix.
    made_for: Option<(f64, f64)>,
}

impl RowSolver {
    pub fn new(system: &dyn System) -> Self {
        let (sizes, patterns) = (system.sizes(), system.patterns());
        let (n, m, a) = (sizes.motion, sizes.multipliers(), sizes.auxiliary());
        let mut builder = BlockBuilder::new(n + m + a);
        let dynamics = builder.place(&patterns.dynamics, 0, 0);
        let reactions = place_reactions(&mut builder, &patterns, 0, n);
        let constraints = builder.place(&patterns.constraints, n, 0);
        let auxiliary = AuxiliaryBlocks::place(&mut builder, &patterns, n + m, &[0], n, &[0]);
        let marks = mark_multipliers(n + m + a, std::slice::from_ref(&(n..n + m)));
        let mut alone = BlockBuilder::new(n);
        let mass_block = alone.place(&patterns.dynamics, 0, 0);
        RowSolver {
            matrix: builder.build(&marks, ITERATION),
            dynamics,
            reactions,
            constraints,
            auxiliary,
            mass: alone.build(&vec![false; n], ITERATION),
            mass_block,
            buffers: Buffers::new(&patterns),
            residual: vec![0.0; n + m + a],
            correction: vec![0.0; n + m + a],
            guess: State::zeros(sizes),
            moved: vec![0.0; n],
            made_for: None,
        }
    }

    /// Takes over the analysis of another matrix where that has the same pattern.
    pub fn follow(&mut self, analysed: &BlockMatrix) {
        self.matrix.follow(analysed);
    }

    /// Analyses the matrix at a row.
    pub fn prepare(&mut self, system: &mut dyn System, row: &State) {
        self.factorise(system, (0.0, 0.0), row);
    }

    /// Solves a row; `factors` are `c7`, `c8` of the step, or zero to keep positions and velocities. The row stays as it
    /// is where that fails: at singular positions reactions are not determined.
    pub fn solve(
        &mut self,
        system: &mut dyn System,
        factors: (f64, f64),
        loads: &mut Loads,
        row: &mut State,
    ) -> bool {
        self.guess.copy_from(row);
        let apart = |made: (f64, f64)| (factors.1 - made.1).abs() > 0.25 * made.1;
        let stale = self.made_for.is_none_or(apart);
        if stale {
            self.made_for = None;
        }
        loads.measure(system, &row.point());
        let solved = self.iterate(system, factors, loads, row);
        if !solved {
            row.copy_from(&self.guess);
            self.made_for = None;
        }
        solved
    }

    fn iterate(
        &mut self,
        system: &mut dyn System,
        factors: (f64, f64),
        loads: &Loads,
        row: &mut State,
    ) -> bool {
        // what was left before the last correction, and how much of it was taken if its matrix was that of its point
        let (mut before, mut part) = (f64::INFINITY, None);
        for _ in 0..MOST_CORRECTIONS {
            self.evaluate(system, row);
            let worst = match all_finite(&self.residual) {
                true => self.measure(loads, row),
                false => f64::INFINITY,
            };
            if worst <= SOLVED {
                return true;
            }
            // beyond the kink of a contact the whole correction may lead too far
            if let Some(taken) = part.filter(|taken| worst >= before && *taken > LEAST_PART) {
                part = Some(0.5 * taken);
                self.apply(system, factors, -0.5 * taken, row);
                continue;
            }
            if worst == f64::INFINITY {
                return false;
            }
            let renewed = self.made_for.is_none() || worst > SLOW * before;
            if renewed && !self.factorise(system, factors, row) {
                return false;
            }
            (before, part) = (worst, renewed.then_some(1.0));
            self.correction.copy_from_slice(&self.residual);
            self.matrix.solve(&mut self.correction);
            self.apply(system, factors, 1.0, row);
        }
        self.evaluate(system, row);
        // Good enough for the audit to say the rest.
        all_finite(&self.residual) && self.measure(loads, row) <= 1e3 * SOLVED
    }

    fn evaluate(&mut self, system: &mut dyn System, row: &State) {
        let (n, m) = (row.v.len(), row.multipliers.len());
        let at = row.point();
        let (dynamics, rest) = self.residual.split_at_mut(n);
        let (constraints, auxiliary) = rest.split_at_mut(m);
        system.dynamics(&at, Terms::ALL, dynamics);
        if m > 0 {
            system.constraint(Level::Acceleration, &at, constraints);
        }
        if !auxiliary.is_empty() {
            system.auxiliary(&at, auxiliary);
        }
    }

    /// The worst residual: forces relative to loads, all others relative to what they are made of.
    fn measure(&self, loads: &Loads, row: &State) -> f64 {
        let (n, m) = (row.v.len(), row.multipliers.len());
        let forces = self.residual[..n].iter().zip(&loads.sizes);
        let forces = forces.map(|(r, load)| if *r == 0.0 { 0.0 } else { (r / load).abs() });
        let largest = |values: &[f64]| values.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        let accelerations = largest(&row.vdot).max(largest(&row.v).powi(2));
        let constraints = largest(&self.residual[n..n + m]);
        let constraints = if constraints == 0.0 {
            0.0
        } else {
            constraints / accelerations.max(f64::MIN_POSITIVE)
        };
        let size = 1.0 + largest(&row.xdot).max(largest(&row.y));
        let auxiliary = largest(&self.residual[n + m..]) / size;
        forces.fold(constraints.max(auxiliary), f64::max)
    }

    fn factorise(&mut self, system: &mut dyn System, (c7, c8): (f64, f64), row: &State) -> bool {
        let RowSolver { matrix, buffers, .. } = self;
        let at = row.point();
        let weights = Weights { mass: 1.0, damping: c7, stiffness: c8 };
        matrix.clear();
        buffers.add_tangent(system, &at, (weights, Terms::ALL), matrix, self.dynamics, 1.0);
        if !row.multipliers.is_empty() {
            buffers.add_reactions(system, &at, matrix, self.reactions, 1.0);
            let level = (Level::Acceleration, weights);
            buffers.add_constraint(system, &at, level, matrix, self.constraints, 1.0);
        }
        let states = StateWeights { rate: 1.0, state: c7 };
        self.auxiliary.add(system, &at, &[weights], states, &[1.0], 1.0, matrix, buffers);
        let made = matrix.factor().is_ok();
        self.made_for = made.then_some((c7, c8));
        made
    }

    /// Subtracts a part of the correction; positions, velocities and states follow from the interpolated ones.
    fn apply(&mut self, system: &dyn System, (c7, c8): (f64, f64), part: f64, row: &mut State) {
        let (n, m, nx) = (row.v.len(), row.multipliers.len(), row.x.len());
        let subtract = |target: &mut [f64], offset: usize| {
            for (value, d) in target.iter_mut().zip(&self.correction[offset..]) {
                *value -= part * d;
            }
        };
        subtract(&mut row.vdot, 0);
        subtract(&mut row.multipliers, n);
        subtract(&mut row.xdot, n + m);
        subtract(&mut row.y, n + m + nx);
        let guess = &self.guess;
        for i in 0..n {
            let change = row.vdot[i] - guess.vdot[i];
            self.moved[i] = c8 * change;
            row.v[i] = guess.v[i] + c7 * change;
        }
        system.retract(&guess.q, &self.moved, &mut row.q);
        for i in 0..nx {
            row.x[i] = guess.x[i] + c7 * (row.xdot[i] - guess.xdot[i]);
        }
    }

    /// Finds the acceleration that belongs to all forces of a row. False, with the row as it was, if something
    /// without a mass moves: no force gives it an acceleration.
    pub fn accelerate(
        &mut self,
        system: &mut dyn System,
        contacts: Option<&ContactLoads>,
        row: &mut State,
    ) -> bool {
        let n = row.v.len();
        self.guess.vdot.copy_from_slice(&row.vdot);
        let at = row.point();
        system.tangent(&at, Weights::MASS, Terms::ALL, &mut self.buffers.dynamics);
        self.mass.clear();
        self.mass.add(self.mass_block, 1.0, &self.buffers.dynamics);
        if self.mass.factor().is_err() {
            return false;
        }
        // Linear in v̇: the second correction removes rounding.
        for _ in 0..2 {
            let residual = &mut self.residual[..n];
            system.dynamics(&row.point(), Terms::ALL, residual);
            if let Some(ContactLoads { pattern, gradient, forces }) = contacts {
                pattern.multiply_transposed_add(gradient, -1.0, forces, residual);
            }
            self.mass.solve(residual);
            let old = &mut self.moved;
            old.copy_from_slice(&row.vdot);
            scaled_sum(old, -1.0, residual, &mut row.vdot);
        }
        let found = all_finite(&row.vdot);
        if !found {
            row.vdot.copy_from_slice(&self.guess.vdot);
        }
        found
    }
}
