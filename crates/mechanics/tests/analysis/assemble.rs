//! Assembly from rough guesses.

use crate::models::four_bar;
use nalgebra::Vector3;
use rotula_dae::Failure;
use rotula_dae::analysis::{Weighting, assemble_position};

#[test]
fn an_open_loop_is_closed_from_afar() {
    // every bar is misplaced by about half its length and turned
    let places = [([0.4, 0.2], 1.0), ([1.2, 0.6], 0.9), ([1.0, 0.9], 2.6)];
    let lengths = [1.0, 1.6, 1.2];
    for weighting in [Weighting::Unit, Weighting::Mass] {
        let mut system = four_bar(places, lengths, 1.5).assemble().unwrap();
        let mut state = system.start();
        let report = assemble_position(&mut system, &mut state, weighting).unwrap();
        assert!(report.constraints.iter().any(|c| c.before.abs() > 0.3));
        assert!(report.constraints.iter().all(|c| c.after.abs() < 1e-10), "{report}");
        // the bars form a closed polygon: independent of the measures of the joints
        let corner = |system: &rotula_mechanics::Assembly, node: usize, x: f64| {
            system.node_frame(node, &state.q).transform_point(&Vector3::new(x, 0.0, 0.0))
        };
        let knee = corner(&system, 1, 0.5) - corner(&system, 2, -0.8);
        assert!(knee.norm() < 1e-9);
        assert!((corner(&system, 3, -0.6) - Vector3::new(1.5, 0.0, 0.0)).norm() < 1e-9);
    }
}

#[test]
fn a_loop_that_cannot_close_names_its_joints() {
    let places = [([0.4, 0.2], 1.0), ([1.2, 0.6], 0.9), ([1.0, 0.9], 2.6)];
    let mut system = four_bar(places, [1.0, 1.0, 1.0], 5.0).assemble().unwrap();
    let mut state = system.start();
    let refusal = assemble_position(&mut system, &mut state, Weighting::Unit).unwrap_err();
    assert_eq!(refusal.failure, Failure::InconsistentStart);
    let text = refusal.to_string();
    assert!(["A: ", "B: ", "C: ", "D: "].iter().all(|name| text.contains(name)), "{text}");
}
