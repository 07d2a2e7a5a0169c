//! Located impacts: random stacks, shaken plates and rows of balls, with fixed steps and tolerances.

use crate::linear::Linear;
use crate::stacks::Numbers;
use rotula_dae::*;

fn formulation(impact_law: MultipleImpactLaw) -> Formulation {
    Formulation::Nonsmooth {
        strategy: Strategy::Pva,
        variant: NonsmoothVariant::Star,
        iteration: NonsmoothIteration::Auto,
        located: true,
        impact_law,
    }
}

/// Settings with a tolerance, or with a step if there is none.
fn settings(law: MultipleImpactLaw, tolerance: Option<f64>, until: f64) -> Settings {
    let usual = Settings::usual(formulation(law), [0.0, until], None);
    let control = match tolerance {
        Some(tolerance) => StepControl::Tolerance(ToleranceControl {
            tolerance,
            first: None,
            min: 1e-10 * until,
            max: until / 50.0,
        }),
        None => StepControl::Fixed { h: 1e-3 },
    };
    Settings { control, ..usual }
}

/// A stack of masses over four orders of magnitude, some of which touch, with mixed restitutions.
fn stack(numbers: &mut Numbers) -> (Linear, State, Vec<f64>) {
    let count = 2 + (numbers.next() * 5.0) as usize;
    let masses: Vec<f64> = (0..count).map(|_| 10f64.powf(4.0 * numbers.next() - 2.0)).collect();
    let mut stack = Linear::points(&masses, masses.iter().map(|m| -10.0 * m).collect());
    let (mut q, mut v, mut height) = (vec![0.0; count], vec![0.0; count], 0.0);
    for i in 0..count {
        let row = if i == 0 { vec![(0, 1.0)] } else { vec![(i, 1.0), (i - 1, -1.0)] };
        let restitution = if numbers.next() < 0.5 { 0.0 } else { 0.9 * numbers.next() };
        stack = stack.with(Contact::smooth(restitution), vec![row], 0.0);
        height += if numbers.next() < 0.3 { 0.0 } else { 0.02 * numbers.next() };
        q[i] = height;
        v[i] = if height > 0.0 { numbers.next() - 0.5 } else { 0.0 };
    }
    let start = stack.state(&q, &v);
    (stack, start, masses)
}

/// No step fails, nothing overlaps, and no step makes energy.
#[test]
fn random_stacks_keep_the_laws() {
    let laws = [MultipleImpactLaw::Moreau, MultipleImpactLaw::Poisson];
    for tolerance in [None, Some(1e-3), Some(1e-6)] {
        let mut numbers = Numbers(7);
        let (mut located, mut all) = (0, 0);
        for case in 0..200 {
            let (mut system, start, masses) = stack(&mut numbers);
            let settings = settings(laws[case % 2], tolerance, 0.3);
            let outcome = simulate(&mut system, &start, &settings, &mut ()).unwrap();
            if let Some(failure) = outcome.failure {
                panic!("{tolerance:?} case {case} {masses:?}: {failure}");
            }
            let result = outcome.trajectory;
            let resolved = tolerance.map_or(1e-9, |tolerance| 0.1 * tolerance);
            let least = result.contacts.gap.values().iter().fold(0.0f64, |a, b| a.min(*b));
            assert!(least > -2.1 * resolved, "{tolerance:?} case {case}: gap {least:e}");
            let mut before = f64::INFINITY;
            let weight: f64 = masses.iter().sum::<f64>() * 10.0;
            for row in 0..result.len() {
                let energy = result.energy.row(row)[0] + result.energy.row(row)[1];
                // contacts that close are brought to zero, from as far as gaps are resolved
                let made = energy - before;
                assert!(made <= 5.0 * resolved * weight, "{tolerance:?} case {case}: {made:e}");
                before = energy;
            }
            located += result.audit.impacts_located;
            all += result.audit.impacts;
        }
        assert!(located > 1000 && 10 * located > 9 * all, "{tolerance:?}: {located} of {all}");
    }
}

/// The time of an impact does not depend on the tolerance where the flight is a parabola, and a gap that closes and opens again
/// within a step is seen.
#[test]
fn a_dip_within_a_step_is_an_impact() {
    for depth in [1e-2f64, 1e-4, 1e-6, 1e-8] {
        // thrown up against a ceiling a little below the apex, 5 m up with g = 10
        let ball = Linear::points(&[1.0], vec![-10.0]);
        let mut system = ball.with(Contact::smooth(0.5), vec![vec![(0, -1.0)]], 5.0 - depth);
        let start = system.state(&[0.0], &[10.0]);
        let mut settings = settings(MultipleImpactLaw::Moreau, Some(1e-9), 1.9);
        if let StepControl::Tolerance(control) = &mut settings.control {
            (control.max, control.first) = (1.9, Some(1.9));
        }
        let result = crate::run(&mut system, &start, &settings);
        let exact = 1.0 - (depth / 5.0).sqrt();
        let found = result.contacts.impacts[0].t;
        assert!((found - exact).abs() < 1e-9, "{depth}: {found} {exact}");
    }
}

/// A row of balls whose first one hits the others.
#[test]
fn momentum_passes_through_a_row_of_balls() {
    let mut system = Linear::points(&[1.0; 5], vec![0.0; 5]);
    for i in 1..5 {
        let row = vec![(i, 1.0), (i - 1, -1.0)];
        system = system.with(Contact::smooth(1.0), vec![row], 0.0);
    }
    let start = system.state(&[-0.3, 0.0, 0.0, 0.0, 0.0], &[1.0, 0.0, 0.0, 0.0, 0.0]);
    for tolerance in [None, Some(1e-6)] {
        for (law, expected) in [
            (MultipleImpactLaw::Moreau, [-0.6, 0.4, 0.4, 0.4, 0.4]),
            (MultipleImpactLaw::Reflections, [0.0, 0.0, 0.0, 0.0, 1.0]),
            (MultipleImpactLaw::Sequential, [0.0, 0.0, 0.0, 0.0, 1.0]),
        ] {
            let result = crate::run(&mut system, &start, &settings(law, tolerance, 1.0));
            let last = result.v.row(result.len() - 1);
            let off = last.iter().zip(expected).fold(0.0f64, |m, (a, b)| m.max((a - b).abs()));
            assert!(off < 1e-11, "{law:?}: {last:?}");
        }
    }
}
