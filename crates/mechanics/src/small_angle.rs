//! Functions of angles that are mostly small: series there, which cost a part of the functions of the
//! library and are as exact, and those elsewhere. Four angles at a time use vector instructions.

/// Angles up to this one are small.
const SMALL: f64 = 0.25;
/// The cosine of angles that are small for [`angle`].
const NEARLY_ONE: f64 = 0.97;

/// Sums a series in `z`, the first coefficient alone first.
#[inline(always)]
fn series<const N: usize>(z: f64, coefficients: [f64; N]) -> f64 {
    let mut sum = 0.0;
    for c in coefficients.into_iter().rev() {
        sum = sum * z + c;
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

/// Numbers that move through one vector register.
pub(crate) const LANES: usize = 4;
pub(crate) type Lanes = [f64; LANES];

/// Angles beyond this one are left to the library.
const FAR: f64 = 1e5;
/// π/2 in three parts: the first two have 33 bits, so that up to [`FAR`] multiples of them are exact.
const QUARTER: [f64; 3] = [1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21];
/// A number so large that the sum with a small one has no fraction: its last bits are an integer.
const NO_FRACTION: f64 = 6755399441055744.0;

/// Sines and cosines of any angles.
#[inline]
pub(crate) fn sines_cosines(angles: Lanes) -> (Lanes, Lanes) {
    if !angles.iter().fold(true, |near, a| near & (a.abs() < FAR)) {
        return (angles.map(f64::sin), angles.map(f64::cos));
    }
    let [a, b, c] = QUARTER;
    let counted = each(|l| angles[l] * std::f64::consts::FRAC_2_PI + NO_FRACTION);
    let quarters = each(|l| counted[l] - NO_FRACTION);
    let rest = each(|l| angles[l] - quarters[l] * a - quarters[l] * b - quarters[l] * c);
    let z = each(|l| rest[l] * rest[l]);
    let sum = series_of_four(z, SINE);
    let (sine, cosine) = (each(|l| rest[l] * sum[l]), series_of_four(z, COSINE));
    // the quadrant swaps the two and sets their signs
    let quadrant = counted.map(f64::to_bits);
    let (mut sines, mut cosines) = ([0.0; LANES], [0.0; LANES]);
    for l in 0..LANES {
        let swapped = 0u64.wrapping_sub(quadrant[l] & 1);
        let (sine, cosine) = (sine[l].to_bits(), cosine[l].to_bits());
        let exchange = (sine ^ cosine) & swapped;
        sines[l] = f64::from_bits(sine ^ exchange ^ ((quadrant[l] & 2) << 62));
        cosines[l] = f64::from_bits(cosine ^ exchange ^ ((quadrant[l].wrapping_add(1) & 2) << 62));
    }
    (sines, cosines)
}

/// One operation on all lanes: written so, it becomes one instruction.
#[inline(always)]
fn each(value: impl Fn(usize) -> f64) -> Lanes {
    std::array::from_fn(value)
}

/// Sums a series in each lane.
#[inline(always)]
fn series_of_four<const N: usize>(z: Lanes, coefficients: [f64; N]) -> Lanes {
    let mut sum = [0.0; LANES];
    for c in coefficients.into_iter().rev() {
        sum = each(|l| sum[l] * z[l] + c);
    }
    sum
}

/// `sin(a)/a` and `(1 − cos a)/a²` of four angles.
#[inline]
pub(crate) fn sincs(angles: Lanes) -> (Lanes, Lanes) {
    if !angles.iter().fold(true, |small, a| small & (a.abs() < SMALL)) {
        let both = angles.map(sinc);
        return (both.map(|(sine, _)| sine), both.map(|(_, versed)| versed));
    }
    let z = each(|l| angles[l] * angles[l]);
    (series_of_four(z, SMALL_SINE), series_of_four(z, SMALL_VERSED))
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
            let (sines, cosines) = sines_cosines(angles);
            for l in 0..LANES {
                let (sin, cos) = angles[l].sin_cos();
                let near = |a: f64, b: f64| (a - b).abs() <= 2.3e-16;
                assert!(near(sines[l], sin) && near(cosines[l], cos), "{}", angles[l]);
            }
            let (sines, versed) = sincs([a, 0.1 * a, 0.01 * a, 0.0]);
            assert_eq!((sines[1], versed[1]), sinc(0.1 * a));
            assert_eq!((sines[0], versed[0]), sinc(a));
        }
        let (sines, cosines) = sines_cosines([1e9, f64::NAN, 0.0, -1e7]);
        assert_eq!((sines[0], cosines[3]), (1e9f64.sin(), 1e7f64.cos()));
        assert!(sines[1].is_nan() && cosines[1].is_nan());
    }
}
