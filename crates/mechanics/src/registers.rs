//! Vectors of three numbers, each in a register of four.

use nalgebra::{Matrix3, Vector3};
use std::ops::{Add, Mul, Neg, Sub};
use wide::f64x4;

/// A vector; the fourth number is zero.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Three(f64x4);

/// The columns of a matrix.
pub(crate) type Columns = [Three; 3];

impl Three {
    #[inline(always)]
    pub fn from(a: &Vector3<f64>) -> Self {
        Three(f64x4::from([a.x, a.y, a.z, 0.0]))
    }

    #[inline(always)]
    pub fn entries(self) -> [f64; 3] {
        let [x, y, z, _] = self.0.to_array();
        [x, y, z]
    }

    #[inline(always)]
    pub fn dot(self, other: Self) -> f64 {
        let [x, y, z, _] = (self.0 * other.0).to_array();
        x + y + z
    }

    #[inline(always)]
    pub fn cross(self, other: Self) -> Self {
        let turned = other.turned().0;
        Three(self.0.mul_sub(turned, self.turned().0 * other.0)).turned()
    }

    /// The second, third and first.
    #[inline(always)]
    fn turned(self) -> Self {
        let [x, y, z, o] = self.0.to_array();
        Three(f64x4::from([y, z, x, o]))
    }

    /// `self + factor · other`.
    #[inline(always)]
    pub fn plus(self, factor: f64, other: Self) -> Self {
        Three(f64x4::splat(factor).mul_add(other.0, self.0))
    }

    /// The same with one of the entries of a vector for the factor.
    #[inline(always)]
    pub fn plus_entry<const K: usize>(self, of: Self, other: Self) -> Self {
        self.plus(of.0.to_array()[K], other)
    }
}

impl Add for Three {
    type Output = Three;
    #[inline(always)]
    fn add(self, other: Three) -> Three {
        Three(self.0 + other.0)
    }
}

impl Sub for Three {
    type Output = Three;
    #[inline(always)]
    fn sub(self, other: Three) -> Three {
        Three(self.0 - other.0)
    }
}

impl Neg for Three {
    type Output = Three;
    #[inline(always)]
    fn neg(self) -> Three {
        Three(-self.0)
    }
}

impl Mul<f64> for Three {
    type Output = Three;
    #[inline(always)]
    fn mul(self, factor: f64) -> Three {
        Three(self.0 * f64x4::splat(factor))
    }
}

/// The axes.
#[inline(always)]
pub(crate) fn unit() -> Columns {
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
        .map(|[x, y, z]| Three(f64x4::from([x, y, z, 0.0])))
}

/// The columns of a matrix.
pub(crate) fn columns(matrix: &Matrix3<f64>) -> Columns {
    [0, 1, 2].map(|k| Three::from(&matrix.column(k).into()))
}

/// `M a`.
#[inline(always)]
pub(crate) fn times(matrix: &Columns, a: Three) -> Three {
    let [x, y, z, _] = a.0.to_array();
    (matrix[0] * x).plus(y, matrix[1]).plus(z, matrix[2])
}

/// `Mᵀ a`.
#[inline(always)]
pub(crate) fn transposed_times(matrix: &Columns, a: Three) -> Three {
    times(&transposed(matrix), a)
}

/// `M N`.
#[inline(always)]
pub(crate) fn product(matrix: &Columns, other: &Columns) -> Columns {
    [times(matrix, other[0]), times(matrix, other[1]), times(matrix, other[2])]
}

/// `Mᵀ`.
#[inline(always)]
pub(crate) fn transposed(matrix: &Columns) -> Columns {
    let [a, b, c] = matrix.map(|column| column.0);
    let [a, b, c, _] = f64x4::transpose([a, b, c, f64x4::splat(0.0)]);
    [Three(a), Three(b), Three(c)]
}

/// `M + u (c u)ᵀ` of each column.
#[inline(always)]
pub(crate) fn plus_dyad(matrix: &Columns, u: Three, factored: Three) -> Columns {
    [
        matrix[0].plus_entry::<0>(u, factored),
        matrix[1].plus_entry::<1>(u, factored),
        matrix[2].plus_entry::<2>(u, factored),
    ]
}

#[inline(always)]
pub(crate) fn sum(a: &Columns, b: &Columns) -> Columns {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}
