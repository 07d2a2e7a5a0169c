//! Tables by name: exact where theory says so, with derivatives that are those of the values.

use rotula_formula::{Axis, Beyond, Expression, Graph, Interpolation, Program, Tabulated};

const X: [f64; 7] = [-1.0, -0.4, 0.0, 0.7, 1.1, 2.0, 2.5];

fn curve(f: impl Fn(f64) -> f64, interpolation: Interpolation, beyond: Beyond) -> Tabulated {
    let values: Vec<f64> = X.iter().map(|x| f(*x)).collect();
    Tabulated::curve(Axis::new(X.to_vec(), beyond).unwrap(), &values, interpolation).unwrap()
}

fn bumpy(x: f64) -> f64 {
    (2.3 * x).sin() + 0.3 * x * x
}

const KINDS: [Interpolation; 3] =
    [Interpolation::Linear, Interpolation::Monotone, Interpolation::Spline];

#[test]
fn tables_go_through_their_points_and_derivatives_are_those_of_the_value() {
    for kind in KINDS {
        for beyond in [Beyond::Hold, Beyond::Extend] {
            let table = curve(bumpy, kind, beyond);
            for x in X {
                assert!((table.derivative(x, 0) - bumpy(x)).abs() < 1e-15, "{kind:?} at {x}");
            }
            // neither at a point nor so near that a difference reaches over it
            for x in [-3.0, -0.8, -0.2, 0.35, 0.9, 1.5, 2.2, 4.0] {
                for order in 0..3 {
                    let h = 1e-4;
                    let difference = (table.derivative(x + h, order)
                        - table.derivative(x - h, order))
                        / (2.0 * h);
                    let exact = table.derivative(x, order + 1);
                    assert!(
                        (difference - exact).abs() < 1e-6,
                        "{kind:?} {beyond:?} {order} at {x}: {difference} {exact}"
                    );
                }
                let h = 1e-5;
                let slope = (table.integral(x + h) - table.integral(x - h)) / (2.0 * h);
                assert!((slope - table.derivative(x, 0)).abs() < 1e-8, "{kind:?} at {x}");
            }
            assert_eq!(table.integral(X[0]), 0.0);
        }
    }
}

#[test]
fn a_spline_is_the_cubic_that_its_points_lie_on() {
    let cubic = |x: f64| 1.0 - 2.0 * x + 0.5 * x * x - 0.7 * x * x * x;
    let slope = |x: f64| -2.0 + x - 2.1 * x * x;
    let bend = |x: f64| 1.0 - 4.2 * x;
    let table = curve(cubic, Interpolation::Spline, Beyond::Refuse);
    for k in 0..=70 {
        let x = -1.0 + 0.05 * k as f64;
        let wrong = [cubic(x), slope(x), bend(x)]
            .into_iter()
            .zip(0..)
            .map(|(exact, order)| (table.derivative(x, order) - exact).abs());
        assert!(wrong.fold(0.0, f64::max) < 1e-12, "at {x}");
    }
    assert!(table.derivative(2.6, 0).is_nan() && table.derivative(-1.1, 1).is_nan());
    // rounding is no step beyond the end
    assert!((table.derivative(2.5 + 1e-12, 0) - cubic(2.5)).abs() < 1e-12);
}

#[test]
fn splines_have_continuous_curvature_and_converge_with_the_fourth_order() {
    let error = |n: usize, periodic: bool| {
        let turn = std::f64::consts::TAU;
        let x: Vec<f64> = (0..=n).map(|k| turn * k as f64 / n as f64).collect();
        let y: Vec<f64> = x.iter().map(|x| x.sin()).collect();
        let beyond = if periodic { Beyond::Repeat } else { Beyond::Hold };
        let axis = Axis::new(x.clone(), beyond).unwrap();
        let table = Tabulated::curve(axis, &y, Interpolation::Spline).unwrap();
        for x in &x[1..n] {
            let [left, right] = [x - 1e-9, x + 1e-9].map(|x| table.derivative(x, 2));
            assert!((left - right).abs() < 1e-6, "at {x}");
        }
        let places = (0..1000).map(|k| turn * (k as f64 + 0.5) / 1000.0);
        places.map(|x| (table.derivative(x, 0) - x.sin()).abs()).fold(0.0, f64::max)
    };
    for periodic in [false, true] {
        let (coarse, fine) = (error(20, periodic), error(40, periodic));
        let order = (coarse / fine).log2();
        assert!(coarse < 1e-3 && (3.7..5.3).contains(&order), "{coarse}, order {order}");
    }
}

#[test]
fn monotone_tables_do_not_overshoot() {
    let steps = |x: f64| if x < 0.5 { 0.0 } else { 1.0 };
    for kind in [Interpolation::Linear, Interpolation::Monotone] {
        let table = curve(steps, kind, Beyond::Hold);
        // but for rounding
        let within = |k: i32| {
            (-1e-14..=1.0 + 1e-14).contains(&table.derivative(-2.0 + 0.01 * f64::from(k), 0))
        };
        assert!((0..600).all(within), "{kind:?}");
    }
    let spline = curve(steps, Interpolation::Spline, Beyond::Hold);
    assert!((0..350).any(|k| spline.derivative(-1.0 + 0.01 * f64::from(k), 0) > 1.01));
}

#[test]
fn periodic_tables_repeat_with_their_derivatives_and_integrals() {
    let x = vec![0.0, 0.3, 0.9, 1.4, 2.0];
    let y = [0.0, 1.0, -0.5, 0.2, 0.0];
    for kind in KINDS {
        let axis = Axis::new(x.clone(), Beyond::Repeat).unwrap();
        let table = Tabulated::curve(axis, &y, kind).unwrap();
        let whole = table.integral(2.0);
        for x in [0.1, 0.5, 1.0, 1.9] {
            for turns in [-3.0, 1.0, 7.0] {
                for order in 0..3 {
                    let (here, there) =
                        (table.derivative(x, order), table.derivative(x + 2.0 * turns, order));
                    assert!((here - there).abs() < 1e-11, "{kind:?} {order} at {x}");
                }
                let grown = table.integral(x + 2.0 * turns) - table.integral(x);
                assert!((grown - turns * whole).abs() < 1e-12);
            }
        }
        if kind != Interpolation::Linear {
            let [end, start] = [2.0 - 1e-9, 1e-9].map(|x| table.derivative(x, 1));
            assert!((end - start).abs() < 1e-6, "{kind:?}: {end} {start}");
        }
    }
    let axis = Axis::new(vec![0.0, 1.0, 2.0], Beyond::Repeat).unwrap();
    let error = Tabulated::curve(axis, &[0.0, 1.0, 0.5], Interpolation::Spline).unwrap_err();
    assert!(error.to_string().contains("must end as it begins"), "{error}");
    // two and one pieces
    for (x, y) in [(vec![0.0, 1.0, 3.0], vec![1.0, 2.0, 1.0]), (vec![0.0, 1.0], vec![3.0, 3.0])] {
        let axis = Axis::new(x, Beyond::Repeat).unwrap();
        let table = Tabulated::curve(axis, &y, Interpolation::Spline).unwrap();
        let [end, start] = [-1e-7, 1e-7].map(|x| table.derivative(x, 2));
        assert!((end - start).abs() < 1e-5, "{end} {start}");
    }
}

/// A polynomial of third degree in each argument.
fn hills(x: f64, y: f64) -> f64 {
    (1.0 + x - 0.3 * x * x * x) * (2.0 - y * y + 0.1 * y * y * y) + x * y
}

#[test]
fn a_grid_is_the_product_of_splines_and_partial_derivatives_are_exact() {
    let y = vec![0.0, 0.5, 1.5, 2.0, 3.0];
    let rows: Vec<Vec<f64>> = X.iter().map(|x| y.iter().map(|y| hills(*x, *y)).collect()).collect();
    for (kind, beyond) in [
        (Interpolation::Spline, Beyond::Extend),
        (Interpolation::Linear, Beyond::Extend),
        (Interpolation::Linear, Beyond::Hold),
    ] {
        let axes = [X.to_vec(), y.clone()].map(|points| Axis::new(points, beyond).unwrap());
        let [along, across] = axes;
        let table = Tabulated::grid(along, across, &rows, kind).unwrap();
        if kind == Interpolation::Spline {
            for (x, y) in [(-0.9, 0.1), (0.3, 1.9), (2.4, 2.9), (1.0, 1.0)] {
                assert!((table.partial([x, y], [0, 0]) - hills(x, y)).abs() < 1e-12);
            }
        }
        let h = 1e-4;
        for (x, y) in [(-2.0, 0.2), (0.3, 1.7), (2.2, 5.0), (9.0, -1.0)] {
            for orders in [[0, 0], [1, 0], [0, 1], [1, 1]] {
                let by_x = (table.partial([x + h, y], orders) - table.partial([x - h, y], orders))
                    / (2.0 * h);
                let by_y = (table.partial([x, y + h], orders) - table.partial([x, y - h], orders))
                    / (2.0 * h);
                let [i, j] = orders;
                let exact = [[i + 1, j], [i, j + 1]].map(|orders| table.partial([x, y], orders));
                let size = 1.0 + exact[0].abs() + exact[1].abs();
                assert!((by_x - exact[0]).abs() < 1e-6 * size, "{kind:?} {orders:?} {x} {y}");
                assert!((by_y - exact[1]).abs() < 1e-6 * size, "{kind:?} {orders:?} {x} {y}");
            }
        }
    }
}

/// A graph with a road and a map, and a formula of x and y in it.
fn formula(text: &str) -> (Graph, [Expression; 2], Expression) {
    let mut graph = Graph::new();
    graph.add_table("road", curve(bumpy, Interpolation::Spline, Beyond::Hold));
    let axes = [0.0, 1.0, 2.5, 3.0];
    let rows: Vec<Vec<f64>> =
        axes.iter().map(|x| axes.iter().map(|y| hills(*x, *y)).collect()).collect();
    let axis = || Axis::new(axes.to_vec(), Beyond::Extend).unwrap();
    let map = Tabulated::grid(axis(), axis(), &rows, Interpolation::Spline).unwrap();
    graph.add_table("car.map", map);
    let symbols = ["x", "y"].map(|name| graph.symbol(name));
    let value = graph.parse_free(text).unwrap();
    (graph, symbols, value)
}

#[test]
fn formulas_with_tables_are_differentiated_exactly_and_read_back() {
    for text in ["2*road(x*y)^2", "car.map(x + y, road(x))*sin(y)", "road'(x)*y + road''(x/2)"] {
        let (mut graph, symbols, value) = formula(text);
        let mut outputs = vec![value];
        for symbol in symbols {
            outputs.push(graph.derivative(value, symbol));
        }
        for (k, symbol) in [(1, symbols[0]), (1, symbols[1]), (2, symbols[1])] {
            let second = graph.derivative(outputs[k], symbol);
            outputs.push(second);
        }
        let program = Program::compile(&graph, &symbols, &outputs).unwrap();
        let mut registers = vec![0.0; program.registers()];
        let mut evaluate = |x: f64, y: f64| {
            let mut out = vec![0.0; 6];
            program.evaluate(&[x, y], &mut registers, &mut out);
            for (value, output) in out.iter().zip(&outputs) {
                let slow = graph.evaluate(*output, &[(symbols[0], x), (symbols[1], y)]);
                assert!((value - slow).abs() <= 1e-13 * slow.abs().max(1.0), "{text}");
            }
            out
        };
        let (x, y, h) = (0.9, 0.8, 1e-5);
        let here = evaluate(x, y);
        let [right, left] = [evaluate(x + h, y), evaluate(x - h, y)];
        let [above, below] = [evaluate(x, y + h), evaluate(x, y - h)];
        let differences = [
            (right[0] - left[0], 1),
            (above[0] - below[0], 2),
            (right[1] - left[1], 3),
            (above[1] - below[1], 4),
            (above[2] - below[2], 5),
        ];
        for (difference, k) in differences {
            let error = (difference / (2.0 * h) - here[k]).abs();
            assert!(error < 1e-6 * here[k].abs().max(1.0), "{text}: {k} is off by {error}");
        }
        for output in &outputs {
            let shown = graph.display(*output);
            let mut again = Graph::with_tables(graph.tables());
            let parsed = again.parse_free(&shown).unwrap_or_else(|e| panic!("{shown}: {e}"));
            let value = |graph: &Graph, e| {
                let given = ["x", "y"].map(|name| graph.find_symbol(name));
                let given: Vec<_> =
                    given.into_iter().zip([x, y]).filter_map(|(s, v)| Some((s?, v))).collect();
                graph.evaluate(e, &given)
            };
            let (one, two) = (value(&graph, *output), value(&again, parsed));
            assert!((one - two).abs() <= 1e-12 * one.abs().max(1.0), "{shown}");
        }
    }
}

#[test]
fn faults_of_calls_are_explained() {
    let fault = |text: &str| {
        let (mut graph, ..) = formula("x + y");
        let error = graph.parse_free(text).unwrap_err();
        (error.to_string(), error.span(), error.help().unwrap_or_default())
    };
    let (message, span, help) = fault("1 + road(x, y)");
    assert!(message.contains("`road` takes one argument") && help.contains("road(…)"));
    assert_eq!(span, Some(4..14));
    assert!(fault("car.map(x)").0.contains("two arguments"));
    assert!(fault("car.map'(x, y)").0.contains("unknown function"));
    assert!(fault("rod(x)").0.contains("unknown function"));
}

#[test]
fn what_is_beyond_a_table_that_refuses_is_explained() {
    let mut graph = Graph::new();
    graph.add_table("road", curve(bumpy, Interpolation::Linear, Beyond::Refuse));
    let x = graph.symbol("x");
    let value = graph.parse_free("3*road(2*x)").unwrap();
    let program = Program::compile(&graph, &[x], &[value]).unwrap();
    let found = program.explain_not_finite(&graph, &[4.0]).unwrap().to_string();
    assert!(found.contains("road(8), of a table from -1 to 2.5"), "{found}");
}

#[test]
fn jumps_of_derivatives_are_found() {
    let jumps = |interpolation, beyond, order: usize| {
        let mut graph = Graph::new();
        graph.add_table("road", curve(bumpy, interpolation, beyond));
        let t = graph.symbol("t");
        let mut roots = vec![graph.parse_free("road(2*t)").unwrap()];
        for k in 0..order {
            let next = graph.derivative(roots[k], t);
            roots.push(next);
        }
        graph.jump_times(&roots, t)
    };
    let half = |points: &[f64]| points.iter().map(|x| x / 2.0).collect::<Vec<_>>();
    use {Beyond::*, Interpolation::*};
    assert_eq!(jumps(Linear, Extend, 1), half(&X[1..6]));
    assert_eq!(jumps(Linear, Hold, 1), half(&X));
    assert_eq!(jumps(Spline, Extend, 1), [] as [f64; 0]);
    assert_eq!(jumps(Spline, Hold, 2), half(&[-1.0, 2.5]));
    assert_eq!(jumps(Monotone, Extend, 1), [] as [f64; 0]);
    assert_eq!(jumps(Monotone, Extend, 2).len(), 7);
}
