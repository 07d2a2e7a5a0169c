use super::*;

/// Rows: e1, e2, 1000 (e1 + 2 e2), 0, e3 + e4; column-major.
const VALUES: [f64; 20] = [
    1.0, 0.0, 1e3, 0.0, 0.0, 0.0, 1.0, 2e3, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0,
    1.0,
];

#[test]
fn combination_reproduces_the_dependent_row() {
    let pattern = Pattern::dense(5, 4);
    let report = dependent_rows(&pattern, &VALUES, 1e-10);
    assert_eq!(report.rank, 3);
    assert_eq!(report.dependent.len(), 2);
    for entry in &report.dependent {
        for j in 0..4 {
            let sum: f64 = entry.combination.iter().map(|&(i, c)| c * VALUES[5 * j + i]).sum();
            assert!((sum - VALUES[5 * j + entry.row]).abs() < 1e-9);
        }
    }
    assert_eq!(report.dependent[1].row, 3);
}

#[test]
fn the_later_of_equal_rows_is_dependent() {
    let pattern = Pattern::dense(3, 3);
    let values = [0.3, 0.5, 0.3, -0.1, 0.2, -0.1, 0.4, 0.9, 0.4];
    let report = dependent_rows(&pattern, &values, 1e-10);
    assert_eq!((report.rank, report.dependent[0].row), (2, 2));
    let (row, coefficient) = report.dependent[0].combination[0];
    assert_eq!(row, 0);
    assert!((coefficient - 1.0).abs() < 1e-12);
    assert_eq!(report.dependent[0].combination.len(), 1);
}

/// A chain of rows, each coupled with the next by one column, and some that follow from others.
#[test]
fn screening_finds_what_the_full_factorisation_finds() {
    let independent = 90;
    let mut entries: Vec<(usize, usize, f64)> = Vec::new();
    for i in 0..independent {
        let angle = i as f64;
        entries.push((i, 2 * i, 2.0 + angle.sin()));
        entries.push((i, 2 * i + 1, angle.cos()));
        entries.push((i, 2 * i + 2, 0.7 + 0.1 * angle.sin()));
    }
    let row = |i: usize, entries: &[(usize, usize, f64)]| -> Vec<(usize, f64)> {
        entries.iter().filter(|e| e.0 == i).map(|e| (e.1, e.2)).collect()
    };
    // Three times row 7; row 20 minus half of row 22; a zero row; a row that only looks like 40.
    let copies: [&[(usize, f64)]; 4] =
        [&[(7, 3.0)], &[(20, 1.0), (22, -0.5)], &[(3, 0.0)], &[(40, 1.0)]];
    for (k, copy) in copies.iter().enumerate() {
        for &(from, factor) in copy.iter() {
            for (column, value) in row(from, &entries) {
                entries.push((independent + k, column, factor * value));
            }
        }
    }
    entries.push((independent + 3, 5, 1e-6));
    let places: Vec<_> = entries.iter().map(|e| (e.0, e.1)).collect();
    let pattern = Pattern::from_entries(independent + 4, 2 * independent + 1, &places);
    let mut values = vec![0.0; pattern.entries()];
    for &(i, j, value) in &entries {
        values[pattern.position(i, j).unwrap()] += value;
    }
    let norms = row_norms(&pattern, &values);
    let suspects = screen::suspects(&pattern, &values, &norms).unwrap();
    assert!(suspects.len() < 12, "{suspects:?}");
    let report = dependent_rows(&pattern, &values, 1e-10);
    let full = dependent_among(&pattern, &values, 1e-10);
    assert_eq!(report.rank, independent + 1);
    assert_eq!(report.rank, full.rank);
    assert_eq!(report.dependent.len(), full.dependent.len());
    for (a, b) in report.dependent.iter().zip(&full.dependent) {
        assert_eq!(a.row, b.row);
        let rows = |entry: &DependentRow| -> Vec<usize> {
            entry.combination.iter().map(|c| c.0).collect()
        };
        assert_eq!(rows(a), rows(b));
        for (x, y) in a.combination.iter().zip(&b.combination) {
            assert!((x.1 - y.1).abs() < 1e-9, "{a:?} {b:?}");
        }
    }
}

#[test]
fn null_space_is_orthonormal_and_annihilated() {
    let pattern = Pattern::dense(5, 4);
    let basis = null_space(&pattern, &VALUES, 1e-10);
    assert_eq!(basis.len(), 1);
    let mut y = [0.0; 5];
    pattern.multiply_add(&VALUES, 1.0, &basis[0], &mut y);
    assert!(y.iter().all(|v| v.abs() < 1e-12));
    assert!((basis[0].iter().map(|v| v * v).sum::<f64>() - 1.0).abs() < 1e-14);
    assert_eq!(null_space(&Pattern::empty(0, 2), &[], 1e-10).len(), 2);
}

#[test]
fn least_norm() {
    let pattern = Pattern::dense(5, 4);
    let mut x = [0.0; 4];
    let residual = minimum_norm_solve(&pattern, &VALUES, &[1.0, 2.0, 5e3, 0.0, 1.0], &mut x);
    assert!(residual < 1e-14);
    for (value, expected) in x.iter().zip([1.0, 2.0, 0.5, 0.5]) {
        assert!((value - expected).abs() < 1e-14);
    }
    let residual = minimum_norm_solve(&pattern, &VALUES, &[1.0, 2.0, 5e3, 1.0, 1.0], &mut x);
    assert_eq!(residual, 1.0);
}
