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

/// Root mean square of values divided by weights.
#[inline]
pub(crate) fn rms_weighted(values: impl Iterator<Item = f64>, weights: &[f64]) -> f64 {
    if weights.is_empty() {
        return 0.0;
    }
    let sum: f64 = values.zip(weights).map(|(v, w)| (v / w) * (v / w)).sum();
    (sum / weights.len() as f64).sqrt()
}

/// Largest magnitude; NaN if any entry is NaN.
#[inline]
pub(crate) fn max_abs(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |m: f64, v| if v.is_nan() { f64::NAN } else { m.max(v.abs()) })
}
