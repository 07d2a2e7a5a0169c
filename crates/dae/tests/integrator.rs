//! A run step by step is the run as a whole; it stops where it is told to, comes back to where it was, and takes events.

mod problems;
use problems::*;
use rotula_dae::automatic::{Arguments, Automatic, Equations, MassMatrix, Scalar};
use rotula_dae::checkpoint::Snapshot;
use rotula_dae::*;

fn settings(formulation: Formulation, control: StepControl) -> Settings {
    let mut settings = Settings::new(formulation, Coefficients::hht(-0.2).unwrap(), control);
    settings.until = 1.0;
    settings
}

fn controls(formulation: Formulation) -> Vec<StepControl> {
    // the tolerance shall decide: steps of order 8 are longer than others
    let max = if formulation == Formulation::Explicit { 1.0 } else { 0.1 };
    let tolerance = ToleranceControl { tolerance: 1e-5, first: None, min: 1e-10, max };
    let mut controls = vec![StepControl::Tolerance(tolerance)];
    if !matches!(formulation, Formulation::Bdf { .. }) {
        controls.push(StepControl::Fixed { h: 0.01 });
    }
    controls
}

fn run(system: &mut dyn System, start: &State, settings: &Settings) -> Outcome {
    let outcome = simulate(system, start, settings, &mut ()).unwrap();
    assert!(outcome.failure.is_none(), "{:?}", outcome.failure);
    outcome
}

#[test]
fn steps_one_by_one_are_those_of_the_run() {
    for (name, formulation) in formulations() {
        for control in controls(formulation) {
            let (mut system, start) = pendulum16();
            let settings = settings(formulation, control);
            let whole = run(&mut system, &start, &settings);
            let mut integrator = Integrator::new(&mut system, &start, &settings).unwrap();
            let mut steps = Vec::new();
            while let Some(step) = integrator.step().unwrap() {
                assert_eq!(step.t, integrator.state().t);
                steps.push(step);
            }
            assert!(integrator.is_done());
            let found = integrator.conclude(None);
            assert_eq!(steps, whole.trajectory.steps, "{name}");
            assert_eq!(found.state, whole.state, "{name}");
            assert_eq!(found.trajectory.q, whole.trajectory.q, "{name}");
            assert_eq!(found.trajectory.multipliers, whole.trajectory.multipliers, "{name}");
            assert_eq!(found.warnings, whole.warnings, "{name}");
        }
    }
}

#[test]
fn a_restored_run_goes_on_to_the_last_bit() {
    for (name, formulation) in formulations() {
        for control in controls(formulation) {
            let (system, start) = pendulum16();
            let mut settings = settings(formulation, control);
            settings.output = Output::Every(0.03);
            let owned: Box<dyn System> = Box::new(system);
            let mut integrator = Integrator::new(owned, &start, &settings).unwrap();
            integrator.advance_to(0.4).unwrap();
            let snapshot = integrator.snapshot();
            assert_eq!(snapshot.t, 0.4);
            let rest = |integrator: &mut Integrator| {
                let mut states = Vec::new();
                while integrator.step().unwrap().is_some() {
                    states.push(integrator.state().clone());
                }
                states
            };
            let first = rest(&mut integrator);
            integrator.restore(&snapshot).unwrap();
            assert_eq!(integrator.state().t, 0.4);
            assert_eq!(rest(&mut integrator), first, "{name}");
            let outcome = integrator.conclude(None);
            // the way that was taken twice stands in the record once
            let times = &outcome.trajectory.times;
            assert!(times.windows(2).all(|pair| pair[0] < pair[1]), "{name}: {times:?}");
            assert_eq!(times.len(), 35, "{name}: {times:?}");
        }
    }
}

#[test]
fn it_stops_at_any_time_with_the_error_of_the_method() {
    let (_, exact) = pendulum16();
    let exact = {
        let (mut system, _) = pendulum16();
        let settings = study(Formulation::Explicit, 0.9, 1e-3, 0.7123);
        run(&mut system, &exact, &settings).state
    };
    for (name, formulation) in formulations() {
        for control in controls(formulation) {
            let error = |part: f64| {
                let (mut system, start) = pendulum16();
                let control = match &control {
                    StepControl::Fixed { h } => StepControl::Fixed { h: h * part },
                    StepControl::Tolerance(control) => StepControl::Tolerance(ToleranceControl {
                        tolerance: control.tolerance * part.powi(3),
                        ..*control
                    }),
                    StepControl::Repeated { .. } => unreachable!(),
                };
                let mut settings = settings(formulation, control);
                // beyond the end that the settings name, too
                settings.until = 0.5;
                let mut integrator = Integrator::new(&mut system, &start, &settings).unwrap();
                for t in [0.1, 0.3333, 0.5001, 0.7123] {
                    integrator.advance_to(t).unwrap();
                    assert_eq!(integrator.state().t, t);
                }
                distance(&integrator.state().q, &exact.q)
            };
            let (coarse, fine) = (error(0.5), error(0.125));
            // second order is a factor of 16, a tolerance a factor of 64 / 4; with short steps of order 8 rounding is left
            let falls = fine < coarse / 4.0 || coarse.max(fine) < 1e-12;
            assert!(falls && fine < 1e-3, "{name}: {coarse:e}, {fine:e}");
        }
    }
}

#[test]
fn between_steps_it_interpolates() {
    let (mut system, start) = pendulum16();
    // of order 8: what the tight run misses is seen beside it
    let exact = run(&mut system, &start, &study(Formulation::Explicit, 0.9, 1e-3, 0.5)).state;
    let errors = [1e-5, 1e-9].map(|tolerance| {
        let (mut system, _) = pendulum16();
        let control = ToleranceControl { tolerance, first: None, min: 1e-10, max: 0.1 };
        let bdf = Formulation::Bdf { form: BdfForm::Si2, max_order: 5 };
        let settings = settings(bdf, StepControl::Tolerance(control));
        let mut integrator = Integrator::new(&mut system, &start, &settings).unwrap();
        while integrator.state().t < 0.5 {
            integrator.step().unwrap();
        }
        assert!(integrator.interpolate(0.1).is_none() && integrator.interpolate(2.0).is_none());
        let found = integrator.interpolate(0.5).unwrap();
        assert_eq!(found.t, 0.5);
        let scale = distance(&exact.multipliers, &[0.0, 0.0]);
        [
            distance(&found.q, &exact.q) / 2.0,
            distance(&found.multipliers, &exact.multipliers) / scale,
        ]
    });
    assert!(errors[1].iter().all(|error| *error < 1e-6), "{errors:?}");
    assert!(
        errors[0].iter().zip(errors[1]).all(|(loose, tight)| tight < 0.1 * loose),
        "{errors:?}"
    );
}

/// A mass that falls on the ground.
struct Falling;

impl Equations for Falling {
    fn sizes(&self) -> Sizes {
        Sizes::vector(1)
    }
    fn mass<T: Scalar>(&self, _t: T, _q: &[T], m: &mut MassMatrix<T>) {
        m.set(0, 0, 1.0);
    }
    fn force<T: Scalar>(&self, _at: &Arguments<T>, f: &mut [T]) {
        f[0] = T::from(-10.0);
    }
}

#[test]
fn events_of_ones_own_between_steps() {
    let mut system = Automatic::new(Falling);
    let start = State { q: vec![1.0], ..State::zeros(system.sizes()) };
    let settings = settings(Formulation::Index1, StepControl::Fixed { h: 0.01 });
    let mut integrator = Integrator::new(&mut system, &start, &settings).unwrap();
    let mut bounces = Vec::new();
    while bounces.len() < 3 {
        let before = integrator.snapshot();
        let t = integrator.state().t;
        integrator.advance_to(t + 0.01).unwrap();
        if integrator.state().q[0] > 0.0 {
            continue;
        }
        // where it meets the ground, by bisection on the interpolated motion
        let (mut low, mut high) = (t, t + 0.01);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            let height = integrator.interpolate(middle).unwrap().q[0];
            if height > 0.0 { low = middle } else { high = middle }
        }
        integrator.restore(&before).unwrap();
        integrator.advance_to(low).unwrap();
        let mut struck = integrator.state().clone();
        struck.v[0] *= -0.5;
        integrator.restart_from(&struck).unwrap();
        // the step before the stroke did not lead here
        assert!(integrator.interpolate(low - 1e-4).is_none());
        bounces.push(low);
    }
    // it falls 1 m, then rises with half the speed each time
    let fall = 0.2_f64.sqrt();
    for (found, exact) in bounces.iter().zip([fall, 2.0 * fall, 2.5 * fall]) {
        assert!((found - exact).abs() < 1e-9, "{bounces:?}");
    }
}

/// The pendulum with its first constraint stated twice.
struct Doubled;

impl Equations for Doubled {
    fn sizes(&self) -> Sizes {
        Sizes { holonomic: 3, ..Sizes::vector(3) }
    }
    fn mass<T: Scalar>(&self, t: T, q: &[T], m: &mut MassMatrix<T>) {
        Pendulum16.mass(t, q, m);
    }
    fn force<T: Scalar>(&self, at: &Arguments<T>, f: &mut [T]) {
        Pendulum16.force(at, f);
    }
    fn holonomic<T: Scalar>(&self, t: T, q: &[T], g: &mut [T]) {
        Pendulum16.holonomic(t, q, &mut g[..2]);
        g[2] = g[0];
    }
}

#[test]
fn redundant_constraints_are_no_obstacle() {
    let (mut plain, start) = pendulum16();
    let mut settings = study(Formulation::Ggl { variant: GglVariant::OldGradient }, 0.8, 0.01, 1.0);
    settings.redundant = RedundantPolicy::Solve;
    let reference = run(&mut plain, &start, &settings);
    let mut system = Automatic::new(Doubled);
    let start = State { multipliers: vec![0.0; 3], ..start };
    let mut integrator = Integrator::new(&mut system, &start, &settings).unwrap();
    integrator.advance_to(0.3).unwrap();
    let snapshot = integrator.snapshot();
    integrator.advance_to(1.0).unwrap();
    let far = integrator.state().clone();
    assert!(distance(&far.q, &reference.state.q) < 1e-9);
    assert_eq!(far.multipliers.len(), 3);
    integrator.restore(&snapshot).unwrap();
    integrator.advance_to(1.0).unwrap();
    assert_eq!(*integrator.state(), far);
    let outcome = integrator.conclude(None);
    let last = outcome.trajectory.multipliers.row(outcome.trajectory.len() - 1);
    // the least multipliers share the force
    assert!((last[0] - last[2]).abs() < 1e-9 * last[0].abs(), "{last:?}");
    let one = reference.trajectory.multipliers.row(reference.trajectory.len() - 1)[0];
    assert!((last[0] + last[2] - one).abs() < 1e-6 * one.abs(), "{last:?} {one}");
}

#[test]
fn a_start_that_makes_no_sense_is_refused_at_once() {
    let (mut system, mut start) = pendulum16();
    start.q[0] = 1.0;
    let settings = settings(Formulation::Index2, StepControl::Fixed { h: 0.01 });
    let refused = Integrator::new(&mut system, &start, &settings).err().unwrap();
    assert_eq!(refused.failure, Failure::InconsistentStart);
    let snapshot = Snapshot { t: 0.0, state: vec![1, 2, 3], rows: Vec::new() };
    let (mut system, start) = pendulum16();
    let mut integrator = Integrator::new(&mut system, &start, &settings).unwrap();
    assert!(integrator.restore(&snapshot).is_err());
}
