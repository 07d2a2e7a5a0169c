//! Precedence, names, functions, and text that parses back.

mod common;

use common::{Sample, same, wild};
use proptest::prelude::*;
use rotula_formula::{Graph, names_in};

fn value(text: &str) -> f64 {
    let mut graph = Graph::new();
    let e = graph.parse(text, &mut |_| None).unwrap_or_else(|error| panic!("{text}: {error}"));
    graph.evaluate(e, &[])
}

#[test]
fn operators_bind_as_documented() {
    for (text, expected) in [
        ("1 + 2*3", 7.0),
        ("(1 + 2)*3", 9.0),
        ("7 - 2 - 1", 4.0),
        ("24/4/2", 3.0),
        ("24/4*2", 12.0),
        ("2^3^2", 512.0),
        ("-2^2", -4.0),
        ("(-2)^2", 4.0),
        ("2^-1", 0.5),
        ("2^-1*4", 2.0),
        ("2*-3", -6.0),
        ("2 - -3", 5.0),
        ("+3 - +2", 1.0),
        ("--3", 3.0),
        ("-3*-2", 6.0),
        (".5 + 1.", 1.5),
        ("1e-3*1E3", 1.0),
        ("1 +\n\t2", 3.0),
        ("if(1 < 2, 10, 20)", 10.0),
        ("if(1 + 1 > 1*3, 10, 20)", 20.0),
        ("if(1 > 2 or 3 > 2 and 2 > 1, 1, 0)", 1.0),
        ("if((1 < 2 or 1 < 2) and 2 < 1, 1, 0)", 0.0),
        ("if(not 1 < 2 or 1 < 2, 1, 0)", 1.0),
        ("if(not (1 < 2 or 1 < 2), 1, 0)", 0.0),
        ("if(not not 2 >= 2, 1, 0)", 1.0),
        ("if(1 <= 0 or 1 == 1 and 1 != 2, 1, 0)", 1.0),
        ("2*pi - tau", 0.0),
    ] {
        assert_eq!(value(text), expected, "{text}");
    }
}

#[test]
fn functions_mean_what_is_documented() {
    for (text, expected) in [
        ("log(exp(2))", 2.0),
        ("log10(1000)", 3.0),
        ("cbrt(-8)", -2.0),
        ("sign(-3) + sign(0) + 5*sign(2)", 4.0),
        ("floor(-1.5) + ceil(1.2)", 0.0),
        ("mod(-1, 3) + mod(7, 3)", 3.0),
        ("mod(1, -3)", -2.0),
        ("min(3, 1, 2) + max(1, 5, 3)", 6.0),
        ("max(4)", 4.0),
        ("atan2(1, -1)*4/pi", 3.0),
        ("hypot(3, 4) + pow(2, 10)", 1029.0),
        ("clamp(5, 0, 1) + clamp(-5, 0, 1) + clamp(0.25, 0, 1)", 1.25),
        ("heaviside(0) + heaviside(-1) + heaviside(2)", 2.0),
        ("pulse(0, 0, 1) + pulse(1, 0, 1) + pulse(-1, 0, 1)", 1.0),
        ("step(-1, 0, 2, 1, 6)", 2.0),
        ("step(0.5, 0, 2, 1, 6)", 4.0),
        ("step(0.25, 0, 2, 1, 6)", 2.625),
        ("step(3, 0, 2, 1, 6)", 6.0),
        ("table(0.5, 0, 1, 1, 3, 2, 0)", 2.0),
        ("table(-1, 0, 1; 1, 3; 2, 0)", -1.0),
        ("table(3; 0, 1; 1, 3; 2, 0)", -3.0),
        ("table_slope(1, 0, 1, 1, 3, 2, 0)", -3.0),
    ] {
        assert_eq!(value(text), expected, "{text}");
    }
}

#[test]
fn names_may_be_greek_dotted_and_primed() {
    let text = "θ'' + lambda.pin_x*e - theta' + ω₁^2 + sin(step)*pi";
    let names: Vec<String> = names_in(text).unwrap().into_iter().map(|name| name.0).collect();
    assert_eq!(names, ["θ''", "lambda.pin_x", "e", "theta'", "ω₁", "step"]);
    let mut graph = Graph::new();
    let e = graph.parse_free(text).unwrap();
    assert_eq!(graph.symbols_of(e).len(), 6);
}

#[test]
fn names_resolve_to_any_expression() {
    let mut graph = Graph::new();
    let x = graph.symbol("x");
    let square = graph.mul(x, x);
    let two = graph.constant(2.0);
    let e = graph
        .parse("a*b", &mut |name| match name {
            "a" => Some(square),
            "b" => Some(two),
            _ => None,
        })
        .unwrap();
    assert_eq!(graph.display(e), "2*x^2");
}

#[test]
fn display_is_readable() {
    for (text, expected) in [
        ("a+b+c", "a + b + c"),
        ("a-(b-c)", "a - (b - c)"),
        ("-c*theta' - k*(theta - 3*pi/2)", "-c*theta' - k*(theta - 4.71238898038469)"),
        ("a*(b*c)/d", "a*(b*c)/d"),
        ("x^2 + (-x)^3", "x^2 + (-x)^3"),
        ("x^(y+1)^2", "x^(y + 1)^2"),
        ("a + (-3)*b", "a - 3*b"),
        ("2*(3*x) + 0*y + x*1", "6*x + x"),
        ("if(not a < b and c != 1, a, -b)", "if(not a < b and c != 1, a, -b)"),
        ("pi*x + tau", "pi*x + tau"),
        ("1e-30*x + 1e30", "1e-30*x + 1e30"),
        ("table(x; 0, 1; 2, -3)", "table(x, 0, 1, 2, -3)"),
        ("sin(-x) + cos(-x)", "cos(x) - sin(x)"),
        ("1/0*x", "x/0"),
    ] {
        let mut graph = Graph::new();
        let e = graph.parse_free(text).unwrap();
        assert_eq!(graph.display(e), expected, "{text}");
    }
}

#[test]
fn long_and_deep_formulas_do_not_overflow() {
    let mut graph = Graph::new();
    let sum = vec!["sin(x)*x"; 1]
        .into_iter()
        .map(str::to_owned)
        .chain((0..50_000).map(|k| format!("{k}.5*x^3")))
        .collect::<Vec<_>>()
        .join(" + ");
    let e = graph.parse_free(&sum).unwrap();
    let x = graph.symbol("x");
    let d = graph.derivative(e, x);
    assert!(graph.evaluate(d, &[(x, 0.5)]).is_finite());
    assert!(graph.display(d).ends_with('…'));
    let deep = format!("{}x{}", "(".repeat(100_000), ")".repeat(100_000));
    assert!(graph.parse_free(&deep).unwrap_err().to_string().contains("200 levels"));
    assert!(graph.parse_free(&"-".repeat(100_000)).is_err());
    assert!(graph.parse_free(&"2^".repeat(100_000)).is_err());
}

proptest! {
    #[test]
    fn displayed_text_parses_back(text in wild(), point in prop::array::uniform3(-3.0..3.0f64)) {
        let mut sample = Sample::new(&text);
        let shown = sample.graph.display(sample.e);
        let again = sample.graph.parse_free(&shown).unwrap_or_else(|error| panic!("{shown}: {error}"));
        let (a, b) = (sample.at(sample.e, point), sample.at(again, point));
        prop_assert!(same(a, b) || (a - b).abs() <= 1e-9 * (1.0 + a.abs()), "{} -> {}: {} {}", text, shown, a, b);
    }

    #[test]
    fn no_text_panics(text in "[-+*/^()<>=!,;.' a-c0-9eθπ·'\"]{0,40}") {
        let _ = Graph::new().parse_free(&text);
    }

    #[test]
    fn no_words_panic(words in prop::collection::vec(
        prop::sample::select(vec!["sin(", "if(", "table(", ")", ",", "x", "1", "+", "-", "^", "<", "and", "not", "step(", "x''", "0", "/"]), 0..20)
    ) {
        let _ = Graph::new().parse_free(&words.join(" "));
    }
}
