//! Equations with exact derivatives: a complete system.

use super::constraints::Seeds;
use super::equations::Equations;
use super::workspace::{
    Gradient, Hessian, Rate, RateGradient, SecondRate, SecondRateGradient, Workspace,
};
use crate::diagnosis::Sentence;
use crate::system::{
    Component, Description, Energetics, Energy, Explanation, Level, Patterns, Point, Sizes,
    StateWeights, Switching, System, Terms, Weights,
};
use rotula_linear::Pattern;

/// A [`System`] made of [`Equations`], with exact derivatives of everything.
///
/// All memory is taken at construction. The derivative blocks are full matrices, which is right for
/// up to some dozen coordinates.
#[derive(Clone, Debug)]
pub struct Automatic<E> {
    pub(super) equations: E,
    pub(super) sizes: Sizes,
    /// Which constraints react by `Gᵀλ` or `Kᵀψ`.
    pub(super) reaction: Vec<bool>,
    /// Whether forces see the multipliers.
    pub(super) multiplier_forces: bool,
    /// Which derivatives of the constraints carry reactions at all.
    pub(super) reaction_seeds: Seeds,
    /// Scratch of the energy rate.
    pub(super) minus_force: Vec<f64>,
    pub(super) plain: Workspace<f64>,
    pub(super) rate: Workspace<Rate>,
    pub(super) second_rate: Workspace<SecondRate>,
    pub(super) gradient: Workspace<Gradient>,
    pub(super) rate_gradient: Workspace<RateGradient>,
    pub(super) second_rate_gradient: Workspace<SecondRateGradient>,
    pub(super) hessian: Workspace<Hessian>,
}

impl<E: Equations> Automatic<E> {
    /// Makes a system of equations.
    ///
    /// # Panics
    /// If the equations claim a configuration that is not a vector with one entry per velocity.
    pub fn new(equations: E) -> Self {
        let sizes = equations.sizes();
        assert_eq!(
            sizes.configuration, sizes.motion,
            "automatic equations have one coordinate per velocity"
        );
        let reaction: Vec<bool> = (0..sizes.multipliers()).map(|i| equations.reaction(i)).collect();
        let multiplier_forces = equations.depends_on_multipliers() || reaction.contains(&false);
        let (holonomic, nonholonomic) = reaction.split_at(sizes.holonomic);
        let unit_if = |any: bool| if any { 1.0 } else { 0.0 };
        let reaction_seeds = Seeds {
            holonomic: unit_if(holonomic.contains(&true)),
            nonholonomic: (0.0, unit_if(nonholonomic.contains(&true))),
        };
        Automatic {
            equations,
            sizes,
            reaction,
            multiplier_forces,
            reaction_seeds,
            minus_force: vec![0.0; sizes.motion],
            plain: Workspace::new(sizes),
            rate: Workspace::new(sizes),
            second_rate: Workspace::for_constraints(sizes),
            gradient: Workspace::new(sizes),
            rate_gradient: Workspace::for_constraints(sizes),
            second_rate_gradient: Workspace::for_constraints(sizes),
            hessian: Workspace::for_constraints(sizes),
        }
    }

    /// The equations.
    pub fn equations(&self) -> &E {
        &self.equations
    }

    /// The equations, to change their parameters; sizes and reactions have to stay.
    pub fn equations_mut(&mut self) -> &mut E {
        &mut self.equations
    }
}

impl<E: Equations> System for Automatic<E> {
    fn sizes(&self) -> Sizes {
        self.sizes
    }

    fn patterns(&self) -> Patterns {
        let reactions = self
            .multiplier_forces
            .then(|| Pattern::dense(self.sizes.motion, self.sizes.multipliers()));
        Patterns { reactions, ..Patterns::dense(self.sizes) }
    }

    fn dynamics(&mut self, at: &Point, terms: Terms, out: &mut [f64]) {
        self.motion_residual(at, terms, out);
    }

    fn tangent(&mut self, at: &Point, weights: Weights, terms: Terms, values: &mut [f64]) {
        self.motion_tangent(at, weights, terms, values);
    }

    fn reactions(&mut self, at: &Point, values: &mut [f64]) {
        self.multiplier_tangent(at, values);
    }

    fn constraint(&mut self, level: Level, at: &Point, out: &mut [f64]) {
        self.constraint_residual(level, at, out);
    }

    fn constraint_gradient(&mut self, at: &Point, values: &mut [f64]) {
        self.constraint_slopes(at, Seeds::gradient(1.0), values);
    }

    fn constraint_tangent(
        &mut self,
        level: Level,
        at: &Point,
        weights: Weights,
        values: &mut [f64],
    ) {
        self.constraint_derivative(level, at, weights, values);
    }

    fn auxiliary(&mut self, at: &Point, out: &mut [f64]) {
        self.plain.load(at);
        out.copy_from_slice(self.plain.auxiliary(&self.equations));
    }

    fn auxiliary_tangent(
        &mut self,
        at: &Point,
        weights: Weights,
        states: StateWeights,
        motion: &mut [f64],
        multipliers: &mut [f64],
        auxiliary: &mut [f64],
    ) {
        self.auxiliary_by_motion(at, weights, motion);
        self.auxiliary_by_multipliers(at, multipliers);
        self.auxiliary_by_itself(at, states, auxiliary);
    }

    fn dynamics_auxiliary(&mut self, at: &Point, states: StateWeights, values: &mut [f64]) {
        self.motion_by_auxiliary(at, states, values);
    }

    crate::hand_out!(Description, Explanation, Energetics, Switching);
}

impl<E: Equations> Description for Automatic<E> {
    fn name(&self, component: Component) -> String {
        self.equations.name(component)
    }

    fn scale(&self, coordinate: usize) -> f64 {
        self.equations.scale(coordinate)
    }
}

impl<E: Equations> Explanation for Automatic<E> {
    fn explain_not_finite(&mut self, at: &Point) -> Option<Sentence> {
        self.first_not_finite(at)
    }
}

impl<E: Equations> Energetics for Automatic<E> {
    fn energy(&mut self, at: &Point) -> Option<Energy> {
        self.mechanical_energy(at)
    }

    fn power(&mut self, at: &Point) -> Option<f64> {
        match self.equations.power(at) {
            Some(power) => Some(power),
            None => self.energy_rate(at),
        }
    }
}

impl<E: Equations> Switching for Automatic<E> {
    fn discontinuities(&self) -> &[f64] {
        self.equations.discontinuities()
    }
}
