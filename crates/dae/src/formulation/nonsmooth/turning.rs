//! How far closed contacts are from opening, slipping or sticking.

use super::NonsmoothScheme;
use super::law::Status;
use crate::located::Margins;
use crate::state::State;
use crate::system::{Level, System};

impl NonsmoothScheme {
    /// Contacts that were closed at the start of the step: their margins there.
    pub(super) fn margins_before_step(
        &self,
        system: &mut dyn System,
        from: &State,
    ) -> Vec<Margins> {
        let (m, candidates) = (self.core.sizes.multipliers(), &self.stages.candidates);
        let mut rates = vec![0.0; candidates.rows()];
        system.contact(Level::Velocity, &from.point(), &mut rates);
        self.margins_of(&self.smooth[m..], |row| rates[row])
    }

    /// The same at the end of the attempt.
    pub(super) fn margins_after_step(&self) -> Vec<Margins> {
        let (offset, c7) = (self.stages.contact_offset(), self.alpha.c.c7);
        self.margins_of(&self.stages.x[0][offset..], |row| c7 * self.stages.rows[2][row])
    }

    fn margins_of(&self, forces: &[f64], rate: impl Fn(usize) -> f64) -> Vec<Margins> {
        let candidates = &self.stages.candidates;
        let closed = (0..self.settled.len()).filter(|&i| self.settled[i].closed());
        let margins = closed.map(|i| {
            let (first, law) = (candidates.first[i], &candidates.laws[i]);
            let size = |of: &dyn Fn(usize) -> f64| {
                (1..law.rows()).fold(0.0f64, |size, k| size.hypot(of(first + k)))
            };
            let (now, was) = (self.stages.status[2][i], self.settled[i]);
            let friction = match was {
                Status::Slip(_) => size(&rate),
                _ => law.friction * forces[first] - size(&|row| forces[row]),
            };
            let slips = matches!(was, Status::Slip(_));
            Margins {
                contact: i,
                pressing: forces[first],
                friction,
                slips,
                opens: !now.closed(),
                turns: now.closed() && law.directions > 0 && !now.same_kind(was),
            }
        });
        margins.collect()
    }
}
