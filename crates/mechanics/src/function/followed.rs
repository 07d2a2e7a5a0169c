//! A number that is set from outside while a run goes on, as a function of time that motions can follow.
//!
//! A motion needs velocity and acceleration, and an input jumps. So a new value `u`, set at `t₀`, is reached within a time `T` and not at once, on
//! the polynomial that leads on from where the motion is: with `τ = t − t₀`, from position, velocity and acceleration at `τ = 0`
//!
//! ```text
//! a position   to u, at rest, at τ = T          (degree 5)
//! a velocity   to the rate u, steady, at τ = T  (degree 4 for the position)
//! ```
//!
//! and beyond in a straight line. Acceleration never jumps.

use super::TimeFunction;
use rotula_dae::checkpoint::{Reader, Unreadable, Writer};

/// What an input gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// Where the coordinate shall be.
    Position,
    /// How fast it shall go.
    Velocity,
}

/// A function of time that follows an input.
#[derive(Clone, Debug)]
pub struct Followed {
    /// The name of the input.
    pub input: String,
    given: Given,
    within: f64,
    /// When the input was set last, coefficients of the way from there, and the line behind: its place and slope.
    since: f64,
    way: [f64; 6],
    line: [f64; 2],
}

impl Followed {
    /// Follows an input that has a value at first, each change within a time; a coordinate whose velocity is given is `at` a place at first.
    pub fn new(input: &str, given: Given, value: f64, at: f64, within: f64) -> Self {
        let line = match given {
            Given::Position => [value, 0.0],
            Given::Velocity => [at, value],
        };
        let way = [line[0], line[1], 0.0, 0.0, 0.0, 0.0];
        // the line goes on from the end of the way
        let line = [line[0] + line[1] * within, line[1]];
        Followed { input: input.into(), given, within, since: 0.0, way, line }
    }

    /// Value, first and second derivative.
    pub(super) fn evaluate(&self, t: f64) -> [f64; 3] {
        let tau = t - self.since;
        if tau >= self.within {
            return [self.line[0] + self.line[1] * (tau - self.within), self.line[1], 0.0];
        }
        let [mut value, mut rate, mut bend] = [0.0; 3];
        for (k, c) in self.way.iter().enumerate().rev() {
            let k = k as f64;
            value = value * tau + c;
            if k >= 1.0 {
                rate = rate * tau + k * c;
            }
            if k >= 2.0 {
                bend = bend * tau + k * (k - 1.0) * c;
            }
        }
        [value, rate, bend]
    }

    /// The input has a new value from a time on.
    pub(super) fn set(&mut self, value: f64, t: f64) {
        let [p, v, a] = self.evaluate(t);
        let span = self.within;
        self.since = t;
        (self.way, self.line) = match self.given {
            Given::Position => {
                let far = value - p;
                let (s2, s3) = (span * span, span * span * span);
                let way = [
                    p,
                    v,
                    0.5 * a,
                    (20.0 * far - 12.0 * v * span - 3.0 * a * s2) / (2.0 * s3),
                    (-30.0 * far + 16.0 * v * span + 3.0 * a * s2) / (2.0 * s3 * span),
                    (12.0 * far - 6.0 * v * span - a * s2) / (2.0 * s3 * s2),
                ];
                (way, [value, 0.0])
            }
            Given::Velocity => {
                // the rate is v + a τ + b τ² + c τ³, which ends at the new rate without acceleration
                let faster = value - v;
                let b = (3.0 * faster - 2.0 * a * span) / (span * span);
                let c = (a * span - 2.0 * faster) / (span * span * span);
                let way = [p, v, 0.5 * a, b / 3.0, 0.25 * c, 0.0];
                let end = way.iter().rev().fold(0.0, |sum, c| sum * span + c);
                (way, [end, value])
            }
        };
    }

    pub(super) fn save(&self, out: &mut Writer) {
        out.put(&(self.since, self.way, self.line));
    }

    pub(super) fn load(&mut self, from: &mut Reader) -> Result<(), Unreadable> {
        (self.since, self.way, self.line) = from.get()?;
        Ok(())
    }
}

impl TimeFunction {
    /// An input has a new value from a time on; of interest to a function that follows it.
    pub(crate) fn input_set(&mut self, input: &str, value: f64, t: f64) {
        if let TimeFunction::Followed(followed) = self
            && followed.input == input
        {
            followed.set(value, t);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Derivatives against differences, and nothing that jumps where the input is set or the way ends.
    #[test]
    fn ways_are_smooth_and_lead_where_they_should() {
        for (given, end) in
            [(Given::Position, [0.7, 0.0, 0.0]), (Given::Velocity, [f64::NAN, 0.7, 0.0])]
        {
            let mut followed = Followed::new("u", given, 0.2, -0.1, 0.5);
            for (t, value) in [(1.0, 1.5), (1.3, -2.0), (1.6, 0.7)] {
                let before = followed.evaluate(t);
                followed.set(value, t);
                let after = followed.evaluate(t);
                assert!(
                    (0..3).all(|k| (before[k] - after[k]).abs() < 1e-12),
                    "{before:?} {after:?}"
                );
            }
            let h = 1e-5;
            for t in [1.61, 1.8, 2.05, 2.2] {
                let [a, b] = [followed.evaluate(t - h), followed.evaluate(t + h)];
                let here = followed.evaluate(t);
                for k in 0..2 {
                    let slope = (b[k] - a[k]) / (2.0 * h);
                    assert!((slope - here[k + 1]).abs() < 1e-6, "{k} at {t}: {slope}, {here:?}");
                }
            }
            let (close, there) = (followed.evaluate(2.1 - 1e-10), followed.evaluate(2.1));
            assert!((0..3).all(|k| (close[k] - there[k]).abs() < 1e-6), "{close:?} {there:?}");
            assert!((0..3).all(|k| end[k].is_nan() || (there[k] - end[k]).abs() < 1e-12));
        }
    }
}
