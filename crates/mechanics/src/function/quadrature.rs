//! Adaptive Gauss–Kronrod quadrature without allocation.

/// Nodes of the rule with 15 points on [0, 1] of a symmetric interval, the outermost first; every
/// second one, beginning with the second, belongs to the Gauss rule with 7 points.
const NODES: [f64; 8] = [
    0.991_455_371_120_812_6,
    0.949_107_912_342_758_5,
    0.864_864_423_359_769_1,
    0.741_531_185_599_394_4,
    0.586_087_235_467_691_1,
    0.405_845_151_377_397_2,
    0.207_784_955_007_898_47,
    0.0,
];
const KRONROD: [f64; 8] = [
    0.022_935_322_010_529_224,
    0.063_092_092_629_978_55,
    0.104_790_010_322_250_18,
    0.140_653_259_715_525_92,
    0.169_004_726_639_267_9,
    0.190_350_578_064_785_4,
    0.204_432_940_075_298_9,
    0.209_482_141_084_727_83,
];
const GAUSS: [f64; 4] = [
    0.129_484_966_168_869_7,
    0.279_705_391_489_276_64,
    0.381_830_050_505_118_9,
    0.417_959_183_673_469_4,
];

/// Relative difference of both rules below which an interval is not divided. The rule with 15 points
/// is far better than the difference says.
const TOLERANCE: f64 = 1e-13;
/// How often an interval may be halved: enough to shrink a jump below rounding.
const DEPTH: usize = 52;

/// `∫f dτ` and `∫(b − τ) f dτ` from `a` to `b`; `b` may lie before `a`.
pub(super) fn integrate(f: &mut impl FnMut(f64) -> f64, a: f64, b: f64) -> [f64; 2] {
    let mut sums = [0.0; 2];
    if a == b {
        return sums;
    }
    // intervals still to do; halving one puts two in its place
    let mut waiting = [(0.0, 0.0, 0); DEPTH + 2];
    waiting[0] = (a, b, 0);
    let mut count = 1;
    // the size of the whole, against which differences are small
    let mut size = rule(f, a, b, b).size;
    while count > 0 {
        count -= 1;
        let (from, to, depth) = waiting[count];
        let part = rule(f, from, to, b);
        size = size.max(part.size);
        if part.difference > TOLERANCE * size && depth < DEPTH {
            let middle = 0.5 * (from + to);
            waiting[count] = (middle, to, depth + 1);
            waiting[count + 1] = (from, middle, depth + 1);
            count += 2;
        } else {
            (sums[0], sums[1]) = (sums[0] + part.integral, sums[1] + part.moment);
        }
    }
    sums
}

/// Both rules on one interval.
struct Part {
    integral: f64,
    moment: f64,
    difference: f64,
    size: f64,
}

fn rule(f: &mut impl FnMut(f64) -> f64, from: f64, to: f64, end: f64) -> Part {
    let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
    let mut part = Part { integral: 0.0, moment: 0.0, difference: 0.0, size: 0.0 };
    let mut gauss = 0.0;
    for k in 0..8 {
        for sign in [1.0, -1.0] {
            if k == 7 && sign < 0.0 {
                continue;
            }
            let t = middle + sign * NODES[k] * half;
            let value = f(t);
            part.integral += KRONROD[k] * value;
            part.moment += KRONROD[k] * (end - t) * value;
            part.size += KRONROD[k] * value.abs();
            if k % 2 == 1 {
                gauss += GAUSS[k / 2] * value;
            }
        }
    }
    part.difference = ((part.integral - gauss) * half).abs();
    (part.integral, part.moment) = (part.integral * half, part.moment * half);
    part.size *= half.abs();
    part
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_interval_is_exact_for_polynomials() {
        for degree in 0..=22 {
            let part = rule(&mut |t: f64| t.powi(degree), 0.0, 1.0, 1.0);
            assert!((part.integral - 1.0 / f64::from(degree + 1)).abs() < 1e-15);
            if degree < 14 {
                assert!(part.difference < 1e-15, "the Gauss rule at degree {degree}");
            }
        }
    }

    #[test]
    fn a_jump_is_found_by_halving() {
        let at = 0.321_234_f64;
        let [sum, moment] = integrate(&mut |t| if t < at { 1.0 } else { 3.0 }, 0.0, 2.0);
        assert!((sum - (at + 3.0 * (2.0 - at))).abs() < 1e-13, "{sum}");
        let exact = 0.5 * (4.0 - (2.0 - at).powi(2)) + 1.5 * (2.0 - at).powi(2);
        assert!((moment - exact).abs() < 1e-13, "{moment}");
    }

    #[test]
    fn backwards_and_undefined() {
        let [sum, moment] = integrate(&mut f64::cos, 1.0, -0.5);
        assert!((sum - ((-0.5f64).sin() - 1f64.sin())).abs() < 1e-14);
        // ∫ from a to b of (b − τ) cos τ dτ = −(b − a) sin a − cos b + cos a
        let exact = 1.5 * 1f64.sin() - 0.5f64.cos() + 1f64.cos();
        assert!((moment - exact).abs() < 1e-14);
        assert!(integrate(&mut |_| f64::NAN, 0.0, 1.0)[0].is_nan());
    }
}
