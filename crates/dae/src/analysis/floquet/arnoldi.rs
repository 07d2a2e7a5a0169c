//! Arnoldi's method: what a linear map does on the directions that matter, from its images alone.
//!
//! With orthonormal directions `V`, each the rest of the image of the one before, `Φ V = V H + h v eᵀ`. The eigenvalues of
//! the small matrix `H` are near those of `Φ` whose disturbances live longest; `h` times the last component of an
//! eigenvector of `H` says how near. A stiff and damped structure forgets all but its slow vibrations in a period, so that
//! a few dozen images tell what the hundreds of columns of `Φ` would. Once `V` has as many directions as there are, `H` is `Φ`.

use super::super::dense::{Svd, norm, times};
use super::super::eigen::{Complex, abs};
use faer::Mat;

/// Fewer directions say nothing about what they have not seen.
const FEW: usize = 8;

/// Rests below this part of an image are rounding.
const ROUNDING: f64 = 1e-13;

/// An eigenvalue of the map on the directions.
#[derive(Clone, Debug)]
pub(super) struct Ritz {
    pub value: Complex,
    /// What the map does beyond the directions: how far the value is from being one of the map.
    pub left: f64,
    pub vector: Vec<Complex>,
}

/// Directions, their images and the map on them.
pub(super) struct Arnoldi {
    directions: Vec<Vec<f64>>,
    images: Vec<Vec<f64>>,
    /// The rest of the last image.
    rest: f64,
}

impl Arnoldi {
    /// Begins along a vector other than zero.
    pub fn new(start: &[f64]) -> Self {
        let size = norm(start);
        let first = start.iter().map(|x| x / size).collect();
        Arnoldi { directions: vec![first], images: Vec::new(), rest: 0.0 }
    }

    /// All of a map.
    pub fn of(map: &Mat<f64>) -> Self {
        let size = map.nrows();
        let unit = |j: usize| (0..size).map(|i| f64::from(u8::from(i == j))).collect();
        let image = |j: usize| (0..size).map(|i| map[(i, j)]).collect();
        Arnoldi {
            directions: (0..size).map(unit).collect(),
            images: (0..size).map(image).collect(),
            rest: 0.0,
        }
    }

    /// The direction whose image is wanted.
    pub fn direction(&self) -> &[f64] {
        &self.directions[self.images.len()]
    }

    /// Images so far.
    pub fn len(&self) -> usize {
        self.images.len()
    }

    /// Whether there are no further directions.
    pub fn is_complete(&self) -> bool {
        self.images.len() == self.directions[0].len()
    }

    /// Takes the image of the direction and finds the next one.
    pub fn add(&mut self, image: Vec<f64>) {
        let whole = norm(&image);
        let mut next = image.clone();
        self.images.push(image);
        if self.is_complete() {
            self.rest = 0.0;
            return;
        }
        self.make_orthogonal(&mut next);
        self.rest = norm(&next);
        if self.rest <= ROUNDING * whole {
            // these directions are among themselves: go on with any other
            self.rest = 0.0;
            next = scattered(next.len());
            next.rotate_left(self.images.len() % self.directions[0].len());
            self.make_orthogonal(&mut next);
        }
        let size = norm(&next);
        self.directions.push(next.iter().map(|x| x / size).collect());
    }

    /// Takes off all that lies along the directions; twice, since once leaves rounding of what was taken.
    fn make_orthogonal(&self, vector: &mut [f64]) {
        for _ in 0..2 {
            for direction in &self.directions {
                let along = dot(direction, vector);
                vector.iter_mut().zip(direction).for_each(|(x, d)| *x -= along * d);
            }
        }
    }

    /// The map on the directions.
    fn matrix(&self) -> Mat<f64> {
        let size = self.len();
        Mat::from_fn(size, size, |i, j| dot(&self.directions[i], &self.images[j]))
    }

    /// The map itself, once it is known.
    pub fn map(&self) -> Option<Mat<f64>> {
        let size = self.len();
        let entry = |i: usize, j: usize| {
            (0..size).map(|k| self.images[k][i] * self.directions[k][j]).sum::<f64>()
        };
        self.is_complete().then(|| Mat::from_fn(size, size, entry))
    }

    /// Eigenvalues of the map on the directions, with their vectors.
    pub fn pairs(&self) -> Option<Vec<Ritz>> {
        let eigen = self.matrix().eigen().ok()?;
        let size = self.len();
        let pair = |k: usize| {
            let small: Vec<Complex> = (0..size).map(|i| eigen.U()[(i, k)]).collect();
            let length = small.iter().map(|c| abs(*c).powi(2)).sum::<f64>().sqrt();
            let component = |i: usize| {
                let sum = |part: fn(&Complex) -> f64| -> f64 {
                    self.directions.iter().zip(&small).map(|(d, c)| d[i] * part(c)).sum()
                };
                Complex { re: sum(|c| c.re), im: sum(|c| c.im) }
            };
            Ritz {
                value: eigen.S().column_vector()[k],
                left: self.rest * abs(small[size - 1]) / length,
                vector: (0..self.directions[0].len()).map(component).collect(),
            }
        };
        Some((0..size).map(pair).collect())
    }

    /// Whether all eigenvalues of at least a size are known to an accuracy; a few directions may not have seen them.
    pub fn has_settled(&self, least: f64, accuracy: f64) -> bool {
        if self.len() < FEW.min(self.directions[0].len()) {
            return false;
        }
        let Some(pairs) = self.pairs() else { return false };
        pairs.iter().filter(|ritz| abs(ritz.value) >= least).all(|ritz| ritz.left <= accuracy)
    }

    /// The step `s` along the directions for which `missed + (Φ − 1) s` is shortest, and how long that is.
    pub fn closing(&self, missed: &[f64], tolerance: f64) -> Option<(Vec<f64>, f64)> {
        let change = |i: usize, j: usize| self.images[j][i] - self.directions[j][i];
        let changes = Mat::from_fn(missed.len(), self.len(), change);
        let along = Svd::new(&changes, tolerance)?.solve(missed, 0.0);
        let left: Vec<f64> =
            times(&changes, &along).iter().zip(missed).map(|(a, b)| b - a).collect();
        let mut step = vec![0.0; missed.len()];
        for (direction, part) in self.directions.iter().zip(&along) {
            step.iter_mut().zip(direction).for_each(|(s, d)| *s -= part * d);
        }
        Some((step, norm(&left)))
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A vector with something of every direction: multiples of the golden ratio, folded into −1 … 1.
pub(super) fn scattered(size: usize) -> Vec<f64> {
    let golden = 0.5 * (5.0_f64.sqrt() - 1.0);
    (1..=size).map(|k| 2.0 * (golden * (k * k) as f64).fract() - 1.0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A map that turns and shrinks in planes, most of them fast.
    fn fading(size: usize) -> Mat<f64> {
        Mat::from_fn(size, size, |i, j| {
            let plane = i / 2;
            let shrink = 0.9 * 0.5_f64.powi(plane as i32);
            let (sin, cos) = (1.0 + plane as f64).sin_cos();
            match (j / 2 == plane, i % 2, j % 2) {
                (true, 0, 0) | (true, 1, 1) => shrink * cos,
                (true, 0, 1) => -shrink * sin,
                (true, 1, 0) => shrink * sin,
                // coupled to the next plane
                _ => {
                    if j == i + 1 {
                        0.05
                    } else {
                        0.0
                    }
                }
            }
        })
    }

    #[test]
    fn few_images_tell_what_lives_long() {
        let map = fading(60);
        let mut arnoldi = Arnoldi::new(&scattered(60));
        while !arnoldi.has_settled(0.1, 1e-9) {
            let image = times(&map, arnoldi.direction());
            arnoldi.add(image);
        }
        assert!(arnoldi.len() < 40, "{} images", arnoldi.len());
        // the planes follow each other in a triangle of blocks, whose eigenvalues are theirs
        let pairs = arnoldi.pairs().unwrap();
        for plane in 0..4 {
            let size = 0.9 * 0.5_f64.powi(plane);
            let (sin, cos) = (1.0 + f64::from(plane)).sin_cos();
            let value = Complex { re: size * cos, im: size * sin.abs() };
            let nearest = pairs.iter().map(|ritz| abs(ritz.value - value)).fold(1.0, f64::min);
            assert!(nearest < 1e-8, "plane {plane}: off by {nearest}");
        }
    }

    #[test]
    fn all_images_are_the_map() {
        let map = fading(6);
        let mut arnoldi = Arnoldi::new(&[1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        while !arnoldi.is_complete() {
            let image = times(&map, arnoldi.direction());
            arnoldi.add(image);
        }
        let found = arnoldi.map().unwrap();
        let off = |i: usize, j: usize| (found[(i, j)] - map[(i, j)]).abs();
        let most = (0..36).map(|k| off(k / 6, k % 6)).fold(0.0, f64::max);
        assert!(most < 1e-12, "{most}");
        // (Φ − 1) s = −b
        let missed = [0.3, -0.2, 0.1, 0.0, 0.5, -0.4];
        let (step, left) = arnoldi.closing(&missed, 1e-12).unwrap();
        assert!(left < 1e-12);
        let moved = times(&map, &step);
        for i in 0..6 {
            assert!((missed[i] + moved[i] - step[i]).abs() < 1e-12);
        }
    }
}
