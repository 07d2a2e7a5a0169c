//! Cubic splines through points in space.

use nalgebra::Vector3;

/// A cubic spline with continuous second derivative. An open one has no curvature at its ends and
/// goes on straight beyond them; a closed one is periodic.
#[derive(Clone, Debug)]
pub(super) struct Spline {
    knots: Vec<f64>,
    points: Vec<Vector3<f64>>,
    /// Second derivatives at the knots.
    bends: Vec<Vector3<f64>>,
    closed: bool,
}

impl Spline {
    /// Through points at increasing knots; for a closed one, the last point repeats the first.
    pub(super) fn through(knots: Vec<f64>, points: Vec<Vector3<f64>>, closed: bool) -> Self {
        let n = knots.len() - 1;
        let width = |i: usize| knots[i + 1] - knots[i];
        let slope = |i: usize| (points[i + 1] - points[i]) / width(i);
        let mut bends = vec![Vector3::zeros(); n + 1];
        if closed {
            // unknowns 0..n; row i: h₋ M₋ + 2(h₋ + h) M + h M₊ = 6 (slope − slope₋)
            let before = |i: usize| (i + n - 1) % n;
            let h: Vec<f64> = (0..n).map(width).collect();
            let diagonal: Vec<f64> = (0..n).map(|i| 2.0 * (h[before(i)] + h[i])).collect();
            let right: Vec<_> = (0..n).map(|i| (slope(i) - slope(before(i))) * 6.0).collect();
            bends[..n].copy_from_slice(&solve_cyclic(&h, &diagonal, &right));
            bends[n] = bends[0];
        } else if n > 1 {
            let diagonal: Vec<f64> = (1..n).map(|i| 2.0 * (width(i - 1) + width(i))).collect();
            let beside: Vec<f64> = (1..n - 1).map(width).collect();
            let right: Vec<_> = (1..n).map(|i| (slope(i) - slope(i - 1)) * 6.0).collect();
            bends[1..n].copy_from_slice(&solve(&beside, &diagonal, right));
        }
        Spline { knots, points, bends, closed }
    }

    /// The point and its first four derivatives with respect to the parameter.
    pub(super) fn derivatives(&self, s: f64) -> [Vector3<f64>; 5] {
        let (first, last) = (self.knots[0], self.knots[self.knots.len() - 1]);
        let zero = Vector3::zeros();
        let s = if self.closed { first + (s - first).rem_euclid(last - first) } else { s };
        if s < first || s > last {
            let end = if s < first { first } else { last };
            let [point, slope, ..] = self.derivatives(end);
            return [point + slope * (s - end), slope, zero, zero, zero];
        }
        let n = self.knots.len() - 1;
        let i = self.knots.partition_point(|knot| *knot <= s).clamp(1, n) - 1;
        let h = self.knots[i + 1] - self.knots[i];
        let (u, w) = (s - self.knots[i], self.knots[i + 1] - s);
        let (m, m_next) = (self.bends[i], self.bends[i + 1]);
        let (a, b) =
            (self.points[i] / h - m * (h / 6.0), self.points[i + 1] / h - m_next * (h / 6.0));
        [
            m * (w * w * w / (6.0 * h)) + m_next * (u * u * u / (6.0 * h)) + a * w + b * u,
            m_next * (u * u / (2.0 * h)) - m * (w * w / (2.0 * h)) + b - a,
            (m * w + m_next * u) / h,
            (m_next - m) / h,
            zero,
        ]
    }
}

/// Solves a symmetric tridiagonal system; `beside` is the off-diagonal.
fn solve(beside: &[f64], diagonal: &[f64], mut right: Vec<Vector3<f64>>) -> Vec<Vector3<f64>> {
    let mut pivots = diagonal.to_vec();
    for i in 1..pivots.len() {
        let factor = beside[i - 1] / pivots[i - 1];
        pivots[i] -= factor * beside[i - 1];
        let above = right[i - 1];
        right[i] -= above * factor;
    }
    for i in (0..pivots.len()).rev() {
        if i + 1 < pivots.len() {
            let below = right[i + 1];
            right[i] -= below * beside[i];
        }
        right[i] /= pivots[i];
    }
    right
}

/// Solves a symmetric cyclic tridiagonal system by a rank-one change of a tridiagonal one; entry `i`
/// of `beside` couples `i` with `i + 1`, the last one with the first.
fn solve_cyclic(beside: &[f64], diagonal: &[f64], right: &[Vector3<f64>]) -> Vec<Vector3<f64>> {
    let n = diagonal.len();
    let corner = beside[n - 1];
    // A = T + u wᵀ with u = (−d, 0, …, 0, c), w = (1, 0, …, 0, −c/d)
    let gamma = -diagonal[0];
    let mut changed = diagonal.to_vec();
    changed[0] -= gamma;
    changed[n - 1] -= corner * corner / gamma;
    let plain = solve(&beside[..n - 1], &changed, right.to_vec());
    let mut unit = vec![Vector3::zeros(); n];
    (unit[0].x, unit[n - 1].x) = (gamma, corner);
    let along: Vec<f64> = solve(&beside[..n - 1], &changed, unit).iter().map(|v| v.x).collect();
    let tail = corner / gamma;
    let factor = (plain[0] + plain[n - 1] * tail) / (1.0 + along[0] + along[n - 1] * tail);
    plain.iter().zip(&along).map(|(x, z)| x - factor * *z).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wavy(closed: bool) -> Spline {
        let mut points: Vec<_> = [(0.0, 0.0), (1.0, 0.3), (1.4, 1.2), (0.4, 1.9), (-0.5, 0.8)]
            .map(|(x, y)| Vector3::new(x, y, x * y))
            .into();
        if closed {
            points.push(points[0]);
        }
        let knots = [0.0, 1.0, 1.9, 3.2, 4.4, 5.0][..points.len()].to_vec();
        Spline::through(knots, points, closed)
    }

    #[test]
    fn it_goes_through_its_points_with_two_continuous_derivatives() {
        for closed in [false, true] {
            let spline = wavy(closed);
            for (k, knot) in spline.knots.iter().enumerate() {
                let (before, after) =
                    (spline.derivatives(knot - 1e-9), spline.derivatives(knot + 1e-9));
                assert!((spline.derivatives(*knot)[0] - spline.points[k]).norm() < 1e-14);
                for d in 0..3 {
                    assert!((before[d] - after[d]).norm() < 1e-7, "closed {closed}, knot {k}, {d}");
                }
            }
        }
    }

    #[test]
    fn derivatives_agree_with_differences() {
        let (spline, h) = (wavy(true), 1e-4);
        for s in [0.4, 1.5, 2.2, 4.8, 6.1] {
            let (up, down) = (spline.derivatives(s + h), spline.derivatives(s - h));
            for d in 0..3 {
                let difference = (up[d] - down[d]) / (2.0 * h);
                assert!((difference - spline.derivatives(s)[d + 1]).norm() < 1e-6);
            }
        }
    }
}
