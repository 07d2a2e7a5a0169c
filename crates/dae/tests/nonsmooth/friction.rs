//! Coulomb friction against closed forms. [Brüls et al. 2018, sheet §7]

use crate::linear::Linear;
use crate::{run, settings};
use rotula_dae::*;

fn sliding(friction: f64, slope: f64, speed: f64) -> (Linear, State) {
    let (s, c) = slope.sin_cos();
    let block = Linear::points(&[1.0, 1.0], vec![10.0 * s, -10.0 * c]).with(
        Contact::rough(0.0, friction, 1),
        vec![vec![(1, 1.0)], vec![(0, 1.0)]],
        0.0,
    );
    let start = block.state(&[0.0, 0.0], &[speed, 0.0]);
    (block, start)
}

#[test]
fn friction_stops_holds_and_slips() {
    let jean = Formulation::MoreauJean { theta: 0.5, activation: 0.5, project: false };
    let smooth = |strategy| Formulation::Nonsmooth {
        strategy,
        variant: NonsmoothVariant::Star,
        iteration: NonsmoothIteration::Auto,
        located: false,
        impact_law: MultipleImpactLaw::Moreau,
    };
    // [sheet 002 §7]
    for (formulation, tolerance) in
        [(smooth(Strategy::Pva), 1e-5), (smooth(Strategy::Pvv), 2e-3), (jean, 2e-3)]
    {
        let settings = |until: f64| {
            let mut s = settings(Strategy::Pva, NonsmoothVariant::Star, 0.8, 2.5e-3, until);
            s.formulation = formulation;
            s
        };
        let (mut block, start) = sliding(0.3, 0.0, 1.0);
        let result = run(&mut block, &start, &settings(0.5));
        assert!(
            (result.last_q()[0] - 1.0 / 6.0).abs() < tolerance,
            "{formulation:?} {}",
            result.last_q()[0]
        );
        assert!(result.last_v()[0].abs() < 1e-9, "{formulation:?} {:?}", result.last_v());
        let (mut block, start) = sliding(0.6, 0.5f64.atan(), 0.0);
        let result = run(&mut block, &start, &settings(0.5));
        let force = result.contacts.force.row(200);
        assert!((force[1] + 20f64.sqrt()).abs() < 1e-6, "{formulation:?} {force:?}");
        // Without friction in the smooth motion, what sticks creeps by ½ h² a in each step.
        let creeps = formulation == smooth(Strategy::Pvv);
        let crept = if creeps { 0.5 * 2.5e-3 * 0.5 * 20f64.sqrt() } else { 0.0 };
        assert!((result.last_q()[0] - crept).abs() < 1e-9, "{formulation:?} {:?}", result.last_q());
        let (mut block, start) = sliding(0.4, 0.5f64.atan(), 0.0);
        let result = run(&mut block, &start, &settings(0.5));
        assert!(
            (result.last_v()[0] - 0.2f64.sqrt()).abs() < 1e-6,
            "{formulation:?} {}",
            result.last_v()[0]
        );
    }
}

#[test]
fn friction_in_space_keeps_its_direction() {
    for formulation in [
        Formulation::MoreauJean { theta: 0.5, activation: 0.5, project: false },
        settings(Strategy::Pva, NonsmoothVariant::Star, 0.8, 1.0, 1.0).formulation,
    ] {
        let mut block = Linear::points(&[2.0; 3], vec![0.0, 0.0, -20.0]).with(
            Contact::rough(0.0, 0.3, 2),
            vec![vec![(2, 1.0)], vec![(0, 1.0)], vec![(1, 1.0)]],
            0.0,
        );
        let start = block.state(&[0.0; 3], &[0.6, 0.8, 0.0]);
        let mut settings = settings(Strategy::Pva, NonsmoothVariant::Star, 0.8, 2.5e-3, 0.5);
        settings.formulation = formulation;
        let result = run(&mut block, &start, &settings);
        let q = result.last_q();
        let distance = q[0].hypot(q[1]);
        assert!((distance - 1.0 / 6.0).abs() < 2e-3, "{q:?}");
        assert!((q[0] / q[1] - 0.75).abs() < 1e-9, "{q:?}");
        let force = result.contacts.force.row(20);
        assert!((force[0] - 20.0).abs() < 1e-6 && (force[1] + 3.6).abs() < 1e-6, "{force:?}");
        assert!((force[2] + 4.8).abs() < 1e-6, "{force:?}");
    }
}

#[test]
fn a_spinning_disc_ends_rolling() {
    // Radius 1, mass 1: it slips until t = ω₀/(3 μ g) and then rolls with v = ω₀/3.
    let mut disc = Linear::points(&[1.0, 1.0, 0.5], vec![0.0, -10.0, 0.0]).with(
        Contact::rough(0.0, 0.2, 1),
        vec![vec![(1, 1.0)], vec![(0, 1.0), (2, -1.0)]],
        0.0,
    );
    let start = disc.state(&[0.0; 3], &[0.0, 0.0, 3.0]);
    let settings = settings(Strategy::Pva, NonsmoothVariant::Star, 0.8, 1e-3, 1.0);
    let result = run(&mut disc, &start, &settings);
    let v = result.last_v();
    assert!((v[0] - 1.0).abs() < 1e-9 && (v[2] - 1.0).abs() < 1e-9, "{v:?}");
    let slip = |i: usize| (result.v.row(i)[0] - result.v.row(i)[2]).abs();
    assert!(slip(498) > 1e-3 && slip(502) < 1e-9, "{} {}", slip(498), slip(502));
    // Exact path: ½ μ g t² while slipping, then uniform.
    assert!((result.last_q()[0] - (0.25 + 0.5)).abs() < 1e-5, "{}", result.last_q()[0]);
}

#[test]
fn an_oblique_impact_with_friction() {
    // μ (1 + e) v_N = 0.1 · 1.5 · 2 is less than the tangential speed: it slips all through.
    for (friction, expected) in [(0.1, 1.0 - 0.3), (0.9, 0.0)] {
        let mut ball = Linear::points(&[1.0, 1.0], vec![0.0, 0.0]).with(
            Contact::rough(0.5, friction, 1),
            vec![vec![(1, 1.0)], vec![(0, 1.0)]],
            0.0,
        );
        let start = ball.state(&[0.0, 0.0105], &[1.0, -2.0]);
        let settings = settings(Strategy::Pva, NonsmoothVariant::Star, 0.8, 1e-3, 0.02);
        let result = run(&mut ball, &start, &settings);
        let v = result.last_v();
        assert!((v[0] - expected).abs() < 1e-9 && (v[1] - 1.0).abs() < 1e-9, "{v:?}");
        assert_eq!(result.contacts.impacts.len(), 1);
        let lost = result.contacts.impacts[0].energy;
        let exact = 0.5 * (1.0 + 4.0) - 0.5 * (expected * expected + 1.0);
        assert!((lost - exact).abs() < 1e-9, "{lost} {exact}");
    }
}

#[test]
fn many_pucks_slide_to_rest() {
    // Friction in two directions, more rows than Newton's method takes; each puck in its direction.
    let pucks = 40;
    let mut table = Linear::points(&vec![2.0; 3 * pucks], [0.0, 0.0, -20.0].repeat(pucks));
    let mut v = vec![0.0; 3 * pucks];
    for k in 0..pucks {
        let i = 3 * k;
        table = table.with(
            Contact::rough(0.0, 0.3, 2),
            vec![vec![(i + 2, 1.0)], vec![(i, 1.0)], vec![(i + 1, 1.0)]],
            0.0,
        );
        (v[i + 1], v[i]) = (0.3 * k as f64).sin_cos();
    }
    let start = table.state(&vec![0.0; 3 * pucks], &v);
    let mut settings = settings(Strategy::Pva, NonsmoothVariant::Star, 0.9, 2.5e-3, 0.5);
    settings.formulation = Formulation::MoreauJean { theta: 0.5, activation: 0.5, project: false };
    let result = run(&mut table, &start, &settings);
    for k in 0..pucks {
        let q = &result.last_q()[3 * k..3 * k + 3];
        assert!((q[0].hypot(q[1]) - 1.0 / 6.0).abs() < 2e-5, "{k}: {q:?}");
        let across = q[0] * v[3 * k + 1] - q[1] * v[3 * k];
        assert!(across.abs() < 1e-9, "{k}: {across}");
    }
}
