//! All contacts of a problem at once: by alternating directions, and where these take long from inside of the cones (`interior`).
//!
//! With de Saxcé's change of variable [de Saxcé & Feng 1998] Coulomb's law is a complementarity of cones:
//!
//! ```text
//! K ∋ λ ⊥ σ ∈ K*,    σ = W λ + b + s,    s = μ |σ_T| in the normal row
//! ```
//!
//! For a given `s` that is the minimum of `½ λᵀWλ + λᵀ(b + s)` over the cones, which alternating directions find
//! [Boyd et al. 2011], with `s` renewed on the way [Carpentier et al. 2024]:
//!
//! ```text
//! (W + ρ) λ = ρ z + σ − b − s,    z = P_K(λ − σ/ρ),    σ ← σ − ρ (λ − z)
//! ```
//!
//! Every contact hears of all others in each iteration, where sweeps carry news from neighbour to neighbour; and
//! `W` may be singular, as that of more contacts than freedoms is: tall stacks, tight chains.

use crate::contact::Contact;
use crate::stop::Stop;
use faer::linalg::solvers::{Llt, Solve};
use faer::{Mat, Side};

/// More rows make factors too dear.
pub(crate) const MOST_ROWS: usize = 900;
/// Iterations after which the other method is tried, and where so many rows make its factors cheap.
pub(crate) const MOST_ITERATIONS: usize = 600;
const FEW_ITERATIONS: usize = 120;
pub(super) const FEW_ROWS: usize = 200;
/// Part of a step by which it is overdone. [Boyd et al. 2011, §3.4.3]
const OVERDONE: f64 = 1.7;
/// Iterations in which `s` follows at once; later it follows ever slower, which ends cycles of both.
const SURE: usize = 200;
/// A first ρ: chains of contacts follow their forces by little, which only a small ρ finds soon.
const FIRST_RHO: f64 = 0.01;
/// Iterations before the first look at the balance of both errors, and by how much longer the next look waits, so that
/// ρ settles; the imbalance that is worth a new factor, and the largest change of ρ at once.
const FIRST_LOOK: usize = 15;
const LATER: f64 = 1.3;
const UNBALANCED: f64 = 4.0;
const LARGEST_CHANGE: f64 = 30.0;

/// Rows that follow forces as `free + compliance × forces`, all of contacts that may push.
pub(crate) struct Cones<'a> {
    pub laws: &'a [Contact],
    /// The contacts, by their numbers in `laws`; their rows follow each other.
    pub contacts: &'a [usize],
    /// Row by row.
    pub compliance: &'a [f64],
    pub free: &'a [f64],
    /// Errors of rows below this are small enough.
    pub bound: f64,
    pub stop: &'a Stop,
}

impl Cones<'_> {
    /// Finds the forces, beginning with those given. Returns the number of iterations, or none if the bound was not
    /// reached; the forces are then better than before all the same.
    pub fn solve(&self, forces: &mut [f64]) -> Option<usize> {
        if let Some(iterations) = self.alternate(forces) {
            return Some(iterations);
        }
        match self.stop.asked() {
            true => None,
            false => self.solve_inside(forces).map(|iterations| MOST_ITERATIONS + iterations),
        }
    }

    /// The same by alternating directions alone.
    fn alternate(&self, forces: &mut [f64]) -> Option<usize> {
        let n = forces.len();
        let scale = self.scales(n);
        let matrix = Mat::from_fn(n, n, |i, j| {
            0.5 * scale[i] * scale[j] * (self.compliance[i * n + j] + self.compliance[j * n + i])
        });
        let free: Vec<f64> = self.free.iter().zip(&scale).map(|(b, d)| b * d).collect();
        let bounds: Vec<f64> = scale.iter().map(|d| self.bound * d).collect();
        let mut rho = FIRST_RHO;
        let mut factor = factorise(&matrix, rho)?;
        let mut z: Vec<f64> = forces.iter().zip(&scale).map(|(force, d)| force / d).collect();
        let mut sigma: Vec<f64> = (0..n).map(|i| free[i] + times(&matrix, i, &z)).collect();
        self.each_contact(|range, friction| add_slip(&mut sigma[range], friction));
        let (mut rhs, mut before) = (Mat::zeros(n, 1), vec![0.0; n]);
        let mut shift = vec![0.0; n];
        let mut look = FIRST_LOOK;
        let most = if n <= FEW_ROWS { FEW_ITERATIONS } else { MOST_ITERATIONS };
        for iteration in 1..=most {
            if self.stop.asked() {
                return None;
            }
            let follow = SURE as f64 / iteration.max(SURE) as f64;
            self.each_contact(|range, friction| {
                let first = range.start;
                shift[first] += follow * (friction * tangential(&sigma[range]) - shift[first]);
            });
            for i in 0..n {
                rhs[(i, 0)] = rho * z[i] + sigma[i] - free[i] - shift[i];
            }
            factor.solve_in_place(&mut rhs);
            before.copy_from_slice(&z);
            for i in 0..n {
                let overdone = OVERDONE * rhs[(i, 0)] + (1.0 - OVERDONE) * z[i];
                sigma[i] -= rho * overdone;
                z[i] = -sigma[i] / rho;
            }
            self.each_contact(|range, friction| project(&mut z[range], friction));
            let (mut apart, mut moved) = (0.0f64, 0.0f64);
            for i in 0..n {
                sigma[i] += rho * z[i];
                apart = apart.max((rhs[(i, 0)] - z[i]).abs() / bounds[i]);
                moved = moved.max(rho * (z[i] - before[i]).abs() / bounds[i]);
            }
            if !(apart + moved).is_finite() {
                return None;
            }
            // rows follow forces by about one in these units
            if apart <= 1.0 && moved <= 1.0 && iteration > 1 {
                store(&z, &scale, forces);
                return Some(iteration);
            }
            if iteration == look {
                // each error beside what it is an error of [Stellato et al. 2020, §5.2]
                let ratio = (apart / largest(&z) * largest(&free) / moved).sqrt();
                look += (LATER * look as f64) as usize;
                if !(1.0 / UNBALANCED..UNBALANCED).contains(&ratio) {
                    rho *= ratio.clamp(1.0 / LARGEST_CHANGE, LARGEST_CHANGE);
                    factor = factorise(&matrix, rho)?;
                }
            }
        }
        store(&z, &scale, forces);
        None
    }

    /// Units in which the rows of a contact follow its own forces by one in the mean. One number for each contact, so that
    /// its cone stays round.
    pub(super) fn scales(&self, n: usize) -> Vec<f64> {
        let mut scale = vec![1.0; n];
        self.each_contact(|range, _| {
            let own = range.clone().map(|i| self.compliance[i * n + i]).sum::<f64>();
            let found = (range.len() as f64 / own).sqrt();
            scale[range].fill(if found.is_finite() { found } else { 1.0 });
        });
        scale
    }

    pub(super) fn each_contact(&self, mut look: impl FnMut(std::ops::Range<usize>, f64)) {
        let mut first = 0;
        for &contact in self.contacts {
            let law = &self.laws[contact];
            look(first..first + law.rows(), law.friction);
            first += law.rows();
        }
    }
}

fn factorise(matrix: &Mat<f64>, rho: f64) -> Option<Llt<f64>> {
    let mut sum = matrix.clone();
    (0..sum.nrows()).for_each(|i| sum[(i, i)] += rho);
    sum.llt(Side::Lower).ok()
}

fn store(z: &[f64], scale: &[f64], forces: &mut [f64]) {
    for (force, (z, d)) in forces.iter_mut().zip(z.iter().zip(scale)) {
        *force = z * d;
    }
}

fn times(matrix: &Mat<f64>, row: usize, x: &[f64]) -> f64 {
    x.iter().enumerate().map(|(column, x)| matrix[(column, row)] * x).sum()
}

pub(super) fn tangential(rows: &[f64]) -> f64 {
    rows[1..].iter().fold(0.0, |size: f64, x| size.hypot(*x))
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(f64::MIN_POSITIVE, |most, x| most.max(x.abs()))
}

fn add_slip(rows: &mut [f64], friction: f64) {
    rows[0] += friction * tangential(rows);
}

/// The nearest point of the cone of friction.
pub(super) fn project(force: &mut [f64], friction: f64) {
    let (normal, size) = (force[0], tangential(force));
    if size <= friction * normal {
        return;
    }
    if friction * size <= -normal {
        force.fill(0.0);
        return;
    }
    force[0] = (normal + friction * size) / (1.0 + friction * friction);
    let factor = if size > 0.0 { friction * force[0] / size } else { 0.0 };
    force[1..].iter_mut().for_each(|x| *x *= factor);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formulation::nonsmooth::turns::Turns;

    /// Random numbers from −1 to 1.
    fn random(seed: &mut u64) -> f64 {
        *seed =
            seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// The laws themselves: each contact by itself asks for the forces that it has, and no rate is left that its law forbids.
    fn check(laws: &[Contact], compliance: &[f64], free: &[f64], forces: &[f64], near: f64) {
        let n = free.len();
        let mut first = 0;
        for law in laws {
            let rows = law.rows();
            let u: Vec<f64> = (first..first + rows)
                .map(|i| free[i] + (0..n).map(|j| compliance[i * n + j] * forces[j]).sum::<f64>())
                .collect();
            let force = &forces[first..first + rows];
            let (size, limit) = (tangential(force), law.friction * force[0]);
            assert!(force[0] >= 0.0 && u[0] > -near, "{u:?} {force:?}");
            assert!(force[0] < near || u[0] < near, "{u:?} {force:?}");
            assert!(size <= limit * (1.0 + 1e-9) + 1e-12);
            let slip = tangential(&u);
            if slip > near && force[0] > near {
                assert!((size - limit).abs() <= 1e-6 * limit, "{u:?} {force:?}");
                for k in 1..rows {
                    assert!((u[k] / slip * size + force[k]).abs() < 1e-5 * limit.max(near));
                }
            }
            first += rows;
        }
    }

    /// More rows than freedoms, friction to 0.8, planar and spatial contacts: the laws hold, where sweeps may creep.
    #[test]
    fn more_contacts_than_freedoms_obey_their_laws() {
        let mut seed = 3;
        for case in 0..200 {
            let directions = 1 + case % 2;
            let contacts = 3 + case % 6;
            let laws: Vec<Contact> = (0..contacts)
                .map(|_| Contact::rough(0.0, 0.8 * random(&mut seed).abs(), directions))
                .collect();
            let n = contacts * (1 + directions);
            let freedoms = 2 + case % 5;
            let mut g: Vec<f64> = (0..n * freedoms).map(|_| random(&mut seed)).collect();
            // some motion opens all contacts without slip: else the laws need not have a solution
            let opening: Vec<f64> = (0..freedoms).map(|_| random(&mut seed)).collect();
            let square: f64 = opening.iter().map(|x| x * x).sum();
            for (i, row) in g.chunks_exact_mut(freedoms).enumerate() {
                let now: f64 = row.iter().zip(&opening).map(|(g, x)| g * x).sum();
                let wanted = if i % (1 + directions) == 0 { now.abs() + 0.1 } else { 0.0 };
                let step = (wanted - now) / square;
                row.iter_mut().zip(&opening).for_each(|(g, x)| *g += step * x);
            }
            let mut compliance = vec![0.0; n * n];
            for i in 0..n {
                for j in 0..n {
                    let pair = |k: usize| g[i * freedoms + k] * g[j * freedoms + k];
                    compliance[i * n + j] = (0..freedoms).map(pair).sum();
                }
            }
            // what a motion does to the rows, so that there are forces that hold it
            let motion: Vec<f64> = (0..freedoms).map(|_| random(&mut seed)).collect();
            let free: Vec<f64> = (0..n)
                .map(|i| (0..freedoms).map(|k| g[i * freedoms + k] * motion[k]).sum())
                .collect();
            let acting: Vec<usize> = (0..contacts).collect();
            let stop = Stop::default();
            let cones = Cones {
                laws: &laws,
                contacts: &acting,
                compliance: &compliance,
                free: &free,
                bound: 1e-10,
                stop: &stop,
            };
            for inside in [false, true] {
                let mut forces = vec![0.0; n];
                let found = match inside {
                    false => cones.solve(&mut forces),
                    true => cones.solve_inside(&mut forces),
                };
                assert!(found.is_some(), "case {case}, {inside}");
                check(&laws, &compliance, &free, &forces, 1e-7);
            }
        }
    }

    /// A row of bodies that is held by more contacts than it has freedoms, with a compliance that rounding made a little indefinite.
    #[test]
    fn forces_that_change_no_rates_do_no_harm() {
        let mut seed = 5;
        for case in 0..100 {
            let (contacts, freedoms) = (4 + case % 5, 3);
            let laws = vec![Contact::rough(0.0, 0.3, 1); contacts];
            let n = 2 * contacts;
            let mut g: Vec<f64> = (0..n * freedoms).map(|_| random(&mut seed)).collect();
            for row in g.chunks_exact_mut(2 * freedoms) {
                // a motion along the first freedom opens all contacts
                (row[0], row[freedoms]) = (row[0].abs() + 0.3, 0.0);
            }
            let pair = |i: usize, j: usize| -> f64 {
                (0..freedoms).map(|k| g[i * freedoms + k] * g[j * freedoms + k]).sum()
            };
            let mut compliance: Vec<f64> = (0..n * n).map(|k| pair(k / n, k % n)).collect();
            (0..n).for_each(|i| compliance[i * n + i] -= 1e-12);
            let motion: Vec<f64> = (0..freedoms).map(|_| random(&mut seed)).collect();
            let free: Vec<f64> = (0..n)
                .map(|i| (0..freedoms).map(|k| g[i * freedoms + k] * motion[k]).sum())
                .collect();
            let (stop, acting) = (Stop::default(), (0..contacts).collect::<Vec<_>>());
            let cones = Cones {
                laws: &laws,
                contacts: &acting,
                compliance: &compliance,
                free: &free,
                bound: 1e-9,
                stop: &stop,
            };
            let mut forces = vec![0.0; n];
            cones.approach(&mut forces);
            assert!(cones.worst(&forces) <= 1.0, "case {case}: {}", cones.worst(&forces));
            check(&laws, &compliance, &free, &forces, 1e-7);
        }
    }

    /// Light bodies between heavy ones, in a row that is pressed together: mass ratios of 10⁶, and friction at every contact.
    #[test]
    fn light_bodies_between_heavy_ones_are_solved_from_inside() {
        let mut seed = 11;
        for case in 0..100 {
            let bodies = 3 + case % 6;
            let masses: Vec<f64> =
                (0..bodies).map(|_| 10f64.powf(3.0 * random(&mut seed))).collect();
            let laws = vec![Contact::rough(0.0, 0.6, 2); bodies];
            let n = 3 * bodies;
            // contact k is below body k; the rows are the relative velocities of points, with arms
            let freedoms = 6 * bodies;
            let mut g = vec![0.0; n * freedoms];
            for k in 0..bodies {
                for row in 0..3 {
                    for (body, sign) in [(Some(k), 1.0), (k.checked_sub(1), -1.0)] {
                        let Some(body) = body else { continue };
                        g[(3 * k + row) * freedoms + 6 * body + row] = sign;
                        for turn in 0..3 {
                            g[(3 * k + row) * freedoms + 6 * body + 3 + turn] = random(&mut seed);
                        }
                    }
                }
            }
            let mut compliance = vec![0.0; n * n];
            for i in 0..n {
                for j in 0..n {
                    let pair = |k: usize| g[i * freedoms + k] * g[j * freedoms + k] / masses[k / 6];
                    compliance[i * n + j] = (0..freedoms).map(pair).sum();
                }
            }
            let motion: Vec<f64> =
                (0..freedoms).map(|k| if k % 6 == 0 { -1.0 } else { random(&mut seed) }).collect();
            let free: Vec<f64> = (0..n)
                .map(|i| (0..freedoms).map(|k| g[i * freedoms + k] * motion[k]).sum())
                .collect();
            let (stop, acting) = (Stop::default(), (0..bodies).collect::<Vec<_>>());
            let cones = Cones {
                laws: &laws,
                contacts: &acting,
                compliance: &compliance,
                free: &free,
                bound: 1e-9,
                stop: &stop,
            };
            let mut forces = vec![0.0; n];
            let found = cones.solve_inside(&mut forces);
            assert!(found.is_some_and(|iterations| iterations < 60), "case {case}: {found:?}");
            check(&laws, &compliance, &free, &forces, 1e-6);
        }
    }

    /// A problem with one solution: the same as that of the sweeps.
    #[test]
    fn the_forces_are_those_of_the_sweeps() {
        let laws = [Contact::rough(0.0, 0.3, 1), Contact::rough(0.0, 0.5, 1)];
        #[rustfmt::skip]
        let compliance = [
            2.0, 0.3, -0.5, 0.1,
            0.3, 3.0, 0.2, 0.4,
            -0.5, 0.2, 1.0, -0.1,
            0.1, 0.4, -0.1, 2.0,
        ];
        let free = [-1.0, 0.7, -2.0, 0.2];
        let (stop, acting, first) = (Stop::default(), [0, 1], [0, 2]);
        let mut expected = [0.0; 4];
        let turns = Turns {
            laws: &laws,
            first: &first,
            acting: &acting,
            compliance: &compliance,
            free: &free,
            friction: true,
            rows: 4,
            least: None,
            still: 1e-14,
            stop: &stop,
        };
        turns.take(&mut expected);
        let mut forces = [0.0; 4];
        let cones = Cones {
            laws: &laws,
            contacts: &acting,
            compliance: &compliance,
            free: &free,
            bound: 1e-12,
            stop: &stop,
        };
        assert!(cones.solve(&mut forces).is_some());
        for (a, b) in forces.iter().zip(expected) {
            assert!((a - b).abs() < 1e-10, "{forces:?} {expected:?}");
        }
    }
}
