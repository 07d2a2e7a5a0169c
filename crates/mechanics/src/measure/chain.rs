//! Outer functions of one or two scalar products, with derivatives up to the third.

/// Derivatives of an outer function of two arguments.
pub(super) struct Chain {
    pub(super) first: [f64; 2],
    pub(super) second: [[f64; 2]; 2],
    third: [[[f64; 2]; 2]; 2],
}

impl Chain {
    /// The first argument itself.
    pub(super) fn identity() -> Self {
        Chain { first: [1.0, 0.0], second: [[0.0; 2]; 2], third: [[[0.0; 2]; 2]; 2] }
    }

    /// `√m` where its value is `length`.
    pub(super) fn square_root(length: f64) -> Self {
        let cube = length * length * length;
        let mut chain = Chain::identity();
        chain.first[0] = 0.5 / length;
        chain.second[0][0] = -0.25 / cube;
        chain.third[0][0][0] = 0.375 / (cube * length * length);
        chain
    }

    /// `atan2(s, c)`, the imaginary part of `log ζ` with `ζ = c + i s`; arguments in the order c, s.
    pub(super) fn angle(c: f64, s: f64) -> Self {
        let square = c * c + s * s;
        // 1/ζ and its powers
        let (re, im) = (c / square, -s / square);
        let (re2, im2) = (re * re - im * im, 2.0 * re * im);
        let (re3, im3) = (re2 * re - im2 * im, re2 * im + im2 * re);
        Chain {
            first: [im, re],
            second: [[-im2, -re2], [-re2, im2]],
            third: [
                [[2.0 * im3, 2.0 * re3], [2.0 * re3, -2.0 * im3]],
                [[2.0 * re3, -2.0 * im3], [-2.0 * im3, -2.0 * re3]],
            ],
        }
    }

    /// `F_ij a_i b_j`.
    pub(super) fn second_along(&self, a: &[f64; 2], b: &[f64; 2]) -> f64 {
        (0..2).map(|i| (0..2).map(|j| self.second[i][j] * a[i] * b[j]).sum::<f64>()).sum()
    }

    /// What multiplies `2 ∂ṁ_i/∂Δ` and `∂m_i/∂Δ` in `∂φ̈/∂Δ`.
    pub(super) fn row(&self, i: usize, rates: &[f64; 2], accelerations: &[f64; 2]) -> [f64; 2] {
        let mut bend = 0.0;
        let mut slope = 0.0;
        for j in 0..2 {
            bend += self.second[i][j] * rates[j];
            slope += self.second[i][j] * accelerations[j];
            for k in 0..2 {
                slope += self.third[i][j][k] * rates[j] * rates[k];
            }
        }
        [bend, slope]
    }
}
