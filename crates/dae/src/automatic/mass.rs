//! The mass matrix that equations of motion fill in.

use super::scalar::Scalar;

/// A square matrix, all zeros when [`Equations::mass`](super::Equations::mass) receives it.
///
/// ```
/// use rotula_dae::automatic::MassMatrix;
///
/// let mut mass = MassMatrix::<f64>::zeros(2);
/// mass.set(0, 0, 3.0);
/// mass.set(0, 1, 0.5);
/// assert_eq!(mass.get(1, 0), 0.5);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MassMatrix<T> {
    size: usize,
    /// Column by column.
    values: Vec<T>,
}

impl<T: Scalar> MassMatrix<T> {
    /// A matrix of zeros.
    pub fn zeros(size: usize) -> Self {
        MassMatrix { size, values: vec![T::from(0.0); size * size] }
    }

    /// Number of rows, and of columns.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The entry in row `i` and column `j`.
    #[inline]
    pub fn get(&self, i: usize, j: usize) -> T {
        self.column(j)[i]
    }

    /// Sets the entry (`i`, `j`) and its mirror image.
    #[inline]
    pub fn set(&mut self, i: usize, j: usize, value: impl Into<T>) {
        let value = value.into();
        self.values[i + j * self.size] = value;
        self.values[j + i * self.size] = value;
    }

    /// Adds to the entry (`i`, `j`) and to its mirror image; once on the diagonal.
    #[inline]
    pub fn add(&mut self, i: usize, j: usize, value: impl Into<T>) {
        let sum = self.get(i, j) + value.into();
        self.set(i, j, sum);
    }

    /// Sets the entry (`i`, `j`) alone, for the rare matrix that is not symmetric.
    #[inline]
    pub fn set_entry(&mut self, i: usize, j: usize, value: impl Into<T>) {
        self.values[i + j * self.size] = value.into();
    }

    /// Column `j`.
    #[inline]
    pub fn column(&self, j: usize) -> &[T] {
        &self.values[j * self.size..(j + 1) * self.size]
    }

    /// Makes every entry zero again.
    pub(super) fn clear(&mut self) {
        self.values.fill(T::from(0.0));
    }
}
