//! Contract of composite matrices: assembly, reuse of factors, failures, redundancy.

mod support;

use proptest::prelude::*;
use rotula_linear::{BlockBuilder, FactorError, Kind, Options, Pattern};
use support::bodies::{chain, net, scaled};
use support::{Random, known_solution, relative_error};

fn with(kind: Kind) -> Options {
    Options { kind, ..Options::default() }
}

#[test]
fn overlapping_and_transposed_blocks_add_up() {
    for kind in [Kind::Dense, Kind::Sparse] {
        let pattern = Pattern::from_entries(1, 2, &[(0, 0), (0, 1)]);
        let mut builder = BlockBuilder::new(3);
        let diagonal = builder.place_diagonal(3, 0, 0);
        let row = builder.place(&pattern, 2, 0);
        let column = builder.place_transposed(&pattern, 0, 2);
        let corner = builder.place(&Pattern::dense(1, 1), 0, 0);
        let mut matrix = builder.build(&[false, false, true], with(kind));
        for _ in 0..2 {
            matrix.clear();
            matrix.add_constant(diagonal, 1.0);
            matrix.add(diagonal, 2.0, &[1.0, 2.0, 3.0]);
            matrix.add(row, 1.0, &[5.0, 6.0]);
            matrix.add(column, -1.0, &[5.0, 6.0]);
            matrix.add(corner, 0.5, &[1.0]);
        }
        let expected = [[3.5, 0.0, -5.0], [0.0, 5.0, -6.0], [5.0, 6.0, 7.0]];
        for i in 0..3 {
            for j in 0..3 {
                assert_eq!(matrix.entry(i, j), expected[i][j]);
            }
        }
        let mut y = [0.0; 3];
        matrix.multiply(&[1.0, 2.0, 3.0], &mut y);
        assert_eq!(y, [-11.5, -8.0, 38.0]);
        assert_eq!(matrix.is_dense(), kind == Kind::Dense);
    }
}

#[test]
fn smallest_systems() {
    for kind in [Kind::Dense, Kind::Sparse] {
        let mut empty = BlockBuilder::new(0).build(&[], with(kind));
        assert_eq!(empty.factor(), Ok(()));
        empty.solve(&mut []);
        let mut builder = BlockBuilder::new(1);
        let block = builder.place_diagonal(1, 0, 0);
        let mut single = builder.build(&[false], with(kind));
        assert_eq!(single.factor(), Err(FactorError::Singular { unknown: 0 }));
        for scale in [4.0, 1e-3] {
            single.clear();
            single.add_constant(block, scale);
            assert_eq!(single.factor(), Ok(()));
            let mut x = [2.0 * scale];
            single.solve(&mut x);
            assert!((x[0] - 2.0).abs() < 1e-15);
        }
    }
}

#[test]
fn condition_number_is_the_ratio_of_singular_values() {
    for kind in [Kind::Dense, Kind::Sparse] {
        let mut builder = BlockBuilder::new(3);
        let diagonal = builder.place_diagonal(3, 0, 0);
        let mut matrix = builder.build(&[false; 3], with(kind));
        matrix.add(diagonal, 1.0, &[-8.0, 1.0, 2.0]);
        assert!((matrix.condition_number() - 8.0).abs() < 1e-12);
    }
}

#[test]
fn an_old_factor_survives_new_values() {
    for kind in [Kind::Dense, Kind::Sparse] {
        let problem = chain(2, scaled(1e-3), &[0.0, 0.3]);
        let (mut matrix, block) = problem.matrix(with(kind));
        matrix.add(block, 1.0, &problem.values[0]);
        matrix.factor().unwrap();
        let expected = known_solution(problem.size());
        let mut x = vec![0.0; problem.size()];
        matrix.multiply(&expected, &mut x);
        matrix.clear();
        matrix.add(block, f64::NAN, &problem.values[1]);
        matrix.solve(&mut x);
        assert!(relative_error(&x, &expected) < 1e-10);
    }
}

#[test]
fn entries_that_are_not_finite_are_named() {
    for kind in [Kind::Dense, Kind::Sparse] {
        for bad in [f64::NAN, f64::INFINITY] {
            let problem = chain(4, scaled(1e-3), &[0.0]);
            let (mut matrix, block) = problem.matrix(with(kind));
            // Once at the first factorisation, once after a good one.
            for _ in 0..2 {
                let mut values = problem.values[0].clone();
                values[40] = bad;
                let (row, col) = problem.pattern.iter().nth(40).unwrap();
                matrix.clear();
                matrix.add(block, 1.0, &values);
                assert_eq!(matrix.factor(), Err(FactorError::NotFinite { row, col }));
                matrix.clear();
                matrix.add(block, 1.0, &problem.values[0]);
                assert_eq!(matrix.factor(), Ok(()));
            }
        }
    }
}

#[test]
fn singular_unknowns_are_named() {
    for kind in [Kind::Dense, Kind::Sparse] {
        let problem = chain(4, scaled(1e-3), &[0.0]);
        let (mut matrix, block) = problem.matrix(with(kind));
        let zero_column: Vec<f64> = problem
            .pattern
            .iter()
            .zip(&problem.values[0])
            .map(|((_, j), &v)| if j == 27 { 0.0 } else { v })
            .collect();
        for values in [&zero_column, &problem.values[0], &zero_column] {
            matrix.clear();
            matrix.add(block, 1.0, values);
            let expected = if values == &zero_column {
                Err(FactorError::Singular { unknown: 27 })
            } else {
                Ok(())
            };
            assert_eq!(matrix.factor(), expected, "{kind:?}");
        }
    }
}

#[test]
fn redundant_constraints_share_their_load() {
    let problem = net(4, 2, &[0.0, 1e-3, 0.1]);
    let n = problem.size();
    let (mut matrix, block) = problem.matrix(with(Kind::Sparse));
    for values in &problem.values {
        matrix.clear();
        matrix.add(block, 1.0, values);
        matrix.factor().unwrap();
        let mut b = vec![0.0; n];
        matrix.multiply(&known_solution(n), &mut b);
        let mut x = b.clone();
        matrix.solve(&mut x);
        let mut again = vec![0.0; n];
        matrix.multiply(&x, &mut again);
        assert!(relative_error(&again, &b) < 1e-12);
        // Equal rows get equal multipliers: the solution of least norm.
        let copies = [x[n - 2], x[n - 1]];
        assert!((copies[0] - copies[1]).abs() < 1e-6 * copies[0].abs().max(1.0), "{copies:?}");
        assert!(x.iter().all(|v| v.abs() < 100.0));
    }
}

#[test]
fn zero_diagonals_without_multipliers() {
    // Rows x0 = v-like couplings: a permuted identity plus noise, no unknown flagged.
    let n = 60;
    let mut random = Random::new(4);
    let mut entries = Vec::new();
    for i in 0..n {
        entries.push((i, (i + 1) % n));
        entries.push((i, (7 * i + 3) % n));
    }
    let pattern = Pattern::from_entries(n, n, &entries);
    let values: Vec<f64> = pattern
        .iter()
        .map(|(i, j)| if j == (i + 1) % n { 2.0 } else { 0.5 * random.signed() })
        .collect();
    let mut builder = BlockBuilder::new(n);
    let block = builder.place(&pattern, 0, 0);
    let mut matrix = builder.build(&vec![false; n], with(Kind::Sparse));
    for sign in [1.0, -0.3] {
        matrix.clear();
        matrix.add(block, sign, &values);
        matrix.factor().unwrap();
        let expected = known_solution(n);
        let mut x = vec![0.0; n];
        matrix.multiply(&expected, &mut x);
        matrix.solve(&mut x);
        assert!(relative_error(&x, &expected) < 1e-12);
    }
}

#[test]
fn pivots_are_chosen_anew_when_they_vanish() {
    // The multiplier first acts on one velocity, then only on the other.
    let mut builder = BlockBuilder::new(4);
    let mass = builder.place_diagonal(2, 0, 0);
    let gradient = Pattern::dense(1, 2);
    let row = builder.place(&gradient, 2, 0);
    let column = builder.place_transposed(&gradient, 0, 2);
    let swap = builder.place(&Pattern::dense(1, 1), 3, 3);
    let cross = builder.place(&Pattern::dense(1, 1), 3, 0);
    let back = builder.place(&Pattern::dense(1, 1), 0, 3);
    let mut matrix = builder.build(&[false, false, true, false], with(Kind::Sparse));
    for (g, s) in [([1.0, 0.0], 1.0), ([0.0, 1.0], 1.0), ([0.0, 1.0], 0.0)] {
        matrix.clear();
        matrix.add_constant(mass, 1.0);
        matrix.add(row, 1.0, &g);
        matrix.add(column, -1.0, &g);
        matrix.add(swap, s, &[1.0]);
        matrix.add(cross, 1.0 - s, &[1.0]);
        matrix.add(back, 1.0 - s, &[1.0]);
        matrix.factor().unwrap();
        let expected = [1.0, -2.0, 3.0, 0.5];
        let mut x = [0.0; 4];
        matrix.multiply(&expected, &mut x);
        matrix.solve(&mut x);
        assert!(relative_error(&x, &expected) < 1e-12, "{x:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Random composites: the dense and the sparse path agree, also after a refactorisation.
    #[test]
    fn dense_and_sparse_agree(seed in 1_u64..1_000_000, velocities in 2_usize..40, part in 0.0..0.9_f64) {
        let rows = (part * velocities as f64) as usize;
        let n = velocities + rows;
        let mut random = Random::new(seed);
        let mut entries: Vec<(usize, usize)> = (0..velocities).map(|i| (i, i)).collect();
        for _ in 0..3 * velocities {
            let pick = |r: &mut Random| (r.unit() * velocities as f64) as usize;
            entries.push((pick(&mut random), pick(&mut random)));
        }
        let square = Pattern::from_entries(velocities, velocities, &entries);
        // Each row has an unknown of its own and some of the others.
        let mut places: Vec<(usize, usize)> = (0..rows).map(|i| (i, i)).collect();
        for i in 0..rows {
            for _ in 0..3 {
                places.push((i, (random.unit() * velocities as f64) as usize));
            }
        }
        let rectangle = Pattern::from_entries(rows, velocities, &places);
        let multipliers: Vec<bool> = (0..n).map(|i| i >= velocities).collect();
        let build = |kind| {
            let mut builder = BlockBuilder::new(n);
            let blocks = (
                builder.place(&square, 0, 0),
                builder.place(&rectangle, velocities, 0),
                builder.place_transposed(&rectangle, 0, velocities),
            );
            (builder.build(&multipliers, with(kind)), blocks)
        };
        let (mut dense, blocks) = build(Kind::Dense);
        let (mut sparse, _) = build(Kind::Sparse);
        for _ in 0..2 {
            let a: Vec<f64> = square.iter()
                .map(|(i, j)| if i == j { 8.0 + random.unit() } else { random.signed() })
                .collect();
            let g: Vec<f64> = rectangle.iter()
                .map(|(i, j)| if i == j { 4.0 } else { random.signed() })
                .collect();
            for matrix in [&mut dense, &mut sparse] {
                matrix.clear();
                matrix.add(blocks.0, 1e3, &a);
                matrix.add(blocks.1, 1.0, &g);
                matrix.add(blocks.2, -1.0, &g);
                prop_assert_eq!(matrix.factor(), Ok(()));
            }
            let b: Vec<f64> = (0..n).map(|_| random.signed()).collect();
            let (mut x, mut y) = (b.clone(), b);
            dense.solve(&mut x);
            sparse.solve(&mut y);
            prop_assert!(relative_error(&y, &x) < 1e-10);
        }
    }

    /// Singular by construction: a combination of columns.
    #[test]
    fn dependent_columns_are_found(seed in 1_u64..1_000_000, n in 2_usize..20) {
        prop_assert_eq!(factor_dependent(seed, n), Err(FactorError::Singular { unknown: n - 1 }));
    }
}

/// Two columns that nearly depend on each other: the rounding of their combination is larger than
/// that of the last column alone.
#[test]
fn dependent_columns_are_found_after_nearly_dependent_ones() {
    assert_eq!(factor_dependent(583_830, 3), Err(FactorError::Singular { unknown: 2 }));
}

/// Factors a random matrix with rows of very different sizes, whose last column is the sum of the others.
fn factor_dependent(seed: u64, n: usize) -> Result<(), FactorError> {
    let mut random = Random::new(seed);
    let mut columns: Vec<Vec<f64>> =
        (0..n).map(|_| (0..n).map(|_| random.signed()).collect()).collect();
    let last = (0..n).map(|i| columns[..n - 1].iter().map(|c| c[i]).sum()).collect();
    columns[n - 1] = last;
    let rows: Vec<f64> = (0..n).map(|_| 10_f64.powf(6.0 * random.signed())).collect();
    let values: Vec<f64> =
        columns.iter().flat_map(|c| c.iter().zip(&rows).map(|(v, r)| v * r)).collect();
    let mut builder = BlockBuilder::new(n);
    let block = builder.place(&Pattern::dense(n, n), 0, 0);
    let mut matrix = builder.build(&vec![false; n], with(Kind::Dense));
    matrix.add(block, 1.0, &values);
    matrix.factor()
}
