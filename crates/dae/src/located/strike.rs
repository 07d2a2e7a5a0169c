//! An impact at an instant: places stay, velocities jump.
//!
//! With `W` from [`Delassus`] and the rates `u⁻` before, the impulses `P` meet
//!
//! ```text
//! 0 ≤ u_N⁺ + e u_N⁻ ⊥ P_N ≥ 0,   P_T against u_T⁺ in the disc of radius μ P_N,   u⁺ = u⁻ + W P
//! ```
//!
//! for every contact that touches at the instant. No finite force takes part. [Moreau; Pfeiffer, Glocker 1996]

use crate::contact::{Contact, first_rows};
use crate::delassus::Delassus;
use crate::formulation::turns::Turns;
use crate::saddle::Saddle;
use crate::state::State;
use crate::stop::Stop;
use crate::system::System;
use rotula_linear::FactorError;

/// Sweeps end when they change impulses by less than this part: by rounding.
const STILL: f64 = 1e-15;

/// A contact that takes part in an impact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Partner {
    /// Its place in the list of contacts, and its first row.
    pub contact: usize,
    pub row: usize,
    pub law: Contact,
}

/// An impact of several contacts, before and after it happened.
pub(crate) struct Strike {
    pub partners: Vec<Partner>,
    laws: Vec<Contact>,
    /// First row of each partner among the rows of the impact.
    first: Vec<usize>,
    delassus: Delassus,
    /// Rates of gaps and slips, row by row of the impact.
    pub before: Vec<f64>,
    pub after: Vec<f64>,
    pub impulses: Vec<f64>,
}

impl Strike {
    /// Prepares the impact of some contacts, in the order of their rows, of which `rates` gives all rows of the list.
    pub fn new(
        system: &mut dyn System,
        state: &State,
        saddle: &mut Saddle,
        partners: Vec<Partner>,
        rates: &[f64],
    ) -> Result<Self, FactorError> {
        let own = |partner: &Partner| partner.row..partner.row + partner.law.rows();
        let rows: Vec<usize> = partners.iter().flat_map(own).collect();
        let laws: Vec<Contact> = partners.iter().map(|partner| partner.law).collect();
        let first = first_rows(&laws);
        let delassus = Delassus::new(system, &state.point(), saddle, &rows)?;
        let before: Vec<f64> = rows.iter().map(|&row| rates[row]).collect();
        let (after, impulses) = (before.clone(), vec![0.0; rows.len()]);
        Ok(Strike { partners, laws, first, delassus, before, after, impulses })
    }

    /// Rows of a partner among those of the impact.
    pub fn rows(&self, partner: usize) -> std::ops::Range<usize> {
        let first = self.first[partner];
        first..first + self.partners[partner].law.rows()
    }

    /// Rate of the gap of a partner, before and after.
    pub fn normal(&self, partner: usize) -> [f64; 2] {
        [self.before[self.first[partner]], self.after[self.first[partner]]]
    }

    /// Lets it happen, with what each partner gives back of its approach: a part, at most the whole.
    pub fn happen(&mut self, restitution: &[f64], stop: &Stop) {
        let rows = self.before.len();
        let mut free = self.before.clone();
        for (i, partner) in self.partners.iter().enumerate() {
            let first = self.first[i];
            free[first] += restitution[i] * free[first].min(0.0);
            for k in 1..partner.law.rows() {
                free[first + k] += partner.law.tangential_restitution * free[first + k];
            }
        }
        let acting: Vec<usize> = (0..self.laws.len()).collect();
        self.impulses.fill(0.0);
        let turns = Turns {
            laws: &self.laws,
            first: &self.first,
            acting: &acting,
            compliance: &self.delassus.matrix,
            free: &free,
            friction: true,
            rows,
            still: STILL,
            stop,
        };
        turns.take(&mut self.impulses);
        for (row, after) in self.after.iter_mut().enumerate() {
            let line = &self.delassus.matrix[row * rows..(row + 1) * rows];
            let jump: f64 = line.iter().zip(&self.impulses).map(|(w, p)| w * p).sum();
            *after = self.before[row] + jump;
        }
    }

    /// Adds the jump to velocities; returns the impulses of the bilateral constraints.
    pub fn jump(&self, v: &mut [f64]) -> Vec<f64> {
        let n = v.len();
        let multipliers = self.delassus.responses.first().map_or(0, |all| all.len() - n);
        let mut bilateral = vec![0.0; multipliers];
        for (impulse, response) in self.impulses.iter().zip(&self.delassus.responses) {
            v.iter_mut().zip(response).for_each(|(v, r)| *v += impulse * r);
            bilateral.iter_mut().zip(&response[n..]).for_each(|(b, r)| *b += impulse * r);
        }
        bilateral
    }

    /// Energy that a partner took, friction included.
    pub fn taken(&self, partner: usize) -> f64 {
        let mean = |k: usize| 0.5 * (self.before[k] + self.after[k]);
        self.rows(partner).map(|k| -self.impulses[k] * mean(k)).sum()
    }

    /// What Newton's law says that its normal direction takes, and what it took.
    pub fn normal_losses(&self, partner: usize) -> [f64; 2] {
        let row = self.first[partner];
        let [before, after] = self.normal(partner);
        let restitution = self.partners[partner].law.restitution;
        let impulse = self.impulses[row];
        let law = 0.5 * impulse * (1.0 - restitution) * (-before).max(0.0);
        [law, -0.5 * impulse * (before + after)]
    }
}
