//! Systems that wrap another.

/// The methods of a [`System`](crate::System) that a wrapper takes from the system in one of its fields: all that
/// integrators need but [`dynamics`](crate::System::dynamics).
#[macro_export]
macro_rules! forward_system {
    ($inner:ident) => {
        fn sizes(&self) -> $crate::Sizes {
            self.$inner.sizes()
        }

        fn patterns(&self) -> $crate::Patterns {
            self.$inner.patterns()
        }

        fn tangent(
            &mut self,
            at: &$crate::Point,
            weights: $crate::Weights,
            terms: $crate::Terms,
            values: &mut [f64],
        ) {
            self.$inner.tangent(at, weights, terms, values);
        }

        fn reactions(&mut self, at: &$crate::Point, values: &mut [f64]) {
            self.$inner.reactions(at, values);
        }

        fn constraint(&mut self, level: $crate::Level, at: &$crate::Point, out: &mut [f64]) {
            self.$inner.constraint(level, at, out);
        }

        fn constraint_gradient(&mut self, at: &$crate::Point, values: &mut [f64]) {
            self.$inner.constraint_gradient(at, values);
        }

        fn constraint_tangent(
            &mut self,
            level: $crate::Level,
            at: &$crate::Point,
            weights: $crate::Weights,
            values: &mut [f64],
        ) {
            self.$inner.constraint_tangent(level, at, weights, values);
        }

        fn auxiliary(&mut self, at: &$crate::Point, out: &mut [f64]) {
            self.$inner.auxiliary(at, out);
        }

        fn auxiliary_rows(&mut self, at: &$crate::Point, rows: &[usize], out: &mut [f64]) {
            self.$inner.auxiliary_rows(at, rows, out);
        }

        fn auxiliary_tangent(
            &mut self,
            at: &$crate::Point,
            weights: $crate::Weights,
            states: $crate::StateWeights,
            motion: &mut [f64],
            multipliers: &mut [f64],
            auxiliary: &mut [f64],
        ) {
            self.$inner.auxiliary_tangent(at, weights, states, motion, multipliers, auxiliary);
        }

        fn dynamics_auxiliary(
            &mut self,
            at: &$crate::Point,
            states: $crate::StateWeights,
            values: &mut [f64],
        ) {
            self.$inner.dynamics_auxiliary(at, states, values);
        }

        fn switching(&mut self) -> Option<&mut dyn $crate::Switching> {
            self.$inner.switching()
        }
    };
}
