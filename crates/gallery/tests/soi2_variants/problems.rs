//! Problems (15) and S1 of sheet 001, written down from the sheet and nowhere else. [Jay & Negrut 2009, sheet §5, §7]

/// Forces at `(t, y, z, λ, ψ)`.
pub type Force = fn(f64, &[f64], &[f64], f64, f64) -> Vec<f64>;

/// One holonomic and one nonholonomic constraint, and the exact solution.
pub struct Problem {
    pub until: f64,
    /// Rows of `M(t, y)`.
    pub mass: fn(f64, &[f64]) -> Vec<Vec<f64>>,
    /// `f(t, y, z, λ, ψ)`, reactions included.
    pub force: Force,
    pub g: fn(&[f64]) -> f64,
    /// `g_y z`.
    pub g_rate: fn(&[f64], &[f64]) -> f64,
    pub k: fn(&[f64], &[f64]) -> f64,
    pub exact: fn(f64) -> Exact,
}

/// The solution at one time.
pub struct Exact {
    pub y: Vec<f64>,
    pub z: Vec<f64>,
    pub a: Vec<f64>,
    pub lambda: f64,
    pub psi: f64,
}

/// Problem (15).
pub const PROBLEM_15: Problem = Problem {
    until: 1.0,
    mass: |t, y| {
        vec![vec![y[0], y[1] - (-2.0 * t).exp()], vec![(y[0] - t.exp()).sin(), y[0] * y[1]]]
    },
    force: |t, y, z, lambda, psi| {
        let e = t.exp();
        vec![
            e * (y[0] * z[1] + 2.0 * y[1] * z[0]) + e * e * y[0] * lambda - y[0] * z[1] * psi - 2.0,
            (0.5 * y[1] * z[1] - 2.0 * y[0] * z[0] * y[1] * z[1] + y[1] * lambda * lambda) / e
                - y[0] * y[1] * z[0] * psi.powi(3)
                + e.powi(3),
        ]
    },
    g: |y| y[0] * y[0] * y[1] - 1.0,
    g_rate: |y, z| 2.0 * y[0] * y[1] * z[0] + y[0] * y[0] * z[1],
    k: |y, z| y[0] * z[0] * z[1] + 2.0,
    exact: |t| {
        let (e, decay) = (t.exp(), (-2.0 * t).exp());
        Exact {
            y: vec![e, decay],
            z: vec![e, -2.0 * decay],
            a: vec![e, 4.0 * decay],
            lambda: 1.0 / e,
            psi: e,
        }
    },
};

/// Problem S1, manufactured: one velocity is free.
pub const S1: Problem = Problem {
    until: 2.0,
    mass: s1_mass,
    force: |t, y, z, lambda, psi| {
        let exact = s1_exact(t);
        let now = s1_phi(y, z, lambda, psi);
        let there = s1_phi(&exact.y, &exact.z, exact.lambda, exact.psi);
        let rows = s1_mass(t, &exact.y);
        let inertia = |row: &Vec<f64>| row.iter().zip(&exact.a).map(|(m, a)| m * a).sum::<f64>();
        (0..3).map(|i| now[i] - there[i] + inertia(&rows[i])).collect()
    },
    g: |y| y[0] * y[0] + y[1] * y[1] - 1.0,
    g_rate: |y, z| 2.0 * (y[0] * z[0] + y[1] * z[1]),
    k: |y, z| z[2] + 0.1 * (z[0] * z[0] + z[1] * z[1] - 1.0) - y[0] * y[0] + y[1] * y[1],
    exact: s1_exact,
};

fn s1_mass(_t: f64, y: &[f64]) -> Vec<Vec<f64>> {
    vec![
        vec![2.0 + y[0], 0.3 * y[1], 0.0],
        vec![0.3 * y[1], 3.0 + y[1] * y[2], 0.2 * y[0]],
        vec![0.0, 0.2 * y[0], 1.0 + y[2] * y[2]],
    ]
}

fn s1_phi(y: &[f64], z: &[f64], lambda: f64, psi: f64) -> [f64; 3] {
    let (holonomic, other) = (lambda + 0.2 * lambda.powi(3), psi + 0.1 * psi * psi);
    [
        -0.5 * z[0] - 4.0 * y[0] - 2.0 * y[0] * holonomic - 0.2 * z[0] * other,
        -0.5 * z[1] - y[1] - 2.0 * y[1] * holonomic - 0.2 * z[1] * other,
        -0.5 * z[2] - 2.0 * y[0] * y[2] - other,
    ]
}

fn s1_exact(t: f64) -> Exact {
    let (sin, cos) = t.sin_cos();
    let (sin2, cos2) = (2.0 * t).sin_cos();
    Exact {
        y: vec![cos, sin, sin2 / 2.0],
        z: vec![-sin, cos, cos2],
        a: vec![-cos, -sin, -2.0 * sin2],
        lambda: (-t).exp(),
        psi: 1.0 + 0.5 * sin,
    }
}
