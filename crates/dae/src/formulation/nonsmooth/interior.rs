//! All contacts of a problem at once, by an interior-point method: for what alternating directions do not find, as light bodies
//! between heavy ones and chains that wedge.
//!
//! With the normal rows in units of friction, `x = (μ λ_N, λ_T)` and `y = (u_N/μ + |u_T|, u_T)`, the laws of the contacts are
//!
//! ```text
//! y = A x + c + |y_T| e,    L ∋ x ⊥ y ∈ L
//! ```
//!
//! with the cones of Lorentz `L`. Newton's method goes along the central path `x ∘ y = κ e`, in the scaling of Nesterov and Todd, in
//! which both become the same vector, by predictor and corrector [Mehrotra 1992; Vandenberghe 2010]; the slope of `|y_T|`, which makes the
//! problem one of friction, is part of its matrix [Acary, Armand, Nguyen, Shpakovych 2023]. Each step costs a factor of the whole matrix;
//! a dozen of them lead near, from where Newton's method on the laws themselves is quick (`polish`).

use super::cones::Cones;
use faer::linalg::solvers::Solve;
use faer::{Mat, MatRef};

const MOST_ITERATIONS: usize = 80;
/// Steps of Newton's method that follow.
const MOST_POLISHED: usize = 30;
/// Part of the way to the border of the cones.
const WITHIN: f64 = 0.995;
/// Friction below this is none: cones would be needles.
const SMOOTH: f64 = 1e-9;
/// Steps that are shorter lead nowhere.
const SHORTEST: f64 = 1e-9;
/// Iterations without a better point after which none is expected.
const PATIENCE: usize = 6;
/// Where it is worth to try Newton's method on the laws: errors as a part of the largest rate.
const NEAR: f64 = 1e-4;

/// A cone: its rows in the problem, of which the first is normal, and its friction.
struct Cone {
    rows: Vec<usize>,
    friction: f64,
}

/// The problem in its units.
struct Problem {
    cones: Vec<Cone>,
    matrix: Mat<f64>,
    constant: Vec<f64>,
    /// Forces are these times `x`, and rates `y` times their inverse.
    units: Vec<f64>,
    /// Where the variables of each cone begin.
    first: Vec<usize>,
    /// The row of each variable.
    row: Vec<usize>,
}

impl Cones<'_> {
    /// Finds the forces without a guess. Returns the number of iterations, or none if the bound was not reached; the forces are then no
    /// worse than before.
    pub(super) fn solve_inside(&self, forces: &mut [f64]) -> Option<usize> {
        let problem = self.in_units();
        let count = problem.constant.len();
        let largest = problem.constant.iter().fold(0.0f64, |most, c| most.max(c.abs()));
        if count == 0 || largest == 0.0 {
            forces.fill(0.0);
            return Some(0);
        }
        let centre = |size: f64| -> Vec<f64> {
            let mut point = vec![0.0; count];
            problem.first.iter().take(problem.cones.len()).for_each(|&k| point[k] = size);
            point
        };
        let (mut x, mut y) = (centre(largest), centre(largest));
        let near = NEAR * self.free.iter().fold(0.0f64, |most, b| most.max(b.abs())) / self.bound;
        let mut best = (f64::INFINITY, 0);
        let mut trial = vec![0.0; forces.len()];
        let mut found = vec![0.0; forces.len()];
        let mut tried = false;
        for iteration in 1..=MOST_ITERATIONS {
            if self.stop.asked() {
                return None;
            }
            if iteration > best.1 + PATIENCE || !problem.step(&mut x, &mut y) {
                break;
            }
            problem.forces(&x, &mut trial);
            let worst = self.worst(&trial);
            if worst < best.0 {
                best = (worst, iteration);
                found.copy_from_slice(&trial);
            }
            if !tried && worst < near {
                tried = true;
                if self.polish(&mut trial, MOST_POLISHED) {
                    forces.copy_from_slice(&trial);
                    return Some(iteration);
                }
            }
        }
        let done = self.polish(&mut found, MOST_POLISHED);
        if done || self.worst(&found) < self.worst(forces) {
            forces.copy_from_slice(&found);
        }
        done.then_some(best.1)
    }

    /// How far forces are from what their laws make of them, as rates over their bound.
    pub(super) fn worst(&self, forces: &[f64]) -> f64 {
        let n = forces.len();
        let mut worst = 0.0f64;
        self.each_contact(|range, friction| {
            let rates: Vec<f64> = range
                .clone()
                .map(|i| {
                    let line = &self.compliance[i * n..(i + 1) * n];
                    self.free[i] + line.iter().zip(forces).map(|(w, f)| w * f).sum::<f64>()
                })
                .collect();
            let own: f64 = range.clone().map(|i| self.compliance[i * n + i]).sum();
            let mass = range.len() as f64 / own;
            let mut pushed: Vec<f64> =
                range.clone().zip(&rates).map(|(i, rate)| forces[i] - mass * rate).collect();
            pushed[0] -= mass * friction * super::cones::tangential(&rates);
            super::cones::project(&mut pushed, friction);
            for (i, pushed) in range.zip(pushed) {
                let off = (forces[i] - pushed).abs() / (mass * self.bound);
                worst = if off.is_nan() { f64::INFINITY } else { worst.max(off) };
            }
        });
        worst
    }

    fn in_units(&self) -> Problem {
        let n = self.free.len();
        let (mut cones, mut row, mut units, mut first) = (vec![], vec![], vec![], vec![0]);
        self.each_contact(|range, friction| {
            let own = range.clone().map(|i| self.compliance[i * n + i]).sum::<f64>();
            let unit = (range.len() as f64 / own).sqrt();
            let unit = if unit.is_finite() { unit } else { 1.0 };
            let rough = friction > SMOOTH;
            let rows: Vec<usize> = if rough { range.collect() } else { vec![range.start] };
            for (k, &i) in rows.iter().enumerate() {
                row.push(i);
                units.push(if k == 0 && rough && rows.len() > 1 { unit / friction } else { unit });
            }
            first.push(row.len());
            cones.push(Cone { rows, friction });
        });
        let count = row.len();
        let matrix = Mat::from_fn(count, count, |a, b| {
            let (i, j) = (row[a], row[b]);
            units[a] * units[b] * self.compliance[i * n + j]
        });
        let constant = (0..count).map(|a| units[a] * self.free[row[a]]).collect();
        Problem { cones, matrix, constant, units, first, row }
    }
}

impl Problem {
    fn count(&self) -> usize {
        self.constant.len()
    }

    /// The forces of a point.
    fn forces(&self, x: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for (a, &i) in self.row.iter().enumerate() {
            out[i] = self.units[a] * x[a];
        }
    }

    /// One step of predictor and corrector; false if there is none.
    fn step(&self, x: &mut [f64], y: &mut [f64]) -> bool {
        let n = self.count();
        let cones = self.cones.len();
        let scalings: Vec<Scaling> = (0..cones)
            .map(|k| {
                Scaling::of(
                    &x[self.first[k]..self.first[k + 1]],
                    &y[self.first[k]..self.first[k + 1]],
                )
            })
            .collect();
        // slopes of |y_T|, and the matrix A + (I − G) W²
        let slopes: Vec<Vec<f64>> = (0..cones)
            .map(|k| {
                let own = &y[self.first[k]..self.first[k + 1]];
                let size = norm(&own[1..]);
                let over =
                    if size > 0.0 && self.cones[k].rows.len() > 1 { 1.0 / size } else { 0.0 };
                own[1..].iter().map(|part| part * over).collect()
            })
            .collect();
        let mut matrix = self.matrix.clone();
        for k in 0..cones {
            let first = self.first[k];
            let square = scalings[k].square();
            let size = square.len();
            for b in 0..size {
                let column: Vec<f64> = (0..size).map(|a| square[a][b]).collect();
                let lowered = less_slope(&column, &slopes[k]);
                for (a, value) in lowered.into_iter().enumerate() {
                    matrix[(first + a, first + b)] += value;
                }
            }
        }
        let factor = matrix.partial_piv_lu();
        let missing = self.missing(x, y);
        let gap: f64 = x.iter().zip(&*y).map(|(x, y)| x * y).sum::<f64>() / cones as f64;
        if !gap.is_finite() {
            return false;
        }
        let solve = |targets: &[Vec<f64>]| -> (Vec<f64>, Vec<f64>) {
            // λ ∘ q = target; dy = W q − W² dx
            let mut pushed = vec![0.0; n];
            let mut rhs = Mat::zeros(n, 1);
            for k in 0..cones {
                let first = self.first[k];
                let q = scalings[k].divide(&targets[k]);
                let push = scalings[k].times(&q);
                let lowered = less_slope(&push, &slopes[k]);
                for (a, value) in lowered.into_iter().enumerate() {
                    rhs[(first + a, 0)] = value - missing[first + a];
                    pushed[first + a] = push[a];
                }
            }
            factor.solve_in_place(&mut rhs);
            let dx: Vec<f64> = (0..n).map(|a| rhs[(a, 0)]).collect();
            let mut dy = pushed;
            for k in 0..cones {
                let range = self.first[k]..self.first[k + 1];
                let back = scalings[k].times(&scalings[k].times(&dx[range.clone()]));
                dy[range].iter_mut().zip(back).for_each(|(dy, back)| *dy -= back);
            }
            (dx, dy)
        };
        let plain: Vec<Vec<f64>> = scalings
            .iter()
            .map(|scaling| jordan(&scaling.point, &scaling.point).iter().map(|v| -v).collect())
            .collect();
        let (dx, dy) = solve(&plain);
        let reach = self.longest(x, &dx).min(self.longest(y, &dy)).min(1.0);
        let after: f64 = (0..n).map(|a| (x[a] + reach * dx[a]) * (y[a] + reach * dy[a])).sum();
        let part = (after / cones as f64 / gap).clamp(0.0, 1.0);
        let centring = (part * part * part).clamp(1e-6, 1.0) * gap;
        let corrected: Vec<Vec<f64>> = (0..cones)
            .map(|k| {
                let range = self.first[k]..self.first[k + 1];
                let across =
                    jordan(&scalings[k].over(&dy[range.clone()]), &scalings[k].times(&dx[range]));
                let mut target = plain[k].clone();
                target.iter_mut().zip(across).for_each(|(target, across)| *target -= across);
                target[0] += centring;
                target
            })
            .collect();
        let (dx, dy) = solve(&corrected);
        let reach = (WITHIN * self.longest(x, &dx).min(self.longest(y, &dy))).min(1.0);
        if reach.is_nan() || reach <= SHORTEST {
            return false;
        }
        for a in 0..n {
            x[a] += reach * dx[a];
            y[a] += reach * dy[a];
        }
        x.iter().chain(&*y).all(|value| value.is_finite())
    }

    /// `A x + c + |y_T| e − y`.
    fn missing(&self, x: &[f64], y: &[f64]) -> Vec<f64> {
        let column = MatRef::from_column_major_slice(x, x.len(), 1);
        let product = &self.matrix * column;
        let mut missing: Vec<f64> =
            (0..x.len()).map(|a| product[(a, 0)] + self.constant[a] - y[a]).collect();
        for k in 0..self.cones.len() {
            let first = self.first[k];
            if self.cones[k].friction > SMOOTH {
                missing[first] += norm(&y[first + 1..self.first[k + 1]]);
            }
        }
        missing
    }

    /// The longest step that stays within all cones.
    fn longest(&self, x: &[f64], d: &[f64]) -> f64 {
        let ranges = self.first.windows(2).map(|pair| pair[0]..pair[1]);
        ranges.map(|range| longest(&x[range.clone()], &d[range])).fold(f64::INFINITY, f64::min)
    }
}

/// `(I − G) v` of one cone: the slope of `|y_T|` acts on the normal row.
fn less_slope(v: &[f64], slope: &[f64]) -> Vec<f64> {
    let mut out = v.to_vec();
    out[0] -= slope.iter().zip(&v[1..]).map(|(slope, v)| slope * v).sum::<f64>();
    out
}

/// The longest step within one cone.
fn longest(x: &[f64], d: &[f64]) -> f64 {
    // (x₀ + α d₀)² − |x₁ + α d₁|² = 0, and x₀ + α d₀ ≥ 0
    let a = d[0] * d[0] - dot(&d[1..], &d[1..]);
    let b = x[0] * d[0] - dot(&x[1..], &d[1..]);
    let c = ((x[0] - norm(&x[1..])) * (x[0] + norm(&x[1..]))).max(0.0);
    let mut reach = if d[0] < 0.0 { -x[0] / d[0] } else { f64::INFINITY };
    let discriminant = b * b - a * c;
    if discriminant >= 0.0 {
        let q = -(b + discriminant.sqrt().copysign(b));
        for root in [q / a, c / q] {
            if root > 0.0 {
                reach = reach.min(root);
            }
        }
    }
    reach
}

/// The scaling of Nesterov and Todd: `W x = W⁻¹ y`, with `W = β (2 v vᵀ − J)`.
struct Scaling {
    beta: f64,
    v: Vec<f64>,
    /// `W x`.
    point: Vec<f64>,
}

impl Scaling {
    fn of(x: &[f64], y: &[f64]) -> Self {
        let size = |p: &[f64]| {
            let tangential = norm(&p[1..]);
            ((p[0] - tangential) * (p[0] + tangential)).max(f64::MIN_POSITIVE).sqrt()
        };
        let (of_x, of_y) = (size(x), size(y));
        let mirrored = |k: usize| if k == 0 { x[k] / of_x } else { -x[k] / of_x };
        let together = 1.0 + x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>() / (of_x * of_y);
        let gamma = (0.5 * together).sqrt();
        let mut v: Vec<f64> =
            (0..x.len()).map(|k| (y[k] / of_y + mirrored(k)) / (2.0 * gamma)).collect();
        let over = 1.0 / (2.0 * (v[0] + 1.0)).sqrt();
        v[0] += 1.0;
        v.iter_mut().for_each(|part| *part *= over);
        let mut scaling = Scaling { beta: (of_y / of_x).sqrt(), v, point: Vec::new() };
        scaling.point = scaling.times(x);
        scaling
    }

    /// `W p`.
    fn times(&self, p: &[f64]) -> Vec<f64> {
        let along = 2.0 * dot(&self.v, p);
        (0..p.len())
            .map(|k| self.beta * (along * self.v[k] + if k == 0 { -p[k] } else { p[k] }))
            .collect()
    }

    /// `W⁻¹ p = J (2 v vᵀ − J) J p / β`.
    fn over(&self, p: &[f64]) -> Vec<f64> {
        let flip = |k: usize, value: f64| if k == 0 { value } else { -value };
        let mirrored: Vec<f64> = p.iter().enumerate().map(|(k, p)| flip(k, *p)).collect();
        let along = 2.0 * dot(&self.v, &mirrored);
        (0..p.len())
            .map(|k| {
                let own = if k == 0 { -mirrored[k] } else { mirrored[k] };
                flip(k, along * self.v[k] + own) / self.beta
            })
            .collect()
    }

    /// `W²`, row by row.
    fn square(&self) -> Vec<Vec<f64>> {
        let n = self.v.len();
        let column = |k: usize| {
            let mut unit = vec![0.0; n];
            unit[k] = 1.0;
            self.times(&self.times(&unit))
        };
        // it is symmetric
        (0..n).map(column).collect()
    }

    /// `q` with `λ ∘ q = target`, λ the scaled point.
    fn divide(&self, target: &[f64]) -> Vec<f64> {
        let p = &self.point;
        let tangential = norm(&p[1..]);
        let determinant = ((p[0] - tangential) * (p[0] + tangential)).max(f64::MIN_POSITIVE);
        let first = (p[0] * target[0] - dot(&p[1..], &target[1..])) / determinant;
        let mut q: Vec<f64> = (0..p.len()).map(|k| (target[k] - first * p[k]) / p[0]).collect();
        q[0] = first;
        q
    }
}

/// The product of Jordan's algebra of a cone.
fn jordan(a: &[f64], b: &[f64]) -> Vec<f64> {
    let mut product: Vec<f64> = (0..a.len()).map(|k| a[0] * b[k] + b[0] * a[k]).collect();
    product[0] = dot(a, b);
    product
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn norm(a: &[f64]) -> f64 {
    a.iter().fold(0.0f64, |size, x| size.hypot(*x))
}
