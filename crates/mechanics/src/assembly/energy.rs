//! Energies and powers, for the audit of a run.

use super::Assembly;
use crate::constraint::Constraint;
use crate::scene::{Scene, World};
use nalgebra::Vector6;
use rotula_dae::{Energy, Point};

impl Assembly {
    /// Kinetic and potential energy.
    pub(super) fn energies(&mut self, at: &Point) -> Energy {
        self.place(at);
        let mut energy = Energy::default();
        for body in &self.bodies {
            let motion = &self.moment.motions[body.node];
            energy.kinetic += 0.5 * body.mass * motion.velocity.norm_squared()
                + 0.5 * motion.omega.dot(&(body.moments * motion.omega));
            energy.potential -= body.weight.dot(&motion.position);
        }
        let angles = self.angles(at.q);
        let world = self.moment.world(at, angles);
        for push in &mut self.pushes {
            energy.potential += push.force.energy(Scene { world: &world, nodes: &push.nodes });
        }
        for part in &mut self.parts {
            let own = part.element.energy(Scene { world: &world, nodes: &part.nodes });
            energy.kinetic += own.kinetic;
            energy.potential += own.potential;
        }
        energy
    }

    /// Whether there are neither drives nor forces without potential.
    pub(super) fn nothing_works(&self) -> bool {
        self.pushes.is_empty()
            && !self.parts.iter().any(|part| part.works)
            && !self.groups.iter().any(|group| group.works)
    }

    /// Power of drives and of forces without potential.
    pub(super) fn powers(&mut self, at: &Point) -> f64 {
        if self.nothing_works() {
            return 0.0;
        }
        self.place(at);
        let angles = self.angles(at.q);
        let world = self.moment.world(at, angles);
        let mut sum = 0.0;
        for push in &mut self.pushes {
            sum += push.force.power(Scene { world: &world, nodes: &push.nodes });
        }
        for part in self.parts.iter_mut().filter(|part| part.works) {
            sum += part.element.power(Scene { world: &world, nodes: &part.nodes });
        }
        for group in self.groups.iter().filter(|group| group.works) {
            let multipliers = group.multipliers(at.multipliers);
            sum += reaction_power(group.constraint.as_ref(), &world, multipliers);
        }
        sum
    }
}

/// Power of a reaction: `vᵀGᵀλ`, which is not zero when a constraint moves with time.
fn reaction_power(constraint: &dyn Constraint, world: &World, multipliers: &[f64]) -> f64 {
    let scene = Scene { world, nodes: constraint.nodes() };
    let mut wrenches = [Vector6::zeros(); crate::measure::MAX_NODES];
    constraint.reaction(scene, multipliers, &mut wrenches);
    (0..scene.nodes.len()).map(|slot| wrenches[slot].dot(&scene.motion(slot).twist())).sum()
}
