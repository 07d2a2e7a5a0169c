//! Bars and cables: elastic lines between points, which only know their length.
//!
//! With `l` the distance of its two points and `L` its length free of stress, a bar pulls with
//! `N = EA (l/L − 1) + β EA l̇/L`; a cable only pulls, and is slack where a bar would push. Rotations
//! may be as large as they like. The mass is spread along the straight line between the points, whose
//! velocities are interpolated: the consistent mass matrix of `[002 §6.3]`.

use super::point::PointOn;
use crate::element::{Blocks, Element};
use crate::error::ModelError;
use crate::marker::Marker;
use crate::scene::Scene;
use nalgebra::{Matrix3, Vector3, Vector6};
use rotula_dae::{Energy, Terms, Weights};

/// What a bar or cable is like, per length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strand {
    /// Axial stiffness `EA`.
    pub stiffness: f64,
    /// Mass per length, free of stress.
    pub mass: f64,
    /// Damping over stiffness `β`, s.
    pub damping: f64,
    /// A cable: it pulls but does not push.
    pub slack: bool,
}

impl Strand {
    /// Says what is wrong with the numbers.
    pub fn validate(&self) -> Result<(), String> {
        let finite = |x: f64| x.is_finite() && x >= 0.0;
        if !(finite(self.stiffness) && self.stiffness > 0.0) {
            return Err(format!("its stiffness EA is {}; it must be positive", self.stiffness));
        }
        if !finite(self.mass) {
            return Err(format!("its mass per length is {}; it cannot be negative", self.mass));
        }
        if !finite(self.damping) {
            return Err(format!("its damping is {}; it cannot be negative", self.damping));
        }
        Ok(())
    }
}

/// A bar between two points, or a piece of a cable.
#[derive(Clone, Debug)]
pub struct Bar {
    nodes: [usize; 2],
    points: [Vector3<f64>; 2],
    strand: Strand,
    /// Free of stress.
    length: f64,
    gravity: Vector3<f64>,
}

/// Length, direction and force of a bar.
#[derive(Clone, Copy, Debug)]
struct Pulled {
    length: f64,
    along: Vector3<f64>,
    /// Relative velocity of the ends.
    velocity: Vector3<f64>,
    /// The rate of the strain.
    rate: f64,
    force: f64,
    /// Whether it is not slack.
    taut: bool,
}

impl Bar {
    /// A bar between two markers.
    pub fn new(ends: [Marker; 2], strand: Strand, length: f64) -> Result<Self, ModelError> {
        let invalid = |what: String| Err(ModelError::invalid("bar", what));
        if let Err(what) = strand.validate() {
            return invalid(what);
        }
        if !(length.is_finite() && length > 0.0) {
            return invalid(format!("its length is {length}; it must be positive"));
        }
        if ends[0].node == ends[1].node {
            return invalid("both of its ends are on one body; name two".into());
        }
        Ok(Bar {
            nodes: ends.map(|marker| marker.node),
            points: ends.map(|marker| marker.frame.position),
            strand,
            length,
            gravity: Vector3::zeros(),
        })
    }

    /// Its length free of stress.
    pub fn length(&self) -> f64 {
        self.length
    }

    /// The force with which it pulls its ends together.
    pub fn tension(&self, scene: Scene) -> f64 {
        self.pulled(&self.ends(scene)).force
    }

    fn ends<'a>(&self, scene: Scene<'a>) -> [PointOn<'a>; 2] {
        [0, 1].map(|k| PointOn::new(scene.motion(k), self.points[k]))
    }

    fn pulled(&self, ends: &[PointOn; 2]) -> Pulled {
        let way = ends[1].position() - ends[0].position();
        let length = way.norm();
        let along = if length > 0.0 { way / length } else { Vector3::x() };
        let velocity = ends[1].velocity() - ends[0].velocity();
        let rate = along.dot(&velocity) / self.length;
        let Strand { stiffness, damping, slack, .. } = self.strand;
        let strain = length / self.length - 1.0;
        let taut = !slack || strain > 0.0;
        let force = if taut { stiffness * (strain + damping * rate) } else { 0.0 };
        Pulled { length, along, velocity, rate, force, taut }
    }

    /// `∫ N_i N_j` times the mass.
    fn mass(&self, i: usize, j: usize) -> f64 {
        self.strand.mass * self.length / if i == j { 3.0 } else { 6.0 }
    }

    /// Forces on the points that the balance takes off: strain, inertia, weight.
    fn forces(&self, ends: &[PointOn; 2], terms: Terms) -> [Vector3<f64>; 2] {
        let mut out = [Vector3::zeros(); 2];
        if terms.forces {
            let pulled = self.pulled(ends);
            let pull = pulled.along * pulled.force;
            let weight = self.gravity * (0.5 * self.strand.mass * self.length);
            out = [-pull - weight, pull - weight];
        }
        for (i, out) in out.iter_mut().enumerate() {
            for (j, end) in ends.iter().enumerate() {
                *out += end.acceleration(terms) * self.mass(i, j);
            }
        }
        out
    }

    /// Derivatives of the pull at the second point with respect to the relative place and velocity.
    fn slopes(&self, pulled: &Pulled) -> [Matrix3<f64>; 2] {
        if !pulled.taut || pulled.length == 0.0 {
            return [Matrix3::zeros(); 2];
        }
        let Strand { stiffness, damping, .. } = self.strand;
        let along = pulled.along * pulled.along.transpose();
        let across = Matrix3::identity() - along;
        let turning = across * pulled.velocity / pulled.length;
        let per_length = stiffness / self.length;
        let place = along * per_length
            + across * (pulled.force / pulled.length)
            + pulled.along * turning.transpose() * (damping * per_length);
        [place, along * (damping * per_length)]
    }

    /// The derivatives of the tension, along body variations and by velocities, by slot.
    pub(crate) fn tension_slopes(&self, scene: Scene) -> [[Vector6<f64>; 2]; 2] {
        let ends = self.ends(scene);
        let pulled = self.pulled(&ends);
        let [place, velocity] = self.slopes(&pulled).map(|m| m.tr_mul(&pulled.along));
        [0, 1].map(|k| {
            let sign = if k == 0 { -1.0 } else { 1.0 };
            let (by_place, by_velocity) = (ends[k].place_columns(), ends[k].velocity_columns());
            let along = by_place.tr_mul(&place) + by_velocity.tr_mul(&velocity);
            [along * sign, by_place.tr_mul(&velocity) * sign]
        })
    }
}

impl Element for Bar {
    fn nodes(&self) -> &[usize] {
        &self.nodes
    }

    fn set_gravity(&mut self, gravity: &Vector3<f64>) {
        self.gravity = *gravity;
    }

    fn residual(&mut self, scene: Scene, terms: Terms, out: &mut [Vector6<f64>]) {
        let ends = self.ends(scene);
        let forces = self.forces(&ends, terms);
        for k in 0..2 {
            out[k] += ends[k].wrench(&forces[k]);
        }
    }

    fn tangent(&mut self, scene: Scene, weights: Weights, terms: Terms, out: Blocks) {
        let ends = self.ends(scene);
        let forces = self.forces(&ends, terms);
        let [place, velocity] = match terms.forces {
            true => self.slopes(&self.pulled(&ends)),
            false => [Matrix3::zeros(); 2],
        };
        let mass = if terms.inertia { weights.mass } else { 0.0 };
        let damping = if terms.forces { weights.damping } else { 0.0 };
        for col in 0..2 {
            let end = &ends[col];
            let (by_place, by_velocity) = (end.place_columns(), end.velocity_columns());
            let turned = end.acceleration_columns(terms);
            let by_rate = end.acceleration_by_velocity();
            for row in 0..2 {
                let sign = if row == col { 1.0 } else { -1.0 };
                let part = self.mass(row, col);
                let along = (place * by_place + velocity * by_velocity) * sign + turned * part;
                let plain = (velocity * by_place * sign + by_rate * part) * damping
                    + by_place * (part * mass);
                let at = 2 * row + col;
                let wrench = ends[row].place_columns().transpose();
                out.by_variation[at] += wrench * along * weights.stiffness;
                out.plain[at] += wrench * plain;
                if row == col {
                    out.by_variation[at] += end.turned_wrench(&forces[row]) * weights.stiffness;
                }
            }
        }
    }

    fn energy(&mut self, scene: Scene) -> Energy {
        let ends = self.ends(scene);
        let pulled = self.pulled(&ends);
        let mut energy = Energy::default();
        if pulled.taut {
            let strain = pulled.length / self.length - 1.0;
            energy.potential = 0.5 * self.strand.stiffness * self.length * strain * strain;
        }
        for (i, a) in ends.iter().enumerate() {
            let weight = 0.5 * self.strand.mass * self.length;
            energy.potential -= weight * self.gravity.dot(&a.position());
            for (j, b) in ends.iter().enumerate() {
                energy.kinetic += 0.5 * self.mass(i, j) * a.velocity().dot(&b.velocity());
            }
        }
        energy
    }

    fn power(&mut self, scene: Scene) -> f64 {
        let pulled = self.pulled(&self.ends(scene));
        let Strand { stiffness, damping, .. } = self.strand;
        let lost = stiffness * damping * self.length * pulled.rate * pulled.rate;
        if pulled.taut { -lost } else { 0.0 }
    }
}
