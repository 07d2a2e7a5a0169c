//! Vibrations about steady turns.

use crate::support::hub;
use nalgebra::{DMatrix, SymmetricEigen, Vector3};
use rotula_dae::analysis::{ModeKind, modes, steady_turn};
use rotula_mechanics::element::{BeamLine, Section};
use rotula_mechanics::joint::Spherical;
use rotula_mechanics::{Body, GROUND, MassProperties, Model};
use std::f64::consts::TAU;

/// Flapping rates of a uniform cantilever that turns about its root, for bending stiffness, mass and
/// length one: Ritz' method with `x² P_k(2x − 1)`.
fn ritz(speed: f64) -> Vec<f64> {
    const TERMS: usize = 14;
    const POINTS: usize = 4000;
    let mut stiffness = DMatrix::<f64>::zeros(TERMS, TERMS);
    let mut mass = stiffness.clone();
    for point in 0..POINTS {
        let x = (point as f64 + 0.5) / POINTS as f64;
        let y = 2.0 * x - 1.0;
        // P, P′ and P″ by their recursions
        let (mut p, mut d, mut s) = (vec![1.0, y], vec![0.0, 1.0], vec![0.0, 0.0]);
        for k in 1..TERMS {
            let (a, b, c) = ((2 * k + 1) as f64, k as f64, (k + 1) as f64);
            p.push((a * y * p[k] - b * p[k - 1]) / c);
            d.push((a * (p[k] + y * d[k]) - b * d[k - 1]) / c);
            s.push((a * (2.0 * d[k] + y * s[k]) - b * s[k - 1]) / c);
        }
        let w = |k: usize| x * x * p[k];
        let slope = |k: usize| 2.0 * x * p[k] + 2.0 * x * x * d[k];
        let bend = |k: usize| 2.0 * p[k] + 8.0 * x * d[k] + 4.0 * x * x * s[k];
        let tension = 0.5 * speed * speed * (1.0 - x * x);
        for i in 0..TERMS {
            for j in 0..TERMS {
                let h = 1.0 / POINTS as f64;
                stiffness[(i, j)] += h * (bend(i) * bend(j) + tension * slope(i) * slope(j));
                mass[(i, j)] += h * w(i) * w(j);
            }
        }
    }
    let lower = mass.cholesky().unwrap().l();
    let inverse = lower.try_inverse().unwrap();
    let reduced = &inverse * stiffness * inverse.transpose();
    let eigen = SymmetricEigen::new((&reduced + reduced.transpose()) * 0.5);
    let mut rates: Vec<f64> = eigen.eigenvalues.iter().map(|x| x.abs().sqrt()).collect();
    rates.sort_by(f64::total_cmp);
    rates
}

/// Hodges and Rutkowski (1981), Wright et al. (1982): a uniform blade at speeds 0 and 12.
#[test]
fn a_turning_blade_has_the_published_frequencies() {
    let published = [(0.0, [3.5160, 22.0345, 61.6972]), (12.0, [13.1702, 37.6031, 79.6145])];
    for (speed, rates) in published {
        let exact = ritz(speed);
        for (a, b) in exact.iter().zip(rates) {
            // the quadrature of the middle points is the error here
            assert!((a / b - 1.0).abs() < 2e-5, "Ritz {a}, published {b}");
        }
        // slender: hardly stretched, sheared or slow to turn its sections; stiff in its plane of rotation
        let inertia = Vector3::new(8e-6, 4e-6, 4e-6);
        let section = Section::diagonal([4e5, 4e5, 4e5, 1e3, 1.0, 50.0], 1.0, inertia);
        let mut model = Model::new();
        let hub = hub(&mut model, speed);
        let line = BeamLine::straight(Vector3::zeros(), Vector3::x(), Vector3::z(), 19).unwrap();
        let line = line.with_section(section).with_nodes_per_element(4);
        let line = line.held_by(Some(hub), None);
        let tip = model.beam("blade", &line).unwrap().nodes[18].node;
        let mut system = model.assemble().unwrap();
        let start = system.start();
        let turn = steady_turn(&mut system, &start).unwrap();
        println!("{turn}");
        assert!((turn.speed - speed).abs() < 1e-12);
        let found = modes(&mut system, &turn.state).unwrap();
        assert!(found.doubts.is_empty(), "{:?}", found.doubts);
        assert!(found.modes.iter().all(|mode| mode.damping.abs() < 1e-6), "{found}");
        for rate in rates {
            let nearest = found
                .modes
                .iter()
                .filter(|mode| mode.kind == ModeKind::Oscillation)
                .map(|mode| mode.frequency * TAU)
                .min_by(|a, b| (a - rate).abs().total_cmp(&(b - rate).abs()))
                .unwrap();
            println!("speed {speed}: {nearest:.4}, published {rate}");
            // shear and rotatory inertia, which the published blade has not
            assert!((nearest / rate - 1.0).abs() < 5e-4, "{nearest} is not {rate}");
        }
        // stretched by its own mass: Ω² m L³/(3 EA)
        let stretch = system.node_frame(tip, &turn.state.q).position.x - 1.0;
        assert!((stretch - speed * speed / 1.2e6).abs() < 1e-9 + 1e-3 * stretch, "{stretch}");
    }
}

/// A disc in the middle of a shaft whirls at the rate of its bending, forwards and backwards: seen by who
/// turns with it, at the difference and the sum of that rate and the speed.
#[test]
fn a_rotating_shaft_whirls_forwards_and_backwards() {
    let (length, bending, shear, mass) = (1.0_f64, 100.0, 1e6, 5.0);
    let give = length.powi(3) / (48.0 * bending) + length / (4.0 * shear);
    let rate = (1.0 / (give * mass)).sqrt();
    for part in [0.3, 0.6] {
        let speed = part * rate;
        let spin = Vector3::x() * speed;
        let section = Section::diagonal(
            [1e6, shear, shear, 100.0, bending, bending],
            1e-3,
            Vector3::new(2e-4, 1e-4, 1e-4),
        );
        let mut model = Model::new();
        let disc = MassProperties::principal(mass, Vector3::new(0.02, 0.01, 0.01));
        let middle = Vector3::x() * (0.5 * length);
        let disc = Body::rigid(disc).at(middle).moving(Vector3::zeros(), spin);
        let disc = model.body("disc", disc).unwrap();
        let mut halves = Vec::new();
        let ends = [Vector3::zeros(), Vector3::x() * length];
        for (k, end) in ends.into_iter().enumerate() {
            let (from, to) = if k == 0 { (end, middle) } else { (middle, end) };
            let mut line = BeamLine::straight(from, to, Vector3::z(), 7).unwrap();
            line = line.with_section(section.clone()).with_nodes_per_element(4);
            line.moving = [Vector3::zeros(), spin];
            let held = if k == 0 { [None, Some(disc)] } else { [Some(disc), None] };
            halves.push(model.beam(&format!("half {k}"), &line.held_by(held[0], held[1])).unwrap());
        }
        let first = model.body_id(halves[0].nodes[0].node);
        let last = model.body_id(halves[1].nodes[6].node);
        let axle = model.frame(Vector3::zeros(), Vector3::x());
        let (a, b) = (model.marker_at(GROUND, axle), model.marker_at(first, axle));
        model.joint("left", &Spherical, a, b).unwrap();
        let there = model.frame(ends[1], Vector3::x());
        let (a, b) = (model.marker_at(GROUND, there), model.marker_at(last, there));
        model.joint("right", &rotula_mechanics::joint::PointOnLine, a, b).unwrap();
        let mut system = model.assemble().unwrap();
        let start = system.start();
        let turn = steady_turn(&mut system, &start).unwrap();
        assert!((turn.speed / speed - 1.0).abs() < 1e-9);
        let found = modes(&mut system, &turn.state).unwrap();
        assert!(found.doubts.is_empty(), "{:?}", found.doubts);
        for expected in [rate - speed, rate + speed] {
            let nearest = found
                .modes
                .iter()
                .map(|mode| mode.frequency * TAU)
                .min_by(|a, b| (a - expected).abs().total_cmp(&(b - expected).abs()))
                .unwrap();
            println!("{part}: {nearest:.5}, {expected:.5}");
            // the shaft has a little mass of its own
            assert!((nearest / expected - 1.0).abs() < 1e-3, "{nearest} is not {expected}");
        }
    }
}
