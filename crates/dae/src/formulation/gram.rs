//! The product `BᵀB` of a sparse matrix with itself, for the penalty of the augmented Lagrangian.

use rotula_linear::Pattern;

/// Pattern of `BᵀB`.
pub(super) fn gram_pattern(b: &Pattern) -> Pattern {
    let mut rows = vec![Vec::new(); b.rows()];
    for (row, col) in b.iter() {
        rows[row].push(col);
    }
    let mut entries = Vec::new();
    for row in &rows {
        for &i in row {
            entries.extend(row.iter().map(|&j| (i, j)));
        }
    }
    Pattern::from_entries(b.cols(), b.cols(), &entries)
}

/// Values of `BᵀB` on its pattern.
pub(super) fn gram(b: &Pattern, values: &[f64], product: &Pattern, out: &mut [f64]) {
    for j in 0..b.cols() {
        let right = b.column(j);
        let right_start = b.column_start(j);
        let start = product.column_start(j);
        for (offset, &i) in product.column(j).iter().enumerate() {
            let (left, left_start) = (b.column(i as usize), b.column_start(i as usize));
            let mut sum = 0.0;
            let (mut p, mut q) = (0, 0);
            while p < left.len() && q < right.len() {
                match left[p].cmp(&right[q]) {
                    std::cmp::Ordering::Less => p += 1,
                    std::cmp::Ordering::Greater => q += 1,
                    std::cmp::Ordering::Equal => {
                        sum += values[left_start + p] * values[right_start + q];
                        p += 1;
                        q += 1;
                    }
                }
            }
            out[start + offset] = sum;
        }
    }
}
