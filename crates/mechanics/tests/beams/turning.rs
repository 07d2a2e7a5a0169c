//! Vibrations about steady turns of models with points, and of models so large that sparse matrices are
//! taken, beside the dense ones and closed forms.

use crate::support::hub;
use nalgebra::Vector3;
use rotula_dae::analysis::{ModeKind, Modes, SteadyTurn, lowest_modes, modes, steady_turn};
use rotula_dae::{RigidMotion, State, System};
use rotula_mechanics::element::{BeamLine, Section, Strand, StrandLine};
use rotula_mechanics::joint::{PointOnLine, Spherical};
use rotula_mechanics::{Assembly, Body, GROUND, MassProperties, Model};
use std::f64::consts::TAU;
use std::time::Instant;

/// A string of length and mass one that a hub swings around.
fn string(elements: usize, speed: f64, stiffness: f64) -> Model {
    let mut model = Model::new();
    let hub = hub(&mut model, speed);
    let strand = Strand { stiffness, mass: 1.0, damping: 0.0, slack: true };
    let mut line = StrandLine::straight(Vector3::zeros(), Vector3::x(), elements, strand);
    // taut at the start, so that it has a shape to begin with
    line.length *= 1.0 - speed * speed / (3.0 * stiffness);
    model.strand("string", &line.held_by(Some(hub), None)).unwrap();
    model
}

/// A slender blade, stiff in the plane in which it turns.
fn blade(elements: usize, speed: f64) -> Model {
    let mut model = Model::new();
    let hub = hub(&mut model, speed);
    let inertia = Vector3::new(8e-6, 4e-6, 4e-6);
    let section = Section::diagonal([4e5, 4e5, 4e5, 1e3, 1.0, 50.0], 1.0, inertia);
    let line = BeamLine::straight(Vector3::zeros(), Vector3::x(), Vector3::z(), elements + 1);
    let line = line.unwrap().with_section(section).held_by(Some(hub), None);
    model.beam("blade", &line).unwrap();
    model
}

/// A shaft that turns freely in two bearings with a heavy disc off its middle, and dampers in its material.
fn shaft(elements: usize, speed: f64) -> Model {
    let mut model = Model::new();
    let spin = Vector3::x() * speed;
    let section = Section::diagonal(
        [1e6, 1e6, 1e6, 100.0, 100.0, 100.0],
        0.5,
        Vector3::new(2e-4, 1e-4, 1e-4),
    );
    let disc = MassProperties::principal(5.0, Vector3::new(0.2, 0.1, 0.1));
    let middle = Vector3::x() * 0.4;
    let disc = Body::rigid(disc).at(middle).moving(Vector3::zeros(), spin);
    let disc = model.body("disc", disc).unwrap();
    let ends = [Vector3::zeros(), Vector3::x()];
    for (k, end) in ends.into_iter().enumerate() {
        let (from, to) = if k == 0 { (end, middle) } else { (middle, end) };
        let mut line = BeamLine::straight(from, to, Vector3::z(), elements + 1).unwrap();
        line = line.with_section(section.clone());
        line.moving = [Vector3::zeros(), spin];
        let held = if k == 0 { [None, Some(disc)] } else { [Some(disc), None] };
        let laid = model.beam(&format!("half {k}"), &line.held_by(held[0], held[1])).unwrap();
        let last = if k == 0 { laid.nodes[0].node } else { laid.nodes[elements].node };
        let last = model.body_id(last);
        let there = model.frame(end, Vector3::x());
        let (a, b) = (model.marker_at(GROUND, there), model.marker_at(last, there));
        match k {
            0 => model.joint("left", &Spherical, a, b).unwrap(),
            _ => model.joint("right", &PointOnLine, a, b).unwrap(),
        };
    }
    model
}

fn turning(model: &Model) -> (Assembly, SteadyTurn) {
    let mut system = model.assemble().unwrap();
    let start = system.start();
    let turn = steady_turn(&mut system, &start).unwrap();
    (system, turn)
}

/// The vibration nearest to a rate, relative to it.
fn nearest(found: &Modes, rate: f64) -> f64 {
    let rates = found.modes.iter().map(|mode| mode.frequency * TAU);
    rates.min_by(|a, b| (a - rate).abs().total_cmp(&(b - rate).abs())).unwrap()
}

/// Compares the lowest modes with those among all; gives the seconds that each took.
fn agree(system: &mut Assembly, state: &State, count: usize) -> [f64; 2] {
    let clock = Instant::now();
    let all = modes(system, state).unwrap();
    let dense = clock.elapsed().as_secs_f64();
    let clock = Instant::now();
    let few = lowest_modes(system, state, count).unwrap();
    let sparse = clock.elapsed().as_secs_f64();
    assert!(all.doubts.is_empty() && few.doubts.is_empty(), "{:?} {:?}", all.doubts, few.doubts);
    let rigid = |m: &Modes| m.modes.iter().filter(|m| m.kind == ModeKind::RigidBody).count();
    assert_eq!((rigid(&few), few.modes.len()), (rigid(&all), rigid(&all) + count), "{few}");
    assert_eq!(few.damped, all.damped);
    for (found, expected) in few.modes.iter().zip(&all.modes) {
        let size = expected.eigenvalue[0].hypot(expected.eigenvalue[1]);
        for k in 0..2 {
            let error = (found.eigenvalue[k] - expected.eigenvalue[k]).abs();
            assert!(error <= 1e-6 * size, "{:?} {:?}", found.eigenvalue, expected.eigenvalue);
        }
    }
    [dense, sparse]
}

/// Out of its plane a string that is swung around vibrates with ω² = n(2n − 1)Ω²: Legendre's polynomials.
/// In its plane ω² is Ω² less.
#[test]
fn a_string_that_is_swung_around_has_legendres_frequencies() {
    let speed = 3.0;
    let mut errors = Vec::new();
    for elements in [10, 20, 40, 100] {
        let (mut system, turn) = turning(&string(elements, speed, 1e6));
        let found = lowest_modes(&mut system, &turn.state, 8).unwrap();
        assert!(found.doubts.is_empty(), "{found}");
        assert!(found.modes.iter().all(|mode| !mode.unstable), "{found}");
        let mut worst = 0.0_f64;
        for n in 1..=3 {
            let square = f64::from(n * (2 * n - 1));
            let out_of_plane = square.sqrt() * speed;
            let in_plane = (square - 1.0).sqrt() * speed;
            for rate in [out_of_plane, in_plane] {
                // as the whole string swings like a pendulum, nothing but the hub's axis holds it
                if rate > 0.0 {
                    worst = worst.max((nearest(&found, rate) / rate - 1.0).abs());
                }
            }
        }
        println!("{elements} elements: {worst:.2e}");
        errors.push(worst);
    }
    assert!(errors[3] < 1e-3, "{errors:?}");
    let order = (errors[0] / errors[2]).log2() / 2.0;
    assert!((order - 2.0).abs() < 0.2, "order {order}");
}

#[test]
fn sparse_modes_about_a_turn_are_the_dense_ones() {
    for (what, model, count) in [
        ("blade", blade(50, 12.0), 10),
        ("string", string(100, 3.0, 1e5), 10),
        ("shaft", shaft(22, 20.0), 8),
        ("fast shaft", shaft(22, 60.0), 8),
    ] {
        let (mut system, turn) = turning(&model);
        let [dense, sparse] = agree(&mut system, &turn.state, count);
        println!("{what}: dense {dense:.2} s, sparse {sparse:.2} s");
    }
}

/// Beyond what dense matrices allow: Hodges and Rutkowski (1981), Wright et al. (1982).
#[test]
fn a_blade_of_many_elements_turns_quickly() {
    let clock = Instant::now();
    let (mut system, turn) = turning(&blade(128, 12.0));
    let found = lowest_modes(&mut system, &turn.state, 6).unwrap();
    println!("{:.2} s\n{found}", clock.elapsed().as_secs_f64());
    assert!(found.doubts.is_empty(), "{found}");
    assert_eq!(found.modes.len(), 6);
    for rate in [13.1702, 37.6031, 79.6145] {
        // two-node elements, shear and rotatory inertia
        let nearest = nearest(&found, rate);
        assert!((nearest / rate - 1.0).abs() < 2e-3, "{nearest} is not {rate}");
    }
    assert!(clock.elapsed().as_secs_f64() < 60.0);
}

/// A weight in the plane of the turn turns as seen by what it pulls: nothing is steady then.
#[test]
fn a_string_that_is_pulled_to_one_side_turns_not_steadily() {
    let mut model = string(10, 3.0, 1e5);
    model.gravity = Vector3::new(1.0, 0.0, 0.0);
    let mut system = model.assemble().unwrap();
    let start = system.start();
    let refused = steady_turn(&mut system, &start).unwrap_err().to_string();
    assert!(refused.contains("no steady motion") && refused.contains("`string."), "{refused}");
}

/// Derivatives of the velocities of a twist against differences: frames, points and planar bodies.
#[test]
fn velocities_of_a_twist_change_as_differences_say() {
    for model in [string(3, 2.0, 1e4), blade(2, 2.0)] {
        let system = model.assemble().unwrap();
        let mut state = system.start();
        let n = system.sizes().motion;
        let kick: Vec<f64> = (0..n).map(|i| 0.3 * (1.7 * i as f64).sin()).collect();
        let mut q = state.q.clone();
        system.retract(&q, &kick, &mut state.q);
        q.copy_from_slice(&state.q);
        let twist = [0.4, -0.7, 0.2, 0.9, 0.3, -1.1];
        let mut velocities = vec![vec![0.0; n]; n];
        let mut axes = vec![vec![0.0; n]; n];
        system.swept_tangent(&q, &twist, &mut |i, j, [velocity, axis]| {
            velocities[i][j] = velocity;
            axes[i][j] = axis;
        });
        let at = |q: &[f64]| {
            let (mut v, mut vdot) = (vec![0.0; n], vec![0.0; n]);
            system.swept(q, &twist, &mut v, &mut vdot);
            [v, vdot]
        };
        // v̇ = −B v
        let [v, vdot] = at(&q);
        for i in 0..n {
            let rate: f64 = (0..n).map(|j| -axes[i][j] * v[j]).sum();
            assert!((rate - vdot[i]).abs() < 1e-12);
        }
        for j in 0..n {
            let moved = |by: f64| {
                let mut step = vec![0.0; n];
                step[j] = by;
                let mut moved = q.clone();
                system.retract(&q, &step, &mut moved);
                at(&moved)
            };
            let (plus, minus) = (moved(1e-5), moved(-1e-5));
            for i in 0..n {
                let difference = (plus[0][i] - minus[0][i]) / 2e-5;
                assert!((difference - velocities[i][j]).abs() < 1e-9, "{i} {j}");
                let difference = (plus[1][i] - minus[1][i]) / 2e-5;
                let exact: f64 = (0..n).map(|k| -axes[i][k] * velocities[k][j]).sum();
                assert!((difference - exact).abs() < 1e-9, "{i} {j}");
            }
        }
        // what is carried for a while has moved as its velocities say
        let mut later = [q.clone(), q.clone()];
        system.swept_on(&q, &twist, 1e-4, &mut later[0]);
        system.swept_on(&q, &twist, -1e-4, &mut later[1]);
        let mut way = vec![0.0; n];
        system.local(&later[1], &later[0], &mut way);
        for i in 0..n {
            assert!((way[i] / 2e-4 - v[i]).abs() < 1e-6, "{} {}", way[i] / 2e-4, v[i]);
        }
    }
}
