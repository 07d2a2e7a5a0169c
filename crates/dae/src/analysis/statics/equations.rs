//! The equations of equilibrium, without units.
//!
//! ```text
//! −f(q,x,y) − Gᵀλ − Kᵀψ = 0      rows times the scale of their coordinate over a typical energy
//! g(q)                  = 0      rows over their norm
//! d(0,x,…), y − Y       = 0
//! ```
//!
//! at rest: velocities, accelerations and rates of states are zero. Unknowns are the increment of
//! `q`, the multipliers, states and variables, each in its own unit.

use super::super::dense::{mass, scales, tangent};
use super::super::sparse::{Block, Entries, add_auxiliary};
use super::super::twist::TwistField;
use crate::state::State;
use crate::system::{Level, Sizes, StateWeights, System, Terms, Weights};
use faer::Mat;

/// Sizes and units.
pub(super) struct Equations {
    pub sizes: Sizes,
    pub scale: Vec<f64>,
    norms: Vec<f64>,
    /// A typical energy: of the stiffness over the scales, or of the loads.
    pub energy: f64,
    /// The largest energy of a load over the scales: what balances must be judged by.
    pub load: f64,
    /// A twist with which everything moves steadily.
    pub turning: Option<[f64; 6]>,
}

/// An artificial force that is being removed, or inertia that holds steps back.
#[derive(Default)]
pub(super) struct Extra<'a> {
    /// Subtracted from the scaled residual of the equations of motion.
    pub hold: Option<(f64, &'a [f64])>,
    /// A start `q₀` and `1/τ²`: adds `M Δ/τ²` with `q = q₀ ∘ Δ`.
    pub inertia: Option<(&'a [f64], f64)>,
}

impl Equations {
    /// Units at a state.
    pub fn new(system: &mut dyn System, state: &State) -> Self {
        let sizes = system.sizes();
        let scale = scales(system);
        let gradient = Block::gradient(system, &state.point()).scaled(|_| 1.0, |j| scale[j]);
        let norms = gradient.row_norms();
        let norms = norms.into_iter().map(|n| if n > 0.0 { n } else { 1.0 }).collect();
        let stiffness = Block::tangent(system, &state.point(), Weights::STIFFNESS, Terms::ALL);
        let energy = stiffness.scaled(|i| scale[i], |j| scale[j]).largest();
        let mut equations = Equations { sizes, scale, norms, energy, load: 0.0, turning: None };
        equations.load = equations.load_at(system, state);
        equations.energy = equations.energy.max(equations.load);
        if equations.energy == 0.0 {
            equations.energy = 1.0;
        }
        equations
    }

    /// Applied forces and reactions over the scales.
    pub fn load_at(&self, system: &mut dyn System, state: &State) -> f64 {
        let mut force = vec![0.0; self.sizes.motion];
        let mut largest = 0.0_f64;
        for terms in [Terms::WITHOUT_REACTIONS, Terms::REACTIONS] {
            system.dynamics(&state.point(), terms, &mut force);
            largest = force.iter().zip(&self.scale).fold(largest, |m, (f, s)| m.max((f * s).abs()));
        }
        largest
    }

    /// Scaled residual.
    pub fn residual(&self, system: &mut dyn System, state: &State, extra: &Extra) -> Vec<f64> {
        let (n, h, na) = (self.sizes.motion, self.sizes.holonomic, self.sizes.auxiliary());
        let mut out = vec![0.0; n + h + na];
        let at = state.point();
        system.dynamics(&at, Terms::ALL, &mut out[..n]);
        if h > 0 {
            system.constraint(Level::Position, &at, &mut out[n..n + h]);
        }
        if na > 0 {
            system.auxiliary(&at, &mut out[n + h..]);
        }
        if let Some((start, weight)) = extra.inertia {
            let mut moved = vec![0.0; n];
            system.local(start, &state.q, &mut moved);
            let mass = Block::tangent(system, &at, Weights::MASS, Terms::INERTIA);
            mass.add_product(&moved, weight, &mut out[..n]);
        }
        for i in 0..n {
            out[i] *= self.scale[i] / self.energy;
        }
        for i in 0..h {
            out[n + i] /= self.norms[i];
        }
        if let Some((factor, hold)) = extra.hold {
            out.iter_mut().zip(hold).for_each(|(r, h)| *r -= factor * h);
        }
        out
    }

    /// Equations and unknowns.
    pub fn shape(&self) -> (usize, usize) {
        let (n, na) = (self.sizes.motion, self.sizes.auxiliary());
        (n + self.sizes.holonomic + na, n + self.sizes.multipliers() + na)
    }

    /// Scaled tangent.
    pub fn matrix(&self, system: &mut dyn System, state: &State, extra: &Extra) -> Entries {
        let sizes = self.sizes;
        let (n, h, m) = (sizes.motion, sizes.holonomic, sizes.multipliers());
        let at = state.point();
        let mut entries = Entries::default();
        let mut block = |weights, terms| Block::tangent(system, &at, weights, terms);
        entries.add(&block(Weights::STIFFNESS, Terms::ALL), 0, 0, 1.0);
        if let Some((_, weight)) = extra.inertia {
            entries.add(&block(Weights::MASS, Terms::INERTIA), 0, 0, weight);
        }
        if let Some(twist) = &self.turning {
            let damping = block(Weights::DAMPING, Terms::ALL);
            let mass = block(Weights::MASS, Terms::INERTIA);
            if let Some(field) = TwistField::new(system, &state.q, twist) {
                field.add_stiffness(&mass, &damping, &mut entries);
            }
        }
        let gradient = Block::gradient(system, &at);
        match Block::reactions(system, &at) {
            Some(reactions) => entries.add(&reactions, 0, n, 1.0),
            None => entries.add_transposed(&gradient, 0, n, -1.0),
        }
        entries.add(&gradient.top(h), n, 0, 1.0);
        if sizes.auxiliary() > 0 {
            let weights = (Weights::STIFFNESS, StateWeights { rate: 0.0, state: 1.0 });
            add_auxiliary(system, &at, weights, [n + h, n, n + m], &mut entries);
        }
        let row = |i: usize| match i {
            i if i < n => self.scale[i] / self.energy,
            i if i < n + h => 1.0 / self.norms[i - n],
            _ => 1.0,
        };
        entries.scale(row, |j| self.unit(j));
        entries
    }

    /// The stiffness at rest with the inertia that holds steps back, not scaled.
    pub fn stiffness(&self, system: &mut dyn System, state: &State, extra: &Extra) -> Mat<f64> {
        let at = state.point();
        let stiffness = tangent(system, &at, Weights::STIFFNESS, Terms::ALL);
        match extra.inertia {
            Some((_, weight)) => stiffness + mass(system, &at) * faer::Scale(weight),
            None => stiffness,
        }
    }

    /// The unit of an unknown.
    fn unit(&self, j: usize) -> f64 {
        let (n, m) = (self.sizes.motion, self.sizes.multipliers());
        match j {
            j if j < n => self.scale[j],
            j if j < n + m => self.energy / self.norms[j - n],
            _ => 1.0,
        }
    }

    /// The state moved along a scaled step.
    pub fn moved(&self, system: &dyn System, state: &State, step: &[f64], by: f64) -> State {
        let (n, m, nx) = (self.sizes.motion, self.sizes.multipliers(), self.sizes.states);
        let values: Vec<f64> =
            step.iter().enumerate().map(|(j, d)| by * d * self.unit(j)).collect();
        let mut next = state.clone();
        system.retract(&state.q, &values[..n], &mut next.q);
        let add = |target: &mut [f64], from: &[f64]| {
            target.iter_mut().zip(from).for_each(|(t, d)| *t += d);
        };
        add(&mut next.multipliers, &values[n..n + m]);
        add(&mut next.x, &values[n + m..]);
        add(&mut next.y, &values[n + m + nx..]);
        if let Some(twist) = &self.turning {
            system.swept(&next.q, twist, &mut next.v, &mut next.vdot);
        }
        next
    }
}
