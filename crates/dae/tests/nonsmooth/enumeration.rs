//! Accepted steps against an enumeration of all sets of contacts: point masses on the ground, on each
//! other and on strings, with mass ratios up to 10⁴ and a restitution of its own for every contact.
//!
//! With constant forces a step obeys `M (v₊ − v) = h f + GᵀΛ*`, and the contacts A that are closed at
//! its end solve `0 ≤ G v₊ + e G v ⊥ Λ* ≥ 0`; the others have no impulse. Without contacts in the smooth
//! motion also `q₊ = q + h v + ½h² M⁻¹f + M⁻¹Gᵀν` with `0 ≤ g(q₊) ⊥ ν ≥ 0`. [Brüls et al. 2018, eqs. 52–57, §2]

use crate::linear::Linear;
use crate::settings;
use crate::stacks::Numbers;
use nalgebra::{DMatrix, DVector};
use rotula_dae::*;

const H: f64 = 1e-3;

struct Case {
    system: Linear,
    start: State,
    masses: DVector<f64>,
    force: DVector<f64>,
    gradient: DMatrix<f64>,
    restitution: Vec<f64>,
}

/// Up to three masses, each touching the ground, its lower neighbour or hanging on a string from it.
fn case(numbers: &mut Numbers) -> Case {
    let count = 1 + (numbers.next() * 3.0) as usize;
    let masses: Vec<f64> = (0..count).map(|_| 10f64.powf(4.0 * numbers.next() - 2.0)).collect();
    let force: Vec<f64> = masses.iter().map(|m| -10.0 * m).collect();
    let mut system = Linear::points(&masses, force.clone());
    let mut gradient = DMatrix::zeros(count, count);
    let (mut q, mut v) = (vec![0.0; count], vec![0.0; count]);
    let mut restitution = Vec::new();
    for i in 0..count {
        let e = if numbers.next() < 0.3 { 0.0 } else { 0.9 * numbers.next() };
        restitution.push(e);
        let distance = if numbers.next() < 0.3 { 0.0 } else { 0.02 * numbers.next() };
        let (row, offset) = match i {
            0 => (vec![(0, 1.0)], 0.0),
            // A string of length 0.1, from which the next mass hangs, or a stack.
            _ if numbers.next() < 0.4 => (vec![(i, 1.0), (i - 1, -1.0)], 0.1),
            _ => (vec![(i, 1.0), (i - 1, -1.0)], 0.0),
        };
        q[i] = distance - offset + if i > 0 { q[i - 1] } else { 0.0 };
        v[i] = if distance > 0.0 { numbers.next() - 0.5 } else { 0.0 };
        row.iter().for_each(|&(j, value)| gradient[(i, j)] = value);
        system = system.with(Contact::smooth(e), vec![row], offset);
    }
    let start = system.state(&q, &v);
    Case { system, start, masses: masses.into(), force: force.into(), gradient, restitution }
}

/// All solutions of `0 ≤ b + W x ⊥ x ≥ 0` within rounding, by trying every set.
fn solutions(w: &DMatrix<f64>, b: &DVector<f64>) -> Vec<DVector<f64>> {
    let n = b.len();
    let size = 1e-9 * (1e-3 + b.amax());
    let mut found = Vec::new();
    for set in 0..1usize << n {
        let inside: Vec<usize> = (0..n).filter(|j| set >> j & 1 == 1).collect();
        let mut x = DVector::zeros(n);
        if !inside.is_empty() {
            let matrix =
                DMatrix::from_fn(inside.len(), inside.len(), |i, j| w[(inside[i], inside[j])]);
            let right = DVector::from_fn(inside.len(), |i, _| -b[inside[i]]);
            let Some(part) = matrix.lu().solve(&right) else { continue };
            inside.iter().zip(part.iter()).for_each(|(&j, &value)| x[j] = value);
        }
        let y = b + w * &x;
        let scaled = |j: usize| x[j] * w[(j, j)];
        if (0..n).all(|j| y[j] > -size && scaled(j) > -size) {
            found.push(x);
        }
    }
    found
}

/// Checks that `x` solves the problem restricted to `active`, and is zero elsewhere.
fn check(what: &str, case: &Case, active: &[usize], b: &DVector<f64>, x: &DVector<f64>) {
    let inverse = DMatrix::from_diagonal(&case.masses.map(|m| 1.0 / m));
    let w = &case.gradient * inverse * case.gradient.transpose();
    let part = DMatrix::from_fn(active.len(), active.len(), |i, j| w[(active[i], active[j])]);
    let right = DVector::from_fn(active.len(), |i, _| b[active[i]]);
    let own = DVector::from_fn(active.len(), |i, _| x[active[i]]);
    let all = solutions(&part, &right);
    let nearest =
        all.iter().map(|other| (&part * (other - &own)).amax()).fold(f64::INFINITY, f64::min);
    assert!(nearest < 1e-8 * (1.0 + right.amax()), "{what}: {own:?} is none of {all:?}");
    let outside = (0..x.len()).filter(|j| !active.contains(j)).map(|j| x[j].abs());
    assert!(outside.fold(0.0, f64::max) < 1e-12, "{what}: an open contact pushes: {x:?}");
}

#[test]
fn every_accepted_step_is_among_the_enumerated_ones() {
    let mut numbers = Numbers(23);
    let mut closed = 0;
    for number in 0..200 {
        let strategy = if number % 2 == 0 { Strategy::Pva } else { Strategy::Free };
        let mut case = case(&mut numbers);
        let settings = settings(strategy, NonsmoothVariant::Star, 0.9, H, 0.2);
        let outcome = simulate(&mut case.system, &case.start, &settings, &mut ()).unwrap();
        assert!(outcome.failure.is_none(), "case {number}: {}", outcome.failure.unwrap());
        let result = outcome.trajectory;
        assert_eq!(result.statistics.rejected_by_iteration, 0, "case {number}");
        let free = case.force.component_div(&case.masses);
        for row in 1..result.len() {
            let what = format!("case {number}, {strategy:?}, step {row}");
            let [q, v] = [&result.q, &result.v].map(|m| DVector::from_column_slice(m.row(row - 1)));
            let [q_new, v_new] =
                [&result.q, &result.v].map(|m| DVector::from_column_slice(m.row(row)));
            let impulse = DVector::from_column_slice(result.contacts.impulse.row(row));
            let gap = result.contacts.gap.row(row);
            let momentum = case.masses.component_mul(&(&v_new - &v));
            let balance = momentum - &case.force * H - case.gradient.tr_mul(&impulse);
            assert!(balance.amax() < 1e-9 * (1.0 + impulse.amax()), "{what}: {balance:?}");
            assert!(gap.iter().all(|g| *g > -1e-9), "{what}: {gap:?}");
            let active: Vec<usize> = (0..gap.len()).filter(|&j| gap[j] < 1e-9).collect();
            closed += active.len();
            let before = &case.gradient * &v;
            let rebound = DVector::from_fn(gap.len(), |j, _| case.restitution[j] * before[j]);
            let b = &case.gradient * (&v + &free * H) + rebound;
            check(&what, &case, &active, &b, &impulse);
            if strategy == Strategy::Free {
                let flight = &q + &v * H + &free * (0.5 * H * H);
                let moved = case.masses.component_mul(&(&q_new - &flight));
                let nu = case.gradient.transpose().lu().solve(&moved).unwrap();
                let offset = DVector::from_fn(gap.len(), |j, _| gap[j]) - &case.gradient * &q_new;
                let b = &case.gradient * flight + offset;
                let all: Vec<usize> = (0..gap.len()).collect();
                check(&format!("{what}, positions"), &case, &all, &b, &nu);
            }
        }
    }
    assert!(closed > 10_000, "only {closed} closed contacts were seen");
}
