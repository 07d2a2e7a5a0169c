//! The nonsmooth formulations against closed forms and the numbers of sheet 002.

#[path = "nonsmooth/bar.rs"]
mod bar;
#[path = "nonsmooth/bowl.rs"]
mod bowl;
#[path = "nonsmooth/linear.rs"]
mod linear;
#[path = "nonsmooth/pendulum.rs"]
mod pendulum;
#[path = "nonsmooth/varying.rs"]
mod varying;

use bowl::Bowl;
use linear::Linear;
use pendulum::Pendulum;
use rotula_dae::*;

fn settings(
    strategy: Strategy,
    variant: NonsmoothVariant,
    rho: f64,
    h: f64,
    until: f64,
) -> Settings {
    let iteration = NonsmoothIteration::Auto;
    let formulation = Formulation::Nonsmooth { strategy, variant, iteration };
    let coefficients = Coefficients::generalized_alpha(rho).unwrap();
    let mut settings = Settings::new(formulation, coefficients, StepControl::Fixed { h });
    settings.until = until;
    settings
}

fn run(system: &mut dyn System, start: &State, settings: &Settings) -> Trajectory {
    let outcome = simulate(system, start, settings, &mut ()).unwrap();
    if let Some(failure) = outcome.failure {
        panic!("{failure}");
    }
    outcome.trajectory
}

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
fn moreau_and_jean_bounce_as_the_reference_does() {
    // [reference_002.json: moreau_jean_h1e-3]
    let impacts = [0.352, 0.946, 1.445, 1.860, 2.201, 2.479];
    let start = Pendulum::state(std::f64::consts::PI / 12.0, 0.0);
    let mut settings = settings(Strategy::Pva, NonsmoothVariant::Star, 0.9, 1e-3, 4.5);
    settings.formulation = Formulation::MoreauJean { theta: 0.5 };
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
    settings.formulation = Formulation::MoreauJean { theta: 0.5 };
    let result = run(&mut bar, &start, &settings);
    let energy = result.energy.row(1250);
    assert!((energy[0] + energy[1] - 498.33541797045655).abs() < 1e-6);
}

#[test]
fn the_split_iteration_counts_are_those_of_the_paper() {
    // [002 §6.3: 2.94 and 0.80; sheet: lumped mass, tolerance 2 to 3e-4]
    for (strategy, expected) in [(Strategy::Pva, 0.80), (Strategy::Pvv, 2.94)] {
        let (mut bar, start) = bar::bar(false);
        let mut settings = settings(strategy, NonsmoothVariant::Star, 0.8, 2e-3, 2.5);
        let (variant, iteration) = (NonsmoothVariant::Star, NonsmoothIteration::Split);
        settings.formulation = Formulation::Nonsmooth { strategy, variant, iteration };
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
    };
    let pva = nonsmooth(Strategy::Pva);
    let (coarse, fine) = (error(pva, 5e-3), error(pva, 2.5e-3));
    assert!((fine / 4.530482011322334e-06 - 1.0).abs() < 1e-3, "{fine:e}");
    assert!(((coarse / fine).log2() - 2.0).abs() < 0.05);
    let pvv = nonsmooth(Strategy::Pvv);
    let (coarse, fine) = (error(pvv, 5e-3), error(pvv, 2.5e-3));
    assert!((fine / 0.008606606875953493 - 1.0).abs() < 1e-3, "{fine:e}");
    assert!(((coarse / fine).log2() - 1.0).abs() < 0.05);
    let jean = Formulation::MoreauJean { theta: 0.5 };
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
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
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
    let jean = Formulation::MoreauJean { theta: 0.5 };
    let smooth = |strategy| Formulation::Nonsmooth {
        strategy,
        variant: NonsmoothVariant::Star,
        iteration: NonsmoothIteration::Auto,
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
        Formulation::MoreauJean { theta: 0.5 },
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
        let lost = result.contacts.impacts[0].energy.unwrap();
        let exact = 0.5 * (1.0 + 4.0) - 0.5 * (expected * expected + 1.0);
        assert!((lost - exact).abs() < 1e-9, "{lost} {exact}");
    }
}

#[test]
fn all_equations_together_give_the_same_step() {
    let start = Pendulum::state(std::f64::consts::PI / 12.0, 0.0);
    for strategy in [Strategy::Pva, Strategy::Pvv, Strategy::Free] {
        let run_with = |iteration| {
            let mut s = settings(strategy, NonsmoothVariant::Star, 0.9, 2e-3, 1.2);
            s.formulation =
                Formulation::Nonsmooth { strategy, variant: NonsmoothVariant::Star, iteration };
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
    settings.formulation = Formulation::MoreauJean { theta: 0.5 };
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
        },
        ..settings
    };
    let result = run(&mut Pendulum::free(), &start, &pvv);
    assert!((result.last_q()[2] - 19.451864369425678).abs() < 1e-8, "{}", result.last_q()[2]);
}

#[test]
fn many_contacts_are_solved_by_sweeps() {
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
    settings.formulation = Formulation::MoreauJean { theta: 0.5 };
    settings.newton.tolerance = 1e-7;
    let result = run(&mut blocks, &start, &settings);
    let forces = result.contacts.force.row(result.len() - 1);
    for i in 0..count {
        let weight = 10.0 * (height - i % height) as f64;
        assert!((forces[i] / weight - 1.0).abs() < 1e-4, "{i}: {} {weight}", forces[i]);
    }
    assert_eq!(result.statistics.rejected_by_iteration, 0);
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
    settings.formulation = Formulation::MoreauJean { theta: 0.5 };
    let result = run(&mut table, &start, &settings);
    for k in 0..pucks {
        let q = &result.last_q()[3 * k..3 * k + 3];
        assert!((q[0].hypot(q[1]) - 1.0 / 6.0).abs() < 2e-5, "{k}: {q:?}");
        let across = q[0] * v[3 * k + 1] - q[1] * v[3 * k];
        assert!(across.abs() < 1e-9, "{k}: {across}");
    }
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
        Formulation::MoreauJean { theta: 0.5 },
    ] {
        let mut settings = settings(Strategy::Pva, NonsmoothVariant::Star, 0.8, 1e-3, 0.4);
        settings.formulation = formulation;
        let whole = run(&mut stack.clone(), &start, &settings);
        let mut varying = varying::Varying::new(stack.clone());
        let listed = run(&mut varying, &start, &settings);
        assert!(varying.changes > 4, "{}", varying.changes);
        assert!(listed.contacts.varying);
        for row in 0..whole.len() {
            for (a, b) in whole.q.row(row).iter().zip(listed.q.row(row)) {
                assert!((a - b).abs() < 1e-9, "{formulation:?} row {row}: {a} {b}");
            }
            // The sum of the normal forces is recorded in both cases.
            let (a, b) = (whole.contacts.summary.row(row)[1], listed.contacts.summary.row(row)[1]);
            assert!((a - b).abs() < 1e-6 * (1.0 + a.abs()), "{formulation:?} row {row}: {a} {b}");
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
    settings.formulation = Formulation::MoreauJean { theta: 0.5 };
    let result = run(&mut ball, &start, &settings);
    for (t, height, velocity) in reference {
        let row = (t / 5e-3f64).round() as usize;
        let (q, v) = (result.q.row(row)[0], result.v.row(row)[0]);
        assert!((q - height).abs() < 1e-9 && (v - velocity).abs() < 1e-9, "{t}: {q} {v}");
    }
}
