//! Many runs of one model with different values.
//!
//! | file | concept |
//! |---|---|
//! | `axis` | what a key runs over: `a:b:n`, a list, a range |
//! | `cases` | the runs: a grid, a Latin hypercube, the rows of a table |
//! | `measure` | one run, and what is kept of it |
//! | `journal` | finished runs on disk, so that a sweep can go on where it was stopped |

mod axis;
mod cases;
mod journal;
mod measure;

pub use axis::Axis;
pub use cases::{Case, grid, latin_hypercube, of_table};
pub use journal::{Heading, Journal};
pub use measure::{Row, measure, refuse_unknown_curves, refused, wanted};
