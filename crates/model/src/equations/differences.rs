//! Derivatives of functions by differences.

use crate::equations::function::EquationFunction;

/// Weights of `f(kh) − f(−kh)` for `h f'`, order six.
const SLOPE: [f64; 3] = [3.0 / 4.0, -3.0 / 20.0, 1.0 / 60.0];
/// Weights of `f(0)` and of `f(kh) + f(−kh)` for `h² f''`, order six.
const BEND: [f64; 4] = [-49.0 / 18.0, 3.0 / 2.0, -3.0 / 20.0, 1.0 / 90.0];
/// Steps as parts of the size over which a function changes: rounding and truncation are small.
const SLOPE_STEP: f64 = 2e-3;
const BEND_STEP: f64 = 1e-2;

/// Memory for differences, by row: slopes, and second derivatives of each pair of arguments.
#[derive(Clone, Default)]
pub(crate) struct Work {
    point: Vec<f64>,
    values: Vec<f64>,
    sum: Vec<f64>,
    pub slopes: Vec<f64>,
    pub bends: Vec<f64>,
}

impl Work {
    /// Makes room for a function.
    pub(crate) fn fit(&mut self, arguments: usize, rows: usize) {
        self.point.resize(arguments, 0.0);
        self.values.resize(rows, 0.0);
        self.sum.resize(rows, 0.0);
        self.slopes.resize(rows * arguments, 0.0);
        self.bends.resize(rows * arguments * (arguments + 1) / 2, 0.0);
    }

    /// The numbers at a point.
    pub(crate) fn values(&mut self, function: &dyn EquationFunction, at: &[f64]) -> &[f64] {
        self.point.copy_from_slice(at);
        function.values(&self.point, &mut self.values);
        &self.values
    }

    /// Adds the numbers at a point, some way along some arguments, to the sum.
    fn add(
        &mut self,
        function: &dyn EquationFunction,
        here: &[f64],
        way: &[(usize, f64)],
        weight: f64,
    ) {
        self.point.copy_from_slice(here);
        way.iter().for_each(|(k, step)| self.point[*k] += step);
        function.values(&self.point, &mut self.values);
        for (sum, value) in self.sum.iter_mut().zip(&self.values) {
            *sum += weight * value;
        }
    }

    /// The second derivatives along some arguments at once.
    fn bend(&mut self, function: &dyn EquationFunction, here: &[f64], way: &[(usize, f64)]) {
        self.sum.fill(0.0);
        let inverse = 1.0 / (BEND_STEP * BEND_STEP);
        self.add(function, here, &[], BEND[0] * inverse);
        for (k, weight) in BEND.iter().enumerate().skip(1) {
            for sign in [1.0, -1.0] {
                let part = sign * k as f64 * BEND_STEP;
                let mut steps = [(0, 0.0); 2];
                for (step, (argument, size)) in steps.iter_mut().zip(way) {
                    *step = (*argument, part * size);
                }
                self.add(function, here, &steps[..way.len()], weight * inverse);
            }
        }
    }
}

/// Slopes of about nine digits, with steps so short that kinks and edges of the domain are seldom met.
pub(crate) fn slopes(function: &dyn EquationFunction, here: &[f64], work: &mut Work) {
    let n = here.len();
    for k in 0..n {
        let h = f64::EPSILON.cbrt() * here[k].abs().max(1.0);
        work.sum.fill(0.0);
        work.add(function, here, &[(k, h)], 0.5 / h);
        work.add(function, here, &[(k, -h)], -0.5 / h);
        store(&work.sum, &mut work.slopes, n, k);
    }
}

/// Slopes and second derivatives of a smooth function, to about twelve and ten digits.
pub(crate) fn slopes_and_bends(
    function: &dyn EquationFunction,
    here: &[f64],
    sizes: &[f64],
    work: &mut Work,
) {
    let n = here.len();
    for k in 0..n {
        let h = SLOPE_STEP * sizes[k];
        work.sum.fill(0.0);
        for (m, weight) in SLOPE.iter().enumerate() {
            let step = (m + 1) as f64 * h;
            work.add(function, here, &[(k, step)], weight / h);
            work.add(function, here, &[(k, -step)], -weight / h);
        }
        store(&work.sum, &mut work.slopes, n, k);
    }
    let pairs = n * (n + 1) / 2;
    let place = |i: usize, j: usize| i * n - i * (i + 1) / 2 + j;
    for i in 0..n {
        work.bend(function, here, &[(i, sizes[i])]);
        store(&work.sum, &mut work.bends, pairs, place(i, i));
    }
    // still along arguments in units of their sizes
    for i in 0..n {
        for j in i + 1..n {
            work.bend(function, here, &[(i, sizes[i]), (j, sizes[j])]);
            for (row, sum) in work.sum.iter().enumerate() {
                let bends = &mut work.bends[row * pairs..(row + 1) * pairs];
                bends[place(i, j)] = 0.5 * (sum - bends[place(i, i)] - bends[place(j, j)]);
            }
        }
    }
    for bends in work.bends.chunks_mut(pairs.max(1)) {
        for i in 0..n {
            (i..n).for_each(|j| bends[place(i, j)] /= sizes[i] * sizes[j]);
        }
    }
}

fn store(sum: &[f64], out: &mut [f64], width: usize, column: usize) {
    for (row, value) in sum.iter().enumerate() {
        out[row * width + column] = *value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Waves;
    impl EquationFunction for Waves {
        fn values(&self, x: &[f64], out: &mut [f64]) {
            out[0] = (x[0] * x[1]).sin() + x[2].powi(3);
            out[1] = (x[0] - 2.0 * x[2]).exp();
        }
    }

    #[test]
    fn derivatives_are_those_of_the_function() {
        let x: [f64; 3] = [0.4, -0.7, 1.3];
        let mut work = Work::default();
        work.fit(3, 2);
        let (s, c) = (x[0] * x[1]).sin_cos();
        let e = (x[0] - 2.0 * x[2]).exp();
        let slopes_expected = [x[1] * c, x[0] * c, 3.0 * x[2] * x[2], e, 0.0, -2.0 * e];
        slopes(&Waves, &x, &mut work);
        for (found, expected) in work.slopes.iter().zip(slopes_expected) {
            assert!((found - expected).abs() < 1e-8, "{found} is not {expected}");
        }
        slopes_and_bends(&Waves, &x, &[1.0, 0.5, 2.0], &mut work);
        for (found, expected) in work.slopes.iter().zip(slopes_expected) {
            assert!((found - expected).abs() < 1e-11, "{found} is not {expected}");
        }
        // pairs 11 12 13 22 23 33
        let bends = [
            [-x[1] * x[1] * s, c - x[0] * x[1] * s, 0.0, -x[0] * x[0] * s, 0.0, 6.0 * x[2]],
            [e, 0.0, -2.0 * e, 0.0, 0.0, 4.0 * e],
        ];
        for (found, expected) in work.bends.iter().zip(bends.concat()) {
            assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
        }
    }
}
