//! Residual, energy and power of a beam element.

use super::chart::Chart;
use super::elastic::Bent;
use super::inertia::{self, Carried, Moving};
use super::shape::Sample;
use super::{Beam, MOST_CHARTS, MOST_NODES, MassKind};
use crate::element::{Blocks, Element};
use crate::force::Axes;
use crate::node::{Motion, stack};
use crate::scene::Scene;
use nalgebra::{Matrix6, Vector3, Vector6};
use rotula_dae::{Energy, Terms, Weights};
use rotula_lie::se3;

/// The nodes but the first, seen from the first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Charts {
    pub of: [Option<Chart>; MOST_CHARTS],
    pub x: [Vector6<f64>; MOST_CHARTS],
    pub rate: [Vector6<f64>; MOST_CHARTS],
    pub rate_rate: [Vector6<f64>; MOST_CHARTS],
}

impl Beam {
    /// Motions of the sections at the nodes. Without the terms of inertia accelerations are zero,
    /// without those of forces velocities are.
    pub(super) fn motions(&self, scene: Scene, terms: Terms) -> [Motion; MOST_NODES] {
        let mut motions = [*scene.motion(0); MOST_NODES];
        for slot in 0..self.count {
            let mut motion = self.ends[slot].motion(scene.motion(slot));
            if !terms.inertia {
                (motion.velocity_rate, motion.omega_rate) = Default::default();
            }
            if !terms.forces {
                (motion.velocity, motion.omega) = Default::default();
            }
            motions[slot] = motion;
        }
        motions
    }

    pub(super) fn charts(&self, motions: &[Motion; MOST_NODES]) -> Charts {
        let zero = [Vector6::zeros(); MOST_CHARTS];
        let mut charts = Charts { of: [None; MOST_CHARTS], x: zero, rate: zero, rate_rate: zero };
        for k in 1..self.count {
            let chart = Chart::new(&motions[0], &motions[k]);
            (charts.x[k - 1], charts.rate[k - 1]) = (chart.x, chart.rate);
            charts.rate_rate[k - 1] = chart.rate_rate;
            charts.of[k - 1] = Some(chart);
        }
        charts
    }

    pub(super) fn bent(&self, charts: &Charts, sample: &Sample) -> Bent {
        Bent {
            x: sample.interpolate(&charts.x),
            slope: sample.differentiate(&charts.x),
            rate: sample.interpolate(&charts.rate),
            slope_rate: sample.differentiate(&charts.rate),
        }
    }

    /// The motion of a section at a point, with gravity as an acceleration.
    pub(super) fn moving(
        &self,
        reference: &Motion,
        charts: &Charts,
        sample: &Sample,
        gravity: &Vector3<f64>,
    ) -> Moving {
        Moving {
            x: sample.interpolate(&charts.x),
            rate: sample.interpolate(&charts.rate),
            rate_rate: sample.interpolate(&charts.rate_rate),
            v: reference.twist(),
            a: stack(&(reference.velocity_rate - gravity), &reference.omega_rate),
        }
    }

    /// What sections carry: gravity and loads, dead ones in the axes of a motion.
    pub(super) fn carried(&self, motion: &Motion, scene: Scene, terms: Terms) -> Carried<'_> {
        let zero = Vector6::zeros();
        let mut carried = Carried {
            mass: &self.section.mass,
            gravity: Vector3::zeros(),
            dead: zero,
            follower: zero,
        };
        if terms.forces {
            carried.gravity = motion.into_body(&self.gravity);
            for load in &self.loads {
                let amount = load.per_length * load.factor.value(scene);
                match load.axes {
                    Axes::World => carried.dead += inertia::turned_back(&motion.rotation, &amount),
                    Axes::Marker => carried.follower += amount,
                }
            }
        }
        carried
    }

    /// Adds wrenches of the sections to their nodes.
    fn hand_over(&self, wrenches: &[Vector6<f64>; MOST_NODES], out: &mut [Vector6<f64>]) {
        for slot in 0..self.count {
            out[slot] += match self.ends[slot].adjoint() {
                Some(adjoint) => adjoint.tr_mul(&wrenches[slot]),
                None => wrenches[slot],
            };
        }
    }

    /// Strain forces conjugate to the charts.
    pub(super) fn strain_forces(&self, charts: &Charts) -> [Vector6<f64>; MOST_CHARTS] {
        let mut forces = [Vector6::zeros(); MOST_CHARTS];
        if self.count == 2 {
            // the strain of the helix is constant, and T(ξd) d = d
            forces[0] = self.helix(charts).1;
            return forces;
        }
        for sample in &self.elastic {
            let bent = self.bent(charts, sample);
            let strained = bent.strained(sample, &self.section);
            let [by_x, by_slope] = bent.conjugate(&strained.force);
            for k in 0..self.count - 1 {
                let (shape, slope) = (sample.shape[k], sample.slope[k]);
                forces[k] += (by_x * shape + by_slope * slope) * sample.weight;
            }
        }
        forces
    }

    /// Strain and section force of the element with two nodes.
    fn helix(&self, charts: &Charts) -> (Vector6<f64>, Vector6<f64>) {
        let strain = charts.x[0] / self.length - self.elastic[0].strain;
        let rate = charts.rate[0] / self.length;
        (strain, self.section.stiffness * strain + self.section.damping * rate)
    }

    /// Adds the forces of inertia and loads: those on the charts, and the wrench on the first node.
    fn add_carried(
        &self,
        motions: &[Motion; MOST_NODES],
        charts: &Charts,
        carried: &Carried,
        forces: &mut [Vector6<f64>; MOST_CHARTS],
    ) -> Vector6<f64> {
        let mut reference = Vector6::zeros();
        for sample in &self.inertial {
            let moving = self.moving(&motions[0], charts, sample, &carried.gravity);
            let felt = moving.felt(carried);
            reference += felt.reference * sample.weight;
            for k in 0..self.count - 1 {
                forces[k] += felt.shape * (sample.weight * sample.shape[k]);
            }
        }
        reference
    }

    /// The wrench of mass and loads that are put into a node.
    pub(super) fn lump(&self, slot: usize, motion: &Motion, carried: &Carried) -> Vector6<f64> {
        let a = stack(&(motion.velocity_rate - carried.gravity), &motion.omega_rate);
        let felt = inertia::wrench(carried.mass, &motion.twist(), &a);
        (felt - carried.dead - carried.follower) * self.shares[slot]
    }
}

impl Element for Beam {
    fn nodes(&self) -> &[usize] {
        &self.nodes[..self.count]
    }

    fn set_gravity(&mut self, gravity: &Vector3<f64>) {
        self.gravity = *gravity;
    }

    fn residual(&mut self, scene: Scene, terms: Terms, out: &mut [Vector6<f64>]) {
        let motions = self.motions(scene, terms);
        let charts = self.charts(&motions);
        let mut wrenches = [Vector6::zeros(); MOST_NODES];
        let mut forces = [Vector6::zeros(); MOST_CHARTS];
        if terms.forces {
            forces = self.strain_forces(&charts);
        }
        match self.mass_kind {
            MassKind::Consistent => {
                let carried = self.carried(&motions[0], scene, terms);
                wrenches[0] = self.add_carried(&motions, &charts, &carried, &mut forces);
            }
            MassKind::Lumped => {
                for slot in 0..self.count {
                    let carried = self.carried(&motions[slot], scene, terms);
                    wrenches[slot] = self.lump(slot, &motions[slot], &carried);
                }
            }
        }
        let (first, others) = wrenches.split_at_mut(1);
        for (k, chart) in charts.of.iter().flatten().enumerate() {
            chart.push(&forces[k], &mut first[0], &mut others[k]);
        }
        self.hand_over(&wrenches, out);
    }

    fn tangent(&mut self, scene: Scene, weights: Weights, terms: Terms, out: Blocks) {
        self.add_tangent(scene, weights, terms, out);
    }

    fn energy(&mut self, scene: Scene) -> Energy {
        let motions = self.motions(scene, Terms::ALL);
        let charts = self.charts(&motions);
        let mut energy = Energy::default();
        for sample in &self.elastic {
            let strain = match self.count {
                2 => self.helix(&charts).0,
                _ => self.bent(&charts, sample).strained(sample, &self.section).strain,
            };
            let force = self.section.stiffness * strain;
            energy.potential += 0.5 * sample.weight * strain.dot(&force);
        }
        let mut add = |length: f64, motion: &Motion, twist: &Vector6<f64>| {
            let mass = &self.section.mass;
            energy.kinetic += 0.5 * length * twist.dot(&(mass * twist));
            let moment = self.section.first_moment();
            let weight = motion.position * mass[(0, 0)] + motion.rotation * moment;
            energy.potential -= length * self.gravity.dot(&weight);
        };
        match self.mass_kind {
            MassKind::Consistent => {
                for sample in &self.inertial {
                    let moving = self.moving(&motions[0], &charts, sample, &Vector3::zeros());
                    let frame = se3::exp(&moving.x);
                    let mut section = motions[0];
                    section.position += motions[0].rotation * frame.position;
                    section.rotation *= frame.orientation.to_matrix();
                    add(sample.weight, &section, &moving.velocity());
                }
            }
            MassKind::Lumped => {
                for slot in 0..self.count {
                    add(self.shares[slot], &motions[slot], &motions[slot].twist());
                }
            }
        }
        energy
    }

    fn power(&mut self, scene: Scene) -> f64 {
        if !self.works() {
            return 0.0;
        }
        let motions = self.motions(scene, Terms::ALL);
        let charts = self.charts(&motions);
        let mut power = 0.0;
        for sample in &self.elastic {
            let rate = self.bent(&charts, sample).strained(sample, &self.section).rate;
            power -= sample.weight * rate.dot(&(self.section.damping * rate));
        }
        if self.loads.is_empty() {
            return power;
        }
        let mut add = |length: f64, load: Vector6<f64>, twist: &Vector6<f64>| {
            power += length * load.dot(twist);
        };
        match self.mass_kind {
            MassKind::Consistent => {
                let carried = self.carried(&motions[0], scene, Terms::ALL);
                for sample in &self.inertial {
                    let moving = self.moving(&motions[0], &charts, sample, &Vector3::zeros());
                    let rotation = se3::exp(&moving.x).orientation.to_matrix();
                    let dead = inertia::turned_back(&rotation, &carried.dead);
                    add(sample.weight, dead + carried.follower, &moving.velocity());
                }
            }
            MassKind::Lumped => {
                for slot in 0..self.count {
                    let carried = self.carried(&motions[slot], scene, Terms::ALL);
                    let load = carried.dead + carried.follower;
                    add(self.shares[slot], load, &motions[slot].twist());
                }
            }
        }
        power
    }

    fn works(&self) -> bool {
        !self.loads.is_empty() || self.section.damping != Matrix6::zeros()
    }
}
