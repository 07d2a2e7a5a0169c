//! Chains of hinged links in space: sparse all the way, beside dense matrices and the heavy rope.

use nalgebra::Vector3;
use rotula_dae::analysis::{
    ModeKind, Relaxation, Stability, Weighting, assemble_position, check, lowest_modes, modes,
    statics,
};
use rotula_dae::{Level, System};
use rotula_mechanics::joint::Revolute;
use rotula_mechanics::{Body, GROUND, MassProperties, Model};
use std::f64::consts::PI;
use std::time::Instant;

/// Links of length 0.1 and mass 1 that hang from the ground, each shifted by a little.
fn chain(count: usize, gap: f64) -> Model {
    let mut model = Model::new();
    model.gravity = Vector3::new(0.0, 0.0, -9.81);
    let properties = MassProperties::principal(1.0, Vector3::new(1e-3, 1e-3, 1e-3));
    let mut before = GROUND;
    for k in 0..count {
        let place = Vector3::new(0.0, 0.0, -0.1 * (k as f64 + 0.5));
        let shift = Vector3::new(gap * (1.3 * k as f64).sin(), 0.0, gap * (2.9 * k as f64).cos());
        let link = Body::rigid(properties).at(place + shift);
        let link = model.body(&format!("link {k}"), link).unwrap();
        let hinge = model.frame(Vector3::new(0.0, 0.0, -0.1 * k as f64), Vector3::y());
        // the hinge is where the link would be without its shift
        let mut there = model.marker_at(link, hinge);
        there.frame.position += shift;
        let here = model.marker_at(before, hinge);
        model.joint(&format!("hinge {k}"), &Revolute, here, there).unwrap();
        before = link;
    }
    model
}

#[test]
fn a_chain_in_space_swings_as_dense_matrices_say() {
    let mut system = chain(60, 0.0).assemble().unwrap();
    let start = system.start();
    let rest = statics(&mut system, &start, Relaxation::Never).unwrap();
    assert_eq!(rest.stability, Stability::Stable);
    let all = modes(&mut system, &rest.state).unwrap();
    let few = lowest_modes(&mut system, &rest.state, 8).unwrap();
    for (found, expected) in few.modes.iter().zip(&all.modes) {
        assert_eq!(found.kind, ModeKind::Oscillation);
        assert!((found.frequency / expected.frequency - 1.0).abs() < 1e-8, "{few}");
    }
}

/// A heavy rope swings with the zeros of Bessel's function J₀; long chains are that, and cost in proportion.
#[test]
fn long_chains_are_ropes_and_cost_in_proportion() {
    let zeros = [2.404_825_557_695_773, 5.520_078_110_286_311, 8.653_727_912_911_013];
    let mut seconds = Vec::new();
    for count in [150, 600] {
        let clock = Instant::now();
        let mut system = chain(count, 0.0).assemble().unwrap();
        let start = system.start();
        let report = check(&mut system, &start).unwrap();
        assert_eq!((report.freedoms, report.redundant.len()), (count, 0), "{report}");
        let rest = statics(&mut system, &start, Relaxation::Never).unwrap();
        assert_eq!(rest.stability, Stability::Stable);
        let found = lowest_modes(&mut system, &rest.state, 5).unwrap();
        seconds.push(clock.elapsed().as_secs_f64());
        let length = 0.1 * count as f64;
        for (mode, zero) in found.modes.iter().zip(zeros) {
            let rope = 0.5 * zero * (9.81 / length).sqrt() / (2.0 * PI);
            assert!((mode.frequency / rope - 1.0).abs() < 2e-3, "{} {rope}", mode.frequency);
        }
    }
    println!("{seconds:?} s");
    // dense matrices would take sixty times as long, not four; a busy machine is let off with twenty
    assert!(seconds[1] < 20.0 * seconds[0].max(0.05), "{seconds:?}");
}

#[test]
fn small_gaps_of_a_long_chain_are_closed() {
    for weighting in [Weighting::Unit, Weighting::Mass] {
        let gap = 1e-8;
        let mut system = chain(100, gap).assemble().unwrap();
        let mut state = system.start();
        let report = assemble_position(&mut system, &mut state, weighting).unwrap();
        let open = report.constraints.iter().map(|c| c.before.abs()).fold(0.0, f64::max);
        assert!(open > 0.5 * gap, "{report}");
        let mut residual = vec![0.0; system.sizes().holonomic];
        system.constraint(Level::Position, &state.point(), &mut residual);
        assert!(residual.iter().all(|r| r.abs() < 1e-13), "{report}");
        let moved = report.moved.iter().map(|m| m.change.abs()).fold(0.0, f64::max);
        assert!(moved < 1e3 * gap, "{moved:e}");
    }
}
