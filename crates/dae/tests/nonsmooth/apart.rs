//! Bodies that nothing but contacts connects: the way through single bodies against the general one,
//! and the laws of contact after every step.

use crate::linear::Linear;
use crate::run;
use rotula_dae::*;

const GRAVITY: f64 = 10.0;
const FRICTION: f64 = 0.4;
const TALL: usize = 8;

fn moreau_jean(h: f64, until: f64, tolerance: f64) -> Settings {
    let coefficients = Coefficients::generalized_alpha(0.9).unwrap();
    let formulation = Formulation::MoreauJean { theta: 0.5, activation: 0.5, project: false };
    let mut settings = Settings::new(formulation, coefficients, StepControl::Fixed { h });
    settings.until = until;
    settings.newton.tolerance = tolerance;
    settings
}

/// Columns of blocks that fall upon each other and slide in all directions, with friction. Blocks do
/// not turn: x, y and height of each. If they are tied, forces of zero join all coordinates.
fn columns(count: usize, restitution: f64, tied: bool) -> (Linear, State) {
    let blocks = count * TALL;
    let mass = |k: usize| 1.0 + 0.3 * (k % 5) as f64;
    let masses: Vec<f64> = (0..3 * blocks).map(|i| mass(i / 3)).collect();
    let force = (0..3 * blocks).map(|i| if i % 3 == 2 { -GRAVITY * mass(i / 3) } else { 0.0 });
    let mut system = Linear::points(&masses, force.collect());
    let law = Contact::rough(restitution, FRICTION, 2);
    let (mut q, mut v) = (Vec::new(), Vec::new());
    for k in 0..blocks {
        let floor = k % TALL == 0;
        let row = |axis: usize| {
            let own = (3 * k + axis, 1.0);
            if floor { vec![own] } else { vec![own, (3 * k + axis - 3, -1.0)] }
        };
        system = system.with(law, vec![row(2), row(0), row(1)], if floor { 0.0 } else { -1.0 });
        q.extend([0.0, 0.0, (k % TALL) as f64 * 1.01 + 0.01 + 0.001 * (k / TALL) as f64]);
        v.extend([(1.3 * k as f64).sin(), (2.7 * k as f64).cos(), 0.0]);
    }
    if tied {
        system.stiffness.extend((1..3 * blocks).flat_map(|i| [(0, i, 0.0), (i, 0, 0.0)]));
    }
    let start = system.state(&q, &v);
    (system, start)
}

/// A chain of beads without friction that fall upon each other, tied as above.
fn beads(count: usize, restitution: f64, tied: bool) -> (Linear, State) {
    let mass = |k: usize| 1.0 + 0.5 * (k % 3) as f64;
    let masses: Vec<f64> = (0..count).map(mass).collect();
    let force = masses.iter().map(|m| -GRAVITY * m).collect();
    let mut system = Linear::points(&masses, force);
    let law = Contact::smooth(restitution);
    for k in 0..count {
        let floor = k == 0;
        let row = if floor { vec![(0, 1.0)] } else { vec![(k, 1.0), (k - 1, -1.0)] };
        system = system.with(law, vec![row], if floor { 0.0 } else { -1.0 });
    }
    if tied {
        system.stiffness.extend((1..count).flat_map(|i| [(0, i, 0.0), (i, 0, 0.0)]));
    }
    let q: Vec<f64> = (0..count).map(|k| 1.0001 * k as f64 + 0.002).collect();
    let start = system.state(&q, &vec![-0.3; count]);
    (system, start)
}

/// Contacts without friction are solved all at once, whatever their number; the general way, by sweeps
/// and Newton's method, finds the same.
#[test]
fn a_chain_without_friction_is_solved_at_once() {
    let count = 120;
    for restitution in [0.0, 0.5] {
        let settings = moreau_jean(1e-3, 0.13, 1e-12);
        let [apart, general] = [false, true].map(|tied| {
            let (mut system, start) = beads(count, restitution, tied);
            run(&mut system, &start, &settings)
        });
        let mut closed = 0.0f64;
        // the floor is 2 mm below, which takes 6.07 ms; all fall alike, so that two beads approach only when
        // the lower one has been stopped in the step before: one more contact closes in each step
        let reached = 7;
        for i in 1..apart.times.len() {
            let now = apart.contacts.summary.row(i)[0];
            let most = (i + 1).saturating_sub(reached).min(count) as f64;
            assert!(now <= most, "step {i}: {now} of {most} contacts");
            assert!(restitution > 0.0 || now == most, "step {i}: {now} of {most} contacts");
            closed = closed.max(now);
            for (a, b) in apart.v.row(i).iter().zip(general.v.row(i)) {
                assert!((a - b).abs() < 1e-8, "e = {restitution}, step {i}: {a} {b}");
            }
            let (before, after) = (apart.v.row(i - 1), apart.v.row(i));
            for (k, &impulse) in apart.contacts.impulse.row(i).iter().enumerate() {
                let rate = |v: &[f64]| if k == 0 { v[0] } else { v[k] - v[k - 1] };
                let law = rate(after) + restitution * rate(before);
                assert!(impulse >= 0.0);
                assert!(impulse == 0.0 || law.abs() < 1e-12, "step {i}, contact {k}: {law}");
            }
        }
        assert_eq!(closed, count as f64, "all contacts close in the end");
        // one solution and its proof in a step
        let steps = apart.statistics.steps;
        assert!(apart.statistics.iterations <= 2 * steps, "{}", apart.statistics.iterations);
    }
}

/// Both ways solve the same equations.
#[test]
fn single_bodies_and_the_general_way_agree() {
    for restitution in [0.0, 0.3] {
        let settings = moreau_jean(2e-3, 0.15, 1e-13);
        let [apart, general] = [false, true].map(|tied| {
            let (mut system, start) = columns(6, restitution, tied);
            run(&mut system, &start, &settings)
        });
        let rows = apart.times.len();
        assert_eq!(rows, general.times.len());
        let mut closed = 0.0f64;
        for i in 0..rows {
            closed = closed.max(apart.contacts.summary.row(i)[0]);
            for (table, other) in [(&apart.q, &general.q), (&apart.v, &general.v)] {
                for (a, b) in table.row(i).iter().zip(other.row(i)) {
                    assert!((a - b).abs() < 1e-10, "e = {restitution}, step {i}: {a} {b}");
                }
            }
            let impulses = (apart.contacts.impulse.row(i), general.contacts.impulse.row(i));
            for (a, b) in impulses.0.iter().zip(impulses.1) {
                assert!((a - b).abs() < 1e-10, "e = {restitution}, step {i}: {a} {b}");
            }
        }
        // at once they are closed only if none bounces
        assert!(restitution > 0.0 || closed == 48.0, "only {closed} of 48 contacts close");
        let ever = |k: &usize| (0..rows).any(|i| apart.contacts.impulse.row(i)[3 * k] > 0.0);
        assert_eq!((0..48).filter(ever).count(), 48, "each contact closes some time");
    }
}

/// After every step each contact is open, sticks, or slips against its friction; energy only falls.
#[test]
fn every_step_meets_the_laws() {
    let restitution = 0.3;
    let (mut system, start) = columns(12, restitution, false);
    let result = run(&mut system, &start, &moreau_jean(2e-3, 0.2, 1e-10));
    let energy = |i: usize| -> f64 {
        let (q, v) = (result.q.row(i), result.v.row(i));
        let one = |&(_, j, m): &(usize, usize, f64)| {
            0.5 * m * v[j] * v[j] + if j % 3 == 2 { m * GRAVITY * q[j] } else { 0.0 }
        };
        system.mass.iter().map(one).sum()
    };
    let (mut slips, mut sticks) = (0, 0);
    for i in 1..result.times.len() {
        assert!(energy(i) <= energy(i - 1) * (1.0 + 1e-12), "energy grows in step {i}");
        let (before, after) = (result.v.row(i - 1), result.v.row(i));
        let impulses = result.contacts.impulse.row(i);
        let rate = |row: usize, v: &[f64]| -> f64 {
            system.rows[row].iter().map(|&(j, g)| g * v[j]).sum()
        };
        for contact in 0..system.contacts.len() {
            let row = 3 * contact;
            let [n, x, y] = [0, 1, 2].map(|k| impulses[row + k]);
            if n == 0.0 {
                assert_eq!([x, y], [0.0; 2]);
                continue;
            }
            let law = rate(row, after) + restitution * rate(row, before);
            assert!(n > 0.0 && law.abs() < 1e-8, "step {i}, contact {contact}: {n} {law}");
            let slip = [rate(row + 1, after), rate(row + 2, after)];
            let speed = slip[0].hypot(slip[1]);
            assert!(x.hypot(y) <= FRICTION * n * (1.0 + 1e-9));
            if speed > 1e-6 {
                slips += 1;
                for (slip, force) in slip.iter().zip([x, y]) {
                    assert!((force + FRICTION * n * slip / speed).abs() < 1e-6 * n);
                }
            } else {
                sticks += 1;
            }
        }
    }
    assert!(slips > 100 && sticks > 100, "{slips} slip, {sticks} stick");
}
