//! The test problem (15), with its mass matrix that is not symmetric.

use rotula_dae::Sizes;
use rotula_dae::automatic::{Arguments, Equations, MassMatrix, Scalar};

/// Equation (15) as printed; its multipliers act through the forces.
pub(crate) struct TestProblem;

impl Equations for TestProblem {
    fn sizes(&self) -> Sizes {
        Sizes { holonomic: 1, nonholonomic: 1, ..Sizes::vector(2) }
    }

    fn mass<T: Scalar>(&self, t: T, y: &[T], m: &mut MassMatrix<T>) {
        m.set_entry(0, 0, y[0]);
        m.set_entry(0, 1, y[1] - (-(t + t)).exp());
        m.set_entry(1, 0, (y[0] - t.exp()).sin());
        m.set_entry(1, 1, y[0] * y[1]);
    }

    fn force<T: Scalar>(&self, at: &Arguments<T>, f: &mut [T]) {
        let ([y1, y2], [z1, z2]) = ([at.q[0], at.q[1]], [at.v[0], at.v[1]]);
        let (lambda, psi) = (at.multipliers[0], at.multipliers[1]);
        let e = at.t.exp();
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

    fn depends_on_multipliers(&self) -> bool {
        true
    }
}
