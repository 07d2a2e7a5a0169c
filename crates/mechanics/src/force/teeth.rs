//! Teeth of two wheels on one carrier: they press along their lines of action, and so load the bearings of the wheels.
//!
//! ```text
//! δ± = r₁ θ₁ + r₂ θ₂ + n±·(p₁ − p₂)       approach of the flanks, base radii r, centres p
//! n± = cos α t ± sin α s,   cos α = |r₁ + r₂| / |p₁ − p₂|
//! ```
//!
//! `t` is the direction in which the first wheel moves at the point of mesh when δ grows, `s` the one in which the second wheel is pressed away; both
//! are fixed to the carrier. Flanks that meet as δ grows press along n₊, those that meet as it falls along n₋, each by the
//! [law of teeth](super::Mesh) as a spring on its δ. What this does to wheels, bearings and carrier follows from the gradient of δ: the force
//! `f n` on the centre of the first wheel, its opposite on the second, the moments `f r` about their axes, and none that is left over on all
//! three together. Where bearings give way, centres move, and δ with them.

use super::spring::{FORCE, OF_TEETH, RATE, VALUE};
use super::{Auxiliary, Flank, Force, Mesh, Spring};
use crate::error::ModelError;
use crate::marker::Marker;
use crate::measure::{Coordinate, Measure};
use crate::quantity::{Ends, Quantity};
use crate::scene::Scene;
use crate::sensor::Slopes;
use nalgebra::{Matrix6, Vector3, Vector6};

/// Where two wheels turn on a body that carries both.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wheels {
    /// On the carrier: its axes are those in which the lines of action stand still.
    pub carrier: Marker,
    /// The centres of both wheels, on the wheels.
    pub centres: [Marker; 2],
    /// Their lines of action, in the axes of the carrier's marker: of flanks that meet as the approach grows, and of the others.
    pub lines: [Vector3<f64>; 2],
}

/// Elastic teeth of two wheels.
#[derive(Clone, Debug)]
pub struct Teeth {
    /// One spring for both flanks, or one for each.
    flanks: Vec<Spring>,
    /// What each coordinate is in the middle of the play.
    middles: Vec<f64>,
    ends: Ends,
}

impl Teeth {
    /// Teeth that act on angles alone: on `turned`, the sum of the ways r θ of both wheels. What they do to bearings is left out.
    pub fn on_angles(turned: Coordinate, law: Mesh, ends: Ends) -> Self {
        Teeth { middles: vec![law.middle], flanks: vec![Spring::new(turned, law)], ends }
    }

    /// Teeth that press along lines of action. The middles of the laws are those of the approaches, in the order of the lines.
    pub fn along_lines(
        turned: &Coordinate,
        wheels: &Wheels,
        law: &Mesh,
        middle: impl Fn(&Coordinate) -> f64,
    ) -> Result<Self, ModelError> {
        let (mut flanks, mut middles) = (Vec::new(), Vec::new());
        for (line, flank) in wheels.lines.iter().zip([Flank::Forward, Flank::Backward]) {
            let [first, second] =
                wheels.centres.map(|centre| Coordinate::along(&wheels.carrier, &centre, *line));
            let apart = first.plus(&second.scaled(-1.0))?;
            // all flanks have their nodes in the same order
            let approach = turned.clone().plus(&apart)?;
            let law = Mesh { middle: middle(&approach), flank, ..law.clone() };
            middles.push(law.middle);
            flanks.push(Spring::new(approach, law));
        }
        let [first, second] = wheels.centres;
        Ok(Teeth { flanks, middles, ends: Ends::between(first, second) })
    }

    /// What they offer: the approach of the flanks, its rate, the force along the line of action, its power, and what acts on the second
    /// wheel.
    pub fn all_quantities() -> &'static [Quantity] {
        &OF_TEETH
    }
}

impl Force for Teeth {
    fn nodes(&self) -> &[usize] {
        self.flanks[0].nodes()
    }

    fn wrench(&mut self, scene: Scene, out: &mut [Vector6<f64>]) {
        self.flanks.iter_mut().for_each(|flank| flank.wrench(scene, out));
    }

    fn tangent(
        &mut self,
        scene: Scene,
        stiffness: &mut [Matrix6<f64>],
        damping: &mut [Matrix6<f64>],
    ) {
        self.flanks.iter_mut().for_each(|flank| flank.tangent(scene, stiffness, damping));
    }

    fn auxiliary(&self) -> &[Auxiliary] {
        self.flanks[0].auxiliary()
    }

    fn auxiliary_tangent(&mut self, scene: Scene, out: &mut [Vector6<f64>]) {
        self.flanks.iter_mut().for_each(|flank| flank.auxiliary_tangent(scene, out));
    }

    fn energy(&mut self, scene: Scene) -> f64 {
        self.flanks.iter_mut().map(|flank| flank.energy(scene)).sum()
    }

    fn power(&mut self, scene: Scene) -> f64 {
        self.flanks.iter_mut().map(|flank| flank.power(scene)).sum()
    }

    fn measures_mut(&mut self) -> Box<dyn Iterator<Item = &mut Measure> + '_> {
        Box::new(self.flanks.iter_mut().flat_map(|flank| flank.measures_mut()))
    }

    fn quantities(&self) -> &'static [Quantity] {
        &OF_TEETH
    }

    fn ends(&self) -> Ends {
        self.ends
    }

    fn own(&mut self, scene: Scene, out: &mut [f64]) {
        let mut other = [0.0; 3];
        self.flanks[0].own(scene, out);
        out[VALUE] -= self.middles[0];
        for (flank, middle) in self.flanks.iter_mut().zip(&self.middles).skip(1) {
            flank.own(scene, &mut other);
            // the approach of the flanks that press
            if other[FORCE] != 0.0 {
                (out[VALUE], out[RATE]) = (other[VALUE] - middle, other[RATE]);
            }
            out[FORCE] += other[FORCE];
        }
    }

    fn own_slopes(&mut self, place: usize, scene: Scene, slopes: &mut Slopes) {
        if place == FORCE {
            self.flanks.iter_mut().for_each(|flank| flank.own_slopes(place, scene, slopes));
            return;
        }
        let mut own = [0.0; 3];
        let pressing = self.flanks.iter_mut().position(|flank| {
            flank.own(scene, &mut own);
            own[FORCE] != 0.0
        });
        self.flanks[pressing.unwrap_or(0)].own_slopes(place, scene, slopes);
    }
}
