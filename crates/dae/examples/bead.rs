//! A bead on a spinning hoop, with the contract written by hand: no dual numbers, no allocation.
//!
//! `m R² θ̈ = m R² Ω² sin θ cos θ − m g R sin θ − c θ̇`, θ from the lowest point. Above the critical
//! speed `Ω² = g/R` the lowest point is unstable and the bead climbs to `cos θ = g/(R Ω²)`.

use rotula_dae::{
    Coefficients, Component, Description, Formulation, Point, Settings, Sizes, State, StepControl,
    System, Terms, ToleranceControl, Weights, simulate,
};

struct Bead {
    mass: f64,
    radius: f64,
    spin: f64,
    damping: f64,
}

impl System for Bead {
    fn sizes(&self) -> Sizes {
        Sizes::vector(1)
    }

    fn dynamics(&mut self, at: &Point, terms: Terms, out: &mut [f64]) {
        let inertia = self.mass * self.radius * self.radius;
        let (sin, cos) = at.q[0].sin_cos();
        let gravity = self.mass * 9.81 * self.radius * sin;
        let centrifugal = inertia * self.spin * self.spin * sin * cos;
        out[0] = 0.0;
        if terms.inertia {
            out[0] += inertia * at.vdot[0];
        }
        if terms.forces {
            out[0] -= centrifugal - gravity - self.damping * at.v[0];
        }
    }

    fn tangent(&mut self, at: &Point, weights: Weights, terms: Terms, values: &mut [f64]) {
        let inertia = self.mass * self.radius * self.radius;
        values[0] = 0.0;
        if terms.inertia {
            values[0] += weights.mass * inertia;
        }
        if terms.forces {
            let stiffness = self.mass * 9.81 * self.radius * at.q[0].cos()
                - inertia * self.spin * self.spin * (2.0 * at.q[0]).cos();
            values[0] += weights.damping * self.damping + weights.stiffness * stiffness;
        }
    }

    rotula_dae::hand_out!(Description);
}

impl Description for Bead {
    fn name(&self, _component: Component) -> String {
        "theta".into()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut bead = Bead { mass: 0.1, radius: 0.5, spin: 6.0, damping: 0.02 };
    let mut start = State::zeros(bead.sizes());
    start.q[0] = 0.01;
    let control = ToleranceControl { tolerance: 1e-7, first: None, min: 1e-10, max: 0.5 };
    let mut settings = Settings::new(
        Formulation::Index3 { scaling: true, augmented: false },
        Coefficients::generalized_alpha(0.8)?,
        StepControl::Tolerance(control),
    );
    settings.until = 60.0;
    let outcome = simulate(&mut bead, &start, &settings, &mut ())?;
    if let Some(failure) = outcome.failure {
        return Err(failure.into());
    }
    let expected = (9.81 / (bead.radius * bead.spin * bead.spin)).acos();
    println!(
        "the bead rests at {:.6} rad; theory says {expected:.6}; {} steps",
        outcome.state.q[0], outcome.trajectory.statistics.steps
    );
    Ok(())
}
