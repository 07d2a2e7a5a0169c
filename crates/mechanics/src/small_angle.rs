//! Functions of angles that are mostly small: series there, which cost a part of the functions of the
//! library and are as exact, and those elsewhere. Four angles at a time use vector instructions.

use crate::lanes::{LANES, Lanes, Number, each, lane};
use nalgebra::{SimdBool, SimdComplexField, SimdPartialOrd, SimdValue};
use std::f64::consts::{FRAC_2_PI, PI, TAU};

/// Angles up to this one are small.
const SMALL: f64 = 0.25;
/// The cosine of angles that are small for [`angle`].
const NEARLY_ONE: f64 = 0.97;

/// Sums a series in `z`.
#[inline(always)]
fn series<T: Number, const N: usize>(z: T, coefficients: [f64; N]) -> T {
    let mut sum = T::splat(0.0);
    for c in coefficients.into_iter().rev() {
        sum = sum.times_plus(z, T::splat(c));
    }
    sum
}

/// `sin(a)/a` and `(1 − cos a)/a²`.
#[inline]
pub(crate) fn sinc(a: f64) -> (f64, f64) {
    if a.abs() < SMALL {
        let z = a * a;
        return (series(z, SMALL_SINE), series(z, SMALL_VERSED));
    }
    let half = 0.5 * a;
    (a.sin() / a, 0.5 * (half.sin() / half).powi(2))
}

/// Sine and cosine.
#[inline]
pub(crate) fn sin_cos(a: f64) -> (f64, f64) {
    if a.abs() < SMALL {
        let (sine, versed) = sinc(a);
        return (a * sine, 1.0 - a * a * versed);
    }
    a.sin_cos()
}

/// Sine and cosine of any angle, which need not be small: four cost less than one from the library.
#[inline]
pub(crate) fn sine_cosine(a: f64) -> (f64, f64) {
    let (sine, cosine) = sines_cosines(Lanes::splat(a));
    (lane(sine, 0), lane(cosine, 0))
}

/// The angle of a sine and a cosine of length one.
#[inline]
pub(crate) fn angle(sin: f64, cos: f64) -> f64 {
    if cos > NEARLY_ONE {
        // 2 atan(tan(a/2))
        let half = sin / (1.0 + cos);
        let odd = [
            1.0,
            -1.0 / 3.0,
            1.0 / 5.0,
            -1.0 / 7.0,
            1.0 / 9.0,
            -1.0 / 11.0,
            1.0 / 13.0,
            -1.0 / 15.0,
            1.0 / 17.0,
        ];
        return 2.0 * half * series(half * half, odd);
    }
    sin.atan2(cos)
}

/// Angles beyond this one are left to the library.
const FAR: f64 = 1e5;
/// π/2 in three parts: the first two have 33 bits, so that up to [`FAR`] multiples of them are exact.
const QUARTER: [f64; 3] = [1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21];
/// A number so large that the sum with a small one has no fraction: its last bits are an integer.
const NO_FRACTION: f64 = 6755399441055744.0;

/// Whether all angles are within a bound.
#[inline(always)]
pub(crate) fn within(angles: Lanes, bound: f64) -> bool {
    angles.simd_abs().simd_lt(Lanes::splat(bound)).all()
}

/// Whether all angles are small.
#[inline(always)]
pub(crate) fn all_small(angles: Lanes) -> bool {
    within(angles, SMALL)
}

/// An angle without whole turns.
#[inline]
pub(crate) fn without_turns(angle: f64) -> f64 {
    if angle.abs() > PI { angle - TAU * (angle / TAU).round() } else { angle }
}

/// Sines and cosines of any angles.
#[inline(always)]
pub(crate) fn sines_cosines(angles: Lanes) -> (Lanes, Lanes) {
    if !within(angles, FAR) {
        return (each(|l| lane(angles, l).sin()), each(|l| lane(angles, l).cos()));
    }
    let quarter = QUARTER.map(|part| Lanes::splat(-part));
    let shift = Lanes::splat(NO_FRACTION);
    let counted = angles.times_plus(Lanes::splat(FRAC_2_PI), shift);
    let quarters = counted - shift;
    let rest = quarter.iter().fold(angles, |rest, part| quarters.times_plus(*part, rest));
    let z = rest * rest;
    let (sine, cosine) = (rest * series(z, SINE), series(z, COSINE));
    // the quadrant swaps the two and sets their signs
    let quadrant: [u64; LANES] = bits(counted);
    let (sine, cosine) = (bits(sine), bits(cosine));
    let (mut sines, mut cosines) = ([0.0; LANES], [0.0; LANES]);
    for l in 0..LANES {
        let swapped = 0u64.wrapping_sub(quadrant[l] & 1);
        let exchange = (sine[l] ^ cosine[l]) & swapped;
        sines[l] = f64::from_bits(sine[l] ^ exchange ^ ((quadrant[l] & 2) << 62));
        let sign = (quadrant[l].wrapping_add(1) & 2) << 62;
        cosines[l] = f64::from_bits(cosine[l] ^ exchange ^ sign);
    }
    (sines.into(), cosines.into())
}

/// The bits of each lane.
#[inline(always)]
fn bits(lanes: Lanes) -> [u64; LANES] {
    std::array::from_fn(|l| lane(lanes, l).to_bits())
}

/// `sin(a)/a` and `(1 − cos a)/a²` of four angles.
#[inline(always)]
pub(crate) fn sincs(angles: Lanes) -> (Lanes, Lanes) {
    if !all_small(angles) {
        return (each(|l| sinc(lane(angles, l)).0), each(|l| sinc(lane(angles, l)).1));
    }
    let z = angles * angles;
    (series(z, SMALL_SINE), series(z, SMALL_VERSED))
}

/// Coefficients of `sin(a)/a` up to an angle of π/4, in the square of the angle.
const SINE: [f64; 9] = [
    1.0,
    -1.0 / 6.0,
    1.0 / 120.0,
    -1.0 / 5040.0,
    1.0 / 362880.0,
    -1.0 / 39916800.0,
    1.0 / 6227020800.0,
    -1.0 / 1307674368000.0,
    1.0 / 355687428096000.0,
];
/// Those of the cosine.
const COSINE: [f64; 9] = [
    1.0,
    -0.5,
    1.0 / 24.0,
    -1.0 / 720.0,
    1.0 / 40320.0,
    -1.0 / 3628800.0,
    1.0 / 479001600.0,
    -1.0 / 87178291200.0,
    1.0 / 20922789888000.0,
];
/// Those of `sin(a)/a` and `(1 − cos a)/a²` of a small angle.
const SMALL_SINE: [f64; 6] =
    [1.0, -1.0 / 6.0, 1.0 / 120.0, -1.0 / 5040.0, 1.0 / 362880.0, -1.0 / 39916800.0];
const SMALL_VERSED: [f64; 6] =
    [0.5, -1.0 / 24.0, 1.0 / 720.0, -1.0 / 40320.0, 1.0 / 3628800.0, -1.0 / 479001600.0];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_agree_with_the_library() {
        for k in -4000..=4000 {
            let a = f64::from(k) * 7.7e-4;
            let (sin, cos) = sin_cos(a);
            assert!((sin - a.sin()).abs() <= 2.3e-16 && (cos - a.cos()).abs() <= 2.3e-16, "{a}");
            assert!((angle(a.sin(), a.cos()) - a).abs() <= 5e-16, "{a}");
            let (sine, versed) = sinc(a);
            assert!((sine * a - a.sin()).abs() <= 2.3e-16, "{a}");
            let expected = 2.0 * (0.5 * a).sin().powi(2);
            // a few roundings of numbers of this size
            assert!((versed * a * a - expected).abs() <= 4.0 * f64::EPSILON * expected, "{a}");
        }
    }

    #[test]
    fn four_angles_at_a_time_agree_with_the_library() {
        for k in -3000..=3000 {
            let a = f64::from(k) * 1.37e-3;
            let at_quarter = f64::from(k) * std::f64::consts::FRAC_PI_2;
            let angles = [a, at_quarter, 7.3 * a + 1e3, 2e4 * a];
            let both = sines_cosines(angles.into());
            let near = |a: f64, b: f64| (a - b).abs() <= 2.3e-16;
            for l in 0..LANES {
                let (sin, cos) = angles[l].sin_cos();
                let own = (lane(both.0, l), lane(both.1, l));
                assert!(near(own.0, sin) && near(own.1, cos), "{}", angles[l]);
            }
            let few = [a, 0.1 * a, 0.01 * a, 0.0];
            let (both, ratios) = (Lanes::from(few).sin_cos_if_small(), sincs(few.into()));
            for l in 0..LANES {
                let (sine, versed) = sinc(few[l]);
                assert!(near(lane(ratios.0, l), sine) && near(lane(ratios.1, l), versed), "{a}");
                let (sin, cos) = few[l].sin_cos();
                assert!(near(lane(both.0, l), sin) && near(lane(both.1, l), cos), "{a}");
            }
        }
        let (sines, cosines) = sines_cosines([1e9, f64::NAN, 0.0, -1e7].into());
        assert_eq!((lane(sines, 0), lane(cosines, 3)), (1e9f64.sin(), 1e7f64.cos()));
        assert!(lane(sines, 1).is_nan() && lane(cosines, 1).is_nan());
    }

    #[test]
    fn whole_turns_are_taken_off() {
        let angles = [0.1, -3.0, 3.0 + TAU, 0.2 - 5.0 * TAU];
        let kept = Lanes::from(angles).without_turns();
        for (l, expected) in [0.1, -3.0, 3.0, 0.2].into_iter().enumerate() {
            assert!((lane(kept, l) - expected).abs() < 1e-14);
            assert_eq!(lane(kept, l), without_turns(angles[l]));
        }
    }
}
