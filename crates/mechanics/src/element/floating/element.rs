//! Residual, energy and power of a body on a floating frame.

use super::Floating;
use super::integrals::axial;
use crate::element::{Blocks, Element};
use crate::node::stack;
use crate::scene::Scene;
use nalgebra::{Vector3, Vector6};
use rotula_dae::{Energy, Terms, Weights};

impl Floating {
    /// The force of the modal mass on shape `k` at some rates.
    fn modal(&self, k: usize, rates: &[f64]) -> f64 {
        // the mass is symmetric, and columns are quicker
        self.integrals.modal.column(k).iter().zip(rates).map(|(mass, rate)| mass * rate).sum()
    }
}

impl Element for Floating {
    fn nodes(&self) -> &[usize] {
        &self.nodes
    }

    fn set_gravity(&mut self, gravity: &Vector3<f64>) {
        self.gravity = *gravity;
    }

    fn residual(&mut self, scene: Scene, terms: Terms, out: &mut [Vector6<f64>]) {
        self.place(scene, terms);
        let p = &self.present;
        let (omega, [d, d_rate, d_rate_rate]) = (&p.omega, &p.first);
        let [inertia, inertia_rate] = &p.inertia;
        let force = p.omega_rate.cross(d)
            + d_rate_rate
            + omega.cross(&omega.cross(d))
            + omega.cross(d_rate) * 2.0;
        let moment = inertia * p.omega_rate
            + d.cross(&p.acceleration)
            + p.spin[1]
            + omega.cross(&(inertia * omega))
            + inertia_rate * omega
            + omega.cross(&p.spin[0]);
        out[0] += stack(&force, &moment);
        for k in 0..self.shapes() {
            let coupling = &p.coupling[0][k];
            // ½ω·J_kω
            let centrifugal =
                coupling.trace() * omega.norm_squared() - omega.dot(&(coupling * omega));
            let mut sum = self.integrals.first[k].dot(&p.acceleration)
                + p.turning[k].dot(&p.omega_rate)
                + self.modal(k, &p.q[2])
                + 2.0 * omega.dot(&axial(&p.coupling[1][k]))
                - centrifugal;
            if terms.forces {
                sum += self.stiffness[k] * p.q[0][k] + self.damping[k] * p.q[1][k];
            }
            out[1 + k / 3][k % 3] += sum;
        }
        if terms.forces {
            for load in &self.loads {
                let factor = load.factor.value(scene);
                out[0] -= load.wrench * factor;
                for (k, force) in load.shapes.iter().enumerate() {
                    out[1 + k / 3][k % 3] -= force * factor;
                }
            }
        }
    }

    fn tangent(&mut self, scene: Scene, weights: Weights, terms: Terms, out: Blocks) {
        self.add_tangent(scene, weights, terms, out);
    }

    fn energy(&mut self, scene: Scene) -> Energy {
        self.place(scene, Terms::ALL);
        let p = &self.present;
        let [d, d_rate, _] = &p.first;
        let mut kinetic = p.v.dot(&(p.omega.cross(d) + d_rate))
            + 0.5 * p.omega.dot(&(p.inertia[0] * p.omega))
            + p.omega.dot(&p.spin[0]);
        let mut potential = -p.gravity.dot(d);
        for k in 0..self.shapes() {
            let (q, rate) = (p.q[0][k], p.q[1][k]);
            kinetic += 0.5 * rate * self.modal(k, &p.q[1]);
            potential += 0.5 * self.stiffness[k] * q * q;
        }
        Energy { kinetic, potential }
    }

    fn power(&mut self, scene: Scene) -> f64 {
        let rate = |k: usize| scene.motion(1 + k / 3).velocity[k % 3];
        let dampers: f64 = (0..self.shapes()).map(|k| -self.damping[k] * rate(k).powi(2)).sum();
        let loads = self.loads.iter().map(|load| {
            let shapes: f64 =
                load.shapes.iter().enumerate().map(|(k, force)| force * rate(k)).sum();
            load.factor.value(scene) * (load.wrench.dot(&scene.motion(0).twist()) + shapes)
        });
        dampers + loads.sum::<f64>()
    }
}
