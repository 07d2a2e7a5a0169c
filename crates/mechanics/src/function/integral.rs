//! Integrals of functions of time: a position from a given velocity or acceleration.

use super::TimeFunction;
use super::quadrature::integrate;
use crate::error::ModelError;
use rotula_dae::checkpoint::{Reader, Unreadable, Writer};
use rotula_formula::Instants;

/// Most instants at which integrals are kept; when they are full, every second one is dropped.
const MOST: usize = 512;

/// How often the function is integrated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Times {
    Once,
    Twice,
}

/// The integral from t = 0 of a function of time, once or twice.
///
/// The first derivatives are those of the function itself, without quadrature. Integrals are kept at
/// instants on the way, so that a step costs one quadrature over a short interval.
#[derive(Clone, Debug)]
pub struct Integral {
    function: TimeFunction,
    times: Times,
    value: f64,
    rate: f64,
    kept: Vec<Kept>,
    /// Instants are kept no nearer to each other than this.
    spacing: f64,
    /// Known jumps of the function, in order.
    jumps: Vec<f64>,
}

/// `∫f` and `∬f` from zero to `t`.
#[derive(Clone, Copy, Debug)]
struct Kept {
    t: f64,
    once: f64,
    twice: f64,
}

impl Integral {
    /// `value + ∫f`: the position that belongs to a velocity.
    pub fn of_velocity(function: TimeFunction, value: f64) -> Self {
        Integral::new(function, Times::Once, value, 0.0)
    }

    /// `value + rate t + ∬f`: the position that belongs to an acceleration.
    pub fn of_acceleration(function: TimeFunction, value: f64, rate: f64) -> Self {
        Integral::new(function, Times::Twice, value, rate)
    }

    /// Says where the function jumps or has a kink. Without this such places are found by halving
    /// intervals, which is as accurate and slower.
    pub fn with_jumps(mut self, jumps: &[f64]) -> Result<Self, ModelError> {
        if jumps.iter().any(|t| !t.is_finite()) || !jumps.is_sorted_by(|a, b| a < b) {
            return Err(ModelError::invalid(
                format!("the jumps of `{:?}`", self.function),
                "give finite times in increasing order",
            ));
        }
        self.jumps = jumps.to_vec();
        Ok(self)
    }

    fn new(function: TimeFunction, times: Times, value: f64, rate: f64) -> Self {
        let mut kept = Vec::with_capacity(MOST);
        kept.push(Kept { t: 0.0, once: 0.0, twice: 0.0 });
        let jumps = function.jumps(1).to_vec();
        Integral { function, times, value, rate, kept, spacing: 0.0, jumps }
    }

    /// Known times at which the integral or one of its first `order` derivatives jumps.
    pub(super) fn jumps(&self, order: usize) -> &[f64] {
        let times = if self.times == Times::Once { 1 } else { 2 };
        match order < times {
            true => &[],
            false => &self.jumps,
        }
    }

    /// What makes them jump at other times.
    pub(super) fn instants(&self, order: usize) -> Instants {
        let times = if self.times == Times::Once { 1 } else { 2 };
        match order < times {
            true => Instants::default(),
            false => self.function.instants(1),
        }
    }

    /// The function under the integral.
    pub fn function(&self) -> &TimeFunction {
        &self.function
    }

    /// Value, first and second derivative.
    pub fn evaluate(&mut self, t: f64) -> [f64; 3] {
        let Kept { once, twice, .. } = self.integrals(t);
        let [f, slope, _] = self.function.evaluate(t);
        match self.times {
            Times::Once => [self.value + once, f, slope],
            Times::Twice => [self.value + self.rate * t + twice, self.rate + once, f],
        }
    }

    fn integrals(&mut self, t: f64) -> Kept {
        let after = self.kept.partition_point(|kept| kept.t <= t);
        let from = self.kept[after.saturating_sub(1)];
        let Integral { function, jumps, .. } = self;
        let mut f = |t: f64| function.evaluate(t)[0];
        let mut at = from;
        let (low, high) = (from.t.min(t), from.t.max(t));
        let inside = jumps.partition_point(|x| *x <= low)..jumps.partition_point(|x| *x < high);
        let count = inside.len();
        let between = &jumps[inside];
        // pieces between jumps, in the direction of the integration
        for k in 0..=count {
            let to = match k {
                _ if k == count => t,
                _ if t > from.t => between[k],
                _ => between[count - 1 - k],
            };
            let [once, moment] = integrate(&mut f, at.t, to);
            // ∬ up to `to`: what was there, the slope on from there, and the moment
            let twice = at.twice + at.once * (to - at.t) + moment;
            at = Kept { t: to, once: at.once + once, twice };
        }
        self.keep(at);
        at
    }

    /// Puts the integrals kept so far into a checkpoint: later ones start from them.
    pub(super) fn save(&self, out: &mut Writer) {
        let kept = self.kept.iter().map(|&Kept { t, once, twice }| [t, once, twice]);
        out.put(&(self.spacing, kept.collect::<Vec<_>>()));
        self.function.save(out);
    }

    /// Takes them back.
    pub(super) fn load(&mut self, from: &mut Reader) -> Result<(), Unreadable> {
        let (spacing, kept): (f64, Vec<[f64; 3]>) = from.get()?;
        self.spacing = spacing;
        self.kept.clear();
        self.kept.extend(kept.into_iter().map(|[t, once, twice]| Kept { t, once, twice }));
        // the integral from zero is always there
        if self.kept.is_empty() {
            return Err(Unreadable);
        }
        self.function.load(from)
    }

    /// Keeps integrals at the latest instant.
    fn keep(&mut self, at: Kept) {
        let last = self.kept[self.kept.len() - 1];
        if !(at.t > last.t + self.spacing && at.once.is_finite()) {
            return;
        }
        if self.kept.len() == MOST {
            let mut index = 0;
            self.kept.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.spacing = (at.t / (MOST / 2) as f64).max(self.spacing);
        }
        self.kept.push(at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn velocity_and_acceleration_integrate_to_closed_forms() {
        let f = || TimeFunction::formula("3*cos(5*t) + exp(-t)").unwrap();
        let once = |t: f64| 0.6 * (5.0 * t).sin() + 1.0 - (-t).exp();
        let twice = |t: f64| 0.12 * (1.0 - (5.0 * t).cos()) + t - 1.0 + (-t).exp();
        let mut velocity = Integral::of_velocity(f(), 2.0);
        let mut acceleration = Integral::of_acceleration(f(), 2.0, -1.0);
        // many small steps, thinned out on the way, and jumps back
        for k in 0..5000 {
            let t = if k % 97 == 96 { 0.001 * f64::from(k) } else { 0.004 * f64::from(k) };
            let [value, rate, second] = velocity.evaluate(t);
            assert!((value - 2.0 - once(t)).abs() < 1e-13 * (1.0 + t), "at {t}: {value}");
            assert!((rate - (3.0 * (5.0 * t).cos() + (-t).exp())).abs() < 1e-14);
            assert!((second + 15.0 * (5.0 * t).sin() + (-t).exp()).abs() < 1e-13);
            let [value, rate, second] = acceleration.evaluate(t);
            assert!((value - 2.0 + t - twice(t)).abs() < 1e-13 * (1.0 + t), "at {t}: {value}");
            assert!((rate + 1.0 - once(t)).abs() < 1e-13 * (1.0 + t));
            assert!((second - (3.0 * (5.0 * t).cos() + (-t).exp())).abs() < 1e-14);
        }
        assert!(velocity.kept.len() <= MOST && velocity.kept.capacity() == MOST);
        let before = velocity.evaluate(-1.5)[0] - 2.0;
        assert!((before - once(-1.5)).abs() < 1e-13);
    }

    #[test]
    fn jumps_are_met_known_or_not() {
        let f = || TimeFunction::formula("pulse(t, 0.3, 1.1)").unwrap();
        let mut unknown = Integral::of_acceleration(f(), 0.0, 0.0);
        let mut known = Integral::of_acceleration(f(), 0.0, 0.0).with_jumps(&[0.3, 1.1]).unwrap();
        for t in [0.2, 0.7, 1.0, 2.0, 0.5] {
            let inside = (t - 0.3f64).clamp(0.0, 0.8);
            let exact = 0.5 * inside * inside + 0.8 * (t - 1.1f64).max(0.0);
            for integral in [&mut unknown, &mut known] {
                assert!((integral.evaluate(t)[0] - exact).abs() < 1e-13);
            }
        }
        assert!(Integral::of_velocity(f(), 0.0).with_jumps(&[1.0, 0.5]).is_err());
    }
}
