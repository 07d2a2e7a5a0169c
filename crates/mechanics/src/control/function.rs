//! Signals that a program computes, where no formula says what they are.

use dyn_clone::DynClone;
use std::fmt::Debug;

/// A number computed from the time and signals, such as the command of a controller written in a
/// programming language.
///
/// It must be a function of its inputs alone: an iteration asks for it at trial states and in any
/// order. What it has to remember belongs into states of the model.
///
/// ```
/// use rotula_mechanics::control::SignalFunction;
///
/// /// A command that saturates smoothly.
/// #[derive(Clone, Debug)]
/// struct Soft {
///     limit: f64,
/// }
///
/// impl SignalFunction for Soft {
///     fn value(&mut self, inputs: &[f64]) -> f64 {
///         self.limit * (-inputs[0] / self.limit).tanh()
///     }
/// }
///
/// let mut slopes = [0.0];
/// Soft { limit: 2.0 }.slopes(&mut [0.0], &mut slopes);
/// assert!((slopes[0] + 1.0).abs() < 1e-9);
/// ```
pub trait SignalFunction: Debug + DynClone + Send + Sync {
    /// The value at these inputs.
    fn value(&mut self, inputs: &[f64]) -> f64;

    /// Partial derivatives at these inputs, written to `out`; the inputs are left as they were. By
    /// default central differences, which give about nine digits of a smooth function.
    fn slopes(&mut self, inputs: &mut [f64], out: &mut [f64]) {
        for (k, out) in out.iter_mut().enumerate() {
            let here = inputs[k];
            let h = f64::EPSILON.cbrt() * here.abs().max(1.0);
            inputs[k] = here + h;
            let above = self.value(inputs);
            inputs[k] = here - h;
            let below = self.value(inputs);
            inputs[k] = here;
            *out = (above - below) / (2.0 * h);
        }
    }
}

dyn_clone::clone_trait_object!(SignalFunction);
