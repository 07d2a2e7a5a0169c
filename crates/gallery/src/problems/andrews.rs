//! Andrews' squeezing mechanism: seven angles, six constraints, a mass matrix that depends on the
//! angles. The standard index-3 problem of the public test set for initial value problems; constants
//! and equations as in Hairer and Wanner, *Solving Ordinary Differential Equations II*, §VII.7.

use rotula_dae::automatic::{Arguments, Automatic, Equations, MassMatrix, Scalar};
use rotula_dae::{Component, Sizes, State, System};

// Masses, inertias, points and lengths by the letters of the book.
pub(crate) const MASS: [f64; 7] = [0.04325, 0.00365, 0.02373, 0.00706, 0.0705, 0.00706, 0.05498];
pub(crate) const INERTIA: [f64; 7] =
    [2.194e-6, 4.41e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5];
pub(crate) const A: [f64; 2] = [-0.06934, -0.00227];
pub(crate) const B: [f64; 2] = [-0.03635, 0.03273];
pub(crate) const C: [f64; 2] = [0.014, 0.072];
pub(crate) const STIFFNESS: f64 = 4530.0;
pub(crate) const REST_LENGTH: f64 = 0.07785;
pub(crate) const DRIVE: f64 = 0.033;
pub(crate) const D: f64 = 0.028;
pub(crate) const DA: f64 = 0.0115;
pub(crate) const E: f64 = 0.02;
pub(crate) const EA: f64 = 0.01421;
pub(crate) const RR: f64 = 0.007;
pub(crate) const RA: f64 = 0.00092;
pub(crate) const SS: f64 = 0.035;
pub(crate) const SA: f64 = 0.01874;
pub(crate) const SB: f64 = 0.01043;
pub(crate) const SC: f64 = 0.018;
pub(crate) const SD: f64 = 0.02;
pub(crate) const TA: f64 = 0.02308;
pub(crate) const TB: f64 = 0.00916;
pub(crate) const U: f64 = 0.04;
pub(crate) const UA: f64 = 0.01228;
pub(crate) const UB: f64 = 0.00449;
pub(crate) const ZF: f64 = 0.02;
pub(crate) const ZT: f64 = 0.04;
pub(crate) const FA: f64 = 0.01421;

/// End of the interval of the test set.
pub const END: f64 = 0.03;

const NAMES: [&str; 7] = ["beta", "theta", "gamma", "phi", "delta", "omega", "epsilon"];

/// The mechanism; its coordinates are β, Θ, γ, Φ, δ, Ω, ε.
#[derive(Clone, Copy, Debug)]
pub struct Andrews;

impl Equations for Andrews {
    fn sizes(&self) -> Sizes {
        Sizes { holonomic: 6, ..Sizes::vector(7) }
    }

    fn mass<T: Scalar>(&self, _t: T, q: &[T], m: &mut MassMatrix<T>) {
        let cos_theta = q[1].cos();
        let (sin_phi, sin_omega) = (q[3].sin(), q[5].sin());
        let (e, f) = (E - EA, ZF - FA);
        let [m1, m2, m3, m4, m5, m6, m7] = MASS;
        let [i1, i2, i3, i4, i5, i6, i7] = INERTIA;
        let crank = m1 * RA * RA + m2 * (RR * RR + DA * DA) + i1 + i2;
        m.set(0, 0, cos_theta * (-2.0 * m2 * DA * RR) + crank);
        m.set(0, 1, cos_theta * (-m2 * DA * RR) + (m2 * DA * DA + i2));
        m.set(1, 1, m2 * DA * DA + i2);
        m.set(2, 2, m3 * (SA * SA + SB * SB) + i3);
        m.set(3, 3, m4 * e * e + i4);
        m.set(3, 4, sin_phi * (m4 * ZT * e) + (m4 * e * e + i4));
        let lever = m4 * (ZT * ZT + e * e) + m5 * (TA * TA + TB * TB) + i4 + i5;
        m.set(4, 4, sin_phi * (2.0 * m4 * ZT * e) + lever);
        m.set(5, 5, m6 * f * f + i6);
        m.set(5, 6, sin_omega * (-m6 * U * f) + (m6 * f * f + i6));
        let lever = m6 * (f * f + U * U) + m7 * (UA * UA + UB * UB) + i6 + i7;
        m.set(6, 6, sin_omega * (-2.0 * m6 * U * f) + lever);
    }

    fn force<T: Scalar>(&self, at: &Arguments<T>, out: &mut [T]) {
        let (q, v) = (at.q, at.v);
        let (sin_gamma, cos_gamma) = q[2].sin_cos();
        let x = cos_gamma * SD + sin_gamma * SC + (B[0] - C[0]);
        let y = sin_gamma * SD - cos_gamma * SC + (B[1] - C[1]);
        let length = x.hypot(y);
        let pull = (length - REST_LENGTH) * -STIFFNESS / length;
        let (sin_theta, cos_phi, cos_omega) = (q[1].sin(), q[3].cos(), q[5].cos());
        let theta = sin_theta * (MASS[1] * DA * RR);
        let phi = cos_phi * (MASS[3] * ZT * (E - EA));
        let omega = cos_omega * (MASS[5] * U * (ZF - FA));
        out[0] = -theta * v[1] * (v[1] + v[0] * 2.0) + DRIVE;
        out[1] = theta * v[0] * v[0];
        out[2] = pull * x * (cos_gamma * SC - sin_gamma * SD)
            + pull * y * (cos_gamma * SD + sin_gamma * SC);
        out[3] = phi * v[4] * v[4];
        out[4] = -phi * v[3] * (v[3] + v[4] * 2.0);
        out[5] = -omega * v[6] * v[6];
        out[6] = omega * v[5] * (v[5] + v[6] * 2.0);
    }

    fn holonomic<T: Scalar>(&self, _t: T, q: &[T], g: &mut [T]) {
        let (sin_beta, cos_beta) = q[0].sin_cos();
        let (sin_gamma, cos_gamma) = q[2].sin_cos();
        let (sin_delta, cos_delta) = q[4].sin_cos();
        let (sin_epsilon, cos_epsilon) = q[6].sin_cos();
        let (sin_bt, cos_bt) = (q[0] + q[1]).sin_cos();
        let (sin_pd, cos_pd) = (q[3] + q[4]).sin_cos();
        let (sin_oe, cos_oe) = (q[5] + q[6]).sin_cos();
        // The point in which the three loops meet.
        let (x, y) = (cos_beta * RR - cos_bt * D, sin_beta * RR - sin_bt * D);
        g[0] = x - sin_gamma * SS - B[0];
        g[1] = y + cos_gamma * SS - B[1];
        g[2] = x - sin_pd * E - cos_delta * ZT - A[0];
        g[3] = y + cos_pd * E - sin_delta * ZT - A[1];
        g[4] = x - cos_oe * ZF - sin_epsilon * U - A[0];
        g[5] = y - sin_oe * ZF + cos_epsilon * U - A[1];
    }

    fn name(&self, component: Component) -> String {
        match component {
            Component::Coordinate(i) => NAMES[i].to_owned(),
            Component::Constraint(i) => format!("loop {} {}", i / 2 + 1, ["x", "y"][i % 2]),
            Component::State(i) | Component::Variable(i) => format!("auxiliary {}", i + 1),
            Component::Contact(i) => format!("contact {}", i + 1),
        }
    }
}

/// The mechanism at rest in its published position.
pub fn andrews() -> (Automatic<Andrews>, State) {
    let system = Automatic::new(Andrews);
    let mut state = State::zeros(system.sizes());
    state.q = vec![
        -0.061_713_890_014_276_45,
        0.0,
        0.455_279_819_163_070_37,
        0.222_668_390_165_885_88,
        0.487_364_979_543_842_56,
        -0.222_668_390_165_885_88,
        1.230_547_444_549_821_2,
    ];
    (system, state)
}
