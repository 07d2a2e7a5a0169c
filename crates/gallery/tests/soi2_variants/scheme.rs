//! Generalized-α-SOI2 with one constraint of each kind, from sheet 001 alone: derivatives by
//! differences, a dense matrix, and the two variants of (13d) that the document asks about.
//! [Jay & Negrut 2009, sheet §2, §3, §6]

use super::problems::Problem;
use nalgebra::{DMatrix, DVector};
use rotula_gallery::larger;

/// How the balance with the tildes is written.
#[derive(Clone, Copy, PartialEq)]
pub enum Variant {
    /// `f(t₁, y₁, z₁, λ̃, ψ̃)`, and `k` at `z̃` too.
    AsPrinted,
    /// ψ̃ and z̃ dropped: `f(t₁, y₁, z₁, λ̃, ψ)`.
    WithoutPsiTilde,
    /// `f(t₁, y₁, z̃, λ̃, ψ̃)`.
    ZTilde,
}

/// Where a run has got to.
pub struct Arrived {
    pub t: f64,
    pub y: Vec<f64>,
    pub z: Vec<f64>,
    /// The algorithmic acceleration, at `t + αh` for the last step `h`.
    pub a: Vec<f64>,
    pub lambda: f64,
    pub psi: f64,
    /// `t + αh`.
    pub a_time: f64,
}

/// `α_m, α_f, α, β, γ` for a spectral radius. [Jay & Negrut 2009, sheet §1]
fn coefficients(rho: f64) -> [f64; 5] {
    let (am, af) = ((2.0 * rho - 1.0) / (1.0 + rho), rho / (1.0 + rho));
    let alpha = am - af;
    [am, af, alpha, (1.0 - alpha).powi(2) / 4.0, 0.5 - alpha]
}

/// Integrates with the given steps and the adjustment (14).
pub fn integrate(problem: &Problem, variant: Variant, rho: f64, steps: &[f64]) -> Arrived {
    let [am, af, alpha, beta, gamma] = coefficients(rho);
    let start = (problem.exact)(0.0);
    let n = start.y.len();
    let product = |t: f64, y: &[f64], a: &[f64]| -> Vec<f64> {
        let rows = (problem.mass)(t, y);
        rows.iter().map(|row| dot(row, a)).collect()
    };
    let ahead =
        |y: &[f64], z: &[f64], s: f64| -> Vec<f64> { (0..n).map(|i| y[i] + s * z[i]).collect() };
    let mut now = Arrived {
        t: 0.0,
        y: start.y,
        z: start.z,
        a: start.a,
        lambda: start.lambda,
        psi: start.psi,
        a_time: 0.0,
    };
    let mut momentum = product(alpha * steps[0], &ahead(&now.y, &now.z, alpha * steps[0]), &now.a);
    let mut before: Option<(f64, Vec<f64>, Vec<f64>)> = None;
    for &h in steps {
        let (mut a0, mut ma0) = (now.a.clone(), momentum.clone());
        if let Some((h_before, a_before, ma_before)) = &before {
            let c = alpha * (h / h_before - 1.0); // [Jay & Negrut 2009, eq. 14]
            for i in 0..n {
                a0[i] += c * (now.a[i] - a_before[i]);
                ma0[i] += c * (momentum[i] - ma_before[i]);
            }
        }
        let t1 = now.t + h;
        let mass_time = now.t + (1.0 + alpha) * h;
        let mass_at = ahead(&now.y, &now.z, (1.0 + alpha) * h);
        let f0 = (problem.force)(now.t, &now.y, &now.z, now.lambda, now.psi);
        let place = |tilde: &[f64]| -> Vec<f64> {
            let term = |i: usize| (1.0 - 2.0 * beta) * a0[i] + 2.0 * beta * tilde[i];
            (0..n).map(|i| now.y[i] + h * now.z[i] + 0.5 * h * h * term(i)).collect()
        };
        let speed = |a: &[f64]| -> Vec<f64> {
            (0..n).map(|i| now.z[i] + h * ((1.0 - gamma) * a0[i] + gamma * a[i])).collect()
        };
        // unknowns: ã, λ̃, ψ̃, a, λ, ψ
        let residual = |u: &[f64]| -> Vec<f64> {
            let (tilde, a) = (&u[..n], &u[n + 2..2 * n + 2]);
            let (lambda_tilde, psi_tilde) = (u[n], u[n + 1]);
            let (lambda, psi) = (u[2 * n + 2], u[2 * n + 3]);
            let (y1, z1, z_tilde) = (place(tilde), speed(a), speed(tilde));
            let f_tilde = match variant {
                Variant::AsPrinted => (problem.force)(t1, &y1, &z1, lambda_tilde, psi_tilde),
                Variant::WithoutPsiTilde => (problem.force)(t1, &y1, &z1, lambda_tilde, psi),
                Variant::ZTilde => (problem.force)(t1, &y1, &z_tilde, lambda_tilde, psi_tilde),
            };
            let f = (problem.force)(t1, &y1, &z1, lambda, psi);
            let (m_tilde, m_a) =
                (product(mass_time, &mass_at, tilde), product(mass_time, &mass_at, a));
            let balance = |m: &[f64], f: &[f64], i: usize| {
                (1.0 - am) * m[i] + am * ma0[i] - (1.0 - af) * f[i] - af * f0[i]
            };
            let mut rows: Vec<f64> = (0..n).map(|i| balance(&m_tilde, &f_tilde, i)).collect();
            rows.push((problem.g)(&y1) / (beta * h * h));
            rows.push(match variant {
                // a row for the unknown that no longer matters
                Variant::WithoutPsiTilde => psi_tilde - psi,
                _ => (problem.k)(&y1, &z_tilde) / (gamma * h),
            });
            rows.extend((0..n).map(|i| balance(&m_a, &f, i)));
            rows.push((problem.g_rate)(&y1, &z1) / (gamma * h));
            rows.push((problem.k)(&y1, &z1) / (gamma * h));
            rows
        };
        let half = [&a0[..], &[now.lambda, now.psi]].concat();
        let u = solve(&residual, [&half[..], &half[..]].concat());
        let (tilde, a) = (u[..n].to_vec(), u[n + 2..2 * n + 2].to_vec());
        let (y, z) = (place(&tilde), speed(&a));
        momentum = product(mass_time, &mass_at, &a);
        now = Arrived {
            t: t1,
            y,
            z,
            a,
            lambda: u[2 * n + 2],
            psi: u[2 * n + 3],
            a_time: t1 + alpha * h,
        };
        before = Some((h, a0, ma0));
    }
    now
}

/// Newton's method with central differences, until corrections no longer shrink.
fn solve(residual: &dyn Fn(&[f64]) -> Vec<f64>, mut u: Vec<f64>) -> Vec<f64> {
    let size = u.len();
    let mut last = f64::INFINITY;
    for _ in 0..50 {
        let mut matrix = DMatrix::zeros(size, size);
        for j in 0..size {
            let step = 1e-6 * larger(u[j].abs(), 1.0);
            let at = |sign: f64| {
                let mut moved = u.clone();
                moved[j] += sign * step;
                residual(&moved)
            };
            let (plus, minus) = (at(1.0), at(-1.0));
            for i in 0..size {
                matrix[(i, j)] = (plus[i] - minus[i]) / (2.0 * step);
            }
        }
        let correction =
            matrix.lu().solve(&DVector::from_vec(residual(&u))).expect("a regular matrix");
        u.iter_mut().zip(correction.iter()).for_each(|(u, d)| *u -= d);
        let largest = correction.amax();
        if largest < 1e-9 && largest > 0.1 * last {
            return u;
        }
        last = largest;
    }
    panic!("the reference iteration does not converge: last correction {last:e}");
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
