//! Formulas of model files: text → expression graph → exact derivatives → flat program.
//!
//! | file | concept |
//! |---|---|
//! | `lexer`, `parser`, `expect`, `functions` | text to expressions, with errors that point into the text |
//! | `graph`, `arithmetic`, `simplify` | hash-consed expressions, folded and simplified as they are built |
//! | `axis`, `slopes`, `table`, `tables` | functions through points, of one or two arguments, by name |
//! | `derivative` | partial and directional derivatives, exact and memoised |
//! | `display` | expressions back to readable text |
//! | `lower`, `schedule`, `allocate`, `instruction`, `program` | flat programs that evaluate many outputs at once, without allocation |
//! | `jumps`, `timetable` | what happens at times that are known in advance |
//! | `decisions` | what formulas decide by other quantities, held while steps are attempted |
//! | `explain` | which operation made a result infinite or undefined |
//!
//! ```
//! use rotula_formula::{Graph, Program};
//!
//! let mut graph = Graph::new();
//! let theta = graph.symbol("theta");
//! let rate = graph.symbol("theta'");
//! let moment = graph.parse("-0.1*theta' - 3*sin(theta)", &mut |name| match name {
//!     "theta" => Some(theta),
//!     "theta'" => Some(rate),
//!     _ => None,
//! })?;
//! let stiffness = graph.derivative(moment, theta);
//! assert_eq!(graph.display(stiffness), "-3*cos(theta)");
//!
//! let program = Program::compile(&graph, &[theta, rate], &[moment, stiffness])?;
//! let mut registers = vec![0.0; program.registers()];
//! let mut outputs = [0.0; 2];
//! program.evaluate(&[0.0, 2.0], &mut registers, &mut outputs);
//! assert_eq!(outputs, [-0.2, -3.0]);
//! # Ok::<(), rotula_formula::FormulaError>(())
//! ```
//!
//! # The language
//!
//! From loosest to tightest: `or`, `and`, `not`, comparisons (`<  <=  >  >=  ==  !=`), `+ -`, `* /`, unary `-`, `^`
//! (right associative, so `-x^2` is `-(x^2)` and `2^3^2` is `2^9`). Comparisons and their combinations are allowed only as
//! the first argument of `if(condition, then, otherwise)`.
//!
//! * Numbers: `1`, `.5`, `1e-3`. Constants: `pi`, `tau`.
//! * Names: letters (any alphabet), digits, `_`, inner dots (`lambda.pin_x`), indices (`link[7].pin`) and up to two trailing
//!   primes (`theta''`). What an index means, the caller's `resolve` says.
//! * `sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp log log10 sqrt cbrt abs sign floor ceil`;
//!   `log` is the natural logarithm and `sign(0)` is 0.
//! * `atan2(y, x)`, `hypot(x, y)`, `pow(x, y)`, `mod(x, y)` (result has the sign of `y`), `min(…)`, `max(…)`,
//!   `clamp(x, low, high)`.
//! * `heaviside(x)`: 0 for x < 0, else 1. `pulse(t, start, end)`: 1 for start ≤ t < end, else 0.
//! * `step(t, t0, f0, t1, f1)`: f0 before t0, f1 after t1, and f0 + (f1 − f0)·u²(3 − 2u), u = (t − t0)/(t1 − t0), between.
//! * `table(x, x1, y1, x2, y2, …)`: piecewise linear through constant points with increasing x; beyond the ends the first
//!   and last slopes continue. `table_slope(…)`, same arguments, is its derivative. Semicolons may separate the points.
//!
//! Tables that the caller adds by name ([`Graph::add_table`]) are called as functions: `road(x)`, `map(x, y)`. `road'(x)` and
//! `road''(x)` are slope and curvature; `road.d3(x)` is the third derivative, `map.d10(x, y)` the slope along x.
//!
//! An undefined (NaN) operand always makes the result undefined, also in `min`, `max`, comparisons and `if`; only the
//! branch of an `if` that is not taken may be undefined without harm.

// Allowed only where it is argued.
#![deny(unsafe_code)]

mod allocate;
mod arithmetic;
mod axis;
mod decisions;
mod derivative;
mod display;
mod error;
mod evaluate;
mod expect;
mod explain;
mod functions;
mod graph;
mod hash;
mod instruction;
mod jumps;
mod lexer;
mod lower;
mod operation;
mod parser;
mod program;
mod schedule;
mod simplify;
mod slopes;
mod suggest;
mod table;
mod tables;
mod timetable;

pub use axis::{Axis, Beyond, Interpolation};
pub use decisions::Decisions;
pub use error::FormulaError;
pub use explain::NotFinite;
pub use functions::{function_names, is_reserved};
pub use graph::{Expression, Graph};
pub use hash::{FastHasher, FastMap};
pub use lexer::{is_name, names_in};
pub use operation::{Binary, Unary};
pub use program::Program;
pub use suggest::nearest;
pub use table::Tabulated;
pub use tables::Tables;
pub use timetable::{Feature, Timetable};
