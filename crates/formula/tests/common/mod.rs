//! Random formulas in x, y, z.
#![allow(dead_code, reason = "each test file uses a part")]

use proptest::prelude::*;
use rotula_formula::{Expression, Graph};

/// Smooth formulas that are defined everywhere.
pub fn smooth() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        4 => prop_oneof![Just("x"), Just("y"), Just("z")].prop_map(str::to_owned),
        1 => (-30..30i32).prop_map(|n| format!("({})", f64::from(n) / 8.0)),
    ];
    leaf.prop_recursive(5, 40, 2, |inner| {
        prop_oneof![
            4 => (inner.clone(), prop_oneof![Just("+"), Just("-"), Just("*")], inner.clone())
                .prop_map(|(a, op, b)| format!("({a} {op} {b})")),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a})/(1 + ({b})^2)")),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("(1.5 + sin({a}))^tanh({b})")),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("hypot(1 + exp(sin({a})), {b})")),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("atan2({a}, 2 + cos({b}))")),
            1 => (inner.clone(), 2..5u32).prop_map(|(a, n)| format!("({a})^{n}")),
            1 => inner.clone().prop_map(|a| format!("-{a}")),
            3 => (prop_oneof![Just("sin"), Just("cos"), Just("atan"), Just("tanh"), Just("asinh")], inner.clone())
                .prop_map(|(f, a)| format!("{f}({a})")),
            1 => inner.clone().prop_map(|a| format!("sqrt(2 + sin({a}))")),
            1 => inner.prop_map(|a| format!("log(1 + ({a})^2)")),
        ]
    })
}

/// Formulas of every function, undefined in places.
pub fn wild() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        4 => prop_oneof![Just("x"), Just("y"), Just("z")].prop_map(str::to_owned),
        1 => (-30..30i32).prop_map(|n| format!("({})", f64::from(n) / 8.0)),
        1 => Just("pi".to_owned()),
    ];
    let unary = prop::sample::select(vec![
        "sin",
        "cos",
        "tan",
        "asin",
        "acos",
        "atan",
        "sinh",
        "cosh",
        "tanh",
        "asinh",
        "acosh",
        "atanh",
        "exp",
        "log",
        "log10",
        "sqrt",
        "cbrt",
        "abs",
        "sign",
        "floor",
        "ceil",
        "heaviside",
        "-",
        "max",
    ]);
    let infix = prop::sample::select(vec!["+", "-", "*", "/", "^"]);
    let binary = prop::sample::select(vec!["atan2", "hypot", "mod", "pow", "min", "max"]);
    let compare = prop::sample::select(vec!["<", "<=", ">", ">=", "==", "!="]);
    let logic = prop::sample::select(vec!["and", "or", "and not", "or not"]);
    leaf.prop_recursive(6, 60, 4, move |inner| {
        let i = inner.clone();
        prop_oneof![
            4 => (i.clone(), infix.clone(), i.clone()).prop_map(|(a, op, b)| format!("({a} {op} {b})")),
            4 => (unary.clone(), i.clone()).prop_map(|(f, a)| format!("{f}({a})")),
            2 => (binary.clone(), i.clone(), i.clone()).prop_map(|(f, a, b)| format!("{f}({a}, {b})")),
            1 => (i.clone(), -9..9i32).prop_map(|(a, n)| format!("({a})^({}/2)", n)),
            2 => ((i.clone(), compare.clone(), i.clone()), logic.clone(), (i.clone(), i.clone()))
                .prop_map(|((a, op, b), and, (c, d))| format!("if({a} {op} {b} {and} {c} < 1, {c}, {d})")),
            1 => (i.clone(), i.clone(), i.clone()).prop_map(|(a, b, c)| format!("clamp({a}, {b}, {c})")),
            1 => (i.clone(), i.clone(), i.clone()).prop_map(|(a, b, c)| format!("step({a}, min({b}, 4), {c}, 5, 2)")),
            1 => i.clone().prop_map(|a| format!("table({a}, -1, 2, 0.5, 1, 2, 4)")),
            1 => (i.clone(), i).prop_map(|(a, b)| format!("pulse({a}, {b}, 1)")),
        ]
    })
}

pub struct Sample {
    pub graph: Graph,
    pub symbols: [Expression; 3],
    pub e: Expression,
}

impl Sample {
    pub fn new(text: &str) -> Self {
        let mut graph = Graph::new();
        let symbols = ["x", "y", "z"].map(|name| graph.symbol(name));
        let e = graph.parse_free(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        Self { graph, symbols, e }
    }

    pub fn at(&self, e: Expression, point: [f64; 3]) -> f64 {
        let values: Vec<_> = self.symbols.into_iter().zip(point).collect();
        self.graph.evaluate(e, &values)
    }
}

/// Equal, or both undefined.
pub fn same(a: f64, b: f64) -> bool {
    a == b || (a.is_nan() && b.is_nan())
}
