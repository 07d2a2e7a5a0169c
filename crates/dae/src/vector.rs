//! Small loops over slices.

/// `out = a + c b`.
#[inline]
pub(crate) fn scaled_sum(a: &[f64], c: f64, b: &[f64], out: &mut [f64]) {
    for ((o, a), b) in out.iter_mut().zip(a).zip(b) {
        *o = a + c * b;
    }
}

/// `y += c x`.
#[inline]
pub(crate) fn add_scaled(y: &mut [f64], c: f64, x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += c * x;
    }
}

/// So many values in the memory of a vector.
pub(crate) fn anew<T: Clone>(vector: &mut Vec<T>, count: usize, value: T) {
    vector.clear();
    vector.resize(count, value);
}

/// Root mean square of combined values divided by weights; the arrays must be as long as the
/// weights at least.
#[inline]
pub(crate) fn rms_weighted<const N: usize>(
    values: [&[f64]; N],
    combine: impl Fn([f64; N]) -> f64,
    weights: &[f64],
) -> f64 {
    let n = weights.len();
    if n == 0 {
        return 0.0;
    }
    let values = values.map(|array| &array[..n]);
    let square = |values: [f64; N], weight: f64| {
        let scaled = combine(values) / weight;
        scaled * scaled
    };
    // Four sums at a time: a single one would wait for each addition.
    let columns = values.map(|array| array.as_chunks::<4>().0);
    let (groups, rest) = weights.as_chunks::<4>();
    let mut sums = [0.0; 4];
    for (g, weights) in groups.iter().enumerate() {
        let lanes = columns.map(|column| column[g]);
        sums = std::array::from_fn(|l| sums[l] + square(lanes.map(|lane| lane[l]), weights[l]));
    }
    let mut sum = sums[0] + sums[1] + (sums[2] + sums[3]);
    for (i, weight) in (n - rest.len()..n).zip(rest) {
        sum += square(values.map(|array| array[i]), *weight);
    }
    (sum / n as f64).sqrt()
}

/// True if every number is finite; looks at all of them, which is faster than stopping early.
#[inline]
pub(crate) fn all_finite(values: &[f64]) -> bool {
    values.iter().fold(true, |finite, value| finite & value.is_finite())
}

/// The larger of two numbers; NaN if one of them is, which [`f64::max`] would forget.
#[inline]
pub(crate) fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

/// A size over its bound; nothing is within any bound, also within none.
#[inline]
pub(crate) fn over(size: f64, bound: f64) -> f64 {
    if size == 0.0 { 0.0 } else { size / bound }
}

/// Largest magnitude; NaN if any entry is NaN.
#[inline]
pub(crate) fn max_abs(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |largest, value| larger(largest, value.abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_later_number_hides_what_is_none() {
        for place in 0..3 {
            let mut values = [1.0, -3.0, 2.0];
            assert_eq!(max_abs(&values), 3.0);
            values[place] = f64::NAN;
            assert!(max_abs(&values).is_nan(), "{place}");
        }
        assert!(larger(f64::NAN, 1.0).is_nan() && larger(1.0, f64::NAN).is_nan());
        assert_eq!((larger(1.0, 2.0), larger(2.0, 1.0)), (2.0, 2.0));
        assert_eq!((over(0.0, 0.0), over(1.0, 2.0)), (0.0, 0.5));
        assert!(over(f64::NAN, 1.0).is_nan());
    }

    #[test]
    fn root_mean_square_of_any_length() {
        for n in 0..23 {
            let a: Vec<f64> = (0..n + 2).map(|i| (i as f64).sin()).collect();
            let b: Vec<f64> = (0..n + 1).map(|i| (i as f64).cos()).collect();
            let weights: Vec<f64> = (0..n).map(|i| 1.0 + i as f64).collect();
            let sum: f64 = (0..n).map(|i| ((a[i] - b[i]) / weights[i]).powi(2)).sum();
            let expected = (sum / (n as f64).max(1.0)).sqrt();
            let found = rms_weighted([&a, &b], |[a, b]| a - b, &weights);
            assert!((found - expected).abs() < 1e-15, "{n}: {found} {expected}");
        }
    }

    #[test]
    fn numbers_that_are_not_finite_are_seen_at_any_place() {
        for n in 1..9 {
            for i in 0..n {
                let mut values = vec![1.0; n];
                assert!(all_finite(&values));
                values[i] = if i % 2 == 0 { f64::NAN } else { f64::NEG_INFINITY };
                assert!(!all_finite(&values));
            }
        }
    }
}
