//! What the errors say and where they point.

use rotula_formula::{FormulaError, Graph};

/// The message, the text that is pointed at, and the help for a formula in which `x`, `y` and `theta'` are known.
fn fault(text: &str) -> (String, &str, Option<String>) {
    let mut graph = Graph::new();
    let x = graph.symbol("x");
    let known = ["x", "y", "theta'"];
    let error = graph.parse(text, &mut |name| known.contains(&name).then_some(x)).expect_err(text);
    let span = error.span().expect("errors of text have a span");
    (error.to_string(), &text[span], error.help())
}

#[test]
fn messages_spans_and_help() {
    let cases: &[(&str, &str, &str, &str)] = &[
        // text, message, what it points at, part of the help
        ("", "the formula is empty", "", ""),
        ("  ", "the formula is empty", "  ", ""),
        ("x +", "the formula ends where a value is expected", "", ""),
        ("x * / y", "a value is expected before `/`", "/", ""),
        ("2x", "an operator is missing before `x`", "x", "`*`"),
        ("x y", "an operator is missing before `y`", "y", "`*`"),
        ("(x)(y)", "an operator is missing before `(`", "(", "`*`"),
        ("(x + y", "this parenthesis is not closed", "(", ""),
        ("sin(x", "this parenthesis is not closed", "(", ""),
        ("x + y)", "this parenthesis closes nothing", ")", ""),
        ("x, y", "unexpected `,`", ",", ""),
        ("3*omega", "unknown name `omega`", "omega", ""),
        ("3*theta''", "unknown name `theta''`", "theta''", ""),
        ("1 + sin", "unknown name `sin`", "sin", "`sin` is a function"),
        ("sinn(x)", "unknown function `sinn`", "sinn", "did you mean `sin`?"),
        ("x + ln(y)", "unknown function `ln`", "ln", "log(x)"),
        ("fmod(x, 2)", "unknown function `fmod`", "fmod", "write mod(x, y) (functions are sin, "),
        ("gamma(x)", "unknown function `gamma`", "gamma", ", table, table_slope)"),
        ("theta'(3)", "unknown function `theta'`", "theta'", "`theta'*(…)`"),
        ("2*atan2(x)", "`atan2` takes two arguments, but 1 is given", "atan2(x)", "two arguments"),
        ("sin()", "`sin` takes one argument, but 0 are given", "sin()", "one argument"),
        (
            "if(x > 1, 2)",
            "`if` takes three arguments (condition, then, otherwise), but 2 are given",
            "if(x > 1, 2)",
            "three arguments",
        ),
        ("sin(x, y)", "`sin` takes one argument, but 2 are given", "sin(x, y)", "one argument"),
        ("sin(,x)", "a value is expected before `,`", ",", ""),
        ("1 + (x < y)", "a condition stands where a number is expected", "(x < y)", "if(condition"),
        ("x < y", "a condition stands where a number is expected", "x < y", "if(condition"),
        ("if(x + 1, 2, 3)", "a number stands where a condition is expected", "x + 1", "x > 0"),
        ("if(x and y > 1, 2, 3)", "a number stands where a condition is expected", "x", "x > 0"),
        ("if(1 < x < 2, 2, 3)", "comparisons cannot be chained", "<", "and"),
        ("if(and x > 1, 1, 2)", "a condition is expected before `and`", "and", ""),
        ("x**2", "`**` is not an operator here", "**", "`^`"),
        ("if(x = 1, 2, 3)", "`=` is not an operator here", "=", "`==`"),
        ("2·x", "`·` is not an operator here", "·", "`*`"),
        ("x − y", "`−` is not an operator here", "−", "`-`"),
        ("if(!x, 1, 2)", "`!` is not an operator here", "!", "`not`"),
        ("if(x > 1 && y > 1, 1, 2)", "`&&` is not an operator here", "&&", "`and`"),
        ("x $ y", "unexpected character `$`", "$", ""),
        ("1.2.3", "a number has only one decimal point", "1.2.", ""),
        ("1e999*x", "this number is too large", "1e999", ""),
        ("x. + 1", "a name cannot end with a dot", "x.", ""),
        ("x''' + 1", "`x'''` has more than two primes", "x'''", ""),
        (
            "table(x, 0, 1, 0, 2)",
            "the x of a table must increase, but 0 follows 0",
            "0",
            "increasing",
        ),
        ("table(x, 0, y, 1, 2)", "the points of a table must be constant", "y", ""),
        (
            "table(x, 0, 1, 2)",
            "`table` takes an argument and two points or more (x, x1, y1, x2, y2, …), but 4 are given",
            "table(x, 0, 1, 2)",
            "two points or more",
        ),
        ("step(x, 2, 0, 1, 5)", "a step must end after it begins, but 1 is not after 2", "1", ""),
        ("x[1", "this bracket is not closed", "[", "`]`"),
        ("2*[1]", "a value is expected before `[`", "[", ""),
    ];
    for &(text, message, pointed, help) in cases {
        let (found, at, found_help) = fault(text);
        assert_eq!(found, message, "{text}");
        assert_eq!(at, pointed, "{text}");
        let found_help = found_help.unwrap_or_default();
        assert!(found_help.contains(help), "{text}: {found_help}");
        assert_eq!(help.is_empty(), found_help.is_empty(), "{text}: {found_help}");
    }
}

#[test]
fn spans_point_at_the_right_occurrence() {
    let mut graph = Graph::new();
    let x = graph.symbol("x");
    let span = |graph: &mut Graph, text: &str| {
        graph.parse(text, &mut |name| (name == "x").then_some(x)).unwrap_err().span()
    };
    assert_eq!(span(&mut graph, "θ + x"), Some(0..2));
    assert_eq!(span(&mut graph, "x + (x - (x"), Some(9..10));
    assert_eq!(span(&mut graph, "x + "), Some(3..3));
    assert_eq!(span(&mut graph, "table(x, 0, 1, 0, 2)"), Some(15..16));
    assert_eq!(span(&mut graph, "x + (2 > 1)*3"), Some(4..11));
}

#[test]
fn errors_outside_text() {
    let mut graph = Graph::new();
    let x = graph.symbol("x");
    assert!(matches!(graph.table(x, &[(0.0, 1.0)]), Err(FormulaError::Table { span: None, .. })));
    assert!(matches!(graph.call("sinus", &[x]), Err(FormulaError::UnknownFunction { .. })));
    assert!(matches!(graph.call("sin", &[]), Err(FormulaError::ArgumentCount { found: 0, .. })));
    assert!(matches!(
        rotula_formula::Program::compile(&graph, &[], &[x]),
        Err(FormulaError::MissingInput { name }) if name == "x"
    ));
}
