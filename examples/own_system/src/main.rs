//! A pendulum beside a wall: equations of one's own, marched step by step, with impacts between the steps.

use rotula::dae::automatic::{Arguments, Automatic, Equations, MassMatrix, Scalar};
use rotula::prelude::*;

const GRAVITY: f64 = 9.81;
const RESTITUTION: f64 = 0.8;

/// A point of 1 kg on a rod of 1 m, in Cartesian coordinates; derivatives come from dual numbers.
struct Pendulum;

impl Equations for Pendulum {
    fn sizes(&self) -> Sizes {
        Sizes { holonomic: 1, ..Sizes::vector(2) }
    }

    fn mass<T: Scalar>(&self, _t: T, _q: &[T], m: &mut MassMatrix<T>) {
        m.set(0, 0, 1.0);
        m.set(1, 1, 1.0);
    }

    fn force<T: Scalar>(&self, _at: &Arguments<T>, f: &mut [T]) {
        f[1] -= GRAVITY;
    }

    fn holonomic<T: Scalar>(&self, _t: T, q: &[T], g: &mut [T]) {
        g[0] = q[0].hypot(q[1]) - 1.0;
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut system = Automatic::new(Pendulum);
    let start = State { q: vec![1.0, 0.0], ..State::zeros(system.sizes()) };
    let formulation = Formulation::Index3 { scaling: true, augmented: false };
    let settings = Settings::usual(formulation, [0.0, 3.0], None);
    let mut integrator = Integrator::new(&mut system, &start, &settings)?;
    while !integrator.is_done() {
        let kept = integrator.snapshot();
        integrator.step()?;
        // The wall stands at x = 0: has the point passed it within the step?
        if integrator.state().q[0] < 0.0 && integrator.state().v[0] < 0.0 {
            let (mut early, mut late) = (kept.t, integrator.state().t);
            while late - early > 1e-12 {
                let middle = 0.5 * (early + late);
                let passed = integrator.interpolate(middle).is_some_and(|state| state.q[0] < 0.0);
                *(if passed { &mut late } else { &mut early }) = middle;
            }
            integrator.restore(&kept)?;
            integrator.advance_to(early)?;
            let mut struck = integrator.state().clone();
            struck.v.iter_mut().for_each(|v| *v *= -RESTITUTION);
            integrator.restart_from(&struck)?;
            println!("struck the wall at {early:.6} s, left it with {:.6} m/s", struck.v[0]);
        }
    }
    // It fell 1 m; each of three impacts has left it a part of its energy.
    let State { q, v, .. } = integrator.state();
    let energy = 0.5 * (v[0].powi(2) + v[1].powi(2)) + GRAVITY * (q[1] + 1.0);
    assert!((energy - GRAVITY * RESTITUTION.powi(6)).abs() < 1e-4, "{energy} J");
    Ok(())
}
