//! Laws of an impact in which several contacts take part. [sheet on impacts §5]
//!
//! With a single contact without friction they agree. With several, mechanics alone does not determine the outcome: which
//! one is right depends on how waves pass through the bodies.

use super::strike::Strike;
use crate::formulation::turns::Turns;
use crate::settings::MultipleImpactLaw;
use crate::stop::Stop;

/// Sweeps end when they change impulses by less than this part: by rounding.
const STILL: f64 = 1e-15;
/// Sweeps after which all contacts are solved at once, and how exactly, as a part of the largest rate.
const FEW_SWEEPS: usize = 500;
const TOGETHER: f64 = 1e-11;
/// Most impacts one after the other, and the part of all rates below which none is left.
const MOST_IMPACTS: usize = 100_000;
const OVER: f64 = 1e-12;

/// Which of several contacts that approach comes first.
#[derive(Clone, Copy)]
pub(super) enum Order {
    Fastest,
    First,
    Last,
}

impl Strike {
    /// The impulses that a law asks for, with what each partner gives back of its approach.
    pub(super) fn impulses_of(
        &self,
        law: MultipleImpactLaw,
        restitution: &[f64],
        stop: &Stop,
    ) -> Vec<f64> {
        match law {
            MultipleImpactLaw::Moreau => {
                self.moreau(&self.before, &self.everyone(), restitution, stop)
            }
            MultipleImpactLaw::Poisson => self.poisson(restitution, stop),
            MultipleImpactLaw::Reflections => self.reflections(restitution, stop),
            MultipleImpactLaw::Sequential => {
                self.sequential(restitution, (Order::Fastest, MOST_IMPACTS), stop)
            }
        }
    }

    fn everyone(&self) -> Vec<usize> {
        (0..self.partners.len()).collect()
    }

    /// `0 ≤ u⁺ + e u⁻ ⊥ P ≥ 0` for some of the partners.
    fn moreau(&self, rates: &[f64], acting: &[usize], e: &[f64], stop: &Stop) -> Vec<f64> {
        let mut free = rates.to_vec();
        for (i, law) in self.laws.iter().enumerate() {
            let first = self.first[i];
            free[first] += e[i] * free[first].min(0.0);
            for k in 1..law.rows() {
                free[first + k] += law.tangential_restitution * free[first + k];
            }
        }
        self.sweep(&free, acting, None, stop)
    }

    fn sweep(
        &self,
        free: &[f64],
        acting: &[usize],
        least: Option<&[f64]>,
        stop: &Stop,
    ) -> Vec<f64> {
        let mut impulses = vec![0.0; free.len()];
        let turns = Turns {
            laws: &self.laws,
            first: &self.first,
            acting,
            compliance: &self.delassus.matrix,
            free,
            friction: true,
            rows: free.len(),
            least,
            still: STILL,
            stop,
        };
        if least.is_some() {
            turns.take(&mut impulses);
        } else if turns.take_some(&mut impulses, FEW_SWEEPS).is_none() {
            turns.take_together(&mut impulses, TOGETHER);
        }
        impulses
    }

    /// Compression without restitution; then expansion, in which each contact gives back the part `e` of its impulse or more.
    /// [Glocker 2001]
    fn poisson(&self, restitution: &[f64], stop: &Stop) -> Vec<f64> {
        let nothing = vec![0.0; restitution.len()];
        let compression = self.moreau(&self.before, &self.everyone(), &nothing, stop);
        let rates = self.rates_after(&self.before, &compression);
        let back = |(i, e): (usize, &f64)| e * compression[self.first[i]];
        let least: Vec<f64> = restitution.iter().enumerate().map(back).collect();
        let expansion = self.sweep(&rates, &self.everyone(), Some(&least), stop);
        compression.iter().zip(expansion).map(|(a, b)| a + b).collect()
    }

    /// All that approach are reflected together, again and again; what is lost is the part that an impact without restitution
    /// would lose. [Smith, Kaufman, Vouga, Tamstorf, Grinspun 2012]
    fn reflections(&self, restitution: &[f64], stop: &Stop) -> Vec<f64> {
        let whole = vec![1.0; restitution.len()];
        let (mut rates, mut sum) = (self.before.clone(), vec![0.0; self.before.len()]);
        for _ in 0..MOST_IMPACTS {
            let approach: Vec<usize> = self.approaching(&rates).collect();
            if approach.is_empty() || stop.asked() {
                break;
            }
            let impulses = self.moreau(&rates, &approach, &whole, stop);
            rates = self.rates_after(&rates, &impulses);
            sum.iter_mut().zip(impulses).for_each(|(sum, impulse)| *sum += impulse);
        }
        // one number for all: that of the least elastic contact that hits
        let hit = self.approaching(&self.before).map(|i| restitution[i]);
        let part = hit.fold(1.0, f64::min);
        let nothing = vec![0.0; restitution.len()];
        let plastic = self.moreau(&self.before, &self.everyone(), &nothing, stop);
        sum.iter().zip(plastic).map(|(a, b)| part * a + (1.0 - part) * b).collect()
    }

    /// One contact after the other, until none approaches or there were so many.
    pub(super) fn sequential(
        &self,
        restitution: &[f64],
        (order, most): (Order, usize),
        stop: &Stop,
    ) -> Vec<f64> {
        let (mut rates, mut sum) = (self.before.clone(), vec![0.0; self.before.len()]);
        for _ in 0..most {
            let next = self.next_of(&rates, order);
            let Some(next) = next.filter(|_| !stop.asked()) else { break };
            let impulses = self.moreau(&rates, &[next], restitution, stop);
            rates = self.rates_after(&rates, &impulses);
            sum.iter_mut().zip(impulses).for_each(|(sum, impulse)| *sum += impulse);
        }
        sum
    }

    fn next_of(&self, rates: &[f64], order: Order) -> Option<usize> {
        let mut approach = self.approaching(rates);
        let rate = |i: &usize| rates[self.first[*i]];
        match order {
            Order::Fastest => approach.min_by(|a, b| rate(a).total_cmp(&rate(b))),
            Order::First => approach.next(),
            Order::Last => approach.last(),
        }
    }

    /// Partners whose gaps close with some rates.
    pub(super) fn approaching<'a>(&'a self, rates: &'a [f64]) -> impl Iterator<Item = usize> + 'a {
        let largest = self.before.iter().fold(0.0f64, |m, u| m.max(u.abs()));
        (0..self.partners.len()).filter(move |&i| rates[self.first[i]] < -OVER * largest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::Contact;

    /// An impact of masses in a row, each of which touches the next; the first may touch a wall.
    fn row(masses: &[f64], wall: bool, velocities: &[f64], restitution: f64) -> Strike {
        let n = masses.len();
        let mut gradient = Vec::new();
        if wall {
            gradient.push((0..n).map(|k| if k == 0 { 1.0 } else { 0.0 }).collect::<Vec<f64>>());
        }
        for i in 1..n {
            let mut line = vec![0.0; n];
            (line[i - 1], line[i]) = (-1.0, 1.0);
            gradient.push(line);
        }
        Strike::of(gradient, masses, velocities, Contact::smooth(restitution))
    }

    fn velocities(strike: &Strike, law: MultipleImpactLaw, before: &[f64]) -> Vec<f64> {
        let restitution: Vec<f64> = strike.laws.iter().map(|law| law.restitution).collect();
        let impulses = strike.impulses_of(law, &restitution, &Stop::default());
        let mut v = before.to_vec();
        for (impulse, response) in impulses.iter().zip(&strike.delassus.responses) {
            v.iter_mut().zip(response).for_each(|(v, r)| *v += impulse * r);
        }
        v
    }

    #[test]
    fn each_law_gives_the_known_outcome() {
        use MultipleImpactLaw::{Moreau, Poisson, Reflections, Sequential};
        let third = 1.0 / 3.0;
        type Case<'a> = (&'a [f64], bool, &'a [f64], f64, &'a [(MultipleImpactLaw, &'a [f64])]);
        let cases: &[Case] = &[
            (
                &[1.0; 3],
                false,
                &[1.0, 0.0, 0.0],
                1.0,
                &[
                    (Moreau, &[-third, 2.0 * third, 2.0 * third]),
                    (Poisson, &[-third, 2.0 * third, 2.0 * third]),
                    (Sequential, &[0.0, 0.0, 1.0]),
                    (Reflections, &[0.0, 0.0, 1.0]),
                ],
            ),
            (
                &[1.0; 5],
                false,
                &[1.0, 0.0, 0.0, 0.0, 0.0],
                1.0,
                &[
                    (Moreau, &[-0.6, 0.4, 0.4, 0.4, 0.4]),
                    (Poisson, &[-0.6, 0.4, 0.4, 0.4, 0.4]),
                    (Sequential, &[0.0, 0.0, 0.0, 0.0, 1.0]),
                    (Reflections, &[0.0, 0.0, 0.0, 0.0, 1.0]),
                ],
            ),
            (
                &[1.0; 5],
                false,
                &[1.0, 1.0, 0.0, 0.0, 0.0],
                1.0,
                &[
                    (Moreau, &[-0.2, -0.2, 0.8, 0.8, 0.8]),
                    (Sequential, &[0.0, 0.0, 0.0, 1.0, 1.0]),
                    (Reflections, &[0.0, 0.0, 0.0, 1.0, 1.0]),
                ],
            ),
            (
                &[1.0; 3],
                false,
                &[1.0, 0.0, 0.0],
                0.5,
                &[
                    (Moreau, &[0.0, 0.5, 0.5]),
                    (Poisson, &[0.0, 0.5, 0.5]),
                    (Sequential, &[0.203125, 0.234375, 0.5625]),
                    (Reflections, &[0.5 * third, 0.5 * third, 2.0 * third]),
                ],
            ),
            (
                &[1.0; 3],
                false,
                &[1.0, 0.0, -1.0],
                1.0,
                &[(Moreau, &[-1.0, 0.0, 1.0]), (Sequential, &[-1.0, 0.0, 1.0])],
            ),
            (
                &[3.0, 1.0],
                true,
                &[-1.0, -1.0],
                1.0,
                &[
                    (Moreau, &[1.0, 1.0]),
                    (Poisson, &[1.0, 1.0]),
                    (Sequential, &[0.0, 2.0]),
                    (Reflections, &[0.0, 2.0]),
                ],
            ),
        ];
        for (masses, wall, before, restitution, outcomes) in cases {
            let strike = row(masses, *wall, before, *restitution);
            for (law, expected) in *outcomes {
                let found = velocities(&strike, *law, before);
                for (a, b) in found.iter().zip(*expected) {
                    assert!((a - b).abs() < 1e-11, "{law:?} {before:?}: {found:?} {expected:?}");
                }
            }
        }
    }

    /// A rod falls on its end with much friction: Newton's law makes energy, Poisson's does not. [Kane, Levinson 1985]
    #[test]
    fn poisson_does_not_make_energy() {
        let (theta, friction, restitution) = (0.803566831f64, 0.7736745686, 0.9696268419);
        let half = 0.5;
        let gradient =
            vec![vec![0.0, 1.0, -half * theta.cos()], vec![1.0, 0.0, half * theta.sin()]];
        let masses = [1.0, 1.0, half * half / 3.0];
        let law = Contact::rough(restitution, friction, 1);
        let mut made = 0;
        for k in 0..2000 {
            let at = |seed: f64| (seed * (k as f64 + 0.5)).sin();
            let v = [2.0 * at(1.3), -at(0.7).abs(), 6.0 * at(2.1)];
            let strike = Strike::of(gradient.clone(), &masses, &v, law);
            if strike.before[0] >= -0.05 {
                continue;
            }
            let energy = |law: MultipleImpactLaw| {
                let after = velocities(&strike, law, &v);
                let square = |v: &[f64]| v.iter().zip(&masses).map(|(v, m)| m * v * v).sum::<f64>();
                square(&after) / square(&v)
            };
            made += usize::from(energy(MultipleImpactLaw::Moreau) > 1.0 + 1e-9);
            assert!(energy(MultipleImpactLaw::Poisson) <= 1.0 + 1e-9);
        }
        assert!(made > 0);
    }
}
