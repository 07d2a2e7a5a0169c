//! Equal straight pieces laid along a closed path, each following from the one before it.
//!
//! Links of a chain have their ends on the path: |P(s') − P(s)| = l. Segments of a belt touch it with their middles, and on one arc or span
//! the ends of neighbours meet: |P(s') − P(s)| = l cos(Δψ/2), with Δψ the angle between them. The length l is that with which the last piece leads
//! to the first.

use super::Lay;
use super::round::{Round, Station};

/// The pieces.
#[derive(Clone, Debug)]
pub(super) struct Pieces {
    /// Length of each.
    pub pitch: f64,
    /// Where their origins are along the path, and once more the first behind the last.
    pub ways: Vec<f64>,
}

/// A path counts as closed within this part of its length.
const CLOSED: f64 = 1e-10;

impl Pieces {
    /// So many pieces, the first of them so many pieces beyond the begin of the path; none if they are too long for it.
    pub fn laid(round: &Round, lay: Lay, count: usize, shift: f64) -> Option<Pieces> {
        let share = round.length() / count as f64;
        let begin = shift - shift.floor();
        let attempt = |pitch: f64, count: usize| ways(round, lay, count, begin * pitch, pitch);
        // whether some of the path is left when all are laid
        let some_left = |pitch: f64| {
            attempt(pitch, count).is_some_and(|ways| ways[count] - ways[0] < round.length())
        };
        let (mut short, mut long) = (0.25 * share, 4.0 * share);
        if !some_left(short) {
            return None;
        }
        while long - short > 2.0 * f64::EPSILON * share {
            let middle = 0.5 * (short + long);
            *(if some_left(middle) { &mut short } else { &mut long }) = middle;
        }
        let whole = shift.floor().rem_euclid(count as f64) as usize;
        let mut ways = attempt(short, whole + count)?;
        ways.drain(..whole);
        let gap = round.length() - (ways[count] - ways[0]);
        (gap.abs() < CLOSED * round.length()).then_some(Pieces { pitch: short, ways })
    }
}

/// Where pieces of this length have their origins.
fn ways(round: &Round, lay: Lay, count: usize, from: f64, pitch: f64) -> Option<Vec<f64>> {
    let mut ways = vec![from];
    for k in 0..count {
        ways.push(next(round, lay, ways[k], pitch)?);
    }
    Some(ways)
}

/// Where the origin of the next piece is: the first place that is far enough.
fn next(round: &Round, lay: Lay, way: f64, pitch: f64) -> Option<f64> {
    /// Parts of a piece in which it is looked for, and how far.
    const STRIDE: f64 = 0.125;
    const FARTHEST: u32 = 24;
    let from = round.at(way);
    let near = |to: f64| {
        let to = round.at(to);
        (to.position - from.position).norm() < distance(lay, &from, &to, pitch)
    };
    let place = |k: u32| way + f64::from(k) * STRIDE * pitch;
    let k = (1..=FARTHEST).find(|k| !near(place(*k)))?;
    let (mut before, mut after) = (place(k - 1), place(k));
    loop {
        let middle = 0.5 * (before + after);
        if middle <= before || middle >= after {
            return Some(after);
        }
        *(if near(middle) { &mut before } else { &mut after }) = middle;
    }
}

/// How far the origins of neighbours are apart.
fn distance(lay: Lay, from: &Station, to: &Station, pitch: f64) -> f64 {
    match lay {
        Lay::Chords => pitch,
        // headings behind and before the begin of the path differ by whole turns
        Lay::Tangents => pitch * (0.5 * (to.heading - from.heading)).cos().abs(),
    }
}
