//! What stands still and is much larger than all that moves: a road, a landscape. It is shown, but neither the picture nor
//! its symbols are made for it.

use super::rigid;
use crate::picture::extent;
use nalgebra::Vector3;
use rotula_mechanics::picture::{Film, Form, Part};

/// So much larger than what moves, where it begins, is scenery; a housing or a frame is part of the machine.
const LARGER: f64 = 2.0;
/// A body moves if it goes further than this part of everything, or turns by this angle.
const MOVES: f64 = 1e-6;

/// Whether each body is scenery.
pub(crate) fn scenery(film: &Film) -> Vec<bool> {
    let start = film.frames_at(0);
    let forms = |body: usize| -> Vec<Vector3<f64>> {
        let part = |form: &Form| Part { body, form: form.moved(&start[body]) };
        extent(&rigid(film, body).map(part).collect::<Vec<_>>())
    };
    let own: Vec<Vec<Vector3<f64>>> = (0..film.bodies.len()).map(forms).collect();
    let everything = reach(own.iter().flatten().copied());
    let moves = |body: &usize| {
        let at = &start[*body];
        (1..film.times.len()).any(|k| {
            let now = &film.frames_at(k)[*body];
            let turned = now.orientation.to_array().into_iter().zip(at.orientation.to_array());
            (now.position - at.position).norm() > MOVES * everything
                || turned.into_iter().any(|(a, b)| (a - b).abs() > MOVES)
        })
    };
    let moving: Vec<usize> = (1..film.bodies.len()).filter(moves).collect();
    if moving.is_empty() {
        return vec![false; own.len()];
    }
    let shapes = moving.iter().flat_map(|body| own[*body].iter().copied());
    let bent = film.tubes.iter().flat_map(|tube| tube.points.iter().take(tube.count).copied());
    let machine = reach(shapes.chain(bent));
    let size = |body: usize| reach(own[body].iter().copied());
    let still = |body: usize| !moving.contains(&body) && size(body) > LARGER * machine;
    (0..own.len()).map(still).collect()
}

/// The largest extent of points along the axes; zero of none.
fn reach(points: impl Iterator<Item = Vector3<f64>>) -> f64 {
    let none = (Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY));
    let (low, high) = points.fold(none, |(low, high), p| (low.inf(&p), high.sup(&p)));
    (high - low).max().max(0.0)
}
