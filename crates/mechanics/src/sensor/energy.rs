//! Energies of the whole model.

/// An energy or the power of everything without potential. Energies depend on every body, so they are
/// for output and may not stand in formulas of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnergySensor {
    /// Kinetic energy.
    Kinetic,
    /// Potential energy of gravity and springs.
    Potential,
    /// Their sum.
    Total,
    /// Power of loads, dampers and drives.
    Power,
}
