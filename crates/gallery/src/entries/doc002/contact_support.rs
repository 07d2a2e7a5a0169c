//! What the entries with contacts share.

use rotula_dae::Trajectory;

/// The first recorded time from which a contact stays closed.
pub(super) fn closed_from(trajectory: &Trajectory, contact: usize) -> f64 {
    let gaps: Vec<f64> = trajectory.contacts.gap.column(contact).collect();
    match gaps.iter().rposition(|&gap| gap > 1e-9) {
        Some(last) => trajectory.times.get(last + 1).copied().unwrap_or(f64::NAN),
        None => trajectory.times.first().copied().unwrap_or(f64::NAN),
    }
}

/// Total energy in a row.
pub(super) fn energy(trajectory: &Trajectory, row: usize) -> f64 {
    let energy = trajectory.energy.row(row);
    energy[0] + energy[1]
}

/// Rows in which a contact transmits a force.
pub(super) fn active_rows(trajectory: &Trajectory, contact_row: usize) -> Vec<usize> {
    let force = trajectory.contacts.force.column(contact_row).enumerate();
    force.filter(|&(_, force)| force > 1e-6).map(|(i, _)| i).collect()
}
