//! Bars and cables: elastic lines between points, which only know their length.
//!
//! With `l` the distance of its two points and `L` its length free of stress, a bar pulls with
//! `N = EA (l/L − 1) + β EA l̇/L`; a cable only pulls, and is slack where a bar would push. Its stiffness and
//! its damping come and go over a strain of [`TAUTENING`], so that the force is smooth as it grows taut, and a
//! damper that would push is off. Rotations may be as large as they like. The mass is spread along the straight line between the points, whose
//! velocities are interpolated: the consistent mass matrix of `[Brüls et al. 2018, sheet §6.3]`.

use super::point::PointOn;
use crate::element::{Blocks, Element};
use crate::error::{ModelError, Refusal, refusal};
use crate::marker::Marker;
use crate::scene::Scene;
use nalgebra::{Matrix3, Vector3, Vector6};
use rotula_dae::{Energy, Terms, Weights};

/// The strain over which a cable grows taut: half of it on each side of its length free of stress. Beyond, the
/// force is that of a bar.
pub const TAUTENING: f64 = 1e-4;

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
    pub fn validate(&self) -> Result<(), Refusal> {
        let finite = |x: f64| x.is_finite() && x >= 0.0;
        if !(finite(self.stiffness) && self.stiffness > 0.0) {
            return Err(refusal!("its stiffness EA is {}", self.stiffness; "it must be positive"));
        }
        if !finite(self.mass) {
            return Err(refusal!("its mass per length is {}", self.mass; "it cannot be negative"));
        }
        if !finite(self.damping) {
            return Err(refusal!("its damping is {}", self.damping; "it cannot be negative"));
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
    /// Force without the damper, and with it.
    elastic: f64,
    force: f64,
    /// How taut it is, from zero to one: the part of the stiffness that is there.
    taut: f64,
    /// The change of the force with the strain and with its rate.
    slopes: [f64; 2],
}

impl Bar {
    /// A bar between two markers.
    pub fn new(ends: [Marker; 2], strand: Strand, length: f64) -> Result<Self, ModelError> {
        let invalid = |what: Refusal| Err(ModelError::invalid("bar", what));
        if let Err(what) = strand.validate() {
            return invalid(what);
        }
        if !(length.is_finite() && length > 0.0) {
            return invalid(refusal!("its length is {length}"; "it must be positive"));
        }
        if ends[0].node == ends[1].node {
            return invalid(refusal!("both of its ends are on one body"; "name two"));
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

    /// Its present length and the rate of that.
    pub(crate) fn length_and_rate(&self, scene: Scene) -> [f64; 2] {
        let pulled = self.pulled(&self.ends(scene));
        [pulled.length, pulled.rate * self.length]
    }

    /// The derivatives of the length and of its rate along body variations, by slot. That of the rate by velocities is
    /// that of the length.
    pub(crate) fn length_slopes(&self, scene: Scene) -> [[Vector6<f64>; 2]; 2] {
        let ends = self.ends(scene);
        let Pulled { length, along, velocity, .. } = self.pulled(&ends);
        let turning = match length > 0.0 {
            true => (velocity - along * along.dot(&velocity)) / length,
            false => Vector3::zeros(),
        };
        [0, 1].map(|k| {
            let sign = if k == 0 { -1.0 } else { 1.0 };
            let (by_place, by_velocity) = (ends[k].place_columns(), ends[k].velocity_columns());
            let rate = by_place.tr_mul(&turning) + by_velocity.tr_mul(&along);
            [by_place.tr_mul(&along) * sign, rate * sign]
        })
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
        let [_, pull, taut, tautening] = self.law(strain);
        let elastic = stiffness * pull;
        let force = elastic + stiffness * damping * taut * rate;
        let pushes = slack && force <= 0.0;
        let slopes = match pushes {
            true => [0.0; 2],
            false => [taut + tautening * damping * rate, taut * damping].map(|s| s * stiffness),
        };
        let force = if pushes { 0.0 } else { force };
        Pulled { length, along, velocity, rate, elastic, force, taut, slopes }
    }

    /// Energy and force over the stiffness at a strain, and two derivatives of the force.
    fn law(&self, strain: f64) -> [f64; 4] {
        let above = strain + 0.5 * TAUTENING;
        match above {
            _ if !self.strand.slack => [0.5 * strain * strain, strain, 1.0, 0.0],
            _ if above <= 0.0 => [0.0; 4],
            _ if above < TAUTENING => {
                let part = above / TAUTENING;
                [above * above * part / 6.0, 0.5 * above * part, part, 1.0 / TAUTENING]
            }
            _ => [0.5 * strain * strain + TAUTENING * TAUTENING / 24.0, strain, 1.0, 0.0],
        }
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
        if pulled.taut == 0.0 || pulled.length == 0.0 {
            return [Matrix3::zeros(); 2];
        }
        let along = pulled.along * pulled.along.transpose();
        let across = Matrix3::identity() - along;
        let turning = across * pulled.velocity / pulled.length;
        let [by_strain, by_rate] = pulled.slopes.map(|slope| slope / self.length);
        let place = along * by_strain
            + across * (pulled.force / pulled.length)
            + pulled.along * turning.transpose() * by_rate;
        [place, along * by_rate]
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
        let [stored, ..] = self.law(pulled.length / self.length - 1.0);
        energy.potential = self.strand.stiffness * self.length * stored;
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
        // what the damper adds to the elastic force; where it would push, it takes that force away
        (pulled.elastic - pulled.force) * self.length * pulled.rate
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar(slack: bool) -> Bar {
        let strand = Strand { stiffness: 2.0, mass: 0.1, damping: 0.3, slack };
        let ends = [0, 1].map(|node| Marker { node, frame: rotula_lie::Frame::identity() });
        Bar::new(ends, strand, 1.5).unwrap()
    }

    /// The force is the slope of the energy, its slopes are those of the force, and nothing jumps.
    #[test]
    fn a_cable_grows_taut_smoothly() {
        let (cable, step) = (bar(true), 1e-9);
        for k in -20..=20 {
            let strain = k as f64 * 0.049 * TAUTENING;
            let ([up, more, ..], [down, less, ..]) =
                (cable.law(strain + step), cable.law(strain - step));
            let [_, pull, taut, _] = cable.law(strain);
            assert!(((up - down) / (2.0 * step) - pull).abs() < 1e-3 * TAUTENING, "{strain:e}");
            assert!(((more - less) / (2.0 * step) - taut).abs() < 1e-4, "{strain:e}");
        }
        assert_eq!(cable.law(-TAUTENING), [0.0; 4]);
        let [_, cable, _, _] = cable.law(TAUTENING);
        let [_, bar, _, _] = bar(false).law(TAUTENING);
        assert!((cable - bar).abs() < 1e-18);
    }
}
