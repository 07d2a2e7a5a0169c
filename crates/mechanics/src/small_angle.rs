//! Functions of angles that are mostly small: series there, which cost a part of the functions of the
//! library and are as exact, and those elsewhere.

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
        let sine = [1.0, -1.0 / 6.0, 1.0 / 120.0, -1.0 / 5040.0, 1.0 / 362880.0, -1.0 / 39916800.0];
        let versed =
            [0.5, -1.0 / 24.0, 1.0 / 720.0, -1.0 / 40320.0, 1.0 / 3628800.0, -1.0 / 479001600.0];
        return (series(z, sine), series(z, versed));
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
}
