//! Derivatives against difference quotients and against each other.

mod common;

use common::{Sample, same, smooth, wild};
use proptest::prelude::*;
use rotula_formula::{Expression, Graph};

/// Fourth-order central difference of `f` at `x`.
fn difference(f: impl Fn(f64) -> f64, x: f64, h: f64) -> f64 {
    (8.0 * (f(x + h) - f(x - h)) - (f(x + 2.0 * h) - f(x - 2.0 * h))) / (12.0 * h)
}

/// Checks the first three derivatives of `text` along x.
fn check(text: &str, x: f64) {
    let mut sample = Sample::new(text);
    let point = |x: f64| [x, 0.7, -1.3];
    let mut e = sample.e;
    for order in 1..=3 {
        let d = sample.graph.derivative(e, sample.symbols[0]);
        let exact = sample.at(d, point(x));
        let h = 1e-3 * (1.0 + x.abs());
        let quotient = difference(|x| sample.at(e, point(x)), x, h);
        let tolerance = 1e-7 * (1.0 + exact.abs() + sample.at(e, point(x)).abs());
        assert!(
            (exact - quotient).abs() < tolerance,
            "{text} at {x}, order {order}: {exact} {quotient}; {}",
            sample.graph.display(d)
        );
        e = d;
    }
}

#[test]
fn every_function_agrees_with_differences() {
    for (text, points) in [
        ("x + y*x - x/y", vec![0.3, -2.0]),
        ("y/x", vec![0.8, -2.0]),
        ("x^2 + x^3 + x^7", vec![0.0, 0.9, -1.1]),
        ("x^-1 + x^-3", vec![0.9, -1.1]),
        ("x^0.5 + x^1.5 + x^-2.5 + x^0.3", vec![0.9, 2.0]),
        ("2^x + y^x + x^y + x^x", vec![0.9, 2.0]),
        ("sin(x) + sin(3*x)", vec![0.3, 4.0]),
        ("cos(x^2)", vec![0.3, -1.5]),
        ("tan(x)", vec![0.3, -1.0]),
        ("asin(x)", vec![0.3, -0.6]),
        ("acos(x)", vec![0.3, -0.6]),
        ("atan(x)", vec![0.3, -5.0]),
        ("sinh(x)", vec![0.3, -2.0]),
        ("cosh(x)", vec![0.3, -2.0]),
        ("tanh(x)", vec![0.3, -2.0]),
        ("asinh(x)", vec![0.3, -2.0]),
        ("acosh(x)", vec![1.5, 4.0]),
        ("atanh(x)", vec![0.3, -0.5]),
        ("exp(x)", vec![0.3, -2.0]),
        ("log(x)", vec![0.8, 4.0]),
        ("log10(x)", vec![0.8, 4.0]),
        ("sqrt(x)", vec![0.8, 4.0]),
        ("cbrt(x)", vec![0.8, -4.0]),
        ("abs(x)*x", vec![0.8, -4.0]),
        ("sign(x)*x^2", vec![0.8, -4.0]),
        ("floor(x)*x + ceil(x)*x^2", vec![0.8, -4.3]),
        ("heaviside(x)*x^3", vec![0.8, -4.0]),
        ("min(x^2, x^3, 2)", vec![0.8, 1.3, -0.5]),
        ("max(x^2, x^3, 2)", vec![0.8, 1.6, -1.7]),
        ("mod(x^2, 3)", vec![0.8, 2.0, -2.2]),
        ("mod(5, x)", vec![0.8, 2.2, -2.2]),
        ("atan2(x, y) + atan2(y, x)", vec![0.8, -2.0]),
        ("hypot(x, y)", vec![0.8, -2.0]),
        ("clamp(x^2, 1, 4)", vec![0.5, 1.5, -3.0]),
        ("if(x < 1 and x > -1, x^2, x^3)", vec![0.5, 1.5, -3.0]),
        ("step(x, -1, y, 2, 7)", vec![0.5, 1.5, -3.0, 4.0]),
        ("step(1, x, y, 2, x^2)", vec![0.5, -1.5]),
        ("pulse(x, 0, 1)*x^2", vec![0.5, 1.5]),
        ("table(x^2, 0, 1, 1, 3, 2, -1)", vec![0.5, 1.2, 3.0]),
        ("table_slope(x, 0, 1, 1, 3, 2, -1)*x^2", vec![0.5, 1.2, 3.0]),
    ] {
        for x in points {
            check(text, x);
        }
    }
}

#[test]
fn limits_are_those_of_the_formula() {
    for (text, x, expected) in [
        ("x^2", 0.0, 0.0),
        ("x^3", 0.0, 0.0),
        ("sqrt(x)", 0.0, f64::INFINITY),
        ("abs(x)", 0.0, 0.0),
        ("step(x, 0, 1, 1, 5)", 0.0, 0.0),
        ("step(x, 0, 1, 1, 5)", 1.0, 0.0),
        ("step(x, 0, 1, 1, 5)", 0.5, 6.0),
        ("x^(2 + x)", 0.0, 0.0),
        ("table(x, 0, 1, 1, 3, 2, -1)", 1.0, -4.0),
    ] {
        let mut sample = Sample::new(text);
        let d = sample.graph.derivative(sample.e, sample.symbols[0]);
        assert_eq!(sample.at(d, [x, 0.0, 0.0]), expected, "{text} at {x}");
    }
}

#[test]
fn derivatives_are_simple() {
    for (text, expected) in [
        ("x^2/2", "x"),
        ("x^3", "3*x^2"),
        ("x^40", "40*x^39"),
        ("sin(x)", "cos(x)"),
        ("cos(y*x)", "-sin(y*x)*y"),
        ("5*x + y", "5"),
        ("sin(y)*z", "0"),
        ("-y*x - z", "-y"),
        ("exp(-x)", "-exp(-x)"),
        ("sqrt(x)", "1/(2*sqrt(x))"),
        ("if(x < 0, 0, y*x^2)", "if(x < 0, 0, 2*(y*x))"),
    ] {
        let mut sample = Sample::new(text);
        let d = sample.graph.derivative(sample.e, sample.symbols[0]);
        assert_eq!(sample.graph.display(d), expected, "{text}");
    }
}

#[test]
fn time_derivatives_of_a_constraint() {
    let mut graph = Graph::new();
    let [q, v, a] = ["q", "q'", "q''"].map(|name| graph.symbol(name));
    let g = graph.parse_free("l*cos(q) - x").unwrap();
    let rate = graph.directional(g, &[(q, v)]);
    let acceleration = graph.directional(rate, &[(q, v), (v, a)]);
    let expected = graph.parse_free("-l*(cos(q)*q'^2 + sin(q)*q'')").unwrap();
    let values: Vec<_> = [q, v, a, graph.symbol("l"), graph.symbol("x")]
        .into_iter()
        .zip([0.3, 2.0, -1.0, 1.5, 0.2])
        .collect();
    let difference = graph.evaluate(acceleration, &values) - graph.evaluate(expected, &values);
    assert!(difference.abs() < 1e-14);
}

#[test]
fn repeated_derivatives_are_remembered() {
    let mut sample = Sample::new("sin(x*y)^3*exp(-x)");
    let first = sample.graph.derivative(sample.e, sample.symbols[0]);
    let size = sample.graph.len();
    assert_eq!(first, sample.graph.derivative(sample.e, sample.symbols[0]));
    assert_eq!(size, sample.graph.len());
}

#[test]
fn substitution_is_simultaneous() {
    let mut sample = Sample::new("x - 2*y");
    let [x, y, z] = sample.symbols;
    let swapped = sample.graph.substitute(sample.e, &[(x, y), (y, x)]);
    assert_eq!(sample.graph.display(swapped), "y - 2*x");
    let three = sample.graph.constant(3.0);
    let number = sample.graph.substitute(sample.e, &[(x, three), (y, three)]);
    assert_eq!(sample.graph.as_constant(number), Some(-3.0));
    assert!(sample.graph.depends_on(sample.e, x) && !sample.graph.depends_on(sample.e, z));
    assert_eq!(sample.graph.symbols_of(sample.e), [x, y]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn random_formulas_agree_with_differences(text in smooth(), point in prop::array::uniform3(-1.5..1.5f64)) {
        let mut sample = Sample::new(&text);
        let at = |x: f64| [x, point[1], point[2]];
        let mut e = sample.e;
        for _ in 0..2 {
            let d = sample.graph.derivative(e, sample.symbols[0]);
            let exact = sample.at(d, point);
            let coarse = difference(|x| sample.at(e, at(x)), point[0], 2e-4);
            let fine = difference(|x| sample.at(e, at(x)), point[0], 1e-4);
            // only where the quotient itself has settled can it judge
            let scale = 1.0 + exact.abs() + sample.at(e, point).abs();
            prop_assume!((coarse - fine).abs() < 1e-7 * scale && scale < 1e6);
            prop_assert!((exact - fine).abs() < 1e-6 * scale, "{}: {} {}", text, exact, fine);
            e = d;
        }
    }

    #[test]
    fn directional_is_the_sum_of_partials(
        text in smooth(),
        point in prop::array::uniform3(-1.5..1.5f64),
        direction in prop::array::uniform3(-2.0..2.0f64),
    ) {
        let mut sample = Sample::new(&text);
        let pairs: Vec<(Expression, Expression)> =
            (0..3).map(|k| (sample.symbols[k], sample.graph.constant(direction[k]))).collect();
        let along = sample.graph.directional(sample.e, &pairs);
        let mut sum = 0.0;
        let mut size = 1.0;
        for k in 0..3 {
            let partial = sample.graph.derivative(sample.e, sample.symbols[k]);
            let part = direction[k] * sample.at(partial, point);
            sum += part;
            size += part.abs();
        }
        let value = sample.at(along, point);
        prop_assume!(size < 1e9);
        prop_assert!((value - sum).abs() < 1e-9 * size, "{}: {} {}", text, value, sum);
    }

    #[test]
    fn derivatives_of_wild_formulas_do_not_panic(text in wild(), point in prop::array::uniform3(-3.0..3.0f64)) {
        let mut sample = Sample::new(&text);
        for symbol in sample.symbols {
            let d = sample.graph.derivative(sample.e, symbol);
            let second = sample.graph.derivative(d, symbol);
            let value = sample.at(second, point);
            prop_assert!(same(value, value));
        }
    }
}

#[test]
fn graph_reuses_equal_parts() {
    let mut graph = Graph::new();
    let a = graph.parse_free("sin(x*y) + 2").unwrap();
    let size = graph.len();
    let b = graph.parse_free("2 + sin(y*x)").unwrap();
    assert_eq!(a, b);
    assert_eq!(size, graph.len());
}

/// The gradient is the list of partial derivatives, of formulas that share parts, choose and fold many numbers too.
#[test]
fn a_gradient_has_all_partial_derivatives() {
    let many: Vec<String> = (0..40).map(|k| format!("x{k}")).collect();
    let fold = |function: &str| format!("{function}({})", many.join(", "));
    let shared = format!("x3*sin({}) + {}^2/(2 + x1^2) - x3", fold("sum"), fold("max"));
    for text in [shared.as_str(), "x0*x0 + atan2(x1, x0*x0)", "if(x0 > x1, sqrt(x2), x0^x1)", "3"] {
        let mut graph = Graph::default();
        let symbols: Vec<Expression> = many.iter().map(|name| graph.symbol(name)).collect();
        let e = graph.parse_free(text).unwrap();
        let gradient = graph.gradient(e, &symbols);
        for (slope, symbol) in gradient.into_iter().zip(&symbols) {
            assert_eq!(slope, graph.derivative(e, *symbol), "{text}");
        }
    }
}
