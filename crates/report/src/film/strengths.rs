//! How strong the forces of a film are, so that arrows get a readable length.

use rotula_mechanics::picture::Film;

/// Most forces are no stronger than the usual one; impacts may be far stronger.
const MOST: f64 = 0.85;
/// So many forces at once are no crowd yet.
const FEW: f64 = 8.0;

/// The usual force, and by how much arrows are to be shorter because many act at once. None without forces.
pub(crate) fn usual(film: &Film) -> Option<(f64, f64)> {
    let arrows = film.arrows.iter().flat_map(|arrow| arrow.forces.iter().map(|force| force.norm()));
    let passing = film.contacts.all().iter().map(|contact| contact.size());
    let mut sizes: Vec<f64> = arrows.chain(passing).filter(|size| *size > 0.0).collect();
    sizes.sort_by(f64::total_cmp);
    let last = sizes.len().checked_sub(1)?;
    let at_once = sizes.len() as f64 / film.times.len() as f64;
    Some((sizes[(MOST * last as f64) as usize], (at_once / FEW).cbrt().max(1.0)))
}
