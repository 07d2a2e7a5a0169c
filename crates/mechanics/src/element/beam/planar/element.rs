//! Residual, energy and power of a planar beam element.

use super::{Knot, PlanarBeam, Station, Turn, embed};
use crate::element::beam::MOST_NODES;
use crate::element::{Blocks, Element};
use crate::force::Axes;
use crate::scene::Scene;
use nalgebra::{Vector2, Vector3, Vector6};
use rotula_dae::{Energy, Terms, Weights};

/// Force in the axes of the plane and moment, per length.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Load {
    /// Keeps its direction.
    pub dead: Vector3<f64>,
    /// Follows the sections.
    pub follower: Vector3<f64>,
}

impl PlanarBeam {
    pub(super) fn load(&self, scene: Scene) -> Load {
        let mut sum = Load::default();
        for load in self.loads() {
            let amount = load.per_length * load.factor.value(scene);
            let force: Vector3<f64> = amount.fixed_rows::<3>(0).into();
            let moment: Vector3<f64> = amount.fixed_rows::<3>(3).into();
            match load.axes {
                Axes::World => {
                    let flat = self.flat(&force);
                    let about = self.axes.column(2).dot(&moment);
                    sum.dead += Vector3::new(flat.x, flat.y, about);
                }
                Axes::Marker => sum.follower += Vector3::new(force.x, force.y, moment.z),
            }
        }
        sum
    }

    /// Takes weight and loads from the forces on the nodes.
    fn take_loads(&self, scene: Scene, knots: &[Knot], out: &mut [Vector3<f64>]) {
        self.rule.take_weight(out);
        if self.loads().is_empty() {
            return;
        }
        let load = self.load(scene);
        for (out, share) in out.iter_mut().zip(&self.rule.shares) {
            *out -= load.dead * *share;
        }
        if load.follower == Vector3::zeros() {
            return;
        }
        for station in &self.inertial {
            let force = station.bend(knots).turn.of(&load.follower.xy());
            let follower = Vector3::new(force.x, force.y, load.follower.z) * station.weight;
            for (k, out) in out.iter_mut().enumerate() {
                *out -= follower * station.shape[k];
            }
        }
    }

    /// Forces on the nodes in the axes of the plane.
    pub(super) fn forces(
        &self,
        scene: Scene,
        terms: Terms,
        knots: &[Knot],
    ) -> [Vector3<f64>; MOST_NODES] {
        let mut all = [Vector3::zeros(); MOST_NODES];
        let out = &mut all[..knots.len()];
        if terms.forces {
            self.rule.add_strain(knots, out);
            self.take_loads(scene, knots, out);
        }
        self.rule.add_inertia(knots, out);
        all
    }

    /// A station that carries mass: the node itself, or a point between nodes.
    fn masses(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        let count = self.count();
        (0..count).flat_map(move |i| (0..count).map(move |j| (i, j, self.rule.overlap[i][j])))
    }
}

/// A force in the axes of the plane as a wrench in those of a section.
fn wrench(turn: Turn, force: &Vector3<f64>) -> Vector6<f64> {
    let back = turn.back(&force.xy());
    embed(&Vector3::new(back.x, back.y, force.z))
}

impl Element for PlanarBeam {
    fn nodes(&self) -> &[usize] {
        self.spatial.nodes()
    }

    fn set_gravity(&mut self, gravity: &Vector3<f64>) {
        self.spatial.set_gravity(gravity);
        self.rule.gravity = self.flat(gravity);
    }

    fn residual(&mut self, scene: Scene, terms: Terms, out: &mut [Vector6<f64>]) {
        let places = self.places(scene, terms);
        let knots = places.knots();
        let forces = self.forces(scene, terms, knots);
        for slot in 0..self.count() {
            let wrench = wrench(knots[slot].turn, &forces[slot]);
            out[slot] += match self.ends()[slot].adjoint() {
                Some(adjoint) => adjoint.tr_mul(&wrench),
                None => wrench,
            };
        }
    }

    fn tangent(&mut self, scene: Scene, weights: Weights, terms: Terms, out: Blocks) {
        self.add_tangent(scene, weights, terms, out);
    }

    fn energy(&mut self, scene: Scene) -> Energy {
        let places = self.places(scene, Terms::ALL);
        let knots = places.knots();
        let mut energy = Energy::default();
        for station in self.rule.stations() {
            let strain = station.bend(knots).strain;
            energy.potential += 0.5 * station.weight * strain.dot(&(self.rule.stiffness * strain));
        }
        let [mass, inertia] = self.rule.mass;
        for (i, j, part) in self.masses() {
            let turning = knots[i].omega * knots[j].omega;
            let moving = knots[i].velocity.dot(&knots[j].velocity);
            energy.kinetic += 0.5 * part * (mass * moving + inertia * turning);
        }
        for k in 0..self.count() {
            let position = self.ends()[k].motion(scene.motion(k)).position;
            energy.potential -= mass * self.rule.shares[k] * self.spatial.gravity.dot(&position);
        }
        energy
    }

    fn power(&mut self, scene: Scene) -> f64 {
        if !self.works() {
            return 0.0;
        }
        let places = self.places(scene, Terms::ALL);
        let knots = places.knots();
        let mut power = 0.0;
        for station in self.rule.stations() {
            let rate = station.rates(knots, &station.bend(knots)).strain;
            power -= station.weight * rate.dot(&(self.rule.damping * rate));
        }
        let load = self.load(scene);
        let along = |station: &Station| {
            let bent = station.bend(knots);
            let force = bent.turn.of(&load.follower.xy()) + load.dead.xy();
            let moment = load.follower.z + load.dead.z;
            let velocity: Vector2<f64> =
                knots.iter().zip(&station.shape).map(|(knot, n)| knot.velocity * *n).sum();
            let omega = station.rates(knots, &bent).omega;
            station.weight * (force.dot(&velocity) + moment * omega)
        };
        power + self.inertial.iter().map(along).sum::<f64>()
    }

    fn works(&self) -> bool {
        self.rule.damped || !self.loads().is_empty()
    }

    fn as_planar(&self) -> Option<&PlanarBeam> {
        Some(self)
    }
}
