//! An impact at an instant: places stay, velocities jump.
//!
//! With `W` from [`Delassus`] and the rates `u⁻` before, the impulses `P` of every contact that touches at the instant lead
//! to the rates `u⁺ = u⁻ + W P` after. No finite force takes part. Which `P` it is the `law` says. [Pfeiffer, Glocker 1996]

use super::law::Order;
use crate::contact::{Contact, first_rows};
use crate::delassus::Delassus;
use crate::saddle::Saddle;
use crate::settings::MultipleImpactLaw;
use crate::state::State;
use crate::stop::Stop;
use crate::system::System;
use rotula_linear::FactorError;

/// Energy that a law may make by rounding, as part of all that impulses exchange.
const ROUNDING: f64 = 1e-9;
/// Contacts that are coupled less than this do not feel each other.
const COUPLED: f64 = 0.1;
/// Impacts one after the other that are followed to compare laws.
const MOST_COMPARED: usize = 500;

/// A contact that takes part in an impact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Partner {
    /// Its place in the list of contacts, and its first row.
    pub contact: usize,
    pub row: usize,
}

/// An impact of several contacts, before and after it happened.
pub(crate) struct Strike {
    pub partners: Vec<Partner>,
    pub(super) laws: Vec<Contact>,
    /// First row of each partner among the rows of the impact.
    pub(super) first: Vec<usize>,
    pub(super) delassus: Delassus,
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
        let law = |partner: &Partner| system.contacts()[partner.contact];
        let laws: Vec<Contact> = partners.iter().map(law).collect();
        let own = |(partner, law): (&Partner, &Contact)| partner.row..partner.row + law.rows();
        let rows: Vec<usize> = partners.iter().zip(&laws).flat_map(own).collect();
        let first = first_rows(&laws);
        let delassus = Delassus::new(system, &state.point(), saddle, &rows)?;
        let before: Vec<f64> = rows.iter().map(|&row| rates[row]).collect();
        let (after, impulses) = (before.clone(), vec![0.0; rows.len()]);
        Ok(Strike { partners, laws, first, delassus, before, after, impulses })
    }

    /// Restitution of each partner.
    pub fn restitution(&self) -> Vec<f64> {
        self.laws.iter().map(|law| law.restitution).collect()
    }

    /// Rows of a partner among those of the impact.
    pub fn rows(&self, partner: usize) -> std::ops::Range<usize> {
        let first = self.first[partner];
        first..first + self.laws[partner].rows()
    }

    /// Rate of the gap of a partner, before and after.
    pub fn normal(&self, partner: usize) -> [f64; 2] {
        [self.before[self.first[partner]], self.after[self.first[partner]]]
    }

    /// Lets it happen, with what each partner gives back of its approach. Where a law makes energy, which Newton's restitution
    /// and friction can do together, Poisson's takes its place: then the answer is true.
    pub fn happen(&mut self, law: MultipleImpactLaw, restitution: &[f64], stop: &Stop) -> bool {
        self.take(self.impulses_of(law, restitution, stop));
        let exchanged: f64 =
            self.impulses.iter().zip(&self.before).map(|(p, u)| (p * u).abs()).sum();
        let taken: f64 = (0..self.partners.len()).map(|i| self.taken(i)).sum();
        let makes = taken < -ROUNDING * exchanged && law != MultipleImpactLaw::Poisson;
        if makes {
            self.take(self.impulses_of(MultipleImpactLaw::Poisson, restitution, stop));
        }
        makes
    }

    fn take(&mut self, impulses: Vec<f64>) {
        self.after = self.rates_after(&self.before, &impulses);
        self.impulses = impulses;
    }

    pub(super) fn rates_after(&self, rates: &[f64], impulses: &[f64]) -> Vec<f64> {
        let lines = self.delassus.matrix.chunks(rates.len().max(1));
        let jump = |line: &[f64]| line.iter().zip(impulses).map(|(w, p)| w * p).sum::<f64>();
        rates.iter().zip(lines).map(|(rate, line)| rate + jump(line)).collect()
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
        let impulse = self.impulses[row];
        let law = 0.5 * impulse * (1.0 - self.laws[partner].restitution) * (-before).max(0.0);
        [law, -0.5 * impulse * (before + after)]
    }

    /// How far the outcomes of laws differ, as a velocity in the metric of the mass: nothing where at most one contact takes
    /// part or contacts do not feel each other.
    pub fn spread(&self, restitution: &[f64], stop: &Stop) -> f64 {
        let rows = self.before.len();
        let entry = |i: usize, j: usize| self.delassus.matrix[self.first[i] * rows + self.first[j]];
        let n = self.partners.len();
        let feels =
            |i: usize, j: usize| entry(i, j).abs() > COUPLED * (entry(i, i) * entry(j, j)).sqrt();
        if !(0..n).any(|i| (0..i).any(|j| feels(i, j))) {
            return 0.0;
        }
        let mut outcomes = vec![self.impulses_of(MultipleImpactLaw::Moreau, restitution, stop)];
        for order in [Order::First, Order::Last] {
            let outcome = self.sequential(restitution, (order, MOST_COMPARED), stop);
            // one that does not come to its end says nothing
            if self.approaching(&self.rates_after(&self.before, &outcome)).next().is_none() {
                outcomes.push(outcome);
            }
        }
        let nothing = vec![0.0; rows];
        let distance = |a: &[f64], b: &[f64]| {
            let difference: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
            let rates = self.rates_after(&nothing, &difference);
            difference.iter().zip(rates).map(|(p, u)| p * u).sum::<f64>().max(0.0).sqrt()
        };
        let pairs = outcomes.iter().flat_map(|a| outcomes.iter().map(move |b| (a, b)));
        pairs.map(|(a, b)| distance(a, b)).fold(0.0, f64::max)
    }

    /// An impact of masses, each with a velocity of its own, from the gradient of the rows.
    #[cfg(test)]
    pub(super) fn of(
        gradient: Vec<Vec<f64>>,
        masses: &[f64],
        velocities: &[f64],
        law: Contact,
    ) -> Self {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let response = |line: &Vec<f64>| line.iter().zip(masses).map(|(g, m)| g / m).collect();
        let responses: Vec<Vec<f64>> = gradient.iter().map(response).collect();
        let entry = |i: usize, j: usize| dot(&gradient[i], &responses[j]);
        let rows = gradient.len();
        let matrix = (0..rows * rows).map(|k| entry(k / rows, k % rows)).collect();
        let laws = vec![law; rows / law.rows()];
        let first = first_rows(&laws);
        let partners =
            first.iter().enumerate().map(|(contact, &row)| Partner { contact, row }).collect();
        let before: Vec<f64> = gradient.iter().map(|line| dot(line, velocities)).collect();
        let (after, impulses) = (before.clone(), vec![0.0; rows]);
        let delassus = Delassus { matrix, responses };
        Strike { partners, laws, first, delassus, before, after, impulses }
    }
}
