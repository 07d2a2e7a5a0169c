//! Where a gap closes between two instants at which it and its rate are known.

/// Values of the interpolating cubic that are looked at.
const SAMPLES: usize = 8;
const BISECTIONS: usize = 50;

/// A gap and its rate at an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sight {
    pub gap: f64,
    pub rate: f64,
}

/// Whether a gap that is open at both ends of a step may have closed between them: the tangents at the ends, with a
/// margin, meet below zero. A gap between bodies that fly past each other is convex and lies above its tangents.
pub(crate) fn may_dip(from: Sight, to: Sight, h: f64) -> bool {
    let (falls, rises) = (-from.rate, to.rate);
    if falls <= 0.0 || rises <= 0.0 {
        return false;
    }
    let meet = (from.gap * rises + to.gap * falls - h * falls * rises) / (falls + rises);
    meet <= 0.1 * h * falls.max(rises)
}

/// The instant in `(0, h]` at which the gap goes from positive to negative first, by the cubic through both ends.
pub(crate) fn first_closing(from: Sight, to: Sight, h: f64) -> Option<f64> {
    let cubic = Cubic::new(from, to, h);
    let mut low = 0.0;
    if from.gap <= 0.0 {
        // It opens first.
        low = cubic.first_top()?;
        if cubic.at(low) <= 0.0 {
            // Too little to be seen: it comes back as fast as it went.
            return (to.gap <= 0.0).then_some((2.0 * low).min(1.0) * h);
        }
    }
    let sample = |k: usize| low + (1.0 - low) * k as f64 / SAMPLES as f64;
    let closed = (1..=SAMPLES).find(|&k| cubic.at(sample(k)) <= 0.0);
    let (mut open, mut shut) = match closed {
        Some(k) => (sample(k - 1), sample(k)),
        // A dip between two samples.
        None => (low, cubic.bottom().filter(|&s| cubic.at(s) <= 0.0)?),
    };
    for _ in 0..BISECTIONS {
        let middle = 0.5 * (open + shut);
        if cubic.at(middle) > 0.0 { open = middle } else { shut = middle }
    }
    Some(shut * h)
}

/// The least gap between the ends, by the cubic through both, if it falls first and rises then.
pub(crate) fn least_gap(from: Sight, to: Sight, h: f64) -> Option<f64> {
    let cubic = Cubic::new(from, to, h);
    cubic.bottom().map(|s| cubic.at(s))
}

struct Cubic([f64; 4]);

impl Cubic {
    fn new(from: Sight, to: Sight, h: f64) -> Self {
        let (m0, m1, d) = (h * from.rate, h * to.rate, to.gap - from.gap);
        Cubic([from.gap, m0, 3.0 * d - 2.0 * m0 - m1, m0 + m1 - 2.0 * d])
    }

    fn at(&self, s: f64) -> f64 {
        let Cubic([a, b, c, d]) = self;
        a + s * (b + s * (c + s * d))
    }

    /// Where it is level, in `(0, 1)`: tops and bottoms in their order.
    fn level(&self) -> [Option<f64>; 2] {
        let Cubic([_, b, c, d]) = *self;
        let root = (c * c - 3.0 * b * d).sqrt();
        if !root.is_finite() {
            return [None; 2];
        }
        // the one that does not cancel first
        let q = -(c + root.copysign(c));
        let mut both = [q / (3.0 * d), b / q];
        both.sort_by(f64::total_cmp);
        both.map(|s| Some(s).filter(|s| *s > 0.0 && *s < 1.0))
    }

    fn curvature(&self, s: f64) -> f64 {
        2.0 * self.0[2] + 6.0 * self.0[3] * s
    }

    fn first_top(&self) -> Option<f64> {
        self.level().into_iter().flatten().find(|&s| self.curvature(s) <= 0.0)
    }

    fn bottom(&self) -> Option<f64> {
        self.level().into_iter().flatten().find(|&s| self.curvature(s) >= 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A gap `a + b t + c t²` and its rate.
    fn parabola([a, b, c]: [f64; 3], t: f64) -> Sight {
        Sight { gap: a + t * (b + t * c), rate: b + 2.0 * c * t }
    }

    #[test]
    fn a_falling_gap_closes_where_it_should() {
        let fall = [1.0, -0.5, -4.905];
        let exact = (-0.5 + (0.25f64 + 4.0 * 4.905).sqrt()) / (2.0 * 4.905);
        let found = first_closing(parabola(fall, 0.0), parabola(fall, 2.0), 2.0).unwrap();
        assert!((found - exact).abs() < 1e-12, "{found} {exact}");
        assert_eq!(first_closing(parabola(fall, 0.0), parabola(fall, 0.3), 0.3), None);
    }

    #[test]
    fn a_bounce_comes_back() {
        // from the surface, or from just below it
        for start in [0.0, -1e-12] {
            let bounce = [start, 2.0, -4.905];
            let found = first_closing(parabola(bounce, 0.0), parabola(bounce, 1.0), 1.0).unwrap();
            assert!((found - 2.0 / 4.905).abs() < 1e-9, "{found}");
        }
        let bounce = [0.0, 2.0, -4.905];
        assert_eq!(first_closing(parabola(bounce, 0.0), parabola(bounce, 0.2), 0.2), None);
        // a bounce that is far shorter than the step
        let short = [0.0, 1e-4, -4.905];
        let found = first_closing(parabola(short, 0.0), parabola(short, 1.0), 1.0).unwrap();
        assert!((found - 1e-4 / 4.905).abs() < 1e-9, "{found}");
    }

    #[test]
    fn a_dip_within_a_step_is_found() {
        for depth in [1e-2, 1e-6, 1e-10] {
            // lowest at 0.37
            let dip = [4.905 * 0.37 * 0.37 - depth, -2.0 * 4.905 * 0.37, 4.905];
            let (from, to) = (parabola(dip, 0.0), parabola(dip, 1.0));
            assert!(may_dip(from, to, 1.0));
            let found = first_closing(from, to, 1.0).unwrap();
            let exact = 0.37 - (depth / 4.905).sqrt();
            assert!((found - exact).abs() < 1e-5, "{found} {exact}");
        }
        let above = [4.905 * 0.37 * 0.37 + 1.0, -2.0 * 4.905 * 0.37, 4.905];
        assert!(
            !may_dip(parabola(above, 0.0), parabola(above, 1.0), 1.0) || {
                first_closing(parabola(above, 0.0), parabola(above, 1.0), 1.0).is_none()
            }
        );
    }
}
