//! Sparse stiffness and mass with one pattern.

use crate::element;
use crate::error::MeshError;
use crate::freedom::Freedom;
use crate::given::Given;
use crate::mesh::Mesh;
use nalgebra::DMatrix;

/// Stiffness and mass of the free components: symmetric, both triangles stored by columns.
#[derive(Clone, Debug)]
pub struct Matrices {
    starts: Vec<usize>,
    rows: Vec<usize>,
    /// Values of the stiffness.
    pub stiffness: Vec<f64>,
    /// Values of the mass.
    pub mass: Vec<f64>,
}

impl Matrices {
    /// Assembles the elements of a checked mesh.
    pub fn assemble(mesh: &Mesh, freedom: &Freedom) -> Result<Matrices, MeshError> {
        if let Some(given) = &mesh.given {
            return Ok(Matrices::condense(given, freedom));
        }
        let mut columns: Vec<Vec<usize>> = vec![Vec::new(); freedom.count()];
        for element in &mesh.elements {
            let touched = touched(freedom, &freedom.of_element(element));
            for &column in &touched {
                columns[column].extend(&touched);
                // keeps the lists short while they are collected
                if columns[column].len() > 4096 {
                    columns[column].sort_unstable();
                    columns[column].dedup();
                }
            }
        }
        let mut matrices = Matrices::with_columns(columns);
        for element in &mesh.elements {
            let (stiffness, mass) = element::matrices(mesh, element)?;
            matrices.add(freedom, &freedom.of_element(element), &stiffness, &mass);
        }
        Ok(matrices)
    }

    /// Brings given matrices to the free components.
    fn condense(given: &Given, freedom: &Freedom) -> Matrices {
        let row = |i: usize| freedom.row(given.component(freedom, i));
        let (mut stiffness, mut mass) = (Vec::new(), Vec::new());
        for j in 0..given.matrices.size() {
            for (i, p) in given.matrices.column(j) {
                for &(column, right) in row(j) {
                    for &(first, left) in row(i) {
                        let factor = left * right;
                        stiffness.push((first, column, factor * given.matrices.stiffness[p]));
                        mass.push((first, column, factor * given.matrices.mass[p]));
                    }
                }
            }
        }
        Matrices::from_entries(freedom.count(), &stiffness, &mass)
    }

    fn with_columns(mut columns: Vec<Vec<usize>>) -> Matrices {
        let mut starts = vec![0];
        let mut rows = Vec::new();
        for (j, column) in columns.iter_mut().enumerate() {
            column.push(j);
            column.sort_unstable();
            column.dedup();
            rows.append(column);
            starts.push(rows.len());
        }
        let zeros = vec![0.0; rows.len()];
        Matrices { starts, rows, stiffness: zeros.clone(), mass: zeros }
    }

    /// Matrices of given entries (row, column, value); entries at one place are added. Both
    /// triangles must be given.
    ///
    /// # Panics
    /// If an entry lies outside the matrix.
    pub fn from_entries(
        size: usize,
        stiffness: &[(usize, usize, f64)],
        mass: &[(usize, usize, f64)],
    ) -> Matrices {
        let mut columns = vec![Vec::new(); size];
        for &(row, column, _) in stiffness.iter().chain(mass) {
            assert!(row < size, "entry outside the matrix");
            columns[column].push(row);
        }
        let mut matrices = Matrices::with_columns(columns);
        for &(row, column, value) in stiffness {
            let p = matrices.position(row, column);
            matrices.stiffness[p] += value;
        }
        for &(row, column, value) in mass {
            let p = matrices.position(row, column);
            matrices.mass[p] += value;
        }
        matrices
    }

    fn position(&self, row: usize, column: usize) -> usize {
        let start = self.starts[column];
        let found = self.rows[start..self.starts[column + 1]].binary_search(&row);
        start + found.expect("an entry of the pattern")
    }

    fn add(
        &mut self,
        freedom: &Freedom,
        components: &[usize],
        stiffness: &DMatrix<f64>,
        mass: &DMatrix<f64>,
    ) {
        for (b, &second) in components.iter().enumerate() {
            for &(column, right) in freedom.row(second) {
                for (a, &first) in components.iter().enumerate() {
                    for &(row, left) in freedom.row(first) {
                        let p = self.position(row, column);
                        self.stiffness[p] += left * right * stiffness[(a, b)];
                        self.mass[p] += left * right * mass[(a, b)];
                    }
                }
            }
        }
    }

    /// Number of rows.
    pub fn size(&self) -> usize {
        self.starts.len() - 1
    }

    /// Number of stored entries of each matrix.
    pub fn entries(&self) -> usize {
        self.rows.len()
    }

    /// Rows and positions of the entries of a column.
    pub fn column(&self, j: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        (self.starts[j]..self.starts[j + 1]).map(move |p| (self.rows[p], p))
    }

    /// Product of one of the matrices, given by its values, with the columns of `x`.
    pub fn multiply(&self, values: &[f64], x: &DMatrix<f64>) -> DMatrix<f64> {
        let mut product = DMatrix::zeros(self.size(), x.ncols());
        for (source, mut target) in x.column_iter().zip(product.column_iter_mut()) {
            for j in 0..self.size() {
                target[j] = self.column(j).map(|(i, p)| values[p] * source[i]).sum();
            }
        }
        product
    }

    /// Stiffness times the columns of `x`.
    pub fn stiffness_times(&self, x: &DMatrix<f64>) -> DMatrix<f64> {
        self.multiply(&self.stiffness, x)
    }

    /// The sum of |x_i| |K_ij| |x_j| over the entries of the stiffness: what cancels in the energy of a
    /// motion.
    pub fn stiffness_size(&self, x: &DMatrix<f64>) -> f64 {
        let column = |j: usize| {
            self.column(j).map(|(i, p)| (x[i] * self.stiffness[p] * x[j]).abs()).sum::<f64>()
        };
        (0..self.size()).map(column).sum()
    }

    /// Mass times the columns of `x`.
    pub fn mass_times(&self, x: &DMatrix<f64>) -> DMatrix<f64> {
        self.multiply(&self.mass, x)
    }

    /// The matrices of some of the components only.
    pub fn part(&self, keep: &[usize]) -> Matrices {
        let mut new = vec![None; self.size()];
        keep.iter().enumerate().for_each(|(index, &old)| new[old] = Some(index));
        let mut part =
            Matrices { starts: vec![0], rows: Vec::new(), stiffness: Vec::new(), mass: Vec::new() };
        for &old in keep {
            let mut column: Vec<(usize, usize)> =
                self.column(old).filter_map(|(i, p)| Some((new[i]?, p))).collect();
            column.sort_unstable();
            for (row, p) in column {
                part.rows.push(row);
                part.stiffness.push(self.stiffness[p]);
                part.mass.push(self.mass[p]);
            }
            part.starts.push(part.rows.len());
        }
        part
    }

    /// Diagonal of one of the matrices, given by its values.
    pub fn diagonal(&self, values: &[f64]) -> Vec<f64> {
        (0..self.size()).map(|j| values[self.position(j, j)]).collect()
    }
}

/// Free components that some components depend on.
fn touched(freedom: &Freedom, components: &[usize]) -> Vec<usize> {
    let rows = components.iter().flat_map(|&component| freedom.row(component));
    let mut touched: Vec<usize> = rows.map(|(free, _)| *free).collect();
    touched.sort_unstable();
    touched.dedup();
    touched
}
