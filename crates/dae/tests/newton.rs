//! How exactly steps are solved.

mod problems;

use problems::pendulum16;
use rotula_dae::*;

/// Keeps every accepted state.
struct Keep(Vec<State>);

impl Observer for Keep {
    fn accepted(&mut self, state: &State, _: &StepRecord) -> bool {
        self.0.push(state.clone());
        true
    }
}

fn settings(formulation: Formulation, h: f64) -> Settings {
    let coefficients = Coefficients::generalized_alpha(0.8).unwrap();
    Settings::new(formulation, coefficients, StepControl::Fixed { h })
}

const INDEX3: Formulation = Formulation::Index3 { scaling: true, augmented: false };

/// A step is accepted after one correction when earlier steps promise enough contraction. Every
/// accepted step is solved anew here, to the last digit, and compared.
#[test]
fn remembered_contraction_never_leaves_more_than_the_tolerance() {
    let h = 1e-3;
    let position_factor = Coefficients::generalized_alpha(0.8).unwrap().step(h).c8;
    let ggl = Formulation::Ggl { variant: GglVariant::MassWeighted };
    let mut single = 0;
    for (formulation, tolerance) in [(INDEX3, 1e-9), (INDEX3, 1e-5), (ggl, 1e-9), (ggl, 1e-5)] {
        let (mut system, start) = pendulum16();
        let mut ordinary = settings(formulation, h);
        ordinary.until = 0.6;
        ordinary.newton.tolerance = tolerance;
        let mut kept = Keep(Vec::new());
        let outcome = simulate(&mut system, &start, &ordinary, &mut kept).unwrap();
        assert!(outcome.failure.is_none());
        single += outcome.trajectory.steps.iter().filter(|step| step.iterations == 1).count();
        let mut weights = [1.0f64; 3];
        for pair in kept.0.windows(2) {
            let (from, to) = (&pair[0], &pair[1]);
            let mut exact = settings(formulation, to.t - from.t);
            (exact.start, exact.until) = (from.t, to.t);
            exact.initial = InitialPolicy::Trust;
            exact.start_acceleration = StartAcceleration::Given;
            exact.newton.tolerance = 1e-15;
            exact.newton.matrix = MatrixPolicy::EachIteration;
            let solved = simulate(&mut system, from, &exact, &mut ()).unwrap();
            assert!(solved.failure.is_none(), "{}", solved.failure.unwrap());
            for (weight, q) in weights.iter_mut().zip(&from.q) {
                *weight = weight.max(q.abs());
            }
            let rms = |f: &dyn Fn(usize) -> f64| {
                ((0..3).map(|i| (f(i) / weights[i]).powi(2)).sum::<f64>() / 3.0).sqrt()
            };
            let error = rms(&|i| to.vdot[i] - solved.state.vdot[i]);
            let allowed = ordinary.newton.tolerance * rms(&|i| to.vdot[i]);
            // corrections of 20 units of rounding, as accelerations, carry no information
            let rounding = 2.0 * 20.0 * f64::EPSILON / position_factor;
            assert!(error <= allowed + rounding, "t = {}: {error:e} of {allowed:e}", to.t);
        }
    }
    assert!(single > 50, "only {single} steps were accepted after one correction");
}

/// The error of index 3 falls with the square of the step down to short steps, with the default
/// accuracy of the iteration.
#[test]
fn short_steps_do_not_lose_their_order_to_the_iteration() {
    let end = |h: f64, tolerance: f64| {
        let (mut system, start) = pendulum16();
        let mut settings = settings(INDEX3, h);
        settings.until = 0.5;
        settings.newton.tolerance = tolerance;
        let outcome = simulate(&mut system, &start, &settings, &mut ()).unwrap();
        assert!(outcome.failure.is_none());
        outcome.state.q
    };
    let h = 1e-4;
    let (coarse, fine) = (end(2.0 * h, 1e-13), end(h, 1e-13));
    let truncation = problems::distance(&coarse, &fine) / 3.0;
    let iteration = problems::distance(&end(h, NewtonSettings::default().tolerance), &fine);
    assert!(iteration < 0.01 * truncation, "{iteration:e} beside {truncation:e}");
}
