//! Fewer points that draw the same picture.

/// Rows of `values` to keep so that at most about `limit` remain, or `None` if all may stay.
///
/// The first and last row stay, and in each of equal groups of rows the smallest and the largest
/// value: a peak of one sample survives. A group with values that are not finite keeps one of them,
/// so that gaps stay visible.
pub fn decimate(values: &[f64], limit: usize) -> Option<Vec<usize>> {
    if values.len() <= limit.max(8) {
        return None;
    }
    let gaps = values.iter().any(|value| !value.is_finite());
    let per_group = if gaps { 3 } else { 2 };
    let groups = ((limit.max(8) - 2) / per_group).max(1);
    let mut kept = Vec::with_capacity(groups * per_group + 2);
    kept.push(0);
    for group in 0..groups {
        let (from, to) = (group * values.len() / groups, (group + 1) * values.len() / groups);
        let start = kept.len();
        kept.extend(extremes(values, from, to));
        kept[start..].sort_unstable();
    }
    kept.push(values.len() - 1);
    kept.dedup();
    Some(kept)
}

/// Rows of the smallest, the largest and the first non-finite value in a range.
fn extremes(values: &[f64], from: usize, to: usize) -> impl Iterator<Item = usize> {
    let (mut low, mut high, mut gap) = (None, None, None);
    for i in from..to {
        let value = values[i];
        if !value.is_finite() {
            gap = gap.or(Some(i));
            continue;
        }
        if low.is_none_or(|at: usize| value < values[at]) {
            low = Some(i);
        }
        if high.is_none_or(|at: usize| value > values[at]) {
            high = Some(i);
        }
    }
    [low, high, gap].into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::decimate;

    #[test]
    fn short_curves_stay_whole() {
        assert_eq!(decimate(&[1.0; 100], 100), None);
    }

    #[test]
    fn extremes_and_ends_survive() {
        let mut values: Vec<f64> = (0..100_000).map(|i| (i as f64 * 0.01).sin()).collect();
        values[31_415] = 7.0;
        values[27_182] = -9.0;
        let kept = decimate(&values, 1000).unwrap();
        assert!(kept.len() <= 1000);
        assert!(kept.is_sorted_by(|a, b| a < b));
        assert!(kept.contains(&31_415) && kept.contains(&27_182));
        assert_eq!((kept[0], *kept.last().unwrap()), (0, 99_999));
    }

    #[test]
    fn gaps_survive() {
        let mut values = vec![0.5; 10_000];
        values[5_000] = f64::NAN;
        let kept = decimate(&values, 300).unwrap();
        assert!(kept.len() <= 300 && kept.contains(&5_000));
    }
}
