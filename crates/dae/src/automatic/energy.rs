//! Mechanical energy and its rate.

use super::equations::Equations;
use super::system::Automatic;
use super::workspace::moving;
use crate::system::{Energy, Point, Terms};

impl<E: Equations> Automatic<E> {
    /// `½ vᵀM v` and the potential, if the equations have one.
    pub(super) fn mechanical_energy(&mut self, at: &Point) -> Option<Energy> {
        let potential = self.equations.potential(at.t, at.q)?;
        self.plain.load(at);
        let mass = self.plain.mass(&self.equations);
        let mut kinetic = 0.0;
        for (j, vj) in at.v.iter().enumerate() {
            for (m, vi) in mass.column(j).iter().zip(at.v) {
                kinetic += 0.5 * vi * m * vj;
            }
        }
        Some(Energy { kinetic, potential })
    }

    /// The rate of the energy of a motion that satisfies the equations:
    /// `v·(f + Gᵀλ + Kᵀψ) + ½ vᵀṀ v + V̇`.
    pub(super) fn energy_rate(&mut self, at: &Point) -> Option<f64> {
        let work = &mut self.rate;
        work.t = moving(at.t, 1.0);
        for (i, q) in work.q.iter_mut().enumerate() {
            *q = moving(at.q[i], at.v[i]);
        }
        let mut power = self.equations.potential(work.t, &work.q)?.dual[0];
        let mass = work.mass(&self.equations);
        for (j, vj) in at.v.iter().enumerate() {
            for (m, vi) in mass.column(j).iter().zip(at.v) {
                power += 0.5 * vi * m.dual[0] * vj;
            }
        }
        let mut force = std::mem::take(&mut self.minus_force);
        self.motion_residual(at, Terms::WITHOUT_INERTIA, &mut force);
        for (minus_f, v) in force.iter().zip(at.v) {
            power -= minus_f * v;
        }
        self.minus_force = force;
        Some(power)
    }
}
