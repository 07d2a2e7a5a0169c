//! Limit points, branches and flutter between two points of a path.
//!
//! The stiffness is singular where the number of its negative eigenvalues changes; that it does is believed only as far
//! as rounding lets the signs be told, so that bad conditioning makes no branches. The place is found by
//! halving the way, in the end by the signs as computed; there the kernel of the stiffness tells a limit point, whose load works along it, from a
//! branch, whose load does not.

use super::super::stability::{Held, Index};
use super::{MOST_HALVINGS, PathPoint, Place, Tracer, Turn};
use crate::analysis::dense::{norm, times};
use crate::analysis::words::motion;

/// The share of the load along the motion that nothing holds, from which on it is a limit point: between the
/// rounding of a branch, where it is none, and all of it.
const LOADED: f64 = 0.1;

impl Tracer<'_> {
    /// Looks for everything special between two places, by halving the way between them.
    pub(super) fn turns(
        &mut self,
        base: &Place,
        ends: &[Seen; 2],
        halvings: usize,
        found: &mut Vec<(Turn, PathPoint)>,
    ) {
        let [low, high] = ends;
        if !low.differs(high) {
            return;
        }
        let middle = 0.5 * (low.at + high.at);
        let seen = match halvings {
            0 => None,
            _ => self.seen(base, middle),
        };
        let Some(seen) = seen else {
            found.extend(self.classified(low, high));
            return;
        };
        if !low.differs(&seen) && !seen.differs(high) {
            // the sign cannot be told in the middle, though it changes
            let point = self.crossing(base, [low.clone(), high.clone()], halvings);
            found.extend(self.singular(&point, low.point.index, &high.point));
            return;
        }
        self.turns(base, &[low.clone(), seen.clone()], halvings - 1, found);
        self.turns(base, &[seen, high.clone()], halvings - 1, found);
    }

    /// What is special between two places that lie close together.
    fn classified(&mut self, low: &Seen, high: &Seen) -> Vec<(Turn, PathPoint)> {
        let mut crossings = low.point.index.crossings(&high.point.index);
        let mut found = Vec::new();
        if low.load * high.load < 0.0 {
            found.push((Turn::Limit, self.named(&high.point)));
            crossings = crossings.saturating_sub(1);
        }
        if crossings > 0 {
            found.extend(self.singular(&high.point, low.point.index, &high.point));
        }
        if found.is_empty() {
            found.push((Turn::Flutter, high.point.clone()));
        }
        found
    }

    /// Where a sign that has certainly changed does so as computed, between two places of which one or both cannot
    /// tell it: better than any other place between them.
    fn crossing(
        &mut self,
        base: &Place,
        [mut low, mut high]: [Seen; 2],
        halvings: usize,
    ) -> PathPoint {
        let before = low.point.index;
        for _ in 0..halvings {
            let middle = 0.5 * (low.at + high.at);
            let Some(seen) = self.seen(base, middle) else { break };
            match before.seems_other(&seen.point.index) {
                true => high = seen,
                false => low = seen,
            }
        }
        high.point
    }

    /// A sign that has certainly changed somewhere on the way along places that could not tell it, to a point that can.
    pub(super) fn passed(
        &mut self,
        doubtful: &[(Place, PathPoint)],
        certain: Index,
        beyond: &PathPoint,
    ) -> Option<(Turn, PathPoint)> {
        let other = |(_, point): &(Place, PathPoint)| certain.seems_other(&point.index);
        let after = doubtful.iter().skip(1).position(other).map(|k| k + 1);
        let (base, point) = &doubtful[after.unwrap_or(doubtful.len()) - 1];
        let high = after.map_or(beyond, |k| &doubtful[k].1).clone();
        let ends = [
            Seen { at: 0.0, load: base.load(), point: point.clone() },
            Seen { at: high.length - base.length, load: base.load(), point: high },
        ];
        let found = self.crossing(base, ends, MOST_HALVINGS);
        self.singular(&found, certain, beyond)
    }

    /// What is known of the place so far along the path.
    fn seen(&mut self, base: &Place, at: f64) -> Option<Seen> {
        let (place, _) = self.step(base, at)?;
        Some(Seen { at, load: place.load(), point: self.point(&place)? })
    }

    /// A singular stiffness where the load does not turn back. With `φ` the left kernel, `φᵀF_z = 0`, a path goes
    /// on through it only if `φᵀF_τ = 0`, and then another one crosses; else it is a limit point.
    pub(super) fn singular(
        &mut self,
        point: &PathPoint,
        before: Index,
        after: &PathPoint,
    ) -> Option<(Turn, PathPoint)> {
        if before.crossings(&after.index) == 0 {
            return None;
        }
        let held = Held::at(self.system, &point.state)?;
        let [left, _] = held.nearly_free()?;
        let n = self.equations.sizes.motion;
        let slope = self.load_slope(&point.state);
        let force: Vec<f64> =
            (0..n).map(|i| slope[i] * self.equations.energy / self.equations.scale[i]).collect();
        let reduced = times(&held.kernel.transpose().to_owned(), &force);
        let across: f64 = left.iter().zip(&reduced).map(|(a, b)| a * b).sum();
        let kind = match across.abs() > LOADED * norm(&reduced) {
            true => Turn::Limit,
            false => Turn::Branch,
        };
        Some((kind, self.named(point)))
    }

    /// A point with the motion that nothing holds there.
    fn named(&mut self, point: &PathPoint) -> PathPoint {
        let free = Held::at(self.system, &point.state).and_then(|held| {
            let [_, right] = held.nearly_free()?;
            Some(motion(self.system, &times(&held.kernel, &right)))
        });
        PathPoint { along: free.unwrap_or_default(), ..point.clone() }
    }
}

/// What is known of a place on the way from another.
#[derive(Clone)]
pub(super) struct Seen {
    /// The way from the other place.
    pub at: f64,
    /// The rate of the load along the path.
    pub load: f64,
    pub point: PathPoint,
}

impl Seen {
    /// Whether something special lies between.
    fn differs(&self, other: &Seen) -> bool {
        let (a, b) = (&self.point, &other.point);
        // a count of growing motions says nothing where the stiffness cannot be told from a singular one
        let decided = a.index.undecided == 0 && b.index.undecided == 0;
        self.load * other.load < 0.0
            || a.index.crossings(&b.index) > 0
            || (decided && a.unstable_motions != b.unstable_motions)
    }
}
