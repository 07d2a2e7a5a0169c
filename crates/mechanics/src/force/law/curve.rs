//! Functions through points.

use crate::error::ModelError;

/// How points are joined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// By straight lines.
    #[default]
    Linear,
    /// By cubics with a continuous slope that rise and fall only where the points do.
    MonotoneCubic,
}

/// A function through points with increasing x; beyond the ends it goes on with the slopes there.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    x: Vec<f64>,
    y: Vec<f64>,
    /// Slopes at the left and right end of every piece.
    slopes: Vec<[f64; 2]>,
    /// The integral from the first point to each point.
    integrals: Vec<f64>,
}

impl Curve {
    /// A curve through points.
    pub fn new(points: &[(f64, f64)], interpolation: Interpolation) -> Result<Self, ModelError> {
        let fault = |what: String| Err(ModelError::invalid("table", what));
        if points.len() < 2 {
            return fault(format!("it has {} points; give at least two", points.len()));
        }
        if let Some(k) = points.iter().position(|(x, y)| !(x.is_finite() && y.is_finite())) {
            return fault(format!("point {} is not finite", k + 1));
        }
        if let Some(pair) = points.windows(2).find(|pair| pair[1].0 <= pair[0].0) {
            return fault(format!(
                "its x must increase, but {} follows {}; sort the points and leave out doubles",
                pair[1].0, pair[0].0
            ));
        }
        let (x, y): (Vec<f64>, Vec<f64>) = points.iter().copied().unzip();
        let secants: Vec<f64> =
            (1..x.len()).map(|k| (y[k] - y[k - 1]) / (x[k] - x[k - 1])).collect();
        let slopes: Vec<[f64; 2]> = match interpolation {
            Interpolation::Linear => secants.iter().map(|s| [*s, *s]).collect(),
            Interpolation::MonotoneCubic => {
                let slopes = monotone_slopes(&x, &secants);
                slopes.windows(2).map(|pair| [pair[0], pair[1]]).collect()
            }
        };
        let mut curve = Curve { integrals: vec![0.0; x.len()], x, y, slopes };
        for k in 1..curve.x.len() {
            curve.integrals[k] = curve.integrals[k - 1] + curve.piece_integral(k - 1, 1.0);
        }
        Ok(curve)
    }

    /// Value and slope.
    pub fn value(&self, x: f64) -> (f64, f64) {
        let last = self.x.len() - 1;
        let beyond = |end: usize, slope: f64| (self.y[end] + slope * (x - self.x[end]), slope);
        if x < self.x[0] {
            return beyond(0, self.slopes[0][0]);
        }
        if x >= self.x[last] {
            return beyond(last, self.slopes[last - 1][1]);
        }
        let k = self.piece(x);
        let width = self.x[k + 1] - self.x[k];
        let s = (x - self.x[k]) / width;
        let [c0, c1, c2, c3] = self.coefficients(k);
        (c0 + s * (c1 + s * (c2 + s * c3)), (c1 + s * (2.0 * c2 + s * 3.0 * c3)) / width)
    }

    /// The integral from the first point to `x`.
    pub fn integral(&self, x: f64) -> f64 {
        let last = self.x.len() - 1;
        let beyond = |end: usize, slope: f64| {
            let way = x - self.x[end];
            self.integrals[end] + way * (self.y[end] + 0.5 * slope * way)
        };
        if x < self.x[0] {
            return beyond(0, self.slopes[0][0]);
        }
        if x >= self.x[last] {
            return beyond(last, self.slopes[last - 1][1]);
        }
        let k = self.piece(x);
        let s = (x - self.x[k]) / (self.x[k + 1] - self.x[k]);
        self.integrals[k] + self.piece_integral(k, s)
    }

    /// The piece in which a place between the ends lies.
    fn piece(&self, x: f64) -> usize {
        self.x[1..self.x.len() - 1].partition_point(|start| *start <= x)
    }

    /// The piece as a cubic in `s`, which runs from 0 to 1.
    fn coefficients(&self, k: usize) -> [f64; 4] {
        let width = self.x[k + 1] - self.x[k];
        let [left, right] = self.slopes[k].map(|slope| slope * width);
        let rise = self.y[k + 1] - self.y[k];
        [self.y[k], left, 3.0 * rise - 2.0 * left - right, left + right - 2.0 * rise]
    }

    /// The integral over the piece from its beginning to `s`.
    fn piece_integral(&self, k: usize, s: f64) -> f64 {
        let [c0, c1, c2, c3] = self.coefficients(k);
        let width = self.x[k + 1] - self.x[k];
        width * s * (c0 + s * (c1 / 2.0 + s * (c2 / 3.0 + s * c3 / 4.0)))
    }
}

/// Slopes at the points for which no piece overshoots: weighted harmonic means of the slopes of the
/// neighbouring lines, and zero where these change sign (Fritsch and Butland, 1984). At the ends the
/// slope of the parabola through three points, kept within the bounds of monotony.
fn monotone_slopes(x: &[f64], secants: &[f64]) -> Vec<f64> {
    let widths: Vec<f64> = x.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let pieces = secants.len();
    if pieces == 1 {
        return vec![secants[0]; 2];
    }
    let end = |h: f64, next_h: f64, secant: f64, next: f64| {
        let slope = ((2.0 * h + next_h) * secant - h * next) / (h + next_h);
        if slope * secant <= 0.0 {
            0.0
        } else if secant * next <= 0.0 && slope.abs() > 3.0 * secant.abs() {
            3.0 * secant
        } else {
            slope
        }
    };
    let mut slopes = vec![end(widths[0], widths[1], secants[0], secants[1])];
    for k in 1..pieces {
        let (before, after) = (secants[k - 1], secants[k]);
        slopes.push(if before * after <= 0.0 {
            0.0
        } else {
            let (w1, w2) = (2.0 * widths[k] + widths[k - 1], widths[k] + 2.0 * widths[k - 1]);
            (w1 + w2) / (w1 / before + w2 / after)
        });
    }
    let (last, other) = (pieces - 1, pieces - 2);
    slopes.push(end(widths[last], widths[other], secants[last], secants[other]));
    slopes
}

#[cfg(test)]
mod tests {
    use super::*;

    const POINTS: [(f64, f64); 5] = [(-1.0, 2.0), (0.0, 0.5), (0.5, 0.4), (2.0, -3.0), (2.5, 1.0)];

    /// Simpson's rule on every piece is exact for cubics.
    fn simpson(curve: &Curve, from: f64, to: f64) -> f64 {
        let mut cuts: Vec<f64> =
            POINTS.iter().map(|p| p.0).filter(|x| (from..to).contains(x)).collect();
        cuts.insert(0, from);
        cuts.push(to);
        let f = |x: f64| curve.value(x).0;
        let rule =
            |p: &[f64]| (p[1] - p[0]) / 6.0 * (f(p[0]) + 4.0 * f(0.5 * (p[0] + p[1])) + f(p[1]));
        cuts.windows(2).map(rule).sum()
    }

    #[test]
    fn goes_through_its_points_with_exact_slopes_and_integrals() {
        for kind in [Interpolation::Linear, Interpolation::MonotoneCubic] {
            let curve = Curve::new(&POINTS, kind).unwrap();
            for (x, y) in POINTS {
                assert!((curve.value(x).0 - y).abs() < 1e-14);
            }
            for x in [-3.0, -0.7, 0.2, 1.1, 2.2, 4.0] {
                let h = 1e-5;
                let slope = (curve.value(x + h).0 - curve.value(x - h).0) / (2.0 * h);
                assert!((curve.value(x).1 - slope).abs() < 1e-8, "{kind:?} at {x}");
                let exact =
                    if x < -1.0 { -simpson(&curve, x, -1.0) } else { simpson(&curve, -1.0, x) };
                assert!((curve.integral(x) - exact).abs() < 1e-13, "{kind:?} at {x}");
            }
        }
    }

    #[test]
    fn cubics_have_continuous_slopes_and_do_not_overshoot() {
        let curve = Curve::new(&POINTS, Interpolation::MonotoneCubic).unwrap();
        for (x, _) in POINTS {
            let (before, after) = (curve.value(x - 1e-9).1, curve.value(x + 1e-9).1);
            assert!((before - after).abs() < 1e-6, "at {x}: {before}, {after}");
        }
        for pair in POINTS.windows(2) {
            let ((a, fa), (b, fb)) = (pair[0], pair[1]);
            for k in 0..=100 {
                let y = curve.value(a + (b - a) * k as f64 / 100.0).0;
                assert!(y <= fa.max(fb) + 1e-14 && y >= fa.min(fb) - 1e-14);
            }
        }
    }

    #[test]
    fn bad_tables_are_refused() {
        let error = |points: &[(f64, f64)]| {
            Curve::new(points, Interpolation::Linear).unwrap_err().to_string()
        };
        assert!(error(&[(0.0, 1.0)]).contains("at least two"));
        assert!(error(&[(0.0, 1.0), (0.0, 2.0)]).contains("must increase"));
        assert!(error(&[(0.0, 1.0), (f64::NAN, 2.0)]).contains("point 2 is not finite"));
    }
}
