//! What holds for the formulations as such: iterations, step control, lists of contacts.

use crate::linear::Linear;
use crate::pendulum::Pendulum;
use crate::varying;
use crate::{run, settings};
use rotula_dae::*;

#[test]
fn all_equations_together_give_the_same_step() {
    let start = Pendulum::state(std::f64::consts::PI / 12.0, 0.0);
    for strategy in [Strategy::Pva, Strategy::Pvv, Strategy::Free] {
        let run_with = |iteration| {
            let mut s = settings(strategy, NonsmoothVariant::Star, 0.9, 2e-3, 1.2);
            s.formulation = Formulation::Nonsmooth {
                strategy,
                variant: NonsmoothVariant::Star,
                iteration,
                located: false,
                impact_law: MultipleImpactLaw::Moreau,
            };
            run(&mut Pendulum::bouncing(0.8), &start, &s)
        };
        let (split, whole) =
            (run_with(NonsmoothIteration::Split), run_with(NonsmoothIteration::Monolithic));
        for (a, b) in split.last_q().iter().zip(whole.last_q()) {
            assert!((a - b).abs() < 1e-9, "{strategy:?}: {a} {b}");
        }
        // Newton on everything converges quadratically: few corrections.
        assert!(whole.statistics.iterations < 3 * whole.steps.len());
    }
}

#[test]
fn steps_controlled_by_error_pass_impacts_and_accumulation() {
    let start = Pendulum::state(std::f64::consts::PI / 12.0, 0.0);
    let mut settings = settings(Strategy::Pva, NonsmoothVariant::Star, 0.9, 1e-3, 5.0);
    settings.control = StepControl::Tolerance(ToleranceControl {
        tolerance: 1e-6,
        first: None,
        min: 1e-7,
        max: 2e-2,
    });
    let result = run(&mut Pendulum::bouncing(0.8), &start, &settings);
    let statistics = &result.statistics;
    // Neither the impacts nor their accumulation at 3.63 s make the steps collapse.
    assert!(statistics.smallest_step > 1e-5, "{statistics:?}");
    assert!(statistics.steps < 5000, "{statistics:?}");
    let first = result.contacts.impacts[0].t;
    assert!((first - 0.351186525).abs() < 2.1e-2, "{first}");
    let energy = result.energy.row(result.len() - 1);
    assert!((energy[0] + energy[1] + 50f64.sqrt()).abs() < 1e-6, "{energy:?}");
}

#[test]
fn other_formulations_refuse_contacts_with_a_remedy() {
    let start = Pendulum::state(0.3, 0.0);
    let mut settings = settings(Strategy::Pva, NonsmoothVariant::Star, 0.9, 1e-3, 0.1);
    settings.formulation = Formulation::Pva;
    let refused = simulate(&mut Pendulum::bouncing(0.8), &start, &settings, &mut ()).unwrap_err();
    let text = refused.to_string();
    assert!(text.contains("contact 1") && text.contains("nonsmooth"), "{text}");
    settings.formulation = Formulation::MoreauJean { theta: 0.5, activation: 0.5, project: false };
    let refused = simulate(&mut Pendulum::bouncing(1.8), &start, &settings, &mut ()).unwrap_err();
    assert!(refused.to_string().contains("restitution must lie in [0, 1]"), "{refused}");
}

#[test]
fn without_contacts_it_is_the_smooth_method() {
    // [sheet 002 §4, section 5: PVA θ(2) and PV(74)]
    let start = Pendulum::state(std::f64::consts::PI / 6.0, 10.0);
    let settings = settings(Strategy::Pva, NonsmoothVariant::Star, 0.9, 2e-3, 2.0);
    let result = run(&mut Pendulum::free(), &start, &settings);
    assert!((result.last_q()[2] - 19.45185547561372).abs() < 1e-8, "{}", result.last_q()[2]);
    let pvv = Settings {
        formulation: Formulation::Nonsmooth {
            strategy: Strategy::Pvv,
            variant: NonsmoothVariant::Star,
            iteration: NonsmoothIteration::Auto,
            located: false,
            impact_law: MultipleImpactLaw::Moreau,
        },
        ..settings
    };
    let result = run(&mut Pendulum::free(), &start, &pvv);
    assert!((result.last_q()[2] - 19.451864369425678).abs() < 1e-8, "{}", result.last_q()[2]);
}

#[test]
fn a_list_of_contacts_that_changes_gives_the_same_motion() {
    let masses = [1.0, 0.2, 3.0, 0.5];
    let mut stack = Linear::points(&masses, masses.iter().map(|m| -10.0 * m).collect());
    for i in 0..4 {
        let row = if i == 0 { vec![(0, 1.0)] } else { vec![(i, 1.0), (i - 1, -1.0)] };
        stack = stack.with(Contact::smooth(0.4), vec![row], 0.0);
    }
    let start = stack.state(&[0.01, 0.03, 0.06, 0.1], &[0.0, 0.3, -0.1, 0.2]);
    for formulation in [
        settings(Strategy::Pva, NonsmoothVariant::Star, 0.8, 1.0, 1.0).formulation,
        Formulation::MoreauJean { theta: 0.5, activation: 0.5, project: false },
    ] {
        let mut settings = settings(Strategy::Pva, NonsmoothVariant::Star, 0.8, 1e-3, 0.4);
        settings.formulation = formulation;
        let whole = run(&mut stack.clone(), &start, &settings);
        let mut varying = varying::Varying::new(stack.clone());
        let listed = run(&mut varying, &start, &settings);
        assert!(varying.changes > 4, "{}", varying.changes);
        // contacts that come and go have no columns, but every one that touches has its row
        assert!(listed.contacts.names.is_empty() && whole.contacts.names.len() == 4);
        // the last hops before rest are as small as the error of the iteration
        let impacts = |trajectory: &Trajectory| {
            let list = trajectory.contacts.impacts.iter().filter(|impact| impact.before < -1e-4);
            list.map(|impact| (impact.t, impact.impulse)).collect::<Vec<_>>()
        };
        let (all, few) = (impacts(&whole), impacts(&listed));
        assert!(all.len() > 4 && all.len() == few.len(), "{all:?}\n{few:?}");
        for (a, b) in all.iter().zip(&few) {
            assert!(a.0 == b.0 && (a.1 - b.1).abs() < 1e-8, "{a:?} {b:?}");
        }
        for row in 0..whole.len() {
            for (a, b) in whole.q.row(row).iter().zip(listed.q.row(row)) {
                assert!((a - b).abs() < 1e-9, "{formulation:?} row {row}: {a} {b}");
            }
            // The sum of the normal forces is recorded in both cases.
            let (a, b) = (whole.contacts.summary.row(row)[1], listed.contacts.summary.row(row)[1]);
            assert!((a - b).abs() < 1e-6 * (1.0 + a.abs()), "{formulation:?} row {row}: {a} {b}");
            let normals = |trajectory: &Trajectory| {
                let touches = trajectory.contacts.touching.at(row).iter();
                let normals = touches.map(|touch| touch.normal);
                // contacts that touch by rounding push by rounding
                let mut normals: Vec<f64> = normals.filter(|normal| *normal > 1e-9).collect();
                normals.sort_by(f64::total_cmp);
                normals
            };
            let (all, few) = (normals(&whole), normals(&listed));
            assert_eq!(all.len(), few.len(), "{formulation:?} row {row}: {all:?} {few:?}");
            let same = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-6 * (1.0 + a.abs());
            assert!(all.iter().zip(&few).all(same), "{formulation:?} row {row}: {all:?} {few:?}");
        }
    }
}
