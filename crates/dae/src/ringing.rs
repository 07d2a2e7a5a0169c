//! How the recursion of a generalized-α method answers one small error of an acceleration where the constraints
//! prescribe positions or velocities: with an oscillation from step to step that is many times larger than the
//! error, and dies out only as fast as the spectral radius lets it.

use crate::coefficients::Coefficients;

/// What the constraints prescribe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Prescribed {
    Positions,
    Velocities,
}

/// Steps after which an oscillation of any sensible spectral radius has died out.
const LONG: usize = 2000;

/// One whose square is so small beside the sum has died out.
const DIED_OUT: f64 = 1e-18;

/// The root of the sum of squares of the answers in all steps: what errors of all steps add up to if they do not
/// depend on each other.
pub(crate) fn ringing(coefficients: Coefficients, prescribed: Prescribed) -> f64 {
    let c = coefficients.step(1.0);
    // The step with the error of 1: it moves everything.
    let (mut q, mut v, mut vdot, mut a) = (c.c8, c.c7, 1.0, c.c9);
    let mut sum: f64 = 1.0;
    for _ in 0..LONG {
        let (q_hat, v_hat) = (q + v + c.c1 * vdot + c.c2 * a, v + c.c3 * vdot + c.c4 * a);
        let next = match prescribed {
            Prescribed::Positions => -q_hat / c.c8,
            Prescribed::Velocities => -v_hat / c.c7,
        };
        (q, v) = (q_hat + c.c8 * next, v_hat + c.c7 * next);
        a = c.c5 * vdot + c.c6 * a + c.c9 * next;
        vdot = next;
        sum += vdot * vdot;
        if v * v + a * a + vdot * vdot < DIED_OUT * sum {
            break;
        }
    }
    sum.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn less_damping_rings_longer() {
        let of =
            |rho| ringing(Coefficients::generalized_alpha(rho).unwrap(), Prescribed::Positions);
        // Without memory the answer is 1, −5/2, 2, −1/2 and then nothing.
        for (rho, expected) in [(0.0, 11.5f64.sqrt()), (0.5, 8.0 * 2f64.sqrt()), (0.9, 155.98262)] {
            assert!((of(rho) / expected - 1.0).abs() < 1e-6, "{rho}: {}", of(rho));
        }
    }
}
