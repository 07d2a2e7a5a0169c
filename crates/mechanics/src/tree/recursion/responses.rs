//! What wrenches of constraints do to joints, by the recursion over articulated bodies and without a matrix of the whole.
//!
//! The recursion factorises the mass, `M = L D Lᵀ`. On its way to the ground the wrench `w` of a constraint row leaves a number `y` in
//! every motion that it passes, `L⁻¹` times the row:
//!
//! ```text
//! y = Sᵀ w,    w_p += w − U d⁻¹ y    (moved to the parent's point)
//! G M⁻¹ Gᵀ = Σ y d⁻¹ yᵀ   over all motions,     M⁻¹ Gᵀ λ  is what the recursion makes of  u = λᵀ y  on its way back
//! ```
//!
//! Four rows go together, each in a lane of the registers.

use super::{Given, Layout, Moves, Recursion};
use crate::lanes::LANES;
use crate::registers::Three;
use wide::f64x4;

/// The least part of the own size of a row that must be independent of the rows before it: with less, digits are lost that
/// elimination in the whole matrix keeps.
const INDEPENDENT: f64 = 1e-9;

/// Force, then moment about the point of a link, of four rows.
type Wrenches = [f64x4; 6];

/// Four rows, and what they leave in joints.
#[derive(Clone, Debug)]
struct Pass {
    /// The links that they pass, from the leaves to the ground, and the motions of these.
    links: Vec<usize>,
    motions: Vec<usize>,
    /// What comes to each link.
    wrenches: Vec<Wrenches>,
    /// By motion; zero where they do not pass.
    left: Vec<f64x4>,
}

/// The responses of all rows.
#[derive(Clone, Debug, Default)]
pub(in crate::tree) struct Responses {
    passes: Vec<Pass>,
    /// `1/d` of all motions.
    inverses: Vec<f64>,
    /// `G M⁻¹ Gᵀ` of all rows.
    products: Vec<f64>,
    /// The Cholesky factor of that of the rows that take part, row by row.
    factor: Vec<f64>,
    along: Vec<f64>,
}

impl Responses {
    /// The links on which each row acts.
    pub fn new(layout: &Layout, rows: usize, acting: impl Iterator<Item = (usize, usize)>) -> Self {
        let count = rows.div_ceil(LANES);
        let mut passed = vec![vec![false; layout.links.len()]; count];
        for (row, link) in acting {
            layout.way_down(link).for_each(|link| passed[row / LANES][link] = true);
        }
        let pass = |passed: Vec<bool>| {
            let links: Vec<usize> = (0..passed.len()).rev().filter(|&link| passed[link]).collect();
            let motions = links.iter().flat_map(|&link| layout.columns(link)).collect();
            let links = links.into_iter().map(|link| link + 1).collect();
            let wrenches = vec![[f64x4::ZERO; 6]; layout.links.len() + 1];
            Pass { links, motions, wrenches, left: vec![f64x4::ZERO; layout.count] }
        };
        Responses {
            passes: passed.into_iter().map(pass).collect(),
            inverses: vec![0.0; layout.count],
            products: vec![0.0; (LANES * count).pow(2)],
            factor: vec![0.0; rows * rows],
            along: vec![0.0; layout.count],
        }
    }

    /// Works out the responses to all rows once everything gave way. `acting` tells row, link, force and moment about its point.
    pub fn work_out(
        &mut self,
        recursion: &Recursion,
        acting: impl Iterator<Item = (usize, usize, [Three; 2])>,
    ) {
        for (row, link, wrench) in acting {
            let lanes = &mut self.passes[row / LANES].wrenches[link + 1];
            let entries = wrench.into_iter().flat_map(Three::entries);
            for (lanes, entry) in lanes.iter_mut().zip(entries) {
                lanes.as_mut_array()[row % LANES] += entry;
            }
        }
        self.passes.iter_mut().for_each(|pass| recursion.pass(pass));
        recursion.inverses(&mut self.inverses);
        self.multiply();
    }

    fn multiply(&mut self) {
        let Responses { passes, inverses, products, .. } = self;
        let stride = LANES * passes.len();
        for (i, one) in passes.iter().enumerate() {
            for (j, other) in passes[..=i].iter().enumerate() {
                let mut sums = [f64x4::ZERO; LANES];
                for &motion in &one.motions {
                    let weighted = other.left[motion] * f64x4::splat(inverses[motion]);
                    let own = one.left[motion].to_array();
                    for (sum, own) in sums.iter_mut().zip(own) {
                        *sum = f64x4::splat(own).mul_add(weighted, *sum);
                    }
                }
                for (k, sum) in sums.into_iter().enumerate() {
                    let first = (LANES * i + k) * stride + LANES * j;
                    products[first..first + LANES].copy_from_slice(&sum.to_array());
                }
            }
        }
    }

    /// Solves `G M⁻¹ Gᵀ λ = values` in place, of some rows. False where one of them hardly differs from the others.
    pub fn solve(&mut self, rows: &[usize], values: &mut [f64]) -> bool {
        let (stride, count) = (LANES * self.passes.len(), rows.len());
        let factor = &mut self.factor;
        for (i, &row) in rows.iter().enumerate() {
            let own = self.products[row * stride + row];
            for (j, &other) in rows[..=i].iter().enumerate() {
                let (above, below) = factor.split_at_mut(i * count);
                let before = if j < i { &above[j * count..j * count + j] } else { &below[..j] };
                let shared: f64 = below[..j].iter().zip(before).map(|(a, b)| a * b).sum();
                let rest = self.products[row * stride + other] - shared;
                if j < i {
                    below[j] = rest / above[j * count + j];
                } else if rest > INDEPENDENT * own {
                    below[i] = rest.sqrt();
                } else {
                    return false;
                }
            }
            let known: f64 = (0..i).map(|j| factor[i * count + j] * values[j]).sum();
            values[i] = (values[i] - known) / factor[i * count + i];
        }
        for i in (0..count).rev() {
            let known: f64 = (i + 1..count).map(|j| factor[j * count + i] * values[j]).sum();
            values[i] = (values[i] - known) / factor[i * count + i];
        }
        true
    }

    /// What multipliers of some rows leave in all motions.
    pub fn along(&mut self, rows: &[usize], multipliers: &[f64]) -> &[f64] {
        self.along.fill(0.0);
        let mut at = 0;
        for (k, pass) in self.passes.iter().enumerate() {
            let mut own = [0.0; LANES];
            while at < rows.len() && rows[at] / LANES == k {
                own[rows[at] % LANES] = multipliers[at];
                at += 1;
            }
            let own = f64x4::from(own);
            for &motion in &pass.motions {
                self.along[motion] += (pass.left[motion] * own).reduce_add();
            }
        }
        &self.along
    }
}

impl Recursion {
    /// `1/d` of all motions.
    fn inverses(&self, out: &mut [f64]) {
        for (link, moving) in self.fixed.iter().zip(&self.moving) {
            match link.moves {
                Moves::Turns(_) | Moves::Slides => out[link.v] = moving.given.inverse,
                Moves::Rolls(Some(ball)) => {
                    (0..3).for_each(|k| out[link.v + k] = self.balls[ball][k].inverse);
                }
                Moves::Rolls(None) => {}
            }
        }
    }

    /// Takes wrenches to the ground; none are left.
    fn pass(&self, pass: &mut Pass) {
        let Pass { links, wrenches, left, .. } = pass;
        for &k in links.iter() {
            let (link, here) = (&self.fixed[k], &self.moving[k]);
            let mut passing = std::mem::replace(&mut wrenches[k], [f64x4::ZERO; 6]);
            match link.moves {
                Moves::Turns(_) => left[link.v] = here.given.take(here.axes[2], 3, &mut passing),
                Moves::Slides => left[link.v] = here.given.take(here.axes[2], 0, &mut passing),
                Moves::Rolls(Some(ball)) => {
                    for (i, given) in self.balls[ball].iter().enumerate() {
                        left[link.v + i] = given.take(here.axes[i], 3, &mut passing);
                    }
                }
                Moves::Rolls(None) => {}
            }
            if link.parent == 0 {
                continue;
            }
            let [x, y, z] = here.arm.entries().map(f64x4::splat);
            let [f, g, h, ..] = passing;
            passing[3] += y * h - z * g;
            passing[4] += z * f - x * h;
            passing[5] += x * g - y * f;
            for (below, passing) in wrenches[link.parent].iter_mut().zip(passing) {
                *below += passing;
            }
        }
    }

    /// Adds forces along all motions to those that gave way.
    pub fn add(&mut self, along: &[f64]) {
        for (link, moving) in self.fixed.iter().zip(&mut self.moving) {
            match link.moves {
                Moves::Turns(_) | Moves::Slides => moving.given.u += along[link.v],
                Moves::Rolls(Some(ball)) => {
                    (0..3).for_each(|k| self.balls[ball][k].u += along[link.v + k]);
                }
                Moves::Rolls(None) => {}
            }
        }
    }
}

impl Given {
    /// What wrenches leave in the motion about or along an axis; they pass without it.
    #[inline(always)]
    fn take(&self, axis: Three, first: usize, wrenches: &mut Wrenches) -> f64x4 {
        let [x, y, z] = axis.entries().map(f64x4::splat);
        let left = wrenches[first] * x + wrenches[first + 1] * y + wrenches[first + 2] * z;
        let share = left * f64x4::splat(-self.inverse);
        let push = self.push.into_iter().flat_map(Three::entries);
        for (passing, push) in wrenches.iter_mut().zip(push) {
            *passing = share.mul_add(f64x4::splat(push), *passing);
        }
        left
    }
}
