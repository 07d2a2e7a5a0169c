//! Square matrices composed of blocks with fixed patterns.

use std::ops::Range;

use crate::dense::DenseFactor;
use crate::error::FactorError;
use crate::pattern::Pattern;
use crate::sparse::SparseFactor;
use serde::{Deserialize, Serialize};

/// Largest system for which the dense factorisation is faster, measured on chains of bodies.
const DENSE_LIMIT: usize = 32;

/// Which factorisation to use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// Dense for small systems, sparse for larger ones.
    #[default]
    Auto,
    /// Dense LU with partial pivoting.
    Dense,
    /// Sparse LU on a fixed pattern.
    Sparse,
}

/// Settings of a [`BlockMatrix`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Options {
    /// Which factorisation to use; by default chosen by size.
    pub kind: Kind,
    /// Size δ of the entry that the sparse factorisation adds to the diagonal of each multiplier,
    /// relative to the equilibrated matrix. It keeps redundant constraints solvable; refinement
    /// removes its influence. The default 1e-8 is the square root of the rounding error, so one
    /// refinement step restores full accuracy. Not used by the dense factorisation.
    pub regularisation: f64,
    /// Refine sparse solutions against the unregularised matrix, and solve dense systems by
    /// elimination only; on by default. An iteration that corrects itself may do without.
    pub refine: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { kind: Kind::Auto, regularisation: 1e-8, refine: true }
    }
}

/// Handle of a block placed with a [`BlockBuilder`].
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Block(usize);

/// Collects the blocks of a square composite matrix before the analysis.
#[derive(Clone, Debug)]
pub struct BlockBuilder {
    n: usize,
    blocks: Vec<Placed>,
}

/// A block and its upper left corner.
#[derive(Clone, Debug)]
struct Placed {
    shape: Shape,
    row: usize,
    col: usize,
}

#[derive(Clone, Debug)]
enum Shape {
    Upright(Pattern),
    Transposed(Pattern),
    Diagonal(usize),
}

impl Placed {
    fn entries(&self) -> usize {
        match &self.shape {
            Shape::Upright(pattern) | Shape::Transposed(pattern) => pattern.entries(),
            Shape::Diagonal(n) => *n,
        }
    }

    /// Tells row and column of each entry in the composite, in the order of the values of the block.
    fn each(&self, f: &mut dyn FnMut(usize, usize)) {
        let Placed { shape, row, col } = self;
        match shape {
            Shape::Upright(pattern) => pattern.iter().for_each(|(i, j)| f(row + i, col + j)),
            Shape::Transposed(pattern) => pattern.iter().for_each(|(i, j)| f(row + j, col + i)),
            Shape::Diagonal(n) => (0..*n).for_each(|i| f(row + i, col + i)),
        }
    }
}

impl BlockBuilder {
    /// Starts an `n` by `n` matrix without blocks.
    pub fn new(n: usize) -> Self {
        BlockBuilder { n, blocks: Vec::new() }
    }

    /// Places a block with its upper left corner at (`row`, `col`). Blocks may overlap; their
    /// values add up.
    pub fn place(&mut self, pattern: &Pattern, row: usize, col: usize) -> Block {
        self.push(Shape::Upright(pattern.clone()), row, col)
    }

    /// Places the transpose of a block with its upper left corner at (`row`, `col`); the value
    /// array stays that of the pattern itself.
    pub fn place_transposed(&mut self, pattern: &Pattern, row: usize, col: usize) -> Block {
        self.push(Shape::Transposed(pattern.clone()), row, col)
    }

    /// Places a diagonal block of `n` entries with its upper left corner at (`row`, `col`).
    pub fn place_diagonal(&mut self, n: usize, row: usize, col: usize) -> Block {
        self.push(Shape::Diagonal(n), row, col)
    }

    /// Analyses the composite. `multipliers[i]` tells that unknown `i` is a Lagrange multiplier,
    /// whose diagonal entry may be zero and whose equation may be redundant.
    ///
    /// # Panics
    /// If a block reaches outside the matrix or `multipliers` has the wrong length.
    pub fn build(self, multipliers: &[bool], options: Options) -> BlockMatrix {
        let n = self.n;
        assert_eq!(multipliers.len(), n, "one multiplier flag per unknown");
        let dense = match options.kind {
            Kind::Auto => n <= DENSE_LIMIT,
            kind => kind == Kind::Dense,
        };
        let pattern = if dense {
            Pattern::dense(DenseFactor::stride(n), n)
        } else {
            Pattern::from_repeated(n, n, |f| {
                self.blocks.iter().for_each(|block| block.each(f));
                (0..n).filter(|&i| multipliers[i]).for_each(|i| f(i, i));
            })
        };
        let solver = if dense {
            Solver::Dense(Box::new(DenseFactor::new(n, options.refine)))
        } else {
            Solver::Sparse(Box::new(SparseFactor::new(&pattern, multipliers, options)))
        };
        let mut ranges = Vec::with_capacity(self.blocks.len());
        let mut end = 0;
        for block in &self.blocks {
            ranges.push(end..end + block.entries());
            end += block.entries();
        }
        let mut slots = Vec::with_capacity(end);
        let mut find = |i: usize, j: usize| {
            assert!(i < n && j < n, "block entry ({i}, {j}) outside a matrix of size {n}");
            slots.push(pattern.position(i, j).expect("entry of the composite") as u32);
        };
        self.blocks.iter().for_each(|block| block.each(&mut find));
        let nothing = pattern.entries() as u32;
        let diagonal = (0..n).map(|i| pattern.position(i, i).map_or(nothing, |slot| slot as u32));
        BlockMatrix {
            values: vec![0.0; pattern.entries()],
            diagonal: diagonal.collect(),
            pattern,
            slots,
            ranges,
            solver,
            factored: false,
        }
    }

    fn push(&mut self, shape: Shape, row: usize, col: usize) -> Block {
        self.blocks.push(Placed { shape, row, col });
        Block(self.blocks.len() - 1)
    }
}

/// A square matrix with a fixed block structure, its values, and its newest factorisation.
///
/// Values and factors are separate: after [`clear`](Self::clear) and [`add`](Self::add) the
/// factors of the earlier values still serve [`solve`](Self::solve), until the next call of
/// [`factor`](Self::factor). After the first factorisation these four allocate no memory.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BlockMatrix {
    /// In the dense case with the padding of the columns as additional rows.
    pattern: Pattern,
    values: Vec<f64>,
    /// Places of the diagonal; behind the last value what is outside of the pattern.
    diagonal: Vec<u32>,
    slots: Vec<u32>,
    ranges: Vec<Range<usize>>,
    solver: Solver,
    factored: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Solver {
    Dense(Box<DenseFactor>),
    Sparse(Box<SparseFactor>),
}

impl BlockMatrix {
    /// Number of unknowns.
    pub fn size(&self) -> usize {
        self.pattern.cols()
    }

    /// True if the factorisation is dense.
    pub fn is_dense(&self) -> bool {
        matches!(self.solver, Solver::Dense(_))
    }

    /// Sets all values to zero.
    pub fn clear(&mut self) {
        self.values.fill(0.0);
    }

    /// Adds `coefficient` times the values of a block, in the order of the pattern it was placed
    /// with.
    ///
    /// # Panics
    /// If the number of values differs from the number of entries of the block.
    pub fn add(&mut self, block: Block, coefficient: f64, values: &[f64]) {
        let slots = &self.slots[self.ranges[block.0].clone()];
        assert_eq!(values.len(), slots.len(), "one value per entry of the block");
        for (&slot, &value) in slots.iter().zip(values) {
            self.values[slot as usize] += coefficient * value;
        }
    }

    /// Adds one number to every entry of a block, usually a diagonal one.
    pub fn add_constant(&mut self, block: Block, value: f64) {
        for &slot in &self.slots[self.ranges[block.0].clone()] {
            self.values[slot as usize] += value;
        }
    }

    /// Factors the current values.
    ///
    /// # Errors
    /// If an entry is not finite or the matrix is singular. No factor is left then.
    pub fn factor(&mut self) -> Result<(), FactorError> {
        let result = match &mut self.solver {
            Solver::Dense(factor) => factor.factor(&self.values),
            Solver::Sparse(factor) => factor.factor(&self.pattern, &self.values),
        };
        self.factored = result.is_ok();
        result
    }

    /// Takes over order and pivots of another matrix, if that has the same pattern and was factored and this one was
    /// not: values that are alike need no analysis of their own, and pivots that do not suit are noticed.
    pub fn follow(&mut self, other: &BlockMatrix) {
        if let (Solver::Sparse(own), Solver::Sparse(others)) = (&mut self.solver, &other.solver)
            && own.is_new()
            && self.pattern == other.pattern
        {
            own.follow(others);
        }
    }

    /// Replaces `b` by the solution of the system, with the newest factor.
    ///
    /// # Panics
    /// If the last call of [`factor`](Self::factor) failed or there was none.
    pub fn solve(&mut self, b: &mut [f64]) {
        assert_eq!(b.len(), self.size(), "length of the right-hand side");
        assert!(self.factored, "solve needs a successful factor");
        match &mut self.solver {
            Solver::Dense(factor) => factor.solve(b),
            Solver::Sparse(factor) => factor.solve(&self.pattern, b),
        }
    }

    /// `y = A x` with the current values.
    pub fn multiply(&self, x: &[f64], y: &mut [f64]) {
        assert_eq!((x.len(), y.len()), (self.size(), self.size()), "vector lengths");
        y.fill(0.0);
        match self.solver {
            Solver::Dense(_) => {
                let columns = self.values.chunks_exact(self.pattern.rows());
                for (column, factor) in columns.zip(x) {
                    for (sum, value) in y.iter_mut().zip(column) {
                        *sum += value * factor;
                    }
                }
            }
            Solver::Sparse(_) => self.pattern.multiply_add(&self.values, 1.0, x, y),
        }
    }

    /// `y = |A| x` with the sizes of the current values: how large `A x` may become.
    pub fn multiply_sizes(&self, x: &[f64], y: &mut [f64]) {
        let n = self.size();
        assert_eq!((x.len(), y.len()), (n, n), "vector lengths");
        y.fill(0.0);
        for ((i, j), value) in self.pattern.iter().zip(&self.values).filter(|entry| entry.0.0 < n) {
            y[i] += value.abs() * x[j];
        }
    }

    /// Current value of an entry; zero outside the pattern.
    pub fn entry(&self, row: usize, col: usize) -> f64 {
        self.pattern.position(row, col).map_or(0.0, |slot| self.values[slot])
    }

    /// Current value of an entry of the diagonal; zero outside the pattern.
    pub fn diagonal(&self, i: usize) -> f64 {
        self.values.get(self.diagonal[i] as usize).copied().unwrap_or(0.0)
    }

    /// Condition number of the current values in the 2-norm, by a dense singular value
    /// decomposition: for studies, not for large systems.
    pub fn condition_number(&self) -> f64 {
        let n = self.size();
        let mut dense = faer::Mat::<f64>::zeros(n, n);
        for ((i, j), &value) in self.pattern.iter().zip(&self.values).filter(|entry| entry.0.0 < n)
        {
            dense[(i, j)] = value;
        }
        match dense.singular_values() {
            Ok(sizes) if n > 0 => sizes[0] / sizes[n - 1],
            _ => f64::NAN,
        }
    }

    /// Number of entries in the factors.
    pub fn fill(&self) -> usize {
        match &self.solver {
            Solver::Dense(_) => self.size() * self.size(),
            Solver::Sparse(factor) => factor.fill(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const N: usize = 40;

    /// A ring of unknowns, stiff but for one.
    fn chain(stiffness: f64, weak: f64) -> BlockMatrix {
        let entries: Vec<(usize, usize)> =
            (0..N).flat_map(|i| [(i, i), (i, (i + 1) % N), ((i + 1) % N, i)]).collect();
        let pattern = Pattern::from_entries(N, N, &entries);
        let value = |(i, j): (usize, usize)| match i == j {
            true if i == 7 => weak,
            true => 4.0 * stiffness + i as f64,
            false => 1.0 + 0.1 * i as f64,
        };
        let values: Vec<f64> = pattern.iter().map(value).collect();
        let mut builder = BlockBuilder::new(N);
        let block = builder.place(&pattern, 0, 0);
        let options = Options { kind: Kind::Sparse, ..Options::default() };
        let mut matrix = builder.build(&[false; N], options);
        matrix.add(block, 1.0, &values);
        matrix
    }

    fn solves(matrix: &mut BlockMatrix) {
        let exact: Vec<f64> = (0..N).map(|i| (i as f64).sin()).collect();
        let mut b = vec![0.0; N];
        matrix.multiply(&exact, &mut b);
        matrix.factor().unwrap();
        matrix.solve(&mut b);
        let error = b.iter().zip(&exact).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
        assert!(error < 1e-11, "{error}");
    }

    #[test]
    fn a_matrix_that_follows_another_solves_its_own_equations() {
        let mut first = chain(1.0, 4.0);
        solves(&mut first);
        // also where the pivots of the other do not suit
        for (stiffness, weak) in [(1.0, 4.0), (50.0, 3.0), (1.0, 1e-14), (0.0, 0.0)] {
            let mut second = chain(stiffness, weak);
            second.follow(&first);
            assert_eq!(second.fill(), first.fill());
            solves(&mut second);
        }
    }
}
