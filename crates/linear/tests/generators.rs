//! Accuracy on realistic matrices: the forward error, for the backward error hides wrong
//! multipliers.

mod support;

use rotula_linear::{Kind, Options};
use support::bodies::{chain, net, scaled, unscaled};
use support::elastic::{frame, solid};
use support::{Problem, known_solution, relative_error};

const TIMES: [f64; 3] = [0.0, 1e-3, 0.1];

/// Largest relative forward error over all value sets, each refactored in place; motions of the
/// given size and multipliers of size one count separately.
fn worst_error(problem: &Problem, kind: Kind, motion: f64) -> f64 {
    let options = Options { kind, ..Options::default() };
    let (mut matrix, block) = problem.matrix(options);
    let mut expected = known_solution(problem.size());
    for i in (0..expected.len()).filter(|&i| !problem.multipliers[i]) {
        expected[i] *= motion;
    }
    let part = |x: &[f64], flag: bool| -> Vec<f64> {
        (0..x.len()).filter(|&i| problem.multipliers[i] == flag).map(|i| x[i]).collect()
    };
    let mut worst = 0.0_f64;
    for values in &problem.values {
        matrix.clear();
        matrix.add(block, 1.0, values);
        matrix.factor().unwrap();
        let mut x = vec![0.0; problem.size()];
        matrix.multiply(&expected, &mut x);
        matrix.solve(&mut x);
        for flag in [false, true] {
            worst = worst.max(relative_error(&part(&x, flag), &part(&expected, flag)));
        }
    }
    eprintln!("n = {}, fill {}, error {worst:.1e}", problem.size(), matrix.fill());
    worst
}

#[test]
fn chains() {
    for bodies in [1, 3, 10, 100, 1000] {
        for problem in [
            chain(bodies, scaled(1e-3), &TIMES),
            chain(bodies, scaled(1e-3), &TIMES).velocities_first(),
        ] {
            assert!(worst_error(&problem, Kind::Sparse, 1.0) < 1e-8, "{bodies} bodies");
        }
    }
}

#[test]
fn stiff_index_three_chains() {
    for h in [1e-3, 1e-6] {
        let problem = chain(4, unscaled(h), &TIMES).velocities_first();
        for kind in [Kind::Dense, Kind::Sparse] {
            assert!(worst_error(&problem, kind, h * h) < 1e-10, "{kind:?}, h = {h}");
        }
    }
}

#[test]
fn nets_with_loops() {
    for side in [2, 10, 30] {
        let problem = net(side, 0, &TIMES);
        assert!(worst_error(&problem, Kind::Sparse, 1.0) < 1e-7, "side {side}");
    }
}

#[test]
fn elastic_structures() {
    assert!(worst_error(&frame(12, 10, &TIMES), Kind::Sparse, 1.0) < 1e-8);
    assert!(worst_error(&solid(7, &TIMES), Kind::Sparse, 1.0) < 1e-8);
}
