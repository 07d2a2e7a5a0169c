//! Time per evaluation of programs, beside the same formulas written in Rust.

use rotula_formula::{Expression, Graph, Program};
use std::hint::black_box;
use std::time::Instant;

/// Nanoseconds per call, the best of several rounds.
fn time(mut call: impl FnMut()) -> f64 {
    let calls = 20_000;
    (0..30)
        .map(|_| {
            let start = Instant::now();
            for _ in 0..calls {
                call();
            }
            start.elapsed().as_secs_f64() * 1e9 / f64::from(calls)
        })
        .fold(f64::INFINITY, f64::min)
}

fn report(name: &str, graph: &Graph, inputs: &[Expression], outputs: &[Expression]) {
    let program = match Program::compile(graph, inputs, outputs) {
        Ok(program) => program,
        Err(error) => return println!("{name}: {error}"),
    };
    let point: Vec<f64> = (0..inputs.len()).map(|k| 0.3 + 0.1 * k as f64).collect();
    let mut registers = vec![0.0; program.registers()];
    let mut out = vec![0.0; outputs.len()];
    let each = time(|| {
        program.evaluate(black_box(&point), &mut registers, &mut out);
        black_box(&out);
    });
    let count = program.instructions();
    println!(
        "{name}: {each:.1} ns, {count} instructions, {:.2} ns each, {} registers",
        each / count.max(1) as f64,
        program.registers()
    );
}

/// θ'' of a damped, driven pendulum on a moving pivot, with its partial derivatives.
fn pendulum() {
    let mut graph = Graph::new();
    let inputs = ["theta", "theta'", "t", "c", "k", "m", "l"].map(|name| graph.symbol(name));
    let text = "(-c*theta' - k*(theta - 3*pi/2) - m*9.81*l*sin(theta) + m*l*0.1*cos(theta)*sin(2*t))/(m*l^2)";
    let Ok(f) = graph.parse_free(text) else {
        return;
    };
    let by_angle = graph.derivative(f, inputs[0]);
    let by_rate = graph.derivative(f, inputs[1]);
    report("pendulum with tangent", &graph, &inputs, &[f, by_angle, by_rate]);

    let point: [f64; 7] = std::array::from_fn(|k| 0.3 + 0.1 * k as f64);
    let each = time(|| {
        let [theta, rate, t, c, k, m, l] = black_box(point);
        let (sine, cosine) = theta.sin_cos();
        let drive = (2.0 * t).sin();
        let below = m * l * l;
        let f = (-c * rate - k * (theta - 1.5 * std::f64::consts::PI) - m * 9.81 * l * sine
            + m * l * 0.1 * cosine * drive)
            / below;
        let by_angle = (-k - m * 9.81 * l * cosine - m * l * 0.1 * sine * drive) / below;
        black_box([f, by_angle, -c / below]);
    });
    println!("  the same in Rust: {each:.1} ns");
}

/// Products and sums only: the cost of an instruction.
fn polynomial(size: usize) {
    let mut graph = Graph::new();
    let inputs: Vec<Expression> = (0..size).map(|k| graph.symbol(&format!("x{k}"))).collect();
    let outputs: Vec<Expression> = (0..size)
        .filter_map(|k| {
            let (a, b, c) = (k, (k + 1) % size, (k + 7) % size);
            let text =
                format!("(x{a} + 2)*(x{b} - x{c}) - (x{a}*x{c} + 0.5*x{b})*(1 - x{a} + x{b}*x{b})");
            graph.parse_free(&text).ok()
        })
        .collect();
    report(&format!("polynomials of {size} variables"), &graph, &inputs, &outputs);
}

/// Four bars closed by a loop, with the constraint Jacobian and the curvature term.
fn four_bar() {
    let mut graph = Graph::new();
    let q = ["a", "b", "c"].map(|name| graph.symbol(name));
    let v = ["a'", "b'", "c'"].map(|name| graph.symbol(name));
    let texts = [
        "0.4*cos(a) + 1.2*cos(a + b) - 0.9*cos(c) - 1.1",
        "0.4*sin(a) + 1.2*sin(a + b) - 0.9*sin(c)",
    ];
    let mut outputs = Vec::new();
    let along: Vec<_> = q.into_iter().zip(v).collect();
    for text in texts {
        let Ok(g) = graph.parse_free(text) else {
            return;
        };
        outputs.push(g);
        outputs.extend(q.map(|q| graph.derivative(g, q)));
        let rate = graph.directional(g, &along);
        outputs.push(rate);
        outputs.push(graph.directional(rate, &along));
    }
    let inputs: Vec<Expression> = q.into_iter().chain(v).collect();
    report("four-bar loop, Jacobian and curvature", &graph, &inputs, &outputs);
}

/// One sum: the fixed cost of a call.
fn call() {
    let mut graph = Graph::new();
    let Ok(e) = graph.parse_free("x + 1") else {
        return;
    };
    let inputs = ["x", "y", "z", "u", "v", "w"].map(|name| graph.symbol(name));
    report("one sum of six inputs", &graph, &inputs, &[e]);
}

fn main() {
    call();
    pendulum();
    four_bar();
    polynomial(10);
    polynomial(100);
    polynomial(1000);
}
