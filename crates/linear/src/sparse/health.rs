//! What the pivots tell about the accuracy of a factorisation.

/// Largest factor and smallest pivot. Both fail to notice NaN, but the zero pivot or the overflow
/// before it shows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Health {
    pub(crate) growth: f64,
    pub(crate) smallest_pivot: f64,
}

impl Health {
    pub(crate) fn perfect() -> Health {
        Health { growth: 1.0, smallest_pivot: f64::INFINITY }
    }

    /// Takes account of a pivot and of the largest factor in its column.
    #[inline(always)]
    pub(crate) fn note(&mut self, pivot: f64, growth: f64) {
        self.growth = self.growth.max(growth);
        self.smallest_pivot = self.smallest_pivot.min(pivot.abs());
    }
}
