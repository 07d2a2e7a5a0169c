//! Laws: a force as a function of a coordinate and its rate.
//!
//! All of them answer the force that tends to **increase** the coordinate, so that a spring's
//! characteristic falls. On a length this is a force, on an angle a moment.
//!
//! | law | force |
//! |---|---|
//! | [`Linear`] | `preload − k (x − x₀) − c ẋ` |
//! | [`Table`] | through points, over the coordinate or over its rate |
//! | [`Formula`] | a formula in `value`, `rate`, `t` and named variables |
//! | [`Motor`] | a number, a function of time or a controller's variable |
//! | [`Mesh`] | teeth of two wheels: stiffness that varies with the mesh, damping, play |
//! | [`Friction`] | Coulomb and Stribeck friction, made smooth |

mod formula;
mod friction;
mod linear;
mod mesh;
mod motor;
mod table;

pub use formula::Formula;
pub use friction::{Friction, Smoothing, Stribeck};
pub use linear::Linear;
pub use mesh::{Flank, Mesh, Variation};
pub use motor::Motor;
pub use table::{Over, Table};

use super::Auxiliary;
use crate::scene::Scene;
use dyn_clone::DynClone;
use rotula_formula::{Decisions, Timetable};
use std::fmt::Debug;

/// What a law answers: the force on the coordinate and its slopes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pull {
    /// Force that tends to increase the coordinate.
    pub force: f64,
    /// Its derivative with respect to the coordinate.
    pub by_value: f64,
    /// Its derivative with respect to the rate.
    pub by_rate: f64,
}

/// A force as a function of a coordinate and its rate.
pub trait Law: Debug + DynClone + Send + Sync {
    /// The force at a value and rate of the coordinate.
    fn pull(&mut self, value: f64, rate: f64, scene: Scene) -> Pull;

    /// Energy stored at a value, if the law has a conservative part.
    fn energy(&mut self, _value: f64, _scene: Scene) -> f64 {
        0.0
    }

    /// The conservative part of the force, whose energy is [`energy`](Self::energy).
    fn conservative(&mut self, _value: f64, _scene: Scene) -> f64 {
        0.0
    }

    /// Known times at which it jumps, besides those of functions of time of the model.
    fn jumps(&self) -> Vec<f64> {
        Vec::new()
    }

    /// What else can be known of times: jumps that come again, short pulses.
    fn timetable(&self) -> Option<&Timetable> {
        None
    }

    /// What it decides by other quantities than time, as of the last evaluation.
    fn decisions(&self) -> Option<&Decisions> {
        None
    }

    /// The same, to be changed.
    fn decisions_mut(&mut self) -> Option<&mut Decisions> {
        None
    }

    /// Which formula makes it infinite or undefined, with its numbers, if it is one.
    fn explain_not_finite(&mut self, _value: f64, _rate: f64, _scene: Scene) -> Option<String> {
        None
    }

    /// States and variables it depends on.
    fn auxiliary(&self) -> &[Auxiliary] {
        &[]
    }

    /// Derivative with respect to each of them.
    fn auxiliary_slopes(&mut self, _value: f64, _rate: f64, _scene: Scene, _out: &mut [f64]) {}
}

dyn_clone::clone_trait_object!(Law);

impl Law for Box<dyn Law> {
    fn pull(&mut self, value: f64, rate: f64, scene: Scene) -> Pull {
        self.as_mut().pull(value, rate, scene)
    }

    fn energy(&mut self, value: f64, scene: Scene) -> f64 {
        self.as_mut().energy(value, scene)
    }

    fn conservative(&mut self, value: f64, scene: Scene) -> f64 {
        self.as_mut().conservative(value, scene)
    }

    fn jumps(&self) -> Vec<f64> {
        self.as_ref().jumps()
    }

    fn timetable(&self) -> Option<&Timetable> {
        self.as_ref().timetable()
    }

    fn decisions(&self) -> Option<&Decisions> {
        self.as_ref().decisions()
    }

    fn decisions_mut(&mut self) -> Option<&mut Decisions> {
        self.as_mut().decisions_mut()
    }

    fn explain_not_finite(&mut self, value: f64, rate: f64, scene: Scene) -> Option<String> {
        self.as_mut().explain_not_finite(value, rate, scene)
    }

    fn auxiliary(&self) -> &[Auxiliary] {
        self.as_ref().auxiliary()
    }

    fn auxiliary_slopes(&mut self, value: f64, rate: f64, scene: Scene, out: &mut [f64]) {
        self.as_mut().auxiliary_slopes(value, rate, scene, out);
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::scene::World;

    /// Calls `f` with a scene that has no nodes, and the given variables.
    pub(crate) fn in_scene<T>(t: f64, variables: &[f64], f: impl FnOnce(Scene) -> T) -> T {
        let (motions, angles, functions) = (&[], &[], &[[0.7, 0.0, 0.0]]);
        let world = World { t, motions, angles, functions, states: &[0.4], variables };
        f(Scene { world: &world, nodes: &[] })
    }

    /// Slopes against differences, and the conservative force against the slope of the energy.
    pub(crate) fn check(law: &mut dyn Law, values: &[f64], rates: &[f64]) {
        let variables = [1.7, -0.6];
        // of fourth order: at a depth of damping of 0.05 the cubic share of the damping of teeth has a third derivative of 1e5, which
        // differences of second order would not forgive
        let h = 1e-5;
        let slope = |f: &mut dyn FnMut(f64) -> f64| {
            (8.0 * (f(h) - f(-h)) - (f(2.0 * h) - f(-2.0 * h))) / (12.0 * h)
        };
        let near = |a: f64, b: f64, what: &str| {
            assert!((a - b).abs() < 1e-7 * (1.0 + a.abs()), "{what}: {a} is not {b}");
        };
        for &x in values {
            for &v in rates {
                in_scene(0.3, &variables, |scene| {
                    let pull = law.pull(x, v, scene);
                    let by_value = slope(&mut |by| law.pull(x + by, v, scene).force);
                    near(pull.by_value, by_value, "value");
                    near(pull.by_rate, slope(&mut |by| law.pull(x, v + by, scene).force), "rate");
                    let gain = slope(&mut |by| law.energy(x + by, scene));
                    near(law.conservative(x, scene), -gain, "energy");
                });
                let mut slopes = vec![0.0; law.auxiliary().len()];
                in_scene(0.3, &variables, |scene| law.auxiliary_slopes(x, v, scene, &mut slopes));
                for (k, own) in slopes.iter().enumerate() {
                    let Auxiliary::Variable(i) = law.auxiliary()[k] else { continue };
                    let mut at = |by: f64| {
                        let mut changed = variables;
                        changed[i] += by;
                        in_scene(0.3, &changed, |scene| law.pull(x, v, scene).force)
                    };
                    near(*own, slope(&mut at), "variable");
                }
            }
        }
    }
}
