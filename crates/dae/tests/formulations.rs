//! Every formulation on the pendulum of document 001: errors of the method sheets and second order.

mod problems;
use problems::*;
use rotula_dae::*;

/// HHT formulations have other coefficients, `bdf` other steps, and `explicit` is of order 8.
fn works_with_fixed_generalized_alpha(formulation: Formulation) -> bool {
    !matches!(
        formulation,
        Formulation::HhtSoi2
            | Formulation::HhtI3 { .. }
            | Formulation::Bdf { .. }
            | Formulation::Explicit
    )
}

fn errors(settings: &Settings) -> [f64; 3] {
    let (mut system, state) = pendulum16();
    let outcome = simulate(&mut system, &state, settings, &mut ()).unwrap();
    assert!(outcome.failure.is_none(), "{}", outcome.failure.unwrap());
    let end = &outcome.state;
    [
        distance(&end.q, &PENDULUM16_Q),
        distance(&end.v, &PENDULUM16_V),
        distance(&end.multipliers, &PENDULUM16_LAMBDA),
    ]
}

#[test]
fn every_formulation_is_of_second_order() {
    for (name, formulation) in formulations() {
        if !works_with_fixed_generalized_alpha(formulation) {
            continue;
        }
        let coarse = errors(&study(formulation, 0.6, 0.005, 2.0));
        let fine = errors(&study(formulation, 0.6, 0.0025, 2.0));
        println!("{name}: {coarse:?} {fine:?}");
        for (c, f) in coarse.iter().zip(&fine) {
            let order = (c / f).log2();
            assert!((1.85..2.25).contains(&order), "{name}: order {order}, {coarse:?} {fine:?}");
        }
    }
}

#[test]
fn index3_meets_the_table_of_the_dymore_note() {
    // sheet 000 E4, rho = 0.6, h = .01/.005/.0025.
    let table = [
        (0.01, [1.50684e-3, 1.09781e-3, 0.801010]),
        (0.005, [3.75983e-4, 2.12007e-4, 0.198780]),
        (0.0025, [9.39586e-5, 4.81049e-5, 0.0495882]),
    ];
    for (h, expected) in table {
        let mut settings =
            study(Formulation::Index3 { scaling: true, augmented: false }, 0.6, h, 2.0);
        settings.start_acceleration = StartAcceleration::Initial;
        let found = errors(&settings);
        for (value, reference) in found.iter().zip(expected) {
            assert!((value / reference - 1.0).abs() < 1e-4, "{found:?} {expected:?}");
        }
    }
}

#[test]
fn soi2_meets_the_table_of_document_001_with_alternating_steps() {
    // sheet 001 P16: rho = 0.2, steps h/3, 2h/3 with (14a).
    let table = [
        (0.02, [4.05126e-3, 7.76443e-3, 2.23551]),
        (0.01, [1.02394e-3, 1.20731e-3, 0.552238]),
        (0.005, [2.56756e-4, 2.33140e-4, 0.137288]),
    ];
    for (h, expected) in table {
        let mut settings = study(Formulation::Soi2 { mass: MassHistory::Stored }, 0.2, h, 2.0);
        settings.control = StepControl::Repeated { h, fractions: vec![1.0 / 3.0, 2.0 / 3.0] };
        let found = errors(&settings);
        for (value, reference) in found.iter().zip(expected) {
            assert!((value / reference - 1.0).abs() < 1e-4, "{found:?} {expected:?}");
        }
    }
}

#[test]
fn hht_soi2_meets_the_table_of_document_001() {
    for (h, expected) in [(0.01, [1.67608e-3, 0.900104]), (0.005, [4.19043e-4, 0.223255])] {
        let mut settings = study(Formulation::HhtSoi2, 0.2, h, 2.0);
        settings.coefficients = Coefficients::hht(-0.3).unwrap();
        let found = errors(&settings);
        assert!((found[0] / expected[0] - 1.0).abs() < 1e-4, "{found:?}");
        assert!((found[2] / expected[1] - 1.0).abs() < 1e-4, "{found:?}");
    }
}

#[test]
fn error_control_makes_errors_fall_with_the_tolerance() {
    for (name, formulation) in formulations() {
        // A variable order may be lucky at one tolerance: errors are compared over two decades.
        let mut earlier = [f64::INFINITY; 2];
        for tolerance in [1e-3, 1e-4, 1e-5, 1e-6, 1e-7] {
            let coefficients = Coefficients::hht(-0.3).unwrap();
            // the tolerance shall decide: steps of order 8 are longer than others
            let max = if formulation == Formulation::Explicit { 1.0 } else { 0.1 };
            let control = ToleranceControl { tolerance, first: None, min: 1e-10, max };
            let mut settings =
                Settings::new(formulation, coefficients, StepControl::Tolerance(control));
            settings.until = 2.0;
            let (mut system, state) = pendulum16();
            let outcome = simulate(&mut system, &state, &settings, &mut ()).unwrap();
            assert!(outcome.failure.is_none(), "{name} {tolerance}: {}", outcome.failure.unwrap());
            let error = distance(&outcome.state.q, &PENDULUM16_Q);
            let s = outcome.trajectory.statistics;
            println!(
                "{name} {tolerance:e}: error {error:.2e} steps {} rejected {}+{} its {} mats {}",
                s.steps,
                s.rejected_by_error,
                s.rejected_by_iteration,
                s.iterations,
                s.factorisations
            );
            assert!(error < 0.3 * earlier[0], "{name} {tolerance}: {error} {earlier:?}");
            earlier = [earlier[1], error];
        }
    }
}
