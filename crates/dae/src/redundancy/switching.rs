//! Forces that switch in a system without those of its constraints that follow from the others.

use super::Independent;
use crate::system::{Point, Switching};

impl Switching for Independent<'_> {
    fn next_instant(&mut self, after: f64, until: f64) -> Option<f64> {
        self.inner.switching()?.next_instant(after, until)
    }

    fn resolved(&mut self, from: f64, to: f64) -> f64 {
        self.inner.switching().map_or(to, |switching| switching.resolved(from, to))
    }

    fn rooms(&mut self) -> usize {
        self.inner.switching().map_or(0, |switching| switching.rooms())
    }

    fn name(&mut self, room: usize) -> String {
        self.inner.switching().map_or(String::new(), |switching| switching.name(room))
    }

    fn jumps(&mut self, room: usize) -> bool {
        self.inner.switching().is_some_and(|switching| switching.jumps(room))
    }

    fn hold(&mut self, at: &Point) {
        self.inside(at, |this, at| {
            if let Some(switching) = this.inner.switching() {
                switching.hold(at);
            }
        });
    }

    fn release(&mut self) {
        if let Some(switching) = self.inner.switching() {
            switching.release();
        }
    }

    fn room(&mut self, at: &Point, out: &mut [f64]) {
        self.inside(at, |this, at| {
            if let Some(switching) = this.inner.switching() {
                switching.room(at, out);
            }
        });
    }

    fn cross(&mut self, room: usize, beyond: &Point) {
        self.inside(beyond, |this, at| {
            if let Some(switching) = this.inner.switching() {
                switching.cross(room, at);
            }
        });
    }
}
