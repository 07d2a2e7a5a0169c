//! Newton's method on the laws of all contacts of a problem, from forces that are near.
//!
//! With `p = z − u − μ |u_T| e`, in units in which rows follow forces by about one, the laws are `z = P_K(p)`, with the nearest point of
//! the cone of friction. That equation has slopes of both sides almost everywhere [Alart & Curnier 1991].

use super::cones::{Cones, project, tangential};
use faer::Mat;
use faer::linalg::solvers::Solve;

/// What is added to the matrix, which is singular where more contacts press than there are freedoms.
const LIFTED: f64 = 1e-10;
/// Steps are halved until errors fall, down to this part.
const SHORTEST: f64 = 1e-4;

impl Cones<'_> {
    /// True if so many steps meet the bound; else the forces are no worse than before.
    pub(super) fn polish(&self, forces: &mut [f64], most: usize) -> bool {
        let n = forces.len();
        let units = self.scales(n);
        let matrix = Mat::from_fn(n, n, |i, j| units[i] * units[j] * self.compliance[i * n + j]);
        let free: Vec<f64> = self.free.iter().zip(&units).map(|(b, d)| b * d).collect();
        let mut z: Vec<f64> = forces.iter().zip(&units).map(|(force, d)| force / d).collect();
        for _ in 0..most {
            if self.worst(forces) <= 1.0 {
                // within the cones to the last digit
                self.each_contact(|range, friction| project(&mut forces[range], friction));
                return true;
            }
            if self.stop.asked() {
                return false;
            }
            let rates = rates(&matrix, &free, &z);
            let missing = self.missing(&z, &rates);
            let slopes = self.slopes(&matrix, &z, &rates);
            let mut step = Mat::from_fn(n, 1, |i, _| missing[i]);
            slopes.partial_piv_lu().solve_in_place(&mut step);
            let size = square(&missing);
            let mut part = 1.0;
            let next = loop {
                let next: Vec<f64> = (0..n).map(|i| z[i] - part * step[(i, 0)]).collect();
                let left = square(&self.missing(&next, &self::rates(&matrix, &free, &next)));
                if left < size {
                    break next;
                }
                part *= 0.5;
                if part < SHORTEST {
                    return false;
                }
            };
            z = next;
            forces.iter_mut().zip(z.iter().zip(&units)).for_each(|(f, (z, d))| *f = z * d);
        }
        false
    }

    /// `z − P_K(p)`.
    fn missing(&self, z: &[f64], rates: &[f64]) -> Vec<f64> {
        let mut missing = z.to_vec();
        self.each_contact(|range, friction| {
            let mut pushed: Vec<f64> = range.clone().map(|i| z[i] - rates[i]).collect();
            pushed[0] -= friction * tangential(&rates[range.clone()]);
            project(&mut pushed, friction);
            missing[range].iter_mut().zip(pushed).for_each(|(out, pushed)| *out -= pushed);
        });
        missing
    }

    /// Its slopes by `z`: `1 − P' (1 − U W)`, where `U` adds the slope of `μ |u_T|` to the normal row.
    fn slopes(&self, matrix: &Mat<f64>, z: &[f64], rates: &[f64]) -> Mat<f64> {
        let n = z.len();
        let mut slopes = Mat::from_fn(n, n, |i, j| if i == j { 1.0 + LIFTED } else { 0.0 });
        self.each_contact(|range, friction| {
            let (first, count) = (range.start, range.len());
            let slip = tangential(&rates[range.clone()]);
            let mut pushed: Vec<f64> = range.clone().map(|i| z[i] - rates[i]).collect();
            pushed[0] -= friction * slip;
            let projected = projection_slopes(&pushed, friction);
            let over = if slip > 0.0 { friction / slip } else { 0.0 };
            for j in 0..n {
                let mut column: Vec<f64> = range.clone().map(|i| matrix[(i, j)]).collect();
                column[0] += (1..count).map(|a| over * rates[first + a] * column[a]).sum::<f64>();
                for (a, moved) in column.iter_mut().enumerate() {
                    *moved = if first + a == j { 1.0 - *moved } else { -*moved };
                }
                for a in 0..count {
                    let by: f64 = (0..count).map(|b| projected[a][b] * column[b]).sum();
                    slopes[(first + a, j)] -= by;
                }
            }
        });
        slopes
    }
}

/// Slopes of the nearest point of the cone of friction.
fn projection_slopes(pushed: &[f64], friction: f64) -> [[f64; 3]; 3] {
    let (normal, size) = (pushed[0], tangential(pushed));
    let mut slopes = [[0.0; 3]; 3];
    if size <= friction * normal {
        (0..3).for_each(|k| slopes[k][k] = 1.0);
        return slopes;
    }
    if friction * size <= -normal {
        return slopes;
    }
    let share = 1.0 / (1.0 + friction * friction);
    let along = |k: usize| if k < pushed.len() { pushed[k] / size } else { 0.0 };
    let pressed = (normal + friction * size) * share;
    slopes[0][0] = share;
    for a in 1..3 {
        slopes[0][a] = friction * share * along(a);
        slopes[a][0] = slopes[0][a];
        for b in 1..3 {
            let across = if a == b { 1.0 } else { 0.0 } - along(a) * along(b);
            slopes[a][b] = friction * friction * share * along(a) * along(b)
                + friction * pressed / size * across;
        }
    }
    slopes
}

fn rates(matrix: &Mat<f64>, free: &[f64], z: &[f64]) -> Vec<f64> {
    let line = |i: usize| z.iter().enumerate().map(|(j, z)| matrix[(i, j)] * z).sum::<f64>();
    free.iter().enumerate().map(|(i, b)| b + line(i)).collect()
}

fn square(values: &[f64]) -> f64 {
    values.iter().map(|value| value * value).sum()
}
