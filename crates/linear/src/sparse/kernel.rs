//! Choice between the scalar and the multifrontal kernel.

use crate::error::FactorError;
use crate::pattern::Pattern;
use crate::sparse::elimination::Elimination;
use crate::sparse::health::Health;
use crate::sparse::multifrontal::MultifrontalLu;
use crate::sparse::scalar::ScalarLu;
use serde::{Deserialize, Serialize};

/// Operations per entry of the factors from which dense fronts pay; measured.
const DENSE_INTENSITY: f64 = 40.0;
/// Diagonal pivots are kept down to this fraction of the largest candidate: the order already
/// makes them safe, and any other choice costs fill.
const STATIC_THRESHOLD: f64 = 1e-4;
/// Customary threshold when stability comes first.
const PIVOTING_THRESHOLD: f64 = 0.1;

/// Factors on a fixed pattern.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Kernel {
    /// For little fill.
    Scalar(ScalarLu),
    /// For much fill.
    Multifrontal(MultifrontalLu),
}

impl Kernel {
    /// Factors with pivots that the order prescribes as far as possible.
    pub(crate) fn fast(
        pattern: &Pattern,
        values: &[f64],
        elimination: &Elimination,
    ) -> Result<(Kernel, Health), FactorError> {
        if elimination.intensity() > DENSE_INTENSITY {
            let mut kernel = MultifrontalLu::new(pattern, elimination);
            let health = kernel.refactor(values);
            return Ok((Kernel::Multifrontal(kernel), health));
        }
        let (kernel, health) =
            ScalarLu::new(pattern, values, &elimination.order_by_height(), STATIC_THRESHOLD)?;
        Ok((Kernel::Scalar(kernel), health))
    }

    /// Factors with pivots chosen for stability.
    pub(crate) fn stable(
        pattern: &Pattern,
        values: &[f64],
        elimination: &Elimination,
    ) -> Result<(Kernel, Health), FactorError> {
        let (kernel, health) =
            ScalarLu::new(pattern, values, &elimination.order_by_height(), PIVOTING_THRESHOLD)?;
        Ok((Kernel::Scalar(kernel), health))
    }

    pub(crate) fn fill(&self) -> usize {
        match self {
            Kernel::Scalar(kernel) => kernel.fill(),
            Kernel::Multifrontal(kernel) => kernel.fill(),
        }
    }

    /// Recomputes the factors for new values.
    pub(crate) fn refactor(&mut self, pattern: &Pattern, values: &[f64]) -> Health {
        match self {
            Kernel::Scalar(kernel) => kernel.refactor(pattern, values),
            Kernel::Multifrontal(kernel) => kernel.refactor(values),
        }
    }

    /// Replaces `b` by the solution.
    pub(crate) fn solve(&mut self, b: &mut [f64]) {
        match self {
            Kernel::Scalar(kernel) => kernel.solve(b),
            Kernel::Multifrontal(kernel) => kernel.solve(b),
        }
    }
}
