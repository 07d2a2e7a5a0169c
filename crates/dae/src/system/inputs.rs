//! Numbers that are set from outside while a run goes on.

/// The inputs of a system, such as the command of a controller that another program computes. Between two calls an
/// input keeps its value; after a change [`Integrator::restart`](crate::Integrator::restart) finds the
/// accelerations that belong to it.
pub trait Inputs {
    /// Their names.
    fn names(&self) -> Vec<String>;

    /// The value of one of them, by its place among the names.
    fn value(&self, input: usize) -> f64;

    /// Gives one of them another value from a time on, the present one of the run.
    fn set(&mut self, input: usize, value: f64, t: f64);
}
