//! Forces that are more than linear, against closed forms.

use rotula_dae::{Coefficients, Formulation, Settings, StepControl, simulate};
use rotula_mechanics::import::adams::read;

#[test]
fn buffers_and_loads_of_a_deck() {
    let deck = read(include_str!("../data/adams/Buffer.adm"), "Buffer.adm").unwrap();
    let mut system = deck.model.assemble().unwrap();
    let coefficients = Coefficients::generalized_alpha(1.0).unwrap();
    let formulation = Formulation::Index3 { scaling: true, augmented: false };
    let mut settings = Settings::new(formulation, coefficients, StepControl::Fixed { h: 5e-5 });
    settings.until = 0.25;
    let start = system.start();
    let outcome = simulate(&mut system, &start, &settings, &mut ()).unwrap();
    assert!(outcome.failure.is_none(), "{}", outcome.failure.unwrap());

    // m g (0.2 + d) = 2/5 k d^2.5 at the deepest point
    let (weight, k) = (2.0 * 9.80665, 50.0 * 1e3f64.powf(1.5));
    let (mut low, mut high) = (0.0, 0.1);
    for _ in 0..100 {
        let d: f64 = 0.5 * (low + high);
        if weight * (0.2 + d) > 0.4 * k * d.powf(2.5) { low = d } else { high = d }
    }
    let path = &outcome.trajectory;
    let height = |part: usize, i: usize| {
        system.node_frame(deck.parts[&part].node(), path.q.row(i)).position.z
    };
    let deepest = (0..path.len()).map(|i| 0.1 - height(2, i)).fold(0.0, f64::max);
    assert!((deepest / low - 1.0).abs() < 1e-4, "{deepest} {low}");

    // 6 N/(kg s) from 0.05 s on: the third power of time
    let risen = height(3, path.len() - 1) - 0.3;
    assert!((risen - 0.2f64.powi(3)).abs() < 1e-7, "{risen}");
}
