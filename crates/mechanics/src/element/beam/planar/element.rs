//! Residual, energy and power of a planar beam element.

use super::state::{Places, Turn};
use super::{PlanarBeam, Station, embed};
use crate::element::beam::MOST_NODES;
use crate::element::{Blocks, Element};
use crate::force::Axes;
use crate::scene::Scene;
use nalgebra::{Matrix3, Vector2, Vector3, Vector6};
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

    /// Forces of strain on the nodes, in the axes of the plane.
    pub(super) fn strain_forces(&self, places: &Places) -> [Vector3<f64>; MOST_NODES] {
        let mut out = [Vector3::zeros(); MOST_NODES];
        for station in &self.elastic {
            let bent = places.at(station);
            let mut stress = self.stiffness * bent.strain;
            if self.damped {
                stress += self.damping * bent.rate;
            }
            stress *= station.weight;
            let force = bent.turn.of(&stress.xy());
            let arm = bent.slope.perp(&stress.xy());
            for k in 0..self.count() {
                let (n, m) = (station.shape[k], station.slope[k]);
                out[k] += Vector3::new(m * force.x, m * force.y, m * stress.z - n * arm);
            }
        }
        out
    }

    /// Takes loads from the forces on the nodes.
    pub(super) fn add_loads(&self, scene: Scene, places: &Places, out: &mut [Vector3<f64>]) {
        let weight = self.gravity * self.mass[0];
        let load = if self.loads().is_empty() { Load::default() } else { self.load(scene) };
        let steady = load.dead + Vector3::new(weight.x, weight.y, 0.0);
        for (k, out) in out.iter_mut().enumerate().take(self.count()) {
            *out -= steady * self.share(k);
        }
        if load.follower == Vector3::zeros() {
            return;
        }
        for station in &self.inertial {
            let force = places.at(station).turn.of(&load.follower.xy());
            let follower = Vector3::new(force.x, force.y, load.follower.z) * station.weight;
            for (k, out) in out.iter_mut().enumerate().take(self.count()) {
                *out -= follower * station.shape[k];
            }
        }
    }

    /// `∫ N_k`.
    fn share(&self, k: usize) -> f64 {
        self.spatial.shares[k]
    }

    /// Adds the forces of inertia of accelerations in the axes of the plane.
    pub(super) fn add_inertia(
        &self,
        accelerations: &[Vector3<f64>; MOST_NODES],
        out: &mut [Vector3<f64>],
    ) {
        let [mass, inertia] = self.mass;
        for (i, out) in out.iter_mut().enumerate().take(self.count()) {
            for (j, a) in accelerations.iter().enumerate().take(self.count()) {
                let part = self.overlap[i][j];
                *out += Vector3::new(mass * a.x, mass * a.y, inertia * a.z) * part;
            }
        }
    }

    /// Forces on the nodes in the axes of the plane.
    pub(super) fn forces(
        &self,
        scene: Scene,
        terms: Terms,
        places: &Places,
    ) -> [Vector3<f64>; MOST_NODES] {
        let mut out = [Vector3::zeros(); MOST_NODES];
        if terms.forces {
            out = self.strain_forces(places);
            self.add_loads(scene, places, &mut out);
        }
        self.add_inertia(&places.acceleration, &mut out);
        out
    }

    /// A station that carries mass: the node itself, or a point between nodes.
    fn masses(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        let count = self.count();
        (0..count).flat_map(move |i| (0..count).map(move |j| (i, j, self.overlap[i][j])))
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
        self.gravity = self.flat(gravity);
    }

    fn residual(&mut self, scene: Scene, terms: Terms, out: &mut [Vector6<f64>]) {
        let places = self.places(scene, terms);
        let forces = self.forces(scene, terms, &places);
        for slot in 0..self.count() {
            let wrench = wrench(places.turn[slot], &forces[slot]);
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
        let mut energy = Energy::default();
        for station in &self.elastic {
            let strain = places.at(station).strain;
            energy.potential += 0.5 * station.weight * strain.dot(&(self.stiffness * strain));
        }
        let [mass, inertia] = self.mass;
        for (i, j, part) in self.masses() {
            let turning = places.omega[i] * places.omega[j];
            let moving = places.velocity[i].dot(&places.velocity[j]);
            energy.kinetic += 0.5 * part * (mass * moving + inertia * turning);
        }
        for k in 0..self.count() {
            let position = self.ends()[k].motion(scene.motion(k)).position;
            energy.potential -= mass * self.share(k) * self.spatial.gravity.dot(&position);
        }
        energy
    }

    fn power(&mut self, scene: Scene) -> f64 {
        if self.loads().is_empty() && self.damping == Matrix3::zeros() {
            return 0.0;
        }
        let places = self.places(scene, Terms::ALL);
        let mut power = 0.0;
        for station in &self.elastic {
            let rate = places.at(station).rate;
            power -= station.weight * rate.dot(&(self.damping * rate));
        }
        let load = self.load(scene);
        let along = |station: &Station| {
            let bent = places.at(station);
            let force = bent.turn.of(&load.follower.xy()) + load.dead.xy();
            let moment = load.follower.z + load.dead.z;
            let velocity: Vector2<f64> =
                (0..self.count()).map(|k| places.velocity[k] * station.shape[k]).sum();
            station.weight * (force.dot(&velocity) + moment * bent.omega)
        };
        power + self.inertial.iter().map(along).sum::<f64>()
    }
}
