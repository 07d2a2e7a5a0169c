//! The marching loop: nothing unconverged is accepted, jumps are met, outputs are where they should be.

mod problems;
use problems::*;
use rotula_dae::automatic::{Arguments, Automatic, Equations, MassMatrix, Scalar};
use rotula_dae::*;

/// A pendulum with a rapidly varying force that its tangent hides: corrections are chaotic, down to
/// steps of a tenth of a microsecond.
struct Treacherous(Automatic<Pendulum16>);

impl System for Treacherous {
    fn sizes(&self) -> Sizes {
        self.0.sizes()
    }

    fn dynamics(&mut self, at: &Point, terms: Terms, out: &mut [f64]) {
        self.0.dynamics(at, terms, out);
        if terms.forces {
            out[2] += 1e9 * (1e6 * (at.q[2] - 1.5 * std::f64::consts::PI)).sin();
        }
    }

    fn tangent(&mut self, at: &Point, weights: Weights, terms: Terms, values: &mut [f64]) {
        self.0.tangent(at, weights, terms, values);
    }

    fn constraint(&mut self, level: Level, at: &Point, out: &mut [f64]) {
        self.0.constraint(level, at, out);
    }

    fn constraint_gradient(&mut self, at: &Point, values: &mut [f64]) {
        self.0.constraint_gradient(at, values);
    }

    fn constraint_tangent(&mut self, level: Level, at: &Point, w: Weights, values: &mut [f64]) {
        self.0.constraint_tangent(level, at, w, values);
    }
}

#[test]
fn no_formulation_accepts_a_step_that_did_not_converge() {
    for (name, formulation) in formulations() {
        // nothing is iterated there
        if formulation == Formulation::Explicit {
            continue;
        }
        let tolerance = ToleranceControl { tolerance: 1e-4, first: None, min: 1e-4, max: 0.1 };
        for control in [StepControl::Fixed { h: 0.01 }, StepControl::Tolerance(tolerance)] {
            let fixed = matches!(control, StepControl::Fixed { .. });
            if fixed && matches!(formulation, Formulation::Bdf { .. }) {
                continue;
            }
            let (system, state) = pendulum16();
            let coefficients = Coefficients::hht(-0.3).unwrap();
            let mut settings = Settings::new(formulation, coefficients, control);
            settings.newton.max_iterations = 4;
            let outcome = simulate(&mut Treacherous(system), &state, &settings, &mut ()).unwrap();
            let failure = outcome.failure.unwrap_or_else(|| panic!("{name} accepted everything"));
            assert_eq!(failure.failure, Failure::NotConverged, "{name}: {failure}");
            assert_eq!(outcome.trajectory.statistics.steps, 0, "{name}");
            assert_eq!(outcome.trajectory.len(), 1, "{name}: only the start is recorded");
            assert!(
                failure.evidence.iter().any(|e| e.contains("corrected most")),
                "{name}: {failure}"
            );
            assert!(!failure.remedies.is_empty());
        }
    }
}

/// A mass pushed by a force that jumps at 0.3 and 0.7.
struct Pushed;

impl Equations for Pushed {
    fn sizes(&self) -> Sizes {
        Sizes::vector(1)
    }
    fn mass<T: Scalar>(&self, _t: T, _q: &[T], m: &mut MassMatrix<T>) {
        m.set(0, 0, 2.0);
    }
    fn force<T: Scalar>(&self, at: &Arguments<T>, f: &mut [T]) {
        let t = at.t.value();
        f[0] = T::from(if t < 0.3 {
            2.0
        } else if t < 0.7 {
            -6.0
        } else {
            1.0
        });
    }
    fn discontinuities(&self) -> &[f64] {
        &[0.3, 0.7]
    }
}

#[test]
fn piecewise_constant_forces_are_integrated_exactly() {
    // Quadratic motion between jumps is in the range of every second-order method.
    let v1 = 0.3;
    let x1 = 0.5 * 0.09;
    let v2 = v1 - 3.0 * 0.4;
    let x2 = x1 + 0.4 * v1 - 1.5 * 0.16;
    let v3 = v2 + 0.5 * 0.3;
    let x3 = x2 + 0.3 * v2 + 0.25 * 0.09;
    for (name, formulation) in formulations() {
        if matches!(formulation, Formulation::Bdf { .. }) {
            continue;
        }
        for h in [0.01, 0.13] {
            let coefficients = Coefficients::hht(-0.3).unwrap();
            let mut settings = Settings::new(formulation, coefficients, StepControl::Fixed { h });
            settings.until = 1.0;
            let mut system = Automatic::new(Pushed);
            let start = State::zeros(system.sizes());
            let outcome = simulate(&mut system, &start, &settings, &mut ()).unwrap();
            assert!(outcome.failure.is_none());
            let (x, v) = (outcome.state.q[0], outcome.state.v[0]);
            assert!((x - x3).abs() < 1e-12 && (v - v3).abs() < 1e-12, "{name} {h}: {x} {v}");
            let steps = &outcome.trajectory.steps;
            for jump in [0.3, 0.7] {
                assert!(
                    steps.iter().any(|s| (s.t - jump).abs() < 1e-14),
                    "{name}: no stop at {jump}"
                );
            }
        }
    }
}

#[test]
fn outputs_stand_where_they_were_asked_for_and_interpolation_is_of_high_order() {
    let reference = |times: &[f64]| {
        let (mut system, state) = pendulum16();
        let mut settings = study(Formulation::Pva, 0.8, 1e-4, 0.5);
        settings.output = Output::At(times.to_vec());
        simulate(&mut system, &state, &settings, &mut ()).unwrap().trajectory
    };
    let times = [0.1, 0.2503, 0.3333, 0.4999];
    let fine = reference(&times);
    assert_eq!(fine.times, [0.0, 0.1, 0.2503, 0.3333, 0.4999, 0.5]);
    let worst = |h: f64| {
        let (mut system, state) = pendulum16();
        let mut settings = study(Formulation::Pva, 0.8, h, 0.5);
        settings.output = Output::At(times.to_vec());
        let found = simulate(&mut system, &state, &settings, &mut ()).unwrap().trajectory;
        (0..found.len()).map(|i| distance(found.q.row(i), fine.q.row(i))).fold(0.0, f64::max)
    };
    // The method's own second order must not be spoilt by interpolation.
    let order = (worst(0.01) / worst(0.005)).log2();
    assert!(order > 1.8, "{order}");
}

#[test]
fn the_last_step_is_never_tiny() {
    let (mut system, state) = pendulum16();
    let control = ToleranceControl { tolerance: 1e-4, first: None, min: 1e-9, max: 0.02 };
    for until in [0.5, 0.5001, 0.51, 0.5199] {
        let mut settings = Settings::new(
            Formulation::Pva,
            Coefficients::generalized_alpha(0.8).unwrap(),
            StepControl::Tolerance(control),
        );
        settings.until = until;
        let steps = simulate(&mut system, &state, &settings, &mut ()).unwrap().trajectory.steps;
        let [.., before, last] = &steps[..] else { panic!("too few steps") };
        assert!(last.h > 0.4 * before.h, "{until}: {} after {}", last.h, before.h);
        assert_eq!(last.t, until);
    }
}

#[test]
fn modified_splitting_is_newton_without_curvature_and_both_agree_when_converged() {
    let run = |iteration| {
        let (mut system, state) = pendulum16();
        let multipliers = MultiplierSource::AccelerationLevel;
        let mut settings = study(Formulation::DaeAlpha { iteration, multipliers }, 0.5, 0.01, 1.0);
        settings.newton.max_iterations = 60;
        simulate(&mut system, &state, &settings, &mut ()).unwrap().state
    };
    let newton = run(DaeIteration::Newton);
    for other in [DaeIteration::Cm, DaeIteration::Cs, DaeIteration::Hybrid] {
        let state = run(other);
        assert!(distance(&state.q, &newton.q) < 1e-12, "{other:?}");
        // Relative to the speed of 20.
        assert!(distance(&state.v, &newton.v) < 20.0 * 2e-12, "{other:?}");
    }
}

#[test]
fn an_observer_can_stop_a_run_and_keeps_what_was_computed() {
    let (mut system, state) = pendulum16();
    let settings = study(Formulation::Pva, 0.8, 0.01, 1.0);
    let mut watch = |state: &State, _: &StepRecord| state.t < 0.5;
    let outcome = simulate(&mut system, &state, &settings, &mut watch).unwrap();
    assert_eq!(outcome.failure.unwrap().failure, Failure::Interrupted);
    assert!((outcome.state.t - 0.5).abs() < 1e-12);
    assert_eq!(outcome.trajectory.steps.len(), 50);
}

#[test]
fn shifted_start_removes_the_first_order_error_of_early_multipliers() {
    // sheet 001 §6.3: HHT −0.3 on P16, first step, h = 1e-3: λ error 1.27 with a₀, .041 with (8).
    let first_multiplier_error = |start, h: f64| {
        let (mut system, state) = pendulum16();
        let mut exact = study(Formulation::Pva, 0.9, h / 200.0, h);
        exact.output = Output::At(vec![]);
        let reference = simulate(&mut system, &state, &exact, &mut ()).unwrap().state;
        let mut settings = study(Formulation::Soi2 { mass: MassHistory::Stored }, 0.5, h, h);
        settings.coefficients = Coefficients::hht(-0.3).unwrap();
        settings.start_acceleration = start;
        let found = simulate(&mut system, &state, &settings, &mut ()).unwrap().state;
        distance(&found.multipliers, &reference.multipliers)
    };
    let plain = |h| first_multiplier_error(StartAcceleration::Initial, h);
    let shifted = |h| first_multiplier_error(StartAcceleration::Shifted, h);
    assert!((plain(2e-3) / plain(1e-3)).log2() < 1.2);
    assert!((shifted(2e-3) / shifted(1e-3)).log2() > 1.8);
    assert!(shifted(1e-3) < plain(1e-3) / 10.0);
}

#[test]
fn a_clean_start_gives_accurate_multipliers_from_the_first_step_on() {
    // sheet 003 E11: an index-3 run started with the exact velocity has first-order multipliers on
    // its first steps.
    let worst_early_error = |start| {
        let h = 1e-3;
        let (mut system, state) = pendulum16();
        let mut exact = study(Formulation::Pva, 0.9, h / 50.0, 10.0 * h);
        exact.output = Output::Every(h);
        let reference = simulate(&mut system, &state, &exact, &mut ()).unwrap().trajectory;
        let mut settings =
            study(Formulation::HhtI3 { mode: HhtMode::Recommended }, 0.5, h, 10.0 * h);
        settings.coefficients = Coefficients::hht(-0.3).unwrap();
        settings.start_acceleration = start;
        settings.output = Output::EachStep;
        let found = simulate(&mut system, &state, &settings, &mut ()).unwrap().trajectory;
        assert_eq!(found.len(), reference.len());
        (1..found.len())
            .map(|i| distance(found.multipliers.row(i), reference.multipliers.row(i)))
            .fold(0.0, f64::max)
    };
    let (plain, clean) = (
        worst_early_error(StartAcceleration::Initial),
        worst_early_error(StartAcceleration::Clean),
    );
    assert!(clean < plain / 10.0, "{plain} {clean}");
}

#[test]
fn recomputed_reactions_have_no_spikes_at_step_changes() {
    // sheet 003 E10: without rescaling, alternating steps make the multipliers of index 3 jump.
    let worst = |reactions| {
        let (mut system, state) = pendulum16();
        let mut exact = study(Formulation::Pva, 0.9, 1e-4, 0.5);
        exact.output = Output::Every(0.01);
        let reference = simulate(&mut system, &state, &exact, &mut ()).unwrap().trajectory;
        let mut settings =
            study(Formulation::Index3 { scaling: true, augmented: false }, 0.8, 0.01, 0.5);
        settings.control = StepControl::Repeated { h: 0.01, fractions: vec![0.25, 0.75] };
        settings.adjustment = Adjustment::Off;
        settings.reactions = reactions;
        settings.output = Output::Every(0.01);
        let found = simulate(&mut system, &state, &settings, &mut ()).unwrap().trajectory;
        (1..found.len())
            .map(|i| distance(found.multipliers.row(i), reference.multipliers.row(i)))
            .fold(0.0, f64::max)
    };
    let (raw, recomputed) = (worst(ReactionOutput::Raw), worst(ReactionOutput::Recomputed));
    assert!(recomputed < raw / 3.0, "{raw} {recomputed}");
}

#[test]
fn a_run_that_is_continued_equals_one_without_a_break() {
    let position_level = Formulation::Index3 { scaling: true, augmented: false };
    let (mut system, state) = pendulum16();
    let whole = study(position_level, 0.6, 0.01, 1.0);
    let expected = simulate(&mut system, &state, &whole, &mut ()).unwrap().state;
    let half = study(position_level, 0.6, 0.01, 0.5);
    let middle = simulate(&mut system, &state, &half, &mut ()).unwrap().state;
    let mut end = |start| {
        let mut settings = whole.clone();
        settings.start = middle.t;
        settings.initial = InitialPolicy::Trust;
        settings.start_acceleration = start;
        simulate(&mut system, &middle, &settings, &mut ()).unwrap().state
    };
    let continued = distance(&end(StartAcceleration::Given).q, &expected.q);
    let restarted = distance(&end(StartAcceleration::Initial).q, &expected.q);
    assert!(continued < 1e-11, "{continued}");
    assert!(restarted > 1e-6, "{restarted}");
}

#[test]
fn a_given_start_acceleration_must_be_finite() {
    let (mut system, mut state) = pendulum16();
    state.a[1] = f64::NAN;
    let mut settings =
        study(Formulation::Index3 { scaling: true, augmented: false }, 0.6, 0.01, 0.1);
    settings.start_acceleration = StartAcceleration::Given;
    let refusal = simulate(&mut system, &state, &settings, &mut ()).unwrap_err();
    assert!(refusal.message.contains("`a` of the initial state"), "{}", refusal.message);
}
