//! Many contacts at once: stacks, cradles, rods on supports, random ones.

use crate::linear::Linear;
use crate::{run, settings};
use rotula_dae::*;

#[test]
fn a_stack_rests_with_its_weights() {
    // Blocks above each other, the lowest on the ground, and dropped ones.
    for masses in [[1.0, 1.0, 1.0], [0.01, 1.0, 100.0]] {
        let force = masses.iter().map(|m| -10.0 * m).collect();
        let mut stack = Linear::points(&masses, force)
            .with(Contact::smooth(0.0), vec![vec![(0, 1.0)]], 0.0)
            .with(Contact::smooth(0.0), vec![vec![(1, 1.0), (0, -1.0)]], 0.0)
            .with(Contact::smooth(0.0), vec![vec![(2, 1.0), (1, -1.0)]], 0.0);
        let start = stack.state(&[0.0; 3], &[0.0; 3]);
        let settings = settings(Strategy::Pva, NonsmoothVariant::Star, 0.9, 1e-2, 0.1);
        let result = run(&mut stack, &start, &settings);
        let forces = result.contacts.force.row(10);
        let mut weight = 0.0;
        for k in (0..3).rev() {
            weight += 10.0 * masses[k];
            assert!((forces[k] / weight - 1.0).abs() < 1e-9, "{masses:?}: {forces:?}");
        }
    }
}

#[test]
fn newtons_cradle_follows_newtons_law() {
    let third = 1.0 / 3.0;
    // [sheet 002 §4 (iii)]
    for (restitution, expected) in [
        (0.0, [third, third, third]),
        (0.5, [0.0, 0.5, 0.5]),
        (1.0, [-third, 2.0 * third, 2.0 * third]),
    ] {
        let mut cradle = Linear::points(&[1.0; 3], vec![0.0; 3])
            .with(Contact::smooth(restitution), vec![vec![(1, 1.0), (0, -1.0)]], -1.0)
            .with(Contact::smooth(restitution), vec![vec![(2, 1.0), (1, -1.0)]], -1.0);
        let start = cradle.state(&[0.0, 1.0, 2.0], &[1.0, 0.0, 0.0]);
        let settings = settings(Strategy::Pva, NonsmoothVariant::Star, 0.9, 1e-3, 0.01);
        let v = run(&mut cradle, &start, &settings).last_v().to_vec();
        for (a, b) in v.iter().zip(expected) {
            assert!((a - b).abs() < 1e-12, "e = {restitution}: {v:?}");
        }
    }
    let mut apart = Linear::points(&[1.0; 3], vec![0.0; 3])
        .with(Contact::smooth(1.0), vec![vec![(1, 1.0), (0, -1.0)]], -1.0)
        .with(Contact::smooth(1.0), vec![vec![(2, 1.0), (1, -1.0)]], -1.0);
    let start = apart.state(&[0.0, 1.005, 2.01], &[1.0, 0.0, 0.0]);
    let settings = settings(Strategy::Pva, NonsmoothVariant::Star, 0.9, 1e-3, 0.1);
    let v = run(&mut apart, &start, &settings).last_v().to_vec();
    assert!(v[0].abs() < 1e-12 && v[1].abs() < 1e-12 && (v[2] - 1.0).abs() < 1e-12, "{v:?}");
}

#[test]
fn a_rod_lies_on_two_three_and_five_supports() {
    // Height and angle of a rod of mass 1 and length 2, dropped flat; redundant contacts.
    for places in [&[-1.0, 1.0][..], &[-1.0, 0.0, 1.0], &[-1.0, -0.5, 0.0, 0.5, 1.0]] {
        for strategy in [Strategy::Pva, Strategy::Pvv] {
            let mut rod = Linear::points(&[1.0, 1.0 / 3.0], vec![-10.0, 0.0]);
            for &x in places {
                rod = rod.with(Contact::smooth(0.0), vec![vec![(0, 1.0), (1, x)]], 0.0);
            }
            let start = rod.state(&[0.05, 0.0], &[0.0, 0.0]);
            let settings = settings(strategy, NonsmoothVariant::Star, 0.9, 1e-3, 0.3);
            let result = run(&mut rod, &start, &settings);
            let forces = result.contacts.force.row(300);
            let sum: f64 = forces.iter().sum();
            assert!((sum - 10.0).abs() < 1e-6, "{strategy:?} {places:?}: {forces:?}");
            if places.len() == 2 {
                assert!((forces[0] - 5.0).abs() < 1e-6, "{forces:?}");
            }
            assert_eq!(result.statistics.rejected_by_iteration, 0);
        }
    }
}

/// A small generator of repeatable numbers in [0, 1).
pub struct Numbers(pub u64);

impl Numbers {
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[test]
fn random_stacks_never_fail() {
    let mut numbers = Numbers(7);
    for case in 0..200 {
        let count = 2 + (numbers.next() * 5.0) as usize;
        let masses: Vec<f64> = (0..count).map(|_| 10f64.powf(4.0 * numbers.next() - 2.0)).collect();
        let restitution = if numbers.next() < 0.5 { 0.0 } else { 0.9 * numbers.next() };
        let mut stack = Linear::points(&masses, masses.iter().map(|m| -10.0 * m).collect());
        let (mut q, mut v) = (vec![0.0; count], vec![0.0; count]);
        let mut height = 0.0;
        for i in 0..count {
            let row = if i == 0 { vec![(0, 1.0)] } else { vec![(i, 1.0), (i - 1, -1.0)] };
            stack = stack.with(Contact::smooth(restitution), vec![row], 0.0);
            height += if numbers.next() < 0.3 { 0.0 } else { 0.02 * numbers.next() };
            q[i] = height;
            v[i] = if height > 0.0 { numbers.next() - 0.5 } else { 0.0 };
        }
        let start = stack.state(&q, &v);
        let settings = settings(Strategy::Pva, NonsmoothVariant::Star, 0.9, 1e-3, 0.3);
        let outcome = simulate(&mut stack, &start, &settings, &mut ()).unwrap();
        if let Some(failure) = outcome.failure {
            panic!("case {case} {masses:?}: {failure}");
        }
        let result = outcome.trajectory;
        assert_eq!(result.statistics.rejected_by_iteration, 0, "case {case} {masses:?}");
        let (gaps, impulses) = (&result.contacts.gap, &result.contacts.impulse);
        for (gap, impulse) in gaps.values().iter().zip(impulses.values()) {
            assert!(*gap > -1e-9, "case {case}: gap {gap}");
            assert!(*impulse > -1e-9, "case {case}: impulse {impulse}");
            assert!(gap.abs() < 1e-9 || *impulse == 0.0, "case {case}: {gap} {impulse}");
        }
    }
}

#[test]
fn random_stacks_with_friction_stay_within_the_cone() {
    let mut numbers = Numbers(11);
    for case in 0..60 {
        let count = 2 + (numbers.next() * 3.0) as usize;
        let masses: Vec<f64> = (0..count).map(|_| 10f64.powf(2.0 * numbers.next() - 1.0)).collect();
        let friction = 0.1 + 0.8 * numbers.next();
        let doubled: Vec<f64> = masses.iter().flat_map(|&m| [m, m]).collect();
        let weight = masses.iter().flat_map(|m| [0.0, -10.0 * m]).collect();
        let mut stack = Linear::points(&doubled, weight);
        let (mut q, mut v) = (vec![0.0; 2 * count], vec![0.0; 2 * count]);
        for i in 0..count {
            let row = |axis: usize| match i {
                0 => vec![(axis, 1.0)],
                _ => vec![(2 * i + axis, 1.0), (2 * i - 2 + axis, -1.0)],
            };
            stack = stack.with(Contact::rough(0.0, friction, 1), vec![row(1), row(0)], 0.0);
            q[2 * i + 1] = if numbers.next() < 0.5 { 0.0 } else { 0.01 * (i + 1) as f64 };
            v[2 * i] = 2.0 * numbers.next() - 1.0;
        }
        // Above each other.
        (1..count).for_each(|i| q[2 * i + 1] = q[2 * i + 1].max(q[2 * i - 1]));
        let start = stack.state(&q, &v);
        let settings = settings(Strategy::Pva, NonsmoothVariant::Star, 0.9, 2e-3, 0.4);
        let outcome = simulate(&mut stack, &start, &settings, &mut ()).unwrap();
        if let Some(failure) = outcome.failure {
            panic!("case {case} {masses:?} {friction}: {failure}");
        }
        let result = outcome.trajectory;
        assert_eq!(result.statistics.rejected_by_iteration, 0, "case {case}");
        for row in 0..result.len() {
            let impulse = result.contacts.impulse.row(row);
            for pair in impulse.chunks(2) {
                let slack = friction * pair[0] - pair[1].abs();
                assert!(slack > -1e-8, "case {case} row {row}: {pair:?} {friction}");
            }
        }
    }
}

#[test]
fn many_contacts_are_solved() {
    // Ten columns of ten blocks that drop a little: more rows than Newton's method takes.
    let (columns, height) = (10, 10);
    let count = columns * height;
    let mut blocks = Linear::points(&vec![1.0; count], vec![-10.0; count]);
    let mut q = vec![0.0; count];
    for i in 0..count {
        let ground = i % height == 0;
        let row = if ground { vec![(i, 1.0)] } else { vec![(i, 1.0), (i - 1, -1.0)] };
        blocks = blocks.with(Contact::smooth(0.0), vec![row], 0.0);
        q[i] = 1e-3 * (1.0 + (i % height) as f64);
    }
    let start = blocks.state(&q, &vec![0.0; count]);
    let mut settings = settings(Strategy::Pva, NonsmoothVariant::Star, 0.9, 5e-3, 0.2);
    settings.formulation = Formulation::MoreauJean { theta: 0.5, activation: 0.5, project: false };
    settings.newton.tolerance = 1e-7;
    let result = run(&mut blocks, &start, &settings);
    let forces = result.contacts.force.row(result.len() - 1);
    for i in 0..count {
        let weight = 10.0 * (height - i % height) as f64;
        assert!((forces[i] / weight - 1.0).abs() < 1e-4, "{i}: {} {weight}", forces[i]);
    }
    assert_eq!(result.statistics.rejected_by_iteration, 0);
}
