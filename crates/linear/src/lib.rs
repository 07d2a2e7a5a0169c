//! Direct solution of sequences of linear systems with one fixed sparsity pattern.
//!
//! The matrices are composites of blocks, typically the saddle points
//! `[w_M M + w_D C + w_K K, -Gᵀ; G, 0]` of constrained dynamics, in general unsymmetric. The
//! blocks are placed once with a [`BlockBuilder`]; the resulting [`BlockMatrix`] is then filled,
//! factored and solved many times without allocating memory.
//!
//! | module | content |
//! |---|---|
//! | [`pattern`] | compressed-column patterns and products |
//! | [`block`] | composite matrices: placing, filling, factoring, solving |
//! | [`rank`] | dependent rows, null spaces, least-norm solutions |
//!
//! ```
//! use rotula_linear::{BlockBuilder, Options, Pattern};
//!
//! // A point mass m on a slope with normal (3/5, 4/5).
//! let normal = Pattern::dense(1, 2);
//! let mut builder = BlockBuilder::new(3);
//! let mass = builder.place_diagonal(2, 0, 0);
//! let constraint = builder.place(&normal, 2, 0);
//! let force = builder.place_transposed(&normal, 0, 2);
//! let mut matrix = builder.build(&[false, false, true], Options::default());
//!
//! matrix.clear();
//! matrix.add_constant(mass, 2.0);
//! matrix.add(constraint, 1.0, &[0.6, 0.8]);
//! matrix.add(force, -1.0, &[0.6, 0.8]);
//! matrix.factor()?;
//! let mut x = [0.0, -2.0 * 9.81, 0.0];
//! matrix.solve(&mut x);
//! assert!((x[2] - 2.0 * 9.81 * 0.8).abs() < 1e-12);
//! # Ok::<(), rotula_linear::FactorError>(())
//! ```

// Allowed only where it is argued.
#![deny(unsafe_code)]

pub mod block;
mod dense;
mod error;
pub mod pattern;
pub mod rank;
mod scaling;
mod simd;
mod sparse;

pub use block::{Block, BlockBuilder, BlockMatrix, Kind, Options};
pub use error::FactorError;
pub use pattern::Pattern;
pub use rank::{DependentRow, RankReport, dependent_rows, minimum_norm_solve, null_space};
