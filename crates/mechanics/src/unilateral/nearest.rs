//! The shortest way between a straight piece and a point or another piece, for any kind of number.
//!
//! With the ends `p₀, p₁` of the first and `p₂, p₃` of the second, `d = p₁ − p₀`, `f = p₃ − p₂`,
//! `w = p₂ − p₀`, the way is `w + η f − ξ d`. Inside of both it is at right angles to them,
//!
//! ```text
//! d·d ξ − d·f η = d·w,    d·f ξ − f·f η = f·w
//! ```
//!
//! and beyond an end the parameter stays there. Which of them is free is decided by values; the rest is
//! arithmetic, so that numbers with derivatives know how the nearest points move.

use rotula_dae::automatic::Scalar;

/// Where on both pieces, from 0 to 1, and the way from the first to the second.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nearest<T> {
    pub(crate) first: T,
    pub(crate) second: T,
    pub(crate) way: [T; 3],
}

/// The part of the square of a length below which pieces are parallel: then the middle of the first is as
/// good as any other place.
const PARALLEL: f64 = 1e-12;

/// The shortest way; `point` says that the second is its first end alone.
pub(crate) fn nearest<T: Scalar>(p: &[[T; 3]; 4], point: bool) -> Nearest<T> {
    let (d, w) = (minus(&p[1], &p[0]), minus(&p[2], &p[0]));
    let zero = T::from(0.0);
    let f = if point { [zero; 3] } else { minus(&p[3], &p[2]) };
    let (a, b, c) = (dot(&d, &d), dot(&d, &f), dot(&f, &f));
    let (e, g) = (dot(&d, &w), dot(&f, &w));
    // each where the other is given
    let first_at = |second: T| clamped((e + b * second) * a.recip());
    let second_at = |first: T| clamped((b * first - g) * c.recip());
    let determinant = a * c - b * b;
    let (first, second) = if point {
        (first_at(zero), zero)
    } else if determinant.value() <= PARALLEL * a.value() * c.value() {
        let second = second_at(T::from(0.5));
        (first_at(second), second)
    } else {
        let first = clamped((c * e - b * g) * determinant.recip());
        let second = (b * first - g) * c.recip();
        match (0.0..=1.0).contains(&second.value()) {
            true => (first, second),
            false => (first_at(clamped(second)), clamped(second)),
        }
    };
    let way = std::array::from_fn(|k| w[k] + second * f[k] - first * d[k]);
    Nearest { first, second, way }
}

fn clamped<T: Scalar>(x: T) -> T {
    match x.value() {
        v if v < 0.0 => T::from(0.0),
        v if v > 1.0 => T::from(1.0),
        _ => x,
    }
}

pub(super) fn minus<T: Scalar>(a: &[T; 3], b: &[T; 3]) -> [T; 3] {
    std::array::from_fn(|k| a[k] - b[k])
}

pub(super) fn dot<T: Scalar>(a: &[T; 3], b: &[T; 3]) -> T {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No other pair of places on a grid is nearer.
    #[test]
    fn no_way_is_shorter() {
        let mut seed = 5u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
            (seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        };
        for case in 0..500 {
            let mut p: [[f64; 3]; 4] = [(); 4].map(|()| [(); 3].map(|()| random()));
            if case % 10 == 0 {
                // parallel pieces
                p[3] = std::array::from_fn(|k| p[2][k] + 0.7 * (p[1][k] - p[0][k]));
            }
            for point in [true, false] {
                let found = nearest(&p, point);
                let length = dot(&found.way, &found.way).sqrt();
                for i in 0..=100 {
                    for j in 0..=if point { 0 } else { 100 } {
                        let (x, y) = (f64::from(i) / 100.0, f64::from(j) / 100.0);
                        let far = |k: usize| p[3][k] - p[2][k];
                        let way: [f64; 3] = std::array::from_fn(|k| {
                            p[2][k] + y * far(k) - p[0][k] - x * (p[1][k] - p[0][k])
                        });
                        let other = dot(&way, &way).sqrt();
                        assert!(length <= other + 1e-12, "{case}: {length} {other}");
                    }
                }
            }
        }
    }
}
