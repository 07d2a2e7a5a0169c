//! Where a function that is positive at first becomes negative, from its values at equal distances.

/// The place between 0 and 1 at which the first of the intervals between equally spaced values is left, by the parabola
/// through its neighbours. The first value counts as positive: a room that was just entered.
pub(crate) fn first_leaving(values: &[f64]) -> Option<f64> {
    let parts = values.len() - 1;
    let part = 1.0 / parts as f64;
    for k in 0..parts {
        let (a, b) = (values[k], values[k + 1]);
        let start = part * k as f64;
        if b < 0.0 {
            let a = a.max(0.0);
            return Some(start + part * a / (a - b));
        }
        // between two values above zero: a dip
        if let Some(s) = dip(values, k)
            && s > 0.0
        {
            return Some(start + part * s);
        }
    }
    None
}

/// Where the parabola through three neighbouring values falls below zero in interval `k`, as a part of it.
fn dip(values: &[f64], k: usize) -> Option<f64> {
    let first = if k + 2 < values.len() { k } else { k.checked_sub(1)? };
    let [a, b, c] = [values[first], values[first + 1], values[first + 2]];
    // a + s (m + s n) with s counted in parts from the first value
    let (n, m) = (0.5 * (a - 2.0 * b + c), -1.5 * a + 2.0 * b - 0.5 * c);
    let bottom = -0.5 * m / n;
    let from = (k - first) as f64;
    if !(n > 0.0 && bottom > from && bottom < from + 1.0) {
        return None;
    }
    let depth = a - n * bottom * bottom;
    (depth < 0.0).then(|| bottom - (-depth / n).sqrt() - from)
}

#[cfg(test)]
mod tests {
    use super::first_leaving;

    fn sampled(f: impl Fn(f64) -> f64) -> Option<f64> {
        let values: Vec<f64> = (0..=4).map(|k| f(k as f64 / 4.0)).collect();
        first_leaving(&values)
    }

    #[test]
    fn crossings_and_dips() {
        assert_eq!(sampled(|s| 1.0 + s), None);
        assert!((sampled(|s| 0.6 - s).unwrap() - 0.6).abs() < 1e-15);
        // in and out between two values
        let dip = |s: f64| (s - 0.37) * (s - 0.37) - 1e-3;
        let exact = 0.37 - 1e-3_f64.sqrt();
        assert!((sampled(dip).unwrap() - exact).abs() < 1e-9);
        let last = |s: f64| (s - 0.9) * (s - 0.9) - 1e-4;
        assert!((sampled(last).unwrap() - 0.89).abs() < 1e-9);
        assert_eq!(sampled(|s| (s - 0.37) * (s - 0.37) + 1e-6), None);
        // one that was just entered, with rounding on the other side
        assert_eq!(sampled(|s| s - 1e-15), None);
        assert_eq!(sampled(|s| -s), Some(0.0));
    }
}
