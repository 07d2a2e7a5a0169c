//! Projection of positions and velocities onto the constraints, in the metric of the mass.
//!
//! ```text
//! positions:   q ← q ∘ δ,  M δ = Gᵀν,  G δ = −g(q, t)       repeated until g vanishes
//! velocities:  v ← v + δ,  M δ = Jᵀν,  J δ = −(ġ; k)        once, or more where k is not linear in v
//! ```

use crate::saddle::{Rows, Saddle};
use crate::state::State;
use crate::system::{Level, System};
use crate::vector::max_abs;
use rotula_linear::FactorError;
use serde::{Deserialize, Serialize};

const MOST_ITERATIONS: usize = 30;

/// Residuals relative to the size of positions or velocities: met, and as good as met if rounding keeps them from falling.
const EXACT: f64 = 1e-14;
const ROUNDING: f64 = 1e-10;

/// Why nothing near meets the constraints.
pub(crate) enum Miss {
    /// A residual is not finite.
    NotFinite,
    /// The matrix is singular or not finite.
    Matrix(FactorError),
    /// The iteration does not lead there: the worst constraint and its residual.
    Off(usize, f64),
}

/// Matrix and workspace.
#[derive(Serialize, Deserialize)]
pub(crate) struct Projector {
    saddle: Saddle,
    /// All constraint rows; those at position level come first.
    rows: Vec<usize>,
    residual: Vec<f64>,
    /// The motion that corrects, and where it leads.
    correction: Vec<f64>,
    moved: Vec<f64>,
}

impl Projector {
    pub fn new(system: &dyn System) -> Self {
        let sizes = system.sizes();
        Projector {
            saddle: Saddle::new(sizes, &system.patterns()),
            rows: (0..sizes.multipliers()).collect(),
            residual: vec![0.0; sizes.multipliers()],
            correction: vec![0.0; sizes.motion],
            moved: vec![0.0; sizes.configuration],
        }
    }

    /// Moves the configuration to one that meets the holonomic constraints.
    pub fn positions(&mut self, system: &mut dyn System, state: &mut State) -> Result<(), Miss> {
        let holonomic = system.sizes().holonomic;
        let mut best = f64::INFINITY;
        for _ in 0..MOST_ITERATIONS {
            let residual = &mut self.residual[..holonomic];
            system.constraint(Level::Position, &state.point(), residual);
            if met(residual, 1.0 + max_abs(&state.q), &mut best)? {
                return Ok(());
            }
            self.correct(system, state, (Level::Position, Rows::Holonomic))?;
            system.retract(&state.q, &self.correction, &mut self.moved);
            state.q.copy_from_slice(&self.moved);
        }
        Err(worst(&self.residual[..holonomic]))
    }

    /// Changes the velocities to ones that meet all constraints.
    pub fn velocities(&mut self, system: &mut dyn System, state: &mut State) -> Result<(), Miss> {
        let mut best = f64::INFINITY;
        // Nonholonomic constraints may be nonlinear in the velocity.
        for _ in 0..MOST_ITERATIONS {
            system.constraint(Level::Velocity, &state.point(), &mut self.residual);
            if met(&self.residual, 1.0 + max_abs(&state.v), &mut best)? {
                return Ok(());
            }
            self.correct(system, state, (Level::Velocity, Rows::All))?;
            for (v, d) in state.v.iter_mut().zip(&self.correction) {
                *v += d;
            }
        }
        system.constraint(Level::Velocity, &state.point(), &mut self.residual);
        match max_abs(&self.residual) <= 1e-9 * (1.0 + max_abs(&state.v)) {
            true => Ok(()),
            false => Err(worst(&self.residual)),
        }
    }

    /// The least motion that takes away the residual at a level.
    fn correct(
        &mut self,
        system: &mut dyn System,
        state: &State,
        (level, rows): (Level, Rows),
    ) -> Result<(), Miss> {
        let Projector { saddle, residual, correction, .. } = self;
        let count = match rows {
            Rows::Holonomic => system.sizes().holonomic,
            Rows::All => residual.len(),
        };
        let residual = &mut residual[..count];
        residual.iter_mut().for_each(|missed| *missed = -*missed);
        if let Some(facet) = system.as_forward_dynamics()
            && facet.correction(&state.point(), &self.rows[..count], residual, correction)
        {
            return Ok(());
        }
        saddle.factorise(system, &state.point(), rows).map_err(Miss::Matrix)?;
        saddle.set_constraint_rhs(system, &state.point(), level, -1.0);
        saddle.solve();
        correction.copy_from_slice(saddle.motion());
        Ok(())
    }
}

/// Whether a residual is as small as it gets: rounding may keep it from falling further, so that it no longer halves.
fn met(residual: &[f64], scale: f64, best: &mut f64) -> Result<bool, Miss> {
    let size = max_abs(residual);
    if size.is_nan() {
        return Err(Miss::NotFinite);
    }
    let done = size <= EXACT * scale || (size <= ROUNDING * scale && size > 0.5 * *best);
    *best = best.min(size);
    Ok(done)
}

fn worst(residual: &[f64]) -> Miss {
    let largest = residual.iter().enumerate().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
    largest.map_or(Miss::NotFinite, |(row, value)| Miss::Off(row, value.abs()))
}
