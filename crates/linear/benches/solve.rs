//! Times of refactorisation and solution, printed as a table and compared with faer's sparse LU.
//!
//! `cargo bench -p rotula-linear --bench solve [-- "chain 100"]`

#[path = "../tests/support/mod.rs"]
mod support;

use std::time::Instant;

use faer::sparse::linalg::solvers::{Lu, SymbolicLu};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use rotula_linear::{Block, BlockMatrix, Kind, Options};
use support::bodies::{chain, net, scaled};
use support::elastic::{frame, solid};
use support::{Problem, Random, Triplets, known_solution};

/// Shortest of several timings, in seconds per call; short bursts find gaps on a busy machine.
fn best(mut work: impl FnMut()) -> f64 {
    let once = Instant::now();
    work();
    let repeats = (5e-5 / once.elapsed().as_secs_f64()).clamp(1.0, 1e5) as usize;
    (0..if once.elapsed().as_secs_f64() > 0.1 { 5 } else { 100 }).fold(f64::INFINITY, |best, _| {
        let start = Instant::now();
        for _ in 0..repeats {
            work();
        }
        best.min(start.elapsed().as_secs_f64() / repeats as f64)
    })
}

fn fill(matrix: &mut BlockMatrix, block: Block, values: &[f64]) {
    matrix.clear();
    matrix.add(block, 1.0, values);
}

fn row(name: &str, problem: impl FnOnce() -> Problem, kind: Kind, baseline: bool) {
    let wanted = std::env::args().skip(1).find(|word| !word.starts_with('-'));
    if wanted.is_some_and(|word| !name.contains(&word)) {
        return;
    }
    let problem = &problem();
    let options = Options { kind, ..Options::default() };
    let (mut matrix, block) = problem.matrix(options);
    let (mut plain, plain_block) = problem.matrix(Options { refine: false, ..options });
    let values = &problem.values[0];
    fill(&mut plain, plain_block, values);
    plain.factor().expect("regular");
    let assembly = best(|| fill(&mut matrix, block, values));
    let factor = best(|| matrix.factor().expect("regular"));
    let b = known_solution(problem.size());
    let mut x = b.clone();
    let mut timed_solve = |matrix: &mut BlockMatrix| {
        best(|| {
            x.copy_from_slice(&b);
            matrix.solve(&mut x);
        })
    };
    let solve = timed_solve(&mut matrix);
    let unrefined = timed_solve(&mut plain);
    let reference = if baseline { faer_time(problem) } else { f64::NAN };
    println!(
        "{name:<16}{:>7}{:>10}{:>11.3}{:>11.3}{:>11.3}{:>11.3}{:>11.3}",
        problem.size(),
        matrix.fill(),
        1e6 * assembly,
        1e6 * factor,
        1e6 * unrefined,
        1e6 * solve,
        1e6 * reference
    );
}

/// Numeric factorisation and solution with faer's sparse LU.
fn faer_time(problem: &Problem) -> f64 {
    use faer::prelude::Solve;
    let pattern = &problem.pattern;
    let n = problem.size();
    let starts: Vec<usize> = (0..=n).map(|j| pattern.column_start(j)).collect();
    let indices: Vec<usize> = pattern.iter().map(|(i, _)| i).collect();
    let symbolic = SymbolicSparseColMatRef::new_checked(n, n, &starts, None, &indices);
    let matrix = SparseColMatRef::new(symbolic, &problem.values[0]);
    let analysis = SymbolicLu::try_new(symbolic).expect("symbolic analysis");
    let b = known_solution(n);
    best(|| {
        let factor = Lu::try_new_with_symbolic(analysis.clone(), matrix).expect("regular");
        let mut x = b.clone();
        factor.solve_in_place(faer::MatMut::from_column_major_slice_mut(&mut x, n, 1));
    })
}

/// Saddle point of `velocities` unknowns and the rest multipliers, all blocks full.
fn full(velocities: usize, multipliers: usize) -> Problem {
    let n = velocities + multipliers;
    let mut random = Random::new(1);
    let mut triplets = Triplets::default();
    for i in 0..velocities {
        for j in 0..velocities {
            let diagonal = if i == j { 4.0 } else { 0.0 };
            triplets.add(i, j, diagonal + random.signed());
        }
        for k in velocities..n {
            triplets.add_pair(k, i, random.signed());
        }
    }
    Problem::new((0..n).map(|i| i >= velocities).collect(), &[triplets])
}

/// Planar beam of elements with some nodes each, three unknowns at a node, pinned at its first one.
fn beam(elements: usize, each: usize) -> Problem {
    let unknowns = 3 * (elements * (each - 1) + 1);
    let mut random = Random::new(7);
    let mut triplets = Triplets::default();
    for first in (0..elements).map(|e| 3 * e * (each - 1)) {
        for i in first..first + 3 * each {
            for j in first..first + 3 * each {
                let diagonal = if i == j { 4.0 * each as f64 } else { 0.0 };
                triplets.add(i, j, diagonal + random.signed());
            }
        }
    }
    for k in 0..2 {
        triplets.add_pair(unknowns + k, k, 1.0);
        triplets.add_pair(unknowns + k, 2, 0.1 * random.signed());
    }
    Problem::new((0..unknowns + 2).map(|i| i >= unknowns).collect(), &[triplets])
}

fn main() {
    println!(
        "{:<16}{:>7}{:>10}{:>11}{:>11}{:>11}{:>11}{:>11}",
        "microseconds", "n", "fill", "assemble", "factor", "solve", "refined", "faer f+s"
    );
    for (velocities, multipliers) in [(1, 1), (3, 2), (6, 3), (12, 5), (20, 10)] {
        let name = format!("dense {}", velocities + multipliers);
        row(&name, || full(velocities, multipliers), Kind::Dense, false);
    }
    for bodies in [1, 2, 3, 4, 5, 6] {
        let problem = || chain(bodies, scaled(1e-3), &[0.0]).velocities_first();
        row(&format!("chain {bodies} dense"), problem, Kind::Dense, false);
        row(&format!("chain {bodies} sparse"), problem, Kind::Sparse, false);
    }
    for bodies in [10, 100, 1000, 10_000] {
        let problem = || chain(bodies, scaled(1e-3), &[0.0]).velocities_first();
        row(&format!("chain {bodies}"), problem, Kind::Sparse, true);
    }
    for (elements, each) in [(16, 2), (128, 2), (16, 3), (128, 3), (16, 4), (128, 4)] {
        let name = format!("beam {elements} x {each}");
        row(&name, || beam(elements, each), Kind::Sparse, false);
    }
    row("net 20", || net(20, 0, &[0.0]), Kind::Sparse, true);
    row("net 60", || net(60, 0, &[0.0]), Kind::Sparse, false);
    row("frame 30x30", || frame(30, 30, &[0.0]), Kind::Sparse, true);
    row("solid 10", || solid(10, &[0.0]), Kind::Sparse, false);
}
