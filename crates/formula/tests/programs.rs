//! Programs against direct evaluation; sharing; explanations.

mod common;

use common::{Sample, same, wild};
use proptest::prelude::*;
use rotula_formula::{Graph, Program};

fn compile(text: &str) -> (Sample, Program) {
    let sample = Sample::new(text);
    let program = Program::compile(&sample.graph, &sample.symbols, &[sample.e]).unwrap();
    (sample, program)
}

fn run(program: &Program, inputs: &[f64]) -> Vec<f64> {
    let mut registers = vec![f64::NAN; program.registers()];
    let mut outputs = vec![f64::NAN; program.outputs()];
    program.evaluate(inputs, &mut registers, &mut outputs);
    outputs
}

#[test]
fn instructions_are_shared_and_joined() {
    for (text, count) in [
        ("x", 0),
        ("3", 0),
        ("x + y", 1),
        // sin and cos together, then cos·sin + sin
        ("sin(x) + cos(x)*sin(x)", 2),
        ("x*y + z", 1),
        ("z - x*y", 1),
        ("x^2", 1),
        ("x^8", 3),
        ("x^-3", 2),
        ("x/4", 1),
        ("(x + y)*(x + y)", 2),
        ("sin(x*y)/sin(y*x + 0)", 0),
        ("x^1.5", 2),
    ] {
        assert_eq!(compile(text).1.instructions(), count, "{text}");
    }
}

#[test]
fn outputs_share_and_registers_are_reused() {
    let mut graph = Graph::new();
    let e = graph.parse_free("exp(x)*sin(x)").unwrap();
    let x = graph.symbol("x");
    let d = graph.derivative(e, x);
    let program = Program::compile(&graph, &[x], &[e, d, e]).unwrap();
    // exp, sincos, product, product + product
    assert_eq!(program.instructions(), 4);
    let out = run(&program, &[0.5]);
    assert_eq!(out[0], 0.5f64.exp() * 0.5f64.sin());
    assert_eq!(out[0], out[2]);
    assert!((out[1] - 0.5f64.exp() * (0.5f64.sin() + 0.5f64.cos())).abs() < 1e-15);

    let chain = (0..150).fold("x".to_owned(), |text, _| format!("atan({text})"));
    assert!(compile(&chain).1.registers() <= 5);
}

#[test]
fn division_is_kept_exact() {
    let (_, program) = compile("x/3 + y/8");
    assert_eq!(run(&program, &[0.7, 0.3, 0.0])[0], 0.7 / 3.0 + 0.3 / 8.0);
}

#[test]
fn inputs_may_be_outputs_and_repeat() {
    let mut graph = Graph::new();
    let [x, y] = ["x", "y"].map(|name| graph.symbol(name));
    let two = graph.constant(2.0);
    let program = Program::compile(&graph, &[x, y], &[y, x, two, y]).unwrap();
    assert_eq!(run(&program, &[1.0, 5.0]), [5.0, 1.0, 2.0, 5.0]);
    let empty = Program::compile(&graph, &[], &[]).unwrap();
    assert_eq!(run(&empty, &[]), [0.0; 0]);
}

#[test]
fn undefined_values_propagate() {
    for text in [
        "x + 1",
        "min(x, 1)",
        "min(1, x)",
        "max(x, 1)",
        "max(1, x)",
        "sign(x)",
        "heaviside(x)",
        "abs(x)",
        "if(x < 1, 2, 3)",
        "if(x == 1, 2, 3)",
        "if(not x > 1, 2, 3)",
        "clamp(x, 0, 1)",
        "step(x, 0, 1, 1, 2)",
        "table(x, 0, 1, 1, 2, 2, 2)",
        "table_slope(x, 0, 1, 1, 2, 2, 2)",
        "hypot(x, 1/0)",
        "pulse(x, 0, 1)",
        "floor(x)",
    ] {
        let (_, program) = compile(text);
        assert!(run(&program, &[f64::NAN, 0.0, 0.0])[0].is_nan(), "{text}");
    }
    // what is not asked for may be undefined
    let (_, program) = compile("if(x > 0, log(x), 0) + if(x > 0 and log(x) > 1, 1, 2)");
    assert_eq!(run(&program, &[-1.0, 0.0, 0.0])[0], 2.0);
}

#[test]
fn failures_are_explained() {
    let nan = f64::NAN;
    for (text, point, expected) in [
        (
            "3 + sqrt(1 - x^2)",
            [1.5, 0.0, 0.0],
            "sqrt(-1.25) in sqrt(1 - x^2) is undefined at x = 1.5",
        ),
        ("y/x + 1", [0.0, 2.0, 0.0], "2/0 in y/x is infinite at x = 0, y = 2"),
        (
            "(y - 3)/(x - y)",
            [2.0, 2.0, 0.0],
            "(-1)/0 in (y - 3)/(x - y) is infinite at x = 2, y = 2",
        ),
        ("log(x)*0.5", [-1.0, 0.0, 0.0], "log(-1) in log(x) is undefined at x = -1"),
        ("exp(y*x)", [1e3, 1.0, 0.0], "exp(1000) in exp(y*x) is infinite at x = 1000, y = 1"),
        (
            "if(x > 0, log(x - 5), log(-7 - x^2))",
            [1.0, 0.0, 0.0],
            "log(-4) in log(x - 5) is undefined at x = 1",
        ),
        ("x*y", [nan, 1.0, 0.0], "x is undefined at x = undefined"),
        ("x^y", [-0.5, 0.3, 0.0], "(-0.5)^0.3 in x^y is undefined at x = -0.5, y = 0.3"),
        ("1/0 + x", [1.0, 0.0, 0.0], "1/0 is infinite"),
        ("mod(x, y)", [1.0, 0.0, 0.0], "mod(1, 0) in mod(x, y) is undefined at x = 1, y = 0"),
        ("if(log(x) < 1, 1, 2)", [-1.0, 0.0, 0.0], "log(-1) in log(x) is undefined at x = -1"),
    ] {
        let (sample, program) = compile(text);
        let found = program.explain_not_finite(&sample.graph, &point).expect(text);
        assert_eq!(found.to_string(), expected, "{text}");
        assert_eq!(found.output, 0);
    }
    let (sample, program) = compile("if(x > 0, log(x), 0)");
    assert_eq!(program.explain_not_finite(&sample.graph, &[-1.0, 0.0, 0.0]), None);
}

#[test]
fn the_first_failing_output_is_named() {
    let mut graph = Graph::new();
    let outputs = ["x + 1", "asin(x)"].map(|text| graph.parse_free(text).unwrap());
    let x = graph.symbol("x");
    let program = Program::compile(&graph, &[x], &outputs).unwrap();
    let found = program.explain_not_finite(&graph, &[2.0]).unwrap();
    assert_eq!((found.output, found.operation.as_str()), (1, "asin(2) in asin(x)"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn programs_equal_direct_evaluation(
        texts in prop::collection::vec(wild(), 1..4),
        point in prop::array::uniform3(-3.0..3.0f64),
    ) {
        let mut graph = Graph::new();
        let symbols = ["x", "y", "z"].map(|name| graph.symbol(name));
        let mut outputs = Vec::new();
        for text in &texts {
            let e = graph.parse_free(text).unwrap();
            let d = graph.derivative(e, symbols[0]);
            outputs.extend([e, d]);
        }
        let program = Program::compile(&graph, &symbols, &outputs).unwrap();
        let values: Vec<_> = symbols.into_iter().zip(point).collect();
        let found = run(&program, &point);
        let mut finite = true;
        for (&e, &value) in outputs.iter().zip(&found) {
            let expected = graph.evaluate(e, &values);
            prop_assert!(same(value, expected), "{}: {} {}", graph.display(e), value, expected);
            finite &= value.is_finite();
        }
        let explained = program.explain_not_finite(&graph, &point);
        prop_assert_eq!(explained.is_none(), finite);
    }
}

#[test]
fn long_programs_equal_direct_evaluation() {
    let mut graph = Graph::new();
    let symbols = ["x", "y", "z"].map(|name| graph.symbol(name));
    let terms: Vec<String> = (1..1500)
        .map(|k| format!("sin({k}*x)*cos({k}*x - y)/(z^{} + {k}) - min(x*{k}, y)", k % 7))
        .collect();
    let mut outputs: Vec<_> = terms.iter().map(|text| graph.parse_free(text).unwrap()).collect();
    let sum = outputs.clone().into_iter().reduce(|a, b| graph.add(a, b)).unwrap();
    outputs.push(sum);
    outputs.push(graph.derivative(sum, symbols[0]));
    let program = Program::compile(&graph, &symbols, &outputs).unwrap();
    let point = [0.3, -0.8, 1.7];
    let values: Vec<_> = symbols.into_iter().zip(point).collect();
    for (&e, value) in outputs.iter().zip(run(&program, &point)) {
        assert_eq!(value, graph.evaluate(e, &values));
    }
}
