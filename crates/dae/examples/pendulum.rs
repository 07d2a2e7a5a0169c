//! A pendulum in Cartesian coordinates, written as formulas: four formulations, one system.
//!
//! Derivatives come from dual numbers, so that mass, force and constraint are all there is to write.
//! The table shows at which level each formulation meets the constraint, and what becomes of the
//! energy.

use rotula_dae::automatic::{Arguments, Automatic, Equations, MassMatrix, Scalar};
use rotula_dae::{
    Coefficients, Formulation, GglVariant, Settings, Sizes, State, StepControl, System, simulate,
};

struct Pendulum {
    mass: f64,
    length: f64,
    gravity: f64,
}

impl Equations for Pendulum {
    fn sizes(&self) -> Sizes {
        Sizes { holonomic: 1, ..Sizes::vector(2) }
    }

    fn mass<T: Scalar>(&self, _t: T, _q: &[T], m: &mut MassMatrix<T>) {
        m.set(0, 0, self.mass);
        m.set(1, 1, self.mass);
    }

    fn force<T: Scalar>(&self, _at: &Arguments<T>, f: &mut [T]) {
        f[1] -= self.mass * self.gravity;
    }

    fn holonomic<T: Scalar>(&self, _t: T, q: &[T], g: &mut [T]) {
        g[0] = q[0].hypot(q[1]) - self.length;
    }

    fn potential<T: Scalar>(&self, _t: T, q: &[T]) -> Option<T> {
        Some(q[1] * (self.mass * self.gravity))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut system = Automatic::new(Pendulum { mass: 1.0, length: 1.0, gravity: 9.81 });
    let mut start = State::zeros(system.sizes());
    start.q = vec![1.0, 0.0];

    println!("{:8} {:>10} {:>10} {:>10} {:>12}", "", "|g|", "|g'|", "|g''|", "energy loss");
    for (name, formulation) in [
        ("index3", Formulation::Index3 { scaling: true, augmented: false }),
        ("index2", Formulation::Index2),
        ("ggl", Formulation::Ggl { variant: GglVariant::MassWeighted }),
        ("pva", Formulation::Pva),
    ] {
        let coefficients = Coefficients::generalized_alpha(0.9)?;
        let mut settings = Settings::new(formulation, coefficients, StepControl::Fixed { h: 0.01 });
        settings.until = 10.0;
        let outcome = simulate(&mut system, &start, &settings, &mut ())?;
        if let Some(failure) = outcome.failure {
            return Err(failure.into());
        }
        let audit = outcome.trajectory.audit;
        println!(
            "{name:8} {:10.1e} {:10.1e} {:10.1e} {:12.3e}",
            audit.position_residual,
            audit.velocity_residual,
            audit.acceleration_residual,
            audit.energy_defect.unwrap_or(f64::NAN)
        );
    }
    Ok(())
}
