//! Every function of dual numbers against its derivatives by hand.

use super::{Dual, Scalar};

/// A number with first and second derivative along one direction.
type Second = Dual<Dual<f64, 1>, 1>;

fn close(a: f64, b: f64) {
    assert!((a - b).abs() <= 4e-15 * (1.0 + a.abs().max(b.abs())), "{a} is not {b}");
}

/// Evaluates along `x(s) = x + a s + b s²/2` and compares with value, slope and second slope.
fn check(function: impl Fn(Second) -> Second, x: f64, expected: [f64; 3]) {
    let (a, b) = (0.7, -1.3);
    let argument = Dual { real: Dual { real: x, dual: [a] }, dual: [Dual { real: a, dual: [b] }] };
    let result = function(argument);
    let [value, slope, second] = expected;
    close(result.real.real, value);
    close(result.real.dual[0], slope * a);
    close(result.dual[0].real, slope * a);
    close(result.dual[0].dual[0], second * a * a + slope * b);
    close(result.value(), value);
}

#[test]
fn functions_of_one_number() {
    let x: f64 = 0.6;
    let (s, c, t) = (x.sin(), x.cos(), x.tan());
    let (sh, ch, th) = (x.sinh(), x.cosh(), x.tanh());
    let root = (1.0 - x * x).sqrt();
    check(Scalar::sin, x, [s, c, -s]);
    check(Scalar::cos, x, [c, -s, -c]);
    check(Scalar::tan, x, [t, 1.0 + t * t, 2.0 * t * (1.0 + t * t)]);
    check(Scalar::asin, x, [x.asin(), 1.0 / root, x / root.powi(3)]);
    check(Scalar::acos, x, [x.acos(), -1.0 / root, -x / root.powi(3)]);
    let q = 1.0 + x * x;
    check(Scalar::atan, x, [x.atan(), 1.0 / q, -2.0 * x / (q * q)]);
    check(Scalar::sinh, x, [sh, ch, sh]);
    check(Scalar::cosh, x, [ch, sh, ch]);
    check(Scalar::tanh, x, [th, 1.0 / (ch * ch), -2.0 * th / (ch * ch)]);
    check(Scalar::exp, x, [x.exp(), x.exp(), x.exp()]);
    check(Scalar::ln, x, [x.ln(), 1.0 / x, -1.0 / (x * x)]);
    check(Scalar::sqrt, x, [x.sqrt(), 0.5 / x.sqrt(), -0.25 * x.powf(-1.5)]);
    check(Scalar::recip, x, [1.0 / x, -1.0 / (x * x), 2.0 / x.powi(3)]);
    check(Scalar::abs, x, [x, 1.0, 0.0]);
    check(Scalar::abs, -x, [x, -1.0, 0.0]);
    check(|x| x.powi(5), x, [x.powi(5), 5.0 * x.powi(4), 20.0 * x.powi(3)]);
    check(|x| x.powi(-2), x, [x.powi(-2), -2.0 * x.powi(-3), 6.0 * x.powi(-4)]);
    check(|x| x.powf(2.5), x, [x.powf(2.5), 2.5 * x.powf(1.5), 3.75 * x.sqrt()]);
}

#[test]
fn operators() {
    let x: f64 = 0.6;
    check(|x| x + x * x, x, [0.96, 2.2, 2.0]);
    check(|x| x * x * x - x, x, [x.powi(3) - x, 3.0 * x * x - 1.0, 6.0 * x]);
    let quotient = [x / (1.0 + x), (1.0 + x).powi(-2), -2.0 * (1.0 + x).powi(-3)];
    check(|x| x / (x + 1.0), x, quotient);
    check(|x| -((x - 2.0) / 4.0) * 3.0, x, [1.05, -0.75, 0.0]);
    check(|x| [x, x * x].into_iter().sum(), x, [0.96, 2.2, 2.0]);
    let assigned = |x: Second| {
        let mut y = x;
        y += x;
        y *= x;
        y -= x;
        y /= x;
        y += 1.0;
        y *= 2.0;
        y -= 3.0;
        y /= 4.0;
        y
    };
    check(assigned, x, [((2.0 * x - 1.0 + 1.0) * 2.0 - 3.0) / 4.0, 1.0, 0.0]);
}

#[test]
fn functions_of_two_numbers() {
    let x: f64 = 0.6;
    // With the second argument 2x² + 1 the chain rule reaches both slopes and all second slopes.
    let other = |x: Second| x * x * 2.0 + 1.0;
    let (y, dy, ddy) = (2.0 * x * x + 1.0, 4.0 * x, 4.0);
    let h = x.hypot(y);
    let dh = (x + y * dy) / h;
    let ddh = (1.0 + dy * dy + y * ddy - dh * dh) / h;
    check(|x| x.hypot(other(x)), x, [h, dh, ddh]);
    let angle = (y - x * dy) / (h * h);
    let second = -x * ddy / (h * h) - 2.0 * angle * dh / h;
    check(|x| x.atan2(other(x)), x, [x.atan2(y), angle, second]);
    check(|x| x.max(other(x)), x, [y, dy, ddy]);
    check(|x| x.min(other(x)), x, [x, 1.0, 0.0]);
    check(|x| other(x).max(x), x, [y, dy, ddy]);
    check(|x| other(x).min(x), x, [x, 1.0, 0.0]);
}

#[test]
fn several_directions() {
    let x = Dual::<f64, 3>::variable(2.0, 0);
    let y = Dual::<f64, 3>::variable(3.0, 2);
    let product = x * y + Dual::constant(1.0);
    assert_eq!(product, Dual { real: 7.0, dual: [3.0, 0.0, 2.0] });
}

#[test]
fn values_equal_those_of_plain_numbers() {
    fn formula<T: Scalar>(x: T) -> T {
        (x.sin() / (x + 3.0)).exp().powf(1.7).atan2(x.tanh()) - x.hypot(x.cosh()).ln()
    }
    for x in [0.1, 0.9, 2.3, -1.7] {
        assert_eq!(formula(x).to_bits(), formula(Second::from(x)).value().to_bits());
    }
}

#[test]
fn points_without_derivative() {
    type First = Dual<f64, 2>;
    let (still, moving) = (First::constant(0.0), First::variable(0.0, 1));
    assert_eq!(still.sqrt(), First::constant(0.0));
    assert_eq!(moving.sqrt().dual, [0.0, f64::INFINITY]);
    assert_eq!((moving * moving).sqrt().dual, [0.0, 0.0]);
    assert_eq!(moving.powf(0.5).dual, [0.0, f64::INFINITY]);
    assert_eq!(moving.powf(1.0).dual, [0.0, 1.0]);
    assert_eq!(moving.powi(0), First::constant(1.0));
    assert_eq!(moving.powi(2).dual, [0.0, 0.0]);
    assert_eq!((moving * moving.hypot(still)).dual, [0.0, 0.0]);
    assert_eq!(moving.abs().dual, [0.0, 0.0]);
    assert!(First::from(f64::NAN).abs().value().is_nan());
    assert!(First::from(f64::NAN).max(still).value().is_nan());
    assert!(still.min(First::from(f64::NAN)).value().is_nan());
}
