//! Systems to differentiate.

use rotula_dae::Sizes;
use rotula_dae::automatic::{Arguments, AuxiliaryArguments, Equations, MassMatrix, Scalar};

/// A slider-crank in crank angle, rod angle and slider position; the slider's rail shakes.
#[derive(Clone)]
pub struct SliderCrank;

const CRANK: f64 = 0.4;
const ROD: f64 = 1.1;

impl Equations for SliderCrank {
    fn sizes(&self) -> Sizes {
        Sizes { holonomic: 2, ..Sizes::vector(3) }
    }
    fn mass<T: Scalar>(&self, t: T, q: &[T], m: &mut MassMatrix<T>) {
        m.set(0, 0, 1.7);
        m.set(0, 1, (q[0] - q[1]).cos() * (0.5 * CRANK * ROD));
        m.set(1, 1, ROD * ROD / 3.0);
        // A slider that loses mass.
        m.set(2, 2, (-t * 0.3).exp() * 2.0);
    }
    fn force<T: Scalar>(&self, at: &Arguments<T>, f: &mut [T]) {
        let (q, v) = (at.q, at.v);
        let coriolis = (q[0] - q[1]).sin() * (0.5 * CRANK * ROD);
        f[0] = -coriolis * v[1] * v[1] - q[0].cos() * 9.81;
        f[1] = coriolis * v[0] * v[0];
        f[2] = -v[2] * v[2].hypot(q[2]) * 0.3 + at.t.sin();
    }
    fn holonomic<T: Scalar>(&self, t: T, q: &[T], g: &mut [T]) {
        g[0] = q[0].cos() * CRANK + q[1].cos() * ROD - q[2];
        g[1] = q[0].sin() * CRANK + q[1].sin() * ROD - (t * 3.0).sin() * q[2] * 0.1;
    }
    fn potential<T: Scalar>(&self, t: T, q: &[T]) -> Option<T> {
        Some(q[0].sin() * 9.81 + t * q[2])
    }
}

/// A skate on an incline with an exactly known motion.
#[derive(Clone)]
pub struct Skate;

impl Equations for Skate {
    fn sizes(&self) -> Sizes {
        Sizes { nonholonomic: 1, ..Sizes::vector(3) }
    }
    fn mass<T: Scalar>(&self, _t: T, _q: &[T], m: &mut MassMatrix<T>) {
        m.set(0, 0, 2.0);
        m.set(1, 1, 2.0);
        m.set(2, 2, 0.5);
    }
    fn force<T: Scalar>(&self, _at: &Arguments<T>, f: &mut [T]) {
        f[0] += 2.0 * 4.905;
    }
    fn nonholonomic<T: Scalar>(&self, _t: T, q: &[T], v: &[T], k: &mut [T]) {
        k[0] = v[1] * q[2].cos() - v[0] * q[2].sin();
    }
}

/// The nonlinear test problem (15) of Jay and Negrut: multipliers enter forces by squares and cubes,
/// and the mass matrix is not symmetric.
#[derive(Clone)]
pub struct JayNegrut;

impl Equations for JayNegrut {
    fn sizes(&self) -> Sizes {
        Sizes { holonomic: 1, nonholonomic: 1, ..Sizes::vector(2) }
    }
    fn mass<T: Scalar>(&self, t: T, y: &[T], m: &mut MassMatrix<T>) {
        m.set_entry(0, 0, y[0]);
        m.set_entry(0, 1, y[1] - (t * -2.0).exp());
        m.set_entry(1, 0, (y[0] - t.exp()).sin());
        m.set_entry(1, 1, y[0] * y[1]);
    }
    fn force<T: Scalar>(&self, at: &Arguments<T>, f: &mut [T]) {
        let (y1, y2, z1, z2) = (at.q[0], at.q[1], at.v[0], at.v[1]);
        let (lambda, psi, e) = (at.multipliers[0], at.multipliers[1], at.t.exp());
        f[0] = e * (y1 * z2 + y2 * z1 * 2.0) + e * e * y1 * lambda - y1 * z2 * psi - 2.0;
        f[1] = (y2 * z2 * 0.5 - y1 * z1 * y2 * z2 * 2.0 + y2 * lambda * lambda) / e
            - y1 * y2 * z1 * psi.powi(3)
            + e.powi(3);
    }
    fn holonomic<T: Scalar>(&self, _t: T, y: &[T], g: &mut [T]) {
        g[0] = y[0] * y[0] * y[1] - 1.0;
    }
    fn nonholonomic<T: Scalar>(&self, _t: T, y: &[T], z: &[T], k: &mut [T]) {
        k[0] = y[0] * z[0] * z[1] + 2.0;
    }
    fn reaction(&self, _constraint: usize) -> bool {
        false
    }
}

/// No machine, but everything at once and more coordinates than one pass takes.
#[derive(Clone)]
pub struct Everything;

impl Equations for Everything {
    fn sizes(&self) -> Sizes {
        Sizes { holonomic: 3, nonholonomic: 2, states: 5, variables: 2, ..Sizes::vector(6) }
    }
    fn mass<T: Scalar>(&self, t: T, q: &[T], m: &mut MassMatrix<T>) {
        for i in 0..6 {
            m.set(i, i, q[i] * q[(i + 1) % 6] + 3.0);
            m.add(i, (i + 2) % 6, q[5].sin() * q[i] + t * 0.1);
        }
    }
    fn force<T: Scalar>(&self, at: &Arguments<T>, f: &mut [T]) {
        for i in 0..6 {
            let friction = at.multipliers[i % 5] * at.v[i].tanh();
            f[i] = at.q[i].cos() * at.v[(i + 3) % 6] - friction * at.multipliers[4]
                + at.x[i % 5].exp() * at.y[i % 2] * at.t;
        }
    }
    fn holonomic<T: Scalar>(&self, t: T, q: &[T], g: &mut [T]) {
        g[0] = q[0] * q[5].sin() + q[2] * q[2] * q[3] - t.cos() * q[4];
        g[1] = q[1] * q[4] - q[5] * q[5] * t;
        g[2] = (q[0] * q[1] * q[5] + 3.0).ln();
    }
    fn nonholonomic<T: Scalar>(&self, t: T, q: &[T], v: &[T], k: &mut [T]) {
        k[0] = v[0] * v[5] * q[4].sin() + v[3].powi(3) * q[1] * t;
        k[1] = v[1] * q[5] + v[2] * v[4] * q[0];
    }
    fn auxiliary<T: Scalar>(&self, at: &AuxiliaryArguments<T>, e: &mut [T]) {
        for i in 0..5 {
            e[i] = at.xdot[i] * at.x[i] + at.x[(i + 1) % 5] * at.y[i % 2] - at.vdot[i] * at.v[i];
        }
        e[5] = at.y[0] - at.vdot[5] * at.q[5] * at.y[1] + at.multipliers[0] * at.xdot[4];
        e[6] = at.y[1] - at.multipliers[4] * at.multipliers[2] * at.q[0] * at.t;
    }
    fn reaction(&self, constraint: usize) -> bool {
        constraint != 1
    }
    fn depends_on_multipliers(&self) -> bool {
        true
    }
}
