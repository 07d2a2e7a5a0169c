//! Factorisation of the shifted stiffness, K − σM = L D Lᵀ.

use crate::matrices::Matrices;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::ldlt::factor::LdltRegularization;
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::supernodal::SupernodalLdltRef;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LdltRef, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering,
    factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par, Side, Spec};
use nalgebra::DMatrix;

/// A pivot below this part of its diagonal entry is rounding.
const SINGULAR: f64 = 1e-12;

/// Why a matrix has no factorisation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FactorError {
    /// The equations do not determine this unknown.
    Singular {
        /// Its index.
        unknown: usize,
    },
    /// The matrix is too large for the memory.
    TooLarge,
}

/// The factors of K − σM.
pub struct Factor {
    symbolic: SymbolicCholesky<usize>,
    values: Vec<f64>,
    /// Number of negative pivots: of eigenvalues below σ, by Sylvester's law.
    pub negative: usize,
}

impl Factor {
    /// Factors K − σM. No pivoting is done: a shift in the middle of the spectrum must stay away
    /// from eigenvalues, and solutions be checked.
    pub fn new(matrices: &Matrices, shift: f64) -> Result<Factor, FactorError> {
        let n = matrices.size();
        let (mut starts, mut rows, mut values) = (vec![0], Vec::new(), Vec::new());
        let mut diagonal = vec![0.0; n];
        for j in 0..n {
            for (i, p) in matrices.column(j).filter(|(i, _)| *i >= j) {
                let value = matrices.stiffness[p] - shift * matrices.mass[p];
                if i == j {
                    diagonal[j] = matrices.stiffness[p].abs() + (shift * matrices.mass[p]).abs();
                }
                rows.push(i);
                values.push(value);
            }
            starts.push(rows.len());
        }
        if let Some(unknown) = diagonal.iter().position(|size| *size == 0.0) {
            return Err(FactorError::Singular { unknown });
        }
        let pattern = SymbolicSparseColMatRef::new_checked(n, n, &starts, None, &rows);
        let matrix = SparseColMatRef::new(pattern, &values);
        let params = CholeskySymbolicParams {
            supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SUPERNODAL,
            ..Default::default()
        };
        let symbolic =
            factorize_symbolic_cholesky(pattern, Side::Lower, SymmetricOrdering::Amd, params)
                .map_err(|_| FactorError::TooLarge)?;
        let mut factors = vec![0.0; symbolic.len_val()];
        let scratch = symbolic.factorize_numeric_ldlt_scratch::<f64>(Par::Seq, Spec::default());
        let mut memory = MemBuffer::try_new(scratch).map_err(|_| FactorError::TooLarge)?;
        let order = |k: usize| symbolic.perm().map_or(k, |perm| perm.arrays().0[k]);
        symbolic
            .factorize_numeric_ldlt(
                &mut factors,
                matrix,
                Side::Lower,
                LdltRegularization::default(),
                Par::Seq,
                MemStack::new(&mut memory),
                Spec::default(),
            )
            .map_err(|error| {
                let faer::linalg::cholesky::ldlt::factor::LdltError::ZeroPivot { index } = error;
                FactorError::Singular { unknown: order(index) }
            })?;
        let mut negative = 0;
        for (k, pivot) in pivots(&symbolic, &factors).into_iter().enumerate() {
            if pivot.is_nan() || pivot.abs() <= SINGULAR * diagonal[order(k)] {
                return Err(FactorError::Singular { unknown: order(k) });
            }
            negative += usize::from(pivot < 0.0);
        }
        Ok(Factor { symbolic, values: factors, negative })
    }

    /// Replaces the columns of `b` by the solutions.
    pub fn solve(&self, b: &mut DMatrix<f64>) {
        let (rows, columns) = b.shape();
        let scratch = self.symbolic.solve_in_place_scratch::<f64>(columns, Par::Seq);
        let mut memory = MemBuffer::new(scratch);
        let right = MatMut::from_column_major_slice_mut(b.as_mut_slice(), rows, columns);
        LdltRef::new(&self.symbolic, &self.values).solve_in_place_with_conj(
            Conj::No,
            right,
            Par::Seq,
            MemStack::new(&mut memory),
        );
    }
}

/// The entries of D, in the order of elimination.
fn pivots(symbolic: &SymbolicCholesky<usize>, values: &[f64]) -> Vec<f64> {
    let SymbolicCholeskyRaw::Supernodal(structure) = symbolic.raw() else {
        unreachable!("supernodes are asked for");
    };
    let factor = SupernodalLdltRef::new(structure, values);
    let mut pivots = Vec::with_capacity(symbolic.nrows());
    for s in 0..structure.n_supernodes() {
        let panel = factor.supernode(s).val();
        pivots.extend((0..panel.ncols()).map(|j| panel[(j, j)]));
    }
    pivots
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain of n masses between walls: λ_k = 4 sin²(kπ / (2(n + 1))).
    fn chain(n: usize, walls: bool) -> Matrices {
        let mut stiffness = Vec::new();
        for i in 0..n {
            let ends = usize::from(i == 0) + usize::from(i + 1 == n);
            let springs = if walls { 2 } else { 2 - ends };
            stiffness.push((i, i, springs as f64));
            if i + 1 < n {
                stiffness.push((i, i + 1, -1.0));
                stiffness.push((i + 1, i, -1.0));
            }
        }
        let mass: Vec<_> = (0..n).map(|i| (i, i, 1.0)).collect();
        Matrices::from_entries(n, &stiffness, &mass)
    }

    #[test]
    fn negative_pivots_count_eigenvalues() {
        let n = 40;
        let chain = chain(n, true);
        let angle = std::f64::consts::PI / (2.0 * (n as f64 + 1.0));
        for k in 0..n {
            let between = 4.0 * ((k as f64 + 0.618_034) * angle).sin().powi(2);
            assert_eq!(Factor::new(&chain, between).unwrap().negative, k);
        }
    }

    #[test]
    fn solutions_satisfy_the_equations() {
        let chain = chain(30, true);
        let exact = DMatrix::from_fn(30, 3, |i, j| ((i * 7 + j * 3) % 11) as f64 - 5.0);
        let mut x = chain.stiffness_times(&exact);
        Factor::new(&chain, 0.0).unwrap().solve(&mut x);
        assert!((x - exact).abs().max() < 1e-11);
    }

    #[test]
    fn free_chains_are_singular() {
        let result = Factor::new(&chain(30, false), 0.0);
        assert!(matches!(result, Err(FactorError::Singular { .. })));
    }
}
