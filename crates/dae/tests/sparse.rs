//! Every formulation on a chain large enough for the sparse solver: second order, constraints met.

mod problems;
use problems::chain::Chain;
use problems::*;
use rotula_dae::*;

fn run(formulation: Formulation, h: f64) -> Outcome {
    let mut chain = Chain::new(40);
    let start = chain.start();
    let coefficients = Coefficients::hht(-0.2).unwrap();
    let mut settings = Settings::new(formulation, coefficients, StepControl::Fixed { h });
    settings.until = 0.1;
    settings.newton.tolerance = 1e-10;
    let outcome = simulate(&mut chain, &start, &settings, &mut ()).unwrap();
    assert!(outcome.failure.is_none(), "{formulation:?}: {}", outcome.failure.unwrap());
    outcome
}

#[test]
fn formulations_agree_on_a_sparse_chain() {
    let exact = run(Formulation::Pva, 1.25e-4).state;
    for (name, formulation) in formulations() {
        // of higher order
        if matches!(formulation, Formulation::Bdf { .. } | Formulation::Explicit) {
            continue;
        }
        let coarse = run(formulation, 2e-3);
        let fine = run(formulation, 1e-3);
        let (c, f) = (distance(&coarse.state.q, &exact.q), distance(&fine.state.q, &exact.q));
        let audit = fine.trajectory.audit;
        println!("{name}: {c:.2e} {f:.2e}, |g| {:.1e}", audit.position_residual);
        assert!(f < 1e-4 && c / f > 3.0, "{name}: {c:e} {f:e}");
        let drifts = matches!(
            formulation,
            Formulation::Index1 | Formulation::Index2 | Formulation::Baumgarte { .. }
        );
        assert!(drifts || audit.position_residual < 1e-11, "{name}: {}", audit.position_residual);
    }
}

#[test]
fn the_explicit_method_meets_the_others_on_a_sparse_chain() {
    let exact = run(Formulation::Pva, 1.25e-4).state;
    let outcome = run(Formulation::Explicit, 2e-3);
    // the error of `pva` is of second order; with steps of 1 ms it is below 1e-4, and here 64 times smaller
    let error = distance(&outcome.state.q, &exact.q);
    assert!(error < 1e-5, "{error:e}");
    let audit = outcome.trajectory.audit;
    assert!(audit.position_residual < 1e-11, "{audit:?}");
}

#[test]
fn bdf_solves_a_sparse_chain_accurately() {
    let exact = run(Formulation::Pva, 1.25e-4).state;
    for form in [BdfForm::Index3, BdfForm::Si2] {
        let mut chain = Chain::new(40);
        let start = chain.start();
        let control = ToleranceControl { tolerance: 1e-6, first: None, min: 1e-9, max: 0.01 };
        let mut settings = Settings::new(
            Formulation::Bdf { form, max_order: 5 },
            Coefficients::hht(-0.3).unwrap(),
            StepControl::Tolerance(control),
        );
        settings.until = 0.1;
        let outcome = simulate(&mut chain, &start, &settings, &mut ()).unwrap();
        assert!(outcome.failure.is_none(), "{}", outcome.failure.unwrap());
        // The tolerance bounds the local error of a root mean square over the coordinates.
        let error = distance(&outcome.state.q, &exact.q) / (exact.q.len() as f64).sqrt();
        assert!(error < 1e-5, "{form:?}: {error:e}");
    }
}
