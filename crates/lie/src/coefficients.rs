//! The scalar coefficients of the maps, accurate at every angle.
//!
//! With `x = φ² = r·r` the exponential needs
//!
//! ```text
//! b = (1 − cos φ)/φ²      c = (φ − sin φ)/φ³      d = (1 − (φ/2) cot(φ/2))/φ²
//! ```
//!
//! and, for the derivatives, `f₁ = 2 df/dx` and `f₂ = 4 d²f/dx²`. The closed forms cancel at small
//! angles, the more so the higher the derivative, so the power series in `x` are used up to
//! [`SERIES_LIMIT`], where the closed forms no longer lose digits.

use crate::isotropic::Isotropic;

/// The largest `x = φ²` at which the series are used: φ = 3, where the closed forms, the second
/// derivatives included, are good to 1e-14 again.
const SERIES_LIMIT: f64 = 9.0;

/// Terms kept in each series: at the limit the first one dropped is below 1e-19.
const TERMS: usize = 14;

/// The series of `Σ (−x)ᵏ/(2k + offset)!`, differentiated `order` times with respect to `x/2`.
const fn factorial_series(offset: usize, order: usize) -> [f64; TERMS] {
    let mut terms = [0.0; TERMS];
    let mut inverse_factorial = 1.0;
    let mut factor = 1;
    let mut k = 0;
    while k < TERMS + order {
        while factor <= 2 * k + offset {
            inverse_factorial /= factor as f64;
            factor += 1;
        }
        if k >= order {
            let sign = if k % 2 == 0 { 1.0 } else { -1.0 };
            terms[k - order] = sign * inverse_factorial * derivative_factor(k, order);
        }
        k += 1;
    }
    terms
}

/// `2ᵐ k (k−1) … (k−m+1)`: the factor of the k-th term after `m` derivatives.
const fn derivative_factor(k: usize, order: usize) -> f64 {
    let mut factor = 1.0;
    let mut j = 0;
    while j < order {
        factor *= 2.0 * (k - j) as f64;
        j += 1;
    }
    factor
}

const A_1: [f64; TERMS] = factorial_series(1, 1);
const B: [[f64; TERMS]; 3] =
    [factorial_series(2, 0), factorial_series(2, 1), factorial_series(2, 2)];
const C: [[f64; TERMS]; 3] =
    [factorial_series(3, 0), factorial_series(3, 1), factorial_series(3, 2)];
const B_3: [f64; TERMS] = factorial_series(2, 3);
const C_3: [f64; TERMS] = factorial_series(3, 3);

/// `d = 2 Σⱼ 1/((2πj)² − x)`. The first pole is taken out, which leaves a series in `x/(4π)²`
/// with the terms `2 (ζ(2k+2) − 1)/(2π)²ᵏ⁺²` below.
const D_REMAINDER: [f64; TERMS + 3] = [
    0.03267274151216445,
    0.000105641107053347,
    5.637370282876845e-07,
    3.357141926657451e-09,
    2.0742872904166045e-11,
    1.3000482138698975e-13,
    8.196052055691008e-16,
    5.180118196169724e-18,
    3.2775391747017915e-20,
    2.0747401878593604e-22,
    1.3136241807166534e-24,
    8.318003195189264e-27,
    5.267262996834231e-29,
    3.3354842988221443e-31,
    2.1122063323183885e-33,
    1.3375664093215244e-35,
    8.470227328650247e-38,
];

const fn remainder_series(order: usize) -> [f64; TERMS] {
    let mut terms = [0.0; TERMS];
    let mut k = 0;
    while k < TERMS {
        terms[k] = D_REMAINDER[k + order] * derivative_factor(k + order, order);
        k += 1;
    }
    terms
}

const D: [[f64; TERMS]; 3] = [remainder_series(0), remainder_series(1), remainder_series(2)];
const D_3: [f64; TERMS] = remainder_series(3);

/// Up to this `x`, a quarter of a radian, six terms are as exact as all: the first one dropped
/// is below 1e-18. A time step rarely turns a body further.
const SMALL: f64 = 0.0625;

#[inline]
fn polynomial(terms: &[f64; TERMS], x: f64) -> f64 {
    if x <= SMALL { few_terms(terms, x) } else { horner(terms, x) }
}

#[inline]
fn horner(terms: &[f64], x: f64) -> f64 {
    terms.iter().rev().fold(0.0, |sum, term| sum * x + term)
}

/// Even and odd terms apart: half as many operations wait for each other.
#[inline]
fn few_terms(terms: &[f64; TERMS], x: f64) -> f64 {
    let square = x * x;
    let even = (terms[4] * square + terms[2]) * square + terms[0];
    let odd = (terms[5] * square + terms[3]) * square + terms[1];
    odd * x + even
}

const COSINE: [f64; TERMS] = factorial_series(0, 0);
const SINC: [f64; TERMS] = factorial_series(1, 0);

/// `cos h` and `sin h / h` at `x = h²`.
#[inline]
pub(crate) fn cosine_and_sinc(x: f64) -> (f64, f64) {
    if x <= SMALL {
        (few_terms(&COSINE, x), few_terms(&SINC, x))
    } else {
        let h = x.sqrt();
        let (sine, cosine) = h.sin_cos();
        (cosine, sine / h)
    }
}

/// `sin h / h`; the quotient does not cancel, so only the limit needs a branch.
#[inline]
pub(crate) fn sinc(h: f64) -> f64 {
    if h == 0.0 { 1.0 } else { h.sin() / h }
}

/// `2 d/dx (sin φ/φ) = (cos φ − sin φ/φ)/φ²`, at `x = φ²`.
#[inline]
pub(crate) fn sinc_derivative(x: f64) -> f64 {
    if x <= SERIES_LIMIT {
        polynomial(&A_1, x)
    } else {
        let (sine, cosine) = x.sqrt().sin_cos();
        (cosine - sine / x.sqrt()) / x
    }
}

/// The exponential's rotation matrix, `R = I + (sin φ/φ) r~ + b r~²`; values only.
#[inline]
pub(crate) fn exponential_rotation(x: f64) -> Isotropic {
    let h = 0.5 * x.sqrt();
    let half = sinc(h);
    values(1.0, half * h.cos(), 0.5 * half * half)
}

/// The Cayley map's rotation matrix, `R = I + (r~ + r~²/2)/D` with `D = 1 + x/4`; values only.
#[inline]
pub(crate) fn cayley_rotation(x: f64) -> Isotropic {
    let inverse = 1.0 / (1.0 + 0.25 * x);
    values(1.0, inverse, 0.5 * inverse)
}

#[inline]
fn values(o: f64, p: f64, q: f64) -> Isotropic {
    Isotropic { o: [o, 0.0, 0.0], p: [p, 0.0, 0.0], q: [q, 0.0, 0.0] }
}

/// The exponential's right tangent map, `T = I − b r~ + c r~²`, with `ORDER` derivatives.
#[inline]
pub(crate) fn exponential_tangent<const ORDER: usize>(x: f64) -> Isotropic {
    let (b, c) = if x <= SERIES_LIMIT {
        (series::<ORDER>(&B, x), series::<ORDER>(&C, x))
    } else {
        let h = 0.5 * x.sqrt();
        let half = sinc(h);
        let a = half * h.cos();
        let b = 0.5 * half * half;
        let c = (1.0 - a) / x;
        // each derivative follows from f = g/xⁿ ⇒ f₁ = (g₁/xⁿ⁻¹ − 2n f)/x
        let a_1 = (x.sqrt().cos() - a) / x;
        let b_1 = (a - 2.0 * b) / x;
        let c_1 = (b - 3.0 * c) / x;
        let b_2 = (a_1 - 4.0 * b_1) / x;
        let c_2 = (b_1 - 5.0 * c_1) / x;
        ([b, b_1, b_2], [c, c_1, c_2])
    };
    Isotropic { o: [1.0, 0.0, 0.0], p: b.map(|term| -term), q: c }
}

#[inline]
fn series<const ORDER: usize>(table: &[[f64; TERMS]; 3], x: f64) -> [f64; 3] {
    let mut result = [0.0; 3];
    for (value, terms) in result.iter_mut().zip(table).take(ORDER + 1) {
        *value = polynomial(terms, x);
    }
    result
}

/// The inverse of the exponential's right tangent map, `T⁻¹ = I + r~/2 + d r~²`, with `ORDER`
/// derivatives. Singular at φ = 2π, as the exponential is.
#[inline]
pub(crate) fn exponential_tangent_inverse<const ORDER: usize>(x: f64) -> Isotropic {
    let d = if x <= SERIES_LIMIT {
        let mut d = series::<ORDER>(&D, x);
        let pole = 1.0 / (std::f64::consts::TAU * std::f64::consts::TAU - x);
        d[0] += 2.0 * pole;
        d[1] += 4.0 * pole * pole;
        d[2] += 16.0 * pole * pole * pole;
        d
    } else {
        let h = 0.5 * x.sqrt();
        let (sine, cosine) = h.sin_cos();
        let inverse_beta = (h / sine) * (h / sine);
        let gamma = h * cosine / sine;
        let d = (1.0 - gamma) / x;
        let d_1 = (inverse_beta + gamma - 2.0) / (x * x);
        let g_1 = 2.0 * d * inverse_beta + (gamma - inverse_beta) / x;
        [d, d_1, (g_1 / x - 4.0 * d_1) / x]
    };
    Isotropic { o: [1.0, 0.0, 0.0], p: [0.5, 0.0, 0.0], q: d }
}

/// The third derivatives `[o₃, p₃, q₃]` of [`exponential_tangent`].
#[inline]
pub(crate) fn exponential_tangent_third(x: f64) -> [f64; 3] {
    if x <= SERIES_LIMIT {
        return [0.0, -polynomial(&B_3, x), polynomial(&C_3, x)];
    }
    let Isotropic { p, q, .. } = exponential_tangent::<2>(x);
    let (a, a_1) = (1.0 - x * q[0], sinc_derivative(x));
    // x a₁ = cos φ − a and D(cos φ) = −a
    let a_2 = -(a + 3.0 * a_1) / x;
    [0.0, -(a_2 + 6.0 * p[2]) / x, (-p[2] - 7.0 * q[2]) / x]
}

/// The third derivatives `[o₃, p₃, q₃]` of [`exponential_tangent_inverse`].
#[inline]
pub(crate) fn exponential_tangent_inverse_third(x: f64) -> [f64; 3] {
    if x <= SERIES_LIMIT {
        let pole = 1.0 / (std::f64::consts::TAU * std::f64::consts::TAU - x);
        return [0.0, 0.0, polynomial(&D_3, x) + 96.0 * pole.powi(4)];
    }
    let [d, d_1, d_2] = exponential_tangent_inverse::<2>(x).q;
    // with γ = 1 − x d and x² d₁ = 1/β + γ − 2 =: g, differentiated twice
    let gamma = 1.0 - x * d;
    let inverse_beta = x * x * d_1 - gamma + 2.0;
    let gamma_1 = -2.0 * d - x * d_1;
    let g_1 = 4.0 * x * d_1 + x * x * d_2;
    let inverse_beta_1 = g_1 - gamma_1;
    let g_2 = 2.0 * (d_1 * inverse_beta + d * inverse_beta_1) + (gamma_1 - inverse_beta_1) / x
        - 2.0 * (gamma - inverse_beta) / (x * x);
    [0.0, 0.0, (g_2 - 8.0 * d_1 - 8.0 * x * d_2) / (x * x)]
}

/// The Cayley map's right tangent, `T = (I − r~/2)/D` with `D = 1 + x/4`. [Dymore note, eq. 29]
#[inline]
pub(crate) fn cayley_tangent(x: f64) -> Isotropic {
    let inverse = 1.0 / (1.0 + 0.25 * x);
    let o = [inverse, -0.5 * inverse * inverse, 0.5 * inverse * inverse * inverse];
    Isotropic { o, p: o.map(|term| -0.5 * term), q: [0.0; 3] }
}

/// The inverse of the Cayley map's right tangent, `T⁻¹ = D I + r~/2 + r~²/4 = I + r~/2 + r rᵀ/4`.
#[inline]
pub(crate) fn cayley_tangent_inverse(x: f64) -> Isotropic {
    Isotropic { o: [1.0 + 0.25 * x, 0.5, 0.0], p: [0.5, 0.0, 0.0], q: [0.25, 0.0, 0.0] }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `(x, [b, b₁, b₂, c, c₁, c₂, d, d₁, d₂])`, summed from the series with 70 decimal digits
    /// and rounded to double precision; below, at and above the change of branch.
    #[rustfmt::skip]
    const REFERENCE: [(f64, [f64; 9]); 10] = [
        (0.0, [
            0.5, -0.08333333333333333, 0.011111111111111112,
            0.16666666666666666, -0.016666666666666666, 0.0015873015873015873,
            0.08333333333333333, 0.002777777777777778, 0.00026455026455026457]),
        (1e-24, [
            0.5, -0.08333333333333333, 0.011111111111111112,
            0.16666666666666666, -0.016666666666666666, 0.0015873015873015873,
            0.08333333333333333, 0.002777777777777778, 0.00026455026455026457]),
        (1e-6, [
            0.4999999583333347, -0.08333332777777792, 0.011111110515873029,
            0.16666665833333352, -0.01666666587301589, 0.0015873015211640225,
            0.08333333472222225, 0.002777777910052915, 0.0002645502843915354]),
        (0.25, [
            0.48966975243850913, -0.08195371067444908, 0.010963125702652763,
            0.164595691166376, -0.016469284242475433, 0.0015708421517123042,
            0.0836826353540599, 0.0028111592110818154, 0.0002695738791344623]),
        (4.0, [
            0.3540367091367856, -0.06335617621518258, 0.008931454342683635,
            0.1363378216467898, -0.013744188950895943, 0.0013411921348242806,
            0.08947684601641732, 0.0033984714607326635, 0.00036313267577332966]),
        (8.999999, [
            0.22111029935452545, -0.043908953590940145, 0.006712219025654244,
            0.10588444950943403, -0.01072700665564259, 0.0010806756408831607,
            0.0992919681243276, 0.004539349412610453, 0.0005704465936928074]),
        (9.0, [
            0.2211102774000495, -0.04390895023483073, 0.006712218631689364,
            0.10588444414593084, -0.010727006115304782, 0.001080675593521464,
            0.09929197039400237, 0.0045393496978337645, 0.0005704466494193413]),
        (9.000001, [
            0.22111025544557522, -0.043908946878721516, 0.006712218237724503,
            0.10588443878242793, -0.010727005574966997, 0.0010806755461597692,
            0.09929197266367729, 0.0045393499830571025, 0.0005704467051458824]),
        (9.869604401089358, [
            0.20264236728467555, -0.041063929018737344, 0.006376601318049302,
            0.10132118364233778, -0.010265982254684336, 0.0010401614732958523,
            0.10132118364233778, 0.004798331401215773, 0.000621805095353567]),
        (25.0, [
            0.02865351258147095, -0.009963675203822783, 0.002354903297245012,
            0.04767139419730511, -0.004574426800417775, 0.0005163383519306437,
            0.17386481283041513, 0.01936519560090547, 0.005279130948214946]),
    ];

    /// `(x, [b₃, c₃, d₃])` in the same way.
    #[rustfmt::skip]
    const THIRD: [(f64, [f64; 3]); 6] = [
        (0.0, [-0.0011904761904761906, -0.00013227513227513228, 3.968253968253968e-05]),
        (0.25, [-0.0011773111357717004, -0.00013107743733346516, 4.070067957365352e-05]),
        (4.0, [-0.0009941846979537902, -0.0001142226502715827, 6.076998212923229e-05]),
        (8.999999, [-0.0007879297785064094, -9.472339502791962e-05, 0.0001114530604599455]),
        (9.000001, [-0.0007879297038514216, -9.47233878522772e-05, 0.00011145308967169224]),
        (25.0, [-0.00034960685520260245, -5.037860665077975e-05, 0.002184991519004018]),
    ];

    #[test]
    fn third_derivatives_agree_with_higher_precision() {
        for (x, [b, c, d]) in THIRD {
            let tangent = exponential_tangent_third(x);
            let inverse = exponential_tangent_inverse_third(x);
            for (value, reference) in [(-tangent[1], b), (tangent[2], c), (inverse[2], d)] {
                let relative = ((value - reference) / reference).abs();
                assert!(relative < 1e-13, "x = {x}: {value:e}, not {reference:e}");
            }
        }
    }

    #[test]
    fn both_branches_agree_with_higher_precision() {
        for (x, expected) in REFERENCE {
            let tangent = exponential_tangent::<2>(x);
            let inverse = exponential_tangent_inverse::<2>(x);
            let computed = [tangent.p.map(|b| -b), tangent.q, inverse.q].concat();
            for (value, reference) in computed.iter().zip(expected) {
                let relative = ((value - reference) / reference).abs();
                assert!(relative < 1e-14, "x = {x}: {value:e}, not {reference:e}");
            }
        }
    }
}
