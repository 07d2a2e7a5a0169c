//! Sweeps before Newton's method, as where it fails: the same steps, and problems that need them.

use crate::linear::Linear;
use crate::run;
use crate::stacks::Numbers;
use rotula_dae::*;

fn settings(iteration: NonsmoothIteration, h: f64, until: f64) -> Settings {
    let formulation = Formulation::Nonsmooth {
        strategy: Strategy::Pva,
        variant: NonsmoothVariant::Star,
        iteration,
    };
    let coefficients = Coefficients::generalized_alpha(0.9).unwrap();
    let mut settings = Settings::new(formulation, coefficients, StepControl::Fixed { h });
    settings.until = until;
    settings
}

/// Blocks upon each other that slide in different directions; x, y and height of each.
fn sliding_stack(tall: usize, restitution: f64) -> (Linear, State) {
    let masses: Vec<f64> = (0..3 * tall).map(|i| 1.0 + 0.5 * (i / 3) as f64).collect();
    let force = (0..3 * tall).map(|i| if i % 3 == 2 { -10.0 * masses[i] } else { 0.0 }).collect();
    let mut system = Linear::points(&masses, force);
    let (mut q, mut v) = (Vec::new(), Vec::new());
    for k in 0..tall {
        let row = |axis: usize| match k {
            0 => vec![(axis, 1.0)],
            _ => vec![(3 * k + axis, 1.0), (3 * k + axis - 3, -1.0)],
        };
        let law = Contact::rough(restitution, 0.3, 2);
        system = system.with(law, vec![row(2), row(0), row(1)], if k == 0 { 0.0 } else { -1.0 });
        q.extend([0.0, 0.0, 1.02 * k as f64 + 0.02]);
        v.extend([(1.3 * k as f64).cos(), (0.7 * k as f64).sin(), 0.0]);
    }
    let start = system.state(&q, &v);
    (system, start)
}

/// Steps that begin with sweeps end where all others do.
#[test]
fn sweeps_lead_to_the_same_steps() {
    for restitution in [0.0, 0.4] {
        let [auto, swept] =
            [NonsmoothIteration::Auto, NonsmoothIteration::Sweeps].map(|iteration| {
                let (mut system, start) = sliding_stack(4, restitution);
                run(&mut system, &start, &settings(iteration, 2e-3, 0.3))
            });
        assert_eq!(swept.statistics.rejected_by_iteration, 0);
        assert_eq!(auto.times.len(), swept.times.len());
        for i in 0..auto.times.len() {
            for (a, b) in auto.v.row(i).iter().zip(swept.v.row(i)) {
                assert!((a - b).abs() < 1e-7, "e = {restitution}, step {i}: {a} {b}");
            }
        }
        println!("{:?}\n{:?}", auto.statistics, swept.statistics);
    }
}

/// A stack of light and heavy points whose normals lean, so that the friction of a contact loads the next
/// one.
fn crooked_stack(seed: u64) -> (Linear, State) {
    let mut numbers = Numbers(seed * 7919 + 13);
    let tall = 2 + (numbers.next() * 5.0) as usize;
    let friction = 0.3 + 1.2 * numbers.next();
    let masses: Vec<f64> = (0..tall).map(|_| 10f64.powf(4.0 * numbers.next() - 2.0)).collect();
    let all: Vec<f64> = (0..3 * tall).map(|i| masses[i / 3]).collect();
    let force = (0..3 * tall).map(|i| if i % 3 == 2 { -10.0 * all[i] } else { 0.0 }).collect();
    let mut system = Linear::points(&all, force);
    let (mut q, mut v) = (Vec::new(), Vec::new());
    for k in 0..tall {
        let (s, c) = (0.8 * (numbers.next() - 0.5)).sin_cos();
        let seen = |axis: usize, body: usize, sign: f64| match axis {
            2 => vec![(3 * body + 2, sign * c), (3 * body, sign * s)],
            0 => vec![(3 * body, sign * c), (3 * body + 2, -sign * s)],
            _ => vec![(3 * body + 1, sign)],
        };
        let row = |axis: usize| {
            let below = if k > 0 { seen(axis, k - 1, -1.0) } else { Vec::new() };
            [seen(axis, k, 1.0), below].concat()
        };
        let law = Contact::rough(0.5 * numbers.next(), friction, 2);
        system = system.with(law, vec![row(2), row(0), row(1)], 0.0);
        q.extend([0.0, 0.0, 0.01 * (k + 1) as f64]);
        v.extend([4.0 * numbers.next() - 2.0, 4.0 * numbers.next() - 2.0, 0.0]);
    }
    let start = system.state(&q, &v);
    (system, start)
}

/// Steps in which Newton's method on the active sets finds nothing, neither in parts nor all at once: from
/// where sweeps lead it does, and no step is made smaller.
#[test]
fn sweeps_rescue_steps_where_newtons_method_fails() {
    let mut rescued = 0;
    for seed in [18, 34, 84, 102, 116, 212] {
        let (mut system, start) = crooked_stack(seed);
        let result = run(&mut system, &start, &settings(NonsmoothIteration::Auto, 5e-3, 0.4));
        rescued += result.statistics.rescued_by_sweeps;
        assert_eq!(result.statistics.rejected_by_iteration, 0, "seed {seed}");
        for i in 1..result.len() {
            let rate = |row: usize, i: usize| -> f64 {
                system.rows[row].iter().map(|&(j, g)| g * result.v.row(i)[j]).sum()
            };
            for (k, law) in system.contacts.iter().enumerate() {
                let [normal, x, y] = [0, 1, 2].map(|a| result.contacts.impulse.row(i)[3 * k + a]);
                let place = format!("seed {seed}, step {i}, contact {k}: {normal} {x} {y}");
                assert!(normal >= -1e-9 && result.contacts.gap.row(i)[k] > -1e-9, "{place}");
                assert!(x.hypot(y) <= law.friction * normal + 1e-7, "{place}");
                let rebound = rate(3 * k, i) + law.restitution * rate(3 * k, i - 1);
                assert!(normal < 1e-9 || rebound.abs() < 1e-6, "{place}, {rebound}");
            }
        }
    }
    assert!(rescued > 0, "no step needed sweeps any more: look for others");
}
