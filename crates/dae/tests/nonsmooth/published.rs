//! Numbers of document 002. [Brüls et al. 2018, sheet §4]

use crate::bar;
use crate::bowl::Bowl;
use crate::linear::Linear;
use crate::pendulum::Pendulum;
use crate::{run, settings};
use rotula_dae::*;

#[test]
fn the_bouncing_pendulum_hits_at_the_published_steps() {
    use NonsmoothVariant::{Printed, Star};
    let pva = [0.352, 0.947, 1.447, 1.863, 2.206, 2.486];
    let pvv = [0.352, 0.946, 1.445, 1.860, 2.201, 2.478];
    let s1 = [0.352, 0.945, 1.442, 1.854, 2.192, 2.467];
    // [sheet 002 §4, 6.1; reference_002.json: S2a]
    let table = [
        (Strategy::Pva, Printed, pva, 3.647, 0.6876414456018817),
        (Strategy::Pva, Star, pvv, 3.545, 0.687874526854316),
        (Strategy::Pvv, Star, pvv, 3.545, 0.6878735135550409),
        (Strategy::Bilateral, Star, pvv, 3.545, 0.6878738955100094),
        (Strategy::Free, Star, s1, 3.525, 0.6885451603658175),
    ];
    for (strategy, variant, impacts, closed_from, angle) in table {
        let start = Pendulum::state(std::f64::consts::PI / 12.0, 0.0);
        let settings = settings(strategy, variant, 0.9, 1e-3, 4.5);
        let result = run(&mut Pendulum::bouncing(0.8), &start, &settings);
        let name = format!("{strategy:?} {variant:?}");
        let found: Vec<f64> = result.contacts.impacts.iter().take(6).map(|i| i.t).collect();
        let gaps: Vec<f64> = result.contacts.gap.column(0).collect();
        let last_open = gaps.iter().rposition(|&gap| gap > 1e-9).unwrap();
        let closed = result.times[last_open + 1];
        for (a, b) in found.iter().zip(impacts) {
            assert!((a - b).abs() < 1e-9, "{name}: {found:?}");
        }
        assert!((closed - closed_from).abs() < 1.5e-3, "{name}: closed from {closed}");
        assert!((result.q.row(2000)[2] - angle).abs() < 1e-7, "{name}: {}", result.q.row(2000)[2]);
        assert!(result.audit.position_residual < 1e-11, "{name}");
        assert!(result.audit.velocity_residual < 1e-11, "{name}");
        let energy = result.energy.row(4500);
        assert!((energy[0] + energy[1] + 50f64.sqrt()).abs() < 1e-9, "{name}");
        assert_eq!(result.statistics.rejected_by_iteration, 0, "{name}");
        // All the energy that is missing went into the contact; the printed form adds some.
        let lost = result.audit.contact_work.unwrap();
        assert!((lost + 4.482877360840268).abs() < 0.1, "{name}: {lost}");
    }
}

#[test]
fn moreau_and_jean_bounce_as_the_reference_does() {
    // [reference_002.json: moreau_jean_h1e-3]
    let impacts = [0.352, 0.946, 1.445, 1.860, 2.201, 2.479];
    let start = Pendulum::state(std::f64::consts::PI / 12.0, 0.0);
    let mut settings = settings(Strategy::Pva, NonsmoothVariant::Star, 0.9, 1e-3, 4.5);
    settings.formulation = Formulation::MoreauJean { theta: 0.5, activation: 0.5, project: false };
    let result = run(&mut Pendulum::bouncing(0.8), &start, &settings);
    let found: Vec<f64> = result.contacts.impacts.iter().take(6).map(|i| i.t).collect();
    for (a, b) in found.iter().zip(impacts) {
        assert!((a - b).abs() < 1e-9, "{found:?}");
    }
    assert!((result.audit.position_residual / 7.719432796315928e-07 - 1.0).abs() < 1e-3);
    let least = result.contacts.gap.column(0).fold(f64::INFINITY, f64::min);
    assert!((least / -0.0006056391070395906 - 1.0).abs() < 1e-6, "{least}");
}

#[test]
fn the_bar_keeps_its_contact_force() {
    // [reference_002.json: sect63_bar]
    for (strategy, end) in [(Strategy::Pva, 497.4105355552367), (Strategy::Pvv, 497.4105355553601)]
    {
        let (mut bar, start) = bar::bar(true);
        let settings = settings(strategy, NonsmoothVariant::Star, 0.8, 2e-3, 2.5);
        let result = run(&mut bar, &start, &settings);
        let force: Vec<f64> = result.contacts.force.column(0).collect();
        let active: Vec<usize> = (0..force.len()).filter(|&i| force[i] > 1e-6).collect();
        let energy = result.energy.row(1250);
        assert_eq!((active[0], active[active.len() - 1], active.len()), (251, 585, 335));
        assert!((force[252] - 347.1524690025742).abs() < 1e-5, "{}", force[252]);
        let mean = force[300..=550].iter().sum::<f64>() / 251.0;
        assert!((mean - 300.0).abs() < 0.15, "{mean}");
        assert!(
            (energy[0] + energy[1] - end).abs() < 1e-5,
            "{strategy:?} {}",
            energy[0] + energy[1]
        );
    }
    let (mut bar, start) = bar::bar(true);
    let mut settings = settings(Strategy::Pva, NonsmoothVariant::Star, 0.8, 2e-3, 2.5);
    settings.formulation = Formulation::MoreauJean { theta: 0.5, activation: 0.5, project: false };
    let result = run(&mut bar, &start, &settings);
    let energy = result.energy.row(1250);
    assert!((energy[0] + energy[1] - 498.33541797045655).abs() < 1e-6);
}

#[test]
fn the_split_iteration_counts_are_those_of_the_paper() {
    // [Brüls et al. 2018, sheet §6.3: 2.94 and 0.80; sheet: lumped mass, tolerance 2 to 3e-4]
    for (strategy, expected) in [(Strategy::Pva, 0.80), (Strategy::Pvv, 2.94)] {
        let (mut bar, start) = bar::bar(false);
        let mut settings = settings(strategy, NonsmoothVariant::Star, 0.8, 2e-3, 2.5);
        let (variant, iteration) = (NonsmoothVariant::Star, NonsmoothIteration::Split);
        settings.formulation = Formulation::Nonsmooth {
            strategy,
            variant,
            iteration,
            located: false,
            impact_law: MultipleImpactLaw::Moreau,
        };
        // The sheet measures against ‖Mw‖ + ‖f‖, twice the size used here.
        settings.newton.tolerance = 5e-4;
        settings.newton.matrix = MatrixPolicy::EachIteration;
        let result = run(&mut bar, &start, &settings);
        let mean = result.statistics.iterations as f64 / 1250.0;
        // [sheet 002 §4: nine corrections in each step in contact, or one]
        let most =
            result.steps.iter().filter(|s| s.t > 0.6 && s.t < 1.1).map(|s| s.iterations).max();
        assert_eq!(most, Some(if strategy == Strategy::Pva { 1 } else { 9 }));
        assert!((mean - expected).abs() < 0.01, "{strategy:?}: {mean}");
    }
}

#[test]
fn a_closed_contact_in_the_smooth_motion_is_second_order() {
    // [reference_002.json: extra_bowl_unilateral, T = 1]
    let angle = 0.9851989513179562f64;
    let exact = [angle.sin(), -angle.cos()];
    let error = |formulation: Formulation, h: f64| {
        let mut settings = settings(Strategy::Pva, NonsmoothVariant::Star, 0.8, h, 1.0);
        settings.formulation = formulation;
        let result = run(&mut Bowl::new(), &Bowl::state(-1.0, 0.0), &settings);
        let q = result.last_q();
        (q[0] - exact[0]).abs().max((q[1] - exact[1]).abs())
    };
    let nonsmooth = |strategy| Formulation::Nonsmooth {
        strategy,
        variant: NonsmoothVariant::Star,
        iteration: NonsmoothIteration::Auto,
        located: false,
        impact_law: MultipleImpactLaw::Moreau,
    };
    let pva = nonsmooth(Strategy::Pva);
    let (coarse, fine) = (error(pva, 5e-3), error(pva, 2.5e-3));
    assert!((fine / 4.530482011322334e-06 - 1.0).abs() < 1e-3, "{fine:e}");
    assert!(((coarse / fine).log2() - 2.0).abs() < 0.05);
    let pvv = nonsmooth(Strategy::Pvv);
    let (coarse, fine) = (error(pvv, 5e-3), error(pvv, 2.5e-3));
    assert!((fine / 0.008606606875953493 - 1.0).abs() < 1e-3, "{fine:e}");
    assert!(((coarse / fine).log2() - 1.0).abs() < 0.05);
    let jean = Formulation::MoreauJean { theta: 0.5, activation: 0.5, project: false };
    let (coarse, fine) = (error(jean, 5e-3), error(jean, 2.5e-3));
    assert!(((coarse / fine).log2() - 1.0).abs() < 0.1);
}

#[test]
fn the_loop_takes_off_and_lands() {
    // [sheet 002 §4 (ii)]
    let settings = settings(Strategy::Pva, NonsmoothVariant::Star, 0.8, 1e-3, 1.3);
    let result = run(&mut Bowl::new(), &Bowl::state(0.0, 40f64.sqrt()), &settings);
    let gaps: Vec<f64> = result.contacts.gap.column(0).collect();
    let off = gaps.iter().position(|&g| g > 1e-9).unwrap();
    let on = off + gaps[off..].iter().position(|&g| g <= 1e-9).unwrap();
    assert!((result.times[off] - 0.488409026).abs() <= 2.1e-3, "{}", result.times[off]);
    assert!((result.times[on] - 1.258209385).abs() <= 2.1e-3, "{}", result.times[on]);
    let energy = result.energy.row(480);
    assert!((energy[0] + energy[1] - 10.0).abs() < 1e-3);
}

#[test]
fn moreau_and_jean_agree_with_siconos_on_a_bouncing_ball() {
    // Time, height and velocity of the example BouncingBallTS of Siconos: θ = ½, h = 5e-3, e = 0.9.
    let reference = [
        (2.0, 0.0010599625, -3.585555),
        (5.0, 0.151353680263, -0.752258125755),
        (10.0, -2.28861809055e-05, -2.77555756156e-17),
    ];
    let mut ball =
        Linear::points(&[1.0], vec![-9.81]).with(Contact::smooth(0.9), vec![vec![(0, 1.0)]], 0.0);
    let start = ball.state(&[1.0], &[0.0]);
    let mut settings = settings(Strategy::Pva, NonsmoothVariant::Star, 0.9, 5e-3, 10.0);
    settings.formulation = Formulation::MoreauJean { theta: 0.5, activation: 0.5, project: false };
    let result = run(&mut ball, &start, &settings);
    for (t, height, velocity) in reference {
        let row = (t / 5e-3f64).round() as usize;
        let (q, v) = (result.q.row(row)[0], result.v.row(row)[0]);
        assert!((q - height).abs() < 1e-9 && (v - velocity).abs() < 1e-9, "{t}: {q} {v}");
    }
}

#[test]
fn moreau_and_jean_agree_with_siconos_on_an_elastic_bar() {
    // The example ImpactingBar of Siconos: 100 nodes, steel, consistent mass, θ = ½, e = 0. Row, then
    // position and velocity of the first, the last and the middle node, and the contact force.
    let reference = [
        (300, [-3e-07, 0.0, -1e-05, -0.1, -9.87760556717e-06, -0.06020145029], 1270.14004702),
        (
            400,
            [-3e-07, 0.0, -8.76865970077e-06, 0.0973237524947, -8.81290358017e-06, 0.128343763233],
            1270.66386355,
        ),
        (
            500,
            [
                1.09784755981e-05,
                0.101728414713,
                1.12422135138e-05,
                0.0978132310126,
                1.1026512261e-05,
                0.115481169465,
            ],
            0.0,
        ),
        (
            748,
            [
                6.00009112263e-05,
                0.0949765562726,
                5.95866349814e-05,
                0.0867627506027,
                6.00106450627e-05,
                0.108505041612,
            ],
            0.0,
        ),
    ];
    let (modulus, section, density, nodes, h) = (210e9, 0.000314, 7800.0, 100, 2e-6);
    let l = 1.0 / nodes as f64;
    let element = (modulus * section / l, density * section * l);
    // That example looks at the gap itself, Rotula at the gap half a step ahead: with a gap wider by the
    // way of one step both close in the same step.
    let mut bar = bar::elements(nodes, element.0, element.1, true, 2e-7);
    let start = bar.state(&[5e-5; 100], &[-0.1; 100]);
    let mut settings = settings(Strategy::Pva, NonsmoothVariant::Star, 0.9, h, 749.0 * h);
    settings.formulation = Formulation::MoreauJean { theta: 0.5, activation: 0.5, project: false };
    let result = run(&mut bar, &start, &settings);
    for (row, expected, force) in reference {
        let (q, v) = (result.q.row(row), result.v.row(row));
        let found = [q[0], v[0], q[99], v[99], q[50], v[50]];
        for (k, (a, b)) in found.iter().zip(expected).enumerate() {
            let bound = if k % 2 == 0 { 1e-14 } else { 1e-9 };
            assert!((a - b).abs() < bound, "row {row}, number {k}: {a} against {b}");
        }
        let pushes = result.contacts.force.row(row)[0];
        assert!(
            (pushes - force).abs() < 1e-6 * (1.0 + force),
            "row {row}: {pushes} against {force}"
        );
    }
}
