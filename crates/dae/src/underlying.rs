//! The underlying accelerations: given positions, velocities and states, solve equations of motion,
//! acceleration-level constraints and auxiliary equations together for `v̇`, multipliers, `ẋ`, `y`.
//! [Yen et al. 1998, eq. 2.2; Negrut et al. 2005, sheet §2.3]

use crate::blocks::{AuxiliaryBlocks, Buffers, ReactionBlock, mark_multipliers, place_reactions};
use crate::state::State;
use crate::system::{Level, Patterns, Sizes, StateWeights, System, Terms, Weights};
use crate::vector::max_abs;
use rotula_linear::{Block, BlockBuilder, BlockMatrix, FactorError, Options};
use serde::{Deserialize, Serialize};

/// Why the accelerations could not be found.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum UnderlyingFailure {
    /// The matrix is singular or not finite.
    Matrix(FactorError),
    /// A residual is not finite.
    NotFinite,
    /// The iteration of nonlinear equations did not converge.
    NotConverged,
}

const MOST_ITERATIONS: usize = 20;

/// Matrix and workspace of the acceleration-level system.
#[derive(Serialize, Deserialize)]
pub(crate) struct Underlying {
    sizes: Sizes,
    linear: bool,
    matrix: BlockMatrix,
    dynamics: Block,
    reactions: ReactionBlock,
    constraints: Block,
    auxiliary: AuxiliaryBlocks,
    buffers: Buffers,
    residual: Vec<f64>,
}

impl Underlying {
    pub fn new(sizes: Sizes, patterns: &Patterns) -> Self {
        let (n, m, a) = (sizes.motion, sizes.multipliers(), sizes.auxiliary());
        let mut builder = BlockBuilder::new(n + m + a);
        let dynamics = builder.place(&patterns.dynamics, 0, 0);
        let reactions = place_reactions(&mut builder, patterns, 0, n);
        let constraints = builder.place(&patterns.constraints, n, 0);
        let auxiliary = AuxiliaryBlocks::place(&mut builder, patterns, n + m, &[0], n, &[0]);
        let marks = mark_multipliers(n + m + a, std::slice::from_ref(&(n..n + m)));
        Underlying {
            sizes,
            linear: patterns.reactions.is_none() && a == 0,
            matrix: builder.build(&marks, Options::default()),
            dynamics,
            reactions,
            constraints,
            auxiliary,
            buffers: Buffers::new(patterns),
            residual: vec![0.0; n + m + a],
        }
    }

    /// The matrix, whose analysis others with the same pattern may follow.
    pub fn matrix(&self) -> &BlockMatrix {
        &self.matrix
    }

    /// Takes over the analysis of another matrix where that has the same pattern.
    pub fn follow(&mut self, analysed: &BlockMatrix) {
        self.matrix.follow(analysed);
    }

    /// Solves at `state`, changing `vdot`, `multipliers`, `xdot`, `y`; earlier values are the guess.
    pub fn solve(
        &mut self,
        system: &mut dyn System,
        state: &mut State,
    ) -> Result<(), UnderlyingFailure> {
        let mut previous = [f64::INFINITY; 3];
        for iteration in 0..MOST_ITERATIONS {
            self.evaluate(system, state);
            if self.residual.iter().any(|r| !r.is_finite()) {
                return Err(UnderlyingFailure::NotFinite);
            }
            self.factorise(system, state).map_err(UnderlyingFailure::Matrix)?;
            self.matrix.solve(&mut self.residual);
            self.apply(state);
            if self.linear {
                return Ok(());
            }
            let sizes = self.relative_corrections(state);
            // Stagnation at rounding level counts as converged, slow contraction does not.
            let settled = sizes.iter().zip(previous).all(|(&size, before)| {
                size <= 1e-13 || (iteration > 0 && size <= 1e-9 && size >= 0.5 * before)
            });
            if settled {
                return Ok(());
            }
            previous = sizes;
        }
        Err(UnderlyingFailure::NotConverged)
    }

    /// The reactions that remove the residual of the constraints at acceleration level, `δλ = S⁻¹(G v̇ + γ)` with
    /// `S = G M⁻¹ Gᵀ`, up to their sign; none where the matrix is singular.
    pub fn reactions_of_drift(&mut self, system: &mut dyn System, state: &State) -> Option<&[f64]> {
        let (n, m) = (self.sizes.motion, self.sizes.multipliers());
        self.factorise(system, state).ok()?;
        self.residual.fill(0.0);
        system.constraint(Level::Acceleration, &state.point(), &mut self.residual[n..n + m]);
        self.matrix.solve(&mut self.residual);
        Some(&self.residual[n..n + m])
    }

    /// Corrections of motion and multipliers, of rates and of variables, each relative to what it
    /// corrects: a variable may be larger than everything else by far.
    fn relative_corrections(&self, state: &State) -> [f64; 3] {
        let rates = self.sizes.motion + self.sizes.multipliers();
        let variables = rates + self.sizes.states;
        let motion = max_abs(&state.vdot).max(max_abs(&state.multipliers));
        [
            max_abs(&self.residual[..rates]) / motion.max(1.0),
            max_abs(&self.residual[rates..variables]) / max_abs(&state.xdot).max(1.0),
            max_abs(&self.residual[variables..]) / max_abs(&state.y).max(1.0),
        ]
    }

    fn evaluate(&mut self, system: &mut dyn System, state: &State) {
        let (n, m) = (self.sizes.motion, self.sizes.multipliers());
        let at = state.point();
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

    fn factorise(&mut self, system: &mut dyn System, state: &State) -> Result<(), FactorError> {
        let at = state.point();
        let Underlying { buffers, matrix, auxiliary, .. } = self;
        let mass = Weights::MASS;
        matrix.clear();
        buffers.add_tangent(system, &at, (mass, Terms::ALL), matrix, self.dynamics, 1.0);
        if self.sizes.multipliers() > 0 {
            buffers.add_reactions(system, &at, matrix, self.reactions, 1.0);
            let level = (Level::Acceleration, mass);
            buffers.add_constraint(system, &at, level, matrix, self.constraints, 1.0);
        }
        let states = StateWeights { rate: 1.0, state: 0.0 };
        auxiliary.add(system, &at, &[mass], states, &[1.0], 1.0, matrix, buffers);
        matrix.factor()
    }

    fn apply(&self, state: &mut State) {
        let (n, m, nx) = (self.sizes.motion, self.sizes.multipliers(), self.sizes.states);
        let subtract = |target: &mut [f64], offset: usize| {
            for (value, d) in target.iter_mut().zip(&self.residual[offset..]) {
                *value -= d;
            }
        };
        subtract(&mut state.vdot, 0);
        subtract(&mut state.multipliers, n);
        subtract(&mut state.xdot, n + m);
        subtract(&mut state.y, n + m + nx);
    }
}
