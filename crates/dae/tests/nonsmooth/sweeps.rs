//! Sweeps before Newton's method, as where it fails: the same steps.

use crate::linear::Linear;
use crate::run;
use rotula_dae::*;

fn settings(iteration: NonsmoothIteration, h: f64, until: f64) -> Settings {
    let formulation = Formulation::Nonsmooth {
        strategy: Strategy::Pva,
        variant: NonsmoothVariant::Star,
        iteration,
        located: false,
        impact_law: MultipleImpactLaw::Moreau,
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
